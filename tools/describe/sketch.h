/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts of numbers in buckets whose width is a fixed fraction of their distance from a pivot, in
 * one pass and little memory. From these, the quantiles and the histogram of data that can be read
 * only once are estimated with a known bound of the error; those of a file are found exactly by
 * further passes over few buckets.
 *
 * A bucket is a sign, an exponent and the leading bits of the fraction of a double. The buckets of
 * an exponent are a page, which is allocated once a number needs it; if the pages exceed the
 * memory, all buckets are merged in pairs of neighbours. So the buckets depend only on the numbers,
 * not on their order or on the threads that counted them.
 *
 * The counters take most_bytes, or 8 bytes a page if most_bytes is less than that. Besides these a
 * sketch takes less than 200 bytes, and 128 bytes for each leaf: 64 exponents of one sign.
 */
#ifndef CLI_SKETCH_H
#define CLI_SKETCH_H

#include "tools/job/packet.h"
#include "tools/read/element.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLI_SKETCH_LEAVES = 64, CLI_SKETCH_LEAF_PAGES = 64, CLI_SKETCH_HALF_BITS = 10 };

struct cli_sketch {
    double pivot;
    unsigned bits;                     /* leading bits of the fraction in a bucket's number */
    size_t most_bytes, capacity;       /* the limit of the counters' memory; allocated counters */
    size_t leaf_count, page_count;     /* allocated ones, numbered from 1 */
    uint8_t leaves[CLI_SKETCH_LEAVES]; /* 0: no page */
    uint16_t (*pages)[CLI_SKETCH_LEAF_PAGES]; /* of each leaf; 0: not allocated */
    uint64_t *counts;                         /* of all pages, consecutively */
    double least, greatest;                   /* of the finite numbers */
};

/* Begins a sketch without pages. Each number of a type of 8 or 16 bits has its own bucket, and the
 * pivot must be 0. */
void cli_sketch_begin(struct cli_sketch *sketch, enum cli_element_type type, double pivot,
                      size_t most_bytes);
void cli_sketch_free(struct cli_sketch *sketch);

/* Counts numbers; none may be a NaN. False: out of memory. */
bool cli_sketch_count(struct cli_sketch *sketch, const double *numbers, size_t count);
bool cli_sketch_merge(struct cli_sketch *into, const struct cli_sketch *from);

/* Between ranks: `put` puts a sketch into a packet, `get` adds it to one that began in the same
 * way. Returns false if memory runs out. */
void cli_sketch_put(const struct cli_sketch *sketch, struct cli_packet *packet);
bool cli_sketch_get(struct cli_sketch *into, struct cli_packet *packet);

/* A bucket that is not empty: its number, and how many numbers are in it and in those below. */
struct cli_bucket {
    uint64_t number;
    uint64_t count, below;
    unsigned bits; /* the sketch's */
};

/* Advances to the next bucket above; `bucket` is initially {.count = 0}. Returns false after the
 * last one. */
bool cli_sketch_next(const struct cli_sketch *sketch, struct cli_bucket *bucket);

/* The number of the bucket that a number is in, or would be. */
uint64_t cli_sketch_find(const struct cli_sketch *sketch, double number);

/* The range of a bucket's numbers, rounded: sufficient for drawing. */
void cli_sketch_bounds(const struct cli_sketch *sketch, const struct cli_bucket *bucket,
                       double *least, double *greatest);

#endif
