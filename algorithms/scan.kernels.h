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
#define SCAN_BLOCKS 16
#define SCAN_SECTION (SCAN_BLOCK * SCAN_BLOCKS)
#define SCAN_LOADS 8  /* on other devices: elements that a work-item loads at a time */
#define SCAN_HELD 128 /* on the host: elements that are scanned at a time, in a near cache */

#define SCAN_TILE (SCAN_RUNS * (SCAN_RUN + 1)) /* a block in local memory */

/* In one pass a group scans so many blocks at a time, which fit in its local memory. */
#define SCAN_TAKEN_OF(T) (sizeof(double) / sizeof(T))

/* Items of all sub-groups except the first one look back at one section each: SCAN_WINDOW preceding
 * sections in all. */
#define SCAN_SUB_GROUP 32
#define SCAN_WINDOW (SCAN_RUNS - SCAN_SUB_GROUP)

/* Local memory of a group, besides its blocks. Words: the group's ticket, and the distance to the
 * nearest preceding section whose inclusive prefix is published. Values: the totals of the
 * section's blocks, the window of sections, and those below. */
enum { SCAN_TICKET, SCAN_NEAREST, SCAN_WORDS };
enum {
    SCAN_SECTIONS = SCAN_BLOCKS,
    SCAN_BEFORE_BLOCKS = SCAN_SECTIONS + SCAN_WINDOW,
    SCAN_BEFORE_SECTION = SCAN_BEFORE_BLOCKS + 2,
    SCAN_TOTAL, /* of the section */
    SCAN_SUMS
};

/* Contiguous rows of `length` elements each. On the host, rows = 0: the items are sections of one
 * row. */
typedef struct {
    uint64_t rows, length;
    uint64_t blocks, sections; /* of a row */
    int32_t from, to;          /* types of elements and of results */
    int32_t operation, is_exclusive;
} scan_work;

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
