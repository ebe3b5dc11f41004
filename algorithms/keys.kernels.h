/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions that need only the order of the elements, for each size of an element: how many are
 * within an interval, extremes, and places.
 *
 * An element's key is a signed integer of its size, in the order of the numbers: its bits, of which
 * `mask` are inverted if the first one is set, and `flip` inverted always. For floating-point
 * numbers `mask` is all bits except the first, for integers 0; for unsigned integers `flip` is the
 * first bit, otherwise 0. So -0 precedes 0, and NaNs come before -infinity and after infinity.
 *
 * Kernels of rows take a part of a row, of at most `block` elements, in each work-item; where
 * `is_masked` is not 0, only elements with a `where` that is not 0.
 */
#ifndef REAP_ALGORITHMS_KEYS_KERNELS_H
#define REAP_ALGORITHMS_KEYS_KERNELS_H

#include <reap/kernel.h>

REAP_KERNEL_FILE

#define KEYS_JOIN_(a, b) a##_##b
#define KEYS_JOIN(a, b) KEYS_JOIN_(a, b)
#define KEYS_NAMED(word) KEYS_JOIN(word, BITS)

#define KEY(bits)                                                                                  \
    ((SIGNED_BITS)((UNSIGNED_BITS)(bits) ^                                                         \
                   ((UNSIGNED_BITS)((SIGNED_BITS)(bits) >> (BITS - 1)) & mask) ^ flip))

/* Of a matrix, in a work-item: 256 bytes of a row. */
#define COLUMNS (2048 / BITS)

#define BITS 8
#define UNSIGNED_BITS uint8_t
#define SIGNED_BITS int8_t
#define WIDE_BITS int32_t
#include "algorithms/keys.kernels_tmpl.h"

#define BITS 16
#define UNSIGNED_BITS uint16_t
#define SIGNED_BITS int16_t
#define WIDE_BITS int32_t
#include "algorithms/keys.kernels_tmpl.h"

#define BITS 32
#define UNSIGNED_BITS uint32_t
#define SIGNED_BITS int32_t
#define WIDE_BITS int32_t
#include "algorithms/keys.kernels_tmpl.h"

#define BITS 64
#define UNSIGNED_BITS uint64_t
#define SIGNED_BITS int64_t
#define WIDE_BITS int64_t
#include "algorithms/keys.kernels_tmpl.h"

#endif
