/* SPDX-License-Identifier: Apache-2.0
 *
 * Types and operators as users write them, of different sizes and all in one kernel, beside two
 * built-in sums.
 */
#include <math.h>
#include <reap/kernel.h>

REAP_KERNEL_FILE

typedef struct {
    uint64_t count;
    double mean, deviations;
} moments;

/* Chan, Golub and LeVeque's merge of two sets' counts, means and sums of squared deviations. */
REAP_OPERATOR(merge_moments, moments, reap_value(moments, 0, 0.0, 0.0), a, b)
{
    const double all = (double)a.count + (double)b.count, between = b.mean - a.mean;
    const double share = (double)b.count / all;
    if (b.count == 0)
        return a;
    if (a.count == 0)
        return b;
    return reap_value(moments, a.count + b.count, a.mean + between * share,
                      (a.deviations + b.deviations) + between * between * (double)a.count * share);
}

typedef struct {
    double scale, offset;
} affine;

REAP_OPERATOR_NO_IDENTITY(compose_affine, affine, a, b)
{
    return reap_value(affine, a.scale * b.scale, a.scale * b.offset + a.offset);
}

typedef struct {
    double sum, error;
} compensated;

/* Knuth's two-sum, with the errors beside it. */
REAP_OPERATOR(add_compensated, compensated, reap_value(compensated, 0.0, 0.0), a, b)
{
    const double sum = a.sum + b.sum, part = sum - a.sum, rest = sum - part;
    return reap_value(compensated, sum, a.error + b.error + ((a.sum - rest) + (b.sum - part)));
}

typedef struct {
    float real, imaginary;
} rotation;

REAP_OPERATOR(rotate, rotation, reap_value(rotation, 1.0f, 0.0f), a, b)
{
    return reap_value(rotation, a.real * b.real - a.imaginary * b.imaginary,
                      a.real * b.imaginary + a.imaginary * b.real);
}

typedef struct {
    float least, most;
    uint32_t count;
} extent;

REAP_OPERATOR(widen, extent, reap_value(extent, INFINITY, -INFINITY, 0), a, b)
{
    return reap_value(extent, b.least < a.least ? b.least : a.least,
                      b.most > a.most ? b.most : a.most, a.count + b.count);
}

REAP_OPERATOR_NO_IDENTITY(halfway, float, a, b)
{
    return (a + b) * 0.5f;
}

REAP_OPERATOR_NO_IDENTITY(last, uint32_t, a, b)
{
    (void)a;
    return b;
}

REAP_KERNEL(user_types, in(double, x), reduce_with(merge_moments, moments, spread),
            reduce_with(compose_affine, affine, map),
            reduce_with(add_compensated, compensated, exact), reduce_with(rotate, rotation, angle),
            reduce_with(widen, extent, bounds), reduce_with(halfway, float, middle),
            reduce_with(last, uint32_t, newest), reduce(plus, double, sum),
            reduce(plus, float, narrow_sum))
{
    const size_t i = reap_global_id(0);
    const double value = x[i];
    const float narrow = (float)value;
    reap_combine(spread, reap_value(moments, 1, value, 0.0));
    reap_combine(map, reap_value(affine, 1.0 + value * 0x1p-30, value));
    reap_combine(exact, reap_value(compensated, value, 0.0));
    reap_combine(angle, value < 0 ? reap_value(rotation, 0.6f, 0.8f)
                                  : reap_value(rotation, 0.96f, -0.28f));
    reap_combine(bounds, reap_value(extent, narrow, narrow, 1));
    reap_combine(middle, narrow);
    reap_combine(newest, (uint32_t)i);
    reap_combine(sum, value);
    reap_combine(narrow_sum, narrow);
}
