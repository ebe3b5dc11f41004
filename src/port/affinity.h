/* SPDX-License-Identifier: Apache-2.0
 *
 * Which processors the process may use. Linux knows this of threads only.
 */
#ifndef REAP_PORT_AFFINITY_H
#define REAP_PORT_AFFINITY_H

#include <stddef.h>

enum { REAP__MOST_PROCESSORS = 8192 }; /* what Linux can be built for */

/* A bit for each processor, as the kernel lays them out. */
struct reap__affinity {
    unsigned long words[REAP__MOST_PROCESSORS / (8 * sizeof(unsigned long))];
};

/* The processors that any thread of the process may run on at this moment, and those of OpenMP's
 * places: a program whose environment has OMP_PROC_BIND begins on one processor. */
void reap__affinity_find(struct reap__affinity *affinity);

size_t reap__affinity_count(const struct reap__affinity *affinity);

/* Lets the calling thread run on them; where the system refuses, nothing changes. */
void reap__affinity_use(const struct reap__affinity *affinity);

#endif
