/* SPDX-License-Identifier: Apache-2.0
 *
 * Where threads of a warp see each other's values: a warp folds the lanes of a tile's reduction in
 * registers, in the order of entry_parts.c. The lanes of some tiles wait in local memory, so that
 * all warps of the group have something to fold at the same time and the group seldom waits. Where
 * there are no more parts than lanes, the last warp to come folds the parts of its reduction, while
 * the others have left already.
 */
#include "src/device/entry.h"

enum { WARP = 32, EACH = 4 }; /* a thread of a warp ends with so many neighbouring lanes */
enum { MOST_WAITING_BYTES = 40 << 10, MOST_COUNTER_BYTES = 56 };

bool reap__entry_has_warp_folds(const struct reap__layout *layout)
{
    return reap__entry_is_joint(layout) && layout->has_warps &&
           layout->width == (size_t)8 * WARP * EACH &&
           layout->scalar_count <= layout->threads / WARP &&
           layout->scalar_count * sizeof(uint32_t) <= MOST_COUNTER_BYTES;
}

size_t reap__entry_groups_beside(const struct reap__layout *layout)
{
    const bool stays = reap__entry_has_warp_folds(layout) ||
                       (layout->has_local_spans && layout->has_warps && !layout->has_groups);
    return stays ? REAP__RESIDENT_THREADS / layout->threads : 0;
}

size_t reap__entry_waiting_tiles(const struct reap__layout *layout)
{
    const size_t bytes = reap__entry_place(layout, layout->scalar_count) * 64;
    const size_t room = MOST_WAITING_BYTES / bytes;
    const size_t most = layout->threads / WARP / layout->scalar_count;
    return !reap__entry_has_warp_folds(layout) || room < 2 ? 1 : room < most ? room : most;
}

/* Lanes, or parts, at m, of which the first `present` are there: the thread's lane j begins as what
 * the lanes 128 apart come to. */
static void add_warp_columns(size_t s, struct reap__text *into)
{
    reap__text_format(
        into,
        "REAP__FUNCTION void reap__warp_column_%zu(const struct reap_block *b, REAP_GLOBAL "
        "reap__uchar *m0, const reap__uchar *m, reap__ulong width, reap__uint present, bool "
        "starts, "
        "reap__uint lane, reap__type_%zu *value, reap__tag_%zu *tag)\n{\n"
        "    reap__type_%zu a[8], part;\n"
        "    reap__tag_%zu t[8], part_tag;\n"
        "    REAP__UNROLL\n"
        "    for (reap__uint k = 0; k < 8; k++) {\n"
        "        const reap__uint at = k * 128 + lane < present ? k * 128 + lane : 0;\n"
        "        reap__get_%zu((reap__uchar *)m, width, at, &part, &part_tag);\n"
        "        a[k] = part;\n"
        "        t[k] = part_tag;\n"
        "        if (starts) {\n"
        "            reap__start_of_%zu(b, m0, &a[k], &t[k]);\n"
        "            reap__merge_%zu(&a[k], &t[k], &part, part_tag);\n"
        "        }\n"
        "    }\n"
        "    REAP__UNROLL\n"
        "    for (reap__uint h = 4; h > 0; h /= 2)\n"
        "        REAP__UNROLL\n"
        "        for (reap__uint k = 0; k < h; k++)\n"
        "            if ((k + h) * 128 + lane < present)\n"
        "                reap__merge_%zu(&a[k], &t[k], &a[k + h], t[k + h]);\n"
        "    *value = a[0];\n"
        "    *tag = t[0];\n"
        "}\n",
        s, s, s, s, s, s, s, s, s);
}

/* And then by shuffles, down to the first thread's lanes, and there to one. */
static void add_warp_fold(const struct reap__layout *layout, size_t s, struct reap__text *into)
{
    reap__text_format(
        into,
        "REAP__FUNCTION void reap__warp_fold_%zu(const struct reap_block *b, REAP_GLOBAL "
        "reap__uchar *m0, const reap__uchar *m, reap__ulong width, reap__uint present, bool "
        "starts, "
        "reap__type_%zu *value, reap__tag_%zu *tag)\n{\n"
        "    const reap__uint l = reap__thread() %% 32;\n"
        "    reap__type_%zu a[4];\n"
        "    reap__tag_%zu t[4];\n"
        "    REAP__UNROLL\n"
        "    for (reap__uint j = 0; j < 4; j++)\n"
        "        reap__warp_column_%zu(b, m0, m, width, present, starts, l * 4 + j, &a[j], "
        "&t[j]);\n"
        "    REAP__UNROLL\n"
        "    for (reap__uint h = 16; h > 0; h /= 2)\n"
        "        REAP__UNROLL\n"
        "        for (reap__uint j = 0; j < 4; j++) {\n"
        "            const reap__type_%zu other = reap__shuffle_down(a[j], h);\n"
        "            const reap__tag_%zu other_tag = %s;\n"
        "            if ((l + h) * 4 + j < present)\n"
        "                reap__merge_%zu(&a[j], &t[j], &other, other_tag);\n"
        "        }\n"
        "    REAP__UNROLL\n"
        "    for (reap__uint h = 2; h > 0; h /= 2)\n"
        "        REAP__UNROLL\n"
        "        for (reap__uint j = 0; j < h; j++)\n"
        "            if (l * 4 + j + h < present)\n"
        "                reap__merge_%zu(&a[j], &t[j], &a[j + h], t[j + h]);\n"
        "    *value = a[0];\n"
        "    *tag = t[0];\n"
        "}\n",
        s, s, s, s, s, s, s, s,
        reap__tag_bytes(&layout->scalars[s]) > 0 ? "reap__shuffle_down(t[j], h)" : "t[j]", s, s);
}

static void add_old_call(const struct reap__layout *layout, size_t s, struct reap__text *into)
{
    reap__text_format(into, "reap__old_%zu(b", s);
    reap__entry_add_each_memory(layout, ", m", into);
    reap__text_add(into, ", &old, &old_tag);\n");
}

/* The last warp to come: the parts become the result. Few come here, so it stands once. */
static void add_warp_last(const struct reap__layout *layout, size_t s, struct reap__text *into)
{
    reap__text_format(into, "REAP__OUT_OF_LINE void reap__warp_last_%zu(const struct reap_block *b",
                      s);
    reap__entry_add_each_memory(layout, ", REAP_GLOBAL reap__uchar *m", into);
    reap__text_format(into,
                      ")\n{\n"
                      "    const reap__uint tiles = (reap__uint)b->w[%d];\n"
                      "    reap__type_%zu value, old;\n"
                      "    reap__tag_%zu tag, old_tag;\n"
                      "    if (reap__thread() %% 32 == 0)\n        ",
                      REAP__WORD_TILES, s, s);
    add_old_call(layout, s, into);
    reap__text_format(into,
                      "    reap__warp_fold_%zu(b, m0, m0 + b->w[%zu], tiles, tiles, true, &value, "
                      "&tag);\n"
                      "    if (reap__thread() %% 32 == 0)\n"
                      "        reap__deliver_%zu(b",
                      s, layout->scalars[s].to_word, s);
    reap__entry_add_each_memory(layout, ", m", into);
    reap__text_add(into, ", &value, tag, &old, old_tag);\n}\n");
}

/* Whether the warp is the last one that has written a part; no more than there are lanes. */
static const char warp_is_last[] =
    "REAP__FUNCTION bool reap__warp_is_last(REAP_GLOBAL reap__uint *counter, reap__uint tiles)\n{\n"
    "    reap__uint count = 0;\n"
    "    if (reap__thread() % 32 == 0) {\n"
    "        reap__fence();\n"
    "        count = reap__atomic_fetch_add(counter, 1u);\n"
    "        if (count == tiles - 1)\n"
    "            *counter = 0;\n"
    "    }\n"
    "    const bool is_last = reap__shuffle_first(count) == tiles - 1;\n"
    "    if (is_last)\n"
    "        reap__fence();\n"
    "    return is_last;\n"
    "}\n";

/* Each group asks once for each tile that it has; the last one that asks sets the counter back. */
static const char next_tile[] =
    "REAP__FUNCTION reap__ulong reap__next_tile(REAP_GLOBAL reap__ulong *counter, reap__ulong "
    "tiles)\n{\n"
    "    const reap__ulong next = reap__atomic_fetch_add(counter, (reap__ulong)1);\n"
    "    if (next == tiles - 1)\n"
    "        *counter = 0;\n"
    "    return next;\n"
    "}\n";

/* A last tile of few items, of which not all lanes have one. */
static void add_warp_few(const struct reap__layout *layout, size_t s, struct reap__text *into)
{
    reap__text_format(into,
                      "REAP__OUT_OF_LINE void reap__warp_few_%zu(const struct reap_block *b, "
                      "REAP_GLOBAL reap__uchar *m0, const reap__uchar *m, reap__uint present, "
                      "reap__type_%zu *value, reap__tag_%zu *tag)\n{\n"
                      "    reap__warp_fold_%zu(b, m0, m, %zu, present, false, value, tag);\n}\n",
                      s, s, s, s, layout->width);
}

/* The tile's part, which is the result where there is one tile. */
static void add_warp_end(const struct reap__layout *layout, size_t s, struct reap__text *into)
{
    reap__text_format(into,
                      "REAP__FUNCTION void reap__warp_end_%zu(const struct reap_block *b, "
                      "const reap__uchar *m, reap__ulong tile",
                      s);
    reap__entry_add_each_memory(layout, ", REAP_GLOBAL reap__uchar *m", into);
    reap__text_format(into,
                      ")\n{\n"
                      "    const reap__ulong tiles = b->w[%d];\n"
                      "    const bool is_first = reap__thread() %% 32 == 0;\n"
                      "    reap__type_%zu value, old;\n"
                      "    reap__tag_%zu tag, old_tag;\n"
                      "    if (tiles == 1 && is_first)\n        ",
                      REAP__WORD_TILES, s, s);
    add_old_call(layout, s, into);
    reap__text_format(into,
                      "    const reap__ulong present = b->w[%d] - tile * %zu;\n"
                      "    if (present < %zu)\n"
                      "        reap__warp_few_%zu(b, m0, m, (reap__uint)present, &value, &tag);\n"
                      "    else\n"
                      "        reap__warp_fold_%zu(b, m0, m, %zu, %zu, false, &value, &tag);\n"
                      "    if (tiles > 1 && is_first)\n"
                      "        reap__write_%zu(m0 + b->w[%zu], tiles, tile, &value, tag);\n"
                      "    if (tiles == 1 && is_first)\n"
                      "        reap__deliver_%zu(b",
                      REAP__WORD_ITEMS, reap__tile_items(layout), layout->width, s, s,
                      layout->width, layout->width, s, layout->scalars[s].to_word, s);
    reap__entry_add_each_memory(layout, ", m", into);
    reap__text_format(into,
                      ", &value, tag, &old, old_tag);\n"
                      "    if (tiles > 1 && tiles <= %zu && reap__warp_is_last((REAP_GLOBAL "
                      "reap__uint *)(m0 + b->w[%d]) + %zu, (reap__uint)tiles))\n"
                      "        reap__warp_last_%zu(b",
                      layout->width, REAP__WORD_COUNTER, s, s);
    reap__entry_add_each_memory(layout, ", m", into);
    reap__text_add(into, ");\n}\n");
}

void reap__entry_add_warp_folds(const struct reap__layout *layout, struct reap__text *into)
{
    reap__text_add(into, warp_is_last);
    reap__text_add(into, next_tile);
    for (size_t s = 0; s < layout->scalar_count; s++) {
        add_warp_columns(s, into);
        add_warp_fold(layout, s, into);
        add_warp_last(layout, s, into);
        add_warp_few(layout, s, into);
        add_warp_end(layout, s, into);
    }
}

/* A group takes the tile of its own number first, and then whichever is the next: multiprocessors
 * differ in how fast they get at memory. Behind the tiles that wait stands the next one, in turns
 * at two places, since some threads read it when others are through with it already. */
void reap__entry_begin_tiles(const struct reap__layout *layout, struct reap__text *into)
{
    reap__text_format(
        into,
        "    REAP__SHARED(reap__ulong, reap_tiles, %zu);\n"
        "    reap__uint reap_waiting = 0, reap_turn = 0;\n"
        "    for (reap__ulong reap_tile = reap__group(); reap_tile < reap_b.w[%d];) {\n"
        "        reap__ulong reap_next = reap_b.w[%d];\n"
        "        if (reap__thread() == 0 && reap_next > reap__groups())\n"
        "            reap_next = reap__groups() + reap__next_tile((REAP_GLOBAL "
        "reap__ulong *)(reap_m0 + reap_b.w[%d] + %d), reap_next);\n",
        reap__entry_waiting_tiles(layout) + 2, REAP__WORD_TILES, REAP__WORD_TILES,
        REAP__WORD_COUNTER, MOST_COUNTER_BYTES);
}

/* A thread's lanes go to the places of the youngest tile. */
static void add_puts(const struct reap__layout *layout, struct reap__text *into)
{
    const size_t lanes = layout->width / layout->threads;
    const size_t tile = reap__entry_place(layout, layout->scalar_count);
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__text_format(
            into,
            "        REAP__UNROLL\n"
            "        for (reap__uint reap_j = 0; reap_j < %zu; reap_j++)\n"
            "            reap__put_%zu(reap_shared + reap_waiting * %zu + %zu, %zu, "
            "reap__thread() * %zu + reap_j, &reap_l%zu[reap_j], reap_t%zu[reap_j]);\n",
            lanes, s, tile, reap__entry_place(layout, s), layout->width, lanes, s, s);
}

/* A warp takes one reduction of one of the tiles that wait. */
static void add_folds(const struct reap__layout *layout, struct reap__text *into)
{
    const size_t tile = reap__entry_place(layout, layout->scalar_count);
    for (size_t s = 0; s < layout->scalar_count; s++) {
        reap__text_format(into,
                          "            if (reap_warp %% %zu == %zu && reap_warp / %zu < "
                          "reap_waiting)\n"
                          "                reap__warp_end_%zu(&reap_b, (const reap__uchar "
                          "*)(reap_shared + reap_warp / %zu * %zu + %zu), reap_tiles[reap_warp / "
                          "%zu]",
                          layout->scalar_count, s, layout->scalar_count, s, layout->scalar_count,
                          tile, reap__entry_place(layout, s), layout->scalar_count);
        reap__entry_add_each_memory(layout, ", reap_m", into);
        reap__text_add(into, ");\n");
    }
}

/* With few tiles nothing comes behind the last of them: each warp has found out whether it is the
 * last. */
void reap__entry_add_warp_ends(const struct reap__layout *layout, struct reap__text *into)
{
    const size_t most = reap__entry_waiting_tiles(layout);
    add_puts(layout, into);
    reap__text_format(into,
                      "        if (reap__thread() == 0) {\n"
                      "            reap_tiles[reap_waiting] = reap_tile;\n"
                      "            reap_tiles[%zu + reap_turn] = reap_next;\n"
                      "        }\n"
                      "        reap__sync();\n"
                      "        reap_next = reap_tiles[%zu + reap_turn];\n"
                      "        reap_turn ^= 1;\n"
                      "        if (++reap_waiting == %zu || reap_next >= reap_b.w[%d]) {\n"
                      "            const reap__uint reap_warp = reap__thread() / 32;\n",
                      most, most, most, REAP__WORD_TILES);
    add_folds(layout, into);
    reap__text_format(into,
                      "            if (reap_next >= reap_b.w[%d] && reap_b.w[%d] <= %zu)\n"
                      "                return;\n"
                      "            reap__sync();\n"
                      "            reap_waiting = 0;\n"
                      "        }\n"
                      "        reap_tile = reap_next;\n",
                      REAP__WORD_TILES, REAP__WORD_TILES, layout->width);
}

/* In the last group: each warp brings one of the reductions to its end. */
void reap__entry_add_warp_results(const struct reap__layout *layout, struct reap__text *into)
{
    reap__text_add(into, "    const reap__uint reap_present = reap__joint_finish(&reap_b, reap_m0, "
                         "reap_shared);\n"
                         "    reap__sync();\n");
    for (size_t s = 0; s < layout->scalar_count; s++) {
        reap__text_format(into,
                          "    if (reap__thread() / 32 == %zu) {\n"
                          "        reap__type_%zu reap_v, reap_o%zu;\n"
                          "        reap__tag_%zu reap_vt, reap_ot%zu;\n"
                          "        if (reap__thread() %% 32 == 0)\n"
                          "            reap__old_%zu(&reap_b",
                          s, s, s, s, s, s);
        reap__entry_add_each_memory(layout, ", reap_m", into);
        reap__text_format(into,
                          ", &reap_o%zu, &reap_ot%zu);\n"
                          "        if (reap_present == %zu)\n"
                          "            reap__warp_fold_%zu(&reap_b, reap_m0, (const reap__uchar "
                          "*)(reap_shared + %zu), %zu, %zu, false, &reap_v, &reap_vt);\n"
                          "        else\n"
                          "            reap__warp_few_%zu(&reap_b, reap_m0, (const reap__uchar "
                          "*)(reap_shared + %zu), reap_present, &reap_v, &reap_vt);\n"
                          "        if (reap__thread() %% 32 == 0)\n        ",
                          s, s, layout->width, s, reap__entry_place(layout, s), layout->width,
                          layout->width, s, reap__entry_place(layout, s));
        reap__entry_add_delivery(layout, s, "&reap_v", "reap_vt", into);
        reap__text_add(into, "    }\n");
    }
}
