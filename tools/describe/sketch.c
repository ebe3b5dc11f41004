/* SPDX-License-Identifier: Apache-2.0
 *
 * The buckets' counts, in pages.
 */
#include "tools/describe/sketch.h"

#include "tools/describe/numbers.h"
#include "tools/kernels/describe_part.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FRACTION_BITS = 52, MOST_BITS = 12, LEAF_BITS = 6 };

/* The initial number of bits: sufficient to distinguish all numbers of a type of 8 or 16 bits. */
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

static uint64_t *find_page(const struct cli_sketch *sketch, uint64_t exponent)
{
    const size_t leaf = sketch->leaves[exponent >> LEAF_BITS];
    const size_t page = leaf > 0 ? sketch->pages[leaf - 1][exponent % CLI_SKETCH_LEAF_PAGES] : 0;
    return page > 0 ? sketch->counts + ((page - 1) << sketch->bits) : NULL;
}

/* Merges every two neighbouring buckets into one. */
static void halve(struct cli_sketch *sketch)
{
    const size_t half = sketch->page_count << --sketch->bits;
    assert(half == 0 || sketch->counts != NULL);
    for (size_t i = 0; i < half; i++)
        sketch->counts[i] = sketch->counts[2 * i] + sketch->counts[2 * i + 1];
}

static bool add_leaf(struct cli_sketch *sketch, uint8_t *leaf)
{
    const size_t size = sizeof *sketch->pages;
    void *pages = realloc(sketch->pages, (sketch->leaf_count + 1) * size);
    if (pages == NULL)
        return false;
    sketch->pages = pages;
    memset(sketch->pages[sketch->leaf_count], 0, size);
    *leaf = (uint8_t)++sketch->leaf_count;
    return true;
}

/* Doubles the capacity if needed, up to the limit. */
static bool reserve(struct cli_sketch *sketch, size_t needed)
{
    const size_t most = sketch->most_bytes / sizeof *sketch->counts;
    size_t capacity = 2 * sketch->capacity < most ? 2 * sketch->capacity : most;
    capacity = capacity > needed ? capacity : needed;
    if (needed <= sketch->capacity)
        return true;
    uint64_t *counts = realloc(sketch->counts, capacity * sizeof *counts);
    if (counts == NULL)
        return false;
    sketch->counts = counts;
    sketch->capacity = capacity;
    return true;
}

static bool add_page(struct cli_sketch *sketch, uint64_t exponent)
{
    uint8_t *leaf = &sketch->leaves[exponent >> LEAF_BITS];
    const size_t count = sketch->page_count + 1;
    if (*leaf == 0 && !add_leaf(sketch, leaf))
        return false;
    while (sketch->bits > 0 && count * sizeof *sketch->counts << sketch->bits > sketch->most_bytes)
        halve(sketch);
    if (!reserve(sketch, count << sketch->bits))
        return false;
    assert(sketch->counts != NULL);
    memset(sketch->counts + (sketch->page_count << sketch->bits), 0,
           sizeof *sketch->counts << sketch->bits);
    sketch->pages[*leaf - 1][exponent % CLI_SKETCH_LEAF_PAGES] = (uint16_t)count;
    sketch->page_count = count;
    return true;
}

void cli_sketch_free(struct cli_sketch *sketch)
{
    free(sketch->pages);
    free(sketch->counts);
    *sketch = (struct cli_sketch){.pages = NULL};
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

/* ---- Between ranks ----------------------------------------------------------------------------*/

void cli_sketch_put(const struct cli_sketch *sketch, struct cli_packet *packet)
{
    cli_packet_put(packet, sketch, sizeof *sketch);
    cli_packet_put(packet, sketch->pages, sketch->leaf_count * sizeof *sketch->pages);
    cli_packet_put_words(packet, sketch->counts, sketch->page_count << sketch->bits);
}

bool cli_sketch_get(struct cli_sketch *into, struct cli_packet *packet)
{
    struct cli_sketch from;
    cli_packet_get(packet, &from, sizeof from);
    from.capacity = from.page_count << from.bits;
    from.pages = calloc(from.leaf_count + 1, sizeof *from.pages);
    from.counts = calloc(from.capacity + 1, sizeof *from.counts);
    bool is_fine = from.pages != NULL && from.counts != NULL;
    if (is_fine) {
        cli_packet_get(packet, from.pages, from.leaf_count * sizeof *from.pages);
        cli_packet_get_words(packet, from.counts, from.capacity);
        is_fine = !packet->has_failed && cli_sketch_merge(into, &from);
    }
    cli_sketch_free(&from);
    return is_fine;
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

/* The bits of a bucket's last number that follow the leading ones are all ones; adding the pivot
 * may overflow to infinity. */
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
