/* SPDX-License-Identifier: Apache-2.0
 *
 * The entry function of kernels with reductions of rows or of columns. A team of threads runs one
 * line after another. A line is treated as a range with one tile, so the code for ranges makes its
 * lanes, leaves and nodes. A line's node is in the scratch buffer, after its team's slots, where
 * its team folds it; one thread combines the result with the variable. All teams of a group are at
 * the same item of their lines, since lines have one length, and wait for each other.
 *
 * Neighbouring threads run neighbouring items: of rows those of a team, one lane after the other;
 * of columns those of neighbouring columns, so a thread's team is its number modulo the number of
 * teams.
 */
#include "src/accelerator/codegen/entry.h"

#include <stdio.h>

enum { WARP = 32 };

void reap__entry_add_item_of_line(const struct reap__layout *layout, const char *indent,
                                  struct reap__string *into)
{
    const bool is_3d = layout->dimensions == 3, are_columns = layout->has_columns;
    const int divisor = REAP__WORD_SIZE + (are_columns ? 2 : 1);
    const int first = are_columns ? 1 : 0, second = are_columns ? 2 : 1;
    const int along = are_columns ? 0 : is_3d ? 2 : 1;
    reap__string_format(into, "%sreap_item reap_it;\n%sreap_it.global_linear_id = ", indent,
                        indent);
    if (are_columns)
        reap__string_format(into, "reap_i * reap_b.w[%d] + reap_line;\n", REAP__WORD_TILES);
    else
        reap__string_format(into, "reap_line * reap_b.w[%d] + reap_i;\n", REAP__WORD_TILE_ITEMS);
    reap__string_format(into, "%sreap_it.global_id[%d] = reap_i;\n", indent, along);
    if (!is_3d) {
        reap__string_format(into,
                            "%sreap_it.global_id[%d] = reap_line;\n"
                            "%sreap_it.global_id[2] = 0;\n",
                            indent, first, indent);
        return;
    }
    reap__string_format(into,
                        "%sreap_it.global_id[%d] = reap__divide(reap_line, reap_b.w[%d]);\n"
                        "%sreap_it.global_id[%d] = reap_line - reap_it.global_id[%d] * "
                        "reap_b.w[%d];\n",
                        indent, first, divisor, indent, second, first, divisor);
}

bool reap__entry_folds_in_warp(const struct reap__layout *layout, size_t s)
{
    const struct reap__layout_scalar *scalar = &layout->scalars[s];
    return layout->has_lines && layout->has_warps && !layout->has_columns && !scalar->is_exact &&
           layout->threads % WARP == 0 && scalar->lanes == layout->width &&
           scalar->leaves_log2 == 0 && !reap__entry_is_in_place(layout, s);
}

/* The barrier of a team. On a device with warps, the threads that run a row are in one warp. */
static void add_sync(const struct reap__layout *layout, struct reap__string *into)
{
    const char *how = layout->threads == 1                        ? "((void)0)"
                      : layout->has_warps && !layout->has_columns ? "reap__sync_warp()"
                                                                  : "reap__sync()";
    reap__string_format(into, "#define reap__sync_team() %s\n", how);
}

static void add_team(const struct reap__layout *layout, struct reap__string *into)
{
    const size_t divisor = layout->has_columns ? layout->teams : layout->team_threads;
    reap__string_format(into,
                        "    const reap__uint reap_team = (reap__uint)reap__thread() %s %zu;\n"
                        "    const reap__uint reap_member = REAP__MEMBER;\n"
                        "    const reap__ulong reap_place = reap__group() * %zu + reap_team;\n"
                        "    const reap__ulong reap_stop = reap_b.w[%d], reap_begin = 0;\n",
                        layout->has_columns ? "%" : "/", divisor, layout->teams,
                        REAP__WORD_TILE_ITEMS);
}

/* Combines a leaf's lanes with finished nodes. Those of a line's only leaf may stay in registers.
 */
static void add_climbs(const struct reap__layout *layout, struct reap__string *into)
{
    for (size_t s = 0; s < layout->scalar_count; s++) {
        if (layout->scalars[s].leaves_log2 > 0 || layout->scalars[s].is_exact)
            continue;
        if (reap__entry_folds_in_warp(layout, s))
            reap__string_format(into, "        if (reap_has_line && reap_stop > %zu)\n",
                                layout->leaf_items);
        else
            reap__string_add(into, "        if (reap_has_line)\n");
        reap__entry_add_climb(layout, s, "reap_first", "            ", into);
    }
}

/* The loop over the leaves of a line. A team without a line runs it without items. */
static void add_leaves(const struct reap__layout *layout, struct reap__string *into)
{
    reap__string_format(into,
                        "        for (reap__ulong reap_first = 0; reap_first < reap_stop; "
                        "reap_first += %zu) {\n"
                        "        const reap__ulong reap_end = reap_first + (reap_has_line ? "
                        "reap__least(reap_stop - reap_first, %zu) : 0);\n",
                        layout->leaf_items, layout->leaf_items);
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__entry_add_starts(layout, s, reap__entry_lanes(layout, s), "        ", into);
    reap__entry_add_rows(layout, into);
    add_climbs(layout, into);
    reap__string_add(into, "        }\n");
}

static bool folds_in_memory(const struct reap__layout *layout, size_t s)
{
    return !layout->scalars[s].is_exact && !reap__entry_folds_in_warp(layout, s);
}

/* Folds lanes in registers first, and then those of all other scalars together, by halving. */
static void add_fold(const struct reap__layout *layout, struct reap__string *into)
{
    bool is_needed = false;
    for (size_t s = 0; s < layout->scalar_count; s++) {
        is_needed |= folds_in_memory(layout, s);
        if (reap__entry_folds_in_warp(layout, s))
            reap__string_format(into,
                                "        reap__sync_warp();\n"
                                "        reap__fold_line_%zu(reap_l%zu, reap_t%zu, "
                                "reap__least(reap_stop, %zu));\n",
                                s, s, s, layout->scalars[s].lanes);
    }
    reap__string_format(
        into,
        "        for (reap__uint reap_reach = %zu; reap_reach > 0; reap_reach /= 2) {\n"
        "            reap__sync_team();\n            if (reap_has_line) {\n",
        is_needed ? layout->leaf_items / REAP__ROWS_OF_A_LEAF / 2 : 0);
    for (size_t s = 0; s < layout->scalar_count; s++)
        if (folds_in_memory(layout, s))
            reap__string_format(into,
                                "                reap__halve_line_%zu(reap__line_node_%zu(&reap_b, "
                                "reap_m0, reap_place), reap_reach, reap__least(reap_stop, %zu));\n",
                                s, s, layout->scalars[s].lanes);
    reap__string_add(into, "            }\n        }\n        reap__sync_team();\n");
}

static void add_store(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    const struct reap__layout_scalar *scalar = &layout->scalars[s];
    reap__string_add(into, "            {\n");
    if (scalar->is_exact) {
        reap__entry_store_sum(layout, s, into);
        reap__string_add(into, "            }\n");
        return;
    }
    const bool is_in_registers = reap__entry_folds_in_warp(layout, s);
    reap__string_format(into,
                        "            reap__store_%s_%zu(reap_m%zu + reap_b.w[%zu], reap_line, "
                        "reap_b.w[%zu] == 0, ",
                        is_in_registers ? "line" : "node", s, scalar->variable_memory,
                        scalar->variable_word, scalar->initialize_word);
    if (is_in_registers)
        reap__string_format(into, "&reap_l%zu[0], reap_t%zu[0]);\n            }\n", s, s);
    else
        reap__string_format(into,
                            "reap__line_node_%zu(&reap_b, reap_m0, reap_place));\n"
                            "            }\n",
                            s);
}

static void add_stores(const struct reap__layout *layout, struct reap__string *into)
{
    reap__string_add(into, "        if (reap_has_line && reap_member == 0) {\n");
    for (size_t s = 0; s < layout->scalar_count; s++)
        add_store(layout, s, into);
    reap__string_add(into, "        }\n        reap__sync_team();\n");
}

void reap__entry_add_lines(const struct reap__layout *layout, struct reap__string *into)
{
    add_sync(layout, into);
    reap__entry_begin_function(layout, into);
    add_team(layout, into);
    reap__entry_add_words(layout, into);
    reap__entry_add_lanes(layout, "    ", into);
    reap__string_format(into,
                        "    for (reap__ulong reap_batch = reap__group() * reap_b.w[%d]; "
                        "reap_batch < reap_b.w[%d]; reap_batch += reap__groups() * reap_b.w[%d]) "
                        "{\n"
                        "        const reap__ulong reap_line = reap_batch + reap_team;\n"
                        "        const bool reap_has_line = reap_team < reap_b.w[%d] && reap_line "
                        "< reap_b.w[%d];\n",
                        REAP__WORD_TEAMS, REAP__WORD_TILES, REAP__WORD_TEAMS, REAP__WORD_TEAMS,
                        REAP__WORD_TILES);
    reap__entry_begin_sums(layout, into);
    add_leaves(layout, into);
    reap__entry_flush_sums(layout, into);
    add_fold(layout, into);
    add_stores(layout, into);
    reap__string_add(into, "    }\n}\n");
}
