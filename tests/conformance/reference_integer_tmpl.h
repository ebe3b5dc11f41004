/* SPDX-License-Identifier: Apache-2.0
 *
 * The built-in operators of one integer type: included once per type by reference_integers.c with
 * NAME, TYPE, LOWEST and LARGEST. Arithmetic is done modulo 2^64 and cut off.
 */
static void OPERATOR(plus)(void *left, const void *right, size_t bytes)
{
    TYPE *a = left;
    const TYPE *b = right;
    (void)bytes;
    *a = (TYPE)((uint64_t)*a + (uint64_t)*b);
}

static void OPERATOR(multiplies)(void *left, const void *right, size_t bytes)
{
    TYPE *a = left;
    const TYPE *b = right;
    (void)bytes;
    *a = (TYPE)((uint64_t)*a * (uint64_t)*b);
}

static void OPERATOR(minimum)(void *left, const void *right, size_t bytes)
{
    TYPE *a = left;
    const TYPE *b = right;
    (void)bytes;
    *a = *b < *a ? *b : *a;
}

static void OPERATOR(maximum)(void *left, const void *right, size_t bytes)
{
    TYPE *a = left;
    const TYPE *b = right;
    (void)bytes;
    *a = *a < *b ? *b : *a;
}

static void OPERATOR(bit_and)(void *left, const void *right, size_t bytes)
{
    TYPE *a = left;
    const TYPE *b = right;
    (void)bytes;
    *a = (TYPE)(*a & *b);
}

static void OPERATOR(bit_or)(void *left, const void *right, size_t bytes)
{
    TYPE *a = left;
    const TYPE *b = right;
    (void)bytes;
    *a = (TYPE)(*a | *b);
}

static void OPERATOR(bit_xor)(void *left, const void *right, size_t bytes)
{
    TYPE *a = left;
    const TYPE *b = right;
    (void)bytes;
    *a = (TYPE)(*a ^ *b);
}

/* Zero, one, all bits, the largest and the lowest value. */
static const TYPE OPERATOR(identity)[] = {0, 1, (TYPE)UINT64_MAX, LARGEST, LOWEST};

const struct reference_operator REFERENCE[REFERENCE_INTEGER_OPERATORS] = {
    [REFERENCE_PLUS] = {"plus", sizeof(TYPE), OPERATOR(plus), &OPERATOR(identity)[0], NULL, NULL},
    [REFERENCE_MULTIPLIES] = {"multiplies", sizeof(TYPE), OPERATOR(multiplies),
                              &OPERATOR(identity)[1], NULL, NULL},
    [REFERENCE_MINIMUM] = {"minimum", sizeof(TYPE), OPERATOR(minimum), &OPERATOR(identity)[3], NULL,
                           NULL},
    [REFERENCE_MAXIMUM] = {"maximum", sizeof(TYPE), OPERATOR(maximum), &OPERATOR(identity)[4], NULL,
                           NULL},
    [REFERENCE_BIT_AND] = {"bit_and", sizeof(TYPE), OPERATOR(bit_and), &OPERATOR(identity)[2], NULL,
                           NULL},
    [REFERENCE_BIT_OR] = {"bit_or", sizeof(TYPE), OPERATOR(bit_or), &OPERATOR(identity)[0], NULL,
                          NULL},
    [REFERENCE_BIT_XOR] = {"bit_xor", sizeof(TYPE), OPERATOR(bit_xor), &OPERATOR(identity)[0], NULL,
                           NULL},
};

#undef NAME
#undef TYPE
#undef LOWEST
#undef LARGEST
