/* SPDX-License-Identifier: Apache-2.0
 *
 * The algorithms of sub-groups that combine, on one type, with several operators: included once per
 * type by sub_groups.kernels.h with NAME, TYPE and two X-lists, OPERATORS and those with an initial
 * value, FROM. Results are in y one after the other, of all items each.
 */
REAP_KERNEL_FILE

REAP_ND_KERNEL(NAMED(combine), in(TYPE, x), out(TYPE, y), in(TYPE, initial))
{
    const size_t i = reap_global_linear_id(), items = reap_global_linear_range();
    const TYPE start = initial[0];
    REAP_GLOBAL TYPE *part = y + i;
#define RUN(op)                                                                                    \
    part[0] = reap_sub_group_reduce(op, TYPE, x[i]);                                               \
    part[items] = reap_sub_group_inclusive_scan(op, TYPE, x[i]);                                   \
    part[2 * items] = reap_sub_group_exclusive_scan(op, TYPE, x[i]);                               \
    part += 3 * items;
    OPERATORS(RUN)
#undef RUN
#define RUN(op)                                                                                    \
    part[0] = reap_sub_group_reduce_from(op, TYPE, x[i], start);                                   \
    part[items] = reap_sub_group_inclusive_scan_from(op, TYPE, x[i], start);                       \
    part[2 * items] = reap_sub_group_exclusive_scan_from(op, TYPE, x[i], start);                   \
    part += 3 * items;
    FROM(RUN)
#undef RUN
}

/* In phases, without initial values, the same with the operators of FROM, which are the first. */
REAP_GROUP_KERNEL(NAMED(phases), in(TYPE, x), out(TYPE, y), in(TYPE, initial))
{
    reap_item_private(TYPE, made);
    size_t part = 0;
    (void)initial;
#define STORE                                                                                      \
    reap_for_each_item {                                                                           \
        y[part * reap_global_linear_range() + reap_global_linear_id()] = reap_private(made);       \
    }                                                                                              \
    part++;
#define RUN(op)                                                                                    \
    reap_sub_groups_reduce(op, TYPE, made, x[reap_global_linear_id()]);                            \
    STORE                                                                                          \
    reap_sub_groups_inclusive_scan(op, TYPE, made, x[reap_global_linear_id()]);                    \
    STORE                                                                                          \
    reap_sub_groups_exclusive_scan(op, TYPE, made, x[reap_global_linear_id()]);                    \
    STORE
    FROM(RUN)
#undef RUN
#undef STORE
}

#undef NAME
#undef TYPE
#undef OPERATORS
#undef FROM
