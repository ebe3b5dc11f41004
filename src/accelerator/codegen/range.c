/* SPDX-License-Identifier: Apache-2.0
 *
 * The entry function of kernels without work-groups, and the one that combines the values of
 * work-groups as if they were items. In each row of a leaf a thread has some neighbouring items,
 * and their lanes in registers. Several rows are unrolled, so that many loads are in flight
 * together; not where reductions differ in width, since leaves of some end between rows.
 */
#include "src/accelerator/codegen/entry.h"

#include <stdio.h>

/* How many rows a thread loads before it combines them, limited by the bytes that its registers
 * hold. Exact sums need registers of their own. */
enum { LEAST_ROWS = 4, MOST_ROWS = 16, LOADED_BYTES = 256, LOADED_BESIDE_SUMS = 128 };

/* The items that a function runs over. */
enum items { WORK_ITEMS, GROUPS };

/* A lane combines a group's value. */
static void add_take(const struct reap__layout *layout, const char *indent,
                     struct reap__string *into)
{
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__string_format(into,
                            "%sreap__take_%zu(&reap_b, reap_m0, reap_i, &reap_l%zu[reap_s%zu], "
                            "&reap_t%zu[reap_s%zu]);\n",
                            indent, s, s, s, s, s);
}

static void add_item(const struct reap__layout *layout, enum items items, const char *indent,
                     struct reap__string *into)
{
    const size_t each = layout->width / layout->team_threads;
    if (items == GROUPS) {
        add_take(layout, indent, into);
        return;
    }
    reap__entry_add_item(layout, indent, into);
    for (size_t s = 0; s < layout->span_count; s++)
        if (reap__entry_span_defers(layout, s))
            reap__string_format(
                into, "%sreap_xs%zu.deferred = &reap_deferred%zu[reap_u * %zu + reap_v];\n", indent,
                s, s, each);
    reap__entry_add_call(layout, indent, into);
}

/* The items of row reap_row that the thread has. */
static void add_row(const struct reap__layout *layout, enum items items, bool is_whole,
                    const char *indent, struct reap__string *into)
{
    const size_t each = layout->width / layout->team_threads;
    char deeper[64], first[128];
    if (layout->has_lines)
        snprintf(first, sizeof first,
                 "reap_first + (reap__ulong)reap_row * %zu + reap_member + reap_v * %zu",
                 layout->width, layout->team_threads);
    else if (is_whole)
        snprintf(first, sizeof first, "reap_at + reap_u * %zu", layout->width);
    else
        snprintf(first, sizeof first,
                 "reap_first + (reap__ulong)reap_row * %zu + reap_member * %zu", layout->width,
                 each);
    snprintf(deeper, sizeof deeper, "%s    ", indent);
    reap__string_format(into,
                        "%sREAP__UNROLL\n"
                        "%sfor (reap__uint reap_v = 0; reap_v < %zu; reap_v++) {\n"
                        "%s    const reap__ulong reap_i = %s%s;\n",
                        indent, indent, each, indent, first, layout->has_lines ? "" : " + reap_v");
    if (layout->has_near_places && items == WORK_ITEMS)
        reap__string_format(into, "%s    const reap__uint reap_near = reap_row * %zu + reap_v;\n",
                            indent, layout->width);
    if (!is_whole)
        reap__string_format(into, "%s    if (reap_i >= reap_end)\n%s        continue;\n", indent,
                            indent);
    for (size_t s = 0; s < layout->scalar_count; s++)
        if (layout->scalars[s].rows_of_lanes > 1)
            reap__string_format(
                into, "%s    const reap__uint reap_s%zu = reap_row %% %zu * %zu + reap_v;\n",
                indent, s, layout->scalars[s].rows_of_lanes, each);
        else
            reap__string_format(into, "%s    const reap__uint reap_s%zu = reap_v;\n", indent, s);
    add_item(layout, items, deeper, into);
    reap__string_format(into, "%s}\n", indent);
}

/* Whether reductions differ in width: some have several leaves in the largest. */
static bool has_inner_leaves(const struct reap__layout *layout)
{
    for (size_t s = 0; s < layout->scalar_count; s++)
        if (layout->scalars[s].leaves_log2 > 0)
            return true;
    return false;
}

static void add_inner_climbs(const struct reap__layout *layout, struct reap__string *into)
{
    char first[96];
    for (size_t s = 0; s < layout->scalar_count; s++) {
        const size_t rows = layout->scalars[s].rows_of_lanes * REAP__ROWS_OF_A_LEAF;
        if (layout->scalars[s].leaves_log2 == 0)
            continue;
        reap__string_format(
            into,
            "            if ((reap_row + 1) %% %zu == 0 || reap_first + (reap_row + 1) "
            "* %zu >= reap_end) {\n",
            rows, layout->width);
        snprintf(first, sizeof first, "(reap_first + (reap__ulong)(reap_row / %zu) * %zu)", rows,
                 rows * layout->width);
        reap__entry_add_climb(layout, s, first, "                ", into);
        reap__entry_add_starts(layout, s, reap__entry_lanes(layout, s), "                ", into);
        reap__string_add(into, "            }\n");
    }
}

/* The loop over `rows` rows: a number or the name of a macro. */
static void add_some_rows(const struct reap__layout *layout, enum items items, bool is_whole,
                          const char *rows, struct reap__string *into)
{
    const size_t each = layout->width / layout->team_threads;
    const bool is_multiple = layout->has_warps && (each & (each - 1)) == 0;
    char of[32] = "";
    if (is_multiple)
        snprintf(of, sizeof of, ", %zu", each);
    if (items == WORK_ITEMS) {
        reap__entry_add_deferred(layout, rows, into);
        reap__entry_add_values(layout, rows, into);
    }
    if (is_whole && !layout->has_lines)
        reap__string_format(into,
                            "            const reap__ulong reap_at = %s(reap_first + "
                            "(reap__ulong)reap_row * %zu + reap_member * %zu%s);\n",
                            is_multiple ? "reap__multiple" : "", layout->width, each, of);
    reap__string_format(
        into,
        "            REAP__UNROLL\n"
        "            for (reap__uint reap_u = 0; reap_u < %s; reap_u++, reap_row++) "
        "{\n",
        rows);
    add_row(layout, items, is_whole, "                ", into);
    reap__string_add(into, "            }\n");
    if (items == WORK_ITEMS) {
        reap__entry_add_combinations(layout, rows, into);
        reap__entry_add_row_sums(layout, rows, into);
    }
    reap__string_add(into, "        }\n");
}

/* Several rows at a time, so that many loads are in flight together: first those that are whole,
 * then the last ones. */
static void add_unrolled_rows(const struct reap__layout *layout, enum items items,
                              struct reap__string *into)
{
    reap__string_add(into, "        while (reap_row + REAP__ROWS_AT_ONCE <= reap_rows) {\n");
    add_some_rows(layout, items, true, "REAP__ROWS_AT_ONCE", into);
    if (layout->scalar_count == 0 && layout->span_count == 0) { /* whose tiles may have few rows */
        reap__string_add(into, "        while (reap_row < reap_rows) {\n");
        add_some_rows(layout, items, true, "1", into);
    }
    reap__string_format(into,
                        "        while (reap_first + (reap__ulong)reap_row * %zu < reap_end) {\n",
                        layout->width);
    add_some_rows(layout, items, false, "REAP__LAST_ROWS_AT_ONCE", into);
}

/* One row at a time, since a leaf of some reduction may end after each. */
static void add_single_rows(const struct reap__layout *layout, enum items items,
                            struct reap__string *into)
{
    reap__string_add(into, "        const reap__uint reap_u = 0;\n"
                           "        for (; reap_first + (reap__ulong)reap_row * ");
    reap__string_format(into, "%zu < reap_end; reap_row++) {\n", layout->width);
    if (items == WORK_ITEMS) {
        reap__entry_add_deferred(layout, "1", into);
        reap__entry_add_values(layout, "1", into);
    }
    add_row(layout, items, false, "            ", into);
    if (items == WORK_ITEMS) {
        reap__entry_add_combinations(layout, "1", into);
        reap__entry_add_row_sums(layout, "1", into);
    }
    add_inner_climbs(layout, into);
    reap__string_add(into, "        }\n");
}

static void add_rows(const struct reap__layout *layout, enum items items, struct reap__string *into)
{
    reap__string_add(into, "        reap__uint reap_row = 0;\n");
    if (has_inner_leaves(layout)) {
        add_single_rows(layout, items, into);
        return;
    }
    reap__string_format(
        into,
        "        const reap__uint reap_rows = (reap__uint)((reap_end - reap_first) / "
        "%zu);\n",
        layout->width);
    add_unrolled_rows(layout, items, into);
}

/* Whether values do not fit in registers. Unrolled rows would then be more code and no faster.
 */
static bool has_large_values(const struct reap__layout *layout)
{
    for (size_t p = 1; p < layout->kernel->parameter_count; p++) {
        const struct reap__parameter *parameter = &layout->kernel->parameters[p];
        if (parameter->reduction != NULL && parameter->size > REAP__MOST_BYTES_OF_ROWS)
            return true;
    }
    return false;
}

/* The bytes that a thread loads for a row: of arrays, or of groups' values. */
static size_t bytes_of_row(const struct reap__layout *layout, enum items items)
{
    size_t bytes = 0;
    for (size_t p = 1; p < layout->kernel->parameter_count; p++)
        if (items == GROUPS ? layout->kernel->parameters[p].kind == REAP__SCALAR_REDUCTION
                            : reap__is_array(&layout->kernel->parameters[p]))
            bytes += layout->kernel->parameters[p].size;
    return bytes * (layout->width / layout->team_threads);
}

static bool has_exact_sums(const struct reap__layout *layout)
{
    for (size_t s = 0; s < layout->scalar_count; s++)
        if (layout->scalars[s].is_exact)
            return true;
    return false;
}

static size_t rows_at_once(const struct reap__layout *layout, enum items items)
{
    const size_t each = layout->width / layout->team_threads;
    const size_t most = has_exact_sums(layout) ? LOADED_BESIDE_SUMS : LOADED_BYTES;
    size_t rows = MOST_ROWS;
    if (has_large_values(layout))
        return 1;
    if (layout->span_count > 0 && items == WORK_ITEMS)
        return 32 / each < 4 ? 32 / each : 4;
    while (rows > LEAST_ROWS && rows * bytes_of_row(layout, items) > most)
        rows /= 2;
    return rows;
}

size_t reap__rows_at_once(const struct reap__layout *layout)
{
    return rows_at_once(layout, WORK_ITEMS);
}

/* The entry function's head; with the groups that a multiprocessor must be able to run together. */
static void add_entry_word(const struct reap__layout *layout, enum items items,
                           struct reap__string *into)
{
    const char *name = items == GROUPS ? "reap_fold" : "reap_entry";
    if (reap__entry_groups_beside(layout) > 0)
        reap__string_format(into, "REAP__ENTRY_BESIDE(%s, %zu, %zu)\n", name, layout->fold_threads,
                            reap__entry_groups_beside(layout));
    else
        reap__string_format(into, "REAP__ENTRY(%s, %zu)\n", name, layout->fold_threads);
}

void reap__entry_add_rows(const struct reap__layout *layout, struct reap__string *into)
{
    add_rows(layout, WORK_ITEMS, into);
}

void reap__entry_begin_function(const struct reap__layout *layout, struct reap__string *into)
{
    reap__string_format(into, "#undef REAP__ROWS_IN_FLIGHT\n#define REAP__ROWS_IN_FLIGHT %zu\n",
                        rows_at_once(layout, WORK_ITEMS));
    add_entry_word(layout, WORK_ITEMS, into);
    reap__entry_add_parameters(layout, into);
    reap__string_add(into, ")\n{\n    reap__begin();\n");
    reap__entry_add_arguments(layout, into);
}

static void add_function(const struct reap__layout *layout, enum items items,
                         struct reap__string *into)
{
    const bool has_local_spans = layout->has_local_spans && items == WORK_ITEMS;
    const bool has_span_cache = layout->has_span_cache && items == WORK_ITEMS;
    reap__string_format(into, "#undef REAP__ROWS_IN_FLIGHT\n#define REAP__ROWS_IN_FLIGHT %zu\n",
                        rows_at_once(layout, items));
    add_entry_word(layout, items, into);
    reap__entry_add_parameters(layout, into);
    if (has_local_spans)
        reap__string_add(into, " REAP__DYNAMIC_PARAMETER(reap_dynamic)");
    reap__string_add(into,
                     ")\n{\n    REAP__SHARED(reap__ulong8, reap_shared, REAP__SHARED_WORDS);\n"
                     "    reap__begin();\n");
    if (has_local_spans)
        reap__string_add(into, "    REAP__DYNAMIC_MEMORY(reap_dynamic);\n");
    if (items == WORK_ITEMS)
        reap__entry_add_arguments(layout, into);
    if (has_local_spans)
        reap__entry_add_own_copies(layout, into);
    if (has_span_cache)
        reap__entry_add_cache(layout, into);
    reap__entry_add_team(layout, into);
    reap__entry_add_lanes(layout, "    ", into);
    if (items == WORK_ITEMS)
        reap__entry_begin_sums(layout, into);
    reap__entry_begin_tiles(layout, into);
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__entry_add_starts(layout, s, reap__entry_lanes(layout, s), "        ", into);
    if (items == WORK_ITEMS)
        reap__entry_add_near_places(layout, into);
    add_rows(layout, items, into);
    if (items == WORK_ITEMS)
        reap__entry_end_near_places(layout, into);
    reap__entry_end_tiles(layout, into);
    if (has_local_spans)
        reap__entry_add_merges(layout, into);
    if (has_span_cache)
        reap__entry_empty_cache(layout, into);
    if (items == WORK_ITEMS)
        reap__entry_end_sums(layout, into);
    if (layout->commits_at_once && items == WORK_ITEMS)
        reap__entry_add_commit(layout, into);
    reap__entry_add_last_group(layout, into);
    reap__string_add(into, "}\n");
}

void reap__entry_add_range(const struct reap__layout *layout, struct reap__string *into)
{
    add_function(layout, WORK_ITEMS, into);
}

void reap__entry_add_fold(const struct reap__layout *layout, struct reap__string *into)
{
    if (layout->scalar_count > 0)
        add_function(layout, GROUPS, into);
}

size_t reap__entry_groups_beside(const struct reap__layout *layout)
{
    const bool is_resident = layout->gathers || (layout->has_local_spans && !layout->has_groups);
    return is_resident && layout->has_warps && layout->fold_threads <= REAP__RESIDENT_THREADS
               ? REAP__RESIDENT_THREADS / layout->fold_threads
               : 0;
}
