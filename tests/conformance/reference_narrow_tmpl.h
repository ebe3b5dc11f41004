/* SPDX-License-Identifier: Apache-2.0
 *
 * The operators of a narrow type. The including file defines its NAME, and FORMAT.
 */
#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define NAMED(word) JOIN(NAME, word)

static void NAMED(plus)(void *left, const void *right, size_t bytes)
{
    uint16_t *a = left;
    const uint16_t *b = right;
    (void)bytes;
    *a = from_float(&FORMAT, to_float(&FORMAT, *a) + to_float(&FORMAT, *b));
}

static void NAMED(multiplies)(void *left, const void *right, size_t bytes)
{
    uint16_t *a = left;
    const uint16_t *b = right;
    (void)bytes;
    *a = from_float(&FORMAT, to_float(&FORMAT, *a) * to_float(&FORMAT, *b));
}

static void NAMED(minimum)(void *left, const void *right, size_t bytes)
{
    uint16_t *a = left;
    const uint16_t *b = right;
    (void)bytes;
    *a = to_float(&FORMAT, *b) < to_float(&FORMAT, *a) ? *b : *a;
}

static void NAMED(maximum)(void *left, const void *right, size_t bytes)
{
    uint16_t *a = left;
    const uint16_t *b = right;
    (void)bytes;
    *a = to_float(&FORMAT, *a) < to_float(&FORMAT, *b) ? *b : *a;
}

static void NAMED(settle)(void *variable)
{
    uint16_t *value = variable;
    if (isnan(to_float(&FORMAT, *value)))
        *value = from_float(&FORMAT, NAN);
}

static const uint16_t NAMED(zero) = 0, NAMED(minus_zero) = 0x8000, NAMED(one) = ONE,
                      NAMED(infinity) = INFINITE, NAMED(minus_infinity) = 0x8000 | INFINITE;

const struct reference_operator JOIN(reference, NAME)[REFERENCE_FLOATING_OPERATORS] = {
    [REFERENCE_PLUS] = {"plus", 2, NAMED(plus), &NAMED(zero), &NAMED(minus_zero), NAMED(settle)},
    [REFERENCE_MULTIPLIES] = {"multiplies", 2, NAMED(multiplies), &NAMED(one), NULL, NAMED(settle)},
    [REFERENCE_MINIMUM] = {"minimum", 2, NAMED(minimum), &NAMED(infinity), NULL, NAMED(settle)},
    [REFERENCE_MAXIMUM] = {"maximum", 2, NAMED(maximum), &NAMED(minus_infinity), NULL,
                           NAMED(settle)},
};

#undef JOIN_
#undef JOIN
#undef NAMED
#undef NAME
#undef FORMAT
#undef ONE
#undef INFINITE
