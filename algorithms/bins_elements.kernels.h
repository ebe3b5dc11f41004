/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads elements of arrays whose type is an argument of a kernel.
 */
#ifndef REAP_ALGORITHMS_BINS_ELEMENTS_KERNELS_H
#define REAP_ALGORITHMS_BINS_ELEMENTS_KERNELS_H

#include <reap/kernel.h>

#include <math.h>

REAP_KERNEL_FILE

/* The values of reap_type. */
#define BINS_BOOL 1
#define BINS_INT8 2
#define BINS_UINT8 3
#define BINS_INT16 4
#define BINS_UINT16 5
#define BINS_INT32 6
#define BINS_UINT32 7
#define BINS_INT64 8
#define BINS_UINT64 9
#define BINS_HALF 10
#define BINS_BFLOAT16 11
#define BINS_FLOAT 12
#define BINS_DOUBLE 13

#define BINS_AT(T, x, i) (((const REAP_GLOBAL T *)(x))[i])

/* An integer or bool, modulo 2^64. */
static inline uint64_t bins_whole(const REAP_GLOBAL uint8_t *x, size_t i, uint32_t type)
{
    switch (type) {
    case BINS_INT8:
        return (uint64_t)(int64_t)BINS_AT(int8_t, x, i);
    case BINS_INT16:
        return (uint64_t)(int64_t)BINS_AT(int16_t, x, i);
    case BINS_UINT16:
        return BINS_AT(uint16_t, x, i);
    case BINS_INT32:
        return (uint64_t)(int64_t)BINS_AT(int32_t, x, i);
    case BINS_UINT32:
        return BINS_AT(uint32_t, x, i);
    case BINS_INT64:
    case BINS_UINT64:
        return BINS_AT(uint64_t, x, i);
    default:
        return x[i];
    }
}

static inline float bins_single(const REAP_GLOBAL uint8_t *x, size_t i, uint32_t type)
{
    if (type == BINS_FLOAT)
        return BINS_AT(float, x, i);
    return type == BINS_HALF ? reap_half_to_float(BINS_AT(reap_half, x, i))
                             : reap_bfloat16_to_float(BINS_AT(reap_bfloat16, x, i));
}

/* An element of any type as a double; integers of 64 bits are rounded. */
static inline double bins_real(const REAP_GLOBAL uint8_t *x, size_t i, uint32_t type)
{
    if (type == BINS_DOUBLE)
        return BINS_AT(double, x, i);
    if (type >= BINS_HALF)
        return (double)bins_single(x, i, type);
    const uint64_t whole = bins_whole(x, i, type);
    return type == BINS_UINT64 ? (double)whole : (double)(int64_t)whole;
}

static inline int64_t bins_key(const REAP_GLOBAL uint8_t *x, size_t i, uint32_t type, double real)
{
    if (type == BINS_INT64)
        return BINS_AT(int64_t, x, i);
    if (type == BINS_UINT64)
        return (int64_t)(BINS_AT(uint64_t, x, i) ^ 0x8000000000000000u);
    union {
        double real;
        int64_t bits;
    } number;
    number.real = real;
    return number.bits ^ (number.bits >> 63 & 0x7fffffffffffffff);
}

#endif
