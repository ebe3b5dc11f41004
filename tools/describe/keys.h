/* SPDX-License-Identifier: Apache-2.0
 *
 * The distinct texts among many, and how often each occurs: a hash table with open addressing.
 */
#ifndef CLI_KEYS_H
#define CLI_KEYS_H

#include "tools/read/csv.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of the distinct texts together; the last one may exceed it. */
enum { CLI_MOST_KEY_BYTES = 256 << 20 };

struct cli_key {
    char *text; /* with a zero byte at its end; may contain zero bytes */
    size_t length;
    uint64_t hash, count;
    double number; /* the text's value, once the keys are sorted as numbers */
};

/* All zero: empty. */
struct cli_keys {
    size_t count, capacity;
    size_t bytes; /* of the texts */
    struct cli_key *keys;
    size_t slot_count, *slots; /* the number of a key plus one; 0: none */
};

/* Counts a text; false: out of memory. */
bool cli_keys_add(struct cli_keys *keys, const struct cli_csv_text *text, char quote);

/* Whether there are more than `most` texts, or they have more than CLI_MOST_KEY_BYTES. */
bool cli_keys_are_many(const struct cli_keys *keys, size_t most);

/* The number of a text, or SIZE_MAX, also if memory runs out. */
size_t cli_keys_find(const struct cli_keys *keys, const struct cli_csv_text *text, char quote);

/* Sorts the keys: as numbers of the table if all are numbers, otherwise as bytes; an empty one is
 * last. Returns false if memory runs out. */
bool cli_keys_sort(struct cli_keys *keys, const struct cli_csv *csv);

void cli_keys_free(struct cli_keys *keys);

#endif
