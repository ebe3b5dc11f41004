/* SPDX-License-Identifier: Apache-2.0
 *
 * The entry function of kernels without work-groups. A group of threads takes a tile, whole blocks
 * of every reduction; in each row of it a thread has some neighbouring work-items, and their lanes
 * in registers. Several rows are unrolled, so that many loads are under way together; where
 * reductions differ in width, some fold between rows.
 */
#include "src/device/entry.h"

#include <stdio.h>

/* Reduction s has come to the end of the block that begins at `first`. */
static void add_fold(size_t s, const char *first, struct reap__text *into)
{
    reap__text_format(into,
                      "reap__fold_%zu(&reap_b, reap_m0, reap_shared, reap_l%zu, reap_t%zu, %s);\n",
                      s, s, s, first);
}

/* The items of row reap_row that the thread has. */
static void add_row(const struct reap__layout *layout, bool is_whole, const char *indent,
                    struct reap__text *into)
{
    const size_t each = layout->width / layout->threads;
    char deeper[64];
    snprintf(deeper, sizeof deeper, "%s    ", indent);
    reap__text_format(into,
                      "%sREAP__UNROLL\n"
                      "%sfor (reap__uint reap_v = 0; reap_v < %zu; reap_v++) {\n"
                      "%s    const reap__ulong reap_i = reap_first + (reap__ulong)reap_row * %zu + "
                      "reap__thread() * %zu + reap_v;\n",
                      indent, indent, each, indent, layout->width, each);
    if (!is_whole)
        reap__text_format(into, "%s    if (reap_i >= reap_end)\n%s        continue;\n", indent,
                          indent);
    for (size_t s = 0; s < layout->scalar_count; s++)
        if (layout->scalars[s].rows_of_lanes > 1)
            reap__text_format(
                into, "%s    const reap__uint reap_s%zu = reap_row %% %zu * %zu + reap_v;\n",
                indent, s, layout->scalars[s].rows_of_lanes, each);
        else
            reap__text_format(into, "%s    const reap__uint reap_s%zu = reap_v;\n", indent, s);
    reap__entry_add_item(layout, deeper, into);
    for (size_t s = 0; s < layout->span_count && reap__entry_spans_wait(layout); s++)
        reap__text_format(into,
                          "%s    reap_xs%zu.waiting = &reap_waiting%zu[reap_u * %zu + reap_v];\n",
                          indent, s, s, each);
    reap__entry_add_call(layout, deeper, into);
    reap__text_format(into, "%s}\n", indent);
}

/* Where reductions differ in width, some have several blocks in a tile. */
static bool has_inner_folds(const struct reap__layout *layout)
{
    const size_t rows = reap__tile_items(layout) / layout->width;
    for (size_t s = 0; s < layout->scalar_count; s++)
        if (layout->scalars[s].rows_of_lanes * REAP__ROWS_OF_A_BLOCK != rows)
            return true;
    return false;
}

static void add_inner_folds(const struct reap__layout *layout, struct reap__text *into)
{
    const size_t rows = reap__tile_items(layout) / layout->width;
    char first[96];
    for (size_t s = 0; s < layout->scalar_count; s++) {
        const size_t own = layout->scalars[s].rows_of_lanes * REAP__ROWS_OF_A_BLOCK;
        if (own == rows)
            continue;
        reap__text_format(
            into,
            "            if ((reap_row + 1) %% %zu == 0 || reap_first + (reap_row + 1) "
            "* %zu >= reap_end) {\n                ",
            own, layout->width);
        snprintf(first, sizeof first, "reap_first + (reap__ulong)(reap_row / %zu) * %zu", own,
                 own * layout->width);
        add_fold(s, first, into);
        reap__entry_add_starts(layout, s, "                ", into);
        reap__text_add(into, "            }\n");
    }
}

/* So many rows, which a macro says. */
static void add_some_rows(const struct reap__layout *layout, bool is_whole, const char *rows,
                          struct reap__text *into)
{
    reap__entry_add_waiting(layout, rows, into);
    reap__text_format(into,
                      "            REAP__UNROLL\n"
                      "            for (reap__uint reap_u = 0; reap_u < %s; reap_u++, reap_row++) "
                      "{\n",
                      rows);
    add_row(layout, is_whole, "                ", into);
    reap__text_add(into, "            }\n");
    reap__entry_add_combinations(layout, rows, into);
    reap__text_add(into, "        }\n");
}

/* Several rows at a time, so that many loads are on their way together: first those that are whole,
 * then the last ones. */
static void add_unrolled_rows(const struct reap__layout *layout, struct reap__text *into)
{
    reap__text_add(into, "        while (reap_row + REAP__ROWS_AT_ONCE <= reap_rows) {\n");
    add_some_rows(layout, true, "REAP__ROWS_AT_ONCE", into);
    reap__text_format(into,
                      "        while (reap_first + (reap__ulong)reap_row * %zu < reap_end) {\n",
                      layout->width);
    add_some_rows(layout, false, "REAP__LAST_ROWS_AT_ONCE", into);
}

/* Row by row, where something comes between them. */
static void add_single_rows(const struct reap__layout *layout, struct reap__text *into)
{
    reap__text_add(into, "        const reap__uint reap_u = 0;\n"
                         "        for (; reap_row < reap_rows; reap_row++) {\n");
    reap__entry_add_waiting(layout, "1", into);
    add_row(layout, true, "            ", into);
    reap__entry_add_combinations(layout, "1", into);
    add_inner_folds(layout, into);
    reap__text_format(into,
                      "        }\n        if (reap_first + (reap__ulong)reap_row * %zu < "
                      "reap_end) {\n",
                      layout->width);
    reap__entry_add_waiting(layout, "1", into);
    add_row(layout, false, "            ", into);
    reap__entry_add_combinations(layout, "1", into);
    add_inner_folds(layout, into);
    reap__text_add(into, "        }\n");
}

static void add_rows(const struct reap__layout *layout, struct reap__text *into)
{
    reap__text_format(into,
                      "        const reap__uint reap_rows = (reap__uint)((reap_end - reap_first) / "
                      "%zu);\n"
                      "        reap__uint reap_row = 0;\n",
                      layout->width);
    if (has_inner_folds(layout))
        add_single_rows(layout, into);
    else
        add_unrolled_rows(layout, into);
}

/* Values that registers do not hold gain nothing from further rows, which are as much code again.
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

static size_t rows_at_once(const struct reap__layout *layout)
{
    if (has_large_values(layout))
        return 1;
    if (layout->span_count > 0)
        return 32 / (layout->width / layout->threads) < 4 ? 32 / (layout->width / layout->threads)
                                                          : 4;
    return reap__layout_is_light(layout) && layout->threads == REAP__WIDE_THREADS ? 16 : 8;
}

/* What begins the entry function: where groups stay, how many must have room together. */
static void add_entry_word(const struct reap__layout *layout, struct reap__text *into)
{
    if (reap__entry_is_joint(layout) || reap__entry_groups_beside(layout) > 0)
        reap__text_format(into, "REAP__ENTRY_BESIDE(reap_entry, %zu, %zu)", layout->threads,
                          REAP__RESIDENT_THREADS / layout->threads);
    else
        reap__text_format(into, "REAP__ENTRY(reap_entry, %zu)", layout->threads);
    reap__text_add(into, "\n(REAP__BLOCK_PARAMETER reap_b");
}

static void add_last_group(const struct reap__layout *layout, struct reap__text *into)
{
    reap__text_format(into,
                      "    if (!reap__is_last(reap_shared, (REAP_GLOBAL reap__uint *)(reap_m0 + "
                      "reap_b.w[%d])))\n        return;\n",
                      REAP__WORD_COUNTER);
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__text_format(into, "    reap__finish_%zu(&reap_b, reap_m0, reap_shared);\n", s);
    reap__entry_add_all_deliveries(layout, into);
}

/* The loop over a group's tiles, up to the items of one. */
static void add_tile(const struct reap__layout *layout, struct reap__text *into)
{
    const size_t tile = reap__tile_items(layout);
    if (reap__entry_has_warp_folds(layout))
        reap__entry_begin_tiles(layout, into);
    else
        reap__text_format(into,
                          "    for (reap__ulong reap_tile = reap__group(); reap_tile < "
                          "reap_b.w[%d]; reap_tile += reap__groups()) {\n",
                          REAP__WORD_TILES);
    reap__text_format(into,
                      "        const reap__ulong reap_first = reap_tile * %zu;\n"
                      "        const reap__ulong reap_left = reap_b.w[%d] - reap_first;\n"
                      "        const reap__ulong reap_end = reap_first + (reap_left < %zu ? "
                      "reap_left : %zu);\n",
                      tile, REAP__WORD_ITEMS, tile, tile);
}

void reap__entry_add_range(const struct reap__layout *layout, struct reap__text *into)
{
    const size_t tile = reap__tile_items(layout);
    reap__text_format(into, "#define REAP__ROWS_IN_FLIGHT %zu\n", rows_at_once(layout));
    add_entry_word(layout, into);
    reap__entry_add_memories(layout, into);
    if (layout->has_local_spans)
        reap__text_add(into, " REAP__DYNAMIC_PARAMETER(reap_dynamic)");
    reap__text_add(into, ")\n{\n    REAP__SHARED(reap__ulong8, reap_shared, REAP__SHARED_WORDS);\n"
                         "    reap__begin();\n");
    if (layout->has_local_spans)
        reap__text_add(into, "    REAP__DYNAMIC_MEMORY(reap_dynamic);\n");
    reap__entry_add_arguments(layout, into);
    if (layout->has_local_spans)
        reap__entry_add_own_copies(layout, into);
    reap__entry_add_lanes(layout, "    ", into);
    if (reap__entry_is_joint(layout) && !reap__entry_has_warp_folds(layout))
        reap__text_add(into, "    struct reap__all reap_all;\n");
    add_tile(layout, into);
    for (size_t s = 0; s < layout->scalar_count; s++) {
        if (reap__entry_is_in_place(layout, s))
            reap__text_format(into,
                              "        REAP__VALUE_AT(reap__type_%zu, reap_l%zu, reap_m0 + "
                              "reap_b.w[%zu] + reap_tile * sizeof(reap__type_%zu));\n",
                              s, s, layout->scalars[s].to_word, s);
        reap__entry_add_starts(layout, s, "        ", into);
    }
    add_rows(layout, into);
    if (reap__entry_has_warp_folds(layout))
        reap__entry_add_warp_ends(layout, into);
    else if (reap__entry_is_joint(layout))
        reap__entry_add_joint_fold(layout, into);
    for (size_t s = 0; s < layout->scalar_count && !reap__entry_is_joint(layout); s++)
        if (layout->scalars[s].lanes * REAP__ROWS_OF_A_BLOCK == tile) {
            reap__text_add(into, "        ");
            add_fold(s, "reap_first", into);
        }
    reap__text_add(into, "    }\n");
    if (layout->has_local_spans)
        reap__entry_add_merges(layout, into);
    if (layout->commits_at_once)
        reap__entry_add_commit(layout, into);
    if (reap__entry_is_joint(layout))
        reap__entry_add_joint_end(layout, into);
    else if (layout->folds_at_once)
        add_last_group(layout, into);
    reap__text_add(into, "}\n");
}
