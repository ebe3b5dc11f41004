/* SPDX-License-Identifier: Apache-2.0
 *
 * Element types. A value is passed as its bits in the file, widened to 64.
 */
#include "tools/read/element.h"

#include "tools/kernels/describe_part.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    char kind;
    unsigned char bytes;
} types[] = {
#define TYPE(name, kind, bytes) {#name, kind, bytes},
    CLI_ELEMENT_TYPES(TYPE)
#undef TYPE
};

const char *cli_element_name(enum cli_element_type type)
{
    return type == CLI_ELEMENT_boolean ? "bool" : types[type].name;
}

char cli_element_kind(enum cli_element_type type)
{
    return types[type].kind;
}

size_t cli_element_bytes(enum cli_element_type type)
{
    return types[type].bytes;
}

bool cli_element_find(const char *name, enum cli_element_type *type)
{
    for (int t = 0; t < CLI_ELEMENT_TYPE_COUNT; t++)
        if (strcmp(cli_element_name((enum cli_element_type)t), name) == 0) {
            *type = (enum cli_element_type)t;
            return true;
        }
    return false;
}

bool cli_element_find_kind(char kind, uint64_t bytes, enum cli_element_type *type)
{
    for (int t = 0; t < CLI_ELEMENT_TYPE_COUNT; t++)
        if (types[t].kind == kind && types[t].bytes == bytes) {
            *type = (enum cli_element_type)t;
            return true;
        }
    return false;
}

enum cli_element_type cli_element_part(enum cli_element_type type)
{
    return type == CLI_ELEMENT_c64    ? CLI_ELEMENT_f32
           : type == CLI_ELEMENT_c128 ? CLI_ELEMENT_f64
                                      : type;
}

struct cli_element cli_element_native(enum cli_element_type type)
{
    const uint16_t probe = 1;
    unsigned char first;
    memcpy(&first, &probe, 1);
    return (struct cli_element){type, first != 1};
}

bool cli_element_is_swapped(struct cli_element element)
{
    return cli_element_bytes(element.type) > 1 &&
           element.is_big_endian != cli_element_native(element.type).is_big_endian;
}

static uint64_t read_bits(struct cli_element element, const unsigned char *bytes)
{
    const size_t count = cli_element_bytes(element.type);
    uint64_t bits = 0;
    for (size_t i = 0; i < count; i++)
        bits = bits << 8 | bytes[element.is_big_endian ? i : count - 1 - i];
    return bits;
}

static int64_t signed_value(enum cli_element_type type, uint64_t bits)
{
    const size_t bytes = cli_element_bytes(type);
    assert(bytes >= 1 && bytes <= sizeof bits);
    const uint64_t sign = (uint64_t)1 << (8 * bytes - 1);
    const uint64_t extended = (bits ^ sign) - sign;
    int64_t value;
    memcpy(&value, &extended, sizeof value);
    return value;
}

static double float_value(enum cli_element_type type, uint64_t bits)
{
    const reap_half half = {(uint16_t)bits};
    const uint32_t single_bits = (uint32_t)bits;
    float single;
    double wide;
    memcpy(&single, &single_bits, sizeof single);
    memcpy(&wide, &bits, sizeof wide);
    return type == CLI_ELEMENT_f16   ? (double)reap_half_to_float(half)
           : type == CLI_ELEMENT_f32 ? (double)single
                                     : wide;
}

bool cli_element_key(struct cli_element element, const unsigned char *bytes, uint64_t *key)
{
    const uint64_t bits = read_bits(element, bytes);
    switch (cli_element_kind(element.type)) {
    case 'b':
        *key = describe_key_of_unsigned(bits != 0);
        return true;
    case 'u':
        *key = describe_key_of_unsigned(bits);
        return true;
    case 'i':
        *key = describe_key_of_signed(signed_value(element.type, bits));
        return true;
    default:
        *key = describe_key_of_float(float_value(element.type, bits));
        return !isnan(float_value(element.type, bits));
    }
}

/* Whether the text, read in the type's precision, is the value. */
static bool is_read_as(enum cli_element_type type, const char *text, double value)
{
    if (type == CLI_ELEMENT_f64)
        return strtod(text, NULL) == value;
    const float single = strtof(text, NULL);
    return (double)(type == CLI_ELEMENT_f32
                        ? single
                        : reap_half_to_float(reap_half_from_float(single))) == value;
}

/* Writes the fewest digits that are read as the same value; with an exponent only if the number is
 * very large or very small. */
static void write_float(enum cli_element_type type, double value, char text[CLI_NUMBER_BYTES])
{
    const int most_digits = 17;
    int digits = 1;
    if (!isfinite(value)) {
        snprintf(text, CLI_NUMBER_BYTES, "%s", isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
        return;
    }
    for (; digits <= most_digits; digits++) {
        snprintf(text, CLI_NUMBER_BYTES, "%.*e", digits - 1, value);
        if (is_read_as(type, text, value))
            break;
    }
    const long exponent = strtol(strchr(text, 'e') + 1, NULL, 10);
    if (exponent >= digits && exponent < most_digits)
        digits = (int)exponent + 1; /* no exponent: 259200, not 2.592e+05 */
    snprintf(text, CLI_NUMBER_BYTES, "%.*g", digits, value);
}

void cli_double_write(double value, char text[CLI_NUMBER_BYTES])
{
    write_float(CLI_ELEMENT_f64, value, text);
}

void cli_element_write(struct cli_element element, const unsigned char *bytes,
                       char text[CLI_NUMBER_BYTES])
{
    const uint64_t bits = read_bits(element, bytes);
    switch (cli_element_kind(element.type)) {
    case 'b':
        snprintf(text, CLI_NUMBER_BYTES, "%d", bits != 0);
        break;
    case 'u':
        snprintf(text, CLI_NUMBER_BYTES, "%" PRIu64, bits);
        break;
    case 'i':
        snprintf(text, CLI_NUMBER_BYTES, "%" PRId64, signed_value(element.type, bits));
        break;
    default:
        write_float(element.type, float_value(element.type, bits), text);
        break;
    }
}
