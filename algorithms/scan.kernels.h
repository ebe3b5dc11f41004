/* SPDX-License-Identifier: Apache-2.0
 *
 * Scans, for each type of the arithmetic. Their order is that of reap_array_scan():
 * SCAN_RUN elements are a run, SCAN_RUNS of them a block, SCAN_BLOCKS of those a section.
 *
 * All types are in one file, since devices take a kernel from one.
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
#define SCAN_LOADS 8  /* of a work-item, at a time, on other devices */
#define SCAN_HELD 128 /* elements that a work-item holds, in the nearest cache, on the host */

#define SCAN_TILE (SCAN_RUNS * (SCAN_RUN + 1)) /* a block in local memory */

/* In one pass a group takes so many blocks at a time, for which it has local memory. */
#define SCAN_TAKEN_OF(T) (sizeof(double) / sizeof(T))

/* The items of the other sub-groups than the first look back at one section each: at a window of
 * the nearest. */
#define SCAN_SUB_GROUP 32
#define SCAN_WINDOW (SCAN_RUNS - SCAN_SUB_GROUP)

/* Local memory of a group, beside that of its blocks: words (the number of what it has taken, and
 * how many sections before its own the nearest is whose end's sum is published); and values, first
 * the totals of a section's blocks. */
enum { SCAN_TICKET, SCAN_NEAREST, SCAN_WORDS };
enum {
    SCAN_SECTIONS = SCAN_BLOCKS,
    SCAN_BEFORE_BLOCKS = SCAN_SECTIONS + SCAN_WINDOW,
    SCAN_BEFORE_SECTION = SCAN_BEFORE_BLOCKS + 2,
    SCAN_TOTAL, /* of the section */
    SCAN_SUMS
};

/* Rows one after the other, of `length` elements each. On the host 0 rows are sections of one. */
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
