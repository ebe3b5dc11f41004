/* SPDX-License-Identifier: Apache-2.0
 *
 * An event stands for one command (SYCL 2020, section 4.6.6). A launch hands one out where its
 * .launch.event asks for it, and waits for those that its .launch.wait_for lists.
 */
#ifndef REAP_EVENT_H
#define REAP_EVENT_H

#include <reap/api.h>
#include <reap/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One command: whether it has ended, how, and when. An event is its owner's, who got it from a
 * launch, to be given to reap_event_release. */
typedef struct reap_event reap_event;

/* Blocks until the command has completed, and returns how it ended; after a failure
 * reap_last_error() has its line. Commands that were launched later may go on. May be called any
 * number of times, from any thread. NULL gives INVALID_ARGUMENT, and in a forked child a command of
 * before that has not ended gives DEVICE_FAILED. */
REAP_API reap_status reap_event_wait(reap_event *event);

/* Waits for `count` events as reap_event_wait does, in any order: for all of them, and returns the
 * first failure in the array's order. Without events it returns OK. Fails with INVALID_ARGUMENT,
 * and waits for none, where one is NULL, or the array is and there are some. Any thread. */
REAP_API reap_status reap_events_wait(reap_event *const *events, size_t count);

/* Sets *is_complete to whether the command has completed or failed. It does not wait: where another
 * thread launches on the device at that moment, it may say no. Once it has said
 * yes, reduction variables of the program's own have their values; memory of kind host and shared
 * is the program's to use after reap_event_wait. Any thread. Fails with INVALID_ARGUMENT where a
 * pointer is NULL, and with DEVICE_FAILED in a forked child. */
REAP_API reap_status reap_event_query(reap_event *event, bool *is_complete);

/* When a command was launched, when its work began, and when it had ended, or failed (SYCL 2020,
 * section 4.6.6.1, info::event_profiling): nanoseconds of a clock that never goes back,
 * CLOCK_MONOTONIC on POSIX systems. What is compiled, or brought to a device, for a kernel comes
 * before its work; for a copy or fill it is part of it. */
typedef struct reap_event_times {
    uint64_t submitted; /* when it was launched */
    uint64_t started;   /* when its work began */
    uint64_t ended;     /* when it had ended, or failed */
} reap_event_times;

/* Tells the times of a command that has ended, of a queue that was made with .profiling. A device
 * measures what it does by itself; the times of what completes within a launch are the host's. Does
 * not wait. Any thread. Fails with INVALID_ARGUMENT where a pointer is NULL, the queue was made
 * without .profiling, or the command has not ended as far as a wait or reap_event_query has seen.
 */
REAP_API reap_status reap_event_get_times(reap_event *event, reap_event_times *times);

/* Is called when a command has ended, with how; the line is that of reap_last_error(), "" where it
 * completed, and lives until the return. */
typedef void reap_event_callback(void *context, reap_status status, const char *line);

/* Has callback called once, when the command has completed or failed, or soon if it has: by a
 * thread of the library, never by this call; it comes late where a few callbacks wait for other
 * commands. It may launch, and give events and
 * buffers back, but it should not block for long: there are few such threads. Memory of kind host
 * and shared is its to use after reap_event_wait. Several calls for one event are made in any
 * order. Any thread. The event may be given back before. Fails with INVALID_ARGUMENT where the
 * event or the callback is NULL, OUT_OF_MEMORY, and DEVICE_FAILED where there can be no thread. */
REAP_API reap_status reap_event_set_callback(reap_event *event, reap_event_callback *callback,
                                             void *context);

/* Gives the event back, whether or not its command has completed, and does not wait for that; NULL
 * is fine. Any thread; but no other one may be waiting for it. */
REAP_API void reap_event_release(reap_event *event);

#endif
