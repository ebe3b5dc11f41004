/* SPDX-License-Identifier: Apache-2.0
 *
 * Divides an array into slabs, and returns their bytes in order.
 */
#include "tools/read/slabs.h"

#include "tools/interrupt.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MIB ((uint64_t)1 << 20)

/* The size of a slab with small chunks; the largest one, for a slab with a row of large chunks. If
 * that is too small, chunks are read more than once. */
#define SLAB_BYTES (4 * MIB)
#define MOST_SLAB_BYTES (256 * MIB)
#define MOST_CHUNK_BYTES (1024 * MIB)

static bool check_chunk(const struct cli_slabs *slabs, const struct cli_layout *layout,
                        struct cli_failure *failure)
{
    uint64_t bytes = cli_element_bytes(layout->element.type);
    for (unsigned d = 0; d < layout->dimensions; d++) {
        if (slabs->chunk[d] == 0 || slabs->chunk[d] > MOST_CHUNK_BYTES / bytes)
            return cli_fail(failure, "its chunks are larger than 1 GiB");
        bytes *= slabs->chunk[d];
    }
    return true;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns the bytes of a whole slab. The array has elements. */
static uint64_t divide(struct cli_slabs *slabs, const struct cli_layout *layout)
{
    const uint64_t most = slabs->most_bytes > 0 ? slabs->most_bytes : MOST_SLAB_BYTES;
    const uint64_t good = least(most, SLAB_BYTES);
    uint64_t row_bytes = layout->count * cli_element_bytes(layout->element.type);
    if (layout->dimensions == 0)
        return row_bytes;
    unsigned cut = 0;
    for (row_bytes /= layout->shape[0]; row_bytes > most;)
        row_bytes /= layout->shape[++cut];
    const uint64_t chunk = slabs->chunk[cut];
    uint64_t rows = row_bytes < good ? good / row_bytes : 1;
    rows = rows < chunk ? least(chunk, most / row_bytes) : rows - rows % chunk;
    slabs->cut = cut;
    slabs->rows = least(rows, layout->shape[cut]);
    for (unsigned d = 0; d < layout->dimensions; d++)
        slabs->region.count[d] = d < cut ? 1 : layout->shape[d];
    slabs->region.count[cut] = slabs->rows;
    return slabs->rows * row_bytes;
}

/* Continues to the next region; the last one in a dimension has the rest. */
static void advance(struct cli_slabs *slabs, const struct cli_layout *layout)
{
    struct cli_region *region = &slabs->region;
    if (layout->dimensions == 0)
        return;
    region->start[slabs->cut] += region->count[slabs->cut];
    for (unsigned d = slabs->cut; d > 0 && region->start[d] == layout->shape[d]; d--) {
        region->start[d] = 0;
        region->start[d - 1]++;
    }
    region->count[slabs->cut] =
        least(slabs->rows, layout->shape[slabs->cut] - region->start[slabs->cut]);
}

/* Once the current slab is used up, makes the next one the current one, without reading it. */
static void begin_slab(struct cli_slabs *slabs, const struct cli_layout *layout)
{
    uint64_t bytes = cli_element_bytes(layout->element.type);
    if (slabs->taken < slabs->slab_bytes)
        return;
    for (unsigned d = 0; d < layout->dimensions; d++)
        bytes *= slabs->region.count[d];
    slabs->current = slabs->region;
    slabs->slab_bytes = (size_t)bytes;
    slabs->taken = 0;
    slabs->is_read = false;
    advance(slabs, layout);
}

static bool read_slab(struct cli_slabs *slabs, struct cli_failure *failure)
{
    if (!slabs->read_region(slabs->data, &slabs->current, slabs->slab, failure))
        return false;
    if (slabs->packing.is_packed)
        cli_packing_unpack(&slabs->packing, slabs->slab, slabs->slab_bytes / sizeof(double));
    slabs->is_read = true;
    return true;
}

static bool read_next(const struct cli_array *array, uint64_t first, void *into, size_t bytes,
                      size_t *count, struct cli_failure *failure)
{
    struct cli_slabs *slabs = array->data;
    (void)first;
    for (*count = 0; *count < bytes && !cli_is_interrupted();) {
        begin_slab(slabs, &array->layout);
        if (!slabs->is_read && !read_slab(slabs, failure))
            return false;
        const size_t held = slabs->slab_bytes - slabs->taken;
        const size_t part = held < bytes - *count ? held : bytes - *count;
        memcpy((char *)into + *count, (char *)slabs->slab + slabs->taken, part);
        slabs->taken += part;
        *count += part;
    }
    return true;
}

static void skip(const struct cli_array *array, size_t bytes)
{
    struct cli_slabs *slabs = array->data;
    while (bytes > 0) {
        begin_slab(slabs, &array->layout);
        const size_t held = slabs->slab_bytes - slabs->taken;
        const size_t part = held < bytes ? held : bytes;
        slabs->taken += part;
        bytes -= part;
    }
}

bool cli_slabs_open(struct cli_slabs *slabs, struct cli_array *array, struct cli_failure *failure)
{
    array->data = slabs;
    array->read = read_next;
    array->skip = skip;
    slabs->region = (struct cli_region){.start = {0}};
    slabs->taken = slabs->slab_bytes = 0;
    if (!check_chunk(slabs, &array->layout, failure))
        return false;
    if (array->layout.count == 0)
        return true;
    array->slab_bytes = (size_t)divide(slabs, &array->layout);
    slabs->slab = malloc(array->slab_bytes);
    return slabs->slab != NULL || cli_fail(failure, "%s", strerror(ENOMEM));
}

void cli_slabs_rewind(struct cli_slabs *slabs)
{
    memset(slabs->region.start, 0, sizeof slabs->region.start);
    slabs->region.count[slabs->cut] = slabs->rows;
    slabs->taken = slabs->slab_bytes = 0;
}

void cli_slabs_close(struct cli_slabs *slabs)
{
    free(slabs->slab);
    slabs->slab = NULL;
}
