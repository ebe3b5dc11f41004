/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of quantiles, and their values.
 */
#include "tools/describe/quantiles.h"

#include "tools/describe/numbers.h"
#include "tools/message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The list ---------------------------------------------------------------------------------*/

enum { ITEM_BYTES = 64 };

/* The number of a text such as 99.9% that is nearest to it: 0.999, which 99.9 / 100 is not. */
static double read_percent(const char *text)
{
    char number[ITEM_BYTES + 4];
    snprintf(number, sizeof number, "%.*se-2", (int)strcspn(text, "%"), text);
    return strpbrk(text, "eE") == NULL ? strtod(number, NULL) : strtod(text, NULL) / 100;
}

/* Reads a number from 0 to 1, or from 0% to 100%; fails for any other text. */
static bool read_probability(const char text[ITEM_BYTES], double *probability)
{
    char *end;
    if ((text[0] < '0' || text[0] > '9') && text[0] != '.')
        return false;
    if (text[strspn(text, "0123456789.eE+-%")] != '\0')
        return false;
    *probability = strtod(text, &end);
    if (strcmp(end, "%") == 0) {
        *probability = read_percent(text);
        end++;
    }
    return end != text && *end == '\0' && *probability >= 0 && *probability <= 1;
}

bool cli_quantiles_read(const char *called, const char *text, struct cli_quantile_list *list)
{
    char item[ITEM_BYTES];
    list->count = 0;
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",");
        snprintf(item, sizeof item, "%.*s", (int)(length < ITEM_BYTES ? length : ITEM_BYTES - 1),
                 at);
        if (list->count == CLI_MOST_QUANTILES) {
            cli_complain_usage(called, "--quantiles: there are more than %d", CLI_MOST_QUANTILES);
            return false;
        }
        if (length > ITEM_BYTES - 2 ||
            !read_probability(item, &list->probabilities[list->count++])) {
            cli_complain_usage(
                called, "--quantiles: '%s' is not a number from 0 to 1, or from 0%% to 100%%",
                item);
            return false;
        }
        at += length;
        if (*at == '\0')
            return true;
    }
}

/* ---- Ranks ------------------------------------------------------------------------------------*/

/* The rank below or at the quantile, and the distance of the quantile from it to the next one. */
static uint64_t find_rank(double probability, uint64_t numbers, double *share)
{
    const double at = probability * (double)(numbers - 1);
    const double whole = floor(at);
    *share = at - whole;
    if (whole >= (double)(numbers - 1)) {
        *share = 0;
        return numbers - 1;
    }
    return (uint64_t)whole;
}

static int compare(const void *a, const void *b)
{
    const struct cli_rank *left = a, *right = b;
    return (left->rank > right->rank) - (left->rank < right->rank);
}

bool cli_quantiles_rank(const struct cli_quantile_list *list, const struct cli_summary *summary,
                        struct cli_ranks *ranks)
{
    const bool is_float = cli_element_kind(summary->type) == 'f';
    size_t count = 0, kept = 0;
    *ranks = (struct cli_ranks){.type = is_float ? CLI_ELEMENT_f64 : summary->type};
    if (summary->part.numbers == 0 || list->count == 0)
        return true;
    ranks->ranks = calloc(2 * list->count, sizeof *ranks->ranks);
    if (ranks->ranks == NULL)
        return false;
    for (size_t q = 0; q < list->count; q++) {
        double share;
        ranks->ranks[count++].rank =
            find_rank(list->probabilities[q], summary->part.numbers, &share);
        if (share > 0) {
            ranks->ranks[count].rank = ranks->ranks[count - 1].rank + 1;
            count++;
        }
    }
    qsort(ranks->ranks, count, sizeof *ranks->ranks, compare);
    for (size_t r = 0; r < count; r++)
        if (r == 0 || ranks->ranks[r].rank != ranks->ranks[kept - 1].rank)
            ranks->ranks[kept++] = ranks->ranks[r];
    ranks->count = kept;
    return true;
}

/* ---- Values -----------------------------------------------------------------------------------*/

/* Interpolates as numpy.quantile does, from the nearer end; but between a finite number and an
 * infinite one the quantile is infinite. */
static double interpolate(enum cli_element_type type, uint64_t a, uint64_t b, double share)
{
    const double from = cli_key_to_double(type, a), to = cli_key_to_double(type, b);
    const double apart = type == CLI_ELEMENT_f64 ? to - from : (double)(b - a);
    if (share == 0 || a == b)
        return from;
    if (isinf(apart))
        return from * (1 - share) + to * share;
    return share < 0.5 ? from + apart * share : to - apart * (1 - share);
}

/* Writes an estimate of a number between two others, with the digits that are certain. The value
 * becomes the number that is written, and the error a bound for both ends. */
static void write_about(double lowest, double highest, struct cli_quantile *quantile)
{
    const double middle = lowest / 2 + highest / 2, apart = highest / 2 - lowest / 2;
    if (!(apart > 0)) { /* as small as the smallest positive number */
        quantile->value = lowest;
        quantile->error = highest - lowest;
        cli_double_write(lowest, quantile->text);
        return;
    }
    const int place = (int)floor(log10(apart)) - 1; /* the error's second digit */
    const int size = middle != 0 ? (int)floor(log10(fabs(middle))) : place;
    const int digits = size - place + 1;
    char error[32];
    snprintf(quantile->text, sizeof quantile->text, "%.*g",
             digits < 1    ? 1
             : digits > 17 ? 17
                           : digits,
             middle);
    quantile->value = strtod(quantile->text, NULL);
    const double least = fmax(highest - quantile->value, quantile->value - lowest);
    snprintf(error, sizeof error, "%.1e", least);
    if (strtod(error, NULL) < least)
        snprintf(error, sizeof error, "%.1e",
                 strtod(error, NULL) + pow(10, floor(log10(least)) - 1));
    quantile->error = strtod(error, NULL);
}

static const struct cli_span *find_span(const struct cli_ranks *ranks, uint64_t rank)
{
    for (size_t r = 0; r < ranks->count; r++)
        if (ranks->ranks[r].rank == rank)
            return &ranks->ranks[r].span;
    return NULL;
}

static void write_exact(enum cli_element_type type, uint64_t a, uint64_t b, double share,
                        struct cli_quantile *quantile)
{
    const bool is_float = cli_element_kind(type) == 'f';
    quantile->value = interpolate(is_float ? CLI_ELEMENT_f64 : type, a, b, share);
    if (a == b || share == 0)
        cli_key_write(type, a, quantile->text);
    else
        cli_double_write(quantile->value, quantile->text);
}

/* The error of the conversion to double, which may map different integers to one double. */
static double error_of_rounding(enum cli_element_type type, const struct cli_span *a,
                                const struct cli_span *b, double value)
{
    if (type == CLI_ELEMENT_f64)
        return 0;
    return (double)(b->highest - a->lowest) + (nextafter(fabs(value), INFINITY) - fabs(value));
}

void cli_quantile_find(double probability, const struct cli_summary *summary,
                       const struct cli_ranks *ranks, struct cli_quantile *quantile)
{
    double share;
    *quantile = (struct cli_quantile){.probability = probability};
    if (summary->part.numbers == 0)
        return;
    const uint64_t rank = find_rank(probability, summary->part.numbers, &share);
    const struct cli_span *a = find_span(ranks, rank);
    const struct cli_span *b = share > 0 ? find_span(ranks, rank + 1) : a;
    quantile->is_there = a != NULL && b != NULL;
    if (!quantile->is_there)
        return;
    const double lowest = interpolate(ranks->type, a->lowest, b->lowest, share);
    const double highest = interpolate(ranks->type, a->highest, b->highest, share);
    if (a->lowest == a->highest && b->lowest == b->highest)
        write_exact(summary->type, a->lowest, b->lowest, share, quantile);
    else if (lowest == highest || !isfinite(lowest) || !isfinite(highest)) {
        quantile->value = isfinite(lowest) ? highest : lowest;
        quantile->error =
            lowest == highest ? error_of_rounding(ranks->type, a, b, lowest) : INFINITY;
        cli_double_write(quantile->value, quantile->text);
    } else
        write_about(lowest, highest, quantile);
}
