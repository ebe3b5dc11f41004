/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels over ranges of any number of dimensions: what the ids are, and reductions over them.
 */
#include <reap/kernel.h>

REAP_OPERATOR_NO_IDENTITY(chain_words, uint32_t, a, b)
{
    return 31 * a + b;
}

REAP_KERNEL(note_ids, out(uint64_t, ids), value(size_t, dimensions))
{
    const size_t linear = reap_global_linear_id();
    REAP_GLOBAL uint64_t *id = ids + 2 * dimensions * linear;
    for (size_t d = 0; d < dimensions; d++) {
        id[d] = reap_global_id(d);
        id[dimensions + d] = reap_global_range(d);
    }
}

/* One sum reads the array by the linear id, one computes its place. */
REAP_KERNEL(reduce_1d, in(float, x), reduce(plus, float, sum), reduce(plus, double, wide),
            reduce_with(chain_words, uint32_t, chained), reduce_location(maximum, float, peak))
{
    const size_t i = reap_global_id(0);
    reap_combine(sum, x[reap_global_linear_id()]);
    reap_combine(wide, (double)x[i]);
    reap_combine(chained, (uint32_t)i);
    reap_combine(peak, x[i]);
}

REAP_KERNEL(reduce_2d, in(float, x), reduce(plus, float, sum), reduce(plus, double, wide),
            reduce_with(chain_words, uint32_t, chained), reduce_location(maximum, float, peak))
{
    const size_t i = reap_global_id(0) * reap_global_range(1) + reap_global_id(1);
    reap_combine(sum, x[reap_global_linear_id()]);
    reap_combine(wide, (double)x[i]);
    reap_combine(chained, (uint32_t)i);
    reap_combine(peak, x[i]);
}

/* Without a location, which makes the loops others (loops.h). */
REAP_KERNEL(add_2d, in(float, x), reduce(plus, float, sum),
            reduce_with(chain_words, uint32_t, chained))
{
    const size_t i = reap_global_id(0) * reap_global_range(1) + reap_global_id(1);
    reap_combine(sum, x[i]);
    reap_combine(chained, (uint32_t)reap_global_linear_id());
}

/* Lanes of its own number, which are not held in registers. */
typedef struct {
    uint32_t words[6];
} six;

REAP_OPERATOR_NO_IDENTITY(chain_six, six, a, b)
{
    for (int w = 0; w < 6; w++)
        a.words[w] = 31 * a.words[w] + b.words[w];
    return a;
}

REAP_KERNEL(chain_2d, in(float, x), reduce_with(chain_six, six, chained), reduce(plus, float, sum))
{
    const size_t i = reap_global_id(0) * reap_global_range(1) + reap_global_id(1);
    six all;
    for (int w = 0; w < 6; w++)
        all.words[w] = (uint32_t)i;
    reap_combine(chained, all);
    reap_combine(sum, x[i]);
}

/* More lanes than are held at a time: strips of 32, 16 and 4. */
REAP_KERNEL(add_five_2d, in(float, x), reduce(plus, double, a), reduce(plus, double, b),
            reduce(plus, double, c), reduce(plus, double, d), reduce(plus, double, e))
{
    const double value = x[reap_global_id(0) * reap_global_range(1) + reap_global_id(1)];
    reap_combine(a, value);
    reap_combine(b, value);
    reap_combine(c, value);
    reap_combine(d, value);
    reap_combine(e, value);
}

REAP_KERNEL(add_nine_2d, in(float, x), reduce(plus, double, a), reduce(plus, double, b),
            reduce(plus, double, c), reduce(plus, double, d), reduce(plus, double, e),
            reduce(plus, double, f), reduce(plus, double, g), reduce(plus, double, h),
            reduce(plus, double, i))
{
    const double value = x[reap_global_id(0) * reap_global_range(1) + reap_global_id(1)];
    reap_combine(a, value);
    reap_combine(b, value);
    reap_combine(c, value);
    reap_combine(d, value);
    reap_combine(e, value);
    reap_combine(f, value);
    reap_combine(g, value);
    reap_combine(h, value);
    reap_combine(i, value);
}

typedef struct {
    double sum;
    uint32_t count;
} counted;

REAP_OPERATOR(join_counted, counted, reap_value(counted, 0, 0), a, b)
{
    a.sum += b.sum;
    a.count += b.count;
    return a;
}

REAP_KERNEL(count_2d, in(float, x), reduce_with(join_counted, counted, all))
{
    const double value = x[reap_global_id(0) * reap_global_range(1) + reap_global_id(1)];
    reap_combine(all, reap_value(counted, value, 1));
}

REAP_KERNEL(add_one_1d, in(float, x), reduce(plus, float, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

REAP_KERNEL(add_one_2d, in(float, x), reduce(plus, float, sum))
{
    reap_combine(sum, x[reap_global_id(0) * reap_global_range(1) + reap_global_id(1)]);
}

REAP_KERNEL(reduce_3d, in(float, x), reduce(plus, float, sum), reduce(plus, double, wide),
            reduce_with(chain_words, uint32_t, chained), reduce_location(maximum, float, peak))
{
    const size_t row = reap_global_id(0) * reap_global_range(1) + reap_global_id(1);
    const size_t i = row * reap_global_range(2) + reap_global_id(2);
    reap_combine(sum, x[reap_global_linear_id()]);
    reap_combine(wide, (double)x[i]);
    reap_combine(chained, (uint32_t)i);
    reap_combine(peak, x[i]);
}
