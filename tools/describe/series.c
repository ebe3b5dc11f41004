/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds the results of the blocks of a series.
 */
#include "tools/describe/series.h"

#include "tools/describe/launch.h"
#include "tools/describe/numbers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct cli_kind *find_kind(struct cli_series *series, enum cli_element_type type)
{
    return &series->kinds[cli_element_kind(type) == 'f' ? CLI_FLOATS
                          : type == CLI_ELEMENT_u64     ? CLI_UNSIGNEDS
                                                        : CLI_INTEGERS];
}

static bool is_better(int extreme, uint64_t key, uint64_t than)
{
    return extreme == CLI_MINIMUM ? key < than : key > than;
}

/* Whether `a` is before `b` in the series. */
static bool is_before(const struct cli_extreme *a, const struct cli_extreme *b)
{
    return a->block != b->block ? a->block < b->block : a->row < b->row;
}

/* ---- Blocks -----------------------------------------------------------------------------------*/

reap_part *cli_series_part(struct cli_series *series, enum cli_element_type type,
                           struct cli_failure *failure)
{
    struct cli_kind *kind = find_kind(series, type);
    kind->type = type;
    if (kind->part == NULL && cli_part_create(&kind->part) != REAP_OK)
        cli_fail(failure, "%s", reap_last_error());
    return kind->part;
}

static int compare_items(const void *a, const void *b)
{
    const struct cli_waiting_block *left = a, *right = b;
    return (left->item > right->item) - (left->item < right->item);
}

bool cli_waiting_add(struct cli_waiting *waiting, reap_queue *queue, reap_part *part,
                     struct cli_failure *failure)
{
    describe_part parts[CLI_MOST_WAITING], again[CLI_MOST_WAITING];
    const struct cli_waiting_block *first = waiting->blocks, *end = first + waiting->count;
    reap_status status = REAP_OK;
    qsort(waiting->blocks, waiting->count, sizeof *first, compare_items);
    while (first < end && status == REAP_OK) {
        struct cli_runs runs = {.runs = parts,
                                .block_runs = 1,
                                .blocks = again,
                                .all = part,
                                .first_block = first->item};
        for (; first < end && first->item == runs.first_block + runs.count; first++)
            parts[runs.count++] = first->part;
        status = cli_launch_blocks(queue, &runs);
        if (status == REAP_OK)
            status = reap_queue_wait(queue);
    }
    free(waiting);
    return status == REAP_OK || cli_fail(failure, "%s", reap_last_error());
}

bool cli_series_wait(struct cli_series *series, enum cli_element_type type,
                     const struct cli_waiting_block *block, struct cli_full *full,
                     struct cli_failure *failure)
{
    struct cli_kind *kind = find_kind(series, type);
    kind->type = type;
    if (kind->waiting != NULL && kind->waiting->count == CLI_MOST_WAITING) {
        full->part = cli_series_part(series, type, failure);
        if (full->part == NULL)
            return false;
        full->blocks = kind->waiting;
        kind->waiting = NULL;
    }
    if (kind->waiting == NULL)
        kind->waiting = calloc(1, sizeof *kind->waiting);
    if (kind->waiting == NULL)
        return cli_fail(failure, "%s", strerror(ENOMEM));
    kind->waiting->blocks[kind->waiting->count++] = *block;
    return true;
}

/* Adds the waiting blocks of a kind to its part. */
static bool settle(struct cli_series *series, struct cli_kind *kind, struct cli_failure *failure)
{
    const reap_queue_options options = {.max_threads = 1};
    reap_queue *queue = NULL;
    if (kind->waiting == NULL)
        return true;
    if (cli_series_part(series, kind->type, failure) == NULL)
        return false;
    if (reap_queue_create(NULL, &options, &queue) != REAP_OK)
        return cli_fail(failure, "%s", reap_last_error());
    const bool is_fine = cli_waiting_add(kind->waiting, queue, kind->part, failure);
    kind->waiting = NULL;
    reap_queue_release(queue);
    return is_fine;
}

void cli_series_wants(struct cli_series *series, enum cli_element_type type,
                      const uint64_t keys[CLI_EXTREME_COUNT], uint64_t block,
                      bool wants[CLI_EXTREME_COUNT])
{
    for (int e = 0; e < CLI_EXTREME_COUNT; e++) {
        const struct cli_extreme *best = &find_kind(series, type)->extremes[e];
        wants[e] = !best->is_there || is_better(e, keys[e], best->key) ||
                   (keys[e] == best->key && block < best->block);
    }
}

static void add_extreme(struct cli_extreme *best, int extreme, const struct cli_extreme *found)
{
    if (found->is_there && (!best->is_there || is_better(extreme, found->key, best->key) ||
                            (found->key == best->key && is_before(found, best))))
        *best = *found;
}

void cli_series_add_extreme(struct cli_series *series, enum cli_element_type type, int extreme,
                            const struct cli_extreme *found)
{
    add_extreme(&find_kind(series, type)->extremes[extreme], extreme, found);
}

static void add_odd(struct cli_series *series, const struct cli_csv_odd *found, uint64_t block)
{
    const uint64_t count = series->odd.count, other_decimals = series->odd.other_decimal_count;
    if (found->count > 0 && (count == 0 || block < series->odd_block)) {
        series->odd = *found;
        series->odd_block = block;
    }
    series->odd.count = count + found->count;
    series->odd.other_decimal_count = other_decimals + found->other_decimal_count;
}

void cli_series_add(struct cli_series *series, const struct cli_found *found, uint64_t block,
                    uint64_t first_row)
{
    struct cli_csv_odd odd = found->odd;
    odd.row += first_row;
    series->missing += found->missing;
    add_odd(series, &odd, block);
    series->column_type = cli_csv_join(series->column_type, found->column_type);
    if (found->has_values)
        cli_edges_add(&series->edges, &found->edges);
}

/* ---- Between ranks ----------------------------------------------------------------------------*/

static bool put_part(const reap_part *part, struct cli_packet *packet, struct cli_failure *failure)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    reap_status status = part == NULL ? REAP_OK : reap_part_write(part, NULL, 0, &size);
    if (size > 0 && (bytes = malloc(size)) == NULL)
        return cli_fail(failure, "%s", strerror(ENOMEM));
    if (size > 0)
        status = reap_part_write(part, bytes, size, &size);
    cli_packet_put_number(packet, size);
    if (size > 0)
        cli_packet_put(packet, bytes, size);
    free(bytes);
    return status == REAP_OK || cli_fail(failure, "%s", reap_last_error());
}

static bool get_part(reap_part **part, struct cli_packet *packet, struct cli_failure *failure)
{
    const size_t size = (size_t)cli_packet_get_number(packet);
    reap_part *from = NULL;
    if (size == 0)
        return true;
    unsigned char *bytes = malloc(size);
    if (bytes == NULL)
        return cli_fail(failure, "%s", strerror(ENOMEM));
    cli_packet_get(packet, bytes, size);
    reap_status status = cli_part_read(bytes, size, &from);
    free(bytes);
    if (status == REAP_OK && *part != NULL)
        status = reap_part_merge(*part, from);
    else if (status == REAP_OK) {
        *part = from;
        from = NULL;
    }
    reap_part_release(from);
    return status == REAP_OK || cli_fail(failure, "%s", reap_last_error());
}

bool cli_series_put(struct cli_series *series, struct cli_packet *packet,
                    struct cli_failure *failure)
{
    bool is_fine = true;
    for (int k = 0; k < CLI_KIND_COUNT && is_fine; k++)
        is_fine = settle(series, &series->kinds[k], failure);
    if (!is_fine)
        return false;
    cli_packet_put(packet, series, sizeof *series);
    for (int k = 0; k < CLI_KIND_COUNT && is_fine; k++)
        is_fine = put_part(series->kinds[k].part, packet, failure);
    return is_fine;
}

bool cli_series_get(struct cli_series *series, struct cli_packet *packet,
                    struct cli_failure *failure)
{
    struct cli_series from;
    bool is_fine = true;
    cli_packet_get(packet, &from, sizeof from);
    series->missing += from.missing;
    add_odd(series, &from.odd, from.odd_block);
    series->column_type = cli_csv_join(series->column_type, from.column_type);
    cli_edges_add(&series->edges, &from.edges);
    for (int k = 0; k < CLI_KIND_COUNT && is_fine; k++) {
        struct cli_kind *kind = &series->kinds[k];
        if (from.kinds[k].part != NULL)
            kind->type = from.kinds[k].type;
        for (int e = 0; e < CLI_EXTREME_COUNT; e++)
            add_extreme(&kind->extremes[e], e, &from.kinds[k].extremes[e]);
        is_fine = get_part(&kind->part, packet, failure);
    }
    return is_fine;
}

/* ---- All --------------------------------------------------------------------------------------*/

void cli_series_place(struct cli_series *series, const struct cli_extent *firsts)
{
    if (series->odd.count > 0)
        series->odd.row += firsts[series->odd_block].rows;
    for (int k = 0; k < CLI_KIND_COUNT; k++)
        for (int e = 0; e < CLI_EXTREME_COUNT; e++) {
            struct cli_extreme *extreme = &series->kinds[k].extremes[e];
            if (extreme->is_there)
                extreme->row += firsts[extreme->block].rows;
        }
}

/* The 128 bits of a sum of integers as a double. */
static double make_sum(const describe_part *part)
{
    const bool is_negative = part->sum_high >> 63 != 0;
    const uint64_t low = is_negative ? ~part->sum_low + 1 : part->sum_low;
    const uint64_t high = is_negative ? ~part->sum_high + (low == 0) : part->sum_high;
    const double sum = (double)high * 0x1p64 + (double)low;
    return is_negative ? -sum : sum;
}

/* Converts a part of one type to a type that represents its numbers; doubles may round them. */
static describe_part convert(describe_part part, enum cli_element_type from,
                             enum cli_element_type to)
{
    if (cli_element_kind(from) != 'f' && cli_element_kind(to) == 'f')
        part.sum = make_sum(&part);
    part.minimum = cli_key_convert(from, to, part.minimum);
    part.maximum = cli_key_convert(from, to, part.maximum);
    return part;
}

static struct cli_extreme convert_extreme(struct cli_extreme extreme, enum cli_element_type from,
                                          enum cli_element_type to)
{
    const double value = cli_key_to_double(from, extreme.key);
    if (cli_element_kind(from) != 'f' && cli_element_kind(to) == 'f')
        memcpy(extreme.bytes, &value, sizeof value);
    extreme.key = cli_key_convert(from, to, extreme.key);
    return extreme;
}

static struct cli_extreme choose(int e, struct cli_extreme a, struct cli_extreme b)
{
    if (!a.is_there || !b.is_there)
        return a.is_there ? a : b;
    if (a.key == b.key)
        return a.row < b.row ? a : b;
    return is_better(e, a.key, b.key) ? a : b;
}

static bool has_blocks(const struct cli_kind *kind)
{
    return kind->part != NULL || kind->waiting != NULL;
}

/* The result of all blocks of a kind, which are released. */
static bool reduce(struct cli_series *series, struct cli_kind *kind, describe_part *result,
                   struct cli_failure *failure)
{
    if (!settle(series, kind, failure))
        return false;
    if (cli_part_finish(kind->part, result) != REAP_OK)
        return cli_fail(failure, "%s", reap_last_error());
    reap_part_release(kind->part);
    kind->part = NULL;
    return true;
}

/* The common type of all kinds: the last one's; f64 for a column whose integers fit in no type. */
static enum cli_element_type find_type(const struct cli_series *series)
{
    enum cli_element_type type = series->kinds[CLI_INTEGERS].type;
    for (int k = 0; k < CLI_KIND_COUNT; k++)
        type = has_blocks(&series->kinds[k]) ? series->kinds[k].type : type;
    return series->column_type == CLI_CSV_WIDE ? CLI_ELEMENT_f64 : type;
}

static bool add_kind(struct cli_summary *summary, struct cli_series *series, struct cli_kind *kind,
                     bool is_first, struct cli_failure *failure)
{
    describe_part part;
    if (!reduce(series, kind, &part, failure))
        return false;
    part = convert(part, kind->type, summary->type);
    summary->part = is_first ? part : reap_operate(describe_merge, summary->part, part);
    for (int e = 0; e < CLI_EXTREME_COUNT; e++) {
        const struct cli_extreme extreme =
            convert_extreme(kind->extremes[e], kind->type, summary->type);
        summary->extremes[e] = is_first ? extreme : choose(e, summary->extremes[e], extreme);
    }
    return true;
}

static bool is_text(const struct cli_series *series, bool is_named, uint64_t count)
{
    if (series->column_type == CLI_CSV_TEXT)
        return true;
    return series->odd.count > 0 &&
           (is_named ? count == 0 : !cli_csv_is_nearly_all(count, series->odd.count));
}

bool cli_series_summarize(struct cli_series *series, bool is_named, struct cli_summary *summary,
                          struct cli_failure *failure)
{
    bool is_first = true;
    summary->type = find_type(series);
    summary->missing = series->missing;
    summary->odd = series->odd;
    summary->edges = series->edges;
    summary->is_boolean = series->column_type == CLI_CSV_BOOLEAN;
    summary->is_wide = series->column_type == CLI_CSV_WIDE;
    summary->part = describe_merge_identity();
    for (int k = 0; k < CLI_KIND_COUNT; k++) {
        if (!has_blocks(&series->kinds[k]))
            continue;
        if (!add_kind(summary, series, &series->kinds[k], is_first, failure))
            return false;
        is_first = false;
    }
    summary->part = describe_round(summary->part);
    summary->is_text = is_text(series, is_named, summary->part.numbers + summary->part.nans);
    return true;
}

void cli_series_free(struct cli_series *series)
{
    for (int k = 0; k < CLI_KIND_COUNT; k++) {
        reap_part_release(series->kinds[k].part);
        free(series->kinds[k].waiting);
    }
}
