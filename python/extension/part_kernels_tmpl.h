/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of reap.Part for one type of elements: see part_kernels.kernels.h. */
REAP_KERNEL_FILE

#if IS_FLOATING
#define IS_NAN(v) ((v) != (v) ? 1 : 0)

REAP_KERNEL(NAMED(part_exact_sum), in(ELEMENT, x), reduce(exact_plus, SUM, sum))
{
    reap_combine(sum, VALUE(x[reap_global_id(0)]));
}
#else
#define IS_NAN(v) 0
#define VALUE(x) ((SUM)(x))
#endif

REAP_KERNEL(NAMED(part_sum), in(ELEMENT, x), reduce(plus, SUM, sum))
{
    reap_combine(sum, VALUE(x[reap_global_id(0)]));
}

/* Built-in minimum and maximum ignore NaN. */
REAP_KERNEL(NAMED(part_min), in(ELEMENT, x), reduce(minimum, ELEMENT, smallest),
            reduce(bit_or, uint32_t, has_nan))
{
    const ELEMENT v = x[reap_global_id(0)];
    reap_combine(smallest, v);
    reap_combine(has_nan, IS_NAN(VALUE(v)));
}

REAP_KERNEL(NAMED(part_max), in(ELEMENT, x), reduce(maximum, ELEMENT, largest),
            reduce(bit_or, uint32_t, has_nan))
{
    const ELEMENT v = x[reap_global_id(0)];
    reap_combine(largest, v);
    reap_combine(has_nan, IS_NAN(VALUE(v)));
}

/* The squares with an infinity are NaN, those that overflow are infinite. */
REAP_KERNEL(NAMED(part_moments), in(ELEMENT, x), reduce_with(merge_moments, moments_part, moments))
{
    const double v = (double)VALUE(x[reap_global_id(0)]);
    reap_combine(moments, reap_value(moments_part, 1, v, v - v, 0, 0));
}

#undef NAME
#undef ELEMENT
#undef SUM
#undef VALUE
#undef IS_NAN
