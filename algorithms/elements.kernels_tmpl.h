/* SPDX-License-Identifier: Apache-2.0
 *
 * The reductions of one type of elements: see elements.kernels.h. Integers are added as 64-bit
 * integers.
 */
REAP_KERNEL_FILE

#if KIND == SIGNED
#define SUM int64_t
#define MAGNITUDE(v) ((v) < 0 ? 0 - (uint64_t)(v) : (uint64_t)(v))
#elif KIND == UNSIGNED
#define SUM uint64_t
#else
#define MAGNITUDE(v) ((v) < 0 ? -(v) : (v) + 0) /* + 0 makes -0 0 */
#endif
#if KIND == SINGLE || KIND == DOUBLE
#define PLUS(a, b) ((a) + (b))
#define PRODUCT(a, b) ((a) * (b))
#define SETTLED(v) ((v) != (v) ? (SUM)NAN : (v))
#else
#define SETTLED(v) (v)
#define VALUE(x) ((SUM)(x))
#define PLUS(a, b) ((SUM)((uint64_t)(a) + (uint64_t)(b)))
#define PRODUCT(a, b) ((SUM)((uint64_t)(a) * (uint64_t)(b)))
#endif

REAP_KERNEL(NAMED(sum), in(ELEMENT, x), reduce(plus, SUM, sum))
{
    reap_combine(sum, VALUE(x[reap_global_id(0)]));
}

#include "algorithms/axes.kernels_tmpl.h"

REAP_KERNEL(NAMED(sum_products), in(ELEMENT, x), in(ELEMENT, y), reduce(plus, SUM, sum))
{
    const size_t i = reap_global_id(0);
    reap_combine(sum, PRODUCT(VALUE(x[i]), VALUE(y[i])));
}

#if KIND != UNSIGNED
REAP_KERNEL(NAMED(norm_1), in(ELEMENT, x), reduce(plus, SUM, sum))
{
    const SUM v = VALUE(x[reap_global_id(0)]);
    reap_combine(sum, (SUM)MAGNITUDE(v));
}
#endif

REAP_KERNEL(NAMED(powers), in(ELEMENT, x), value(double, origin), reduce(plus, double, sum),
            reduce(plus, double, squares), reduce(plus, double, cubes),
            reduce(plus, double, fourths))
{
    const double v = (double)VALUE(x[reap_global_id(0)]) - origin, square = v * v;
    reap_combine(sum, v);
    reap_combine(squares, square);
    reap_combine(cubes, square * v);
    reap_combine(fourths, square * square);
}

#if KIND == DOUBLE
/* Large and small numbers are scaled, so their squares are normal numbers. (E. Anderson, Algorithm
 * 978, ACM TOMS 44, 2017.) */
REAP_KERNEL(NAMED(norm_2), in(ELEMENT, x), reduce(plus, double, large), reduce(plus, double, sum),
            reduce(plus, double, small))
{
    const double v = x[reap_global_id(0)], magnitude = v < 0 ? -v : v;
    const bool is_large = magnitude > 0x1p+486, is_small = magnitude < 0x1p-511;
    const double up = is_large ? v * 0x1p-538 : 0, down = is_small ? v * 0x1p+537 : 0;
    const double rest = is_large || is_small ? 0 : v;
    reap_combine(large, up * up);
    reap_combine(sum, rest * rest);
    reap_combine(small, down * down);
}
#else
/* The squares of other types are normal numbers of type double. */
REAP_KERNEL(NAMED(norm_2), in(ELEMENT, x), reduce(plus, double, sum))
{
    const double v = (double)VALUE(x[reap_global_id(0)]);
    reap_combine(sum, v * v);
}
#endif

#if KIND == SINGLE || KIND == DOUBLE
REAP_KERNEL(NAMED(exact_sum), in(ELEMENT, x), reduce(exact_plus, SUM, sum))
{
    reap_combine(sum, VALUE(x[reap_global_id(0)]));
}

#endif

#if IS_WIDE && (KIND == SINGLE || KIND == DOUBLE)
REAP_KERNEL(NAMED(count_nonzero), in(ELEMENT, x), reduce(plus, uint64_t, count))
{
    reap_combine(count, x[reap_global_id(0)] != 0 ? 1 : 0);
}

/* Built-in minimum and maximum ignore NaN. */
REAP_KERNEL(NAMED(minimum), in(ELEMENT, x), reduce(minimum, ELEMENT, smallest),
            reduce(bit_or, uint32_t, has_nan))
{
    const ELEMENT v = x[reap_global_id(0)];
    reap_combine(smallest, v);
    reap_combine(has_nan, v != v ? 1 : 0);
}

REAP_KERNEL(NAMED(maximum), in(ELEMENT, x), reduce(maximum, ELEMENT, largest),
            reduce(bit_or, uint32_t, has_nan))
{
    const ELEMENT v = x[reap_global_id(0)];
    reap_combine(largest, v);
    reap_combine(has_nan, v != v ? 1 : 0);
}

/* A NaN counts as an infinity: after an infinite result the caller looks for NaNs. */
REAP_KERNEL(NAMED(argmin), in(ELEMENT, x), reduce_location(minimum, ELEMENT, smallest))
{
    const ELEMENT v = x[reap_global_id(0)];
    reap_combine(smallest, v != v ? -(ELEMENT)INFINITY : v);
}

REAP_KERNEL(NAMED(argmax), in(ELEMENT, x), reduce_location(maximum, ELEMENT, largest))
{
    const ELEMENT v = x[reap_global_id(0)];
    reap_combine(largest, v != v ? (ELEMENT)INFINITY : v);
}
#elif IS_WIDE
REAP_KERNEL(NAMED(minimum), in(ELEMENT, x), reduce(minimum, ELEMENT, smallest))
{
    reap_combine(smallest, x[reap_global_id(0)]);
}

REAP_KERNEL(NAMED(maximum), in(ELEMENT, x), reduce(maximum, ELEMENT, largest))
{
    reap_combine(largest, x[reap_global_id(0)]);
}

REAP_KERNEL(NAMED(argmin), in(ELEMENT, x), reduce_location(minimum, ELEMENT, smallest))
{
    reap_combine(smallest, x[reap_global_id(0)]);
}

REAP_KERNEL(NAMED(argmax), in(ELEMENT, x), reduce_location(maximum, ELEMENT, largest))
{
    reap_combine(largest, x[reap_global_id(0)]);
}
#endif

#undef NAME
#undef IS_WIDE
#undef ELEMENT
#undef KIND
#undef SUM
#undef VALUE
#undef MAGNITUDE
#undef PLUS
#undef PRODUCT
#undef SETTLED
