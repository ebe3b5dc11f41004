/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans the passes, and evaluates their results.
 */
#include "tools/describe/distribution.h"

#include "tools/describe/numbers.h"
#include "tools/interrupt.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The first pass ---------------------------------------------------------------------------*/

/* Whether the data set has few values, as far as is known. Elements may be missing. */
static bool may_be_small(const struct cli_distributing *distributing)
{
    const struct cli_dataset *dataset = distributing->subject.dataset;
    const uint64_t parts = cli_element_kind(dataset->array.layout.element.type) == 'c' ? 2 : 1;
    return dataset->table != NULL || dataset->array.has_missing_value ||
           dataset->array.layout.count == CLI_COUNT_UNKNOWN ||
           dataset->array.layout.count <= CLI_MOST_KEPT / parts;
}

bool cli_distributing_begin(struct cli_distributing *distributing, size_t series_count,
                            struct cli_counting **counting)
{
    const struct cli_distribution_options *options = distributing->options;
    distributing->series_count = series_count;
    distributing->can_repeat = cli_dataset_source_can_repeat(&distributing->subject);
    distributing->has_buckets =
        options->quantiles.count > 0 || (options->has_histogram && !distributing->can_repeat);
    distributing->is_keeping = options->has_median && may_be_small(distributing);
    *counting = NULL;
    if (distributing->has_buckets) {
        *counting = &distributing->buckets.counting;
        if (!cli_bucket_count_begin(&distributing->buckets, series_count))
            return false;
    }
    if (distributing->is_keeping) {
        if (!cli_kept_begin(&distributing->kept, series_count, *counting))
            return false;
        *counting = &distributing->kept.counting;
    }
    return true;
}

void cli_distributing_free(struct cli_distributing *distributing)
{
    struct cli_selection *selection = &distributing->selection;
    for (size_t s = 0; s < distributing->series_count && selection->series != NULL; s++)
        free(selection->series[s].ranks);
    free(selection->series);
    free(distributing->bins);
    if (distributing->has_buckets)
        cli_bucket_count_free(&distributing->buckets);
    if (distributing->is_keeping)
        cli_kept_free(&distributing->kept);
}

/* ---- Requests ---------------------------------------------------------------------------------*/

/* Requests bins between the extremes, if these are known and finite. */
static void begin_bins(const struct cli_distributing *distributing, size_t series,
                       const struct cli_summary *summary)
{
    struct cli_wanted_bins *wanted = &distributing->bins[series];
    const bool has_buckets = distributing->has_buckets;
    wanted->least = INFINITY;
    wanted->greatest = -INFINITY;
    wanted->numbers = summary->part.numbers - summary->part.infinities;
    wanted->bins.histogram.is_exact = wanted->numbers == 0;
    if (wanted->numbers == 0)
        return;
    wanted->wanted = CLI_BINS_COUNTS;
    if (cli_element_kind(summary->type) != 'f')
        cli_bins_of_integers(&wanted->bins, summary->type, summary->part.minimum,
                             summary->part.maximum);
    else if (summary->part.infinities == 0)
        cli_bins_of_doubles(&wanted->bins,
                            cli_key_to_double(CLI_ELEMENT_f64, summary->part.minimum),
                            cli_key_to_double(CLI_ELEMENT_f64, summary->part.maximum));
    else if (has_buckets)
        cli_bins_of_doubles(&wanted->bins, distributing->buckets.sketches[series].least,
                            distributing->buckets.sketches[series].greatest);
    else
        wanted->wanted = CLI_BINS_EXTREMES;
}

static bool find_wanted(struct cli_distributing *distributing, const struct cli_summary *summaries)
{
    struct cli_selection *selection = &distributing->selection;
    selection->series_count = distributing->series_count;
    selection->series = calloc(distributing->series_count, sizeof *selection->series);
    distributing->bins = calloc(distributing->series_count, sizeof *distributing->bins);
    if (selection->series == NULL || distributing->bins == NULL)
        return false;
    for (size_t s = 0; s < distributing->series_count; s++) {
        if (summaries[s].is_text)
            continue;
        if (!cli_quantiles_rank(&distributing->options->quantiles, &summaries[s],
                                &selection->series[s]))
            return false;
        if (selection->series[s].count > 0)
            cli_ranks_begin(&selection->series[s], &summaries[s],
                            &distributing->buckets.sketches[s]);
        if (distributing->options->has_histogram)
            begin_bins(distributing, s, &summaries[s]);
    }
    return true;
}

/* ---- Further passes ---------------------------------------------------------------------------*/

static bool is_done(const struct cli_distributing *distributing)
{
    for (size_t s = 0; s < distributing->series_count; s++)
        if (distributing->bins[s].wanted != CLI_BINS_NOTHING)
            return false;
    return !cli_selection_is_open(&distributing->selection);
}

static void go_on(struct cli_wanted_bins *bins)
{
    if (bins->wanted == CLI_BINS_EXTREMES) {
        cli_bins_of_doubles(&bins->bins, bins->least, bins->greatest);
        bins->wanted = CLI_BINS_COUNTS;
    } else if (bins->wanted == CLI_BINS_COUNTS) {
        bins->bins.histogram.is_exact = true;
        bins->wanted = CLI_BINS_NOTHING;
    }
}

static bool run_passes(struct cli_distributing *distributing, uint64_t rows,
                       struct cli_failure *failure)
{
    struct cli_further_pass further = {.subject = &distributing->subject,
                                       .rows = rows,
                                       .series_count = distributing->series_count,
                                       .selection = &distributing->selection,
                                       .bins = distributing->bins};
    bool is_fine = true;
    while (cli_further_pass_share(&further,
                                  is_fine && !cli_is_interrupted() && !is_done(distributing))) {
        is_fine = (!further.lacks_memory && cli_selection_plan(&distributing->selection)) ||
                  cli_fail(failure, "%s", strerror(ENOMEM));
        is_fine = cli_job_agree(distributing->subject.job, is_fine, failure) &&
                  cli_further_pass_run(&further, failure);
        cli_selection_free_pass(&distributing->selection);
        for (size_t s = 0; s < distributing->series_count && !cli_is_interrupted(); s++)
            go_on(&distributing->bins[s]);
    }
    distributing->is_cut_short = is_fine && !is_done(distributing);
    return is_fine;
}

/* ---- Results ----------------------------------------------------------------------------------*/

static struct cli_distribution *make_distribution(struct cli_distributing *distributing,
                                                  size_t series, const struct cli_summary *summary)
{
    const struct cli_quantile_list *list = &distributing->options->quantiles;
    struct cli_distribution *distribution = calloc(1, sizeof *distribution);
    if (distribution == NULL)
        return NULL;
    distribution->quantile_count = list->count;
    distribution->quantiles = calloc(list->count + 1, sizeof *distribution->quantiles);
    for (size_t q = 0; q < list->count && distribution->quantiles != NULL; q++)
        cli_quantile_find(list->probabilities[q], summary, &distributing->selection.series[series],
                          &distribution->quantiles[q]);
    if (distributing->options->has_histogram) {
        struct cli_wanted_bins *bins = &distributing->bins[series];
        distribution->has_histogram = bins->wanted == CLI_BINS_NOTHING;
        distribution->histogram = bins->bins.histogram;
    }
    distribution->has_median = distributing->is_keeping && cli_kept_is_whole(&distributing->kept);
    if (distribution->quantiles != NULL &&
        (!distribution->has_median ||
         cli_kept_median(&distributing->kept, series, summary, &distribution->median)))
        return distribution;
    cli_distribution_free(distribution);
    return NULL;
}

/* Estimates histograms, for a pipe, or if an interrupt prevents further passes. */
static void estimate(const struct cli_distributing *distributing,
                     const struct cli_summary *summaries)
{
    for (size_t s = 0; s < distributing->series_count; s++) {
        struct cli_wanted_bins *bins = &distributing->bins[s];
        if (bins->wanted != CLI_BINS_COUNTS)
            continue;
        cli_bins_estimate(&bins->bins, &distributing->buckets.sketches[s], summaries[s].type);
        bins->wanted = CLI_BINS_NOTHING;
    }
}

/* Finds quantiles and histograms that need counts. */
static bool find_counts(struct cli_distributing *distributing, const struct cli_summary *summaries,
                        struct cli_failure *failure)
{
    struct cli_job *job = distributing->subject.job;
    if (distributing->options->quantiles.count == 0 && !distributing->options->has_histogram)
        return true;
    const bool is_fine =
        find_wanted(distributing, summaries) || cli_fail(failure, "%s", strerror(ENOMEM));
    if (!cli_job_agree(job, is_fine, failure))
        return false;
    if (distributing->can_repeat && !run_passes(distributing, summaries[0].rows, failure))
        return false;
    if (distributing->has_buckets && cli_job_own(job) == 0)
        estimate(distributing, summaries);
    return true;
}

bool cli_distributing_finish(struct cli_distributing *distributing, struct cli_summary *summaries,
                             struct cli_failure *failure)
{
    const struct cli_distribution_options *options = distributing->options;
    bool is_fine = find_counts(distributing, summaries, failure);
    if (!is_fine || cli_job_own(distributing->subject.job) > 0)
        return is_fine;
    if (options->quantiles.count == 0 && !options->has_histogram && !distributing->is_keeping)
        return true;
    for (size_t s = 0; s < distributing->series_count && is_fine; s++) {
        if (summaries[s].is_text)
            continue;
        summaries[s].distribution = make_distribution(distributing, s, &summaries[s]);
        is_fine = summaries[s].distribution != NULL;
    }
    return is_fine || cli_fail(failure, "%s", strerror(ENOMEM));
}

void cli_distribution_free(struct cli_distribution *distribution)
{
    if (distribution != NULL)
        free(distribution->quantiles);
    free(distribution);
}
