/* SPDX-License-Identifier: Apache-2.0
 *
 * The stacks that the work-items of a group stand on while they wait for each other. They are made
 * once, and kept for the next launch; of a stack, memory is taken where it is used. A page that
 * cannot be touched lies below each, so that an item that needs too much of it faults there instead
 * of writing into another's.
 */
#ifndef REAP_HOST_STACKS_H
#define REAP_HOST_STACKS_H

#include "src/port/fiber.h"

#include <reap/status.h>
#include <stdbool.h>
#include <stddef.h>

struct reap__stacks;

/* That many stacks, which nobody else uses until they are given back. Fails with OUT_OF_MEMORY. Any
 * thread. */
reap_status reap__stacks_borrow(size_t count, struct reap__stacks **stacks);
void reap__stacks_return(struct reap__stacks *stacks);

/* The fiber on a stack, and the thread that switches to the first of them. */
struct reap__fiber *reap__stacks_fiber(struct reap__stacks *stacks, size_t number);
struct reap__fiber *reap__stacks_thread(struct reap__stacks *stacks);

/* Sees to it that the fiber stands where it can begin: in entry(), which it runs for ever. */
void reap__stacks_ready(struct reap__stacks *stacks, size_t number, void (*entry)(void));

/* No fiber stands where it could go on. */
void reap__stacks_abandon(struct reap__stacks *stacks);

#endif
