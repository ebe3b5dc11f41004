/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums of powers and of products of differences from an origin, of numbers of type double, with or
 * without a mask; those of other types become such first, except for products of float.
 *
 * Where `is_masked` is not 0, only elements with a `where` that is not 0 count: others add 0, which
 * leaves each bit of a sum that began at 0.
 */
#ifndef REAP_ALGORITHMS_MOMENTS_KERNELS_H
#define REAP_ALGORITHMS_MOMENTS_KERNELS_H

#include "algorithms/bins_elements.kernels.h"

/* Elements from `block` times the item's number on: the loop for each type becomes one of vectors.
 */
REAP_KERNEL(to_doubles, in(uint8_t, x), value(uint32_t, type), value(size_t, count),
            value(size_t, block), out(double, to))
{
    const size_t first = reap_global_id(0) * block;
    const size_t end = count - first < block ? count : first + block;
#define MOMENTS_CONVERT(T)                                                                         \
    for (size_t i = first; i < end; i++)                                                           \
        to[i] = (double)BINS_AT(T, x, i);
    if (type == BINS_INT8)
        MOMENTS_CONVERT(int8_t)
    else if (type == BINS_BOOL || type == BINS_UINT8)
        MOMENTS_CONVERT(uint8_t)
    else if (type == BINS_INT16)
        MOMENTS_CONVERT(int16_t)
    else if (type == BINS_UINT16)
        MOMENTS_CONVERT(uint16_t)
    else if (type == BINS_INT32)
        MOMENTS_CONVERT(int32_t)
    else if (type == BINS_UINT32)
        MOMENTS_CONVERT(uint32_t)
    else if (type == BINS_INT64)
        MOMENTS_CONVERT(int64_t)
    else if (type == BINS_UINT64)
        MOMENTS_CONVERT(uint64_t)
    else if (type == BINS_FLOAT)
        MOMENTS_CONVERT(float)
    else
        for (size_t i = first; i < end; i++)
            to[i] = (double)bins_single(x, i, type);
#undef MOMENTS_CONVERT
}

REAP_KERNEL(powers_where, in(double, x), in(uint8_t, where), value(double, origin),
            reduce(plus, double, sum), reduce(plus, double, squares), reduce(plus, double, cubes),
            reduce(plus, double, fourths))
{
    const size_t i = reap_global_id(0);
    const double v = where[i] != 0 ? x[i] - origin : 0, square = v * v;
    reap_combine(sum, v);
    reap_combine(squares, square);
    reap_combine(cubes, square * v);
    reap_combine(fourths, square * square);
}

/* ---- Rows -------------------------------------------------------------------------------------*/

/* docs/reduction-shape.md */
#define MOMENTS_LANES 64

static inline double moments_fold(double *lanes, size_t filled)
{
    for (size_t half = MOMENTS_LANES / 2; half > 0; half /= 2)
        for (size_t l = 0; l < half && l + half < filled; l++)
            lanes[l] += lanes[l + half];
    return lanes[0] != lanes[0] ? (double)NAN : lanes[0];
}

/* Rows of at most a leaf, one in each work-item, in three passes as moments.c makes: the first
 * finds the origin, the third is made only if that is far from the mean. Five numbers for each row:
 * the origin, and the sums. */
REAP_KERNEL(powers_rows, in(double, x), in(uint8_t, where), value(uint32_t, is_masked),
            value(size_t, length), out(double, results))
{
    const REAP_GLOBAL double *const row = x + reap_global_id(0) * length;
    const REAP_GLOBAL uint8_t *const selected = where + reap_global_id(0) * length;
    const size_t filled = length < MOMENTS_LANES ? length : MOMENTS_LANES;
    double sums[MOMENTS_LANES], squares[MOMENTS_LANES], cubes[MOMENTS_LANES];
    double fourths[MOMENTS_LANES];
    double origin = 0, count = 0, sum = 0, square_sum = 0;
    for (size_t i = 0; i < length; i++)
        count += is_masked == 0 || selected[i] != 0 ? 1 : 0;
    for (int pass = 0; pass < 3; pass++) {
        for (size_t l = 0; l < MOMENTS_LANES; l++)
            sums[l] = squares[l] = cubes[l] = fourths[l] = 0;
        for (size_t i = 0; i < length; i++) {
            const size_t l = i % MOMENTS_LANES;
            const double v = is_masked == 0 || selected[i] != 0 ? row[i] - origin : 0;
            const double square = v * v;
            sums[l] += v;
            squares[l] += square;
            cubes[l] += square * v;
            fourths[l] += square * square;
        }
        sum = moments_fold(sums, filled);
        square_sum = moments_fold(squares, filled);
        if (pass == 0)
            origin = sum - sum == 0 && count > 0 ? sum / count : 0;
        else if (pass == 1 && sum * sum / count > 0.75 * square_sum)
            origin += sum / count;
        else
            break;
    }
    REAP_GLOBAL double *const result = results + reap_global_id(0) * 5;
    result[0] = origin;
    result[1] = sum;
    result[2] = square_sum;
    result[3] = moments_fold(cubes, filled);
    result[4] = moments_fold(fourths, filled);
}

/* ---- Products ---------------------------------------------------------------------------------*/

#define MOMENTS_PRODUCTS(name, T)                                                                  \
    REAP_KERNEL(name, in(T, x), in(T, y), in(uint8_t, where), value(uint32_t, is_masked),          \
                value(double, x_origin), value(double, y_origin), reduce(plus, double, x_sum),     \
                reduce(plus, double, y_sum), reduce(plus, double, x_squares),                      \
                reduce(plus, double, y_squares), reduce(plus, double, products))                   \
    {                                                                                              \
        const size_t i = reap_global_id(0);                                                        \
        const bool is_selected = is_masked == 0 || where[i] != 0;                                  \
        const double a = is_selected ? (double)x[i] - x_origin : 0;                                \
        const double b = is_selected ? (double)y[i] - y_origin : 0;                                \
        reap_combine(x_sum, a);                                                                    \
        reap_combine(y_sum, b);                                                                    \
        reap_combine(x_squares, a *a);                                                             \
        reap_combine(y_squares, b *b);                                                             \
        reap_combine(products, a *b);                                                              \
    }

MOMENTS_PRODUCTS(products_float, float)
MOMENTS_PRODUCTS(products_double, double)

#endif
