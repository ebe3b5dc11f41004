/* SPDX-License-Identifier: Apache-2.0
 *
 * Every group algorithm on one type, with several operators: included once per type by
 * algorithms.kernels.h with NAME, TYPE and OPERATORS, an X-list.
 *
 * In the first kernel each item has, for each operator, three results, in three parts of y. In the
 * second each group works on `count` elements of its own, and has a total, an inclusive scan, and
 * an exclusive one that is made in place.
 */
REAP_KERNEL_FILE

REAP_ND_KERNEL(NAMED(algorithms), in(TYPE, x), out(TYPE, y), value(size_t, count))
{
    const size_t i = reap_global_linear_id(), items = RANGE_ITEMS;
    REAP_GLOBAL TYPE *part = y + i;
    (void)count;
#define RUN(op)                                                                                    \
    part[0] = reap_group_reduce(op, TYPE, x[i]);                                                   \
    part[items] = reap_group_inclusive_scan(op, TYPE, x[i]);                                       \
    part[2 * items] = reap_group_exclusive_scan(op, TYPE, x[i]);                                   \
    part += 3 * items;
    OPERATORS(RUN)
#undef RUN
}

REAP_ND_KERNEL(NAMED(joint), in(TYPE, x), out(TYPE, y), value(size_t, count))
{
    const size_t group = reap_group_linear_id(), items = GROUP_ITEMS;
    const REAP_GLOBAL TYPE *own = x + group * count;
    REAP_GLOBAL TYPE *part = y + group * OPERATORS_OF(OPERATORS) * (2 * count + 1);
#define RUN(op)                                                                                    \
    for (size_t at = reap_local_linear_id(); at < count; at += items)                              \
        part[1 + count + at] = own[at];                                                            \
    reap_barrier(REAP_GLOBAL_SPACE);                                                               \
    const TYPE total_##op = reap_group_joint_reduce(op, TYPE, own, count);                         \
    if (reap_local_linear_id() == 0)                                                               \
        part[0] = total_##op;                                                                      \
    reap_group_joint_inclusive_scan(op, TYPE, own, part + 1, count);                               \
    reap_group_joint_exclusive_scan(op, TYPE, part + 1 + count, part + 1 + count, count);          \
    part += 2 * count + 1;
    OPERATORS(RUN)
#undef RUN
}

#undef NAME
#undef TYPE
#undef OPERATORS
