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

#include <reap/detail/kernel_table.h>

#if defined(__x86_64__) && defined(__LP64__) && !defined(REAP__FIBERS_ON_UCONTEXT)
#define REAP__FIBERS_ON_X86_64 1
#endif

/* For link-time optimisation, which does not see who calls. */
#if defined(__GNUC__) && !defined(__clang__)
#define REAP__CALLED_BY_ASSEMBLY __attribute__((__used__, __externally_visible__))
#else
#define REAP__CALLED_BY_ASSEMBLY __attribute__((__used__))
#endif

/* A context that does not run. On x86-64 the whole of it lies here, side by side with those that
 * run before and after it, and not on its stack. */
struct reap__fiber {
    void *stack_pointer;
    void *value; /* what it brought to where it waits */
#ifdef REAP__FIBERS_ON_X86_64
    const void *at; /* where it goes on */
    void *registers[6];
#endif
};

/* The fibers that wait for each other in turn. It lies in thread-local memory, at an address that
 * no switch has to wait for: a pointer would come from the stack that has just been switched to,
 * and each switch would wait for the one before. */
struct reap__ring {
    struct reap__fiber *running;
    struct reap__fiber *last;            /* whose wait ends the round */
    const struct reap__call_site *place; /* where the round's first waits; NULL: none has yet */
    struct reap__group *group;
    void (*run)(struct reap__group *); /* starts the next work-item; returns when it is done */
    const struct reap__call_site *end; /* where a work-item waits that is done */
    size_t is_starting;                /* there are work-items to be started */
    size_t finished;                   /* work-items */
};
extern _Thread_local struct reap__ring reap__ring __attribute__((tls_model("initial-exec")));

/* The ring of the thread that runs now. Of use where a context may go on in another thread: a
 * compiler that sees the variable used on both sides of a switch may keep its address. */
__attribute__((noinline)) struct reap__ring *reap__ring_here(void);

/* Makes a fiber whose stack lies between the two addresses. For ever, it calls the ring's run, once
 * or until somebody waits, and then waits at the ring's end. */
void reap__fiber_prepare(struct reap__fiber *fiber, void *bottom, void *top);

/* Leaves the running context in `from` and goes on with `to`, in the ring's group. */
void reap__fiber_enter(struct reap__fiber *from, const struct reap__fiber *to);

/* The running fiber of the ring, which is the group's, waits at a place, to which it brings a
 * value, and others go on. */
void reap__fiber_wait(struct reap__group *group, const struct reap__call_site *place, void *value);

/* The same for code that leaps (reap/detail/host/wait.h), where there is such a thing. */
#ifdef REAP__FIBERS_ON_X86_64
extern const char reap__fiber_leap[] __attribute__((__visibility__("hidden")));
#define REAP__FIBER_LEAP reap__fiber_leap
#else
#define REAP__FIBER_LEAP NULL
#endif

/* Written by the user of fibers: which context goes on, where it is not simply the next fiber of
 * the ring. */
REAP__CALLED_BY_ASSEMBLY const struct reap__fiber *
reap__group_turn(const struct reap__call_site *place);

#endif
