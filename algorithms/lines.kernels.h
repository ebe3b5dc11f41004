/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums of the rows of a matrix, all in one launch, with or without a mask, of float, double and
 * integers. Other types are converted first.
 *
 * Element c of row r is x[r * stride + c]. If `is_masked` is not 0, only elements whose `where` is
 * not 0 count: others add 0, which does not change a bit of a sum that began at 0; and -0 to an
 * exact sum, which begins at -0. (gcc vectorises that for float, but not for double.) The sum of a
 * row has the bits of a kernel over that row alone (docs/rows.md).
 */
#ifndef REAP_ALGORITHMS_LINES_KERNELS_H
#define REAP_ALGORITHMS_LINES_KERNELS_H

#include "algorithms/bins_elements.kernels.h"

/* ---- Conversions ------------------------------------------------------------------------------*/

#define LINES_CONVERT(T)                                                                           \
    for (size_t i = first; i < end; i++)                                                           \
        to[i] = (double)BINS_AT(T, x, i);

/* A work-item converts `block` elements. There is a loop for each type, which compilers vectorise.
 */
REAP_KERNEL(to_doubles, in(uint8_t, x), value(uint32_t, type), value(size_t, count),
            value(size_t, block), out(double, to))
{
    const size_t first = reap_global_id(0) * block;
    const size_t end = count - first < block ? count : first + block;
    if (type == BINS_INT8)
        LINES_CONVERT(int8_t)
    else if (type == BINS_BOOL || type == BINS_UINT8)
        LINES_CONVERT(uint8_t)
    else if (type == BINS_INT16)
        LINES_CONVERT(int16_t)
    else if (type == BINS_UINT16)
        LINES_CONVERT(uint16_t)
    else if (type == BINS_INT32)
        LINES_CONVERT(int32_t)
    else if (type == BINS_UINT32)
        LINES_CONVERT(uint32_t)
    else if (type == BINS_INT64)
        LINES_CONVERT(int64_t)
    else if (type == BINS_UINT64)
        LINES_CONVERT(uint64_t)
    else if (type == BINS_FLOAT)
        LINES_CONVERT(float)
    else
        for (size_t i = first; i < end; i++)
            to[i] = (double)bins_single(x, i, type);
}

/* The same for reap_half and reap_bfloat16. */
REAP_KERNEL(to_floats, in(uint8_t, x), value(uint32_t, type), value(size_t, count),
            value(size_t, block), out(float, to))
{
    const size_t first = reap_global_id(0) * block;
    const size_t end = count - first < block ? count : first + block;
    if (type == BINS_HALF)
        for (size_t i = first; i < end; i++)
            to[i] = reap_half_to_float(BINS_AT(reap_half, x, i));
    else
        for (size_t i = first; i < end; i++)
            to[i] = reap_bfloat16_to_float(BINS_AT(reap_bfloat16, x, i));
}

/* ---- Floating-point numbers -------------------------------------------------------------------*/

#define LINES_ELEMENT reap_global_id(0) * stride + reap_global_id(1)
#define LINES_VALUE_OR(v, other) (is_masked == 0 || where[i] != 0 ? (v) : (other))
#define LINES_VALUE(v) LINES_VALUE_OR(v, 0)
#define LINES_ARRAY(T)                                                                             \
    in(T, x), in(uint8_t, where), value(uint32_t, is_masked), value(size_t, stride)

/* The sum of elements, or of their magnitudes; + 0 makes -0 0. */
#define LINES_SUM(name, T)                                                                         \
    REAP_KERNEL(name, LINES_ARRAY(T), value(uint32_t, is_norm), reduce_rows(plus, T, sum))         \
    {                                                                                              \
        const size_t i = LINES_ELEMENT;                                                            \
        const T element = x[i], v = LINES_VALUE(element);                                          \
        reap_combine(sum, is_norm == 0 ? v : v < 0 ? -v : v + 0);                                  \
    }

LINES_SUM(sum_lines_float, float)
LINES_SUM(sum_lines_double, double)

#define LINES_EXACT(name, T)                                                                       \
    REAP_KERNEL(name, LINES_ARRAY(T), reduce_rows(exact_plus, T, sum))                             \
    {                                                                                              \
        const size_t i = LINES_ELEMENT;                                                            \
        const T element = x[i];                                                                    \
        reap_combine(sum, LINES_VALUE_OR(element, -(T)0));                                         \
    }

LINES_EXACT(exact_lines_float, float)
LINES_EXACT(exact_lines_double, double)

#define LINES_PRODUCTS(name, T)                                                                    \
    REAP_KERNEL(name, LINES_ARRAY(T), in(T, y), reduce_rows(plus, T, sum))                         \
    {                                                                                              \
        const size_t i = LINES_ELEMENT;                                                            \
        const T product = x[i] * y[i];                                                             \
        reap_combine(sum, LINES_VALUE(product));                                                   \
    }

LINES_PRODUCTS(product_lines_float, float)
LINES_PRODUCTS(product_lines_double, double)

/* The squares of float are normal numbers of type double. */
REAP_KERNEL(square_lines_float, LINES_ARRAY(float), reduce_rows(plus, double, sum))
{
    const size_t i = LINES_ELEMENT;
    const double element = (double)x[i], v = LINES_VALUE(element);
    reap_combine(sum, v * v);
}

/* Large and small numbers are scaled, as in elements.kernels_tmpl.h. */
REAP_KERNEL(square_lines_double, LINES_ARRAY(double), reduce_rows(plus, double, large),
            reduce_rows(plus, double, sum), reduce_rows(plus, double, small))
{
    const size_t i = LINES_ELEMENT;
    const double element = x[i], v = LINES_VALUE(element), magnitude = v < 0 ? -v : v;
    const bool is_large = magnitude > 0x1p+486, is_small = magnitude < 0x1p-511;
    const double up = is_large ? v * 0x1p-538 : 0, down = is_small ? v * 0x1p+537 : 0;
    const double rest = is_large || is_small ? 0 : v;
    reap_combine(large, up * up);
    reap_combine(sum, rest * rest);
    reap_combine(small, down * down);
}

/* ---- Integers ---------------------------------------------------------------------------------*/

/* Sums of integers do not depend on the order, so a work-item sums a part of a row. */
#define WHOLE_LINES                                                                                \
    in(uint8_t, x), in(uint8_t, where), value(uint32_t, is_masked), value(uint32_t, type),         \
        value(size_t, length), value(size_t, blocks), value(size_t, block)
#define WHOLE_BEGIN                                                                                \
    const size_t row = reap_global_id(0) / blocks, first = reap_global_id(0) % blocks * block;     \
    const size_t begin = row * length + first;                                                     \
    const size_t end = begin + (length - first < block ? length - first : block);

#define WHOLE_SUM(T)                                                                               \
    for (size_t i = first; i < end; i++) {                                                         \
        const uint64_t v = (uint64_t)(int64_t)BINS_AT(T, x, i);                                    \
        const uint64_t sign = (uint64_t)((int64_t)v >> 63) & magnitudes;                           \
        sum += ((v ^ sign) - sign) & (rest | (0 - (uint64_t)(where[i] != 0 ? 1 : 0)));             \
    }

/* The sum of elements, or if `magnitudes` has all bits set, of their magnitudes. Without branches,
 * so compilers vectorise the loops: without a mask, `where` is read and ignored. */
static inline uint64_t whole_sum(const REAP_GLOBAL uint8_t *x, const REAP_GLOBAL uint8_t *where,
                                 uint32_t is_masked, uint32_t type, size_t first, size_t end,
                                 uint64_t magnitudes)
{
    const uint64_t rest = is_masked != 0 ? 0 : ~(uint64_t)0;
    uint64_t sum = 0;
    if (type == BINS_INT8)
        WHOLE_SUM(int8_t)
    else if (type == BINS_INT16)
        WHOLE_SUM(int16_t)
    else if (type == BINS_UINT16)
        WHOLE_SUM(uint16_t)
    else if (type == BINS_INT32)
        WHOLE_SUM(int32_t)
    else if (type == BINS_UINT32)
        WHOLE_SUM(uint32_t)
    else if (type == BINS_INT64 || type == BINS_UINT64)
        WHOLE_SUM(uint64_t)
    else
        WHOLE_SUM(uint8_t)
    return sum;
}

REAP_KERNEL(whole_lines, WHOLE_LINES, value(uint64_t, magnitudes),
            reduce_span(plus, uint64_t, sums))
{
    WHOLE_BEGIN
    reap_combine_at(sums, row, whole_sum(x, where, is_masked, type, begin, end, magnitudes));
}

REAP_KERNEL(whole_product_lines, WHOLE_LINES, in(uint8_t, y), reduce_span(plus, uint64_t, sums))
{
    WHOLE_BEGIN
    uint64_t sum = 0;
    for (size_t i = begin; i < end; i++)
        if (is_masked == 0 || where[i] != 0)
            sum += bins_whole(x, i, type) * bins_whole(y, i, type);
    reap_combine_at(sums, row, sum);
}

#endif
