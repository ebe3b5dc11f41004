/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of which every compiler has to make vectors.
 */
#include <limits.h>
#include <reap/kernel.h>

REAP_KERNEL(add, in(float, x), reduce(plus, float, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

REAP_KERNEL(describe, in(float, x), reduce(plus, float, sum), reduce(maximum, float, most),
            reduce(minimum, float, least), reduce(plus, float, squares))
{
    const float v = x[reap_global_id(0)];
    reap_combine(sum, v);
    reap_combine(most, v);
    reap_combine(least, v);
    reap_combine(squares, v * v);
}

/* Of halves, whose arithmetic is made of conversions. */
REAP_KERNEL(add_halves, in(reap_half, x), reduce(plus, reap_half, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

REAP_KERNEL(add_bfloat16s, in(reap_bfloat16, x), reduce(plus, reap_bfloat16, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

/* The functions that round to integers; numbers are below 0, too. */
REAP_KERNEL(round_numbers, in(float, x), reduce(plus, float, sum))
{
    const float v = x[reap_global_id(0)] - 0.5f;
    reap_combine(sum, floorf(v) + ceilf(v) + truncf(v) + roundf(v));
}

/* A helper's helper, and one that is larger than what compilers inline unasked. */
static float polynomial(float x, float a)
{
    return a + x * (1.5f + x * (a - x * (2.5f + x * (3.5f - x * (4.5f + x * (a + x * 5.5f))))));
}

static float of_many_terms(float x)
{
    float y = polynomial(x, 1) * polynomial(x, 2) + polynomial(x, 3) * polynomial(x, 4);
    y = polynomial(y, 5) * polynomial(x, 6) - polynomial(x, 7) * polynomial(y, 8);
    return y < 0 ? -y : polynomial(y, 9);
}

REAP_KERNEL(help, in(float, x), reduce(plus, float, sum))
{
    const float v = x[reap_global_id(0)];
    reap_combine(sum, of_many_terms(v) + of_many_terms(v + 1));
}

REAP_KERNEL(find, in(float, x), reduce_location(maximum, float, most))
{
    reap_combine(most, x[reap_global_id(0)]);
}

REAP_KERNEL(add_rows, in(float, x), reduce(plus, float, sum))
{
    reap_combine(sum, x[reap_global_linear_id()]);
}

REAP_KERNEL(add_short_rows, in(float, x), value(size_t, columns), reduce(plus, float, sum))
{
    reap_combine(sum, x[reap_global_id(0) * columns + reap_global_id(1)]);
}

/* More arrays than compilers compare with each other when the program runs. */
REAP_KERNEL(mix, in(float, a), in(float, b), in(float, c), in(float, d), out(float, e),
            out(float, f), out(float, g), out(float, h), reduce(plus, float, sum))
{
    const size_t i = reap_global_id(0);
    e[i] = a[i] + b[i];
    f[i] = b[i] - c[i];
    g[i] = c[i] * d[i];
    h[i] = a[i] * d[i];
    reap_combine(sum, a[i]);
}

REAP_KERNEL(add_doubles, in(double, x), reduce(plus, double, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

REAP_KERNEL(multiply, in(float, x), in(float, y), reduce(plus, float, sum))
{
    reap_combine(sum, x[reap_global_id(0)] * y[reap_global_id(0)]);
}

REAP_KERNEL(count_positive, in(float, x), reduce(plus, unsigned, count))
{
    if (x[reap_global_id(0)] > 0.5f)
        reap_combine(count, 1u);
}

/* The signs of floats that are made of integers. */
REAP_KERNEL(count_signs, in(int, bits), reduce(plus, unsigned, count))
{
    union {
        int bits;
        float value;
    } made = {bits[reap_global_id(0)]};
    if (signbit(made.value))
        reap_combine(count, 1u);
}

REAP_KERNEL(count_positive_doubles, in(double, x), reduce(plus, uint64_t, count))
{
    if (x[reap_global_id(0)] > 0.5)
        reap_combine(count, 1u);
}

typedef struct box {
    float least[2], most[2];
} box;

REAP_OPERATOR(join, box, reap_value(box, {INFINITY, INFINITY}, {-INFINITY, -INFINITY}), a, b)
{
    return reap_value(box,
                      {b.least[0] < a.least[0] ? b.least[0] : a.least[0],
                       b.least[1] < a.least[1] ? b.least[1] : a.least[1]},
                      {a.most[0] < b.most[0] ? b.most[0] : a.most[0],
                       a.most[1] < b.most[1] ? b.most[1] : a.most[1]});
}

REAP_KERNEL(join_boxes, in(float, x), in(float, y), reduce_with(join, box, all))
{
    const size_t i = reap_global_id(0);
    reap_combine(all, reap_value(box, {x[i], y[i]}, {x[i], y[i]}));
}

/* Structs of doubles and of integers; and one whose members differ in size. */
typedef struct span_of_doubles {
    double least, most;
    double sum;
} span_of_doubles;

REAP_OPERATOR(join_doubles, span_of_doubles, reap_value(span_of_doubles, INFINITY, -INFINITY, 0), a,
              b)
{
    a.least = b.least < a.least ? b.least : a.least;
    a.most = a.most < b.most ? b.most : a.most;
    a.sum += b.sum;
    return a;
}

REAP_KERNEL(span_doubles, in(double, x), reduce_with(join_doubles, span_of_doubles, all))
{
    const double v = x[reap_global_id(0)];
    reap_combine(all, reap_value(span_of_doubles, v, v, v));
}

typedef struct box_of_integers {
    struct {
        int x, y;
    } least, most;
} box_of_integers;

REAP_OPERATOR(join_integers, box_of_integers,
              reap_value(box_of_integers, {INT_MAX, INT_MAX}, {INT_MIN, INT_MIN}), a, b)
{
    a.least.x = b.least.x < a.least.x ? b.least.x : a.least.x;
    a.least.y = b.least.y < a.least.y ? b.least.y : a.least.y;
    a.most.x = b.most.x > a.most.x ? b.most.x : a.most.x;
    a.most.y = b.most.y > a.most.y ? b.most.y : a.most.y;
    return a;
}

REAP_KERNEL(join_points, in(int, x), in(int, y), reduce_with(join_integers, box_of_integers, all))
{
    const size_t i = reap_global_id(0);
    reap_combine(all, reap_value(box_of_integers, {x[i], y[i]}, {x[i], y[i]}));
}

typedef struct mean {
    double sum;
    int count;
} mean;

REAP_OPERATOR(add_means, mean, reap_value(mean, 0, 0), a, b)
{
    return reap_value(mean, a.sum + b.sum, a.count + b.count);
}

REAP_KERNEL(average, in(double, x), reduce_with(add_means, mean, all))
{
    reap_combine(all, reap_value(mean, x[reap_global_id(0)], 1));
}

/* Ids as int, and as numbers. */
REAP_KERNEL(double_by_int, in(float, x), out(float, y))
{
    const int i = (int)reap_global_id(0);
    y[i] = 2 * x[i];
}

REAP_KERNEL(double_rows_by_int, in(float, x), out(float, y))
{
    const int row = (int)reap_global_id(0), column = (int)reap_global_id(1);
    const int columns = (int)reap_global_range(1);
    y[row * columns + column] = 2 * x[row * columns + column];
}

REAP_KERNEL(add_by_int, in(float, x), reduce(plus, float, sum))
{
    reap_combine(sum, x[(int)reap_global_id(0)]);
}

REAP_KERNEL(number_items, out(float, y))
{
    const size_t i = reap_global_id(0);
    y[i] = (float)i / 2;
}
