/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads values of every type.
 */
#include "tools/describe/numbers.h"

#include <reap/half.h>
#include <string.h>

static size_t leave_out_nans(double *doubles, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        doubles[kept] = doubles[i];
        kept += doubles[i] == doubles[i];
    }
    return kept;
}

#define NAME boolean
#define TYPE uint8_t
#define DOUBLE(value) ((double)((value) != 0))
#define KEY(value) describe_key_of_unsigned(((value) != 0))
#include "tools/describe/numbers_tmpl.h"
#define NAME i8
#define TYPE int8_t
#define DOUBLE(value) ((double)(value))
#define KEY(value) describe_key_of_signed(value)
#include "tools/describe/numbers_tmpl.h"
#define NAME i16
#define TYPE int16_t
#define DOUBLE(value) ((double)(value))
#define KEY(value) describe_key_of_signed(value)
#include "tools/describe/numbers_tmpl.h"
#define NAME i32
#define TYPE int32_t
#define DOUBLE(value) ((double)(value))
#define KEY(value) describe_key_of_signed(value)
#include "tools/describe/numbers_tmpl.h"
#define NAME i64
#define TYPE int64_t
#define DOUBLE(value) ((double)(value))
#define KEY(value) describe_key_of_signed(value)
#include "tools/describe/numbers_tmpl.h"
#define NAME u8
#define TYPE uint8_t
#define DOUBLE(value) ((double)(value))
#define KEY(value) describe_key_of_unsigned(value)
#include "tools/describe/numbers_tmpl.h"
#define NAME u16
#define TYPE uint16_t
#define DOUBLE(value) ((double)(value))
#define KEY(value) describe_key_of_unsigned(value)
#include "tools/describe/numbers_tmpl.h"
#define NAME u32
#define TYPE uint32_t
#define DOUBLE(value) ((double)(value))
#define KEY(value) describe_key_of_unsigned(value)
#include "tools/describe/numbers_tmpl.h"
#define NAME u64
#define TYPE uint64_t
#define DOUBLE(value) ((double)(value))
#define KEY(value) describe_key_of_unsigned(value)
#include "tools/describe/numbers_tmpl.h"
#define NAME f16
#define TYPE reap_half
#define DOUBLE(value) ((double)reap_half_to_float(value))
#include "tools/describe/numbers_tmpl.h"
#define NAME f32
#define TYPE float
#define DOUBLE(value) ((double)(value))
#include "tools/describe/numbers_tmpl.h"
#define NAME f64
#define TYPE double
#define DOUBLE(value) (value)
#include "tools/describe/numbers_tmpl.h"

static const struct {
    size_t (*read_doubles)(const void *elements, size_t first, size_t count, double *doubles);
    void (*read_keys)(const void *elements, size_t first, size_t count, uint64_t *keys);
} types[CLI_ELEMENT_TYPE_COUNT] = {
    [CLI_ELEMENT_boolean] = {read_doubles_boolean, read_keys_boolean},
    [CLI_ELEMENT_i8] = {read_doubles_i8, read_keys_i8},
    [CLI_ELEMENT_i16] = {read_doubles_i16, read_keys_i16},
    [CLI_ELEMENT_i32] = {read_doubles_i32, read_keys_i32},
    [CLI_ELEMENT_i64] = {read_doubles_i64, read_keys_i64},
    [CLI_ELEMENT_u8] = {read_doubles_u8, read_keys_u8},
    [CLI_ELEMENT_u16] = {read_doubles_u16, read_keys_u16},
    [CLI_ELEMENT_u32] = {read_doubles_u32, read_keys_u32},
    [CLI_ELEMENT_u64] = {read_doubles_u64, read_keys_u64},
    [CLI_ELEMENT_f16] = {read_doubles_f16, NULL},
    [CLI_ELEMENT_f32] = {read_doubles_f32, NULL},
    [CLI_ELEMENT_f64] = {read_doubles_f64, NULL},
};

static size_t count_chunk(const struct cli_values *values, size_t first)
{
    const size_t left = values->count - first;
    return left < CLI_CHUNK ? left : CLI_CHUNK;
}

size_t cli_values_read_doubles(const struct cli_values *values, size_t first,
                               double doubles[CLI_CHUNK])
{
    return types[values->element.type].read_doubles(values->elements, first,
                                                    count_chunk(values, first), doubles);
}

size_t cli_values_read_keys(const struct cli_values *values, enum cli_element_type type,
                            size_t first, uint64_t keys[CLI_CHUNK])
{
    const enum cli_element_type own = values->element.type;
    const size_t count = count_chunk(values, first);
    types[own].read_keys(values->elements, first, count, keys);
    for (size_t i = 0; i < count && own != type; i++)
        keys[i] = cli_key_convert(own, type, keys[i]);
    return count;
}

/* ---- The order of bytes -----------------------------------------------------------------------*/

static void swap_bytes(unsigned char *element, size_t bytes)
{
    for (size_t b = 0; b < bytes / 2; b++) {
        const unsigned char byte = element[b];
        element[b] = element[bytes - 1 - b];
        element[bytes - 1 - b] = byte;
    }
}

void cli_values_make_native(struct cli_values *values)
{
    const size_t bytes = cli_element_bytes(values->element.type);
    if (cli_element_is_swapped(values->element))
        for (size_t i = 0; i < values->count; i++)
            swap_bytes((unsigned char *)values->elements + i * bytes, bytes);
    values->element = cli_element_native(values->element.type);
}

/* ---- Keys -------------------------------------------------------------------------------------*/

double cli_key_to_double(enum cli_element_type type, uint64_t key)
{
    const uint64_t sign = (uint64_t)1 << 63;
    double value;
    int64_t integer;
    switch (cli_element_kind(type)) {
    case 'f':
        key = (key & sign) != 0 ? key ^ sign : ~key;
        memcpy(&value, &key, sizeof value);
        return value;
    case 'i':
        key ^= sign;
        memcpy(&integer, &key, sizeof integer);
        return (double)integer;
    default:
        return (double)key;
    }
}

uint64_t cli_key_convert(enum cli_element_type from, enum cli_element_type to, uint64_t key)
{
    const uint64_t sign = (uint64_t)1 << 63;
    if (cli_element_kind(from) == cli_element_kind(to))
        return key;
    return cli_element_kind(to) == 'f' ? describe_key_of_float(cli_key_to_double(from, key))
                                       : key ^ sign;
}

/* The bits of the number with a key; for a narrower integer type, its least significant bytes. */
static uint64_t find_bits(enum cli_element_type type, uint64_t key)
{
    const double value = cli_key_to_double(type, key);
    const float single = (float)value;
    uint64_t bits = 0;
    uint32_t single_bits;
    if (cli_element_kind(type) == 'i')
        return key ^ (uint64_t)1 << 63;
    if (cli_element_kind(type) != 'f')
        return key;
    memcpy(&single_bits, &single, sizeof single_bits);
    memcpy(&bits, &value, sizeof bits);
    return type == CLI_ELEMENT_f16   ? reap_half_from_float(single).bits
           : type == CLI_ELEMENT_f32 ? single_bits
                                     : bits;
}

void cli_key_write(enum cli_element_type type, uint64_t key, char text[CLI_NUMBER_BYTES])
{
    const uint64_t bits = find_bits(type, key);
    unsigned char bytes[sizeof bits];
    for (size_t b = 0; b < sizeof bits; b++)
        bytes[b] = (unsigned char)(bits >> 8 * b);
    cli_element_write((struct cli_element){type, false}, bytes, text);
}
