/* SPDX-License-Identifier: Apache-2.0
 *
 * Every operator on one integer type in one kernel: included once per type by integers.kernels.h
 * with NAME and TYPE.
 */
REAP_KERNEL_FILE

REAP_KERNEL(NAMED(integers), in(TYPE, x), reduce(plus, TYPE, sum),
            reduce(multiplies, TYPE, product), reduce(minimum, TYPE, least),
            reduce(maximum, TYPE, most), reduce(bit_and, TYPE, all), reduce(bit_or, TYPE, any),
            reduce(bit_xor, TYPE, parity))
{
    const TYPE value = x[reap_global_id(0)];
    reap_combine(sum, value);
    reap_combine(product, value);
    reap_combine(least, value);
    reap_combine(most, value);
    reap_combine(all, value);
    reap_combine(any, value);
    reap_combine(parity, value);
}

#undef NAME
#undef TYPE
