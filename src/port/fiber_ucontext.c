/* SPDX-License-Identifier: Apache-2.0
 *
 * Fibers for processors that have no file of their own, and for builds with
 * -DREAP_FIBERS_ON_UCONTEXT=ON. A switch costs two system calls.
 */
#include "src/port/fiber.h"

#if defined(REAP__FIBERS_ON_UCONTEXT) || !(defined(__x86_64__) || defined(__aarch64__))

#include <stdint.h>
#include <ucontext.h>

/* Where a fiber's stack_pointer points. */
struct context {
    ucontext_t registers;
    struct reap__group *group; /* in which it goes on */
    void (*entry)(struct reap__group *);
};

/* makecontext passes ints; a pointer is two of them. */
static void start(unsigned high, unsigned low)
{
    const struct context *context =
        (const struct context *)(((uintptr_t)high << 16 << 16) | (uintptr_t)low);
    (context->entry)(context->group);
}

void reap__fiber_prepare(struct reap__fiber *fiber, void *bottom, void *top,
                         void (*entry)(struct reap__group *))
{
    const uintptr_t at = ((uintptr_t)top - sizeof(struct context)) & ~(uintptr_t)63;
    struct context *context = (struct context *)at;
    getcontext(&context->registers);
    context->entry = entry;
    context->registers.uc_stack.ss_sp = bottom;
    context->registers.uc_stack.ss_size = at - (uintptr_t)bottom;
    context->registers.uc_link = NULL;
    makecontext(&context->registers, (void (*)(void))start, 2, (unsigned)(at >> 16 >> 16),
                (unsigned)at);
    fiber->stack_pointer = context;
}

static struct reap__group *go_on(struct reap__group *group, struct reap__fiber *from,
                                 const struct reap__fiber *to)
{
    struct context here, *there = to->stack_pointer;
    there->group = group;
    from->stack_pointer = &here;
    swapcontext(&here.registers, &there->registers);
    return here.group;
}

void reap__fiber_enter(struct reap__group *group, struct reap__fiber *from,
                       const struct reap__fiber *to)
{
    go_on(group, from, to);
}

struct reap__group *reap__fiber_wait(struct reap__group *group, const struct reap__place *place,
                                     void *value)
{
    struct reap__fiber *from = group->ring.running;
    const struct reap__fiber *to;
    from->value = value;
    if (place == group->ring.place && from != group->ring.last)
        to = group->ring.running = from + 1;
    else
        to = reap__group_turn(group, place);
    if (to == from)
        return group;
    return go_on(group, from, to);
}

#else

typedef int reap__fibers_are_written_for_others;

#endif
