/* SPDX-License-Identifier: Apache-2.0
 *
 * The group of one integer type's kernel: included once per type by group_integers.c with NAME and
 * INPUT.
 */
static reap_status NAMED(launch)(reap_queue *queue, size_t count, const void *inputs,
                                 const struct group_argument *r)
{
    return GROUP_LAUNCH(
        queue, NAMED(integers), reap_range_1d(count), .x = inputs,
        .sum = GROUP_ARGUMENT(r[REFERENCE_PLUS]),
        .product = GROUP_ARGUMENT(r[REFERENCE_MULTIPLIES]),
        .least = GROUP_ARGUMENT(r[REFERENCE_MINIMUM]), .most = GROUP_ARGUMENT(r[REFERENCE_MAXIMUM]),
        .all = GROUP_ARGUMENT(r[REFERENCE_BIT_AND]), .any = GROUP_ARGUMENT(r[REFERENCE_BIT_OR]),
        .parity = GROUP_ARGUMENT(r[REFERENCE_BIT_XOR]));
}

static const struct group_reduction NAMED(reductions)[] = {
    {&NAMED(reference)[REFERENCE_PLUS], NULL},    {&NAMED(reference)[REFERENCE_MULTIPLIES], NULL},
    {&NAMED(reference)[REFERENCE_MINIMUM], NULL}, {&NAMED(reference)[REFERENCE_MAXIMUM], NULL},
    {&NAMED(reference)[REFERENCE_BIT_AND], NULL}, {&NAMED(reference)[REFERENCE_BIT_OR], NULL},
    {&NAMED(reference)[REFERENCE_BIT_XOR], NULL},
};

const struct group NAMED(group) = {
    GROUP_TEXT(NAME),  INPUT,         1,     10000000, REFERENCE_INTEGER_OPERATORS,
    NAMED(reductions), NAMED(launch), false,
};

#undef NAME
#undef INPUT
