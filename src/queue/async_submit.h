/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands of asynchronous queues: each waits until nothing stands in its way, then one of the
 * library's threads runs it.
 */
#ifndef REAP_QUEUE_ASYNC_SUBMIT_H
#define REAP_QUEUE_ASYNC_SUBMIT_H

#include "src/queue/command.h"

/* Takes the command's place in the order, and returns. The event (NULL: nobody has it) is held by
 * the command as long as it needs it. Fails with OUT_OF_MEMORY, and with INVALID_ARGUMENT where an
 * event that it is to wait for is none. */
reap_status reap__submit_async(const struct reap__submission *submission, reap_event *event);

#endif
