/* SPDX-License-Identifier: Apache-2.0
 *
 * The stacks of the work-items of a group, on which they wait for each other. They are made
 * once, and kept for the next launch; of a stack, memory is taken where it is used. Memory that
 * cannot be touched lies below each, as far as the system can keep account of so many, so that an
 * item that needs too much of it faults there instead of writing into another's.
 */
#ifndef REAP_HOST_STACKS_H
#define REAP_HOST_STACKS_H

#include "src/port/fiber.h"

#include <reap/status.h>
#include <stdbool.h>
#include <stddef.h>

/* What the sanitizers know of a fiber. */
struct reap__fiber_notes {
    void *fake_stack; /* AddressSanitizer's, while it does not run */
    void *item;       /* ThreadSanitizer's context of its work-item */
};

struct reap__stacks {
    struct reap__fiber *fibers;
    struct reap__fiber_notes *notes;
    struct reap__fiber thread; /* that runs the group, while a fiber does */
    size_t count;
    size_t ready; /* the fibers before this one have begun, and can take items */

    struct reap__stacks *next;
    unsigned char *memory;
    size_t stride;
    size_t guarded;     /* stacks, the first ones */
    size_t guards_made; /* of those, the first ones; a stack gets its guard when it is used */
};

/* Borrows that many stacks, for the caller alone until they are returned. Fails with
 * REAP_ERROR_OUT_OF_MEMORY. Any thread. */
reap_status reap__stacks_borrow(size_t count, struct reap__stacks **stacks);
void reap__stacks_return(struct reap__stacks *stacks);

/* Sees to it that the first `count` fibers stand where they can begin. */
void reap__stacks_ready(struct reap__stacks *stacks, size_t count);

/* Discards the state of all fibers. With fresh memory, the stacks have never been used. */
void reap__stacks_abandon(struct reap__stacks *stacks, bool with_fresh_memory);

/* Where the stack of a fiber begins, and its size. */
unsigned char *reap__stacks_bottom(const struct reap__stacks *stacks, size_t number, size_t *bytes);

#endif
