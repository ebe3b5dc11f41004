/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts in bins.
 */
#include "src/cli/describe/histogram.h"

#include "src/cli/describe/numbers.h"

#include <math.h>
#include <string.h>

/* Counters side by side, so that one number need not wait until the one before is counted. */
enum { LANES = 4 };

void cli_bins_of_integers(struct cli_bins *bins, enum cli_element_type type, uint64_t lowest,
                          uint64_t highest)
{
    const uint64_t range = highest - lowest, width = range / CLI_MOST_BINS + 1;
    struct cli_histogram *histogram = &bins->histogram;
    *bins = (struct cli_bins){.type = type, .lowest = lowest, .range = range, .width = width};
    histogram->bins = (size_t)(range / width) + 1;
    histogram->is_of_integers = true;
    histogram->has_bin_of_each = width == 1;
    for (size_t i = 0; i <= histogram->bins; i++)
        histogram->edges[i] = cli_key_to_double(type, lowest) + (double)i * (double)width;
}

/* A range wider than a double is halved first. */
static double find_edge(double least, double greatest, size_t edge)
{
    const double share = (double)edge / CLI_MOST_BINS, range = greatest - least;
    return edge == CLI_MOST_BINS ? greatest
           : isfinite(range)     ? least + (double)edge * (range / CLI_MOST_BINS)
                                 : least * (1 - share) + greatest * share;
}

/* Numbers that are too close together for bins between them have one bin. */
void cli_bins_of_doubles(struct cli_bins *bins, double least, double greatest)
{
    struct cli_histogram *histogram = &bins->histogram;
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

static void count_integers(const struct cli_bins *bins, const uint64_t *keys, size_t count,
                           uint64_t lanes[LANES][CLI_MOST_BINS + 1])
{
    const size_t last = bins->histogram.bins - 1;
    const uint64_t width = bins->width;
    const double per_key = 1 / (double)width;
    for (size_t i = 0; i < count; i++) {
        const uint64_t off = keys[i] - bins->lowest;
        const double about = (double)off * per_key;
        size_t bin = about < (double)last ? (size_t)about : last;
        if (off > bins->range) /* the file has changed */
            bin = CLI_MOST_BINS;
        else if (off < bin * width)
            bin--;
        else if (bin < last && off >= (bin + 1) * width)
            bin++;
        lanes[i % LANES][bin]++;
    }
}

/* The bin by arithmetic may be beside the one that the edges say; of a range whose reciprocal might
 * overflow it is the first, from which the edges lead on. Those that are not finite, and
 * of a file that has changed others as well, go to the lanes' ends. */
static void count_doubles(const struct cli_bins *bins, const double *doubles, size_t count,
                          uint64_t lanes[LANES][CLI_MOST_BINS + 1])
{
    const double least = bins->least, greatest = bins->greatest, *edges = bins->histogram.edges;
    const double half_range = greatest / 2 - least / 2, half_least = least / 2;
    const size_t last = bins->histogram.bins - 1;
    const double per_half = half_range > 0x1p-1000 ? (double)(last + 1) / half_range : 0;
    for (size_t i = 0; i < count; i++) {
        const double number = doubles[i];
        size_t bin = CLI_MOST_BINS;
        if (number >= least && number <= greatest) {
            const double share = (number * 0.5 - half_least) * per_half;
            bin = share < (double)last ? (size_t)share : last;
            while (bin > 0 && number < edges[bin])
                bin--;
            while (bin < last && number >= edges[bin + 1])
                bin++;
        }
        lanes[i % LANES][bin]++;
    }
}

void cli_bins_count(const struct cli_bins *bins, const struct cli_values *values,
                    uint64_t counts[CLI_MOST_BINS])
{
    uint64_t lanes[LANES][CLI_MOST_BINS + 1] = {{0}};
    uint64_t keys[CLI_CHUNK];
    double doubles[CLI_CHUNK];
    for (size_t first = 0; first < values->count && bins->histogram.bins > 0; first += CLI_CHUNK)
        if (bins->type == CLI_ELEMENT_f64)
            count_doubles(bins, doubles, cli_values_read_doubles(values, first, doubles), lanes);
        else
            count_integers(bins, keys, cli_values_read_keys(values, first, keys), lanes);
    for (size_t l = 0; l < LANES; l++)
        for (size_t b = 0; b < CLI_MOST_BINS; b++)
            counts[b] += lanes[l][b];
}

/* ---- Estimating -------------------------------------------------------------------------------*/

/* Which share of the bucket's numbers is below the edge, where they are spread evenly. */
static double find_share(double edge, double least, double greatest)
{
    if (edge <= least)
        return 0;
    return edge > greatest ? 1 : (edge / 2 - least / 2) / (greatest / 2 - least / 2);
}

/* Which numbers are in the bucket: integers from the least to before the greatest, or, where those
 * are equal, that number alone; a bucket of f16 has one. False: infinite ones. */
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
