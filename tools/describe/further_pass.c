/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts all that selections and histograms request.
 */
#include "tools/describe/further_pass.h"

#include "tools/describe/meter.h"
#include "tools/describe/numbers.h"
#include "tools/describe/pass.h"
#include "tools/interrupt.h"

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

/* The size of a packet for another rank, unless one target is larger. */
enum { PACKET_BYTES = 1 << 20 };

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

/* Whether these values can be of a series with this type in the first pass. */
static bool can_be(const struct cli_values *values, enum cli_element_type type)
{
    return type == CLI_ELEMENT_f64 || values->element.type == type ||
           (type == CLI_ELEMENT_u64 && values->column_type == CLI_CSV_INTEGER);
}

/* Whether the file has changed: a column of 64-bit integers has other numbers now. */
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
    if (has_changed(further, series, values)) /* not counted, so the counts do not match */
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

/* ---- Between ranks ----------------------------------------------------------------------------*/

/* *at is the number of a target of the selection, and then, after those, of a series, whose bins
 * are put. */
static bool put_counts(const struct cli_counting *counting, size_t *at, struct cli_packet *packet)
{
    const struct cli_further_pass *further = further_of(counting);
    const size_t targets = further->selection->target_count;
    while (packet->count < PACKET_BYTES && *at < targets + further->series_count) {
        const struct cli_wanted_bins *bins = &further->bins[*at < targets ? 0 : *at - targets];
        cli_packet_put_number(packet, *at);
        if (cli_selection_put_target(further->selection, at, packet))
            continue;
        cli_packet_put(packet, &bins->least, sizeof bins->least);
        cli_packet_put(packet, &bins->greatest, sizeof bins->greatest);
        cli_packet_put_words(packet, bins->bins.histogram.counts, CLI_MOST_BINS);
        ++*at;
    }
    return *at < targets + further->series_count;
}

static void get_bins(struct cli_wanted_bins *bins, struct cli_packet *packet)
{
    double least, greatest;
    uint64_t counts[CLI_MOST_BINS];
    cli_packet_get(packet, &least, sizeof least);
    cli_packet_get(packet, &greatest, sizeof greatest);
    cli_packet_get_words(packet, counts, CLI_MOST_BINS);
    bins->least = fmin(bins->least, least);
    bins->greatest = fmax(bins->greatest, greatest);
    for (size_t b = 0; b < CLI_MOST_BINS; b++)
        bins->bins.histogram.counts[b] += counts[b];
}

static bool get_counts(struct cli_counting *counting, struct cli_packet *packet)
{
    struct cli_further_pass *further = further_of(counting);
    const size_t targets = further->selection->target_count;
    while (!cli_packet_is_at_end(packet)) {
        const size_t at = (size_t)cli_packet_get_number(packet);
        if (at < targets)
            cli_selection_get_target(further->selection, at, packet);
        else
            get_bins(&further->bins[at - targets], packet);
    }
    return true;
}

static void get_requests(struct cli_further_pass *further, struct cli_packet *packet)
{
    further->rows = cli_packet_get_number(packet);
    cli_packet_get(packet, further->bins, further->series_count * sizeof *further->bins);
    further->lacks_memory = !cli_selection_get_spans(further->selection, packet);
}

bool cli_further_pass_share(struct cli_further_pass *further, bool is_wanted)
{
    struct cli_packet packet = {.bytes = NULL};
    if (cli_job_own(further->subject->job) == 0)
        cli_packet_put_number(&packet, is_wanted);
    if (cli_job_own(further->subject->job) == 0 && is_wanted) {
        cli_packet_put_number(&packet, further->rows);
        cli_packet_put(&packet, further->bins, further->series_count * sizeof *further->bins);
        cli_selection_put_spans(further->selection, &packet);
    }
    cli_job_broadcast(further->subject->job, &packet);
    if (cli_job_own(further->subject->job) > 0) {
        is_wanted = cli_packet_get_number(&packet) != 0;
        if (is_wanted)
            get_requests(further, &packet);
    }
    cli_packet_free(&packet);
    return is_wanted;
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

static bool fail_changed(struct cli_failure *failure)
{
    return cli_fail(failure, "the file changed while it was read");
}

/* Opens the block source on all ranks, or fails on all. */
static bool open_source(const struct cli_further_pass *further, struct cli_dataset_source *source,
                        struct cli_failure *failure)
{
    const bool is_open = cli_dataset_source_repeat(source, further->subject, failure);
    const bool is_fine =
        is_open && (source->blocks->series_count == further->series_count || fail_changed(failure));
    if (cli_job_agree(further->subject->job, is_fine, failure))
        return true;
    if (is_open)
        cli_dataset_source_close(source);
    return false;
}

bool cli_further_pass_run(struct cli_further_pass *further, struct cli_failure *failure)
{
    const struct cli_chosen_device host = {.device = NULL};
    struct cli_counting counting = {.data = further,
                                    .make_tally = make_tally,
                                    .free_tally = free_tally,
                                    .count = count_values,
                                    .add = add,
                                    .put_counts = put_counts,
                                    .get_counts = get_counts};
    struct cli_job *job = further->subject->job;
    struct cli_dataset_source source;
    struct cli_meter meter;
    if (!open_source(further, &source, failure))
        return cli_is_interrupted();
    struct cli_pass pass = {.source = source.blocks,
                            .chosen = &host,
                            .meter = cli_job_own(job) == 0 ? &meter : NULL,
                            .counting = &counting,
                            .job = job};
    cli_meter_begin(&meter, further->subject->file->called, source.file_source, further->rows);
    bool is_fine = cli_pass_run(&pass);
    if (!is_fine)
        *failure = pass.failure;
    else if (!cli_is_interrupted() && cli_job_own(job) == 0)
        is_fine = is_unchanged(further, pass.rows) || fail_changed(failure);
    cli_dataset_source_close(&source);
    return is_fine;
}
