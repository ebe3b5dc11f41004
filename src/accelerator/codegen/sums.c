/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact sums in entry functions. A thread has one lane for the whole entry; a thread that is a team
 * alone has one for each item of a row. In kernels over ranges the values of several rows are added
 * together. The code calls the functions of include/reap/detail/device/exact.h.
 */
#include "src/accelerator/codegen/entry.h"

enum { WARP = 32 };

static bool adds_rows(const struct reap__layout *layout)
{
    return !layout->has_groups;
}

static size_t lanes_of(const struct reap__layout *layout)
{
    return adds_rows(layout) && layout->team_threads == 1 ? layout->width : 1;
}

static size_t items_of_a_row(const struct reap__layout *layout)
{
    return layout->width / layout->team_threads;
}

static unsigned words_of(const struct reap__layout_scalar *scalar)
{
    return REAP__EXACT_WORDS((unsigned)scalar->size);
}

/* The number of a group's threads, as text. */
static const char *threads(const struct reap__layout *layout)
{
    return layout->has_groups ? "reap_it.items" : "REAP__ENTRY_THREADS";
}

static size_t count_sums(const struct reap__layout *layout)
{
    size_t count = 0;
    for (size_t s = 0; s < layout->scalar_count; s++)
        count += layout->scalars[s].is_exact;
    return count;
}

/* Whether all threads of a warp reach the end of the entry. */
static bool has_whole_warps(const struct reap__layout *layout)
{
    return layout->has_warps && adds_rows(layout) && layout->threads % WARP == 0;
}

/* Words in local memory: of the group, or of each team that reduces lines. */
static void add_words(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    const unsigned words = words_of(&layout->scalars[s]);
    if (!layout->has_lines) {
        reap__string_format(into, "    REAP__SHARED(reap__ulong, reap_words%zu, %u);\n", s, words);
        return;
    }
    reap__string_format(into,
                        "    REAP__SHARED(reap__ulong, reap_all_words%zu, %zu);\n"
                        "    REAP_LOCAL reap__ulong *const reap_words%zu = reap_all_words%zu + "
                        "reap_team * %u;\n",
                        s, layout->teams * words, s, s, words);
}

void reap__entry_add_words(const struct reap__layout *layout, struct reap__string *into)
{
    for (size_t s = 0; s < layout->scalar_count; s++)
        if (layout->scalars[s].is_exact)
            add_words(layout, s, into);
}

static void add_clear(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    reap__string_format(into,
                        "    for (reap__uint reap_w = (reap__uint)%s; reap_w < %u; "
                        "reap_w += (reap__uint)%s)\n"
                        "        reap_words%zu[reap_w] = 0;\n",
                        layout->has_lines ? "reap_member" : "reap__thread()",
                        words_of(&layout->scalars[s]),
                        layout->has_lines ? "REAP__TEAM_THREADS" : threads(layout), s);
}

/* A lane is three numbers; the second numbers of all lanes follow all first ones. */
static void begin_sum(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    const size_t lanes = lanes_of(layout);
    const char *type = reap__entry_type(layout, s);
    add_clear(layout, s, into);
    reap__string_format(into,
                        "    %s reap_e%zu[%zu];\n"
                        "    REAP__UNROLL\n"
                        "    for (int reap_j = 0; reap_j < %zu; reap_j++)\n"
                        "        reap_e%zu[reap_j] = reap_j < %zu ? (%s)-0.0f : 0;\n"
                        "    struct reap_flag_exact_plus reap_et%zu;\n"
                        "    reap_et%zu.lane = reap_e%zu;\n"
                        "    reap_et%zu.stride = %zu;\n"
                        "    reap_et%zu.has_value = true;\n"
                        "    reap_et%zu.words = reap_words%zu;\n",
                        type, s, 3 * lanes, 3 * lanes, s, lanes, type, s, s, s, s, lanes, s, s, s);
}

void reap__entry_begin_sums(const struct reap__layout *layout, struct reap__string *into)
{
    if (count_sums(layout) == 0)
        return;
    if (!layout->has_lines)
        reap__entry_add_words(layout, into);
    if (!layout->has_groups)
        reap__string_format(into, "#undef REAP__ENTRY_THREADS\n#define REAP__ENTRY_THREADS %zu\n",
                            layout->threads);
    for (size_t s = 0; s < layout->scalar_count; s++)
        if (layout->scalars[s].is_exact)
            begin_sum(layout, s, into);
    reap__string_add(into, layout->has_lines ? "    reap__sync_team();\n" : "    reap__sync();\n");
}

void reap__entry_add_values(const struct reap__layout *layout, const char *rows,
                            struct reap__string *into)
{
    const size_t each = items_of_a_row(layout);
    for (size_t s = 0; s < layout->scalar_count; s++)
        if (layout->scalars[s].is_exact)
            reap__string_format(into,
                                "            %s reap_ev%zu[%s * %zu];\n"
                                "            REAP__UNROLL\n"
                                "            for (reap__uint reap_k = 0; reap_k < %s * %zu; "
                                "reap_k++)\n"
                                "                reap_ev%zu[reap_k] = (%s)-0.0f;\n",
                                reap__entry_type(layout, s), s, rows, each, rows, each, s,
                                reap__entry_type(layout, s));
}

void reap__entry_begin_item_sums(const struct reap__layout *layout, const char *indent,
                                 struct reap__string *into)
{
    for (size_t s = 0; s < layout->scalar_count && adds_rows(layout); s++)
        if (layout->scalars[s].is_exact)
            reap__string_format(into,
                                "%sreap_et%zu.lane = &reap_e%zu[%s];\n"
                                "%sreap_et%zu.has_value = false;\n",
                                indent, s, s, lanes_of(layout) > 1 ? "reap_v" : "0", indent, s);
}

/* In a work-group the value is added to the lane, not to an array of rows. */
void reap__entry_add_sum(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    if (adds_rows(layout))
        reap__string_format(into, ", &reap_ev%zu[reap_u * %zu + reap_v], &reap_et%zu", s,
                            items_of_a_row(layout), s);
    else
        reap__string_format(into, ", &reap_e%zu[0], &reap_et%zu", s, s);
}

/* The heads of loops over the items of `rows` rows; the repeated statement follows. */
static void add_loops(const struct reap__layout *layout, const char *rows, const char *indent,
                      struct reap__string *into)
{
    reap__string_format(into,
                        "%sREAP__UNROLL\n"
                        "%sfor (reap__uint reap_u = 0; reap_u < %s; reap_u++) {\n"
                        "%s    REAP__UNROLL\n"
                        "%s    for (reap__uint reap_v = 0; reap_v < %zu; reap_v++)\n",
                        indent, indent, rows, indent, indent, items_of_a_row(layout));
}

static void add_row_sum(const struct reap__layout *layout, size_t s, const char *rows,
                        struct reap__string *into)
{
    const size_t lanes = lanes_of(layout), each = items_of_a_row(layout);
    const bool is_double = layout->scalars[s].size == sizeof(double);
    const char *lane = lanes > 1 ? "reap_v" : "0";
    reap__string_format(into,
                        "            %s reap_eb%zu[%zu];\n"
                        "            reap__u%s reap_lost%zu = 0;\n"
                        "            REAP__UNROLL\n"
                        "            for (reap__uint reap_j = 0; reap_j < %zu; reap_j++)\n"
                        "                reap_eb%zu[reap_j] = reap_e%zu[reap_j];\n",
                        reap__entry_type(layout, s), s, 3 * lanes, is_double ? "long" : "int", s,
                        3 * lanes, s, s);
    add_loops(layout, rows, "            ", into);
    reap__string_format(into,
                        "                    reap_lost%zu |= reap__exact_try(&reap_e%zu[%s], %zu, "
                        "reap_ev%zu[reap_u * %zu + reap_v]);\n"
                        "            }\n"
                        "            if (reap_lost%zu << 1 != 0) {\n"
                        "                REAP__UNROLL\n"
                        "                for (reap__uint reap_j = 0; reap_j < %zu; reap_j++)\n"
                        "                    reap_e%zu[reap_j] = reap_eb%zu[reap_j];\n",
                        s, s, lane, lanes, s, each, s, 3 * lanes, s, s);
    add_loops(layout, rows, "                ", into);
    reap__string_format(
        into,
        "                        reap__exact_add(&reap_e%zu[%s], %zu, reap_words%zu, "
        "reap_ev%zu[reap_u * %zu + reap_v]);\n"
        "                }\n"
        "            }\n",
        s, lane, lanes, s, s, each);
}

void reap__entry_add_row_sums(const struct reap__layout *layout, const char *rows,
                              struct reap__string *into)
{
    for (size_t s = 0; s < layout->scalar_count; s++)
        if (layout->scalars[s].is_exact)
            add_row_sum(layout, s, rows, into);
}

/* Adds the lanes of a warp's threads to the first thread's. */
static void merge_warp(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    const char *type = reap__entry_type(layout, s);
    reap__string_format(into,
                        "    REAP__NO_UNROLL\n"
                        "    for (reap__uint reap_by = %d; reap_by > 0; reap_by /= 2) {\n"
                        "        const %s reap_right[3] = {reap__shuffle_down(reap_e%zu[0], "
                        "reap_by), reap__shuffle_down(reap_e%zu[1], reap_by), "
                        "reap__shuffle_down(reap_e%zu[2], reap_by)};\n"
                        "        if (reap__thread() %% %d < reap_by)\n"
                        "            reap__exact_merge(&reap_e%zu[0], &reap_right[0], 1, "
                        "reap_words%zu);\n"
                        "    }\n"
                        "    if (reap__thread() %% %d == 0)\n    ",
                        WARP / 2, type, s, s, s, WARP, s, s, WARP);
}

/* Adds the lanes of a thread that is a team alone to its first one. */
static void merge_lanes(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    const size_t lanes = lanes_of(layout);
    reap__string_format(into,
                        "    for (int reap_j = 1; reap_j < %zu; reap_j++)\n"
                        "        reap__exact_merge(&reap_e%zu[0], &reap_e%zu[reap_j], %zu, "
                        "reap_words%zu);\n",
                        lanes, s, s, lanes, s);
}

static void flush(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    if (has_whole_warps(layout) && !layout->has_lines)
        merge_warp(layout, s, into);
    else if (lanes_of(layout) > 1)
        merge_lanes(layout, s, into);
    reap__string_format(into, "    reap__exact_flush(&reap_e%zu[0], %zu, reap_words%zu);\n", s,
                        lanes_of(layout), s);
}

static void pass(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    reap__string_format(into,
                        "    for (reap__uint reap_w = (reap__uint)reap__thread(); reap_w < %u; "
                        "reap_w += (reap__uint)%s)\n"
                        "        if (reap_words%zu[reap_w] != 0)\n"
                        "            reap__exact_pass(&reap_e%zu[0], (REAP_GLOBAL reap__ulong "
                        "*)(reap_m0 + reap_b.w[%d] + %zu), reap_w, reap_words%zu[reap_w]);\n",
                        words_of(&layout->scalars[s]), threads(layout), s, s, REAP__WORD_COUNTER,
                        REAP__SUMS_COUNTERS + s * (size_t)REAP__SUM_BYTES, s);
}

void reap__entry_end_sums(const struct reap__layout *layout, struct reap__string *into)
{
    if (count_sums(layout) == 0)
        return;
    for (size_t s = 0; s < layout->scalar_count; s++)
        if (layout->scalars[s].is_exact)
            flush(layout, s, into);
    reap__string_add(into, "    reap__sync();\n");
    for (size_t s = 0; s < layout->scalar_count; s++)
        if (layout->scalars[s].is_exact)
            pass(layout, s, into);
}

void reap__entry_flush_sums(const struct reap__layout *layout, struct reap__string *into)
{
    for (size_t s = 0; s < layout->scalar_count; s++)
        if (layout->scalars[s].is_exact)
            flush(layout, s, into);
}

void reap__entry_store_sum(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    const struct reap__layout_scalar *scalar = &layout->scalars[s];
    reap__string_format(into,
                        "            reap__ulong reap_sum[%u];\n"
                        "            REAP_GLOBAL reap__type_%zu *const reap_at = (REAP_GLOBAL "
                        "reap__type_%zu *)(reap_m%zu + reap_b.w[%zu]) + reap_line;\n"
                        "            const reap__type_%zu reap_old = *reap_at;\n"
                        "            for (reap__uint reap_w = 0; reap_w < %u; reap_w++)\n"
                        "                reap_sum[reap_w] = reap_words%zu[reap_w];\n"
                        "            *reap_at = reap__exact_finish(reap_sum, &reap_old, "
                        "reap_b.w[%zu] == 0);\n",
                        words_of(scalar), s, s, scalar->variable_memory, scalar->variable_word, s,
                        words_of(scalar), s, scalar->initialize_word);
}

/* One thread runs this. The words become 0 again, for the next launch. */
void reap__entry_deliver_sum(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    const struct reap__layout_scalar *scalar = &layout->scalars[s];
    const unsigned words = words_of(scalar);
    reap__string_format(into,
                        "    REAP_GLOBAL reap__ulong *const words = (REAP_GLOBAL reap__ulong *)(m0 "
                        "+ b->w[%d] + %zu);\n"
                        "    reap__ulong sum[%u];\n"
                        "    REAP__UNROLL\n"
                        "    for (reap__uint w = 0; w < %u; w++)\n"
                        "        sum[w] = words[w];\n"
                        "    REAP__UNROLL\n"
                        "    for (reap__uint w = 0; w < %u; w++)\n"
                        "        words[w] = 0;\n",
                        REAP__WORD_COUNTER, REAP__SUMS_COUNTERS + s * (size_t)REAP__SUM_BYTES,
                        words, words, words);
    if (layout->span_count > 0)
        reap__string_format(into,
                            "    if (*(REAP_GLOBAL reap__uint *)(m%d + b->w[%d]) != 0)\n"
                            "        return;\n",
                            REAP__MEMORY_RESULTS, REAP__WORD_RESULTS);
    if (scalar->is_resident)
        reap__string_format(into,
                            "    *(REAP_GLOBAL reap__type_%zu *)(m%zu + b->w[%zu]) = "
                            "reap__exact_finish(sum, old, b->w[%zu] == 0);\n",
                            s, scalar->variable_memory, scalar->variable_word,
                            scalar->initialize_word);
    else
        reap__string_format(into,
                            "    REAP__UNROLL\n"
                            "    for (reap__uint w = 0; w < %u; w++)\n"
                            "        ((REAP_GLOBAL reap__ulong *)(m%d + b->w[%d] + %zu))[w] = "
                            "sum[w];\n",
                            words, REAP__MEMORY_RESULTS, REAP__WORD_RESULTS, scalar->delivered);
    reap__string_add(into, "}\n");
}
