/* SPDX-License-Identifier: Apache-2.0
 *
 * Random inputs for reductions. Each type has several flavours, since no one kind of data shows
 * every fault: random bits are soon NaN in a sum and zero in a product, and tame numbers never
 * overflow. A flavour's inputs are chosen so that leaving one out, or a wrong order, shows.
 */
#ifndef TESTS_CONFORMANCE_INPUTS_H
#define TESTS_CONFORMANCE_INPUTS_H

#include <stddef.h>
#include <stdint.h>

enum input_type {
    INPUT_BITS_8,
    INPUT_BITS_16,
    INPUT_BITS_32,
    INPUT_BITS_64,
    INPUT_BOOL,
    INPUT_HALF,
    INPUT_BFLOAT16,
    INPUT_FLOAT,
    INPUT_DOUBLE,
    INPUT_TAME_DOUBLE, /* without NaNs and infinities */
    INPUT_TYPES
};

size_t input_bytes(enum input_type type);

/* How many flavours the type has, and what one is called. */
unsigned input_flavours(enum input_type type);
const char *input_flavour_name(enum input_type type, unsigned flavour);

/* Fills an array with inputs of a flavour, drawn from the state of check_random. */
void input_fill(enum input_type type, unsigned flavour, size_t count, uint64_t *random,
                void *inputs);

#endif
