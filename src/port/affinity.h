/* SPDX-License-Identifier: Apache-2.0
 *
 * Which processors the process may use: those that any of its threads may use, since Linux has
 * affinity masks of threads only.
 */
#ifndef REAP_PORT_AFFINITY_H
#define REAP_PORT_AFFINITY_H

#include <stddef.h>

enum { REAP__MOST_PROCESSORS = 8192 }; /* the most that Linux supports */

/* A bit for each processor, in the layout of the Linux kernel. */
struct reap__affinity {
    unsigned long words[REAP__MOST_PROCESSORS / (8 * sizeof(unsigned long))];
};

/* Finds the processors that any thread of the process may run on now, and those of OpenMP's places
 * (with OMP_PROC_BIND a program begins on one processor). */
void reap__affinity_find(struct reap__affinity *affinity);

size_t reap__affinity_count(const struct reap__affinity *affinity);

/* Lets the calling thread run on these processors. If the system refuses, nothing changes. */
void reap__affinity_use(const struct reap__affinity *affinity);

/* The processor that the calling thread runs on now; -1 if unknown. */
int reap__affinity_current(void);

/* Moves the calling thread to another one of these processors, if there is one. */
void reap__affinity_leave(const struct reap__affinity *affinity, int processor);

#endif
