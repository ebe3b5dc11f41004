/* SPDX-License-Identifier: Apache-2.0
 *
 * A user's type of WORDS 16-bit words and two operators on it, which are neither associative nor
 * commutative; the second has an identity, though not a neutral one. Included once per size by
 * group_words.c with NAME, WORDS and LARGEST.
 */
#define TYPE NAMED(type)
#define MIX NAMED(mix)
#define BLEND NAMED(blend)

typedef struct {
    uint16_t word[WORDS];
} TYPE;

GROUP_OPERATOR_NO_IDENTITY(MIX, TYPE, a, b)
{
    TYPE mixed;
    for (size_t k = 0; k < WORDS; k++) {
        const unsigned rotated = (unsigned)a.word[k] << 5 | (unsigned)a.word[k] >> 11;
        mixed.word[k] = (uint16_t)(rotated * 40503u + (b.word[k] ^ b.word[(k + 1) % WORDS]));
    }
    return mixed;
}

GROUP_OPERATOR(BLEND, TYPE, reap_value(TYPE, {0x5a3c}), a, b)
{
    TYPE blended;
    for (size_t k = 0; k < WORDS; k++)
        blended.word[k] = (uint16_t)(31u * a.word[k] + b.word[k]);
    return blended;
}

REAP_KERNEL(NAMED(words), in(TYPE, x), reduce_with(MIX, TYPE, mixed),
            reduce_with(BLEND, TYPE, blended))
{
    reap_combine(mixed, x[reap_global_id(0)]);
    reap_combine(blended, x[reap_global_id(0)]);
}

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
    GROUP_TEXT(NAME), INPUT_BITS_16, WORDS, LARGEST, 2, NAMED(reductions), NAMED(launch), false,
};

#undef NAME
#undef WORDS
#undef LARGEST
#undef TYPE
#undef MIX
#undef BLEND
