/* SPDX-License-Identifier: Apache-2.0
 *
 * Scans, for each type in which they compute. The order of additions is that of reap_array_scan():
 * SCAN_RUN elements are a run, SCAN_RUNS runs a block, SCAN_BLOCKS blocks a section, SCAN_SECTIONS
 * sections a region.
 *
 * All types are in one file, since a device's kernel comes from one file.
 */
#ifndef REAP_ALGORITHMS_SCAN_KERNELS_H
#define REAP_ALGORITHMS_SCAN_KERNELS_H

#include "algorithms/numbers.kernels.h"

REAP_KERNEL_FILE

#define SCAN_RUN 16
#define SCAN_RUNS 16
#define SCAN_BLOCK (SCAN_RUN * SCAN_RUNS)
#define SCAN_BLOCKS 32
#define SCAN_SECTION (SCAN_BLOCK * SCAN_BLOCKS)
#define SCAN_SECTIONS 32
#define SCAN_REGION (SCAN_SECTION * SCAN_SECTIONS)
#define SCAN_HELD 128 /* on the host: elements that are scanned at a time, in a near cache */

/* Elements of type T in local memory have a gap after every 128 bytes, and totals of runs after
 * those of a block. So items that copy, and items that scan, use different banks. */
#define SCAN_IN_TILE(T, i) ((i) + (i) / (128 / sizeof(T)))
#define SCAN_RUN_AT(r) ((r) / SCAN_RUNS * (SCAN_RUNS + 1) + (r) % SCAN_RUNS)

/* On other devices than the host an item that combines values loads so many ahead. */
#define SCAN_AHEAD 8
#define SCAN_ROUND_UP(count) (((count) + SCAN_AHEAD - 1) / SCAN_AHEAD * SCAN_AHEAD)

/* In two passes, on other devices than the host: a group scans a tile, each item a run. */
#define SCAN_TILE_BLOCKS 8
#define SCAN_TILE (SCAN_TILE_BLOCKS * SCAN_BLOCK)
#define SCAN_TILE_ITEMS (SCAN_TILE / SCAN_RUN)
#define SCAN_LOADS 8 /* elements that an item loads at a time */

/* In one pass a group scans a section, or one after another: each item scans two runs. One of its
 * sub-groups looks at the preceding sections of the region, one at so many preceding regions as it
 * has items. */
#define SCAN_SUB_GROUP 32
#define SCAN_GROUP (SCAN_SECTION / SCAN_RUN / 2)
#define SCAN_BATCH 16 /* elements that an item loads at a time */

/* Local memory for a section: the elements, SCAN_IN_TILE(T, SCAN_SECTION); the total before each
 * run in its block; and the values below. */
enum {
    SCAN_TILE_RUNS = SCAN_RUN_AT(SCAN_TILE_ITEMS),
    SCAN_SECTION_RUNS = SCAN_RUN_AT(SCAN_SECTION / SCAN_RUN)
};
enum {
    SCAN_BEFORE_BLOCKS = 0,                                   /* the total before each block */
    SCAN_SECTION_TOTALS = SCAN_BLOCKS,                        /* of the region */
    SCAN_REGION_TOTALS = SCAN_SECTION_TOTALS + SCAN_SECTIONS, /* of preceding regions */
    SCAN_TOTAL = SCAN_REGION_TOTALS + SCAN_SUB_GROUP,         /* of the section */
    SCAN_BEFORE_SECTION,                                      /* in the region */
    SCAN_BEFORE_REGION, /* in the row, and the initial value */
    SCAN_SUMS
};

/* Contiguous rows of `length` elements each. On the host, rows = 0: the items are sections of one
 * row. */
typedef struct {
    uint64_t rows, length;
    uint64_t tiles, sections, regions; /* of a row */
    int32_t from, to;                  /* types of elements and of results */
    int32_t operation, is_exclusive;
    uint64_t first_ticket; /* in one pass: of this launch */
    uint64_t turn;         /* in one pass: the number of this launch, from 1 to 2^32 - 1 */
} scan_work;

/* In two passes: parts that are combined, blocks or sections, and what these are parts of. */
typedef struct {
    uint64_t parts, parents;           /* of a row */
    uint64_t each;                     /* parts of a parent, at most */
    uint64_t first_part, first_parent; /* where their totals begin */
} scan_level;

#define NAME i32
#define WORK int32_t
#define KIND WORK_INTEGER_32
#include "algorithms/scan.kernels_tmpl.h"

#define NAME i64
#define WORK int64_t
#define KIND WORK_INTEGER
#include "algorithms/scan.kernels_tmpl.h"

#define NAME f32
#define WORK float
#define KIND WORK_SINGLE
#include "algorithms/scan.kernels_tmpl.h"

#define NAME f64
#define WORK double
#define KIND WORK_DOUBLE
#include "algorithms/scan.kernels_tmpl.h"

#endif
