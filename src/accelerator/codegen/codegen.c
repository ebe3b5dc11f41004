/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts that all generated entry functions have. Values that differ between launches are in the
 * parameter block, so most launches of a kernel share one compiled program.
 */
#include "src/accelerator/codegen/codegen.h"

#include "src/accelerator/codegen/entry.h"
#include "src/accelerator/preprocess/preprocess.h"

#include <stdio.h>
#include <string.h>

void reap__entry_names(const struct reap__layout *layout, const char *names[REAP__MOST_ENTRIES + 1])
{
    size_t count = 0;
    names[count++] = "reap_entry";
    if (reap__has_commit(layout))
        names[count++] = "reap_commit";
    if (layout->mode == REAP__SPANS_LOGGED) {
        names[count++] = "reap_sort";
        names[count++] = "reap_segments";
    }
    if (layout->scalar_count > 0 && layout->has_groups)
        names[count++] = "reap_fold";
    if (layout->scalar_count > 0 && !layout->folds_at_once && !layout->logs_items &&
        !layout->has_lines)
        names[count++] = "reap_finish";
    names[count] = NULL;
}

bool reap__any_text_has(const struct reap_kernel *kernel,
                        bool (*has)(const char *text, void *context), void *context)
{
    const char *text = kernel->text();
    bool found = text != NULL && has(text, context);
    for (const struct reap__source *const *s = kernel->sources; s != kernel->sources_end; s++)
        if (*s != NULL && (*s)->text != NULL)
            found = has((*s)->text(), context) || found;
    return found;
}

static bool has_word(const char *text, void *context)
{
    const char *const *word = context;
    return strstr(text, *word) != NULL;
}

bool reap__mentions(const struct reap_kernel *kernel, const char *word)
{
    return reap__any_text_has(kernel, has_word, &word);
}

void reap__entry_add_prologue(const struct reap__layout *layout,
                              const struct reap__accelerator *accelerator,
                              struct reap__string *into)
{
    if (accelerator->has_doubles)
        reap__string_add(into, "#define REAP__HAS_DOUBLES 1\n");
    if (accelerator->is_processor)
        reap__string_add(into, "#define REAP__IS_PROCESSOR 1\n");
    if (layout->has_groups)
        reap__string_add(into, "#define REAP__HAS_GROUPS 1\n");
    if (layout->logs_items)
        reap__string_add(into, "#define REAP__LOGS_VALUES 1\n");
    if (layout->has_near_places)
        reap__string_add(into, "#define REAP__HAS_NEAR_LOCATIONS 1\n");
    if (accelerator->has_warps)
        reap__string_add(into, "#define REAP__HAS_WARPS 1\n");
    if (reap__mentions(layout->kernel, "reap_sub_group"))
        reap__string_add(into, "#define REAP__HAS_SUB_GROUPS 1\n");
    if (reap__mentions(layout->kernel, "reap_atomic_"))
        reap__string_add(into, "#define REAP__HAS_ATOMIC_WORDS 1\n");
    if (accelerator->has_orders && reap__mentions(layout->kernel, "REAP_ORDER_"))
        reap__string_add(into, "#define " REAP__HAS_ORDERS " 1\n");
    if (reap__mentions(layout->kernel, "exact_plus"))
        reap__string_add(into, "#define REAP__HAS_EXACT_SUMS 1\n");
    if (reap__phases_read_between(layout->kernel))
        reap__string_add(into, "#define REAP__READS_BETWEEN_PHASES 1\n");
    if (layout->mode == REAP__NO_SPANS && !reap__mentions(layout->kernel, "_span"))
        return;
    reap__string_format(into, "#define REAP__HAS_SPANS 1\n#define REAP__SPAN_SPACE %s\n",
                        layout->has_local_spans ? "REAP_LOCAL" : "REAP_GLOBAL");
    if (layout->has_exact_spans)
        reap__string_add(into, "#define REAP__HAS_EXACT_SPANS 1\n");
    if (layout->has_local_spans)
        reap__string_add(into, "#define REAP__SPAN_IS_LOCAL 1\n");
    if (layout->has_span_cache)
        reap__string_format(into, "#define REAP__SPAN_CACHE %zu\n", reap__entry_cached(layout));
    if (reap__entry_spans_defer(layout))
        reap__string_add(into, "#define REAP__SPAN_DEFERS 1\n");
    if (layout->mode == REAP__SPANS_LOGGED)
        reap__string_add(into, "#define REAP__SPAN_IS_LOGGED 1\n");
    if (layout->counts_epochs)
        reap__string_add(into, "#define REAP__COUNTS_EPOCHS 1\n");
}

/* ---- Types ------------------------------------------------------------------------------------*/

const char *reap__entry_type(const struct reap__layout *layout, size_t s)
{
    return layout->kernel->parameters[layout->scalars[s].parameter].type;
}

void reap__entry_add_tag_type(const struct reap__layout *layout, size_t s,
                              struct reap__string *into)
{
    const struct reap__layout_scalar *scalar = &layout->scalars[s];
    reap__string_format(into, "struct REAP__PASTE(%s, %s)",
                        scalar->has_location ? "reap_location_" : "reap_flag_",
                        scalar->is_exact ? "plus" : scalar->reduction->operation);
}

int reap__entry_items_word(const struct reap__layout *layout)
{
    return layout->has_groups ? REAP__WORD_PARTS : REAP__WORD_ITEMS;
}

/* ---- Arguments --------------------------------------------------------------------------------*/

void reap__entry_add_each_memory(const struct reap__layout *layout, const char *before,
                                 struct reap__string *into)
{
    for (size_t m = 0; m < layout->memories; m++)
        reap__string_format(into, "%s%zu", before, m);
}

void reap__entry_add_parameters(const struct reap__layout *layout, struct reap__string *into)
{
    reap__string_add(into, reap__block_is_in_memory(layout) ? "(const reap__ulong reap_block_at"
                                                            : "(REAP__BLOCK_PARAMETER reap_b");
    for (size_t m = 0; m < layout->memories; m++)
        reap__string_format(into, " REAP__MEMORY(reap_m%zu)", m);
}

/* A value of any type, which may be const, from words of the parameter block. */
static void add_value(const char *type, const char *name, size_t word, size_t words,
                      struct reap__string *into)
{
    reap__string_format(into,
                        "    union {\n        reap__ulong words[%zu];\n        %s value;\n"
                        "    } %s = {{",
                        words, type, name);
    for (size_t w = 0; w < words; w++)
        reap__string_format(into, "%sreap_b.w[%zu]", w > 0 ? ", " : "", word + w);
    reap__string_add(into, "}};\n");
}

/* The sizes of a local array of two or three dimensions. */
static void add_extents(const struct reap__layout *layout, size_t p, struct reap__string *into)
{
    const enum reap__parameter_kind kind = layout->kernel->parameters[p].kind;
    const size_t w = layout->word_of[p] + 1;
    if (kind == REAP__LOCAL_2D)
        reap__string_format(
            into,
            "    const struct reap__extents_2d reap_e%zu = {{(size_t)reap_b.w[%zu], "
            "(size_t)reap_b.w[%zu], 1}};\n",
            p, w, w + 1);
    else if (kind == REAP__LOCAL_3D)
        reap__string_format(
            into,
            "    const struct reap__extents_3d reap_e%zu = {{(size_t)reap_b.w[%zu], "
            "(size_t)reap_b.w[%zu], (size_t)reap_b.w[%zu]}};\n",
            p, w, w + 1, w + 2);
}

static void add_argument(const struct reap__layout *layout, size_t p, struct reap__string *into)
{
    const struct reap__parameter *parameter = &layout->kernel->parameters[p];
    const char *space = parameter->kind == REAP__IN ? " const" : "";
    char name[32], offset[64];
    snprintf(name, sizeof name, "reap_p%zu", p);
    snprintf(offset, sizeof offset, "reap_b.w[%zu]%s", layout->word_of[p],
             layout->is_aligned[p] ? " / 16 * 16" : "");
    if (reap__is_array(parameter))
        reap__string_format(
            into, "    REAP_GLOBAL %s%s *const %s = (REAP_GLOBAL %s%s *)(%s(reap_m%zu) + (%s));\n",
            parameter->type, space, name, parameter->type, space,
            layout->is_aligned[p] ? "REAP__ALIGNED" : "", layout->memory_of[p], offset);
    else if (reap__is_value(parameter))
        add_value(parameter->type, name, layout->word_of[p],
                  (parameter->size + sizeof(uint64_t) - 1) / sizeof(uint64_t), into);
    else if (reap__is_local(parameter))
        reap__string_format(
            into,
            "    REAP_LOCAL %s *const %s = (REAP_LOCAL %s *)((REAP_LOCAL reap__uchar "
            "*)reap_dynamic + reap_b.w[%zu]);\n",
            parameter->type, name, parameter->type, layout->word_of[p]);
    add_extents(layout, p, into);
}

void reap__entry_add_arguments(const struct reap__layout *layout, struct reap__string *into)
{
    for (size_t p = 1; p < layout->kernel->parameter_count; p++)
        add_argument(layout, p, into);
    for (size_t s = 0; s < layout->span_count; s++)
        reap__entry_add_span(layout, s, into);
}

/* ---- Lanes ------------------------------------------------------------------------------------*/

void reap__entry_add_lanes(const struct reap__layout *layout, const char *indent,
                           struct reap__string *into)
{
    for (size_t s = 0; s < layout->scalar_count; s++) {
        const size_t lanes = reap__entry_lanes(layout, s);
        if (reap__entry_is_in_place(layout, s))
            reap__string_format(into,
                                "%sREAP__VALUE_AT(reap__type_%zu, reap_l%zu, (REAP_GLOBAL "
                                "reap__type_%zu *)reap__slots_%zu(&reap_b, reap_m0, reap_place) + "
                                "reap_member);\n",
                                indent, s, s, s, s);
        else
            reap__string_format(into, "%sreap__type_%zu reap_l%zu[%zu];\n", indent, s, s, lanes);
        reap__string_format(into, "%sreap__tag_%zu reap_t%zu[%zu];\n", indent, s, s, lanes);
    }
}

void reap__entry_add_starts(const struct reap__layout *layout, size_t s, size_t lanes,
                            const char *indent, struct reap__string *into)
{
    (void)layout;
    reap__string_format(into,
                        "%sREAP__UNROLL\n%sfor (int reap_j = 0; reap_j < %zu; reap_j++)\n"
                        "%s    reap__start_of_%zu(&reap_b, reap_m0, &reap_l%zu[reap_j], "
                        "&reap_t%zu[reap_j]);\n",
                        indent, indent, lanes, indent, s, s, s);
}

static void add_range(const char *indent, struct reap__string *into)
{
    for (int i = 0; i < 3; i++)
        reap__string_format(into, "%sreap_it.global_range[%d] = reap_b.w[%d];\n", indent, i,
                            REAP__WORD_SIZE + i);
}

/* reap_it becomes work-item reap_i of the range. */
void reap__entry_add_item(const struct reap__layout *layout, const char *indent,
                          struct reap__string *into)
{
    if (layout->has_lines) {
        reap__entry_add_item_of_line(layout, indent, into);
        add_range(indent, into);
        return;
    }
    const char *const d = indent, *const i_of_range = layout->has_start ? "reap_j" : "reap_i";
    if (layout->has_stride)
        reap__string_format(into,
                            "%sconst reap__ulong reap_j = reap_b.w[%d] + reap_i * reap_b.w[%d];\n",
                            d, REAP__WORD_START, REAP__WORD_STRIDE);
    else if (layout->has_start)
        reap__string_format(into, "%sconst reap__ulong reap_j = reap_b.w[%d] + reap_i;\n", d,
                            REAP__WORD_START);
    reap__string_format(into, "%sreap_item reap_it;\n%sreap_it.global_linear_id = %s;\n", d, d,
                        i_of_range);
    if (layout->dimensions == 1)
        reap__string_format(into,
                            "%sreap_it.global_id[0] = %s;\n"
                            "%sreap_it.global_id[1] = reap_it.global_id[2] = 0;\n",
                            d, i_of_range, d);
    else if (layout->dimensions == 2)
        reap__string_format(into,
                            "%sreap_it.global_id[0] = reap__divide(%s, reap_b.w[%d]);\n"
                            "%sreap_it.global_id[1] = %s - reap_it.global_id[0] * reap_b.w[%d];\n"
                            "%sreap_it.global_id[2] = 0;\n",
                            d, i_of_range, REAP__WORD_SIZE + 1, d, i_of_range, REAP__WORD_SIZE + 1,
                            d);
    else
        reap__string_format(
            into,
            "%sreap_it.global_id[1] = reap__divide(%s, reap_b.w[%d]);\n"
            "%sreap_it.global_id[2] = %s - reap_it.global_id[1] * reap_b.w[%d];\n"
            "%sreap_it.global_id[0] = reap__divide(reap_it.global_id[1], reap_b.w[%d]);\n"
            "%sreap_it.global_id[1] -= reap_it.global_id[0] * reap_b.w[%d];\n",
            d, i_of_range, REAP__WORD_SIZE + 2, d, i_of_range, REAP__WORD_SIZE + 2, d,
            REAP__WORD_SIZE + 1, d, REAP__WORD_SIZE + 1);
    add_range(d, into);
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

static bool has_near_place(const struct reap__layout *layout, size_t s)
{
    return layout->scalars[s].has_location && layout->has_near_places;
}

void reap__entry_add_near_places(const struct reap__layout *layout, struct reap__string *into)
{
    for (size_t s = 0; s < layout->scalar_count; s++)
        if (has_near_place(layout, s)) {
            const size_t lanes = reap__entry_lanes(layout, s);
            reap__string_format(into,
                                "        struct REAP__PASTE(reap_near_, %s) reap_n%zu[%zu];\n"
                                "        REAP__UNROLL\n"
                                "        for (reap__uint reap_j = 0; reap_j < %zu; reap_j++)\n"
                                "            reap_n%zu[reap_j].at = UINT_MAX;\n",
                                layout->scalars[s].reduction->operation, s, lanes, lanes, s);
        }
}

void reap__entry_end_near_places(const struct reap__layout *layout, struct reap__string *into)
{
    for (size_t s = 0; s < layout->scalar_count; s++)
        if (has_near_place(layout, s)) {
            const size_t lanes = reap__entry_lanes(layout, s);
            reap__string_format(
                into,
                "        REAP__UNROLL\n"
                "        for (reap__uint reap_j = 0; reap_j < %zu; reap_j++)\n"
                "            if (reap_n%zu[reap_j].at != UINT_MAX)\n"
                "                reap_t%zu[reap_j].at = reap_first + reap_member * %zu + "
                "reap_n%zu[reap_j].at;\n",
                lanes, s, s, lanes, s);
        }
}

void reap__entry_add_call(const struct reap__layout *layout, const char *indent,
                          struct reap__string *into)
{
    const struct reap_kernel *kernel = layout->kernel;
    for (size_t s = 0; s < layout->scalar_count; s++)
        if (has_near_place(layout, s))
            reap__string_format(into, "%sreap_n%zu[reap_s%zu].now = reap_near;\n", indent, s, s);
        else if (layout->scalars[s].has_location)
            reap__string_format(
                into, "%sreap_t%zu[reap_s%zu].now = %s;\n", indent, s, s,
                layout->has_start && !layout->has_groups ? "reap_i" : "reap_it.global_linear_id");
    if (!layout->logs_items)
        reap__entry_begin_item_sums(layout, indent, into);
    reap__entry_begin_item_logs(layout, indent, into);
    reap__string_format(into, "%sREAP__PASTE(reap_body_, %s)(reap_it", indent, kernel->name);
    for (size_t p = 1, s; p < kernel->parameter_count; p++)
        switch (kernel->parameters[p].kind) {
        case REAP__IN:
        case REAP__OUT:
        case REAP__INOUT:
        case REAP__LOCAL:
            reap__string_format(into, ", reap_p%zu", p);
            break;
        case REAP__LOCAL_2D:
        case REAP__LOCAL_3D:
            reap__string_format(into, ", reap_p%zu, reap_e%zu", p, p);
            break;
        case REAP__VALUE:
        case REAP__IDENTITY_VALUE:
            reap__string_format(into, ", reap_p%zu.value", p);
            break;
        case REAP__SCALAR_REDUCTION:
        case REAP__ROW_REDUCTION:
        case REAP__COLUMN_REDUCTION:
            s = scalar_of(layout, p);
            if (layout->scalars[s].is_exact && !layout->logs_items) {
                reap__entry_add_sum(layout, s, into);
                break;
            }
            reap__string_format(into, ", &reap_l%zu[reap_s%zu], &reap_%c%zu[reap_s%zu]", s, s,
                                has_near_place(layout, s) ? 'n' : 't', s, s);
            break;
        case REAP__SPAN_REDUCTION:
            s = span_of(layout, p);
            reap__string_format(into, ", reap_x%zu, &reap_xt%zu, reap_xs%zu", s, s, s);
            break;
        }
    reap__string_add(into, ");\n");
    reap__entry_end_item_logs(layout, indent, into);
}

/* ---- Types that the host and the device share -------------------------------------------------*/

static void add_layout_checks(const struct reap__layout *layout, struct reap__string *into)
{
    const struct reap_kernel *kernel = layout->kernel;
    for (size_t p = 1; p < kernel->parameter_count; p++)
        reap__string_format(into, "REAP__SAME_LAYOUT(%zu, %s, %zu, %zu)\n", p,
                            kernel->parameters[p].type, kernel->parameters[p].size,
                            kernel->parameters[p].alignment);
}

/* A block in the scratch buffer is read where it is, so that threads need no registers or stack for
 * it: the text's words for a block then are macros, and a pointer to it is one to global memory. */
static void add_block(const struct reap__layout *layout, struct reap__string *into)
{
    if (!reap__block_is_in_memory(layout)) {
        reap__string_format(into, "struct reap_block {\n    reap__ulong w[%zu];\n};\n",
                            layout->words);
        return;
    }
    reap__string_format(into,
                        "struct reap_block_words {\n    reap__ulong w[%zu];\n};\n"
                        "#define reap_block reap_block_words REAP_GLOBAL\n"
                        "#define reap_b (*(const struct reap_block *)(reap_m%d + reap_block_at))\n",
                        layout->words, REAP__MEMORY_SCRATCH);
}

/* ---- All of it --------------------------------------------------------------------------------*/

void reap__entry_generate(const struct reap__layout *layout, struct reap__string *into)
{
    reap__string_add(into, "\n#line 1 \"reap: entry functions\"\n");
    add_block(layout, into);
    add_layout_checks(layout, into);
    if (layout->threads == 1) /* no thread waits, and loops that wait compile slowly */
        reap__string_add(into, "#define reap__sync() ((void)0)\n");
    if (layout->logs_items) {
        reap__entry_add_types(layout, into);
        if (reap__has_commit(layout))
            reap__entry_add_commit(layout, into);
        reap__entry_add_item_log(layout, into);
        return;
    }
    reap__entry_add_lanes_functions(layout, into);
    if (layout->has_lines) {
        reap__entry_add_lines(layout, into);
        return;
    }
    reap__entry_add_finish(layout, into);
    if (layout->mode == REAP__SPANS_LOGGED)
        reap__entry_add_logs(layout, into);
    if (reap__has_commit(layout))
        reap__entry_add_commit(layout, into);
    if (layout->has_groups) {
        reap__entry_add_groups(layout, into);
        reap__entry_add_fold(layout, into);
    } else {
        reap__entry_add_range(layout, into);
    }
}
