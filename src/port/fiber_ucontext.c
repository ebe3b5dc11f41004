/* SPDX-License-Identifier: Apache-2.0
 *
 * Fibers for processors without an assembly file, and for builds with
 * -DREAP_FIBERS_ON_UCONTEXT=ON. A fiber's stack_pointer points to its ucontext_t. A switch costs a
 * system call.
 */
#include "src/port/fiber.h"

#if defined(REAP__FIBERS_ON_UCONTEXT) || !(defined(__x86_64__) || defined(__aarch64__))

#include <stdint.h>
#include <ucontext.h>

static void go_on(struct reap__fiber *from, const struct reap__fiber *to)
{
    /* AddressSanitizer's swapcontext reads the context's stack, which is unknown here. */
    ucontext_t here = {.uc_stack = {.ss_size = 0}};
    const ucontext_t *there = to->stack_pointer;
    from->stack_pointer = &here;
    swapcontext(&here, there);
}

void reap__fiber_enter(struct reap__fiber *from, const struct reap__fiber *to)
{
    go_on(from, to);
}

void reap__fiber_wait(struct reap__group *group, const struct reap__call_site *site, void *value)
{
    struct reap__ring *ring = reap__ring_here();
    struct reap__fiber *from = ring->running;
    const struct reap__fiber *to;
    (void)group;
    from->value = value;
    if (site == ring->site && from != ring->last)
        to = ring->running = from + 1;
    else
        to = reap__group_next_fiber(site);
    if (to != from)
        go_on(from, to);
}

/* The function that every fiber runs. */
static void run_for_ever(void)
{
    for (;;) {
        struct reap__ring *ring = reap__ring_here();
        do {
            (ring->run)(ring->group);
            ring->finished++;
        } while (ring->site == NULL && ring->is_starting);
        reap__fiber_wait(ring->group, ring->end, NULL);
    }
}

void reap__fiber_prepare(struct reap__fiber *fiber, void *bottom, void *top)
{
    unsigned char *end = (unsigned char *)top - sizeof(ucontext_t);
    ucontext_t *context = (ucontext_t *)(end - (uintptr_t)end % 64);
    getcontext(context);
    context->uc_stack.ss_sp = bottom;
    context->uc_stack.ss_size = (size_t)((unsigned char *)context - (unsigned char *)bottom);
    context->uc_link = NULL;
    makecontext(context, run_for_ever, 0);
    fiber->stack_pointer = context;
}

#else

typedef int reap__fibers_are_written_for_others;

#endif
