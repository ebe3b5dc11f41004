/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts everything that is requested.
 */
#include "src/cli/describe/further_pass.h"

#include "src/cli/describe/meter.h"
#include "src/cli/describe/numbers.h"
#include "src/cli/describe/pass.h"
#include "src/cli/interrupt.h"

#include <math.h>
#include <stdlib.h>

/* A thread's counts for a series. */
struct bin_tally {
    double least, greatest;
    uint64_t counts[CLI_MOST_BINS];
};

struct tally {
    reap_queue *queue; /* of this thread only */
    void *selection;
    struct bin_tally *bins; /* of each series; NULL: none requested */
};

static struct cli_further_pass *further_of(const struct cli_counting *counting)
{
    return counting->data;
}

/* ---- A thread ---------------------------------------------------------------------------------*/

static void free_tally(const struct cli_counting *counting, void *of)
{
    struct tally *tally = of;
    (void)counting;
    reap_queue_release(tally->queue);
    free(tally->selection);
    free(tally->bins);
    free(tally);
}

static bool wants_bins(const struct cli_further_pass *further)
{
    for (size_t s = 0; s < further->series_count; s++)
        if (further->bins[s].wanted != CLI_BINS_NOTHING)
            return true;
    return false;
}

static void *make_tally(const struct cli_counting *counting)
{
    const struct cli_further_pass *further = further_of(counting);
    const reap_queue_options options = {.max_threads = 1};
    struct tally *tally = calloc(1, sizeof *tally);
    if (tally == NULL)
        return NULL;
    tally->selection = cli_selection_make_tally(further->selection);
    const bool has_bins = wants_bins(further);
    if (has_bins)
        tally->bins = calloc(further->series_count, sizeof *tally->bins);
    for (size_t s = 0; s < further->series_count && tally->bins != NULL; s++) {
        tally->bins[s].least = INFINITY;
        tally->bins[s].greatest = -INFINITY;
    }
    if (tally->selection != NULL && (tally->bins != NULL || !has_bins) &&
        reap_queue_create(NULL, &options, &tally->queue) == REAP_OK)
        return tally;
    free_tally(counting, tally);
    return NULL;
}

static void find_extremes(const struct cli_values *values, struct bin_tally *tally)
{
    double doubles[CLI_CHUNK];
    for (size_t first = 0; first < values->count; first += CLI_CHUNK) {
        const size_t count = cli_values_read_doubles(values, first, doubles);
        for (size_t i = 0; i < count; i++)
            if (isfinite(doubles[i])) {
                tally->least = fmin(tally->least, doubles[i]);
                tally->greatest = fmax(tally->greatest, doubles[i]);
            }
    }
}

/* Whether values can belong to a series that had this type in the first pass. */
static bool can_be(const struct cli_values *values, enum cli_element_type type)
{
    return type == CLI_ELEMENT_f64 || values->element.type == type ||
           (type == CLI_ELEMENT_u64 && values->column_type == CLI_CSV_INTEGER);
}

/* A column of integers of 64 bits must not have other numbers now. */
static bool has_changed(const struct cli_further_pass *further, size_t series,
                        const struct cli_values *values)
{
    const struct cli_wanted_bins *bins = &further->bins[series];
    const struct cli_ranks *ranks = &further->selection->series[series];
    return values->count > 0 &&
           ((bins->wanted == CLI_BINS_COUNTS && !can_be(values, bins->bins.type)) ||
            (ranks->count > 0 && !can_be(values, ranks->type)));
}

static bool count_values(const struct cli_counting *counting, void *of, size_t series,
                         const struct cli_values *values)
{
    const struct cli_further_pass *further = further_of(counting);
    const struct cli_wanted_bins *bins = &further->bins[series];
    struct tally *tally = of;
    if (has_changed(further, series, values)) /* the counts will show it */
        return true;
    cli_selection_count(further->selection, tally->selection, series, values);
    if (bins->wanted == CLI_BINS_EXTREMES)
        find_extremes(values, &tally->bins[series]);
    return bins->wanted != CLI_BINS_COUNTS ||
           cli_bins_count(&bins->bins, tally->queue, values, tally->bins[series].counts) == REAP_OK;
}

static bool add(struct cli_counting *counting, const void *of)
{
    struct cli_further_pass *further = further_of(counting);
    const struct tally *tally = of;
    cli_selection_add(further->selection, tally->selection);
    for (size_t s = 0; s < further->series_count && tally->bins != NULL; s++) {
        struct cli_wanted_bins *bins = &further->bins[s];
        bins->least = fmin(bins->least, tally->bins[s].least);
        bins->greatest = fmax(bins->greatest, tally->bins[s].greatest);
        for (size_t b = 0; b < CLI_MOST_BINS; b++)
            bins->bins.histogram.counts[b] += tally->bins[s].counts[b];
    }
    return true;
}

/* ---- The pass ---------------------------------------------------------------------------------*/

static bool is_unchanged(struct cli_further_pass *further, uint64_t rows)
{
    if (rows != further->rows || !cli_selection_narrow(further->selection))
        return false;
    for (size_t s = 0; s < further->series_count; s++) {
        const struct cli_wanted_bins *bins = &further->bins[s];
        uint64_t count = 0;
        for (size_t b = 0; b < CLI_MOST_BINS; b++)
            count += bins->bins.histogram.counts[b];
        if (bins->wanted == CLI_BINS_COUNTS && count != bins->numbers)
            return false;
    }
    return true;
}

bool cli_further_pass_run(struct cli_further_pass *further, struct cli_failure *failure)
{
    const struct cli_place host = {.device = NULL};
    struct cli_counting counting = {.data = further,
                                    .make_tally = make_tally,
                                    .free_tally = free_tally,
                                    .count = count_values,
                                    .add = add};
    struct cli_dataset_feed feed;
    struct cli_meter meter;
    if (!cli_dataset_feed_repeat(&feed, further->subject, failure))
        return cli_is_interrupted();
    bool is_fine = feed.feed->series_count == further->series_count;
    if (is_fine) {
        struct cli_pass pass = {
            .feed = feed.feed, .place = &host, .meter = &meter, .counting = &counting};
        cli_meter_begin(&meter, further->subject->file->called, feed.source, further->rows);
        if (!cli_pass_run(&pass, NULL)) {
            *failure = pass.failure;
            cli_dataset_feed_close(&feed);
            return false;
        }
        is_fine = cli_is_interrupted() || is_unchanged(further, pass.rows);
    }
    cli_dataset_feed_close(&feed);
    return is_fine || cli_fail(failure, "the file changed while it was read");
}
