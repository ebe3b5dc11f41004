/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions of rows, and of columns, with each operator: included once per type by
 * lines.kernels.h with NAME, TYPE and IS_INTEGER.
 */
REAP_KERNEL_FILE

#if IS_INTEGER
REAP_KERNEL(NAMED(rows), in(TYPE, x), reduce_rows(plus, TYPE, sum),
            reduce_rows(multiplies, TYPE, product), reduce_rows(minimum, TYPE, least),
            reduce_rows(maximum, TYPE, most), reduce_rows(bit_and, TYPE, every),
            reduce_rows(bit_or, TYPE, some), reduce_rows(bit_xor, TYPE, odd))
#else
REAP_KERNEL(NAMED(rows), in(TYPE, x), reduce_rows(plus, TYPE, sum),
            reduce_rows(multiplies, TYPE, product), reduce_rows(minimum, TYPE, least),
            reduce_rows(maximum, TYPE, most))
#endif
{
    const TYPE v = x[reap_global_linear_id()];
    reap_combine(sum, v);
    reap_combine(product, v);
    reap_combine(least, v);
    reap_combine(most, v);
#if IS_INTEGER
    reap_combine(every, v);
    reap_combine(some, v);
    reap_combine(odd, v);
#endif
}

#if IS_INTEGER
REAP_KERNEL(NAMED(columns), in(TYPE, x), reduce_columns(plus, TYPE, sum),
            reduce_columns(multiplies, TYPE, product), reduce_columns(minimum, TYPE, least),
            reduce_columns(maximum, TYPE, most), reduce_columns(bit_and, TYPE, every),
            reduce_columns(bit_or, TYPE, some), reduce_columns(bit_xor, TYPE, odd))
#else
REAP_KERNEL(NAMED(columns), in(TYPE, x), reduce_columns(plus, TYPE, sum),
            reduce_columns(multiplies, TYPE, product), reduce_columns(minimum, TYPE, least),
            reduce_columns(maximum, TYPE, most))
#endif
{
    const TYPE v = x[reap_global_linear_id()];
    reap_combine(sum, v);
    reap_combine(product, v);
    reap_combine(least, v);
    reap_combine(most, v);
#if IS_INTEGER
    reap_combine(every, v);
    reap_combine(some, v);
    reap_combine(odd, v);
#endif
}

#undef NAME
#undef TYPE
#undef IS_INTEGER
