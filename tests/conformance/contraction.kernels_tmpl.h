/* SPDX-License-Identifier: Apache-2.0
 *
 * Products and sums in the forms that compilers like to contract into one operation: alone, side by
 * side with their opposites, and as a complex product; stored, and combined. Included once per type
 * by contraction.kernels.h with NAME and TYPE.
 */
REAP_KERNEL_FILE

REAP_KERNEL(NAMED(stores), in(TYPE, a), in(TYPE, b), in(TYPE, c), out(TYPE, sums),
            out(TYPE, differences), out(TYPE, pairs), out(TYPE, products))
{
    const size_t i = reap_global_id(0), re = 2 * i, im = 2 * i + 1;
    sums[i] = a[i] * b[i] + c[i];
    differences[i] = c[i] - a[i] * b[i];
    pairs[re] = a[re] * b[re] - c[re];
    pairs[im] = a[im] * b[im] + c[im];
    products[re] = a[re] * b[re] - a[im] * b[im];
    products[im] = a[re] * b[im] + a[im] * b[re];
}

REAP_KERNEL(NAMED(combines), in(TYPE, a), in(TYPE, b), in(TYPE, c), reduce(plus, TYPE, sum),
            reduce(maximum, TYPE, most))
{
    const size_t i = reap_global_id(0);
    reap_combine(sum, a[i] * b[i]);
    reap_combine(most, a[i] * b[i] - c[i]);
}

#undef NAME
#undef TYPE
