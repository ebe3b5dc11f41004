/* SPDX-License-Identifier: Apache-2.0
 *
 * Generated functions of each reduction: the start value of a lane, and the functions of
 * include/reap/detail/device/reduction_tmpl.h, for the lanes that the layout assigns to a thread.
 */
#include "src/accelerator/codegen/entry.h"
#include "src/accelerator/preprocess/preprocess.h"

#include <stdio.h>

enum {
    WARP = 32,
    MOST_BYTES_AT_ONCE = 16
}; /* the largest values of which a thread folds eight at a time */

/* Functions that those of all reductions call. */
static const char shared_functions[] =
    "#ifdef REAP__IS_PROCESSOR\n"
    "#define REAP__ROWS_AT_ONCE 1\n"
    "#define REAP__LAST_ROWS_AT_ONCE 1\n"
    "#define REAP__FIRST_FOLDER (reap__thread() == 0 ? 0 : reach)\n"
    "#define REAP__FOLDERS(threads) 1\n"
    "#define REAP__SYNC_FOLDERS() (void)0\n"
    "#else\n"
    "#define REAP__ROWS_AT_ONCE REAP__ROWS_IN_FLIGHT\n"
    "#define REAP__LAST_ROWS_AT_ONCE (REAP__ROWS_IN_FLIGHT < 8 ? REAP__ROWS_IN_FLIGHT : 8)\n"
    "#define REAP__FIRST_FOLDER reap__thread()\n"
    "#define REAP__FOLDERS(threads) threads\n"
    "#define REAP__SYNC_FOLDERS() reap__sync()\n"
    "#endif\n"
    "REAP__FUNCTION reap__ulong reap__divide(reap__ulong a, reap__ulong b)\n"
    "{\n"
    "    return (a | b) >> 32 == 0 ? (reap__uint)a / (reap__uint)b : a / b;\n"
    "}\n"
    "REAP__FUNCTION reap__uint reap__least(reap__ulong a, reap__ulong b)\n"
    "{\n"
    "    return (reap__uint)(a < b ? a : b);\n"
    "}\n"
    "REAP__FUNCTION bool reap__is_last(REAP_LOCAL reap__ulong8 *shared, REAP_GLOBAL reap__uint "
    "*counter)\n"
    "{\n"
    "    REAP_LOCAL reap__uint *const count = (REAP_LOCAL reap__uint *)shared;\n"
    "    if (reap__groups() == 1)\n"
    "        return true;\n"
    "    if (reap__thread() == 0) {\n"
    "        reap__fence();\n"
    "        *count = reap__atomic_fetch_add(counter, 1u);\n"
    "        if (*count == reap__groups() - 1)\n"
    "            *counter = 0;\n"
    "    }\n"
    "    reap__sync();\n"
    "    const bool is_last = *count == reap__groups() - 1;\n"
    "    reap__sync();\n"
    "    reap__fence();\n"
    "    return is_last;\n"
    "}\n";

/* Whether a warp is the last of `count` warps that call this after they wrote their results. */
static const char is_last_in_warp[] =
    "REAP__FUNCTION bool reap__is_last_in_warp(REAP_GLOBAL reap__uint *counter, reap__uint count)\n"
    "{\n"
    "    reap__uint before = 0;\n"
    "    reap__sync_warp();\n"
    "    if (reap__thread() % 32 == 0) {\n"
    "        reap__fence();\n"
    "        before = reap__atomic_fetch_add(counter, 1u);\n"
    "        if (before == count - 1)\n"
    "            *counter = 0;\n"
    "        reap__fence();\n"
    "    }\n"
    "    return reap__shuffle_first(before) == count - 1;\n"
    "}\n";

size_t reap__entry_lanes(const struct reap__layout *layout, size_t s)
{
    return layout->scalars[s].lanes / layout->team_threads;
}

bool reap__entry_is_in_place(const struct reap__layout *layout, size_t s)
{
    return layout->scalars[s].size > REAP__MOST_BYTES_OF_ROWS &&
           layout->scalars[s].lanes == layout->team_threads;
}

/* The number, in a node, of a thread's j-th lane while it runs items, as an expression. */
static void add_lane(const struct reap__layout *layout, char *lane, size_t bytes)
{
    const size_t each = layout->width / layout->team_threads;
    if (layout->has_lines)
        snprintf(lane, bytes, "((j) / %zu * %zu + REAP__MEMBER + (j) %% %zu * %zu)", each,
                 layout->width, each, layout->team_threads);
    else
        snprintf(lane, bytes,
                 "((j) / %zu * %zu + (reap__uint)reap__thread() %% %zu * %zu + (j) %% %zu)", each,
                 layout->width, layout->team_threads, each, each);
}

static void add_types(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    reap__string_format(into, "typedef %s reap__type_%zu;\ntypedef ", reap__entry_type(layout, s),
                        s);
    reap__entry_add_tag_type(layout, s, into);
    reap__string_format(into, " reap__tag_%zu;\n", s);
}

void reap__entry_add_start(const struct reap__layout_start *start, const char *type,
                           struct reap__string *into)
{
    if (!start->in_block) {
        reap__string_format(into,
                            "    if (b->w[%zu] != 0)\n"
                            "        REAP__COPY(%s, lane, (REAP_GLOBAL const %s *)(m + "
                            "b->w[%zu]));\n",
                            start->set_word, type, type, start->word);
        return;
    }
    reap__string_format(into,
                        "    union {\n        reap__ulong words[%zu];\n        %s value;\n    } "
                        "start;\n",
                        start->words, type);
    for (size_t w = 0; w < start->words; w++)
        reap__string_format(into, "    start.words[%zu] = b->w[%zu];\n", w, start->word + w);
    reap__string_add(into, "    *lane = start.value;\n");
}

static void add_start(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    const struct reap__layout_scalar *scalar = &layout->scalars[s];
    reap__string_format(
        into,
        "REAP__FUNCTION void reap__start_of_%zu(const struct reap_block *b, "
        "REAP_GLOBAL reap__uchar *m, reap__type_%zu *lane, reap__tag_%zu *tag)\n{\n",
        s, s, s);
    reap__entry_add_start(&scalar->start, reap__entry_type(layout, s), into);
    if (scalar->has_location)
        reap__string_add(into, "    tag->at = ULONG_MAX;\n");
    else if (scalar->has_flags)
        reap__string_format(into, "    tag->set = (reap__uchar)b->w[%zu];\n",
                            scalar->start.set_word);
    reap__string_add(into, "}\n");
}

static const char *const of_each[] = {"S",
                                      "WIDTH",
                                      "ROW_BYTES",
                                      "OWN_LANES",
                                      "OWN_LANE",
                                      "PARTS_AT",
                                      "NODES_AT",
                                      "SLOTS_AT",
                                      "LEVELS",
                                      "HAS_FLAGS",
                                      "HAS_LOCATIONS",
                                      "IS_IN_PLACE",
                                      "NODES_AT_ONCE",
                                      "TURNS_LOG2",
                                      "AT_ONCE",
                                      "IS_FLOATING",
                                      "FOLDS_IN_WARP"};

/* Log2 of the nodes that a thread combines at a time, limited by its registers. */
static unsigned nodes_at_once_log2(const struct reap__layout_scalar *scalar)
{
    const size_t bytes = scalar->size + reap__tag_bytes(scalar);
    return bytes <= 8 ? 3 : bytes <= 16 ? 2 : 1;
}

/* The functions of reduction s. In their text b is the parameter block. */
static void add_template(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    const struct reap__layout_scalar *scalar = &layout->scalars[s];
    char lane[160];
    add_lane(layout, lane, sizeof lane);
    reap__string_format(into,
                        "#define REAP__S %zu\n"
                        "#define REAP__WIDTH %zu\n"
                        "#define REAP__ROW_BYTES %zu\n"
                        "#define REAP__OWN_LANES %zu\n"
                        "#define REAP__OWN_LANE(j) %s\n"
                        "#define REAP__PARTS_AT b->w[%zu]\n"
                        "#define REAP__NODES_AT b->w[%zu]\n"
                        "#define REAP__SLOTS_AT b->w[%zu]\n"
                        "#define REAP__LEVELS (b->w[%d] + %zu)\n"
                        "#define REAP__HAS_FLAGS %d\n"
                        "#define REAP__HAS_LOCATIONS %d\n"
                        "#define REAP__IS_IN_PLACE %d\n"
                        "#define REAP__IS_FLOATING %d\n"
                        "#define REAP__FOLDS_IN_WARP %d\n",
                        s, scalar->lanes, reap__row_bytes(scalar),
                        layout->gathers ? scalar->lanes / WARP : reap__entry_lanes(layout, s),
                        layout->gathers ? "((reap__uint)reap__thread() % 32 + 32 * (j))" : lane,
                        scalar->parts_word, scalar->nodes_word, scalar->slots_word,
                        REAP__WORD_LEVELS, scalar->leaves_log2 + layout->has_lines,
                        scalar->has_flags, scalar->has_location, reap__entry_is_in_place(layout, s),
                        scalar->reduction->is_builtin &&
                            scalar->reduction->number != REAP__NO_FLOAT,
                        reap__entry_folds_in_warp(layout, s));
    const unsigned at_once_log2 = nodes_at_once_log2(scalar);
    unsigned turns_log2 = 0;
    while ((layout->teams << at_once_log2) << turns_log2 < REAP__MOST_TILES)
        turns_log2++;
    reap__string_format(into, "#define REAP__NODES_AT_ONCE %d\n#define REAP__TURNS_LOG2 %u\n",
                        1 << at_once_log2, turns_log2);
    if (scalar->size <= MOST_BYTES_AT_ONCE)
        reap__string_add(into, "#ifdef REAP__IS_PROCESSOR\n#define REAP__AT_ONCE 2\n#else\n"
                               "#define REAP__AT_ONCE 8\n#endif\n");
    else
        reap__string_add(into, "#define REAP__AT_ONCE 2\n");
    reap__string_add(into, reap__dialect_header("reap/detail/device/reduction_tmpl.h"));
    for (size_t i = 0; i < sizeof of_each / sizeof *of_each; i++)
        reap__string_format(into, "#undef REAP__%s\n", of_each[i]);
}

/* The nodes in local memory, in units of 64 bytes. */
static size_t shared_words(const struct reap__layout *layout)
{
    return layout->gathers
               ? reap__layout_rows_beside(layout) * reap__layout_place(layout, layout->scalar_count)
               : 1;
}

void reap__entry_add_lanes_functions(const struct reap__layout *layout, struct reap__string *into)
{
    reap__string_format(into,
                        "#define REAP__SHARED_WORDS %zu\n"
                        "#define REAP__FOLD_THREADS %zu\n"
                        "#define reap__sync_fold() %s\n",
                        shared_words(layout), layout->fold_threads,
                        layout->fold_threads == 1 ? "((void)0)" : "reap__sync()");
    if (layout->gathers)
        reap__string_format(into,
                            "#define REAP__TEAMS %zu\n"
                            "#define REAP__TEAM_WORDS %zu\n"
                            "#define REAP__TEAM_LANES %zu\n"
                            "#define REAP__ROOT_WORDS (2 * REAP__TEAMS * REAP__TEAM_WORDS)\n"
                            "#define REAP__SLOT_WORDS (REAP__ROOT_WORDS + REAP__TEAM_WORDS)\n",
                            layout->teams, reap__layout_place(layout, layout->scalar_count),
                            layout->width / layout->team_threads);
    if (layout->bundles)
        reap__string_format(into,
                            "#define REAP__BUNDLE %d\n"
                            "#define REAP__TILE_NODES b->w[%d]\n"
                            "#define REAP__TILE_COUNT b->w[%d]\n"
                            "#define REAP__PRESENT_IN_TILE(tile) (b->w[%d] - (tile) * b->w[%d])\n"
                            "#define REAP__BUNDLE_COUNTER(bundle, s) ((REAP_GLOBAL reap__uint "
                            "*)(m0 + b->w[%d] + %d) + (bundle) * %zu + (s))\n",
                            1 << REAP__BUNDLE_LOG2, REAP__WORD_TILE_NODES, REAP__WORD_TILES,
                            REAP__WORD_ITEMS, REAP__WORD_TILE_ITEMS, REAP__WORD_COUNTER,
                            REAP__BUNDLE_COUNTERS, layout->scalar_count);
    if (layout->has_groups)
        reap__string_format(into,
                            "#define REAP__HAS_PARTS 1\n"
                            "#define REAP__PART_COUNT b->w[%d]\n",
                            REAP__WORD_PARTS);
    if (layout->has_lines)
        reap__string_format(into,
                            "#define REAP__HAS_LINES 1\n"
                            "#define REAP__TEAM_THREADS %zu\n"
                            "#define REAP__MEMBER ((reap__uint)reap__thread() %s %zu)\n",
                            layout->team_threads, layout->has_columns ? "/" : "%",
                            layout->has_columns ? layout->teams : layout->team_threads);
    reap__string_add(into, shared_functions);
    if (layout->bundles)
        reap__string_add(into, is_last_in_warp);
    for (size_t s = 0; s < layout->scalar_count; s++) {
        add_types(layout, s, into);
        add_start(layout, s, into);
        add_template(layout, s, into);
    }
    if (!layout->has_lines)
        reap__entry_add_deliveries(layout, into);
}

void reap__entry_add_types(const struct reap__layout *layout, struct reap__string *into)
{
    reap__string_add(into, shared_functions);
    for (size_t s = 0; s < layout->scalar_count; s++) {
        add_types(layout, s, into);
        add_start(layout, s, into);
    }
}
