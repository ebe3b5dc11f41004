/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts in bins.
 */
#include "tools/describe/histogram.h"

#include "tools/describe/numbers.h"
#include "tools/kernels/count.kernels.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

__extension__ typedef __int128 wide;

void cli_bins_of_integers(struct cli_bins *bins, enum cli_element_type type, uint64_t lowest,
                          uint64_t highest)
{
    const uint64_t range = highest - lowest, width = range / CLI_MOST_BINS + 1;
    struct cli_histogram *histogram = &bins->histogram;
    *bins = (struct cli_bins){.type = type, .lowest = lowest, .range = range, .width = width};
    histogram->bins = (size_t)(range / width) + 1;
    histogram->is_of_integers = true;
    histogram->has_bin_of_each = width == 1;
    histogram->is_signed = cli_element_kind(type) == 'i';
    histogram->first = histogram->is_signed ? lowest ^ (uint64_t)1 << 63 : lowest;
    histogram->width = width;
    for (size_t i = 0; i <= histogram->bins; i++)
        histogram->edges[i] = cli_key_to_double(type, lowest) + (double)i * (double)width;
}

void cli_histogram_write_integer(const struct cli_histogram *histogram, size_t edge,
                                 char text[CLI_EDGE_BYTES])
{
    const uint64_t half = UINT64_C(10000000000); /* of 20 digits */
    int64_t with_sign;
    memcpy(&with_sign, &histogram->first, sizeof with_sign);
    const wide first = histogram->is_signed ? (wide)with_sign : (wide)histogram->first;
    const wide value = first + (wide)edge * histogram->width;
    const wide magnitude = value < 0 ? -value : value;
    const uint64_t high = (uint64_t)(magnitude / half), low = (uint64_t)(magnitude % half);
    const char *sign = value < 0 ? "-" : "";
    if (high > 0)
        snprintf(text, CLI_EDGE_BYTES, "%s%" PRIu64 "%010" PRIu64, sign, high, low);
    else
        snprintf(text, CLI_EDGE_BYTES, "%s%" PRIu64, sign, low);
}

/* An edge; computed so that the range may overflow a double. */
static double find_edge(double least, double greatest, size_t edge)
{
    const double share = (double)edge / CLI_MOST_BINS, range = greatest - least;
    return edge == CLI_MOST_BINS ? greatest
           : isfinite(range)     ? least + (double)edge * (range / CLI_MOST_BINS)
                                 : least * (1 - share) + greatest * share;
}

/* If numbers are so close together that edges would be equal, there is one bin. Of 0 and -0, which
 * are equal, either may be given as an extreme, by the order of threads: adding 0 makes it 0. */
void cli_bins_of_doubles(struct cli_bins *bins, double least, double greatest)
{
    struct cli_histogram *histogram = &bins->histogram;
    least += 0.0;
    greatest += 0.0;
    *bins = (struct cli_bins){.type = CLI_ELEMENT_f64, .least = least, .greatest = greatest};
    histogram->bins = CLI_MOST_BINS;
    for (size_t i = 0; i <= CLI_MOST_BINS; i++) {
        histogram->edges[i] = find_edge(least, greatest, i);
        if (i > 0 && histogram->edges[i] <= histogram->edges[i - 1])
            histogram->bins = 1;
    }
    histogram->has_bin_of_each = least == greatest;
    histogram->edges[histogram->bins] = greatest;
}

/* ---- Counting ---------------------------------------------------------------------------------*/

/* Bins per unit of halved numbers; 0 if that overflows, because the numbers are so close together.
 */
static double find_scale(const struct cli_bins *bins)
{
    const double scale = (double)bins->histogram.bins / (bins->greatest * 0.5 - bins->least * 0.5);
    return isfinite(scale) ? scale : 0;
}

static reap_status count_doubles_from(const struct cli_bins *bins, reap_queue *queue,
                                      const struct cli_values *values, size_t first,
                                      uint64_t counts[CLI_MOST_BINS])
{
    double doubles[CLI_CHUNK];
    const size_t count = cli_values_read_doubles(values, first, doubles);
    const struct cli_histogram *histogram = &bins->histogram;
    return reap_parallel_for(queue, count_doubles, reap_range_1d(count), .numbers = doubles,
                             .edges = histogram->edges, .bins = histogram->bins,
                             .scale = find_scale(bins),
                             .counts = {.variable = counts, .count = histogram->bins});
}

static reap_status count_keys_from(const struct cli_bins *bins, reap_queue *queue,
                                   const struct cli_values *values, size_t first,
                                   uint64_t counts[CLI_MOST_BINS])
{
    uint64_t keys[CLI_CHUNK];
    const size_t count = cli_values_read_keys(values, bins->type, first, keys);
    return reap_parallel_for(queue, count_keys, reap_range_1d(count), .numbers = keys,
                             .lowest = bins->lowest, .range = bins->range, .width = bins->width,
                             .counts = {.variable = counts, .count = bins->histogram.bins});
}

reap_status cli_bins_count(const struct cli_bins *bins, reap_queue *queue,
                           const struct cli_values *values, uint64_t counts[CLI_MOST_BINS])
{
    reap_status status = REAP_OK;
    if (bins->histogram.bins == 0)
        return REAP_OK;
    for (size_t i = 0; i < values->count && status == REAP_OK; i += CLI_CHUNK)
        status = bins->type == CLI_ELEMENT_f64 ? count_doubles_from(bins, queue, values, i, counts)
                                               : count_keys_from(bins, queue, values, i, counts);
    return status;
}

/* ---- Estimating -------------------------------------------------------------------------------*/

/* The fraction of a bucket's numbers below the edge, if they are distributed evenly. */
static double find_share(double edge, double least, double greatest)
{
    if (edge <= least)
        return 0;
    return edge > greatest ? 1 : (edge / 2 - least / 2) / (greatest / 2 - least / 2);
}

/* The bounds of a bucket's numbers: integers from *least to less than *greatest, or if these are
 * equal, that integer only; a bucket of f16 has one number. Returns false for infinite numbers. */
static bool find_bounds(const struct cli_sketch *sketch, const struct cli_bucket *bucket,
                        enum cli_element_type type, double *least, double *greatest)
{
    cli_sketch_bounds(sketch, bucket, least, greatest);
    if (*least > *greatest)
        return false;
    if (type == CLI_ELEMENT_f16 && sketch->bits == CLI_SKETCH_HALF_BITS)
        *least = *greatest = *least < 0 ? *greatest : *least;
    if (cli_element_kind(type) == 'f')
        return true;
    *least = ceil(*least);
    *greatest = floor(*greatest) > *least ? floor(*greatest) + 1 : *least;
    return true;
}

void cli_bins_estimate(struct cli_bins *bins, const struct cli_sketch *sketch,
                       enum cli_element_type type)
{
    struct cli_histogram *histogram = &bins->histogram;
    struct cli_bucket bucket = {.count = 0};
    double below[CLI_MOST_BINS + 1] = {0};
    uint64_t all = 0, done = 0;
    while (histogram->bins > 0 && cli_sketch_next(sketch, &bucket)) {
        double least, greatest;
        if (!find_bounds(sketch, &bucket, type, &least, &greatest))
            continue;
        all += bucket.count;
        for (size_t i = 1; i < histogram->bins; i++)
            below[i] += find_share(histogram->edges[i], least, greatest) * (double)bucket.count;
    }
    for (size_t i = 0; i < histogram->bins; i++) {
        const uint64_t end = i + 1 < histogram->bins ? (uint64_t)nearbyint(below[i + 1]) : all;
        histogram->counts[i] = end - done;
        done = end;
    }
}
