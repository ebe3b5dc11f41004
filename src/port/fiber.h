/* SPDX-License-Identifier: Apache-2.0
 *
 * Fibers: contexts of execution within one thread, each on its own stack, for the work-items of a
 * group that wait for each other. Written in assembly, and on ucontext for other processors.
 *
 * The fibers of a group are in an array and run one after the other. So almost every wait is the
 * same few instructions: the running fiber, which is not the last, waits at the call site at which
 * the round's first one waits, and the next one in the array continues. reap__group_next_fiber, in
 * C, decides all other cases.
 */
#ifndef REAP_PORT_FIBER_H
#define REAP_PORT_FIBER_H

#include <reap/detail/kernel_table.h>

#if defined(__x86_64__) && defined(__LP64__) && !defined(REAP__FIBERS_ON_UCONTEXT)
#define REAP__FIBERS_ON_X86_64 1
#endif

/* For link-time optimisation, which does not see calls from assembly. */
#if defined(__GNUC__) && !defined(__clang__)
#define REAP__CALLED_BY_ASSEMBLY __attribute__((__used__, __externally_visible__))
#else
#define REAP__CALLED_BY_ASSEMBLY __attribute__((__used__))
#endif

/* A context that does not run. On x86-64 all of it is here, next to those that run before and after
 * it, and not on its stack. */
struct reap__fiber {
    void *stack_pointer;
    void *value; /* its contribution at the barrier at which it waits */
#ifdef REAP__FIBERS_ON_X86_64
    const void *at; /* where it continues */
    void *registers[6];
#endif
};

/* The fibers that wait for each other. It is a thread-local object at a constant offset: a pointer
 * to it would be loaded from the stack that has just been switched to, and each switch would depend
 * on the previous one. */
struct reap__ring {
    struct reap__fiber *running;
    struct reap__fiber *last;           /* when it waits, the round ends */
    const struct reap__call_site *site; /* where the round's first item waits; NULL: none yet */
    struct reap__group *group;
    void (*run)(struct reap__group *); /* starts the next work-item; returns when it is done */
    const struct reap__call_site *end; /* at which a finished work-item waits */
    size_t is_starting;                /* nonzero: work-items are still to be started */
    size_t finished;                   /* how many have ended */
};
extern _Thread_local struct reap__ring reap__ring __attribute__((tls_model("initial-exec")));

/* Returns the ring of the calling thread. Use it where a context may continue in another thread: a
 * compiler may keep the variable's address across a switch. */
__attribute__((noinline)) struct reap__ring *reap__ring_here(void);

/* Makes a fiber with the stack between the two addresses. In an endless loop it calls the ring's
 * `run`, once or until a work-item waits, and then waits at the ring's `end`. */
void reap__fiber_prepare(struct reap__fiber *fiber, void *bottom, void *top);

/* Saves the running context in `from` and continues `to`, in the ring's group. */
void reap__fiber_enter(struct reap__fiber *from, const struct reap__fiber *to);

/* Lets the running fiber of the ring, whose group this is, wait at a call site with a contribution
 * (NULL: a barrier), and continues others. Returns when the fiber is continued. */
void reap__fiber_wait(struct reap__group *group, const struct reap__call_site *site, void *value);

/* The same for code that jumps (reap/detail/host/wait.h); NULL on processors without it. */
#ifdef REAP__FIBERS_ON_X86_64
extern const char reap__fiber_leap[] __attribute__((__visibility__("hidden")));
#define REAP__FIBER_LEAP reap__fiber_leap
#else
#define REAP__FIBER_LEAP NULL
#endif

/* Defined by the user of fibers (host/group_run.c): returns the context that continues where it is
 * not simply the next fiber of the array. */
REAP__CALLED_BY_ASSEMBLY const struct reap__fiber *
reap__group_next_fiber(const struct reap__call_site *site);

#endif
