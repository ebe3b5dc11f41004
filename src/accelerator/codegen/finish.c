/* SPDX-License-Identifier: Apache-2.0
 *
 * The end of a reduction: one group of threads makes the root of the nodes that tiles have come to,
 * folds the root's lanes by halving, and delivers. Where the device orders
 * what its groups write, that is the last group to come; elsewhere an entry of its own.
 */
#include "src/accelerator/codegen/codegen.h"

#include <stdio.h>

enum { WARP = 32 };

/* Waits, and then the root's lanes: `first` of its reduction, `present` with items. */
static void add_halving(const struct reap__layout *layout, const char *root, const char *place,
                        struct reap__string *into)
{
    reap__string_format(into, "    for (reap__uint reach = %zu; reach > 0; reach /= 2) {\n",
                        layout->leaf_items / REAP__ROWS_OF_A_LEAF / 2);
    for (size_t s = 0; s < layout->scalar_count; s++) {
        reap__string_format(into, "        reap__halve_%zu(", s);
        reap__string_format(into, layout->gathers ? "%s + %zu" : "%s_%zu(b, m, 0)",
                            layout->gathers ? root : place,
                            layout->gathers ? reap__layout_place(layout, s) : s);
        reap__string_format(into, ", reach, nodes > 1 ? %zu : reap__least(last, %zu));\n",
                            layout->scalars[s].lanes, layout->scalars[s].lanes);
    }
    reap__string_add(into, "        reap__sync_fold();\n    }\n}\n");
}

static void begin_function(const struct reap__layout *layout, struct reap__string *into)
{
    reap__string_format(
        into,
        "REAP__OUT_OF_LINE void reap__finish(const struct reap_block *b, REAP_GLOBAL "
        "reap__uchar *m, REAP_LOCAL reap__ulong8 *shared)\n{\n"
        "    const reap__ulong nodes = b->w[%d];\n"
        "    const reap__ulong last = b->w[%d] - (nodes - 1) * b->w[%d];\n"
        "    reap__sync_fold();\n",
        REAP__WORD_NODES, reap__entry_items_word(layout), REAP__WORD_NODE_ITEMS);
}

/* Pair by pair, in place: all reductions go from one wait to the next together. */
static void add_function(const struct reap__layout *layout, struct reap__string *into)
{
    begin_function(layout, into);
    reap__string_add(into, "    for (reap__ulong apart = 1; apart < nodes; apart *= 2) {\n");
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__string_format(into,
                            "        reap__pair_%zu(reap__node_%zu(b, m, 0), nodes, apart, "
                            "reap__least(last, %zu));\n",
                            s, s, layout->scalars[s].lanes);
    reap__string_add(into, "        reap__sync_fold();\n    }\n");
    add_halving(layout, NULL, "reap__node", into);
}

/* Each team takes adjacent nodes, and a warp what teams have come to. With one node the root is in
 * local memory already, unless this is another launch. */
static void add_gathering_function(const struct reap__layout *layout, struct reap__string *into)
{
    const size_t warps = layout->fold_threads / WARP;
    char condition[64] = "true";
    if (layout->folds_at_once)
        snprintf(condition, sizeof condition, "b->w[%d] == 0", REAP__WORD_IS_ROOT);
    begin_function(layout, into);
    reap__string_format(into,
                        "    const reap__uint team = (reap__uint)reap__thread() / %zu, member = "
                        "(reap__uint)reap__thread() %% %zu;\n"
                        "    reap__uint each = 1;\n"
                        "    while (each * %zu < nodes)\n"
                        "        each *= 2;\n"
                        "    const reap__uint teams = ((reap__uint)nodes + each - 1) / each;\n"
                        "    const reap__uint count = team + 1 < teams ? each : team < teams ? "
                        "(reap__uint)nodes - team * each : 0;\n"
                        "    if (%s) {\n",
                        layout->team_threads, layout->team_threads, layout->teams, condition);
    for (size_t s = 0; s < layout->scalar_count; s++) {
        const size_t lanes = layout->scalars[s].lanes, place = reap__layout_place(layout, s);
        reap__string_format(
            into,
            "        reap__collect_%zu(reap__node_%zu(b, m, team * each), count, team + "
            "1 < teams ? %zu : reap__least(last, %zu), shared + team * REAP__TEAM_WORDS "
            "+ %zu, member * %zu);\n",
            s, s, lanes, lanes, place, lanes / layout->team_threads);
    }
    reap__string_add(into, "        reap__sync();\n");
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__string_format(
            into,
            "        if (reap__thread() / %d == %zu)\n"
            "            reap__pass_%zu(b, m, shared + %zu, teams, nodes - (teams - 1) * "
            "each > 1 ? %zu : reap__least(last, %zu), shared + REAP__ROOT_WORDS + %zu, "
            "0, true, 0, 0);\n",
            WARP, s % warps, s, reap__layout_place(layout, s), layout->scalars[s].lanes,
            layout->scalars[s].lanes, reap__layout_place(layout, s));
    reap__string_add(into, "        reap__sync();\n    }\n");
    add_halving(layout, "shared + REAP__ROOT_WORDS", NULL, into);
}

/* What the variables are is read early, since it takes long. */
static void add_end(const struct reap__layout *layout, struct reap__string *into)
{
    reap__entry_add_olds(layout, into);
    reap__string_add(into, "    reap__finish(&reap_b, reap_m0, reap_shared);\n");
    reap__entry_add_all_deliveries(layout, into);
}

static void add_shared(struct reap__string *into)
{
    reap__string_add(into, "    REAP__SHARED(reap__ulong8, reap_shared, REAP__SHARED_WORDS);\n");
}

static void add_entry(const struct reap__layout *layout, struct reap__string *into)
{
    reap__string_format(into, "REAP__ENTRY(reap_finish, %zu)\n(REAP__BLOCK_PARAMETER reap_b",
                        layout->fold_threads);
    reap__entry_add_memories(layout, into);
    reap__string_add(into, ")\n{\n");
    add_shared(into);
    reap__string_add(into, "    reap__begin();\n");
    add_end(layout, into);
    reap__string_add(into, "}\n");
}

void reap__entry_add_finish(const struct reap__layout *layout, struct reap__string *into)
{
    if (layout->scalar_count == 0)
        return;
    if (layout->gathers)
        add_gathering_function(layout, into);
    else
        add_function(layout, into);
    if (!layout->folds_at_once)
        add_entry(layout, into);
}

void reap__entry_add_last_group(const struct reap__layout *layout, struct reap__string *into)
{
    if (!layout->folds_at_once)
        return;
    reap__string_format(into,
                        "    reap__sync();\n"
                        "    if (!reap__is_last(reap_shared, (REAP_GLOBAL reap__uint *)(reap_m0 + "
                        "reap_b.w[%d])))\n        return;\n",
                        REAP__WORD_COUNTER);
    add_end(layout, into);
}
