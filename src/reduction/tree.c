/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of lanes, trees and locations. docs/reduction-shape.md specifies the bits of the results;
 * tests/conformance compares them with a serial reference that was written from that page.
 */
#include "src/reduction/tree.h"

#include "src/core/allocate.h"
#include "src/reduction/exact.h"
#include "src/reduction/operators.h"

#include <assert.h>
#include <math.h>
#include <reap/bfloat16.h>
#include <reap/half.h>
#include <stdbool.h>
#include <string.h>

size_t reap__span_chunk_items(size_t count)
{
    size_t items = (size_t)1 << 15;
    while (items < (size_t)1 << 20 && items < 64 * count)
        items *= 2;
    while (items < count)
        items *= 2;
    return items;
}

unsigned reap__span_replicas_log2(size_t bytes)
{
    return bytes <= REAP__DENSE_SPAN_BYTES ? 3 : 2;
}

struct reap__results reap__results_at(const struct reap__reduction *reduction,
                                      const struct reap__results *results, size_t i)
{
    return (struct reap__results){
        .values = results->values + i * reduction->result_size,
        .set = results->set != NULL ? results->set + i : NULL,
    };
}

/* ---- Combining --------------------------------------------------------------------------------*/

static const struct reap__operator_functions *operations_of(const struct reap__reduction *reduction)
{
    return reap__operator_functions(reduction->built_in, reduction->type);
}

/* All results have values. */
static void combine(const struct reap__reduction *reduction, void *into, const void *from,
                    size_t count)
{
    if (reduction->location_offset > 0)
        reap__location_combine(reduction, into, from, count);
    else if (reap__is_exact(reduction))
        for (size_t i = 0; i < count; i++)
            reap__exact_merge(reduction, (uint64_t *)into + i * reduction->result_size / 8,
                              (const uint64_t *)from + i * reduction->result_size / 8);
    else if (reduction->is_builtin)
        (operations_of(reduction)->combine)(into, from, count);
    else
        (reduction->combine)(into, from, count);
}

static void combine_present(const struct reap__reduction *reduction,
                            const struct reap__results *into, const struct reap__results *from,
                            size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct reap__results a = reap__results_at(reduction, into, i);
        const struct reap__results b = reap__results_at(reduction, from, i);
        if (!*b.set)
            continue;
        if (*a.set)
            combine(reduction, a.values, b.values, 1);
        else
            memcpy(a.values, b.values, reduction->result_size);
        *a.set = 1;
    }
}

void reap__combine(const struct reap__reduction *reduction, const struct reap__results *into,
                   const struct reap__results *from, size_t count)
{
    if (into->set == NULL)
        combine(reduction, into->values, from->values, count);
    else
        combine_present(reduction, into, from, count);
}

static void copy(const struct reap__reduction *reduction, const struct reap__results *into,
                 const struct reap__results *from, size_t count)
{
    memmove(into->values, from->values, count * reduction->result_size);
    if (into->set != NULL)
        memmove(into->set, from->set, count);
}

/* The first copies are stored from registers: reading memory that has just been stored in smaller
 * units is slow. */
static size_t repeat_small(unsigned char *bytes, const void *value, size_t size, size_t total)
{
    enum { FIRST_BYTES = 256 };
    unsigned char pattern[16];
    const size_t first = total < FIRST_BYTES ? total : FIRST_BYTES;
    size_t done = 0;
    for (size_t i = 0; i < sizeof pattern; i += size)
        memcpy(pattern + i, value, size);
    for (; done + sizeof pattern <= first; done += sizeof pattern)
        memcpy(bytes + done, pattern, sizeof pattern);
    memcpy(bytes + done, pattern, first - done);
    return first;
}

static size_t repeat_first(unsigned char *bytes, const void *value, size_t size, size_t total)
{
    switch (size) {
    case 1:
        return repeat_small(bytes, value, 1, total);
    case 2:
        return repeat_small(bytes, value, 2, total);
    case 4:
        return repeat_small(bytes, value, 4, total);
    case 8:
        return repeat_small(bytes, value, 8, total);
    default:
        memcpy(bytes, value, size);
        return size;
    }
}

void reap__repeat(void *into, const void *value, size_t size, size_t count)
{
    unsigned char *bytes = into;
    const size_t total = count * size;
    if (count == 0)
        return;
    for (size_t done = repeat_first(bytes, value, size, total); done < total;) {
        const size_t more = done < total - done ? done : total - done;
        memcpy(bytes + done, bytes, more);
        done += more;
    }
}

void reap__fill(const struct reap__reduction *reduction, const void *identity,
                const struct reap__results *results, size_t count)
{
    if (identity != NULL)
        reap__repeat(results->values, identity, reduction->result_size, count);
    if (results->set != NULL)
        memset(results->set, identity != NULL, count);
}

/* ---- Rows -------------------------------------------------------------------------------------*/

/* Whether the library has functions for whole rows of this reduction. */
static bool has_row_code(const struct reap__reduction *reduction)
{
    return reduction->is_builtin && reduction->location_offset == 0;
}

void reap__fold_by_halving(const struct reap__reduction *reduction, const struct reap__results *row,
                           size_t count, size_t width)
{
    if (count == REAP__MOST_LANES && width == count && has_row_code(reduction)) {
        (operations_of(reduction)->fold)(row->values);
        return;
    }
    for (size_t half = width / 2; half > 0; half /= 2) {
        const size_t pairs = reap__fold_pairs(count, half);
        const struct reap__results partners = reap__results_at(reduction, row, half);
        if (pairs > 0)
            reap__combine(reduction, row, &partners, pairs);
    }
}

void reap__fold_rows(const struct reap__reduction *reduction, const struct reap__results *rows,
                     size_t row_count, size_t count, size_t width)
{
    const size_t size = reduction->result_size;
    if (count == REAP__MOST_LANES && width == count && has_row_code(reduction)) {
        (operations_of(reduction)->fold_rows)(rows->values, row_count);
        return;
    }
    for (size_t row = 0; row < row_count; row++) {
        const struct reap__results of = reap__results_at(reduction, rows, row * width);
        reap__fold_by_halving(reduction, &of, count, width);
        memmove(rows->values + row * size, of.values, size);
        if (rows->set != NULL)
            rows->set[row] = *of.set;
    }
}

void reap__combine_items(const struct reap__reduction *reduction, const struct reap__results *lanes,
                         const struct reap__results *items, size_t first, size_t count)
{
    const size_t width = (size_t)1 << reduction->lanes_log2;
    for (size_t done = 0, n; done < count; done += n) {
        const size_t lane = (first + done) & (width - 1);
        n = count - done < width - lane ? count - done : width - lane;
        const struct reap__results into = reap__results_at(reduction, lanes, lane);
        const struct reap__results from = reap__results_at(reduction, items, done);
        reap__combine(reduction, &into, &from, n);
    }
}

/* Combines rows 2 * into and 2 * into + 1, of which the second has `lanes` lanes, into row
 * `into`. */
static void halve_pair(const struct reap__reduction *reduction, const struct reap__results *rows,
                       size_t into, size_t lanes)
{
    const size_t width = (size_t)1 << reduction->lanes_log2;
    const struct reap__results to = reap__results_at(reduction, rows, into * width);
    const struct reap__results left = reap__results_at(reduction, rows, 2 * into * width);
    const struct reap__results right = reap__results_at(reduction, rows, (2 * into + 1) * width);
    reap__combine(reduction, &left, &right, lanes);
    copy(reduction, &to, &left, width);
}

size_t reap__halve(const struct reap__reduction *reduction, const struct reap__results *rows,
                   size_t count, size_t *last_lanes)
{
    const size_t width = (size_t)1 << reduction->lanes_log2;
    const size_t pairs = count / 2, rest = count % 2;
    const size_t whole = rest == 0 && *last_lanes < width ? pairs - 1 : pairs;
    if (has_row_code(reduction))
        (operations_of(reduction)->halve)(rows->values, whole);
    else
        for (size_t j = 0; j < whole; j++)
            halve_pair(reduction, rows, j, width);
    if (whole < pairs)
        halve_pair(reduction, rows, whole, *last_lanes);
    if (rest > 0) {
        const struct reap__results to = reap__results_at(reduction, rows, pairs * width);
        const struct reap__results last = reap__results_at(reduction, rows, 2 * pairs * width);
        copy(reduction, &to, &last, *last_lanes);
    } else {
        *last_lanes = width;
    }
    return pairs + rest;
}

/* Combines eight complete rows, pair by pair, into the first. */
static void join_eight(const struct reap__reduction *reduction, const struct reap__results *rows)
{
    const size_t width = (size_t)1 << reduction->lanes_log2;
    if (has_row_code(reduction)) {
        (operations_of(reduction)->join_eight)(rows->values, rows->values);
        return;
    }
    for (size_t step = 1; step < 8; step *= 2)
        for (size_t j = 0; j < 8; j += 2 * step) {
            const struct reap__results left = reap__results_at(reduction, rows, j * width);
            const struct reap__results right =
                reap__results_at(reduction, rows, (j + step) * width);
            reap__combine(reduction, &left, &right, width);
        }
}

size_t reap__join(const struct reap__reduction *reduction, const struct reap__results *rows,
                  size_t count, size_t last_lanes)
{
    if (count == 8 && last_lanes == (size_t)1 << reduction->lanes_log2) {
        join_eight(reduction, rows);
        return last_lanes;
    }
    while (count > 1)
        count = reap__halve(reduction, rows, count, &last_lanes);
    return last_lanes;
}

/* ---- Trees ------------------------------------------------------------------------------------*/

/* There is at most one complete node of each level; the last node may have any level. */
static size_t most_nodes(size_t leaves)
{
    size_t nodes = 2;
    for (; leaves > 0; leaves /= 2)
        nodes++;
    return nodes < REAP__TREE_NODES ? nodes : REAP__TREE_NODES;
}

size_t reap__tree_bytes(const struct reap__reduction *reduction, size_t leaves)
{
    size_t bytes = 0;
    const size_t lanes = most_nodes(leaves) << reduction->lanes_log2;
    const bool fits =
        reap__add_bytes(&bytes, lanes, reduction->result_size) && reap__add_bytes(&bytes, lanes, 1);
    assert(fits); /* larger types have fewer lanes */
    (void)fits;
    return bytes;
}

void reap__tree_begin(struct reap__tree *tree, const struct reap__reduction *reduction,
                      size_t leaves, void *memory)
{
    const size_t lanes = most_nodes(leaves) << reduction->lanes_log2;
    size_t values_bytes = 0;
    reap__add_bytes(&values_bytes, lanes, reduction->result_size);
    tree->reduction = reduction;
    tree->functions = has_row_code(reduction) ? operations_of(reduction) : NULL;
    tree->count = 0;
    tree->rows.values = memory;
    tree->rows.set = reduction->has_identity ? NULL : (unsigned char *)memory + values_bytes;
}

static struct reap__results node_at(const struct reap__tree *tree, size_t i)
{
    return reap__results_at(tree->reduction, &tree->rows, i << tree->reduction->lanes_log2);
}

void reap__tree_add(struct reap__tree *tree, unsigned level, const struct reap__results *row,
                    size_t lanes)
{
    const size_t width = (size_t)1 << tree->reduction->lanes_log2;
    struct reap__results node = *row;
    for (; tree->count > 0 && tree->levels[tree->count - 1] == level; level++) {
        const struct reap__results left = node_at(tree, tree->count - 1);
        reap__combine(tree->reduction, &left, &node, lanes);
        node = left;
        lanes = width;
        tree->count--;
    }
    const struct reap__results own = node_at(tree, tree->count);
    if (own.values != node.values)
        copy(tree->reduction, &own, &node, lanes);
    tree->levels[tree->count++] = (unsigned char)level;
    tree->last_lanes = lanes;
}

void reap__tree_add_eight(struct reap__tree *tree, unsigned level_of_eight,
                          const struct reap__results *rows)
{
    const struct reap__operator_functions *functions = tree->functions;
    const size_t row_bytes = tree->reduction->result_size * REAP__MOST_LANES;
    unsigned char *node = tree->rows.values + tree->count * row_bytes;
    unsigned char level = (unsigned char)level_of_eight;
    if (functions == NULL) {
        reap__tree_add(
            tree, level, rows,
            reap__join(tree->reduction, rows, 8, (size_t)1 << tree->reduction->lanes_log2));
        return;
    }
    (functions->join_eight)(node, rows->values);
    for (; tree->count > 0 && tree->levels[tree->count - 1] == level; level++, tree->count--) {
        (functions->combine)(node - row_bytes, node, REAP__MOST_LANES);
        node -= row_bytes;
    }
    tree->levels[tree->count++] = level;
    tree->last_lanes = REAP__MOST_LANES;
}

struct reap__results reap__tree_finish(struct reap__tree *tree, size_t *lanes)
{
    const size_t width = (size_t)1 << tree->reduction->lanes_log2;
    assert(tree->count > 0);
    *lanes = tree->last_lanes;
    for (; tree->count > 1; tree->count--, *lanes = width) {
        const struct reap__results left = node_at(tree, tree->count - 2);
        const struct reap__results right = node_at(tree, tree->count - 1);
        reap__combine(tree->reduction, &left, &right, *lanes);
    }
    return node_at(tree, 0);
}

/* ---- Locations --------------------------------------------------------------------------------*/

/* Values are compared in their own type. Of equal values the lowest number is the result. */

const void *reap__location_start(const struct reap__reduction *reduction, const void *identity)
{
    static const float single = NAN;
    static const double wide = NAN;
    static const reap_half half = {0x7e00};
    static const reap_bfloat16 bfloat16 = {0x7fc0};
    switch (reduction->number) {
    case REAP__IS_FLOAT:
        return &single;
    case REAP__IS_DOUBLE:
        return &wide;
    case REAP__IS_HALF:
        return &half;
    case REAP__IS_BFLOAT16:
        return &bfloat16;
    default:
        return identity;
    }
}

size_t reap__location_most_rows(const struct reap__reduction *reduction)
{
    switch (reduction->value_size) {
    case 1:
        return UINT8_MAX;
    case 2:
        return UINT16_MAX;
    default:
        return UINT32_MAX;
    }
}

/* Lanes: values, and the rows that they are from, of which the largest number means none. */
struct located {
    const void *values, *rows;
    size_t count;
    uint64_t first;      /* the number of the first item of row 0 */
    unsigned lanes_log2; /* of a row */
    bool is_maximum;
};

/* Takes each value that is better than the best one, or equal and earlier. A NaN is neither, since
 * it is unordered. Most values are worse, which one comparison finds: 8 instructions a lane for
 * random floats, 22 if it takes two and the location. */
#define FOLD_BY(T, R, number, op)                                                                  \
    for (size_t l = 0; l < lanes->count; l++) {                                                    \
        const T value_ = values[l];                                                                \
        if (!(number(value_) op number(best)) || rows[l] == (R)-1)                                 \
            continue;                                                                              \
        const uint64_t here = lanes->first + ((uint64_t)rows[l] << lanes->lanes_log2) + l;         \
        if (number(value_) == number(best) && here >= at)                                          \
            continue;                                                                              \
        best = value_;                                                                             \
        at = here;                                                                                 \
    }
#define FOLD(name, T, R, number)                                                                   \
    static void fold_##name(const struct located *lanes, void *value, uint64_t *location)          \
    {                                                                                              \
        const T *const values = lanes->values;                                                     \
        const R *const rows = lanes->rows;                                                         \
        uint64_t at = *location;                                                                   \
        T best;                                                                                    \
        memcpy(&best, value, sizeof best);                                                         \
        if (lanes->is_maximum)                                                                     \
            FOLD_BY(T, R, number, >=)                                                              \
        else                                                                                       \
            FOLD_BY(T, R, number, <=)                                                              \
        memcpy(value, &best, sizeof best);                                                         \
        *location = at;                                                                            \
    }
FOLD(u8, uint8_t, uint8_t, )
FOLD(u16, uint16_t, uint16_t, )
FOLD(u32, uint32_t, uint32_t, )
FOLD(u64, uint64_t, uint64_t, )
FOLD(s8, int8_t, uint8_t, )
FOLD(s16, int16_t, uint16_t, )
FOLD(s32, int32_t, uint32_t, )
FOLD(s64, int64_t, uint64_t, )
FOLD(float, float, uint32_t, )
FOLD(double, double, uint64_t, )
FOLD(half, reap_half, uint16_t, reap_half_to_float)
FOLD(bfloat16, reap_bfloat16, uint16_t, reap_bfloat16_to_float)

/* Folds lanes into a result: a value and its location. */
static void fold(const struct reap__reduction *reduction, const struct located *lanes, void *result)
{
    static void (*const functions[REAP__OPERAND_COUNT])(const struct located *, void *,
                                                        uint64_t *) = {
        [REAP__OPERAND_u8] = fold_u8,       [REAP__OPERAND_u16] = fold_u16,
        [REAP__OPERAND_u32] = fold_u32,     [REAP__OPERAND_u64] = fold_u64,
        [REAP__OPERAND_s8] = fold_s8,       [REAP__OPERAND_s16] = fold_s16,
        [REAP__OPERAND_s32] = fold_s32,     [REAP__OPERAND_s64] = fold_s64,
        [REAP__OPERAND_float] = fold_float, [REAP__OPERAND_double] = fold_double,
        [REAP__OPERAND_half] = fold_half,   [REAP__OPERAND_bfloat16] = fold_bfloat16};
    unsigned char *const at = (unsigned char *)result + reduction->location_offset;
    uint64_t location;
    memcpy(&location, at, sizeof location);
    (functions[reap__operand(reduction->type)])(lanes, result, &location);
    memcpy(at, &location, sizeof location);
}

void reap__location_fold(const struct reap__reduction *reduction, const struct reap__lanes *lanes,
                         size_t count, uint64_t first, void *result)
{
    const struct located located = {
        lanes->values_, lanes->rows_,          count,
        first,          reduction->lanes_log2, reduction->built_in == REAP__OPERATION_maximum};
    fold(reduction, &located, result);
}

/* A result is folded like one lane whose row is 0. */
void reap__location_combine(const struct reap__reduction *reduction, void *into, const void *from,
                            size_t count)
{
    static const uint64_t row = 0;
    const size_t size = reduction->result_size;
    struct located one = {NULL, &row, 1, 0, 0, reduction->built_in == REAP__OPERATION_maximum};
    for (size_t i = 0; i < count; i++) {
        one.values = (const char *)from + i * size;
        memcpy(&one.first, (const char *)one.values + reduction->location_offset, sizeof one.first);
        fold(reduction, &one, (char *)into + i * size);
    }
}
