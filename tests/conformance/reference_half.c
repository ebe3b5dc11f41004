/* SPDX-License-Identifier: Apache-2.0
 *
 * The built-in operators of half (binary16) and of bool. The conversions follow the format's
 * definition: a sign, an exponent with bias 15, ten bits of fraction, and no shortcut.
 */
#include "tests/conformance/reference_builtin.h"

#include <math.h>

float reference_half_to_float(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    float magnitude;
    if (exponent == 31)
        magnitude = fraction != 0 ? NAN : INFINITY;
    else if (exponent == 0)
        magnitude = ldexpf((float)fraction, -24);
    else
        magnitude = ldexpf((float)(1024 + fraction), exponent - 25);
    return bits >> 15 != 0 ? -magnitude : magnitude;
}

uint16_t reference_half_from_float(float value)
{
    const uint16_t sign = signbit(value) ? 0x8000 : 0;
    const float magnitude = fabsf(value);
    if (isnan(value))
        return 0x7e00;
    if (magnitude >= 65520.0f) /* halfway from the largest to what would follow */
        return sign | 0x7c00;
    if (magnitude == 0)
        return sign;

    /* The value as a multiple of its unit in the last place, which is 2^-24 for the smallest. */
    int unit = ilogbf(magnitude) - 10;
    if (unit < -24)
        unit = -24;
    const int multiple = (int)nearbyintf(ldexpf(magnitude, -unit));

    /* The bits of finite halves count up evenly, so a carry into the exponent is right. */
    return (uint16_t)(sign + (unit + 24) * 1024 + multiple);
}

static void half_plus(void *left, const void *right, size_t bytes)
{
    uint16_t *a = left;
    const uint16_t *b = right;
    (void)bytes;
    *a = reference_half_from_float(reference_half_to_float(*a) + reference_half_to_float(*b));
}

static void half_multiplies(void *left, const void *right, size_t bytes)
{
    uint16_t *a = left;
    const uint16_t *b = right;
    (void)bytes;
    *a = reference_half_from_float(reference_half_to_float(*a) * reference_half_to_float(*b));
}

static void half_minimum(void *left, const void *right, size_t bytes)
{
    uint16_t *a = left;
    const uint16_t *b = right;
    (void)bytes;
    *a = reference_half_to_float(*b) < reference_half_to_float(*a) ? *b : *a;
}

static void half_maximum(void *left, const void *right, size_t bytes)
{
    uint16_t *a = left;
    const uint16_t *b = right;
    (void)bytes;
    *a = reference_half_to_float(*a) < reference_half_to_float(*b) ? *b : *a;
}

static void half_settle(void *variable)
{
    uint16_t *value = variable;
    if (isnan(reference_half_to_float(*value)))
        *value = 0x7e00;
}

static const uint16_t half_zero = 0, half_minus_zero = 0x8000, half_one = 0x3c00,
                      half_infinity = 0x7c00, half_minus_infinity = 0xfc00;

const struct reference_operator reference_half[REFERENCE_FLOATING_OPERATORS] = {
    [REFERENCE_PLUS] = {"plus", 2, half_plus, &half_zero, &half_minus_zero, half_settle},
    [REFERENCE_MULTIPLIES] = {"multiplies", 2, half_multiplies, &half_one, NULL, half_settle},
    [REFERENCE_MINIMUM] = {"minimum", 2, half_minimum, &half_infinity, NULL, half_settle},
    [REFERENCE_MAXIMUM] = {"maximum", 2, half_maximum, &half_minus_infinity, NULL, half_settle},
};

static void bool_and(void *left, const void *right, size_t bytes)
{
    bool *a = left;
    const bool *b = right;
    (void)bytes;
    *a = *a && *b;
}

static void bool_or(void *left, const void *right, size_t bytes)
{
    bool *a = left;
    const bool *b = right;
    (void)bytes;
    *a = *a || *b;
}

static void bool_xor(void *left, const void *right, size_t bytes)
{
    bool *a = left;
    const bool *b = right;
    (void)bytes;
    *a = *a != *b;
}

static const bool bool_false = false, bool_true = true;

const struct reference_operator reference_bool[REFERENCE_BOOL_OPERATORS] = {
    [REFERENCE_BOOL_BIT_AND] = {"bit_and", sizeof(bool), bool_and, &bool_true, NULL, NULL},
    [REFERENCE_BOOL_BIT_OR] = {"bit_or", sizeof(bool), bool_or, &bool_false, NULL, NULL},
    [REFERENCE_BOOL_BIT_XOR] = {"bit_xor", sizeof(bool), bool_xor, &bool_false, NULL, NULL},
    [REFERENCE_BOOL_LOGICAL_AND] = {"logical_and", sizeof(bool), bool_and, &bool_true, NULL, NULL},
    [REFERENCE_BOOL_LOGICAL_OR] = {"logical_or", sizeof(bool), bool_or, &bool_false, NULL, NULL},
};
