/* SPDX-License-Identifier: Apache-2.0
 *
 * The end of a reduction. One group of threads combines the tiles' nodes to the root and folds its
 * lanes by halving: the last group of a launch if the device orders the writes of groups, otherwise
 * the group of a separate entry. The result is stored into the variable if that is resident,
 * otherwise into the results that the host reads.
 */
#include "src/accelerator/codegen/entry.h"

#include <stdio.h>

/* Reads the variable's old value. */
static void add_old(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    const struct reap__layout_scalar *scalar = &layout->scalars[s];
    reap__string_format(into, "REAP__FUNCTION void reap__old_%zu(const struct reap_block *b", s);
    reap__entry_add_each_memory(layout, ", REAP_GLOBAL reap__uchar *m", into);
    reap__string_format(into, ", reap__type_%zu *old, reap__tag_%zu *old_tag)\n{\n", s, s);
    if (scalar->is_resident)
        reap__string_format(
            into,
            "    REAP__COPY(reap__type_%zu, old, (REAP_GLOBAL reap__type_%zu *)(m%zu "
            "+ b->w[%zu]));\n",
            s, s, scalar->variable_memory, scalar->variable_word);
    if (scalar->is_resident && scalar->has_location)
        reap__string_format(into,
                            "    old_tag->at = *(REAP_GLOBAL reap__ulong *)(m%zu + b->w[%zu]);\n",
                            scalar->location_memory, scalar->location_word);
    else if (scalar->is_resident && scalar->has_flags)
        reap__string_add(into, "    old_tag->set = 1;\n");
    reap__string_add(into, "}\n");
}

static void add_to_host(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    reap__string_format(into, "    reap__write_%zu(m%d + b->w[%d] + %zu, 1, 0, value, tag);\n}\n",
                        s, REAP__MEMORY_RESULTS, REAP__WORD_RESULTS, layout->scalars[s].delivered);
}

/* The variable becomes op(variable, result), or the result. */
static void add_into_variable(const struct reap__layout *layout, size_t s,
                              struct reap__string *into)
{
    const struct reap__layout_scalar *scalar = &layout->scalars[s];
    if (scalar->has_flags)
        reap__string_add(into, "    if (!tag.set)\n"
                               "        return;\n");
    reap__string_format(into,
                        "    if (b->w[%zu] != 0) {\n"
                        "        REAP__COPY(reap__type_%zu, old, value);\n"
                        "        old_tag = tag;\n"
                        "    } else {\n"
                        "        reap__merge_%zu(old, &old_tag, value, tag);\n"
                        "    }\n",
                        scalar->initialize_word, s, s);
    if (scalar->reduction->is_builtin && scalar->reduction->number != REAP__NO_FLOAT)
        reap__string_add(into, "    reap__settle(old);\n");
    reap__string_format(into,
                        "    REAP__COPY(reap__type_%zu, (REAP_GLOBAL reap__type_%zu *)(m%zu + "
                        "b->w[%zu]), old);\n",
                        s, s, scalar->variable_memory, scalar->variable_word);
    if (scalar->has_location)
        reap__string_format(into,
                            "    *(REAP_GLOBAL reap__ulong *)(m%zu + b->w[%zu]) = old_tag.at;\n",
                            scalar->location_memory, scalar->location_word);
    reap__string_add(into, "}\n");
}

static void add_deliver(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    reap__string_format(into, "REAP__FUNCTION void reap__deliver_%zu(const struct reap_block *b",
                        s);
    reap__entry_add_each_memory(layout, ", REAP_GLOBAL reap__uchar *m", into);
    reap__string_format(
        into,
        ", const reap__type_%zu *value, const reap__tag_%zu tag, reap__type_%zu *old, "
        "reap__tag_%zu old_tag)\n{\n",
        s, s, s, s);
    if (layout->scalars[s].is_exact) {
        reap__entry_deliver_sum(layout, s, into);
        return;
    }
    if (layout->span_count > 0)
        reap__string_format(into,
                            "    if (*(REAP_GLOBAL reap__uint *)(m%d + b->w[%d]) != 0)\n"
                            "        return;\n",
                            REAP__MEMORY_RESULTS, REAP__WORD_RESULTS);
    if (layout->scalars[s].is_resident)
        add_into_variable(layout, s, into);
    else
        add_to_host(layout, s, into);
}

static void add_olds(const struct reap__layout *layout, struct reap__string *into)
{
    for (size_t s = 0; s < layout->scalar_count; s++) {
        reap__string_format(into,
                            "    reap__type_%zu reap_o%zu;\n    reap__tag_%zu reap_ot%zu;\n"
                            "    if (reap__thread() == 0)\n"
                            "        reap__old_%zu(&reap_b",
                            s, s, s, s, s);
        reap__entry_add_each_memory(layout, ", reap_m", into);
        reap__string_format(into, ", &reap_o%zu, &reap_ot%zu);\n", s, s);
    }
}

static void add_delivery(const struct reap__layout *layout, size_t s, const char *value,
                         const char *tag, struct reap__string *into)
{
    reap__string_format(into, "    reap__deliver_%zu(&reap_b", s);
    reap__entry_add_each_memory(layout, ", reap_m", into);
    reap__string_format(into, ", %s, %s, &reap_o%zu, reap_ot%zu);\n", value, tag, s, s);
}

/* Reads the root's first lane, which is in local memory if teams gather. */
static void add_root(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    const struct reap__layout_scalar *scalar = &layout->scalars[s];
    if (layout->gathers)
        reap__string_format(into,
                            "    reap__get_%zu((REAP_LOCAL reap__uchar *)(reap_shared + "
                            "REAP__ROOT_WORDS + %zu), %zu, 0, reap_r%zu, &reap_rt%zu);\n",
                            s, reap__layout_place(layout, s), scalar->lanes, s, s);
    else
        reap__string_format(
            into, "    reap__read_%zu(reap_m0 + reap_b.w[%zu], %zu, 0, reap_r%zu, &reap_rt%zu);\n",
            s, scalar->nodes_word, scalar->lanes, s, s);
}

/* Delivers the root's lanes, which are in local memory if teams gather. Lanes after the last item's
 * have no values.
 */
static void add_row(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    const struct reap__layout_scalar *scalar = &layout->scalars[s];
    reap__string_format(into,
                        "    for (reap__uint reap_k = (reap__uint)reap__thread(); reap_k < %zu; "
                        "reap_k += %zu) {\n",
                        scalar->lanes, layout->fold_threads);
    if (reap__entry_is_in_place(layout, s))
        reap__string_format(into,
                            "        REAP__VALUE_AT(reap__type_%zu, reap_r%zu, (REAP_GLOBAL "
                            "reap__type_%zu *)(reap_m0 + reap_b.w[%zu]) + reap_k);\n",
                            s, s, s, scalar->nodes_word);
    else
        reap__string_format(into, "        reap__type_%zu reap_r%zu[1];\n", s, s);
    reap__string_format(into, "        reap__tag_%zu reap_rt%zu;\n", s, s);
    if (layout->gathers)
        reap__string_format(into,
                            "        reap__get_%zu((REAP_LOCAL reap__uchar *)(reap_shared + "
                            "REAP__ROOT_WORDS + %zu), %zu, reap_k, reap_r%zu, &reap_rt%zu);\n",
                            s, reap__layout_place(layout, s), scalar->lanes, s, s);
    else
        reap__string_format(into,
                            "        reap__read_%zu(reap__node_%zu(&reap_b, reap_m0, 0), %zu, "
                            "reap_k, reap_r%zu, &reap_rt%zu);\n",
                            s, s, scalar->lanes, s, s);
    reap__string_format(into,
                        "        reap__write_%zu(reap_m%d + reap_b.w[%d] + %zu, %zu, reap_k, "
                        "reap_r%zu, reap_rt%zu);\n    }\n",
                        s, REAP__MEMORY_RESULTS, REAP__WORD_RESULTS, scalar->delivered,
                        scalar->lanes, s, s);
}

static void add_all_deliveries(const struct reap__layout *layout, struct reap__string *into)
{
    for (size_t s = 0; s < layout->scalar_count && layout->delivers_rows; s++)
        if (!layout->scalars[s].is_exact)
            add_row(layout, s, into);
    reap__string_add(into, "    if (reap__thread() != 0)\n        return;\n");
    for (size_t s = 0; s < layout->scalar_count; s++) {
        char value[32], tag[32];
        if (layout->delivers_rows && !layout->scalars[s].is_exact)
            continue;
        snprintf(value, sizeof value, "reap_r%zu", s);
        snprintf(tag, sizeof tag, "reap_rt%zu", s);
        if (reap__entry_is_in_place(layout, s))
            reap__string_format(
                into, "    REAP__VALUE_AT(reap__type_%zu, %s, reap_m0 + reap_b.w[%zu]);\n", s,
                value, layout->scalars[s].nodes_word);
        else
            reap__string_format(into, "    reap__type_%zu %s[1];\n", s, value);
        reap__string_format(into, "    reap__tag_%zu %s;\n", s, tag);
        add_root(layout, s, into);
        add_delivery(layout, s, value, tag, into);
    }
}

void reap__entry_add_deliveries(const struct reap__layout *layout, struct reap__string *into)
{
    for (size_t s = 0; s < layout->scalar_count; s++) {
        add_old(layout, s, into);
        add_deliver(layout, s, into);
    }
}

/* ---- The root ---------------------------------------------------------------------------------*/

enum { WARP = 32 };

/* Folds the root's lanes to its first one, with a barrier after each step. */
static void add_halving(const struct reap__layout *layout, const char *root, const char *place,
                        struct reap__string *into)
{
    if (layout->delivers_rows) {
        reap__string_add(into, "}\n");
        return;
    }
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

/* Combines nodes in pairs, in place, with a barrier for all reductions after each step. */
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

/* Each team combines adjacent nodes, and a warp the teams' results. The root of a single tile is in
 * local memory already, unless this is a separate launch. */
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

/* The variables are read first, since that takes long. */
static void add_end(const struct reap__layout *layout, struct reap__string *into)
{
    add_olds(layout, into);
    reap__string_add(into, "    reap__finish(&reap_b, reap_m0, reap_shared);\n");
    add_all_deliveries(layout, into);
}

static void add_shared(struct reap__string *into)
{
    reap__string_add(into, "    REAP__SHARED(reap__ulong8, reap_shared, REAP__SHARED_WORDS);\n");
}

static void add_entry(const struct reap__layout *layout, struct reap__string *into)
{
    reap__string_format(into, "REAP__ENTRY(reap_finish, %zu)\n", layout->fold_threads);
    reap__entry_add_parameters(layout, into);
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
