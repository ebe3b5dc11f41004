/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the work-items of a group. They are started one after the other on one stack; the first that
 * waits for the others leaves it, and from then on each item has a stack of its own. So a kernel
 * without barriers costs no switches.
 */
#ifndef REAP_HOST_GROUP_H
#define REAP_HOST_GROUP_H

#include "src/port/fiber.h"

#include <reap/host/code.h>
#include <reap/status.h>
#include <stdbool.h>

/* The stacks of a thread, and which of their fibers stand where they can take an item. */
struct reap__stacks;

/* A group that runs. The kernel's code sees the first member. */
struct reap__host_group {
    struct reap__group group;
    const struct reap_kernel *kernel;
    const reap_range *range;
    struct reap__work work; /* the items' own, but for `item` */
    struct reap__stacks *stacks;
    const struct reap__place **places; /* where the fiber of that number waits */

    /* The round at hand: from one meeting of all items to the next. */
    size_t started;  /* items, of the group */
    size_t finished; /* of those */
    size_t waiting;
    size_t fibers;                   /* that have items */
    size_t running;                  /* the number of the one that runs */
    const struct reap__place *place; /* where the first of the waiting ones waits */
    bool differs;                    /* another one waits elsewhere */
};

/* Runs the items of one group, whose ids are set. Gives false, with a line for reap_last_error,
 * where they did not come to the same barriers. */
bool reap__host_group_run(struct reap__host_group *group);

#endif
