/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions that need only the order of the elements, for each size of an element: counts of
 * elements in an interval, extremes, and locations.
 *
 * An element's key is a signed integer of its size, in the order of the numbers: its bits, with
 * those of `mask` inverted if the sign bit is set, and those of `flip` inverted always. `mask` is
 * all bits except the sign for floating-point numbers, and 0 for integers; `flip` is the highest
 * bit for unsigned integers, otherwise 0. So -0 precedes 0, and NaNs come before -infinity or after
 * infinity.
 *
 * A work-item of the kernels of rows reduces a part of a row, at most `block` elements. If
 * `is_masked` is not 0, only elements whose `where` is not 0 count.
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

/* The columns of a matrix that a work-item reduces: 256 bytes of each row. */
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
