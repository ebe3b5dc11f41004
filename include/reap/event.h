/* SPDX-License-Identifier: Apache-2.0
 *
 * An event stands for one command (SYCL 2020, section 4.6.6). A launch hands one out where its
 * .launch.event asks for it, and waits for those that its .launch.wait_for lists.
 */
#ifndef REAP_EVENT_H
#define REAP_EVENT_H

#include <reap/api.h>
#include <reap/status.h>

typedef struct reap_event reap_event;

/* Blocks until the command has completed, and returns how it ended; after a failure
 * reap_last_error() has its line. On a device it waits for all that was launched there so far. May
 * be called any number of times, from any thread. NULL gives INVALID_ARGUMENT. */
REAP_API reap_status reap_event_wait(reap_event *event);

/* Gives the event back, whether or not its command has completed; NULL is fine. No other thread may
 * be waiting for it. */
REAP_API void reap_event_release(reap_event *event);

#endif
