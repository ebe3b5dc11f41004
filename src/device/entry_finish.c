/* SPDX-License-Identifier: Apache-2.0
 *
 * The end of a reduction: one group of threads makes the root of the nodes that tiles have come to,
 * pair by pair, in place; folds the root's lanes by halving; and delivers. Where the device orders
 * what its groups write, that is the last group to come; elsewhere an entry of its own.
 */
#include "src/device/entry.h"

/* Nodes, and then the root's lanes: all reductions go from one wait to the next together. */
static void add_function(const struct reap__layout *layout, struct reap__text *into)
{
    const size_t widest = layout->leaf_items / REAP__ROWS_OF_A_LEAF;
    reap__text_format(into,
                      "REAP__OUT_OF_LINE void reap__finish(const struct reap_block *b, REAP_GLOBAL "
                      "reap__uchar *m)\n{\n"
                      "    const reap__ulong nodes = b->w[%d];\n"
                      "    const reap__ulong last = b->w[%d] - (nodes - 1) * b->w[%d];\n"
                      "    reap__sync_fold();\n"
                      "    for (reap__ulong apart = 1; apart < nodes; apart *= 2) {\n",
                      REAP__WORD_NODES, reap__entry_items_word(layout), REAP__WORD_TILE_ITEMS);
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__text_format(into,
                          "        reap__pair_%zu(reap__node_%zu(b, m, 0), nodes, apart, "
                          "reap__least(last, %zu));\n",
                          s, s, layout->scalars[s].lanes);
    reap__text_format(into,
                      "        reap__sync_fold();\n"
                      "    }\n"
                      "    for (reap__uint reach = %zu; reach > 0; reach /= 2) {\n",
                      widest / 2);
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__text_format(
            into,
            "        reap__halve_%zu(reap__node_%zu(b, m, 0), reach, nodes > 1 ? %zu : "
            "reap__least(last, %zu));\n",
            s, s, layout->scalars[s].lanes, layout->scalars[s].lanes);
    reap__text_add(into, "        reap__sync_fold();\n    }\n}\n");
}

static void add_entry(const struct reap__layout *layout, struct reap__text *into)
{
    reap__text_format(into, "REAP__ENTRY(reap_finish, %zu)\n(REAP__BLOCK_PARAMETER reap_b",
                      layout->fold_threads);
    reap__entry_add_memories(layout, into);
    reap__text_add(into, ")\n{\n    reap__begin();\n");
    reap__text_add(into, "    reap__finish(&reap_b, reap_m0);\n");
    reap__entry_add_all_deliveries(layout, into);
    reap__text_add(into, "}\n");
}

void reap__entry_add_finish(const struct reap__layout *layout, struct reap__text *into)
{
    if (layout->scalar_count == 0)
        return;
    add_function(layout, into);
    if (!layout->folds_at_once)
        add_entry(layout, into);
}

void reap__entry_add_last_group(const struct reap__layout *layout, struct reap__text *into)
{
    if (!layout->folds_at_once)
        return;
    reap__text_format(into,
                      "    reap__sync();\n"
                      "    if (!reap__is_last(reap_shared, (REAP_GLOBAL reap__uint *)(reap_m0 + "
                      "reap_b.w[%d])))\n        return;\n"
                      "    reap__finish(&reap_b, reap_m0);\n",
                      REAP__WORD_COUNTER);
    reap__entry_add_all_deliveries(layout, into);
}
