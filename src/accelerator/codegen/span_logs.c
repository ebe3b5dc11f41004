/* SPDX-License-Identifier: Apache-2.0
 *
 * Generated text of array reductions whose order matters: each item logs its values, and two more
 * entry functions sort a log and fold it. They call the functions of
 * include/reap/detail/device/span_log.h, sort.h and span_fold_tmpl.h.
 */
#include "src/accelerator/codegen/entry.h"
#include "src/accelerator/preprocess/preprocess.h"

bool reap__entry_is_logged(const struct reap__layout *layout, size_t s)
{
    return layout->mode == REAP__SPANS_LOGGED && !layout->spans[s].is_exact;
}

/* An item's number in the range, its chunk, and the number that chooses its replica. */
static void add_numbers(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    if (layout->has_groups)
        reap__string_format(into,
                            "reap_g * reap_it.items + reap_it.local_linear_id, reap__group() / "
                            "reap_log%zu.plan.chunk_size, reap_it.global_linear_id",
                            s);
    else
        reap__string_format(into,
                            "reap_i, (reap_i - reap_log%zu.plan.first_item) >> "
                            "reap_log%zu.plan.chunk_size, reap_i",
                            s, s);
}

void reap__entry_begin_item_logs(const struct reap__layout *layout, const char *indent,
                                 struct reap__string *into)
{
    if (layout->mode == REAP__SPANS_LOGGED && layout->has_groups)
        reap__string_format(into, "%sreap__ulong reap_epoch = 0;\n", indent);
    if (layout->counts_epochs)
        reap__string_format(into, "%sreap_it.epoch = &reap_epoch;\n", indent);
    for (size_t s = 0; s < layout->span_count; s++) {
        if (!reap__entry_is_logged(layout, s))
            continue;
        if (layout->has_groups)
            reap__string_format(into, "%sreap_log%zu.epoch = &reap_epoch;\n", indent, s);
        reap__string_format(into, "%sreap__log_begin(&reap_log%zu, ", indent, s);
        add_numbers(layout, s, into);
        reap__string_add(into, ");\n");
    }
}

void reap__entry_end_item_logs(const struct reap__layout *layout, const char *indent,
                               struct reap__string *into)
{
    for (size_t s = 0; s < layout->span_count; s++)
        if (reap__entry_is_logged(layout, s))
            reap__string_format(
                into, "%sreap__log_end(&reap_log%zu, %s);\n", indent, s,
                layout->has_groups ? "reap_g * reap_it.items + reap_it.local_linear_id" : "reap_i");
}

/* The functions of one span. */
static void add_template(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    const struct reap__layout_span *span = &layout->spans[s];
    const char *type = layout->kernel->parameters[span->parameter].type;
    const bool is_floating =
        span->reduction->is_builtin && span->reduction->number != REAP__NO_FLOAT;
    reap__string_format(into,
                        "typedef %s reap__span_type_%zu;\n"
                        "typedef struct REAP__PASTE(reap_flag_, %s) reap__span_tag_%zu;\n"
                        "REAP__FUNCTION void reap__span_begin_%zu(const struct reap_block *b, "
                        "REAP_GLOBAL reap__uchar *m, reap__span_type_%zu *lane, reap__span_tag_%zu "
                        "*tag)\n{\n",
                        type, s, span->reduction->operation, s, s, s, s);
    reap__entry_add_start(&span->start, type, into);
    reap__string_format(into,
                        "    tag->set = (reap__uchar)b->w[%zu];\n}\n"
                        "#define REAP__S %zu\n"
                        "#define REAP__HAS_FLAGS %d\n"
                        "#define REAP__IS_FLOATING %d\n",
                        span->start.set_word, s, span->has_flags, is_floating);
    reap__string_add(into, reap__dialect_header("reap/detail/device/span_fold_tmpl.h"));
    reap__string_add(into, "#undef REAP__S\n#undef REAP__HAS_FLAGS\n#undef REAP__IS_FLOATING\n");
}

static void add_sort_entry(const struct reap__layout *layout, struct reap__string *into)
{
    const size_t word = layout->log_word;
    reap__string_format(into, "REAP__ENTRY(reap_sort, %zu)\n", layout->sort_threads);
    reap__entry_add_parameters(layout, into);
    reap__string_format(into,
                        ")\n{\n"
                        "    REAP__SHARED(reap__ulong, reap_shared, REAP__SORT_WORDS);\n"
                        "    reap__begin();\n"
                        "    const struct reap__sort reap_own = reap__sort_begin(reap_m0, "
                        "reap_b.w[%zu]);\n"
                        "    if (reap_b.w[%zu] == 0)\n"
                        "        reap__sort_count(&reap_own, reap_shared);\n"
                        "    else if (reap_b.w[%zu] == 1)\n"
                        "        reap__sort_sum(&reap_own, reap_shared);\n"
                        "    else\n"
                        "        reap__sort_write(&reap_own, reap_shared);\n"
                        "}\n",
                        word + REAP__LOG_PASS, word + REAP__LOG_STEP, word + REAP__LOG_STEP);
}

static void add_fold_entry(const struct reap__layout *layout, struct reap__string *into)
{
    const size_t word = layout->log_word;
    reap__string_format(into, "REAP__ENTRY(reap_segments, %zu)\n", layout->sort_threads);
    reap__entry_add_parameters(layout, into);
    reap__string_format(into,
                        ")\n{\n    reap__begin();\n"
                        "    const reap__ulong reap_i = reap__group() * %zu + reap__thread();\n"
                        "    const reap__ulong reap_all = reap__groups() * %zu;\n",
                        layout->sort_threads, layout->sort_threads);
    for (size_t s = 0; s < layout->span_count; s++)
        if (reap__entry_is_logged(layout, s))
            reap__string_format(into,
                                "    if (reap_b.w[%zu] == %zu)\n"
                                "        reap__span_fold_%zu(&reap_b, reap_m0, reap_m0 + "
                                "reap_b.w[%zu], reap_b.w[%zu] + %zu * sizeof(struct "
                                "reap__log_plan), reap_b.w[%zu], reap_i, reap_all);\n",
                                word + REAP__LOG_PASS, s, s, layout->spans[s].values_word,
                                word + REAP__LOG_PLANS, s, word + REAP__LOG_STEP);
    reap__string_add(into, "}\n");
}

void reap__entry_add_logs(const struct reap__layout *layout, struct reap__string *into)
{
    reap__string_format(into, "#define REAP__SORT_THREADS %zu\n", layout->sort_threads);
    reap__string_add(into, reap__dialect_header("reap/detail/device/sort.h"));
    for (size_t s = 0; s < layout->span_count; s++)
        if (reap__entry_is_logged(layout, s))
            add_template(layout, s, into);
    add_sort_entry(layout, into);
    add_fold_entry(layout, into);
}

void reap__entry_store_logged(const struct reap__layout *layout, size_t s,
                              struct reap__string *into)
{
    const struct reap__layout_span *span = &layout->spans[s];
    reap__string_format(into,
                        "        reap__span_store_%zu(&reap_b, reap_m0, reap_m%zu + reap_b.w[%zu], "
                        "reap_b.w[%zu] + %zu * sizeof(struct reap__log_plan), reap_b.w[%zu] != 0, "
                        "reap_e);\n",
                        s, span->variable_memory, span->variable_word,
                        layout->log_word + REAP__LOG_PLANS, s, span->initialize_word);
}
