/* SPDX-License-Identifier: Apache-2.0
 *
 * Every group algorithm after an initial value on one type, with several operators: included once
 * per type by initial_values.kernels.h with NAME, TYPE and OPERATORS, an X-list. The results stand
 * in y as those of algorithms.kernels_tmpl.h.
 */
REAP_KERNEL_FILE

REAP_ND_KERNEL(NAMED(from), in(TYPE, x), out(TYPE, y), in(TYPE, initial), value(size_t, count))
{
    const size_t i = reap_global_linear_id(), items = RANGE_ITEMS;
    const TYPE start = initial[0];
    REAP_GLOBAL TYPE *part = y + i;
    (void)count;
#define RUN(op)                                                                                    \
    part[0] = reap_group_reduce_from(op, TYPE, x[i], start);                                       \
    part[items] = reap_group_inclusive_scan_from(op, TYPE, x[i], start);                           \
    part[2 * items] = reap_group_exclusive_scan_from(op, TYPE, x[i], start);                       \
    part += 3 * items;
    OPERATORS(RUN)
#undef RUN
}

REAP_ND_KERNEL(NAMED(joint_from), in(TYPE, x), out(TYPE, y), in(TYPE, initial),
               value(size_t, count))
{
    const size_t group = reap_group_linear_id();
    const TYPE start = initial[0];
    const REAP_GLOBAL TYPE *own = x + group * count;
    REAP_GLOBAL TYPE *part = y + group * OPERATORS_OF(OPERATORS) * (2 * count + 1);
#define RUN(op)                                                                                    \
    const TYPE total_##op = reap_group_joint_reduce_from(op, TYPE, own, count, start);             \
    if (reap_group_leader())                                                                       \
        part[0] = total_##op;                                                                      \
    reap_group_joint_inclusive_scan_from(op, TYPE, own, part + 1, count, start);                   \
    reap_group_joint_exclusive_scan_from(op, TYPE, own, part + 1 + count, count, start);           \
    part += 2 * count + 1;
    OPERATORS(RUN)
#undef RUN
}

#undef NAME
#undef TYPE
#undef OPERATORS
