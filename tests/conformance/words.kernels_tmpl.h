/* SPDX-License-Identifier: Apache-2.0
 *
 * A user's type of WORDS 16-bit words and two operators on it, which are neither associative nor
 * commutative; the second has an identity, though not a neutral one. Included once per size by
 * words.kernels.h with NAME and WORDS.
 */
REAP_KERNEL_FILE

#define TYPE NAMED(type)
#define MIX NAMED(mix)
#define BLEND NAMED(blend)

typedef struct {
    uint16_t word[WORDS];
} TYPE;

MAKE_OPERATOR_NO_IDENTITY(MIX, TYPE, a, b)
{
    TYPE mixed;
    for (size_t k = 0; k < WORDS; k++) {
        const unsigned rotated = (unsigned)a.word[k] << 5 | (unsigned)a.word[k] >> 11;
        mixed.word[k] = (uint16_t)(rotated * 40503u + (b.word[k] ^ b.word[(k + 1) % WORDS]));
    }
    return mixed;
}

MAKE_OPERATOR(BLEND, TYPE, reap_value(TYPE, {0x5a3c}), a, b)
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

#undef NAME
#undef WORDS
#undef TYPE
#undef MIX
#undef BLEND
