/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays that are read region by region (tools/read/slabs.h), of random shapes, chunks and most
 * bytes of a slab, in pieces of random sizes, some of which are skipped: each element is its own
 * number, and must come in its turn.
 */
#include "tools/read/slabs.h"

#include "tests/support/check.h"

enum { MOST_DIMENSIONS = 4, MOST_SIZE = 9, MOST_ELEMENTS = 9 * 9 * 9 * 9, CASES = 2000 };

static uint64_t state;

static uint64_t draw(uint64_t below)
{
    return check_random(&state) % below;
}

/* What is asked for lies within the array, and is not more than a slab holds. */
static void check_region(const struct cli_layout *layout, const struct cli_region *region,
                         uint64_t most_bytes)
{
    uint64_t count = 1;
    for (unsigned d = 0; d < layout->dimensions; d++) {
        CHECK(region->count[d] > 0 && region->start[d] + region->count[d] <= layout->shape[d]);
        count *= region->count[d];
    }
    CHECK(count == 1 || count * sizeof(uint32_t) <= most_bytes);
}

struct numbers {
    const struct cli_array *array;
    uint64_t most_bytes;
    uint64_t regions; /* that were read */
};

/* Counts through the region as through the digits of a number. */
static bool read_region(void *data, const struct cli_region *region, void *into,
                        struct cli_failure *failure)
{
    struct numbers *numbers = data;
    const struct cli_layout *layout = &numbers->array->layout;
    uint64_t at[MOST_DIMENSIONS] = {0};
    uint32_t *values = into;
    (void)failure;
    numbers->regions++;
    check_region(layout, region, numbers->most_bytes);
    for (;;) {
        uint64_t number = 0;
        for (unsigned d = 0; d < layout->dimensions; d++)
            number = number * layout->shape[d] + region->start[d] + at[d];
        *values++ = (uint32_t)number;
        unsigned d = layout->dimensions;
        while (d > 0 && ++at[d - 1] == region->count[d - 1])
            at[--d] = 0;
        if (d == 0)
            return true;
    }
}

/* Reads the first bytes, in random pieces, or skips a share of them: one of `skips`; 0: none. */
static void read_numbers(const struct cli_array *array, uint64_t bytes, uint64_t skips,
                         uint32_t *values)
{
    struct cli_failure failure = {.text = ""};
    for (uint64_t at = 0; at < bytes;) {
        const uint64_t left = bytes - at, wanted = 1 + draw(3000);
        const size_t piece = (size_t)(wanted < left ? wanted : left);
        size_t got = piece;
        if (skips > 0 && draw(skips) == 0)
            array->skip(array, piece);
        else if (!CHECK(array->read(array, at, (char *)values + at, piece, &got, &failure)) ||
                 !CHECK_EQ(got, piece))
            return;
        at += got;
    }
}

static void check(void)
{
    static uint32_t values[MOST_ELEMENTS];
    struct cli_failure failure = {.text = ""};
    struct cli_array array = {.layout = {.element = {.type = CLI_ELEMENT_u32}, .count = 1}};
    struct numbers numbers = {.array = &array, .most_bytes = 4 + draw(4000)};
    struct cli_slabs slabs = {
        .most_bytes = numbers.most_bytes, .read_region = read_region, .data = &numbers};
    array.layout.dimensions = (unsigned)draw(MOST_DIMENSIONS + 1);
    for (unsigned d = 0; d < array.layout.dimensions; d++) {
        array.layout.shape[d] = draw(40) == 0 ? 0 : 1 + draw(MOST_SIZE);
        slabs.chunk[d] = 1 + draw(MOST_SIZE + 2);
        array.layout.count *= array.layout.shape[d];
    }
    if (!CHECK(cli_slabs_open(&slabs, &array, &failure)))
        return;
    const uint64_t bytes = cli_layout_bytes(&array.layout);
    read_numbers(&array, draw(bytes + 1), 0, values);
    cli_slabs_rewind(&slabs);
    read_numbers(&array, bytes, 0, values);
    cli_slabs_rewind(&slabs);
    read_numbers(&array, bytes, 2, values); /* over the same numbers */
    for (uint32_t i = 0; i < array.layout.count; i++)
        CHECK_EQ(values[i], i);
    cli_slabs_rewind(&slabs);
    numbers.regions = 0;
    read_numbers(&array, bytes, 1, values);
    CHECK_EQ(numbers.regions, 0);
    cli_slabs_close(&slabs);
}

int main(void)
{
    state = check_seed();
    for (int c = 0; c < CASES; c++)
        check();
    return check_finish();
}
