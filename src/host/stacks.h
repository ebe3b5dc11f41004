/* SPDX-License-Identifier: Apache-2.0
 *
 * The stacks of the work-items of a group, on which they wait for each other. They are created once
 * and kept for later launches; a stack gets its pages when it uses them. Below each stack are pages
 * that cannot be accessed (a guard); there is a limit to their number. So an item that needs
 * too much stack faults instead of writing into another's.
 */
#ifndef REAP_HOST_STACKS_H
#define REAP_HOST_STACKS_H

#include "src/port/fiber.h"

#include <reap/status.h>
#include <stdbool.h>
#include <stddef.h>

/* What the sanitizers need for a fiber. */
struct reap__fiber_notes {
    void *fake_stack; /* AddressSanitizer's, while it does not run */
    void *item;       /* ThreadSanitizer's context of its item */
};

struct reap__stacks {
    struct reap__fiber *fibers;
    struct reap__fiber_notes *notes;
    struct reap__fiber thread; /* the context of the group's thread, while a fiber runs */
    size_t count;
    size_t ready; /* the first so many fibers have been prepared */

    struct reap__stacks *next;
    unsigned char *memory;
    size_t stride;
    size_t guarded;     /* the first so many stacks have guards */
    size_t guards_made; /* so many of these guards exist; a stack gets its guard at its first use */
};

/* Borrows a set of at least `count` stacks, which the caller returns. Fails with
 * REAP_ERROR_OUT_OF_MEMORY. Any thread. */
reap_status reap__stacks_borrow(size_t count, struct reap__stacks **stacks);
void reap__stacks_return(struct reap__stacks *stacks);

/* Prepares the first `count` fibers, unless they have been prepared. */
void reap__stacks_ready(struct reap__stacks *stacks, size_t count);

/* Discards the state of all fibers; with_fresh_memory: and the contents of their stacks. */
void reap__stacks_abandon(struct reap__stacks *stacks, bool with_fresh_memory);

/* Returns the lowest address of a fiber's stack, and its size. */
unsigned char *reap__stacks_bottom(const struct reap__stacks *stacks, size_t number, size_t *bytes);

#endif
