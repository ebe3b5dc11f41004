/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts of numbers in buckets whose width is a fixed share of their distance from a pivot, from
 * one pass, in little memory: so the quantiles and the histogram of what can be read only once are
 * known within a stated error, and those of a file from one more pass, which knows where to look.
 *
 * A bucket is a sign, an exponent and the leading bits of the fraction of a double. The buckets of
 * an exponent are a page, which is there once a number needs it; where the pages become too many
 * for the memory, every two neighbours of all buckets become one. So the buckets depend on the
 * numbers alone, not on their order, nor on how they were shared out among threads.
 *
 * Besides its counters, which take most_bytes or, where that is too little for one of each page, 8
 * bytes a page, a sketch takes less than 200 bytes and 128 a leaf: 64 exponents of a sign.
 */
#ifndef CLI_SKETCH_H
#define CLI_SKETCH_H

#include "src/cli/read/element.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLI_SKETCH_LEAVES = 64, CLI_SKETCH_LEAF_PAGES = 64, CLI_SKETCH_HALF_BITS = 10 };

struct cli_sketch {
    double pivot;
    unsigned bits;                            /* of the fraction that tell buckets apart */
    size_t most_bytes, room;                  /* of counters; counters that there is memory for */
    size_t leaf_count, page_count;            /* that are there, and have numbers from 1 */
    uint8_t leaves[CLI_SKETCH_LEAVES];        /* 0: no page */
    uint16_t (*pages)[CLI_SKETCH_LEAF_PAGES]; /* of each leaf; 0: it is not there */
    uint64_t *counts;                         /* the pages, one after the other */
    double least, greatest;                   /* of the finite numbers */
};

/* Buckets that are no pages yet. Where a type has few numbers (of 8 and 16 bits), each has its own,
 * and the pivot is to be 0. */
void cli_sketch_begin(struct cli_sketch *sketch, enum cli_element_type type, double pivot,
                      size_t most_bytes);
void cli_sketch_free(struct cli_sketch *sketch);

/* Counts numbers, of which none is a NaN. False: there is no memory. */
bool cli_sketch_count(struct cli_sketch *sketch, const double *numbers, size_t count);
bool cli_sketch_merge(struct cli_sketch *into, const struct cli_sketch *from);

/* A bucket that is not empty: its number, and how many numbers it and the ones below it have. */
struct cli_bucket {
    uint64_t number;
    uint64_t count, below;
    unsigned bits; /* the sketch's */
};

/* The next one above; `bucket` is {.count = 0} at first. False: there is none. */
bool cli_sketch_next(const struct cli_sketch *sketch, struct cli_bucket *bucket);

/* The number of the bucket that a number is in, or would be. */
uint64_t cli_sketch_find(const struct cli_sketch *sketch, double number);

/* Which numbers may be in a bucket, by rounded arithmetic: for drawing. */
void cli_sketch_bounds(const struct cli_sketch *sketch, const struct cli_bucket *bucket,
                       double *least, double *greatest);

#endif
