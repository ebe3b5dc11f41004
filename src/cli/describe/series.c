/* SPDX-License-Identifier: Apache-2.0
 *
 * Merges what was found in the blocks of a series.
 */
#include "src/cli/describe/series.h"

#include "src/cli/describe/numbers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct cli_kind *find_kind(struct cli_series *series, enum cli_element_type type)
{
    return cli_element_kind(type) == 'f' ? &series->floats : &series->integers;
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

bool cli_series_add(struct cli_series *series, const struct cli_found *found, uint64_t first_row,
                    struct cli_failure *failure)
{
    struct cli_kind *kind = find_kind(series, found->type);
    series->missing += found->missing;
    series->column_type = cli_csv_join(series->column_type, found->column_type);
    if (found->part.numbers + found->part.nans == 0)
        return true;
    kind->type = found->type;
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

/* Integers as floating-point numbers. The sum is 128 bits wide. */
static describe_part make_float(describe_part part)
{
    const bool is_negative = part.sum_high >> 63 != 0;
    const uint64_t low = is_negative ? ~part.sum_low + 1 : part.sum_low;
    const uint64_t high = is_negative ? ~part.sum_high + (low == 0) : part.sum_high;
    const double sum = (double)high * 0x1p64 + (double)low;
    part.sum = is_negative ? -sum : sum;
    part.minimum = describe_key_of_float(cli_key_to_double(CLI_ELEMENT_i64, part.minimum));
    part.maximum = describe_key_of_float(cli_key_to_double(CLI_ELEMENT_i64, part.maximum));
    return part;
}

/* The integer becomes a double. */
static struct cli_extreme make_float_extreme(struct cli_extreme extreme)
{
    const double value = cli_key_to_double(CLI_ELEMENT_i64, extreme.key);
    memcpy(extreme.bytes, &value, sizeof value);
    extreme.key = describe_key_of_float(value);
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

void cli_series_summarize(const struct cli_series *series, struct cli_summary *summary)
{
    const struct cli_kind *integers = &series->integers, *floats = &series->floats;
    const bool is_mixed = integers->blocks > 0 && floats->blocks > 0;
    const struct cli_kind *kind = floats->blocks > 0 ? floats : integers;
    summary->type = kind->type;
    summary->missing = series->missing;
    summary->is_text = series->column_type == CLI_CSV_TEXT;
    summary->part = merge_kind(kind);
    memcpy(summary->extremes, kind->extremes, sizeof summary->extremes);
    if (!is_mixed)
        return;
    const describe_part others = make_float(merge_kind(integers));
    summary->part = reap_operate(describe_merge, others, summary->part);
    for (int e = 0; e < CLI_EXTREME_COUNT; e++)
        summary->extremes[e] =
            choose(e, summary->extremes[e], make_float_extreme(integers->extremes[e]));
}

void cli_series_free(struct cli_series *series)
{
    free(series->integers.parts);
    free(series->floats.parts);
}
