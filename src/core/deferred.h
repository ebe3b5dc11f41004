/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands of asynchronous queues: each waits for its turn, and then one of the library's threads
 * runs it.
 */
#ifndef REAP_CORE_DEFERRED_H
#define REAP_CORE_DEFERRED_H

#include "src/core/submit.h"

/* Takes the command's place in the order, and returns. The event (NULL: nobody has it) is held by
 * the command as long as it needs it. Fails with OUT_OF_MEMORY, and with INVALID_ARGUMENT where an
 * event that it is to wait for is none. */
reap_status reap__defer(const struct reap__submission *submission, reap_event *event);

#endif
