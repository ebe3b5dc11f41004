/* SPDX-License-Identifier: Apache-2.0
 *
 * The one layer through which the library gets memory, so that tests can make any allocation fail.
 */
#ifndef REAP_CORE_ALLOCATE_H
#define REAP_CORE_ALLOCATE_H

#include <stdbool.h>
#include <stddef.h>

enum { REAP__MEMORY_ALIGNMENT = 64 };

/* Returns uninitialised memory, aligned to REAP__MEMORY_ALIGNMENT; NULL: out of memory.
 * reap__free frees it, and takes NULL, too. Any thread. */
void *reap__allocate(size_t bytes);
void reap__free(void *memory);

/* *sum += count * size, rounded up to the alignment; false, and nothing changed, on overflow. */
bool reap__add_bytes(size_t *sum, size_t count, size_t size);

/* For tests: makes the call of reap__allocate with this number fail; 0: none. Counts calls from 1
 * again. Not while other threads launch. */
void reap__fail_allocation(unsigned long number);

/* Notes that threads keep so many more allocations, or fewer, for their next launches. */
void reap__allocations_keep(long change);

/* For tests: the number of allocations since reap__fail_allocation; and of those that are neither
 * freed nor kept. */
unsigned long reap__allocations_made(void);
long reap__allocations_alive(void);

#endif
