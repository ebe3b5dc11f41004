/* SPDX-License-Identifier: Apache-2.0
 *
 * Scans, for each type in which they compute. The order of additions is that of reap_array_scan():
 * SCAN_RUN elements are a run, SCAN_RUNS runs a block, SCAN_BLOCKS blocks a section.
 *
 * All types are in one file, since a device's kernel comes from one file.
 */
#ifndef REAP_ALGORITHMS_SCAN_KERNELS_H
#define REAP_ALGORITHMS_SCAN_KERNELS_H

#include "algorithms/numbers.kernels.h"

REAP_KERNEL_FILE

#define SCAN_RUN 16
#define SCAN_RUNS 128
#define SCAN_BLOCK (SCAN_RUN * SCAN_RUNS)
#define SCAN_BLOCKS 4
#define SCAN_SECTION (SCAN_BLOCK * SCAN_BLOCKS)
#define SCAN_LOADS 8  /* on other devices: elements that a work-item loads at a time */
#define SCAN_HELD 128 /* on the host: elements that are scanned at a time, in a near cache */

#define SCAN_TILE (SCAN_RUNS * (SCAN_RUN + 1)) /* a block in local memory */

/* In one pass a group scans a section: each item scans two runs. Its second sub-group looks back at
 * SCAN_WINDOW preceding sections. */
#define SCAN_SUB_GROUP 32
#define SCAN_GROUP (SCAN_BLOCKS * SCAN_RUNS / 2)
#define SCAN_BATCH 16 /* elements that an item loads at a time */
#define SCAN_LOOKS 4  /* sections that each item of it looks at */
#define SCAN_WINDOW (SCAN_LOOKS * SCAN_SUB_GROUP)

/* Local memory of the group: the elements; the total before each run, where those of a block are
 * SCAN_RUNS + 1 apart, so that items that scan blocks read different banks; and the values below.
 */
#define SCAN_RUN_AT(r) ((r) / SCAN_RUNS * (SCAN_RUNS + 1) + (r) % SCAN_RUNS)
enum {
    SCAN_SECTION_TILE = SCAN_BLOCKS * SCAN_TILE,
    SCAN_SECTION_RUNS = SCAN_BLOCKS * (SCAN_RUNS + 1)
};
enum {
    SCAN_BEFORE_BLOCKS = SCAN_WINDOW,              /* the total before each block, in the section */
    SCAN_TOTAL = SCAN_BEFORE_BLOCKS + SCAN_BLOCKS, /* of the section */
    SCAN_BEFORE_SECTION,
    SCAN_SUB_GROUP_TOTALS,
    SCAN_SUMS = SCAN_SUB_GROUP_TOTALS + 2 * SCAN_GROUP / SCAN_SUB_GROUP
};

/* Contiguous rows of `length` elements each. On the host, rows = 0: the items are sections of one
 * row. */
typedef struct {
    uint64_t rows, length;
    uint64_t blocks, sections; /* of a row */
    int32_t from, to;          /* types of elements and of results */
    int32_t operation, is_exclusive;
    uint64_t first_ticket; /* in one pass: of this launch */
    uint64_t turn;         /* in one pass: the number of this launch, from 1 to 2^32 - 1 */
} scan_work;

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
