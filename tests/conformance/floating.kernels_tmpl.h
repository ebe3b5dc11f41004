/* SPDX-License-Identifier: Apache-2.0
 *
 * Every operator on one floating-point type in one kernel: included once per type by
 * group_floating.c with NAME, TYPE and INPUT.
 */
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

static reap_status NAMED(launch)(reap_queue *queue, size_t count, const void *inputs,
                                 const struct group_argument *r)
{
    return GROUP_LAUNCH(queue, NAMED(floating), reap_range_1d(count), .x = inputs,
                        .sum = GROUP_ARGUMENT(r[REFERENCE_PLUS]),
                        .product = GROUP_ARGUMENT(r[REFERENCE_MULTIPLIES]),
                        .least = GROUP_ARGUMENT(r[REFERENCE_MINIMUM]),
                        .most = GROUP_ARGUMENT(r[REFERENCE_MAXIMUM]));
}

static const struct group_reduction NAMED(reductions)[] = {
    {&NAMED(reference)[REFERENCE_PLUS], NULL},
    {&NAMED(reference)[REFERENCE_MULTIPLIES], NULL},
    {&NAMED(reference)[REFERENCE_MINIMUM], NULL},
    {&NAMED(reference)[REFERENCE_MAXIMUM], NULL},
};

const struct group NAMED(group) = {
    GROUP_TEXT(NAME),  INPUT,         1,     10000000, REFERENCE_FLOATING_OPERATORS,
    NAMED(reductions), NAMED(launch), false,
};

#undef NAME
#undef TYPE
#undef INPUT
