/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands of asynchronous queues: once a command's dependencies are met, one of the library's
 * threads runs it.
 */
#ifndef REAP_QUEUE_ASYNC_SUBMIT_H
#define REAP_QUEUE_ASYNC_SUBMIT_H

#include "src/queue/command.h"

/* Adds the command to the dependency graph, and returns. The command holds a reference to the event
 * (NULL: there is none) as long as it needs it. Fails with REAP_ERROR_OUT_OF_MEMORY, and with
 * REAP_ERROR_INVALID_ARGUMENT if an event that it is to wait for is not valid. */
reap_status reap__submit_async(const struct reap__submission *submission, reap_event *event);

#endif
