/* SPDX-License-Identifier: Apache-2.0
 *
 * Where all reductions of a kernel have as many lanes, and their lanes have room in local memory
 * together: the folds of all of them go from barrier to barrier together, and the last group keeps
 * the results in the registers of its first thread. The order is that of entry_parts.c; what is
 * saved is waiting, which is most of the time of a short launch. Warps do it otherwise
 * (entry_warps.c).
 */
#include "src/device/entry.h"

#include <stdio.h>

enum { MOST_SHARED_BYTES = 40 << 10, MOST_LOADED_BYTES = 128 };

static size_t shared_bytes(const struct reap__layout *layout, size_t s)
{
    return (reap__parts_bytes(&layout->scalars[s], layout->scalars[s].lanes) + 63) / 64 * 64;
}

size_t reap__entry_place(const struct reap__layout *layout, size_t s)
{
    size_t bytes = 0;
    for (size_t before = 0; before < s; before++)
        bytes += shared_bytes(layout, before);
    return bytes / 64;
}

bool reap__entry_is_joint(const struct reap__layout *layout)
{
    for (size_t s = 0; s < layout->scalar_count; s++)
        if (layout->scalars[s].lanes != layout->width || layout->scalars[s].lanes < 8 ||
            layout->scalars[s].size > REAP__MOST_BYTES_AT_ONCE)
            return false;
    return layout->folds_at_once && layout->threads == layout->fold_threads &&
           reap__entry_place(layout, layout->scalar_count) * 64 <= MOST_SHARED_BYTES;
}

size_t reap__entry_joint_words(const struct reap__layout *layout)
{
    return reap__entry_place(layout, layout->scalar_count) * reap__entry_waiting_tiles(layout);
}

static void add_struct(const struct reap__layout *layout, struct reap__text *into)
{
    reap__text_add(into, "struct reap__all {\n");
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__text_format(into, "    reap__type_%zu v%zu;\n    reap__tag_%zu t%zu;\n", s, s, s, s);
    reap__text_add(into, "};\n");
}

/* One scalar's part of a step: eight lanes (four, two) become one. */
static void add_step(const struct reap__layout *layout, size_t s, struct reap__text *into)
{
    const size_t place = reap__entry_place(layout, s);
    reap__text_format(
        into,
        "            {\n"
        "                REAP_LOCAL reap__uchar *const m = (REAP_LOCAL reap__uchar *)(shared + "
        "%zu);\n"
        "                reap__type_%zu a[8];\n"
        "                reap__tag_%zu t[8];\n"
        "                REAP__UNROLL\n"
        "                for (reap__uint k = 0; k < 8; k++)\n"
        "                    if (k < ways && l + k * reach < present)\n"
        "                        reap__get_%zu(m, %zu, l + k * reach, &a[k], &t[k]);\n"
        "                REAP__UNROLL\n"
        "                for (reap__uint pair = 4; pair > 0; pair /= 2)\n"
        "                    REAP__UNROLL\n"
        "                    for (reap__uint k = 0; k < pair; k++)\n"
        "                        if (k + pair < ways && l + (k + pair) * reach < present)\n"
        "                            reap__merge_%zu(&a[k], &t[k], &a[k + pair], t[k + pair]);\n"
        "                reap__put_%zu(shared + %zu, %zu, l, &a[0], t[0]);\n"
        "            }\n",
        place, s, s, s, layout->width, s, s, place, layout->width);
}

/* The lanes in local memory, of which the first `present` have items, fold into *all of the first
 * thread. */
static void add_tree(const struct reap__layout *layout, struct reap__text *into)
{
    reap__text_format(into,
                      "REAP__OUT_OF_LINE void reap__joint_tree(REAP_LOCAL reap__ulong8 *shared, "
                      "reap__uint present, struct reap__all *all)\n{\n"
                      "    reap__sync();\n"
                      "    for (reap__uint reach = %zu; reach > 0; reach /= 2) {\n"
                      "        const reap__uint ways = reach >= 4 ? 8 : reach * 2;\n"
                      "        reach = reach * 2 / ways;\n"
                      "        for (reap__uint l = reap__thread(); l < reach && l < present; l += "
                      "%zu) {\n",
                      layout->width / 2, layout->threads);
    for (size_t s = 0; s < layout->scalar_count; s++)
        add_step(layout, s, into);
    reap__text_add(into, "        }\n        reap__sync();\n    }\n"
                         "    if (reap__thread() == 0) {\n");
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__text_format(into,
                          "        reap__get_%zu((REAP_LOCAL reap__uchar *)(shared + %zu), %zu, 0, "
                          "&all->v%zu, &all->t%zu);\n",
                          s, reap__entry_place(layout, s), layout->width, s, s);
    reap__text_add(into, "    }\n    reap__sync();\n}\n");
}

static void add_lane_parameters(const struct reap__layout *layout, struct reap__text *into)
{
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__text_format(into, ", const reap__type_%zu *l%zu, const reap__tag_%zu *t%zu", s, s, s,
                          s);
}

/* A thread has neighbouring lanes. */
static size_t lanes_each(const struct reap__layout *layout)
{
    return layout->width / layout->threads;
}

static void add_put(const struct reap__layout *layout, size_t s, const char *lanes,
                    const char *tags, struct reap__text *into)
{
    reap__text_format(into,
                      "    REAP__UNROLL\n"
                      "    for (reap__uint j = 0; j < %zu; j++)\n"
                      "        reap__put_%zu(shared + %zu, %zu, reap__thread() * %zu + j, "
                      "&%s[j], %s[j]);\n",
                      lanes_each(layout), s, reap__entry_place(layout, s), layout->width,
                      lanes_each(layout), lanes, tags);
}

static void add_fold(const struct reap__layout *layout, struct reap__text *into)
{
    reap__text_add(into, "REAP__FUNCTION void reap__joint_fold(REAP_LOCAL reap__ulong8 *shared, "
                         "reap__uint present, struct reap__all *all");
    add_lane_parameters(layout, into);
    reap__text_add(into, ")\n{\n");
    for (size_t s = 0; s < layout->scalar_count; s++) {
        char lanes[32], tags[32];
        snprintf(lanes, sizeof lanes, "l%zu", s);
        snprintf(tags, sizeof tags, "t%zu", s);
        add_put(layout, s, lanes, tags, into);
    }
    reap__text_add(into, "    reap__joint_tree(shared, present, all);\n}\n");
}

/* How many rows of a scalar's parts a thread loads before it combines them: what it has registers
 * for. */
static size_t rows_at_once(const struct reap__layout *layout, size_t s)
{
    const struct reap__layout_scalar *scalar = &layout->scalars[s];
    const size_t bytes = lanes_each(layout) * (scalar->size + reap__tag_bytes(scalar));
    size_t rows = 1;
    while (rows < 8 && 2 * rows * bytes <= MOST_LOADED_BYTES)
        rows *= 2;
    return rows;
}

/* The parts of so many rows, which are whole but for 0: a row whose end may be missing. All of them
 * are loaded before one is combined: compilers would load what they combine on a condition one
 * after the other. */
static void add_rows(const struct reap__layout *layout, size_t s, size_t rows,
                     struct reap__text *into)
{
    const size_t lanes = lanes_each(layout), parts = lanes * (rows > 0 ? rows : 1);
    char at[128], condition[160] = "";
    snprintf(at, sizeof at, "(row + k / %zu) * %zu + reap__thread() * %zu + k %% %zu", lanes,
             layout->width, lanes, lanes);
    if (rows == 0)
        snprintf(condition, sizeof condition, "            if (%s < here)\n", at);
    reap__text_format(into,
                      "        reap__type_%zu p[%zu];\n        reap__tag_%zu pt[%zu];\n"
                      "        REAP__UNROLL\n"
                      "        for (reap__uint k = 0; k < %zu; k++)\n%s"
                      "            reap__read_%zu((REAP_GLOBAL reap__uchar *)REAP__ALIGNED(m) "
                      "+ from / 16 * 16, items, first + (%s), &p[k], &pt[k]);\n"
                      "        REAP__UNROLL\n"
                      "        for (reap__uint k = 0; k < %zu; k++)\n%s"
                      "            reap__merge_%zu(&l[k %% %zu], &t[k %% %zu], &p[k], pt[k]);\n",
                      s, parts, s, parts, parts, condition, s, at, parts, condition, s, lanes,
                      lanes);
}

/* The lanes of one scalar. */
static void add_lanes_of(const struct reap__layout *layout, size_t s, struct reap__text *into)
{
    const size_t block = layout->width * REAP__ROWS_OF_A_BLOCK, lanes = lanes_each(layout);
    reap__text_format(into,
                      "REAP__FUNCTION void reap__joint_lanes_%zu(const struct reap_block *b, "
                      "REAP_GLOBAL reap__uchar *m, REAP_LOCAL reap__ulong8 *shared, reap__ulong "
                      "from, reap__ulong items, reap__ulong index)\n{\n"
                      "    const reap__ulong first = index * %zu, left = items - first;\n"
                      "    const reap__uint here = left < %zu ? (reap__uint)left : %zu;\n"
                      "    reap__uint row = 0;\n"
                      "    reap__type_%zu l[%zu];\n    reap__tag_%zu t[%zu];\n"
                      "    REAP__UNROLL\n"
                      "    for (reap__uint j = 0; j < %zu; j++)\n"
                      "        reap__start_of_%zu(b, m, &l[j], &t[j]);\n",
                      s, block, block, block, s, lanes, s, lanes, lanes, s);
    for (size_t rows = rows_at_once(layout, s); rows > 0; rows /= 2) {
        reap__text_format(into,
                          "    REAP__NO_UNROLL\n    for (; (row + %zu) * %zu <= here; row += %zu) "
                          "{\n",
                          rows, layout->width, rows);
        add_rows(layout, s, rows, into);
        reap__text_add(into, "    }\n");
    }
    reap__text_format(into, "    if (row * %zu < here) {\n", layout->width);
    add_rows(layout, s, 0, into);
    reap__text_add(into, "    }\n");
    add_put(layout, s, "l", "t", into);
    reap__text_add(into, "}\n");
}

/* The lanes of block `index` of the `items` parts at `from` go to their places; gives how many
 * have items. The last group comes here once, and its multiprocessor waits for every line of code
 * that it runs for the first time: so it is short. */
static void add_lanes(const struct reap__layout *layout, struct reap__text *into)
{
    for (size_t s = 0; s < layout->scalar_count; s++)
        add_lanes_of(layout, s, into);
    reap__text_add(into, "REAP__FUNCTION reap__uint reap__joint_lanes(const struct reap_block *b, "
                         "REAP_GLOBAL reap__uchar *m, REAP_LOCAL reap__ulong8 *shared");
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__text_format(into, ", reap__ulong from%zu", s);
    reap__text_format(into,
                      ", reap__ulong items, reap__ulong index)\n{\n"
                      "    const reap__ulong left = items - index * %zu;\n",
                      layout->width * REAP__ROWS_OF_A_BLOCK);
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__text_format(into, "    reap__joint_lanes_%zu(b, m, shared, from%zu, items, index);\n",
                          s, s);
    reap__text_format(into, "    return left < %zu ? (reap__uint)left : %zu;\n}\n", layout->width,
                      layout->width);
}

/* Where there are more parts than a block has: those of further levels, until there are not. The
 * offsets of the parts that are left go to `from`. */
static void add_levels(const struct reap__layout *layout, struct reap__text *into)
{
    reap__text_format(into,
                      "REAP__OUT_OF_LINE reap__ulong reap__joint_levels(const struct reap_block "
                      "*b, REAP_GLOBAL reap__uchar *m, REAP_LOCAL reap__ulong8 *shared, "
                      "reap__ulong *from)\n{\n"
                      "    struct reap__all all;\n"
                      "    reap__ulong items = b->w[%zu], count;\n"
                      "    REAP__NO_UNROLL\n"
                      "    for (; items > %zu; items = count) {\n"
                      "        count = (items - 1) / %zu + 1;\n",
                      layout->scalars[0].parts_word, layout->width * REAP__ROWS_OF_A_BLOCK,
                      layout->width * REAP__ROWS_OF_A_BLOCK);
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__text_format(into,
                          "        const reap__ulong to%zu = from[%zu] + reap__tags(1, "
                          "reap__tags(sizeof(reap__type_%zu), items) + %zu * items);\n",
                          s, s, s, reap__tag_bytes(&layout->scalars[s]));
    reap__text_add(into, "        REAP__NO_UNROLL\n"
                         "        for (reap__ulong index = 0; index < count; index++) {\n"
                         "            const reap__uint present = reap__joint_lanes(b, m, shared");
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__text_format(into, ", from[%zu]", s);
    reap__text_add(into, ", items, index);\n"
                         "            reap__joint_tree(shared, present, &all);\n"
                         "            if (reap__thread() == 0) {\n");
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__text_format(into,
                          "                reap__write_%zu(m + to%zu, count, index, &all.v%zu, "
                          "all.t%zu);\n",
                          s, s, s, s);
    reap__text_add(into, "            }\n        }\n"
                         "        reap__fence();\n"
                         "        reap__sync();\n"
                         "        reap__fence();\n");
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__text_format(into, "        from[%zu] = to%zu;\n", s, s);
    reap__text_add(into, "    }\n    return items;\n}\n");
}

/* The last group: the lanes of all parts go to their places; gives how many have items. */
static void add_finish(const struct reap__layout *layout, struct reap__text *into)
{
    reap__text_format(into,
                      "REAP__FUNCTION reap__uint reap__joint_finish(const struct reap_block *b, "
                      "REAP_GLOBAL reap__uchar *m, REAP_LOCAL reap__ulong8 *shared)\n{\n"
                      "    reap__ulong from[%zu], items = b->w[%zu];\n",
                      layout->scalar_count, layout->scalars[0].parts_word);
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__text_format(into, "    from[%zu] = b->w[%zu];\n", s, layout->scalars[s].to_word);
    reap__text_format(into,
                      "    if (items > %zu) {\n"
                      "        reap__ulong left[%zu];\n",
                      layout->width * REAP__ROWS_OF_A_BLOCK, layout->scalar_count);
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__text_format(into, "        left[%zu] = from[%zu];\n", s, s);
    reap__text_add(into, "        items = reap__joint_levels(b, m, shared, left);\n");
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__text_format(into, "        from[%zu] = left[%zu];\n", s, s);
    reap__text_add(into, "    }\n    return reap__joint_lanes(b, m, shared");
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__text_format(into, ", from[%zu]", s);
    reap__text_add(into, ", items, 0);\n}\n");
}

void reap__entry_add_joint(const struct reap__layout *layout, struct reap__text *into)
{
    add_struct(layout, into);
    add_tree(layout, into);
    if (!reap__entry_has_warp_folds(layout))
        add_fold(layout, into);
    add_lanes(layout, into);
    add_levels(layout, into);
    add_finish(layout, into);
}

/* ---- Uses of them in the entry ----------------------------------------------------------------*/

void reap__entry_add_joint_fold(const struct reap__layout *layout, struct reap__text *into)
{
    reap__text_format(into,
                      "        const reap__ulong reap_here = reap_end - reap_first;\n"
                      "        reap__joint_fold(reap_shared, reap_here < %zu ? "
                      "(reap__uint)reap_here : %zu, &reap_all",
                      layout->width, layout->width);
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__text_format(into, ", reap_l%zu, reap_t%zu", s, s);
    reap__text_format(into,
                      ");\n"
                      "        if (reap_b.w[%d] > 1 && reap__thread() == 0) {\n"
                      "            REAP_GLOBAL reap__uchar *const m = reap_m0;\n"
                      "            struct reap__all *const all = &reap_all;\n",
                      REAP__WORD_TILES);
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__text_format(into,
                          "            reap__write_%zu(m + reap_b.w[%zu], reap_b.w[%d], reap_tile, "
                          "&all->v%zu, all->t%zu);\n",
                          s, layout->scalars[s].to_word, REAP__WORD_TILES, s, s);
    reap__text_add(into, "        }\n");
}

void reap__entry_add_joint_end(const struct reap__layout *layout, struct reap__text *into)
{
    reap__text_format(into,
                      "    if (reap_b.w[%d] > 1 && !reap__is_last(reap_shared, (REAP_GLOBAL "
                      "reap__uint *)(reap_m0 + reap_b.w[%d])))\n"
                      "        return;\n",
                      REAP__WORD_TILES, REAP__WORD_COUNTER);
    if (reap__entry_has_warp_folds(layout)) {
        reap__entry_add_warp_results(layout, into);
        return;
    }
    reap__entry_add_olds(layout, into);
    reap__text_format(into,
                      "    if (reap_b.w[%d] > 1) {\n"
                      "        const reap__uint reap_present = reap__joint_finish(&reap_b, "
                      "reap_m0, reap_shared);\n"
                      "        reap__joint_tree(reap_shared, reap_present, &reap_all);\n"
                      "    }\n"
                      "    if (reap__thread() != 0)\n"
                      "        return;\n",
                      REAP__WORD_TILES);
    for (size_t s = 0; s < layout->scalar_count; s++) {
        char value[32], tag[32];
        snprintf(value, sizeof value, "&reap_all.v%zu", s);
        snprintf(tag, sizeof tag, "reap_all.t%zu", s);
        reap__entry_add_delivery(layout, s, value, tag, into);
    }
}
