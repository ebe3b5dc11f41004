/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys. The hash is FNV-1a, eight bytes at a time.
 */
#include "tools/describe/keys.h"

#include "tools/read/csv_cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash_text(const char *text, size_t length)
{
    uint64_t hash = 14695981039346656037u ^ length;
    for (; length > 0; length -= length < 8 ? length : 8, text += 8) {
        uint64_t word = 0;
        memcpy(&word, text, length < 8 ? length : 8);
        hash = (hash ^ word) * 1099511628211u;
        hash ^= hash >> 29;
    }
    return hash;
}

/* The slot with the text, or the empty one for it. */
static size_t find_slot(const struct cli_keys *keys, const char *text, size_t length, uint64_t hash)
{
    size_t slot = (size_t)hash & (keys->slot_count - 1);
    for (; keys->slots[slot] != 0; slot = (slot + 1) & (keys->slot_count - 1)) {
        const struct cli_key *key = &keys->keys[keys->slots[slot] - 1];
        if (key->hash == hash && key->length == length && memcmp(key->text, text, length) == 0)
            break;
    }
    return slot;
}

/* Makes a table of `count` slots, a power of two, at least half of which stay empty. */
static bool make_slots(struct cli_keys *keys, size_t count)
{
    size_t *slots = calloc(count, sizeof *slots);
    if (slots == NULL)
        return false;
    free(keys->slots);
    keys->slots = slots;
    keys->slot_count = count;
    for (size_t k = 0; k < keys->count; k++) {
        const struct cli_key *key = &keys->keys[k];
        slots[find_slot(keys, key->text, key->length, key->hash)] = k + 1;
    }
    return true;
}

static bool append(struct cli_keys *keys, const char *text, size_t length, uint64_t hash)
{
    if (keys->count == keys->capacity) {
        const size_t capacity = keys->capacity == 0 ? 64 : 2 * keys->capacity;
        struct cli_key *grown = realloc(keys->keys, capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        keys->keys = grown;
        keys->capacity = capacity;
    }
    char *copy = malloc(length + 1);
    if (copy == NULL)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    keys->keys[keys->count++] =
        (struct cli_key){.text = copy, .length = length, .hash = hash, .count = 1};
    keys->bytes += length;
    return true;
}

static bool add(struct cli_keys *keys, const char *text, size_t length)
{
    const uint64_t hash = hash_text(text, length);
    if (2 * keys->count >= keys->slot_count &&
        !make_slots(keys, keys->slot_count == 0 ? 128 : 2 * keys->slot_count))
        return false;
    const size_t slot = find_slot(keys, text, length, hash);
    if (keys->slots[slot] != 0) {
        keys->keys[keys->slots[slot] - 1].count++;
        return true;
    }
    if (!append(keys, text, length, hash))
        return false;
    keys->slots[slot] = keys->count;
    return true;
}

/* A copy of the text, in which doubled quotes become single ones; NULL: out of memory. */
static char *copy_plain(const struct cli_csv_text *text, char quote, size_t *length)
{
    char *copy = malloc(text->length + 1);
    *length = 0;
    for (size_t i = 0; i < text->length && copy != NULL; i++) {
        copy[(*length)++] = text->begin[i];
        i += text->begin[i] == quote;
    }
    return copy;
}

bool cli_keys_add(struct cli_keys *keys, const struct cli_csv_text *text, char quote)
{
    size_t length;
    if (!text->has_quotes)
        return add(keys, text->begin, text->length);
    char *copy = copy_plain(text, quote, &length);
    const bool is_fine = copy != NULL && add(keys, copy, length);
    free(copy);
    return is_fine;
}

bool cli_keys_are_many(const struct cli_keys *keys, size_t most)
{
    return keys->count > most || keys->bytes > CLI_MOST_KEY_BYTES;
}

static size_t find(const struct cli_keys *keys, const char *text, size_t length)
{
    if (keys->slot_count == 0)
        return SIZE_MAX;
    return keys->slots[find_slot(keys, text, length, hash_text(text, length))] - 1;
}

size_t cli_keys_find(const struct cli_keys *keys, const struct cli_csv_text *text, char quote)
{
    size_t length;
    if (!text->has_quotes)
        return find(keys, text->begin, text->length);
    char *copy = copy_plain(text, quote, &length);
    const size_t key = copy != NULL ? find(keys, copy, length) : SIZE_MAX;
    free(copy);
    return key;
}

/* ---- The order --------------------------------------------------------------------------------*/

/* Reads a number; an integer as a double, too, so nearly equal ones are sorted as bytes. */
static bool read_number(struct cli_key *key, const struct cli_csv *csv, bool *is_number)
{
    struct cli_number number = {.integer = 0};
    char *copy = calloc(key->length + 1 + CLI_CSV_PADDING, 1);
    if (copy == NULL)
        return false;
    memcpy(copy, key->text, key->length);
    copy[key->length] = '\n';
    const struct cli_csv_cell cell = {.begin = copy, .end = copy + key->length, .is_quoted = true};
    const enum cli_csv_type type = cli_csv_read_cell(csv, &cell, &number);
    key->number = cli_csv_to_double(&number);
    *is_number = type != CLI_CSV_MISSING && type != CLI_CSV_BOOLEAN && type != CLI_CSV_TEXT &&
                 !isnan(key->number);
    free(copy);
    return true;
}

static int compare_bytes(const void *a, const void *b)
{
    const struct cli_key *left = a, *right = b;
    const size_t both = left->length < right->length ? left->length : right->length;
    if (left->length == 0 || right->length == 0)
        return (left->length == 0) - (right->length == 0);
    const int order = memcmp(left->text, right->text, both);
    return order != 0 ? order : (left->length > right->length) - (left->length < right->length);
}

/* Compares keys as numbers; equal numbers by their bytes. */
static int compare_numbers(const void *a, const void *b)
{
    const struct cli_key *left = a, *right = b;
    if (left->length == 0 || right->length == 0 || left->number == right->number)
        return compare_bytes(a, b);
    return (left->number > right->number) - (left->number < right->number);
}

bool cli_keys_sort(struct cli_keys *keys, const struct cli_csv *csv)
{
    bool are_numbers = true;
    for (size_t k = 0; k < keys->count && are_numbers; k++)
        if (keys->keys[k].length > 0 && !read_number(&keys->keys[k], csv, &are_numbers))
            return false;
    if (keys->count == 0)
        return true;
    qsort(keys->keys, keys->count, sizeof *keys->keys,
          are_numbers ? compare_numbers : compare_bytes);
    return make_slots(keys, keys->slot_count);
}

void cli_keys_free(struct cli_keys *keys)
{
    for (size_t k = 0; k < keys->count; k++)
        free(keys->keys[k].text);
    free(keys->keys);
    free(keys->slots);
    *keys = (struct cli_keys){.count = 0};
}
