/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums of powers and of products of differences from an origin, for all rows of a matrix in one
 * launch, with or without a mask. Each row has its own origin. Elements of types other than float
 * and double are converted first (lines.kernels.h).
 *
 * Element c of row r is x[r * stride + c]. Masks are as in lines.kernels.h.
 */
#ifndef REAP_ALGORITHMS_MOMENTS_KERNELS_H
#define REAP_ALGORITHMS_MOMENTS_KERNELS_H

#include <reap/kernel.h>

REAP_KERNEL_FILE

/* Sums without powers, to compute origins. They have the bits of `sum` below with origin 0. */
#define MOMENTS_SUMS(name, T)                                                                      \
    REAP_KERNEL(name, in(T, x), in(uint8_t, where), value(uint32_t, is_masked),                    \
                value(size_t, stride), reduce_rows(plus, double, sum))                             \
    {                                                                                              \
        const size_t i = reap_global_id(0) * stride + reap_global_id(1);                           \
        const double element = (double)x[i];                                                       \
        reap_combine(sum, is_masked == 0 || where[i] != 0 ? element : 0);                          \
    }

MOMENTS_SUMS(sums_float, float)
MOMENTS_SUMS(sums_double, double)

#define MOMENTS_POWERS(name, T)                                                                    \
    REAP_KERNEL(name, in(T, x), in(uint8_t, where), value(uint32_t, is_masked),                    \
                value(size_t, stride), in(double, origins), reduce_rows(plus, double, sum),        \
                reduce_rows(plus, double, squares), reduce_rows(plus, double, cubes),              \
                reduce_rows(plus, double, fourths))                                                \
    {                                                                                              \
        const size_t row = reap_global_id(0), i = row * stride + reap_global_id(1);                \
        const bool is_selected = is_masked == 0 || where[i] != 0;                                  \
        const double difference = (double)x[i] - origins[row];                                     \
        const double v = is_selected ? difference : 0, square = v * v;                             \
        reap_combine(sum, v);                                                                      \
        reap_combine(squares, square);                                                             \
        reap_combine(cubes, square *v);                                                            \
        reap_combine(fourths, square *square);                                                     \
    }

MOMENTS_POWERS(powers_float, float)
MOMENTS_POWERS(powers_double, double)

/* Rows whose sums would overflow, multiplied by small numbers; others by 1. */
REAP_KERNEL(scaled_rows, in(double, x), in(double, scales), value(size_t, stride), out(double, to))
{
    const size_t row = reap_global_id(0), i = row * stride + reap_global_id(1);
    to[i] = x[i] * scales[row];
}

/* `origins` has those of x, and then those of y. */
#define MOMENTS_PRODUCTS(name, T)                                                                  \
    REAP_KERNEL(name, in(T, x), in(T, y), in(uint8_t, where), value(uint32_t, is_masked),          \
                value(size_t, stride), in(double, origins), reduce_rows(plus, double, x_sum),      \
                reduce_rows(plus, double, y_sum), reduce_rows(plus, double, x_squares),            \
                reduce_rows(plus, double, y_squares), reduce_rows(plus, double, products))         \
    {                                                                                              \
        const size_t row = reap_global_id(0), i = row * stride + reap_global_id(1);                \
        const bool is_selected = is_masked == 0 || where[i] != 0;                                  \
        const double a = is_selected ? (double)x[i] - origins[row] : 0;                            \
        const double b = is_selected ? (double)y[i] - origins[reap_global_range(0) + row] : 0;     \
        reap_combine(x_sum, a);                                                                    \
        reap_combine(y_sum, b);                                                                    \
        reap_combine(x_squares, a *a);                                                             \
        reap_combine(y_squares, b *b);                                                             \
        reap_combine(products, a *b);                                                              \
    }

MOMENTS_PRODUCTS(products_float, float)
MOMENTS_PRODUCTS(products_double, double)

#endif
