/* SPDX-License-Identifier: Apache-2.0
 *
 * An array that its format's library reads region by region, in slabs: consecutive parts of the
 * array in the order of its elements and, if memory allows, whole numbers of its chunks, so that
 * each chunk is decompressed once.
 */
#ifndef CLI_SLABS_H
#define CLI_SLABS_H

#include "tools/read/array.h"
#include "tools/read/packing.h"

/* A region of an array: its begin and size in each dimension. */
struct cli_region {
    uint64_t start[CLI_MOST_DIMENSIONS];
    uint64_t count[CLI_MOST_DIMENSIONS];
};

struct cli_slabs {
    /* Set by the format's reader. */
    uint64_t chunk[CLI_MOST_DIMENSIONS]; /* the shape of a chunk; all 1: no chunks */
    uint64_t most_bytes;                 /* of a slab; 0: a default */
    struct cli_packing packing;          /* if is_packed, the element is a native f64 */
    bool (*read_region)(void *data, const struct cli_region *region, void *into,
                        struct cli_failure *failure);
    void *data;

    /* Private. */
    void *slab;
    size_t slab_bytes, taken; /* of the current slab */
    bool is_read;             /* whether the current slab was read */
    struct cli_region current;
    unsigned
        cut; /* the dimension in which slabs are consecutive; in those before it their size is 1 */
    uint64_t rows;            /* of that dimension in a slab */
    struct cli_region region; /* the next one */
};

/* Sets the array's functions. */
bool cli_slabs_open(struct cli_slabs *slabs, struct cli_array *array, struct cli_failure *failure);
void cli_slabs_rewind(struct cli_slabs *slabs); /* the array is read from its beginning again */
void cli_slabs_close(struct cli_slabs *slabs);

#endif
