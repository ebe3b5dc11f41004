/* SPDX-License-Identifier: Apache-2.0
 *
 * Pages of counts.
 */
#include "src/cli/describe/sketch.h"

#include "kernels/describe_part.h"
#include "src/cli/describe/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FRACTION_BITS = 52, MOST_BITS = 12, LEAF_BITS = 6 };

/* Enough for each number of a type of 8 or 16 bits. */
static unsigned choose_bits(enum cli_element_type type)
{
    switch (type) {
    case CLI_ELEMENT_boolean:
    case CLI_ELEMENT_i8:
    case CLI_ELEMENT_u8:
        return 7;
    case CLI_ELEMENT_i16:
    case CLI_ELEMENT_u16:
        return 15;
    case CLI_ELEMENT_f16:
        return CLI_SKETCH_HALF_BITS;
    default:
        return MOST_BITS;
    }
}

void cli_sketch_begin(struct cli_sketch *sketch, enum cli_element_type type, double pivot,
                      size_t most_bytes)
{
    *sketch = (struct cli_sketch){.pivot = pivot,
                                  .bits = choose_bits(type),
                                  .most_bytes = most_bytes,
                                  .least = INFINITY,
                                  .greatest = -INFINITY};
}

/* ---- Pages ------------------------------------------------------------------------------------*/

static uint64_t *find_page(const struct cli_sketch *sketch, uint64_t page)
{
    uint64_t **leaf = sketch->leaves[page >> LEAF_BITS];
    return leaf != NULL ? leaf[page % CLI_SKETCH_LEAF_PAGES] : NULL;
}

/* Makes one bucket of two neighbours. */
static void halve_page(uint64_t *counts, size_t half)
{
    for (size_t i = 0; i < half; i++)
        counts[i] = counts[2 * i] + counts[2 * i + 1];
}

static void halve(struct cli_sketch *sketch)
{
    const size_t half = (size_t)1 << --sketch->bits;
    for (size_t l = 0; l < CLI_SKETCH_LEAVES; l++)
        for (size_t p = 0; p < CLI_SKETCH_LEAF_PAGES && sketch->leaves[l] != NULL; p++) {
            uint64_t **page = &sketch->leaves[l][p];
            if (*page == NULL)
                continue;
            halve_page(*page, half);
            uint64_t *smaller = realloc(*page, half * sizeof **page);
            *page = smaller != NULL ? smaller : *page;
        }
}

static bool add_page(struct cli_sketch *sketch, uint64_t page)
{
    uint64_t ***leaf = &sketch->leaves[page >> LEAF_BITS];
    if (*leaf == NULL)
        *leaf = calloc(CLI_SKETCH_LEAF_PAGES, sizeof **leaf);
    if (*leaf == NULL)
        return false;
    sketch->page_count++;
    while (sketch->bits > 0 &&
           sketch->page_count * sizeof(uint64_t) << sketch->bits > sketch->most_bytes)
        halve(sketch);
    uint64_t *counts = calloc((size_t)1 << sketch->bits, sizeof *counts);
    (*leaf)[page % CLI_SKETCH_LEAF_PAGES] = counts;
    return counts != NULL;
}

void cli_sketch_free(struct cli_sketch *sketch)
{
    for (size_t l = 0; l < CLI_SKETCH_LEAVES; l++) {
        for (size_t p = 0; p < CLI_SKETCH_LEAF_PAGES && sketch->leaves[l] != NULL; p++)
            free(sketch->leaves[l][p]);
        free(sketch->leaves[l]);
        sketch->leaves[l] = NULL;
    }
}

/* ---- Counting ---------------------------------------------------------------------------------*/

static void find_extremes(struct cli_sketch *sketch, const double *numbers, size_t count)
{
    double least = sketch->least, greatest = sketch->greatest;
    for (size_t i = 0; i < count; i++) {
        const double number = numbers[i];
        least = number < least && number != -INFINITY ? number : least;
        greatest = number > greatest && number != INFINITY ? number : greatest;
    }
    sketch->least = least;
    sketch->greatest = greatest;
}

bool cli_sketch_count(struct cli_sketch *sketch, const double *numbers, size_t count)
{
    const double pivot = sketch->pivot;
    unsigned bits = sketch->bits;
    find_extremes(sketch, numbers, count);
    for (size_t i = 0; i < count; i++) {
        const uint64_t key = describe_key_of_float(numbers[i] - pivot);
        uint64_t *page = find_page(sketch, key >> FRACTION_BITS);
        if (page == NULL) {
            if (!add_page(sketch, key >> FRACTION_BITS))
                return false;
            bits = sketch->bits;
            page = find_page(sketch, key >> FRACTION_BITS);
        }
        page[key >> (FRACTION_BITS - bits) & (((uint64_t)1 << bits) - 1)]++;
    }
    return true;
}

static void merge_page(uint64_t *into, unsigned into_bits, const uint64_t *from, unsigned from_bits)
{
    for (size_t i = 0; i < (size_t)1 << from_bits; i++)
        into[i >> (from_bits - into_bits)] += from[i];
}

bool cli_sketch_merge(struct cli_sketch *into, const struct cli_sketch *from)
{
    into->least = from->least < into->least ? from->least : into->least;
    into->greatest = from->greatest > into->greatest ? from->greatest : into->greatest;
    while (into->bits > from->bits)
        halve(into);
    for (uint64_t p = 0; p < (uint64_t)CLI_SKETCH_LEAVES * CLI_SKETCH_LEAF_PAGES; p++) {
        const uint64_t *page = find_page(from, p);
        if (page == NULL)
            continue;
        if (find_page(into, p) == NULL && !add_page(into, p))
            return false;
        merge_page(find_page(into, p), into->bits, page, from->bits);
    }
    return true;
}

/* ---- Buckets ----------------------------------------------------------------------------------*/

bool cli_sketch_next(const struct cli_sketch *sketch, struct cli_bucket *bucket)
{
    const uint64_t mask = ((uint64_t)1 << sketch->bits) - 1;
    uint64_t number = bucket->count > 0 ? bucket->number + 1 : 0;
    bucket->below += bucket->count;
    bucket->bits = sketch->bits;
    while (number >> sketch->bits < (uint64_t)CLI_SKETCH_LEAVES * CLI_SKETCH_LEAF_PAGES) {
        const uint64_t *page = find_page(sketch, number >> sketch->bits);
        if (page != NULL && page[number & mask] > 0) {
            bucket->number = number;
            bucket->count = page[number & mask];
            return true;
        }
        number = page == NULL ? (number | mask) + 1 : number + 1;
    }
    bucket->count = 0;
    return false;
}

uint64_t cli_sketch_find(const struct cli_sketch *sketch, double number)
{
    return describe_key_of_float(number - sketch->pivot) >> (FRACTION_BITS - sketch->bits);
}

/* A bucket's last number has ones below its leading bits; where an infinity follows, so be it. */
void cli_sketch_bounds(const struct cli_sketch *sketch, const struct cli_bucket *bucket,
                       double *least, double *greatest)
{
    const unsigned rest = FRACTION_BITS - sketch->bits;
    const uint64_t first = bucket->number << rest, last = first | (((uint64_t)1 << rest) - 1);
    *least = cli_key_to_double(CLI_ELEMENT_f64, first) + sketch->pivot;
    *greatest = cli_key_to_double(CLI_ELEMENT_f64, last) + sketch->pivot;
    *least = *least >= sketch->least ? *least : sketch->least;
    *greatest = *greatest <= sketch->greatest ? *greatest : sketch->greatest;
}
