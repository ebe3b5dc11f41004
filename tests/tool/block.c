/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a block line by line. Counts, positions, extremes and sums of integers must be exact; the
 * others may be off by rounding, of which much less is allowed than any other formula would need.
 */
#include "tests/tool/block.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 128 };

/* The value that stands after a label, or "" where the block does not have it. */
static const char *find_value(const char *text, const char *label, char value[LINE_BYTES])
{
    char start[LINE_BYTES];
    snprintf(start, sizeof start, "\n  %-20s", label);
    const char *line = strstr(text, start), *end = strstr(text, "\n\n");
    value[0] = '\0';
    if (line != NULL && (end == NULL || line < end))
        snprintf(value, LINE_BYTES, "%.*s", (int)strcspn(line + strlen(start), "\n"),
                 line + strlen(start));
    return value;
}

static bool matches_head(const char *text, const struct npy_file *file)
{
    char head[2 * LINE_BYTES], shape[LINE_BYTES] = "no dimensions";
    size_t used = 0;
    for (unsigned d = 0; d < file->dimensions; d++)
        used += (size_t)snprintf(shape + used, sizeof shape - used, "%s%zu", d > 0 ? " x " : "",
                                 file->shape[d]);
    char type[8];
    snprintf(type, sizeof type, "%c%u", file->kind, 8 * file->bytes);
    snprintf(head, sizeof head, "%s: %s, %s, %s%s", file->name, file->kind == 'b' ? "bool" : type,
             shape, file->bytes > 1 && file->is_big_endian ? "big-endian, " : "",
             file->is_fortran ? "Fortran order, " : "");
    return strncmp(text, head, strlen(head)) == 0;
}

static bool matches_count(const char *text, const char *label, size_t expected)
{
    char value[LINE_BYTES], number[LINE_BYTES];
    snprintf(number, sizeof number, "%zu", expected);
    return strcmp(find_value(text, label, value), number) == 0;
}

/* The position in brackets, of the element with this number in the file. */
static void print_position(const struct npy_file *file, size_t index, char text[LINE_BYTES])
{
    size_t place[NPY_FILE_MOST_DIMENSIONS] = {0}, used = 0;
    for (size_t i = 0; i < index; i++) { /* counts up, as an odometer does */
        unsigned d = file->is_fortran ? 0 : file->dimensions - 1;
        while (++place[d] == file->shape[d]) {
            place[d] = 0;
            d += file->is_fortran ? 1 : -1u;
        }
    }
    used += (size_t)snprintf(text, LINE_BYTES, " at [");
    for (unsigned d = 0; d < file->dimensions; d++)
        used +=
            (size_t)snprintf(text + used, LINE_BYTES - used, "%s%zu", d > 0 ? ", " : "", place[d]);
    snprintf(text + used, LINE_BYTES - used, "]");
}

static bool matches_extreme(const char *text, const char *label, const struct npy_file *file,
                            const struct reference *expected, bool is_minimum)
{
    char value[LINE_BYTES], position[LINE_BYTES];
    char *end;
    find_value(text, label, value);
    if (expected->nans == expected->count)
        return strcmp(value, "none") == 0;
    const long double read = strtold(value, &end);
    const long double extreme = is_minimum ? expected->minimum : expected->maximum;
    print_position(file, is_minimum ? expected->minimum_at : expected->maximum_at, position);
    return npy_file_round(file->kind, file->bytes, read) == extreme && strcmp(end, position) == 0;
}

/* A whole number in decimal, as high * 2^32 + low. */
static void read_whole(const char *text, int64_t *high, uint32_t *low)
{
    const bool is_negative = text[0] == '-';
    int64_t h = 0, l = 0;
    for (const char *at = text + is_negative; *at >= '0' && *at <= '9'; at++) {
        l = l * 10 + (*at - '0');
        h = h * 10 + (l >> 32);
        l &= 0xffffffff;
    }
    *high = is_negative ? -h - (l > 0) : h;
    *low = (uint32_t)(is_negative ? -l : l);
}

static bool is_near(const char *value, long double expected, long double allowed)
{
    char *end;
    const long double read = strtold(value, &end);
    if (*value == '\0' || *end != '\0')
        return false;
    if (isfinite(expected))
        return fabsl(read - expected) <= allowed;
    return isnan(expected) ? isnan(read) : read == expected;
}

static bool matches_sum(const char *text, const struct npy_file *file,
                        const struct reference *expected, long double allowed)
{
    char value[LINE_BYTES];
    int64_t high;
    uint32_t low;
    find_value(text, "sum", value);
    if (file->kind == 'f')
        return is_near(value, expected->sum, allowed);
    read_whole(value, &high, &low);
    return value[0] != '\0' && high == expected->sum_high && low == expected->sum_low;
}

/* A figure that exists where there are numbers enough. */
static bool matches_figure(const char *text, const char *label, bool exists, long double expected,
                           long double allowed)
{
    char value[LINE_BYTES];
    find_value(text, label, value);
    return exists ? is_near(value, expected, allowed) : strcmp(value, "none") == 0;
}

bool block_matches(const char *text, const struct npy_file *file, const struct reference *expected)
{
    const size_t numbers = expected->count - expected->nans;
    const long double allowed = 4e-15L * expected->absolute;
    const long double off = 1e-14L * expected->deviation;
    const bool deviates = expected->minimum != expected->maximum || expected->infinities > 0;
    const bool is_skewed = numbers > 2 && deviates;
    const long double leaning = 4e-14L * expected->absolute_skewness;
    const struct {
        const char *label;
        bool matches;
    } lines[] = {
        {"the head", matches_head(text, file)},
        {"count", matches_count(text, "count", expected->count)},
        {"NaN", matches_count(text, "NaN", expected->nans)},
        {"infinite", matches_count(text, "infinite", expected->infinities)},
        {"minimum", matches_extreme(text, "minimum", file, expected, true)},
        {"maximum", matches_extreme(text, "maximum", file, expected, false)},
        {"sum", matches_sum(text, file, expected, allowed)},
        {"mean",
         matches_figure(text, "mean", numbers > 0, expected->mean, allowed / (long double)numbers)},
        {"standard deviation",
         matches_figure(text, "standard deviation", numbers > 1, expected->deviation, off)},
        {"skewness", matches_figure(text, "skewness", is_skewed, expected->skewness, leaning)},
    };
    bool all_match = true;
    for (size_t l = 0; l < sizeof lines / sizeof *lines; l++) {
        if (!lines[l].matches)
            fprintf(stderr, "wrong: %s\n", lines[l].label);
        all_match &= lines[l].matches;
    }
    if (!all_match)
        fprintf(stderr,
                "%.600s\n(expected: sum %.20Lg, mean %.20Lg, deviation %.20Lg, skewness %.20Lg)\n",
                text, expected->sum, expected->mean, expected->deviation, expected->skewness);
    return all_match;
}
