/* SPDX-License-Identifier: Apache-2.0
 *
 * Generated functions of one reduction: what a lane starts as, how a block's lanes fold by halving
 * to a part, and the entry reap_fold, which makes parts of parts as the blocks' results are the
 * items of the next level (docs/reduction-shape.md).
 */
#include "src/device/entry.h"

#include <stdio.h>

/* Where lanes, or parts, have a flag or a place. */
static bool has_tag(const struct reap__layout_scalar *scalar)
{
    return reap__tag_bytes(scalar) > 0;
}

/* What the functions of all reductions use. */
static const char shared_functions[] =
    "#ifdef REAP__IS_PROCESSOR\n"
    "#define REAP__ROWS_AT_ONCE 1\n"
    "#define REAP__LAST_ROWS_AT_ONCE 1\n"
    "#define REAP__AT_ONCE(n) 2\n"
    "#define REAP__FIRST_FOLDER (reap__thread() == 0 ? 0 : reach)\n"
    "#define REAP__FOLDERS(threads) 1\n"
    "#define REAP__SYNC_FOLDERS() (void)0\n"
    "#else\n"
    "#define REAP__ROWS_AT_ONCE REAP__ROWS_IN_FLIGHT\n"
    "#define REAP__LAST_ROWS_AT_ONCE (REAP__ROWS_IN_FLIGHT < 8 ? REAP__ROWS_IN_FLIGHT : 8)\n"
    "#define REAP__AT_ONCE(n) n\n"
    "#define REAP__FIRST_FOLDER reap__thread()\n"
    "#define REAP__FOLDERS(threads) threads\n"
    "#define REAP__SYNC_FOLDERS() reap__sync()\n"
    "#endif\n"
    "REAP__FUNCTION reap__ulong reap__divide(reap__ulong a, reap__ulong b)\n"
    "{\n"
    "    return (a | b) >> 32 == 0 ? (reap__uint)a / (reap__uint)b : a / b;\n"
    "}\n"
    "REAP__FUNCTION reap__ulong reap__tags(reap__ulong size, reap__ulong count)\n"
    "{\n"
    "    return (size * count + 15) / 16 * 16;\n"
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

static void add_types(const struct reap__layout *layout, size_t s, struct reap__text *into)
{
    reap__text_format(into, "typedef %s reap__type_%zu;\ntypedef ", reap__entry_type(layout, s), s);
    reap__entry_add_tag_type(layout, s, into);
    reap__text_format(into, " reap__tag_%zu;\n", s);
}

void reap__entry_add_start(const struct reap__layout_start *start, const char *type,
                           struct reap__text *into)
{
    if (!start->in_block) {
        reap__text_format(into,
                          "    if (b->w[%zu] != 0)\n"
                          "        REAP__COPY(%s, lane, (REAP_GLOBAL const %s *)(m + "
                          "b->w[%zu]));\n",
                          start->set_word, type, type, start->word);
        return;
    }
    reap__text_format(into,
                      "    union {\n        reap__ulong words[%zu];\n        %s value;\n    } "
                      "start;\n",
                      start->words, type);
    for (size_t w = 0; w < start->words; w++)
        reap__text_format(into, "    start.words[%zu] = b->w[%zu];\n", w, start->word + w);
    reap__text_add(into, "    *lane = start.value;\n");
}

static void add_start(const struct reap__layout *layout, size_t s, struct reap__text *into)
{
    const struct reap__layout_scalar *scalar = &layout->scalars[s];
    reap__text_format(into,
                      "REAP__FUNCTION void reap__start_of_%zu(const struct reap_block *b, "
                      "REAP_GLOBAL reap__uchar *m, reap__type_%zu *lane, reap__tag_%zu *tag)\n{\n",
                      s, s, s);
    reap__entry_add_start(&scalar->start, reap__entry_type(layout, s), into);
    if (scalar->has_location)
        reap__text_add(into, "    tag->at = ULONG_MAX;\n");
    else if (scalar->has_flags)
        reap__text_format(into, "    tag->set = (reap__uchar)b->w[%zu];\n", scalar->start.set_word);
    reap__text_add(into, "}\n");
}

/* A value and its tag to places in local memory and in the parts. */
static void add_put_and_write(const struct reap__layout *layout, size_t s, struct reap__text *into)
{
    const struct reap__layout_scalar *scalar = &layout->scalars[s];
    const char *member = scalar->has_location ? "at" : "set";
    const char *type = scalar->has_location ? "reap__ulong" : "reap__uchar";
    reap__text_format(
        into,
        "REAP__FUNCTION void reap__write_%zu(REAP_GLOBAL reap__uchar *m, reap__ulong "
        "count, reap__ulong index, const reap__type_%zu *value, const "
        "reap__tag_%zu tag)\n{\n    REAP__COPY(reap__type_%zu, (REAP_GLOBAL reap__type_%zu *)m + "
        "index, value);\n",
        s, s, s, s, s);
    if (has_tag(scalar))
        reap__text_format(into,
                          "    ((REAP_GLOBAL %s *)(m + reap__tags(sizeof(reap__type_%zu), "
                          "count)))[index] = tag.%s;\n",
                          type, s, member);
    reap__text_format(into,
                      "}\nREAP__FUNCTION void reap__put_%zu(REAP_LOCAL reap__ulong8 *shared, "
                      "reap__ulong width, reap__ulong lane, const reap__type_%zu "
                      "*value, const reap__tag_%zu tag)\n{\n"
                      "    REAP__COPY(reap__type_%zu, (REAP_LOCAL reap__type_%zu *)shared + "
                      "lane, value);\n",
                      s, s, s, s, s);
    if (has_tag(scalar))
        reap__text_format(into,
                          "    ((REAP_LOCAL %s *)((REAP_LOCAL reap__uchar *)shared + "
                          "reap__tags(sizeof(reap__type_%zu), width)))[lane] = tag.%s;\n",
                          type, s, member);
    reap__text_add(into, "}\n");
}

/* value and tag become what they and a partner combine to. */
static void add_merge(const struct reap__layout *layout, size_t s, struct reap__text *into)
{
    const struct reap__layout_scalar *scalar = &layout->scalars[s];
    reap__text_format(into,
                      "REAP__FUNCTION void reap__merge_%zu(reap__type_%zu *value, reap__tag_%zu "
                      "*tag, const reap__type_%zu *partner, const reap__tag_%zu "
                      "partner_tag)\n{\n",
                      s, s, s, s, s);
    if (scalar->has_location)
        reap__text_add(into, "    reap__merge(tag, value, partner_tag.at, *partner);\n}\n");
    else if (scalar->has_flags)
        reap__text_add(into, "    if (partner_tag.set)\n"
                             "        reap__combine(tag, value, *partner);\n}\n");
    else
        reap__text_add(into, "    reap__combine(tag, value, *partner);\n}\n");
}

/* Reads a place in local memory or in the parts. */
static void add_get(const struct reap__layout *layout, size_t s, const char *function,
                    const char *space, struct reap__text *into)
{
    const struct reap__layout_scalar *scalar = &layout->scalars[s];
    reap__text_format(into,
                      "REAP__FUNCTION void reap__%s_%zu(%s reap__uchar *m, reap__ulong count, "
                      "reap__ulong index, reap__type_%zu *value, reap__tag_%zu *tag)\n{\n"
                      "    REAP__COPY(reap__type_%zu, value, (%s reap__type_%zu *)m + index);\n",
                      function, s, space, s, s, s, space, s);
    if (has_tag(scalar))
        reap__text_format(into,
                          "    tag->%s = ((%s %s *)(m + reap__tags(sizeof(reap__type_%zu), "
                          "count)))[index];\n",
                          scalar->has_location ? "at" : "set", space,
                          scalar->has_location ? "reap__ulong" : "reap__uchar", s);
    reap__text_add(into, "}\n");
}

/* Folds `width` lanes in local memory, of which the first `present` have items, by halving from
 * `reach` on, with so many threads, and writes part number `index` of `count`. On a processor one
 * thread does it (see collectives.h); elsewhere three halvings go from one barrier to the next. */
static void add_tree(const struct reap__layout *layout, size_t s, struct reap__text *into)
{
    const size_t at_once = layout->scalars[s].size <= REAP__MOST_BYTES_AT_ONCE ? 8 : 2;
    reap__text_format(
        into,
        "REAP__FUNCTION void reap__tree_%zu(reap__ulong threads, REAP_LOCAL reap__ulong8 *shared, "
        "reap__ulong width, reap__ulong reach, reap__ulong present, REAP_GLOBAL reap__uchar *m, "
        "reap__ulong count, reap__ulong index)\n{\n"
        "    reap__type_%zu a[REAP__AT_ONCE(%zu)];\n"
        "    reap__tag_%zu a_tag[REAP__AT_ONCE(%zu)];\n"
        "    reap__sync();\n"
        "    while (reach > 0) {\n"
        "        const reap__uint ways = reach >= REAP__AT_ONCE(%zu) / 2 ? REAP__AT_ONCE(%zu) : "
        "(reap__uint)reach * 2;\n"
        "        reach = reach * 2 / ways;\n"
        "        for (reap__ulong l = REAP__FIRST_FOLDER; l < reach && l < present; l += "
        "REAP__FOLDERS(threads)) {\n"
        "            REAP__UNROLL\n"
        "            for (reap__uint k = 0; k < REAP__AT_ONCE(%zu); k++)\n"
        "                if (k < ways && l + k * reach < present)\n"
        "                    reap__get_%zu((REAP_LOCAL reap__uchar *)shared, width, l + k * reach, "
        "&a[k], &a_tag[k]);\n"
        "            REAP__UNROLL\n"
        "            for (reap__uint pair = REAP__AT_ONCE(%zu) / 2; pair > 0; pair /= 2)\n"
        "                REAP__UNROLL\n"
        "                for (reap__uint k = 0; k < pair; k++)\n"
        "                    if (k + pair < ways && l + (k + pair) * reach < present)\n"
        "                        reap__merge_%zu(&a[k], &a_tag[k], &a[k + pair], a_tag[k + "
        "pair]);\n"
        "            reap__put_%zu(shared, width, l, &a[0], a_tag[0]);\n"
        "        }\n"
        "        REAP__SYNC_FOLDERS();\n"
        "        if (reach == 1)\n"
        "            break;\n"
        "        reach /= 2;\n"
        "    }\n"
        "    if (reap__thread() == 0) {\n"
        "        reap__get_%zu((REAP_LOCAL reap__uchar *)shared, width, 0, &a[0], &a_tag[0]);\n"
        "        reap__write_%zu(m, count, index, &a[0], a_tag[0]);\n"
        "    }\n"
        "    reap__sync();\n"
        "}\n",
        s, s, at_once, s, at_once, at_once, at_once, at_once, s, at_once, s, s, s, s);
}

/* Lanes of a block in the private memory of its threads become a part. One lane is one already. */
static void add_fold(const struct reap__layout *layout, size_t s, const char *lane, size_t threads,
                     struct reap__text *into)
{
    const struct reap__layout_scalar *scalar = &layout->scalars[s];
    if (scalar->lanes == 1)
        reap__text_format(into,
                          "    if (reap__thread() == 0)\n        reap__write_%zu(m + to, count, "
                          "index, &lanes[0], tags[0]);\n",
                          s);
    else
        reap__text_format(
            into,
            "    REAP__UNROLL\n"
            "    for (int j = 0; j < %zu; j++)\n"
            "        reap__put_%zu(shared, %zu, %s, &lanes[j], tags[j]);\n"
            "    reap__tree_%zu(%zu, shared, %zu, %zu, present, m + to, count, index);\n",
            scalar->lanes / threads, s, scalar->lanes, lane, s, threads, scalar->lanes,
            scalar->lanes / 2);
}

/* In the entry: the block of items that begins at `first`. */
static void add_fold_of_items(const struct reap__layout *layout, size_t s, struct reap__text *into)
{
    const struct reap__layout_scalar *scalar = &layout->scalars[s];
    const size_t block = scalar->lanes * REAP__ROWS_OF_A_BLOCK, threads = layout->threads;
    const size_t each = layout->width / threads;
    char lane[96];
    if (layout->mode == REAP__SPANS_EXACT)
        snprintf(lane, sizeof lane, "reap__thread() + %zu * j", threads);
    else
        snprintf(lane, sizeof lane, "j / %zu * %zu + reap__thread() * %zu + j %% %zu", each,
                 layout->width, each, each);
    reap__text_format(into,
                      "REAP__FUNCTION void reap__fold_%zu(const struct reap_block *b, REAP_GLOBAL "
                      "reap__uchar *m, REAP_LOCAL reap__ulong8 *shared, const reap__type_%zu "
                      "*lanes, const reap__tag_%zu *tags, reap__ulong first)\n{\n"
                      "    const reap__ulong to = b->w[%zu], count = b->w[%zu], index = first / "
                      "%zu;\n"
                      "    const reap__ulong left = b->w[%d] - first, present = left < %zu ? left "
                      ": %zu;\n",
                      s, s, s, scalar->to_word, scalar->parts_word, block, REAP__WORD_ITEMS,
                      scalar->lanes, scalar->lanes);
    add_fold(layout, s, lane, threads, into);
    reap__text_add(into, "}\n");
}

/* Block `index` of the `items` parts at `from` becomes part `index` of the `count` at `to`. */
static void add_level(const struct reap__layout *layout, size_t s, struct reap__text *into)
{
    const struct reap__layout_scalar *scalar = &layout->scalars[s];
    const size_t threads = layout->fold_threads, lanes = scalar->lanes / threads;
    char lane[64], own[128], part[128];
    snprintf(lane, sizeof lane, "reap__thread() + %zu * j", threads);
    if (reap__entry_is_in_place(layout, s)) {
        snprintf(
            own, sizeof own,
            "REAP__VALUE_AT(reap__type_%zu, lanes, (REAP_GLOBAL reap__type_%zu *)(m + to) + index)",
            s, s);
        snprintf(
            part, sizeof part,
            "REAP__VALUE_AT(reap__type_%zu, part, (REAP_GLOBAL reap__type_%zu *)(m + from) + row)",
            s, s);
    } else {
        snprintf(own, sizeof own, "reap__type_%zu lanes[%zu]", s, lanes);
        snprintf(part, sizeof part, "reap__type_%zu part[1]", s);
    }
    reap__text_format(
        into,
        "REAP__FUNCTION void reap__level_%zu(const struct reap_block *b, REAP_GLOBAL reap__uchar "
        "*m, REAP_LOCAL reap__ulong8 *shared, reap__ulong from, reap__ulong items, reap__ulong to, "
        "reap__ulong count, reap__ulong index)\n{\n"
        "    %s;\n"
        "    reap__tag_%zu tags[%zu], part_tag;\n"
        "    const reap__ulong first = index * %zu, left = items - first;\n"
        "    const reap__ulong present = left < %zu ? left : %zu;\n"
        "    REAP__UNROLL\n"
        "    for (int j = 0; j < %zu; j++)\n"
        "        reap__start_of_%zu(b, m, &lanes[j], &tags[j]);\n"
        "    for (reap__ulong row = first; row < items && row < first + %zu; row += %zu)\n"
        "        REAP__UNROLL\n"
        "        for (int j = 0; j < %zu; j++)\n"
        "            if (row + %s < items) {\n"
        "                %s;\n"
        "                reap__read_%zu(m + from, items, row + %s, part, &part_tag);\n"
        "                reap__merge_%zu(&lanes[j], &tags[j], part, part_tag);\n"
        "            }\n",
        s, own, s, lanes, scalar->lanes * REAP__ROWS_OF_A_BLOCK, scalar->lanes, scalar->lanes,
        lanes, s, scalar->lanes * REAP__ROWS_OF_A_BLOCK, scalar->lanes, lanes, lane, part, s, lane,
        s);
    add_fold(layout, s, lane, threads, into);
    reap__text_add(into, "}\n");
}

/* The last group makes one part of all. */
static void add_finish(const struct reap__layout *layout, size_t s, struct reap__text *into)
{
    const struct reap__layout_scalar *scalar = &layout->scalars[s];
    reap__text_format(
        into,
        "REAP__FUNCTION void reap__finish_%zu(const struct reap_block *b, REAP_GLOBAL reap__uchar "
        "*m, REAP_LOCAL reap__ulong8 *shared)\n{\n"
        "    reap__ulong from = b->w[%zu], items = b->w[%zu];\n"
        "    while (items > 1) {\n"
        "        const reap__ulong count = (items - 1) / %zu + 1;\n"
        "        const reap__ulong to = count == 1 ? b->w[%zu] : from + reap__tags(1, "
        "reap__tags(sizeof(reap__type_%zu), items) + %zu * items);\n"
        "        for (reap__ulong index = 0; index < count; index++)\n"
        "            reap__level_%zu(b, m, shared, from, items, to, count, index);\n"
        "        reap__sync();\n"
        "        reap__fence();\n"
        "        from = to;\n"
        "        items = count;\n"
        "    }\n"
        "}\n",
        s, scalar->to_word, scalar->parts_word, scalar->lanes * REAP__ROWS_OF_A_BLOCK,
        scalar->result_word, s, reap__tag_bytes(scalar), s);
}

static void add_reap_fold(const struct reap__layout *layout, struct reap__text *into)
{
    reap__text_format(into, "REAP__ENTRY(reap_fold, %zu)\n(REAP__BLOCK_PARAMETER reap_b",
                      layout->fold_threads);
    reap__entry_add_memories(layout, into);
    reap__text_add(into, ")\n{\n    REAP__SHARED(reap__ulong8, reap_shared, REAP__SHARED_WORDS);\n"
                         "    reap__begin();\n");
    for (size_t s = 0; s < layout->scalar_count; s++) {
        const struct reap__layout_scalar *scalar = &layout->scalars[s];
        reap__text_format(into,
                          "    for (reap__ulong index = reap__group(); index < reap_b.w[%zu]; "
                          "index += reap__groups())\n"
                          "        reap__level_%zu(&reap_b, reap_m0, reap_shared, reap_b.w[%zu], "
                          "reap_b.w[%zu], reap_b.w[%zu], reap_b.w[%zu], index);\n",
                          scalar->parts_word, s, scalar->from_word, scalar->count_word,
                          scalar->to_word, scalar->parts_word);
    }
    reap__text_add(into, "}\n");
}

/* In units of 64 bytes: what the lanes of the largest block take. */
static size_t shared_words(const struct reap__layout *layout)
{
    size_t most = 64;
    for (size_t s = 0; s < layout->scalar_count; s++) {
        const struct reap__layout_scalar *scalar = &layout->scalars[s];
        const size_t bytes = reap__parts_bytes(scalar, scalar->lanes);
        if (scalar->lanes > 1 && bytes > most)
            most = bytes;
    }
    if (reap__entry_is_joint(layout) && reap__entry_joint_words(layout) * 64 > most)
        most = reap__entry_joint_words(layout) * 64;
    return (most + 63) / 64;
}

void reap__entry_add_parts(const struct reap__layout *layout, struct reap__text *into)
{
    reap__text_format(into, "#define REAP__SHARED_WORDS %zu\n", shared_words(layout));
    reap__text_add(into, shared_functions);
    for (size_t s = 0; s < layout->scalar_count; s++) {
        add_types(layout, s, into);
        add_start(layout, s, into);
        add_put_and_write(layout, s, into);
        add_get(layout, s, "get", "REAP_LOCAL", into);
        add_get(layout, s, "read", "REAP_GLOBAL", into);
        add_merge(layout, s, into);
        if (reap__entry_is_joint(layout))
            continue;
        add_tree(layout, s, into);
        if (!layout->has_groups)
            add_fold_of_items(layout, s, into);
        add_level(layout, s, into);
        if (layout->folds_at_once)
            add_finish(layout, s, into);
    }
    if (reap__entry_is_joint(layout))
        reap__entry_add_joint(layout, into);
    reap__entry_add_deliveries(layout, into);
    if (reap__entry_has_warp_folds(layout))
        reap__entry_add_warp_folds(layout, into);
    if (layout->scalar_count > 0 && !layout->folds_at_once)
        add_reap_fold(layout, into);
}
