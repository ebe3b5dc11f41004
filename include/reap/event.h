/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Events, each the status of one command (SYCL 2020, section 4.6.6).
 *
 * A launch returns its event in `.launch.event`, and waits for the events in `.launch.wait_for`.
 */
#ifndef REAP_EVENT_H
#define REAP_EVENT_H

#include <reap/api.h>
#include <reap/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The status of one command: whether it has completed or failed, and when. It belongs to the
 * caller of the launch, who releases it with reap_event_release(). */
typedef struct reap_event reap_event;

/** Waits until the command has completed, and returns its result.
 *
 * Later commands may still run. It may be called any number of times.
 *
 * @param event  the event
 * @return the command's result; after a failure reap_last_error() has its text
 * @retval REAP_ERROR_INVALID_ARGUMENT  `event` is NULL
 * @retval REAP_ERROR_DEVICE_FAILED     in a forked child: the command was launched before the fork
 *                                      and had not completed
 * @note Any thread may call it. */
REAP_API reap_status reap_event_wait(reap_event *event);

/** Waits until all of several commands have completed, as reap_event_wait() does for one.
 *
 * @param events  an array; may be NULL if `count` is 0
 * @param count   the number of its elements
 * @return the first failure in the array's order; REAP_OK if all completed
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL; it waits for no event
 * @note Any thread may call it. */
REAP_API reap_status reap_events_wait(reap_event *const *events, size_t count);

/** Returns whether the command has completed or failed, without waiting.
 *
 * While another thread launches on the device, the answer can be false for a command that has
 * completed. After the answer true, reduction variables in the program's own memory have their
 * values. Memory of kind host and shared may be used only after reap_event_wait().
 *
 * @param event             the event
 * @param[out] is_complete  true: the command has completed or failed
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL
 * @retval REAP_ERROR_DEVICE_FAILED     in a forked child, as for reap_event_wait()
 * @note Any thread may call it. */
REAP_API reap_status reap_event_query(reap_event *event, bool *is_complete);

/** The times of a command (SYCL 2020, section 4.6.6.1, info::event_profiling), in nanoseconds of a
 * monotonic clock, on POSIX systems CLOCK_MONOTONIC.
 *
 * For a kernel, compilation and copies to the device precede its start. For a copy or a fill, they
 * are part of it. */
typedef struct reap_event_times {
    uint64_t submitted; /**< when it was launched */
    uint64_t started;   /**< when it began */
    uint64_t ended;     /**< when it had completed or failed */
} reap_event_times;

/** Returns the times of a command that has ended, without waiting.
 *
 * A device measures its commands itself. For commands that complete within the launch, as on the
 * host unless the queue is asynchronous, the host measures, and the launch has found that they have
 * ended. Of other commands a wait or reap_event_query() finds it.
 *
 * @param event       an event of a queue that was created with `.profiling`
 * @param[out] times  the times
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL, the queue was created without
 *                                      `.profiling`, or nothing has found that the command has
 *                                      ended
 * @note Any thread may call it. */
REAP_API reap_status reap_event_get_times(reap_event *event, reap_event_times *times);

/** A function that is called when a command has ended.
 *
 * @param context  that of reap_event_set_callback()
 * @param status   the command's result
 * @param line     its text, as of reap_last_error(), "" on success; valid until the function
 *                 returns */
typedef void reap_event_callback(void *context, reap_status status, const char *line);

/** Has a function called once when the command has completed or failed; soon, if it already has.
 *
 * A thread of the library calls it, never this call itself. There are few such threads, so
 * - the callback should not block for long, and
 * - it is called late if several callbacks wait for other commands.
 *
 * The callback may launch, and release events and buffers. It may use memory of kind host and
 * shared only after reap_event_wait(). The callbacks of one event are called in any order. The
 * event may be released before the callback is called.
 *
 * @param event     the event
 * @param callback  the function
 * @param context   its first argument
 * @retval REAP_ERROR_INVALID_ARGUMENT  `event` or `callback` is NULL
 * @retval REAP_ERROR_OUT_OF_MEMORY     memory ran out
 * @retval REAP_ERROR_DEVICE_FAILED     no thread can be created
 * @note Any thread may call it. */
REAP_API reap_status reap_event_set_callback(reap_event *event, reap_event_callback *callback,
                                             void *context);

/** Releases an event. It does not wait for the command.
 *
 * @param event  may be NULL; no other thread may be waiting for it
 * @note Any thread may call it. */
REAP_API void reap_event_release(reap_event *event);

#endif
