/* SPDX-License-Identifier: Apache-2.0
 *
 * The group of one user's type: included once per size by group_words.c with NAME and LARGEST.
 */
#define TYPE NAMED(type)

static reap_status NAMED(launch)(reap_queue *queue, size_t count, const void *inputs,
                                 const struct group_argument *r)
{
    return GROUP_LAUNCH(queue, NAMED(words), reap_range_1d(count), .x = inputs,
                        .mixed = GROUP_ARGUMENT(r[0]), .blended = GROUP_ARGUMENT(r[1]));
}

static const TYPE NAMED(identity) = {{REFERENCE_BLEND_IDENTITY}};

static const struct reference_operator NAMED(reference)[] = {
    {"mix", sizeof(TYPE), reference_mix_words, NULL, NULL, NULL},
    {"blend", sizeof(TYPE), reference_blend_words, &NAMED(identity), NULL, NULL},
};

static const struct group_reduction NAMED(reductions)[] = {
    {&NAMED(reference)[0], NULL},
    {&NAMED(reference)[1], NULL},
};

const struct group NAMED(group) = {
    GROUP_TEXT(NAME), INPUT_BITS_16, sizeof(TYPE) / sizeof(uint16_t), LARGEST, 2, NAMED(reductions),
    NAMED(launch),    false,
};

#undef NAME
#undef LARGEST
#undef TYPE
