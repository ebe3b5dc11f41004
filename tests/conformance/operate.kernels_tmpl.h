/* SPDX-License-Identifier: Apache-2.0
 *
 * Each operator on the elements of two arrays: included once per type by operate.kernels.h with
 * NAME, TYPE and OPERATORS, an X-list.
 */
REAP_KERNEL_FILE

REAP_KERNEL(NAMED(operate), in(TYPE, a), in(TYPE, b), out(TYPE, y))
{
    const size_t i = reap_global_linear_id(), items = reap_global_linear_range();
    REAP_GLOBAL TYPE *part = y + i;
#define RUN(op)                                                                                    \
    part[0] = reap_operate(op, a[i], b[i]);                                                        \
    part += items;
    OPERATORS(RUN)
#undef RUN
}

#undef NAME
#undef TYPE
