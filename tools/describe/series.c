/* SPDX-License-Identifier: Apache-2.0
 *
 * Merges the results of the blocks of a series.
 */
#include "tools/describe/series.h"

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

bool cli_series_wants(struct cli_series *series, enum cli_element_type type, int extreme,
                      uint64_t key, uint64_t block)
{
    struct cli_hint *hint = &find_kind(series, type)->hints[extreme];
    if (hint->is_there && !is_better(extreme, key, hint->key) &&
        (key != hint->key || block > hint->block))
        return false;
    *hint = (struct cli_hint){key, block, true};
    return true;
}

/* ---- Blocks -----------------------------------------------------------------------------------*/

static bool add_part(struct cli_kind *kind, describe_part part, struct cli_failure *failure)
{
    size_t level = 0;
    for (; (kind->blocks >> level & 1) != 0; level++)
        part = reap_operate(describe_merge, kind->parts[level], part);
    if (level >= kind->room) {
        const size_t room = kind->room == 0 ? 4 : 2 * kind->room;
        describe_part *parts = realloc(kind->parts, room * sizeof *parts);
        if (parts == NULL)
            return cli_fail(failure, "%s", strerror(ENOMEM));
        kind->parts = parts;
        kind->room = room;
    }
    kind->parts[level] = part;
    kind->blocks++;
    return true;
}

static void add_odd(struct cli_csv_odd *odd, const struct cli_csv_odd *found, uint64_t first_row)
{
    const uint64_t count = odd->count;
    if (count == 0 && found->count > 0) {
        *odd = *found;
        odd->row += first_row;
    }
    odd->count = count + found->count;
}

bool cli_series_add(struct cli_series *series, const struct cli_found *found, uint64_t first_row,
                    struct cli_failure *failure)
{
    struct cli_kind *kind = find_kind(series, found->type);
    series->missing += found->missing;
    add_odd(&series->odd, &found->odd, first_row);
    series->column_type = cli_csv_join(series->column_type, found->column_type);
    if (found->part.numbers + found->part.nans == 0)
        return true;
    kind->type = found->type;
    cli_edges_add(&series->edges, &found->edges);
    for (int e = 0; e < CLI_EXTREME_COUNT; e++) {
        struct cli_extreme *best = &kind->extremes[e];
        const struct cli_extreme *other = &found->extremes[e];
        if (other->is_there && (!best->is_there || is_better(e, other->key, best->key))) {
            *best = *other;
            best->row += first_row;
        }
    }
    return add_part(kind, found->part, failure);
}

/* ---- All --------------------------------------------------------------------------------------*/

static describe_part merge_kind(const struct cli_kind *kind)
{
    describe_part all = describe_merge_identity();
    for (size_t level = 0; level < kind->room; level++)
        if ((kind->blocks >> level & 1) != 0)
            all = reap_operate(describe_merge, kind->parts[level], all);
    return all;
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

/* Numbers of a type as those of another that represents them, or nearly: as doubles. */
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

/* The common type of all kinds: that of the last one, but doubles for a column whose integers fit
 * in no type. */
static enum cli_element_type find_type(const struct cli_series *series)
{
    enum cli_element_type type = series->kinds[CLI_INTEGERS].type;
    for (int k = 0; k < CLI_KIND_COUNT; k++)
        type = series->kinds[k].blocks > 0 ? series->kinds[k].type : type;
    return series->column_type == CLI_CSV_WIDE ? CLI_ELEMENT_f64 : type;
}

static void add_kind(struct cli_summary *summary, const struct cli_kind *kind, bool is_first)
{
    const describe_part part = convert(merge_kind(kind), kind->type, summary->type);
    summary->part = is_first ? part : reap_operate(describe_merge, summary->part, part);
    for (int e = 0; e < CLI_EXTREME_COUNT; e++) {
        const struct cli_extreme extreme =
            convert_extreme(kind->extremes[e], kind->type, summary->type);
        summary->extremes[e] = is_first ? extreme : choose(e, summary->extremes[e], extreme);
    }
}

void cli_series_summarize(const struct cli_series *series, bool is_named,
                          struct cli_summary *summary)
{
    bool is_first = true;
    summary->type = find_type(series);
    summary->missing = series->missing;
    summary->odd = series->odd;
    summary->edges = series->edges;
    summary->is_boolean = series->column_type == CLI_CSV_BOOLEAN;
    summary->is_wide = series->column_type == CLI_CSV_WIDE;
    summary->part = describe_merge_identity();
    for (int k = 0; k < CLI_KIND_COUNT; k++)
        if (series->kinds[k].blocks > 0) {
            add_kind(summary, &series->kinds[k], is_first);
            is_first = false;
        }
    const uint64_t count = summary->part.numbers + summary->part.nans;
    summary->is_text = series->column_type == CLI_CSV_TEXT ||
                       (series->odd.count > 0 &&
                        (is_named ? count == 0 : !cli_csv_is_nearly_all(count, series->odd.count)));
}

void cli_series_free(struct cli_series *series)
{
    for (int k = 0; k < CLI_KIND_COUNT; k++)
        free(series->kinds[k].parts);
}
