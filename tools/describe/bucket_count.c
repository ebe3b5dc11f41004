/* SPDX-License-Identifier: Apache-2.0
 *
 * Each thread has a sketch of each series; if there are many series, all threads share one set. The
 * first block determines the sketches' types and pivots.
 */
#include "tools/describe/bucket_count.h"

#include "tools/describe/array_source.h"
#include "tools/describe/numbers.h"

#include <math.h>
#include <stdlib.h>

/* The counters of all series take at most MOST_BYTES in each thread, and in their sum; or
 * LEAST_BYTES for each series if that is more. With a sketch's other memory (sketch.h) that is 2
 * KiB a series, and up to 41 KiB if its numbers have hundreds of exponents. So from MANY_SERIES on
 * there is only one set of sketches: 128 MiB for 65536. */
enum { MOST_BYTES = 12 << 20, LEAST_BYTES = 1 << 10, MANY_SERIES = 1 << 10, SAMPLES = 64 };

/* A packet for another rank has this size, or that of one series if it is more. */
enum { PACKET_BYTES = 4 << 20 };

static struct cli_bucket_count *count_of(const struct cli_counting *counting)
{
    return counting->data;
}

/* ---- The first block --------------------------------------------------------------------------*/

/* The pivot of numbers that are close together, compared to their size, is in their middle: times
 * of a day, temperatures in Kelvin. It is an integer for integers. Integers of 8 and 16 bits need
 * none, since each has its own bucket. */
static double choose_pivot(const struct cli_values *values)
{
    const size_t bytes = cli_element_bytes(values->element.type);
    const unsigned char *elements = values->elements;
    const size_t most = cli_task_elements(values->element.type); /* a block may have several */
    const size_t count = values->count < most ? values->count : most;
    const size_t step = count / SAMPLES + 1;
    const enum cli_element_type type =
        cli_element_kind(values->element.type) == 'f' ? CLI_ELEMENT_f64 : values->element.type;
    double least = INFINITY, greatest = -INFINITY;
    uint64_t key;
    for (size_t i = 0; i < count && bytes > 2; i += step)
        if (cli_element_key(values->element, elements + i * bytes, &key)) {
            least = fmin(least, cli_key_to_double(type, key));
            greatest = fmax(greatest, cli_key_to_double(type, key));
        }
    const double middle = least / 2 + greatest / 2;
    if (!(greatest - least < fabs(middle) / 4) || fabs(middle) > 1e300)
        return 0;
    return type == CLI_ELEMENT_f64 ? middle : rint(middle);
}

static void begin(struct cli_counting *counting, const struct cli_block_source *source,
                  const struct cli_block *block)
{
    struct cli_bucket_count *count = count_of(counting);
    for (size_t s = 0; s < count->series_count; s++) {
        const size_t from_first = s - block->first_series;
        const bool is_in_block = s >= block->first_series && from_first < block->series_count;
        struct cli_values values;
        source->select(source, block, is_in_block ? s : block->first_series, &values);
        count->starts[s] =
            (struct cli_bucket_start){values.element.type, is_in_block ? choose_pivot(&values) : 0};
    }
}

static void begin_sketch(const struct cli_bucket_count *count, size_t series,
                         struct cli_sketch *sketch)
{
    const struct cli_bucket_start *start = &count->starts[series];
    const size_t share = MOST_BYTES / count->series_count;
    cli_sketch_begin(sketch, start->type, start->pivot, share < LEAST_BYTES ? LEAST_BYTES : share);
}

/* ---- All blocks -------------------------------------------------------------------------------*/

/* A thread's sketches, which begin with the first values of their series. */
static void *make_tally(const struct cli_counting *counting)
{
    const struct cli_bucket_count *count = count_of(counting);
    return count->is_shared ? count->sketches
                            : calloc(count->series_count, sizeof *count->sketches);
}

static void free_tally(const struct cli_counting *counting, void *tally)
{
    struct cli_sketch *sketches = tally;
    if (count_of(counting)->is_shared)
        return;
    for (size_t s = 0; s < count_of(counting)->series_count; s++)
        cli_sketch_free(&sketches[s]);
    free(tally);
}

static bool count_values(const struct cli_counting *counting, void *tally, size_t series,
                         const struct cli_values *values)
{
    struct cli_bucket_count *count = count_of(counting);
    struct cli_sketch *sketch = (struct cli_sketch *)tally + series;
    pthread_mutex_t *lock = &count->locks[series % CLI_BUCKET_LOCKS];
    double doubles[CLI_CHUNK];
    bool is_fine = true;
    if (count->is_shared)
        pthread_mutex_lock(lock);
    if (sketch->most_bytes == 0)
        begin_sketch(count, series, sketch);
    for (size_t first = 0; first < values->count && is_fine; first += CLI_CHUNK)
        is_fine =
            cli_sketch_count(sketch, doubles, cli_values_read_doubles(values, first, doubles));
    if (count->is_shared)
        pthread_mutex_unlock(lock);
    return is_fine;
}

static bool add(struct cli_counting *counting, const void *tally)
{
    const struct cli_bucket_count *count = count_of(counting);
    const struct cli_sketch *sketches = tally;
    bool is_fine = true;
    if (count->is_shared)
        return true;
    for (size_t s = 0; s < count->series_count && is_fine; s++) {
        if (sketches[s].most_bytes == 0)
            continue;
        if (count->sketches[s].most_bytes == 0)
            begin_sketch(count, s, &count->sketches[s]);
        is_fine = cli_sketch_merge(&count->sketches[s], &sketches[s]);
    }
    return is_fine;
}

/* ---- Between ranks ----------------------------------------------------------------------------*/

static void put_start(const struct cli_counting *counting, struct cli_packet *packet)
{
    const struct cli_bucket_count *count = count_of(counting);
    cli_packet_put(packet, count->starts, count->series_count * sizeof *count->starts);
}

static void get_start(struct cli_counting *counting, struct cli_packet *packet)
{
    const struct cli_bucket_count *count = count_of(counting);
    cli_packet_get(packet, count->starts, count->series_count * sizeof *count->starts);
}

/* *at is the number of a series. */
static bool put_counts(const struct cli_counting *counting, size_t *at, struct cli_packet *packet)
{
    const struct cli_bucket_count *count = count_of(counting);
    for (; *at < count->series_count && packet->count < PACKET_BYTES; ++*at)
        if (count->sketches[*at].most_bytes > 0) {
            cli_packet_put_number(packet, *at);
            cli_sketch_put(&count->sketches[*at], packet);
        }
    return *at < count->series_count;
}

static bool get_counts(struct cli_counting *counting, struct cli_packet *packet)
{
    const struct cli_bucket_count *count = count_of(counting);
    bool is_fine = true;
    while (is_fine && !cli_packet_is_at_end(packet)) {
        const size_t series = (size_t)cli_packet_get_number(packet);
        if (count->sketches[series].most_bytes == 0)
            begin_sketch(count, series, &count->sketches[series]);
        is_fine = cli_sketch_get(&count->sketches[series], packet);
    }
    return is_fine;
}

bool cli_bucket_count_begin(struct cli_bucket_count *count, size_t series_count)
{
    *count = (struct cli_bucket_count){.series_count = series_count,
                                       .is_shared = series_count >= MANY_SERIES};
    count->counting = (struct cli_counting){.data = count,
                                            .begin = begin,
                                            .make_tally = make_tally,
                                            .free_tally = free_tally,
                                            .count = count_values,
                                            .add = add,
                                            .put_start = put_start,
                                            .get_start = get_start,
                                            .put_counts = put_counts,
                                            .get_counts = get_counts};
    for (size_t l = 0; l < CLI_BUCKET_LOCKS; l++)
        pthread_mutex_init(&count->locks[l], NULL);
    count->sketches = calloc(series_count, sizeof *count->sketches);
    count->starts = calloc(series_count, sizeof *count->starts);
    return count->sketches != NULL && count->starts != NULL;
}

void cli_bucket_count_free(struct cli_bucket_count *count)
{
    for (size_t s = 0; s < count->series_count && count->sketches != NULL; s++)
        cli_sketch_free(&count->sketches[s]);
    for (size_t l = 0; l < CLI_BUCKET_LOCKS; l++)
        pthread_mutex_destroy(&count->locks[l]);
    free(count->sketches);
    free(count->starts);
    count->sketches = NULL;
    count->starts = NULL;
}
