/* SPDX-License-Identifier: Apache-2.0
 *
 * Switching between contexts of execution, each on a stack of its own, within one thread. A switch
 * costs about what a call does: it saves the registers that a called function must keep.
 */
#ifndef REAP_PORT_FIBER_H
#define REAP_PORT_FIBER_H

#include <stddef.h>

/* Where a context that does not run goes on. */
struct reap__fiber {
    void *stack_pointer;
};

/* Makes a fiber that calls entry(), which never returns, when it is first switched to. The stack
 * ends at `top`. */
void reap__fiber_prepare(struct reap__fiber *fiber, void *top, void (*entry)(void));

/* Leaves the running context in `from` and goes on where `to` was left. */
void reap__fiber_switch(struct reap__fiber *from, const struct reap__fiber *to);

#endif
