/* SPDX-License-Identifier: Apache-2.0
 *
 * The built-in operators of half (binary16), of bfloat16 and of bool. The conversions follow the
 * formats' definition: a sign, an exponent with a bias, bits of fraction, and no shortcut.
 */
#include "tests/conformance/reference_builtin.h"

#include <math.h>

struct format {
    int exponent_bits, fraction_bits;
};
static const struct format half_format = {5, 10}, bfloat16_format = {8, 7};

/* The exponent of the unit in the last place of the smallest numbers. */
static int least_unit(const struct format *format)
{
    return 2 - (1 << (format->exponent_bits - 1)) - format->fraction_bits;
}

static float to_float(const struct format *format, uint16_t bits)
{
    const int largest = (1 << format->exponent_bits) - 1, ones = 1 << format->fraction_bits;
    const int exponent = bits >> format->fraction_bits & largest, fraction = bits & (ones - 1);
    float magnitude;
    if (exponent == largest)
        magnitude = fraction != 0 ? NAN : INFINITY;
    else if (exponent == 0)
        magnitude = ldexpf((float)fraction, least_unit(format));
    else
        magnitude = ldexpf((float)(ones + fraction), exponent - 1 + least_unit(format));
    return bits >> 15 != 0 ? -magnitude : magnitude;
}

static uint16_t from_float(const struct format *format, float value)
{
    const uint16_t sign = signbit(value) ? 0x8000 : 0;
    const int least = least_unit(format), ones = 1 << format->fraction_bits;
    const int infinity = ((1 << format->exponent_bits) - 1) << format->fraction_bits;
    const float magnitude = fabsf(value);
    if (isnan(value))
        return (uint16_t)(infinity | ones / 2);
    if (isinf(value) || magnitude == 0)
        return (uint16_t)(sign | (isinf(value) ? infinity : 0));

    /* The value as a multiple of its unit in the last place. */
    int unit = ilogbf(magnitude) - format->fraction_bits;
    if (unit < least)
        unit = least;
    const double multiple = nearbyint(ldexp((double)magnitude, -unit));

    /* The bits of finite numbers count up evenly, so a carry into the exponent is right, up to
     * infinity. */
    const double made = (unit - least) * (double)ones + multiple;
    return (uint16_t)(sign | (made < infinity ? (int)made : infinity));
}

float reference_half_to_float(uint16_t bits)
{
    return to_float(&half_format, bits);
}

uint16_t reference_half_from_float(float value)
{
    return from_float(&half_format, value);
}

float reference_bfloat16_to_float(uint16_t bits)
{
    return to_float(&bfloat16_format, bits);
}

uint16_t reference_bfloat16_from_float(float value)
{
    return from_float(&bfloat16_format, value);
}

#define NAME half
#define FORMAT half_format
#define ONE 0x3c00
#define INFINITE 0x7c00
#include "tests/conformance/reference_narrow_tmpl.h"

#define NAME bfloat16
#define FORMAT bfloat16_format
#define ONE 0x3f80
#define INFINITE 0x7f80
#include "tests/conformance/reference_narrow_tmpl.h"

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
