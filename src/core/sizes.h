/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of sizes and counts for which C has no operator.
 */
#ifndef REAP_CORE_SIZES_H
#define REAP_CORE_SIZES_H

#include "src/core/allocate.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline size_t reap__least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The quotient, rounded up; b is not 0. */
static inline size_t reap__divide_up(size_t a, size_t b)
{
    return a / b + (a % b != 0);
}

/* Rounded down; `number` is not 0. */
static inline size_t reap__log2_of(size_t number)
{
    size_t log2 = 0;
    while (number >> log2 > 1)
        log2++;
    return log2;
}

/* Rounded up to a multiple of REAP__MEMORY_ALIGNMENT. */
static inline size_t reap__align(size_t bytes)
{
    return (bytes + REAP__MEMORY_ALIGNMENT - 1) & ~(size_t)(REAP__MEMORY_ALIGNMENT - 1);
}

/* Adds an aligned part of `more` bytes to *bytes; returns the part's offset. */
static inline size_t reap__append_aligned(size_t *bytes, size_t more)
{
    const size_t offset = *bytes;
    *bytes += reap__align(more);
    return offset;
}

/* Whether two ranges of addresses have a byte in common. */
static inline bool reap__overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    const uintptr_t a_begin = (uintptr_t)a, b_begin = (uintptr_t)b;
    return a_begin < b_begin + b_bytes && b_begin < a_begin + a_bytes;
}

#endif
