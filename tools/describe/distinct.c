/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts distinct values, and prints them.
 */
#include "tools/describe/distinct.h"

#include "tools/describe/text_pass.h"
#include "tools/escape.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Counting ---------------------------------------------------------------------------------*/

/* Whether `a` precedes `b`: it is more frequent, or as frequent and first in byte order. */
static bool is_before(const struct cli_key *a, const struct cli_key *b)
{
    return a->count != b->count ? a->count > b->count : strcmp(a->text, b->text) < 0;
}

static void insert(struct cli_distinct *distinct, const struct cli_key *key)
{
    size_t place = distinct->frequent_count;
    while (place > 0 && is_before(key, &distinct->frequent[place - 1]))
        place--;
    if (place == CLI_FREQUENT)
        return;
    distinct->frequent_count += distinct->frequent_count < CLI_FREQUENT;
    for (size_t f = distinct->frequent_count - 1; f > place; f--)
        distinct->frequent[f] = distinct->frequent[f - 1];
    distinct->frequent[place] = *key;
}

/* Finds the most frequent values; copies them, since the keys are freed. */
static bool evaluate(struct cli_distinct *distinct, const struct cli_keys *keys)
{
    bool is_fine = true;
    distinct->is_cut = cli_keys_are_many(keys, CLI_MOST_DISTINCT);
    for (size_t k = 0; k < keys->count; k++) {
        if (keys->keys[k].length == 0) {
            distinct->missing = keys->keys[k].count;
            continue;
        }
        distinct->count++;
        insert(distinct, &keys->keys[k]);
    }
    for (size_t f = 0; f < distinct->frequent_count; f++) {
        distinct->frequent[f].text = strdup(distinct->frequent[f].text);
        is_fine = is_fine && distinct->frequent[f].text != NULL;
    }
    return is_fine;
}

bool cli_distinct_find(const struct cli_subject *subject, const bool *wants_text,
                       struct cli_distinct *distinct, uint64_t *rows, struct cli_failure *failure)
{
    const struct cli_csv *csv = &subject->dataset->table->csv;
    struct cli_keys *keys = calloc(csv->columns, sizeof *keys);
    if (keys == NULL)
        return cli_fail(failure, "%s", strerror(ENOMEM));
    bool is_fine = cli_text_pass_run(subject, wants_text, CLI_MOST_DISTINCT, keys, rows, failure);
    size_t t = 0;
    for (size_t c = 0; c < csv->columns; c++) {
        if (!wants_text[c])
            continue;
        distinct[t].name = csv->names[c];
        if (is_fine && !evaluate(&distinct[t], &keys[t]))
            is_fine = cli_fail(failure, "%s", strerror(ENOMEM));
        cli_keys_free(&keys[t++]);
    }
    free(keys);
    return is_fine;
}

void cli_distinct_free(struct cli_distinct *distinct, size_t count)
{
    for (size_t d = 0; d < count; d++)
        for (size_t f = 0; f < distinct[d].frequent_count; f++)
            free(distinct[d].frequent[f].text);
    free(distinct);
}

/* ---- Printing ---------------------------------------------------------------------------------*/

enum { CELL_BYTES = 256, MOST_NAME = 24, COUNT_WIDTH = 9, GAP = 2 };

/* Writes a text without control characters, cut to `width` characters; returns their number. */
static size_t write_cut(const char *text, size_t width, char cell[CELL_BYTES])
{
    char *escaped = cli_escape(text);
    size_t bytes = 0, characters = 0;
    for (const char *at = escaped; at != NULL && *at != '\0' && bytes < CELL_BYTES - 8;) {
        size_t length;
        cli_read_character(at, &length);
        if (++characters > width) {
            cell[bytes++] = '~';
            break;
        }
        memcpy(cell + bytes, at, length);
        bytes += length;
        at += length;
    }
    cell[bytes] = '\0';
    free(escaped);
    return characters;
}

static size_t measure_names(const struct cli_distinct *distinct, size_t count)
{
    char cell[CELL_BYTES];
    size_t width = strlen("text");
    for (size_t d = 0; d < count; d++) {
        const size_t length = write_cut(distinct[d].name, MOST_NAME, cell);
        width = length > width ? length : width;
    }
    return width;
}

/* Prints as many of the most frequent values as fit, at least one. */
static void print_frequent(const struct cli_distinct *distinct, size_t left)
{
    char cell[CELL_BYTES], count[32];
    for (size_t f = 0; f < distinct->frequent_count; f++) {
        const struct cli_key *key = &distinct->frequent[f];
        const size_t most = left > 16 ? left - 12 : 4;
        const size_t length = write_cut(key->text, f == 0 ? most : CELL_BYTES, cell);
        snprintf(count, sizeof count, " (%" PRIu64 ")", key->count);
        const size_t taken = length + strlen(count) + (f > 0 ? 2 : 0);
        if (f > 0 && taken > left)
            return;
        printf("%s%s%s", f > 0 ? ", " : "", cell, count);
        left -= taken < left ? taken : left;
    }
}

void cli_print_distinct(const struct cli_distinct *distinct, size_t count, size_t width)
{
    const size_t names = measure_names(distinct, count);
    const size_t taken = names + (size_t)(4 * GAP + 2 * COUNT_WIDTH);
    char cell[CELL_BYTES];
    printf("%*s%-*s%*s%*s  most frequent\n", GAP, "", (int)names, "text", GAP + COUNT_WIDTH,
           "missing", GAP + COUNT_WIDTH, "distinct");
    for (size_t d = 0; d < count; d++) {
        const size_t length = write_cut(distinct[d].name, MOST_NAME, cell);
        printf("%*s%s%*s%*" PRIu64, GAP, "", cell, (int)(names > length ? names - length : 0), "",
               GAP + COUNT_WIDTH, distinct[d].missing);
        char different[32];
        snprintf(different, sizeof different, "%s%zu", distinct[d].is_cut ? ">" : "",
                 distinct[d].count - distinct[d].is_cut);
        printf("%*s  ", GAP + COUNT_WIDTH, different);
        print_frequent(&distinct[d], width > taken ? width - taken : 0);
        putchar('\n');
    }
}
