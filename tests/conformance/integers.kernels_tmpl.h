/* SPDX-License-Identifier: Apache-2.0
 *
 * Every operator on one integer type in one kernel: included once per type by group_integers.c with
 * NAME, TYPE and INPUT.
 */
REAP_KERNEL(GROUP_JOIN(integers, NAME), in(TYPE, x), reduce(plus, TYPE, sum),
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

static reap_status GROUP_JOIN(launch, NAME)(reap_queue *queue, size_t count, const void *inputs,
                                            const struct group_argument *r)
{
    return GROUP_LAUNCH(
        queue, GROUP_JOIN(integers, NAME), reap_range_1d(count), .x = inputs,
        .sum = GROUP_ARGUMENT(r[REFERENCE_PLUS]),
        .product = GROUP_ARGUMENT(r[REFERENCE_MULTIPLIES]),
        .least = GROUP_ARGUMENT(r[REFERENCE_MINIMUM]), .most = GROUP_ARGUMENT(r[REFERENCE_MAXIMUM]),
        .all = GROUP_ARGUMENT(r[REFERENCE_BIT_AND]), .any = GROUP_ARGUMENT(r[REFERENCE_BIT_OR]),
        .parity = GROUP_ARGUMENT(r[REFERENCE_BIT_XOR]));
}

static const struct group_reduction GROUP_JOIN(reductions, NAME)[] = {
    {&GROUP_JOIN(reference, NAME)[REFERENCE_PLUS], NULL},
    {&GROUP_JOIN(reference, NAME)[REFERENCE_MULTIPLIES], NULL},
    {&GROUP_JOIN(reference, NAME)[REFERENCE_MINIMUM], NULL},
    {&GROUP_JOIN(reference, NAME)[REFERENCE_MAXIMUM], NULL},
    {&GROUP_JOIN(reference, NAME)[REFERENCE_BIT_AND], NULL},
    {&GROUP_JOIN(reference, NAME)[REFERENCE_BIT_OR], NULL},
    {&GROUP_JOIN(reference, NAME)[REFERENCE_BIT_XOR], NULL},
};

const struct group GROUP_JOIN(group, NAME) = {
    GROUP_TEXT(NAME),
    INPUT,
    1,
    10000000,
    REFERENCE_INTEGER_OPERATORS,
    GROUP_JOIN(reductions, NAME),
    GROUP_JOIN(launch, NAME),
    false,
};

#undef NAME
#undef TYPE
#undef INPUT
