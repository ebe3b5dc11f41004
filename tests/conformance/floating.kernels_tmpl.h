/* SPDX-License-Identifier: Apache-2.0
 *
 * Every operator on one floating-point type in one kernel: included once per type by
 * floating.kernels.h with NAME and TYPE.
 */
REAP_KERNEL_FILE

REAP_KERNEL(NAMED(floating), in(TYPE, x), reduce(plus, TYPE, sum),
            reduce(multiplies, TYPE, product), reduce(minimum, TYPE, least),
            reduce(maximum, TYPE, most))
{
    const TYPE value = x[reap_global_id(0)];
    reap_combine(sum, value);
    reap_combine(product, value);
    reap_combine(least, value);
    reap_combine(most, value);
}

#undef NAME
#undef TYPE
