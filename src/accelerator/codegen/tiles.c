/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops over the tiles of a range, and the end of each leaf. A tile is reduced to a node. Teams
 * of a group that gather (layout->gathers) take adjacent leaves of a tile and put their lanes into
 * local memory, where one warp combines them while the other warps run their next leaves.
 * Otherwise, where nodes are large, leaves differ in size or a group is one thread, each team has
 * tiles of its own and does not wait for others.
 */
#include "src/accelerator/codegen/entry.h"

#include <stdio.h>

enum { WARP = 32, NEXT_TILE_COUNTER = 56 };

/* A thread's team, its number in the team, and the number of the team's slots. */
void reap__entry_add_team(const struct reap__layout *layout, struct reap__string *into)
{
    reap__string_format(into,
                        "    const reap__uint reap_team = (reap__uint)reap__thread() / %zu;\n"
                        "    const reap__uint reap_member = (reap__uint)reap__thread() %% %zu;\n"
                        "    const reap__ulong reap_place = reap__group() * %zu + reap_team;\n",
                        layout->team_threads, layout->team_threads, layout->teams);
}

/* The number of tile reap_tile in the range, as text: with logs of spans, a launch may run only
 * some of the tiles. */
enum { NUMBER_BYTES = 64 };
static const char *tile_number(const struct reap__layout *layout, char number[NUMBER_BYTES])
{
    if (layout->has_groups || layout->mode != REAP__SPANS_LOGGED)
        return "reap_tile";
    snprintf(number, NUMBER_BYTES, "(reap_b.w[%d] + reap_tile)", REAP__WORD_FIRST);
    return number;
}

/* The bounds of tile reap_tile, as expressions that show compilers its alignment for vectors. */
static void add_bounds(const struct reap__layout *layout, struct reap__string *into)
{
    char number[NUMBER_BYTES];
    reap__string_format(into,
                        "        const reap__ulong reap_begin = (%s << reap_b.w[%d]) * %zu;\n"
                        "        const reap__ulong reap_rest = reap_b.w[%d] - reap_begin;\n"
                        "        const reap__ulong reap_stop = reap_begin + (reap_rest < "
                        "reap_b.w[%d] ? reap_rest : reap_b.w[%d]);\n",
                        tile_number(layout, number), REAP__WORD_TILE_LOG2, layout->leaf_items,
                        reap__entry_items_word(layout), REAP__WORD_TILE_ITEMS,
                        REAP__WORD_TILE_ITEMS);
}

/* ---- Teams that gather ------------------------------------------------------------------------*/

/* Multiprocessors differ in how fast they reach memory. A group takes the tile of its own number
 * first, and then the next one that no group has. It asks a counter once for each of its tiles,
 * when that begins, and reads the answer when it ends, so that it never waits for it; the last
 * request resets the counter. */
static void add_asking(struct reap__string *into)
{
    reap__string_format(into,
                        "        reap__ulong reap_next = reap__groups();\n"
                        "        if (reap__thread() == 0 && reap_b.w[%d] > reap__groups())\n"
                        "            reap_next = reap__atomic_fetch_add((REAP_GLOBAL reap__ulong "
                        "*)(reap_m0 + reap_b.w[%d] + %d), (reap__ulong)1);\n",
                        REAP__WORD_TILES, REAP__WORD_COUNTER, NEXT_TILE_COUNTER);
}

static void add_answer(const struct reap__layout *layout, struct reap__string *into)
{
    reap__string_format(
        into,
        "        if (reap__thread() == 0 && reap_stop - reap_run <= %zu) {\n"
        "            reap_tiles[reap_tile_turn] = reap__groups() + reap_next;\n"
        "            if (reap_b.w[%d] > reap__groups() && reap_next == reap_b.w[%d] - 1)\n"
        "                *(REAP_GLOBAL reap__ulong *)(reap_m0 + reap_b.w[%d] + %d) = 0;\n"
        "        }\n",
        layout->teams * layout->leaf_items, REAP__WORD_TILES, REAP__WORD_TILES, REAP__WORD_COUNTER,
        NEXT_TILE_COUNTER);
}

static void begin_gathering(const struct reap__layout *layout, struct reap__string *into)
{
    reap__string_add(into, "    reap__uint reap_turn = 0, reap_folder = 0;\n");
    if (layout->has_warps)
        reap__string_add(into, "    REAP__SHARED(reap__ulong, reap_tiles, 2);\n"
                               "    reap__uint reap_tile_turn = 0;\n");
    reap__string_format(
        into, "    for (reap__ulong reap_tile = reap__group(); reap_tile < reap_b.w[%d];) {\n",
        REAP__WORD_TILES);
    add_bounds(layout, into);
    if (layout->has_warps)
        add_asking(into);
    reap__string_format(
        into,
        "        reap__ulong reap_number = 0;\n"
        "        for (reap__ulong reap_run = reap_begin; reap_run < reap_stop; reap_run += %zu, "
        "reap_number++) {\n"
        "        const reap__ulong reap_first = reap_run + reap_team * %zu;\n"
        "        const reap__ulong reap_left = reap_first < reap_stop ? reap_stop - reap_first : "
        "0;\n"
        "        const reap__ulong reap_end = reap_first + reap__least(reap_left, %zu);\n",
        layout->teams * layout->leaf_items, layout->leaf_items, layout->leaf_items);
}

/* Copies a thread's lanes to its team's node. */
static void add_puts(const struct reap__layout *layout, struct reap__string *into)
{
    for (size_t s = 0; s < layout->scalar_count; s++) {
        const size_t lanes = reap__entry_lanes(layout, s);
        reap__string_format(
            into,
            "        REAP__UNROLL\n"
            "        for (reap__uint reap_j = 0; reap_j < %zu; reap_j++)\n"
            "            reap__put_%zu((REAP_LOCAL reap__uchar *)(reap_shared + (reap_turn * "
            "REAP__TEAMS + reap_team) * REAP__TEAM_WORDS + %zu), %zu, reap_member * %zu + reap_j, "
            "&reap_l%zu[reap_j], reap_t%zu[reap_j]);\n",
            lanes, s, reap__layout_place(layout, s), layout->scalars[s].lanes, lanes, s, s);
    }
}

/* One warp combines the teams' nodes of scalar s, and at the end of a tile the tile's bundle. */
static void add_pass(const struct reap__layout *layout, size_t s, const char *is_root,
                     struct reap__string *into)
{
    const size_t place = reap__layout_place(layout, s);
    char slots[192] = "0", number[NUMBER_BYTES];
    if (layout->has_warps)
        snprintf(slots, sizeof slots,
                 "reap_b.w[%d] <= %d ? (REAP_GLOBAL reap__uchar *)(reap_shared + "
                 "REAP__SLOT_WORDS + %zu) : 0",
                 REAP__WORD_LEVELS, REAP__SLOTS_BESIDE, place * (REAP__SLOTS_BESIDE + 1));
    reap__string_format(
        into,
        "        if (reap__thread() / %d == (reap_folder + %zu) %% %zu) {\n"
        "            reap__pass_%zu(&reap_b, reap_m0, reap_shared + reap_turn * REAP__TEAMS * "
        "REAP__TEAM_WORDS + %zu, reap_count, reap_present, %s ? reap_shared + REAP__ROOT_WORDS + "
        "%zu : 0, reap_number, reap_is_last, reap_b.w[%d] + %s, %s);\n",
        WARP, s, layout->fold_threads / WARP, s, place, is_root, place, REAP__WORD_TILE_NODES,
        tile_number(layout, number), slots);
    if (layout->bundles)
        reap__string_format(into,
                            "            if (reap_b.w[%d] != 0 && reap_is_last)\n"
                            "                reap__bundle_%zu(&reap_b, reap_m0, reap_tile);\n",
                            REAP__WORD_HAS_BUNDLES, s);
    reap__string_add(into, "        }\n");
}

/* One warp combines the nodes of each scalar; in the next round other warps do. Teams put their
 * lanes into two buffers alternately: a warp has read one before it reaches the next round's
 * barrier. */
static void end_gathering(const struct reap__layout *layout, struct reap__string *into)
{
    const size_t round = layout->teams * layout->leaf_items;
    char is_root[64] = "false";
    if (layout->folds_at_once)
        snprintf(is_root, sizeof is_root, "reap_b.w[%d] != 0", REAP__WORD_IS_ROOT);
    add_puts(layout, into);
    if (layout->has_warps)
        add_answer(layout, into);
    reap__string_format(
        into,
        "        reap__sync();\n"
        "        const reap__ulong reap_items = reap_stop - reap_run;\n"
        "        const bool reap_is_last = reap_items <= %zu;\n"
        "        const reap__uint reap_count = reap_is_last ? (reap__uint)((reap_items + %zu) / "
        "%zu) : %zu;\n"
        "        const reap__uint reap_present = (reap__uint)reap__least(reap_items "
        "- (reap_count - 1) * %zu, %zu);\n",
        round, layout->leaf_items - 1, layout->leaf_items, layout->teams, layout->leaf_items,
        layout->width);
    for (size_t s = 0; s < layout->scalar_count; s++)
        add_pass(layout, s, is_root, into);
    reap__string_format(into,
                        "        reap_folder = (reap_folder + %zu) %% %zu;\n"
                        "        reap_turn ^= 1;\n"
                        "        }\n",
                        layout->scalar_count, layout->fold_threads / WARP);
    if (layout->has_warps)
        reap__string_add(into, "        reap_tile = reap_tiles[reap_tile_turn];\n"
                               "        reap_tile_turn ^= 1;\n    }\n");
    else
        reap__string_add(into, "        reap_tile += reap__groups();\n    }\n");
}

/* ---- Teams apart ------------------------------------------------------------------------------*/

static void begin_apart(const struct reap__layout *layout, struct reap__string *into)
{
    char number[NUMBER_BYTES];
    reap__string_format(into,
                        "    for (reap__ulong reap_tile = reap_place; reap_tile < reap_b.w[%d]; "
                        "reap_tile += reap__groups() * %zu) {\n"
                        "        const reap__ulong reap_node = %s;\n",
                        REAP__WORD_TILES, layout->teams, tile_number(layout, number));
    add_bounds(layout, into);
    reap__string_format(into,
                        "        for (reap__ulong reap_first = reap_begin; reap_first < reap_stop; "
                        "reap_first += %zu) {\n"
                        "        const reap__ulong reap_end = reap_first + reap__least(reap_stop - "
                        "reap_first, %zu);\n",
                        layout->leaf_items, layout->leaf_items);
}

/* The address of a tile's node; that of a line follows its team's slots. */
static const char *node_of(const struct reap__layout *layout, size_t s, char *text, size_t bytes)
{
    if (layout->has_lines)
        snprintf(text, bytes, "reap__line_node_%zu(&reap_b, reap_m0, reap_place)", s);
    else
        snprintf(text, bytes, "reap__node_%zu(&reap_b, reap_m0, reap_node)", s);
    return text;
}

void reap__entry_add_climb(const struct reap__layout *layout, size_t s, const char *first,
                           const char *indent, struct reap__string *into)
{
    const size_t leaf = layout->scalars[s].lanes * REAP__ROWS_OF_A_LEAF;
    char node[96];
    reap__string_format(
        into,
        "%sreap__climb_%zu(reap__slots_%zu(&reap_b, reap_m0, reap_place), (%s - "
        "reap_begin) / %zu, reap_stop - %s <= %zu, reap__least(reap_stop - %s, %zu), "
        "reap_l%zu, reap_t%zu, %s);\n",
        indent, s, s, first, leaf, first, leaf, first, layout->scalars[s].lanes, s, s,
        node_of(layout, s, node, sizeof node));
}

static void end_apart(const struct reap__layout *layout, struct reap__string *into)
{
    for (size_t s = 0; s < layout->scalar_count; s++)
        if (layout->scalars[s].leaves_log2 == 0)
            reap__entry_add_climb(layout, s, "reap_first", "        ", into);
    reap__string_add(into, "        }\n    }\n");
}

/* ---- Either -----------------------------------------------------------------------------------*/

/* Without scalars a group runs a tile at a time. Its begin is an expression that shows compilers
 * its alignment for vectors. */
static void begin_plain(const struct reap__layout *layout, struct reap__string *into)
{
    char number[NUMBER_BYTES];
    reap__string_format(
        into,
        "    for (reap__ulong reap_tile = reap__group(); reap_tile < reap_b.w[%d]; "
        "reap_tile += reap__groups()) {\n"
        "        const reap__ulong reap_first = (%s << reap_b.w[%d]) * %d;\n"
        "        const reap__ulong reap_left = reap_b.w[%d] - reap_first;\n"
        "        const reap__ulong reap_end = reap_first + reap__least(reap_left, reap_b.w[%d]);\n",
        REAP__WORD_TILES, tile_number(layout, number), REAP__WORD_TILE_LOG2, REAP__PLAIN_WIDTH,
        REAP__WORD_ITEMS, REAP__WORD_TILE_ITEMS);
}

void reap__entry_begin_tiles(const struct reap__layout *layout, struct reap__string *into)
{
    if (layout->scalar_count == 0)
        begin_plain(layout, into);
    else if (layout->gathers)
        begin_gathering(layout, into);
    else
        begin_apart(layout, into);
}

void reap__entry_end_tiles(const struct reap__layout *layout, struct reap__string *into)
{
    if (layout->scalar_count == 0)
        reap__string_add(into, "    }\n");
    else if (layout->gathers)
        end_gathering(layout, into);
    else
        end_apart(layout, into);
}
