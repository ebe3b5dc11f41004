/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of a block as numbers of one type, a chunk at a time, for counting: doubles, or for
 * integers exact keys (tools/kernels/describe_part.h).
 */
#ifndef CLI_NUMBERS_H
#define CLI_NUMBERS_H

#include "tools/describe/block_source.h"
#include "tools/kernels/describe_part.h"

enum { CLI_CHUNK = 2048 };

/* Swaps the elements' bytes, in place, if they are not in this machine's order. */
void cli_values_make_native(struct cli_values *values);

/* The values from `first` on, CLI_CHUNK of them or as many as remain, without NaNs: writes them and
 * returns their number. The elements are native. */
size_t cli_values_read_doubles(const struct cli_values *values, size_t first,
                               double doubles[CLI_CHUNK]);

/* The same for integers, as keys of a type: the values' own, or CLI_ELEMENT_u64 for values of
 * CLI_ELEMENT_i64 that are not negative. */
size_t cli_values_read_keys(const struct cli_values *values, enum cli_element_type type,
                            size_t first, uint64_t keys[CLI_CHUNK]);

/* Converts a key of one type to that of another type which represents the same number. */
uint64_t cli_key_convert(enum cli_element_type from, enum cli_element_type to, uint64_t key);

/* The key of a type's number, and the number of a key; CLI_ELEMENT_f64 for all floating-point
 * types. An integer that a double cannot represent is rounded. */
double cli_key_to_double(enum cli_element_type type, uint64_t key);

/* Writes the number with the key as its type's (cli_element_write). */
void cli_key_write(enum cli_element_type type, uint64_t key, char text[CLI_NUMBER_BYTES]);

#endif
