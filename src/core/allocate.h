/* SPDX-License-Identifier: Apache-2.0
 *
 * The one layer through which the library gets memory, so that tests can make any allocation fail.
 */
#ifndef REAP_CORE_ALLOCATE_H
#define REAP_CORE_ALLOCATE_H

#include <stdbool.h>
#include <stddef.h>

enum { REAP__MEMORY_ALIGNMENT = 64 };

/* Uninitialised memory, aligned to REAP__MEMORY_ALIGNMENT; NULL when there is none. Release it with
 * reap__free, which takes NULL too. Any thread. */
void *reap__allocate(size_t bytes);
void reap__free(void *memory);

/* *sum += count * size, rounded up to the alignment; false, and nothing changed, on overflow. */
bool reap__add_bytes(size_t *sum, size_t count, size_t size);

/* For tests: the call of reap__allocate with this number, from 1, fails; 0: none. Counting starts
 * again. Not for use beside launches in other threads. */
void reap__fail_allocation(unsigned long number);

/* For tests: how many allocations have been made since then, and how many live now. */
unsigned long reap__allocations_made(void);
long reap__allocations_alive(void);

#endif
