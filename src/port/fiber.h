/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts of execution, each on a stack of its own, within one thread: the work-items of a group
 * that wait for each other. Written in assembly, and once more on ucontext for other processors.
 *
 * The fibers of a group stand in an array and go on one after the other, so that nearly every wait
 * is the same few instructions: the running fiber, which is not the last, waits where the round's
 * first one does, and the next in the array goes on. What else may happen is decided by
 * reap__group_turn, in C.
 */
#ifndef REAP_PORT_FIBER_H
#define REAP_PORT_FIBER_H

#include <reap/host/code.h>

/* A context that does not run. */
struct reap__fiber {
    void *stack_pointer; /* where it goes on */
    void *value;         /* what it brought to where it waits */
};

/* Makes a fiber that calls entry(group), which never returns, when it is first switched to; group
 * is the one that runs then. Its stack lies between the two addresses. */
void reap__fiber_prepare(struct reap__fiber *fiber, void *bottom, void *top,
                         void (*entry)(struct reap__group *));

/* Leaves the running context in `from` and goes on with `to`, in the given group. */
void reap__fiber_enter(struct reap__group *group, struct reap__fiber *from,
                       const struct reap__fiber *to);

/* The group's running fiber waits at a place, to which it brings a value, and others go on. Gives
 * the group that runs when it goes on itself: the same, within a kernel. */
struct reap__group *reap__fiber_wait(struct reap__group *group, const struct reap__place *place,
                                     void *value);

/* For reap__fiber_wait, written by its user: which context goes on, where it is not simply the next
 * fiber of the ring. */
const struct reap__fiber *reap__group_turn(struct reap__group *group,
                                           const struct reap__place *place);

#endif
