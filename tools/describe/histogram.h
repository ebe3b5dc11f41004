/* SPDX-License-Identifier: Apache-2.0
 *
 * Histograms: how many finite numbers of a series are in each of some bins of equal width between
 * the minimum and the maximum. A bin includes its left edge, and the last one also its right edge.
 * The width of bins of integers is an integer, so the last bin may extend beyond the maximum; if
 * there are few integers between the extremes, each has its own bin.
 */
#ifndef CLI_HISTOGRAM_H
#define CLI_HISTOGRAM_H

#include "tools/describe/block_source.h"
#include "tools/describe/series.h"
#include "tools/describe/sketch.h"

#include <reap/reap.h>

enum { CLI_MOST_BINS = 20 };

struct cli_histogram {
    size_t bins;   /* 0: there are only infinite numbers and NaNs */
    bool is_exact; /* otherwise a number near an edge may count for the neighbouring bin */
    bool is_of_integers;
    bool has_bin_of_each;            /* a bin has one integer: its left edge */
    double edges[CLI_MOST_BINS + 1]; /* of integers beyond 2^53 rounded, and perhaps equal */
    uint64_t counts[CLI_MOST_BINS];
    bool is_signed;        /* of integers: the first edge is an int64_t */
    uint64_t first, width; /* of integers: the first edge, and the distance of two */
};

enum { CLI_EDGE_BYTES = 48 };

/* All digits of an edge between integers. The last one may be beyond 64 bits. */
void cli_histogram_write_integer(const struct cli_histogram *histogram, size_t edge,
                                 char text[CLI_EDGE_BYTES]);

/* Bins, and the functions that make edges from one number to another. The counts are not set. */
struct cli_bins {
    enum cli_element_type type; /* of integers; f64 represents all floating-point types */
    uint64_t lowest, range; /* of integers: the lowest key, and the distance of the highest one */
    uint64_t width;         /* of integers */
    double least, greatest; /* of floating-point numbers */
    struct cli_histogram histogram;
};

void cli_bins_of_integers(struct cli_bins *bins, enum cli_element_type type, uint64_t lowest,
                          uint64_t highest);
void cli_bins_of_doubles(struct cli_bins *bins, double least, double greatest);

/* Adds the native values to `counts`, with a kernel on a queue of the host. */
reap_status cli_bins_count(const struct cli_bins *bins, reap_queue *queue,
                           const struct cli_values *values, uint64_t counts[CLI_MOST_BINS]);

/* Estimates the counts from those in buckets. The numbers are of the type. */
void cli_bins_estimate(struct cli_bins *bins, const struct cli_sketch *sketch,
                       enum cli_element_type type);

#endif
