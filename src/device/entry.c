/* SPDX-License-Identifier: Apache-2.0
 *
 * Generated entry functions: what they have in common, and the one of kernels without work-groups.
 * A group of threads takes a tile, whole blocks of every reduction; in each row of it a thread has
 * some neighbouring work-items, and their lanes in registers. Everything that differs from launch
 * to launch stands in the block of words, so one kernel is compiled once for most of its launches.
 */
#include "src/device/entry.h"

#include <stdio.h>
#include <string.h>

void reap__entry_names(const struct reap__layout *layout, const char *names[REAP__MOST_ENTRIES + 1])
{
    const bool folds = layout->scalar_count > 0 && !layout->folds_at_once;
    size_t count = 0;
    names[count++] = "reap_entry";
    if (layout->spans_stay)
        names[count++] = "reap_commit";
    if (folds) {
        names[count++] = "reap_fold";
        names[count++] = "reap_deliver";
    }
    names[count] = NULL;
}

/* Whether a word stands in the kernel's file, or in one that kernels of the program include. */
static bool is_mentioned(const struct reap_kernel *kernel, const char *word)
{
    const char *text = kernel->text();
    bool found = text != NULL && strstr(text, word) != NULL;
    for (const struct reap__source *const *s = kernel->sources; s != kernel->sources_end; s++)
        if (*s != NULL && (*s)->text != NULL)
            found = found || strstr((*s)->text(), word) != NULL;
    return found;
}

void reap__entry_add_prologue(const struct reap__layout *layout,
                              const struct reap__accelerator *accelerator, struct reap__text *into)
{
    if (accelerator->has_doubles)
        reap__text_add(into, "#define REAP__HAS_DOUBLES 1\n");
    if (accelerator->is_processor)
        reap__text_add(into, "#define REAP__IS_PROCESSOR 1\n");
    if (layout->has_groups || is_mentioned(layout->kernel, "reap_group_"))
        reap__text_add(into, "#define REAP__HAS_GROUPS 1\n");
    if (layout->mode == REAP__NO_SPANS && !is_mentioned(layout->kernel, "_span"))
        return;
    reap__text_format(into, "#define REAP__HAS_SPANS 1\n#define REAP__SPAN_SPACE %s\n",
                      layout->has_local_spans ? "REAP_LOCAL" : "REAP_GLOBAL");
    if (layout->mode == REAP__SPANS_SHARED)
        reap__text_add(into, "#define REAP__SPAN_IS_SHARED 1\n");
    if (layout->has_local_spans)
        reap__text_add(into, "#define REAP__SPAN_IS_LOCAL 1\n");
    if (layout->mode == REAP__SPANS_LOGGED)
        reap__text_add(into, "#define REAP__SPAN_IS_LOGGED 1\n");
}

/* ---- Types ------------------------------------------------------------------------------------*/

const char *reap__entry_type(const struct reap__layout *layout, size_t s)
{
    return layout->kernel->parameters[layout->scalars[s].parameter].type;
}

void reap__entry_add_tag_type(const struct reap__layout *layout, size_t s, struct reap__text *into)
{
    const struct reap__layout_scalar *scalar = &layout->scalars[s];
    reap__text_format(into, "struct REAP__PASTE(%s, %s)",
                      scalar->has_location ? "reap_place_" : "reap_flag_",
                      scalar->reduction->operation);
}

size_t reap__entry_lanes(const struct reap__layout *layout, size_t s)
{
    return layout->has_groups ? 1 : layout->scalars[s].lanes / layout->threads;
}

/* ---- Arguments --------------------------------------------------------------------------------*/

void reap__entry_add_memories(const struct reap__layout *layout, struct reap__text *into)
{
    for (size_t m = 0; m < layout->memories; m++)
        reap__text_format(into, " REAP__MEMORY(reap_m%zu)", m);
}

/* A value of any type out of words of the block. */
static void add_value(const char *type, const char *name, size_t word, size_t words,
                      struct reap__text *into)
{
    reap__text_format(into,
                      "    union {\n        reap__ulong words[%zu];\n        %s value;\n"
                      "    } %s;\n",
                      words, type, name);
    for (size_t w = 0; w < words; w++)
        reap__text_format(into, "    %s.words[%zu] = reap_b.w[%zu];\n", name, w, word + w);
}

static void add_argument(const struct reap__layout *layout, size_t p, struct reap__text *into)
{
    const struct reap__parameter *parameter = &layout->kernel->parameters[p];
    const char *space = parameter->kind == REAP__IN ? " const" : "";
    char name[32], offset[64];
    snprintf(name, sizeof name, "reap_p%zu", p);
    snprintf(offset, sizeof offset, "reap_b.w[%zu]%s", layout->word_of[p],
             layout->is_aligned[p] ? " / 16 * 16" : "");
    if (reap__is_array(parameter))
        reap__text_format(
            into, "    REAP_GLOBAL %s%s *const %s = (REAP_GLOBAL %s%s *)(%s(reap_m%zu) + (%s));\n",
            parameter->type, space, name, parameter->type, space,
            layout->is_aligned[p] ? "REAP__ALIGNED" : "", layout->memory_of[p], offset);
    else if (parameter->kind == REAP__VALUE)
        add_value(parameter->type, name, layout->word_of[p],
                  (parameter->size + sizeof(uint64_t) - 1) / sizeof(uint64_t), into);
    else if (parameter->kind == REAP__LOCAL)
        reap__text_format(into,
                          "    REAP_LOCAL %s *const %s = (REAP_LOCAL %s *)((REAP_LOCAL reap__uchar "
                          "*)reap_dynamic + reap_b.w[%zu]);\n",
                          parameter->type, name, parameter->type, layout->word_of[p]);
}

void reap__entry_add_arguments(const struct reap__layout *layout, struct reap__text *into)
{
    for (size_t p = 1; p < layout->kernel->parameter_count; p++)
        add_argument(layout, p, into);
    if (layout->mode == REAP__SPANS_LOGGED)
        reap__text_add(into, "    struct reap__log reap_log;\n");
    for (size_t s = 0; s < layout->span_count; s++)
        reap__entry_add_span(layout, s, into);
}

/* ---- Lanes ------------------------------------------------------------------------------------*/

void reap__entry_add_lanes(const struct reap__layout *layout, const char *indent,
                           struct reap__text *into)
{
    for (size_t s = 0; s < layout->scalar_count; s++) {
        const size_t lanes = reap__entry_lanes(layout, s);
        reap__text_format(into, "%s%s reap_l%zu[%zu];\n%s", indent, reap__entry_type(layout, s), s,
                          lanes, indent);
        reap__entry_add_tag_type(layout, s, into);
        reap__text_format(into, " reap_t%zu[%zu];\n", s, lanes);
    }
}

void reap__entry_add_starts(const struct reap__layout *layout, size_t s, const char *indent,
                            struct reap__text *into)
{
    reap__text_format(into,
                      "%sREAP__UNROLL\n%sfor (int reap_j = 0; reap_j < %zu; reap_j++)\n"
                      "%s    reap__start_of_%zu(&reap_b, reap_m0, &reap_l%zu[reap_j], "
                      "&reap_t%zu[reap_j]);\n",
                      indent, indent, reap__entry_lanes(layout, s), indent, s, s, s);
}

/* reap_it becomes work-item reap_i of the range. */
void reap__entry_add_item(const struct reap__layout *layout, const char *indent,
                          struct reap__text *into)
{
    const char *const d = indent;
    reap__text_format(into, "%sreap_item reap_it;\n%sreap_it.global_linear_id = reap_i;\n", d, d);
    if (layout->dimensions == 1)
        reap__text_format(into,
                          "%sreap_it.global_id[0] = reap_i;\n"
                          "%sreap_it.global_id[1] = reap_it.global_id[2] = 0;\n",
                          d, d);
    else if (layout->dimensions == 2)
        reap__text_format(into,
                          "%sreap_it.global_id[0] = reap__divide(reap_i, reap_b.w[%d]);\n"
                          "%sreap_it.global_id[1] = reap_i - reap_it.global_id[0] * reap_b.w[%d];\n"
                          "%sreap_it.global_id[2] = 0;\n",
                          d, REAP__WORD_SIZE + 1, d, REAP__WORD_SIZE + 1, d);
    else
        reap__text_format(
            into,
            "%sreap_it.global_id[1] = reap__divide(reap_i, reap_b.w[%d]);\n"
            "%sreap_it.global_id[2] = reap_i - reap_it.global_id[1] * reap_b.w[%d];\n"
            "%sreap_it.global_id[0] = reap__divide(reap_it.global_id[1], reap_b.w[%d]);\n"
            "%sreap_it.global_id[1] -= reap_it.global_id[0] * reap_b.w[%d];\n",
            d, REAP__WORD_SIZE + 2, d, REAP__WORD_SIZE + 2, d, REAP__WORD_SIZE + 1, d,
            REAP__WORD_SIZE + 1);
    for (int i = 0; i < 3; i++)
        reap__text_format(into, "%sreap_it.global_range[%d] = reap_b.w[%d];\n", d, i,
                          REAP__WORD_SIZE + i);
}

static size_t scalar_of(const struct reap__layout *layout, size_t p)
{
    size_t s = 0;
    while (layout->scalars[s].parameter != p)
        s++;
    return s;
}

static size_t span_of(const struct reap__layout *layout, size_t p)
{
    size_t s = 0;
    while (layout->spans[s].parameter != p)
        s++;
    return s;
}

/* An item's replica of a span. */
static void add_span_actual(const struct reap__layout *layout, size_t s, struct reap__text *into)
{
    if (layout->mode == REAP__SPANS_EXACT)
        reap__text_format(into,
                          ", reap_x%zu + (reap_i & ((1 << reap_b.w[%zu]) - 1)) * reap_b.w[%zu]"
                          ", &reap_xt%zu, reap__replica_of(reap_xs%zu, reap_i, reap_b.w[%zu])",
                          s, layout->spans[s].replicas_word, layout->spans[s].count_word, s, s,
                          layout->spans[s].replicas_word);
    else
        reap__text_format(into, ", reap_x%zu, &reap_xt%zu, reap_xs%zu", s, s, s);
}

void reap__entry_add_call(const struct reap__layout *layout, const char *indent,
                          struct reap__text *into)
{
    const struct reap_kernel *kernel = layout->kernel;
    for (size_t s = 0; s < layout->scalar_count; s++)
        if (layout->scalars[s].has_location)
            reap__text_format(into, "%sreap_t%zu[reap_s%zu].now = reap_it.global_linear_id;\n",
                              indent, s, s);
    reap__text_format(into, "%sREAP__PASTE(reap_body_, %s)(reap_it", indent, kernel->name);
    for (size_t p = 1, s; p < kernel->parameter_count; p++)
        switch (kernel->parameters[p].kind) {
        case REAP__IN:
        case REAP__OUT:
        case REAP__INOUT:
        case REAP__LOCAL:
            reap__text_format(into, ", reap_p%zu", p);
            break;
        case REAP__VALUE:
            reap__text_format(into, ", reap_p%zu.value", p);
            break;
        case REAP__SCALAR_REDUCTION:
            s = scalar_of(layout, p);
            reap__text_format(into, ", &reap_l%zu[reap_s%zu], &reap_t%zu[reap_s%zu]", s, s, s, s);
            break;
        case REAP__SPAN_REDUCTION:
            add_span_actual(layout, span_of(layout, p), into);
            break;
        }
    reap__text_add(into, ");\n");
}

/* ---- Kernels over ranges ----------------------------------------------------------------------*/

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

/* So many rows at a time, so that many loads are on their way together: first those that are whole,
 * then the last ones. */
static void add_unrolled_rows(const struct reap__layout *layout, struct reap__text *into)
{
    reap__text_add(into, "        while (reap_row + REAP__ROWS_AT_ONCE <= reap_rows)\n"
                         "            REAP__UNROLL\n"
                         "            for (reap__uint reap_u = 0; reap_u < REAP__ROWS_AT_ONCE; "
                         "reap_u++, reap_row++) {\n");
    add_row(layout, true, "                ", into);
    reap__text_format(into,
                      "            }\n"
                      "        while (reap_first + (reap__ulong)reap_row * %zu < reap_end)\n"
                      "            REAP__UNROLL\n"
                      "            for (reap__uint reap_u = 0; reap_u < REAP__LAST_ROWS_AT_ONCE; "
                      "reap_u++, reap_row++) {\n",
                      layout->width);
    add_row(layout, false, "                ", into);
    reap__text_add(into, "            }\n");
}

/* Row by row, where something comes between them. */
static void add_single_rows(const struct reap__layout *layout, struct reap__text *into)
{
    reap__text_add(into, "        for (; reap_row < reap_rows; reap_row++) {\n");
    add_row(layout, true, "            ", into);
    add_inner_folds(layout, into);
    reap__text_format(into,
                      "        }\n        if (reap_first + (reap__ulong)reap_row * %zu < "
                      "reap_end) {\n",
                      layout->width);
    add_row(layout, false, "            ", into);
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

static size_t rows_at_once(const struct reap__layout *layout)
{
    if (layout->span_count > 0)
        return 4;
    return reap__layout_is_light(layout) && layout->threads == REAP__WIDE_THREADS ? 16 : 8;
}

/* Groups of threads that are to have room on a multiprocessor together. */
static size_t groups_beside(const struct reap__layout *layout)
{
    return REAP__RESIDENT_THREADS / layout->threads;
}

/* What begins the entry function: where folds are joint, how many groups must have room. */
static void add_entry_word(const struct reap__layout *layout, struct reap__text *into)
{
    if (reap__entry_is_joint(layout))
        reap__text_format(into, "REAP__ENTRY_BESIDE(reap_entry, %zu, %zu)", layout->threads,
                          groups_beside(layout));
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
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__entry_add_starts(layout, s, "        ", into);
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
    if (reap__entry_is_joint(layout))
        reap__entry_add_joint_end(layout, into);
    else if (layout->folds_at_once)
        add_last_group(layout, into);
    reap__text_add(into, "}\n");
}

void reap__entry_generate(const struct reap__layout *layout, struct reap__text *into)
{
    reap__text_format(into,
                      "\n#line 1 \"reap: entry functions\"\n"
                      "struct reap_block {\n    reap__ulong w[%zu];\n};\n",
                      layout->words);
    if (layout->threads == 1) /* it waits for nobody, and compilers take long for loops that wait */
        reap__text_add(into, "#define reap__sync() ((void)0)\n");
    reap__entry_add_parts(layout, into);
    if (layout->spans_stay)
        reap__entry_add_commit(layout, into);
    if (layout->has_groups)
        reap__entry_add_groups(layout, into);
    else if (layout->mode == REAP__SPANS_EXACT)
        reap__entry_add_chunks(layout, into);
    else
        reap__entry_add_range(layout, into);
}
