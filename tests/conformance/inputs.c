/* SPDX-License-Identifier: Apache-2.0
 *
 * Inputs are made as bits, so that one function serves all floating-point formats.
 */
#include "tests/conformance/inputs.h"

#include "tests/support/check.h"

#include <string.h>

/* A floating-point format: a sign, then exponent and fraction of so many bits. wide is how far the
 * exponents of the flavour of that name lie apart. */
struct format {
    unsigned exponent_bits, fraction_bits, wide;
};

typedef uint64_t draw_bits(const struct format *format, uint64_t random);

struct flavour {
    const char *name;
    draw_bits *draw;
    draw_bits *rare; /* a few inputs, at random places, are these; NULL: none */
};

static uint64_t random_bits(const struct format *format, uint64_t random)
{
    (void)format;
    return random;
}

/* Odd numbers have an odd product: each one matters to it. */
static uint64_t odd_bits(const struct format *format, uint64_t random)
{
    (void)format;
    return random | 1;
}

static uint64_t all_ones(const struct format *format, uint64_t random)
{
    (void)format;
    (void)random;
    return UINT64_MAX;
}

static uint64_t all_zeros(const struct format *format, uint64_t random)
{
    (void)format;
    (void)random;
    return 0;
}

static uint64_t join_float(const struct format *format, uint64_t sign, uint64_t exponent,
                           uint64_t fraction)
{
    const uint64_t mask = ((uint64_t)1 << format->fraction_bits) - 1;
    return sign << (format->exponent_bits + format->fraction_bits) |
           exponent << format->fraction_bits | (fraction & mask);
}

static uint64_t bias_of(const struct format *format)
{
    return ((uint64_t)1 << (format->exponent_bits - 1)) - 1;
}

/* Finite numbers of both signs and many magnitudes: their sum depends on the order. */
static uint64_t wide_float(const struct format *format, uint64_t random)
{
    const uint64_t exponent = bias_of(format) + (random >> 56) % format->wide - format->wide / 2;
    return join_float(format, random >> 55 & 1, exponent, random);
}

/* 1 plus or minus a little: products of millions stay finite, and depend on the order. */
static uint64_t near_one(const struct format *format, uint64_t random)
{
    const uint64_t above = random >> 63;
    const unsigned kept = format->fraction_bits > 8 ? format->fraction_bits - 8 : 1;
    const uint64_t small = random & (((uint64_t)1 << kept) - 1);
    return join_float(format, 0, bias_of(format) - (1 - above), above ? small : ~small);
}

/* Denormal numbers, and the smallest normal ones, of both signs. */
static uint64_t tiny_float(const struct format *format, uint64_t random)
{
    const uint64_t exponent = random >> 62 == 0 ? 1 + (random >> 56) % 3 : 0;
    return join_float(format, random >> 55 & 1, exponent, random);
}

static uint64_t special_float(const struct format *format, uint64_t random)
{
    const uint64_t largest = ((uint64_t)1 << format->exponent_bits) - 1;
    const uint64_t fractions[] = {0, 0, 1, random};
    return join_float(format, random >> 55 & 1, random >> 54 & 1 ? largest : 0,
                      fractions[random >> 52 & 3]);
}

static uint64_t minus_zero(const struct format *format, uint64_t random)
{
    (void)random;
    return join_float(format, 1, 0, 0);
}

static const struct flavour integers[] = {
    {"random bits", random_bits, NULL},
    {"odd", odd_bits, NULL},
    {"ones", all_ones, random_bits},
    {"zeros", all_zeros, random_bits},
};

static const struct flavour floats[] = {
    {"wide", wide_float, NULL},         {"near one", near_one, NULL},
    {"tiny", tiny_float, NULL},         {"near one, some tiny", near_one, tiny_float},
    {"random bits", random_bits, NULL}, {"wide, some special", wide_float, special_float},
    {"minus zero", minus_zero, NULL},
};

/* The floats' first two flavours are tame. */
static const struct {
    size_t bytes;
    const struct flavour *flavours;
    unsigned flavour_count;
    struct format format;
} types[INPUT_TYPES] = {
    [INPUT_BITS_8] = {1, integers, 4, {0, 0, 0}},
    [INPUT_BITS_16] = {2, integers, 4, {0, 0, 0}},
    [INPUT_BITS_32] = {4, integers, 4, {0, 0, 0}},
    [INPUT_BITS_64] = {8, integers, 4, {0, 0, 0}},
    [INPUT_BOOL] = {1, integers, 4, {0, 0, 0}},
    [INPUT_HALF] = {2, floats, 7, {5, 10, 12}},
    [INPUT_BFLOAT16] = {2, floats, 7, {8, 7, 12}},
    [INPUT_FLOAT] = {4, floats, 7, {8, 23, 40}},
    [INPUT_DOUBLE] = {8, floats, 7, {11, 52, 80}},
    [INPUT_TAME_DOUBLE] = {8, floats, 2, {11, 52, 40}},
};

size_t input_bytes(enum input_type type)
{
    return types[type].bytes;
}

unsigned input_flavours(enum input_type type)
{
    return types[type].flavour_count;
}

const char *input_flavour_name(enum input_type type, unsigned flavour)
{
    return types[type].flavours[flavour].name;
}

/* The low bytes of the bits become the input; the machine is little-endian. */
static void store(enum input_type type, uint64_t bits, size_t index, void *inputs)
{
    if (type == INPUT_BOOL)
        bits &= 1;
    memcpy((unsigned char *)inputs + index * types[type].bytes, &bits, types[type].bytes);
}

void input_fill(enum input_type type, unsigned flavour, size_t count, uint64_t *random,
                void *inputs)
{
    const struct flavour *chosen = &types[type].flavours[flavour];
    const struct format *format = &types[type].format;
    for (size_t i = 0; i < count; i++)
        store(type, chosen->draw(format, check_random(random)), i, inputs);
    for (unsigned k = 0; k < 3 && count > 0 && chosen->rare != NULL; k++) {
        const size_t place = (size_t)(check_random(random) % count);
        store(type, chosen->rare(format, check_random(random)), place, inputs);
    }
}
