/* SPDX-License-Identifier: Apache-2.0
 *
 * The built-in operators of one floating-point type: included by reference_floating.c with NAME,
 * TYPE, BITS (the integer type of its bits) and CANONICAL_NAN.
 */
static void OPERATOR(plus)(void *left, const void *right, size_t bytes)
{
    TYPE *a = left;
    const TYPE *b = right;
    (void)bytes;
    *a = *a + *b;
}

static void OPERATOR(multiplies)(void *left, const void *right, size_t bytes)
{
    TYPE *a = left;
    const TYPE *b = right;
    (void)bytes;
    *a = *a * *b;
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

static void OPERATOR(settle)(void *variable)
{
    const TYPE *value = variable;
    const BITS canonical = CANONICAL_NAN;
    if (isnan(*value))
        memcpy(variable, &canonical, sizeof canonical);
}

static const TYPE OPERATOR(zero)[] = {0, -(TYPE)0}, OPERATOR(one) = 1,
                  OPERATOR(infinity)[] = {INFINITY, -INFINITY};

const struct reference_operator REFERENCE[REFERENCE_FLOATING_OPERATORS] = {
    [REFERENCE_PLUS] = {"plus", sizeof(TYPE), OPERATOR(plus), &OPERATOR(zero)[0],
                        &OPERATOR(zero)[1], OPERATOR(settle)},
    [REFERENCE_MULTIPLIES] = {"multiplies", sizeof(TYPE), OPERATOR(multiplies), &OPERATOR(one),
                              NULL, OPERATOR(settle)},
    [REFERENCE_MINIMUM] = {"minimum", sizeof(TYPE), OPERATOR(minimum), &OPERATOR(infinity)[0], NULL,
                           OPERATOR(settle)},
    [REFERENCE_MAXIMUM] = {"maximum", sizeof(TYPE), OPERATOR(maximum), &OPERATOR(infinity)[1], NULL,
                           OPERATOR(settle)},
};

#undef NAME
#undef TYPE
#undef BITS
#undef CANONICAL_NAN
