/* SPDX-License-Identifier: Apache-2.0
 *
 * Array reductions in entry functions: the arguments of a kernel's body; in kernels over ranges,
 * delayed combinations and a group's copies; commits. If the order does not matter, a group of
 * threads has copies of its own, in local memory, which it merges into the launch's copies at its
 * end, or a cache there of some elements if copies are too large. If it matters: span_logs.c.
 */
#include "src/accelerator/codegen/entry.h"

#include <stdio.h>

/* An exact sum has words (add_view_of_words), but no copy with values. */
static void add_words(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    const struct reap__layout_span *span = &layout->spans[s];
    const char *type = layout->kernel->parameters[span->parameter].type;
    reap__string_format(into, "    REAP__SPAN_SPACE %s *const reap_x%zu = 0;\n", type, s);
}

static void add_view_of_words(const struct reap__layout *layout, size_t s,
                              struct reap__string *into)
{
    const struct reap__layout_span *span = &layout->spans[s];
    reap__string_format(
        into,
        "    reap_xs%zu.words = (REAP_GLOBAL reap__ulong *)(reap_m0 + reap_b.w[%zu]);\n"
        "    reap_xs%zu.words_stride = reap_b.w[%zu] != 0 ? 1 : reap_b.w[%zu] << reap_b.w[%zu];\n"
        "    reap_xs%zu.replicas_log2 = (reap__uint)reap_b.w[%zu];\n"
        "    reap_xs%zu.replica = (reap__uint)reap__thread() & "
        "(((reap__uint)1 << reap_xs%zu.replicas_log2) - 1);\n"
        "    reap_xs%zu.capacity = reap_b.w[%zu];\n"
        "    reap_xs%zu.slots_taken = (REAP_GLOBAL reap__uint *)(reap_m0 + reap_b.w[%zu]);\n"
        "    reap_xs%zu.table = reap_xs%zu.slots_taken + %d;\n",
        s, span->values_word, s, span->capacity_word, span->count_word, span->replicas_word, s,
        span->replicas_word, s, s, s, span->capacity_word, s, span->table_word, s, s,
        REAP__TABLE_OFFSET / 4);
}

/* What items combine into: the launch's copy, or a replica in the group's copy, chosen by the
 * thread. */
static void add_copy(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    const struct reap__layout_span *span = &layout->spans[s];
    const char *type = layout->kernel->parameters[span->parameter].type;
    if (span->is_exact)
        add_words(layout, s, into);
    else if (layout->has_local_spans)
        reap__string_format(
            into,
            "    REAP_LOCAL %s *const reap_x%zu_own = (REAP_LOCAL %s *)((REAP_LOCAL "
            "reap__uchar *)reap_dynamic + reap_b.w[%zu]);\n"
            "    REAP_LOCAL %s *const reap_x%zu = reap_x%zu_own + (reap__thread() & "
            "((1 << reap_b.w[%zu]) - 1));\n",
            type, s, type, span->local_word, type, s, s, span->replicas_word);
    else
        reap__string_format(into,
                            "    REAP_GLOBAL %s *reap_x%zu = (REAP_GLOBAL %s *)(reap_m0 + "
                            "reap_b.w[%zu]);\n",
                            type, s, type, span->values_word);
}

void reap__entry_add_span(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    const struct reap__layout_span *span = &layout->spans[s];
    char results[32], outside[32];
    snprintf(results, sizeof results, "reap_b.w[%d]", REAP__WORD_RESULTS);
    snprintf(outside, sizeof outside, "reap_b.w[%d] + %d", REAP__WORD_COUNTER,
             REAP__OUTSIDE_COUNTER);
    add_copy(layout, s, into);
    reap__string_format(into,
                        "    struct REAP__PASTE(reap_flag_, %s) reap_xt%zu;\n"
                        "    struct reap__span reap_xs%zu;\n"
                        "    reap_xs%zu.count = reap_b.w[%zu];\n"
                        "    reap_xs%zu.outside = (REAP_GLOBAL reap__uint *)(reap_m%d + %s);\n"
                        "    reap_xs%zu.number = %zu;\n"
                        "    reap_xs%zu.least = %zu;\n"
                        "    reap_xs%zu.holds_type = false;\n",
                        span->reduction->operation, s, s, s, span->count_word, s,
                        layout->commits_at_once ? REAP__MEMORY_SCRATCH : REAP__MEMORY_RESULTS,
                        layout->commits_at_once ? outside : results, s, s, s, span->least, s);
    if (reap__entry_is_logged(layout, s))
        reap__string_format(into,
                            "    struct reap__log reap_log%zu;\n"
                            "    reap__log_open(&reap_log%zu, reap_m0, reap_b.w[%zu] + %zu * "
                            "sizeof(struct reap__log_plan));\n"
                            "    reap_xs%zu.reap_log = &reap_log%zu;\n",
                            s, s, layout->log_word + REAP__LOG_PLANS, s, s, s);
    else if (span->is_exact)
        add_view_of_words(layout, s, into);
    else if (layout->has_local_spans)
        reap__string_format(
            into, "    reap_xs%zu.stride = (reap__uint)%zu << (reap__uint)reap_b.w[%zu];\n", s,
            span->reduction->value_size, span->replicas_word);
}

/* ---- Delayed combinations ---------------------------------------------------------------------*/

bool reap__entry_spans_defer(const struct reap__layout *layout)
{
    return layout->mode == REAP__SPANS_SHARED && layout->has_warps && !layout->has_groups;
}

/* Only integers: detail/device/spans.h has deferred combinations of these. */
bool reap__entry_span_defers(const struct reap__layout *layout, size_t s)
{
    return reap__entry_spans_defer(layout) && layout->spans[s].reduction->number == REAP__NO_FLOAT;
}

static size_t items_of_a_row(const struct reap__layout *layout)
{
    return layout->width / layout->team_threads;
}

void reap__entry_add_deferred(const struct reap__layout *layout, const char *rows,
                              struct reap__string *into)
{
    for (size_t s = 0; s < layout->span_count; s++)
        if (reap__entry_span_defers(layout, s))
            reap__string_format(
                into,
                "            struct reap__deferred reap_deferred%zu[%s * %zu];\n"
                "            REAP__UNROLL\n"
                "            for (reap__uint reap_k = 0; reap_k < %s * %zu; reap_k++)\n"
                "                reap_deferred%zu[reap_k].is_there = false;\n",
                s, rows, items_of_a_row(layout), rows, items_of_a_row(layout), s);
}

void reap__entry_add_combinations(const struct reap__layout *layout, const char *rows,
                                  struct reap__string *into)
{
    for (size_t s = 0; s < layout->span_count; s++)
        if (reap__entry_span_defers(layout, s))
            reap__string_format(
                into,
                "            REAP__UNROLL\n"
                "            for (reap__uint reap_k = 0; reap_k < %s * %zu; reap_k++)\n"
                "                reap__combine_deferred(&reap_xt%zu, reap_x%zu, "
                "reap_xs%zu, &reap_deferred%zu[reap_k]);\n",
                rows, items_of_a_row(layout), s, s, s, s);
}

/* ---- Copies of a group ------------------------------------------------------------------------*/

/* The elements' start value again, from the parameter block. */
static void add_value_of_start(const struct reap__layout *layout, size_t s,
                               struct reap__string *into)
{
    const struct reap__layout_start *start = &layout->spans[s].start;
    reap__string_format(into,
                        "    union {\n        reap__ulong words[%zu];\n        %s value;\n    } "
                        "reap_n%zu;\n",
                        start->words, layout->kernel->parameters[layout->spans[s].parameter].type,
                        s);
    for (size_t w = 0; w < start->words; w++)
        reap__string_format(into, "    reap_n%zu.words[%zu] = reap_b.w[%zu];\n", s, w,
                            start->word + w);
}

void reap__entry_add_own_copies(const struct reap__layout *layout, struct reap__string *into)
{
    for (size_t s = 0; s < layout->span_count; s++) {
        if (layout->spans[s].is_exact)
            continue;
        add_value_of_start(layout, s, into);
        reap__string_format(
            into,
            "    for (reap__ulong reap_e = reap__thread(); reap_e < reap_b.w[%zu] << "
            "reap_b.w[%zu]; reap_e += %zu)\n"
            "        reap_x%zu_own[reap_e] = reap_n%zu.value;\n",
            layout->spans[s].count_word, layout->spans[s].replicas_word, layout->threads, s, s);
    }
    reap__string_add(into, "    reap__sync();\n");
}

/* Whether values are structs. */
static bool is_narrow(const struct reap__reduction *reduction)
{
    return reduction->number == REAP__IS_HALF || reduction->number == REAP__IS_BFLOAT16;
}

/* Threads begin at different replicas of their elements, which lie in different banks. */
void reap__entry_add_merges(const struct reap__layout *layout, struct reap__string *into)
{
    reap__string_add(into, "    reap__sync();\n");
    for (size_t s = 0; s < layout->span_count; s++) {
        const struct reap__layout_span *span = &layout->spans[s];
        if (span->is_exact)
            continue;
        const char *type = layout->kernel->parameters[span->parameter].type;
        const char *op = span->reduction->operation;
        const char *bits = is_narrow(span->reduction) ? ".bits" : "";
        reap__string_format(
            into,
            "    for (reap__ulong reap_e = reap__thread(); reap_e < reap_b.w[%zu]; "
            "reap_e += %zu) {\n"
            "        const reap__uint reap_log2 = (reap__uint)reap_b.w[%zu];\n"
            "        const reap__uint reap_last = ((reap__uint)1 << reap_log2) - 1;\n"
            "        REAP_LOCAL %s *const reap_own = reap_x%zu_own + (reap_e << "
            "reap_log2);\n"
            "        %s reap_v = reap_own[reap_e & reap_last];\n"
            "        for (reap__uint reap_r = 1; reap_r <= reap_last; reap_r++)\n"
            "            reap_v = REAP__PASTE(reap__, %s)(reap_v, "
            "reap_own[(reap_e + reap_r) & reap_last]);\n"
            "        if (reap_v%s != reap_n%zu.value%s)\n"
            "            REAP__PASTE(reap__atomic_combine_, %s)((REAP_GLOBAL %s "
            "*)(reap_m0 + reap_b.w[%zu]) + reap_e, reap_v);\n"
            "    }\n",
            span->count_word, layout->threads, span->replicas_word, type, s, type, op, bits, s,
            bits, op, type, span->values_word);
    }
}

/* ---- A cache of a group -----------------------------------------------------------------------*/

enum { MOST_CACHED = 512 }; /* elements of a span */

size_t reap__entry_cached(const struct reap__layout *layout)
{
    size_t each = 0, cached = MOST_CACHED;
    for (size_t s = 0; s < layout->span_count; s++)
        if (!layout->spans[s].is_exact)
            each += sizeof(uint32_t) + layout->spans[s].reduction->value_size;
    while (cached > 1 && cached * each > REAP__SPAN_CACHE_BYTES)
        cached /= 2;
    return cached;
}

void reap__entry_add_cache(const struct reap__layout *layout, struct reap__string *into)
{
    const size_t cached = reap__entry_cached(layout);
    for (size_t s = 0; s < layout->span_count; s++) {
        const struct reap__layout_span *span = &layout->spans[s];
        const char *type = layout->kernel->parameters[span->parameter].type;
        if (span->is_exact)
            continue;
        add_value_of_start(layout, s, into);
        reap__string_format(
            into,
            "    REAP__SHARED(reap__uint, reap_keys%zu, %zu);\n"
            "    REAP__SHARED(reap__ulong, reap_cached%zu, %zu);\n"
            "    for (reap__uint reap_e = (reap__uint)reap__thread(); reap_e < %zu; reap_e += %zu) "
            "{\n"
            "        reap_keys%zu[reap_e] = 0;\n"
            "        ((REAP_LOCAL %s *)reap_cached%zu)[reap_e] = reap_n%zu.value;\n"
            "    }\n"
            "    reap_xs%zu.keys = reap_keys%zu;\n"
            "    reap_xs%zu.cached = (REAP_LOCAL reap__uchar *)reap_cached%zu;\n",
            s, cached, s,
            (cached * span->reduction->value_size + sizeof(uint64_t) - 1) / sizeof(uint64_t),
            cached, layout->threads, s, type, s, s, s, s, s, s);
    }
    reap__string_add(into, "    reap__sync();\n");
}

void reap__entry_empty_cache(const struct reap__layout *layout, struct reap__string *into)
{
    reap__string_add(into, "    reap__sync();\n");
    for (size_t s = 0; s < layout->span_count; s++) {
        const struct reap__layout_span *span = &layout->spans[s];
        const char *type = layout->kernel->parameters[span->parameter].type;
        if (span->is_exact)
            continue;
        reap__string_format(into,
                            "    for (reap__uint reap_e = (reap__uint)reap__thread(); reap_e < "
                            "%zu; reap_e += %zu)\n"
                            "        if (reap_keys%zu[reap_e] != 0)\n"
                            "            REAP__PASTE(reap__atomic_combine_, %s)(reap_x%zu + "
                            "(reap_keys%zu[reap_e] - "
                            "1), ((REAP_LOCAL %s *)reap_cached%zu)[reap_e]);\n",
                            reap__entry_cached(layout), layout->threads, s,
                            span->reduction->operation, s, s, type, s);
    }
}

/* ---- Variables on the device ------------------------------------------------------------------*/

/* A NaN that numbers were combined with becomes the canonical one. */
static void add_settling(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    const struct reap__reduction *reduction = layout->spans[s].reduction;
    const char *bits = is_narrow(reduction) ? ".bits" : "";
    if (reduction->number != REAP__NO_FLOAT)
        reap__string_format(
            into,
            "        if (reap_total%s != REAP__PASTE(reap__identity_of_, %s)((%s *)0)%s)\n"
            "            reap__settle(&reap_v);\n",
            bits, reduction->operation, layout->kernel->parameters[layout->spans[s].parameter].type,
            bits);
}

/* Elements first, first + step, ... become op(element, total), unless an index was outside.
 * `behind` is the code that follows for element reap_e. */
static void add_elements(const struct reap__layout *layout, size_t s, const char *first,
                         const char *step, const char *behind, struct reap__string *into)
{
    const struct reap__layout_span *span = &layout->spans[s];
    const char *type = layout->kernel->parameters[span->parameter].type;
    reap__string_format(
        into,
        "    for (reap__ulong reap_e = %s; reap_e < reap_b.w[%zu]; reap_e += %s) {\n"
        "        REAP_GLOBAL %s *const reap_to = (REAP_GLOBAL %s *)(reap_m%zu + "
        "reap_b.w[%zu]) + reap_e;\n"
        "        REAP_GLOBAL %s *const reap_from = (REAP_GLOBAL %s *)(reap_m0 + "
        "reap_b.w[%zu]) + reap_e;\n"
        "        const %s reap_total = *reap_from;\n"
        "        %s reap_v = reap_b.w[%zu] != 0 ? reap_total : "
        "REAP__PASTE(reap__, %s)(*reap_to, reap_total);\n",
        first, span->count_word, step, type, type, span->variable_memory, span->variable_word, type,
        type, span->values_word, type, type, span->initialize_word, span->reduction->operation);
    add_settling(layout, s, into);
    reap__string_format(into,
                        "        if (!reap_outside)\n"
                        "            *reap_to = reap_v;\n"
                        "%s"
                        "    }\n",
                        behind);
}

/* The same for an exact sum. */
static void add_exact_elements(const struct reap__layout *layout, size_t s, const char *first,
                               const char *step, struct reap__string *into)
{
    const struct reap__layout_span *span = &layout->spans[s];
    const char *type = layout->kernel->parameters[span->parameter].type;
    add_value_of_start(layout, s, into);
    reap__string_format(into,
                        "    union {\n        reap__ulong words[1];\n        %s value;\n    } "
                        "reap_i%zu;\n"
                        "    reap_i%zu.words[0] = reap_b.w[%zu];\n",
                        type, s, s, span->identity_word);
    reap__string_format(into, "    struct reap__span reap_xs%zu;\n", s);
    add_view_of_words(layout, s, into);
    if (layout->delivers_rows && layout->spans_are_resident) {
        reap__string_format(
            into,
            "    for (reap__ulong reap_e = %s; reap_e < reap_b.w[%zu] && !reap_outside; reap_e += "
            "%s) {\n"
            "        reap_xs%zu.index = reap_e;\n"
            "        reap__element_add_words((REAP_GLOBAL reap__ulong *)(reap_m%zu + "
            "reap_b.w[%zu]) + reap_e * %d, reap_xs%zu, %d);\n"
            "    }\n",
            first, span->count_word, step, s, span->variable_memory, span->variable_word,
            REAP__EXACT_WORDS((int)span->reduction->value_size), s,
            REAP__EXACT_DIGITS((int)span->reduction->value_size));
        return;
    }
    reap__string_format(
        into,
        "    for (reap__ulong reap_e = %s; reap_e < reap_b.w[%zu] && !reap_outside; reap_e += %s) "
        "{\n"
        "        reap_xs%zu.index = reap_e;\n"
        "        reap__element_store((REAP_GLOBAL %s *)(reap_m%zu + reap_b.w[%zu]) + reap_e, "
        "reap_xs%zu, reap_n%zu.value, reap_i%zu.value, reap_b.w[%zu] != 0);\n"
        "    }\n",
        first, span->count_word, step, s, type, span->variable_memory, span->variable_word, s, s, s,
        span->initialize_word);
}

static void add_logged_elements(const struct reap__layout *layout, size_t s, const char *first,
                                const char *step, struct reap__string *into)
{
    reap__string_format(into,
                        "    for (reap__ulong reap_e = %s; reap_e < reap_b.w[%zu] && "
                        "!reap_outside; reap_e += %s)\n",
                        first, layout->spans[s].count_word, step);
    reap__entry_store_logged(layout, s, into);
}

/* In the last group. The launch's copies get their start values again, for the next launch. The
 * index that was noted is copied to the results, which the host reads. */
static void add_commit_at_once(const struct reap__layout *layout, struct reap__string *into)
{
    char step[32], behind[64];
    snprintf(step, sizeof step, "%zu", layout->threads);
    reap__string_format(
        into,
        "    REAP_GLOBAL reap__ulong *const reap_noted = (REAP_GLOBAL reap__ulong "
        "*)(reap_m%d + reap_b.w[%d] + %d);\n"
        "    reap__sync();\n"
        "    if (!reap__is_last(reap_shared, (REAP_GLOBAL reap__uint *)(reap_m0 + "
        "reap_b.w[%d])))\n"
        "        return;\n"
        "    reap__fence();\n"
        "    const bool reap_outside = *(REAP_GLOBAL reap__uint *)reap_noted != 0;\n",
        REAP__MEMORY_SCRATCH, REAP__WORD_COUNTER, REAP__OUTSIDE_COUNTER, REAP__WORD_COUNTER);
    for (size_t s = 0; s < layout->span_count; s++) {
        snprintf(behind, sizeof behind, "        *reap_from = reap_n%zu.value;\n", s);
        add_elements(layout, s, "reap__thread()", step, behind, into);
    }
    reap__string_format(
        into,
        "    reap__sync();\n"
        "    if (reap__thread() == 0 && reap_outside)\n"
        "        for (int reap_w = 0; reap_w < 3; reap_w++) {\n"
        "            ((REAP_GLOBAL reap__ulong *)(reap_m%d + reap_b.w[%d]))[reap_w] "
        "= reap_noted[reap_w];\n"
        "            reap_noted[reap_w] = 0;\n"
        "        }\n",
        REAP__MEMORY_RESULTS, REAP__WORD_RESULTS);
}

/* A separate entry, if a group may not see the writes of others. */
static void add_commit_entry(const struct reap__layout *layout, struct reap__string *into)
{
    char first[64], step[64];
    snprintf(first, sizeof first, "reap__group() * %zu + reap__thread()", layout->fold_threads);
    snprintf(step, sizeof step, "reap__groups() * %zu", layout->fold_threads);
    reap__string_format(into, "REAP__ENTRY(reap_commit, %zu)\n", layout->fold_threads);
    reap__entry_add_parameters(layout, into);
    reap__string_format(into,
                        ")\n{\n    reap__begin();\n"
                        "    const bool reap_outside = *(REAP_GLOBAL reap__uint *)(reap_m%d + "
                        "reap_b.w[%d]) != 0;\n",
                        REAP__MEMORY_RESULTS, REAP__WORD_RESULTS);
    for (size_t s = 0; s < layout->span_count; s++)
        if (layout->spans[s].is_exact)
            add_exact_elements(layout, s, first, step, into);
        else if (layout->mode == REAP__SPANS_LOGGED)
            add_logged_elements(layout, s, first, step, into);
        else if (layout->spans_are_resident)
            add_elements(layout, s, first, step, "", into);
    reap__string_add(into, "}\n");
}

void reap__entry_add_commit(const struct reap__layout *layout, struct reap__string *into)
{
    if (layout->commits_at_once)
        add_commit_at_once(layout, into);
    else
        add_commit_entry(layout, into);
}
