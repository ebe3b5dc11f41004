/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact sums in entry functions. A thread has as many lanes of one as of other reductions, from the
 * begin of the entry to its end; include/reap/detail/device/exact.h has what is done with them.
 */
#include "src/accelerator/codegen/entry.h"

/* Of lanes and of the words of a group. */
static size_t lanes_of(const struct reap__layout *layout, size_t s)
{
    return layout->has_groups ? 1 : reap__entry_lanes(layout, s);
}

static unsigned words_of(const struct reap__layout_scalar *scalar)
{
    return REAP__EXACT_WORDS((unsigned)scalar->size);
}

/* How many threads a group has, as text. */
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

static void begin_sum(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    const size_t lanes = lanes_of(layout, s);
    reap__string_format(into,
                        "    REAP__SHARED(reap__ulong, reap_words%zu, %u);\n"
                        "    for (reap__uint reap_w = (reap__uint)reap__thread(); reap_w < %u; "
                        "reap_w += (reap__uint)%s)\n"
                        "        reap_words%zu[reap_w] = 0;\n"
                        "    %s reap_e%zu[%zu];\n"
                        "    struct reap_flag_exact_plus reap_et%zu[%zu];\n"
                        "    REAP__UNROLL\n"
                        "    for (int reap_j = 0; reap_j < %zu; reap_j++) {\n"
                        "        reap_e%zu[reap_j] = (%s)-0.0f;\n"
                        "        reap_et%zu[reap_j].second_%s = reap_et%zu[reap_j].third_%s = 0;\n"
                        "        reap_et%zu[reap_j].words = reap_words%zu;\n"
                        "    }\n",
                        s, words_of(&layout->scalars[s]), words_of(&layout->scalars[s]),
                        threads(layout), s, reap__entry_type(layout, s), s, lanes, s, lanes, lanes,
                        s, reap__entry_type(layout, s), s,
                        layout->scalars[s].size == sizeof(double) ? "double" : "float", s,
                        layout->scalars[s].size == sizeof(double) ? "double" : "float", s, s);
}

void reap__entry_begin_sums(const struct reap__layout *layout, struct reap__string *into)
{
    if (count_sums(layout) == 0)
        return;
    if (!layout->has_groups)
        reap__string_format(into, "#undef REAP__ENTRY_THREADS\n#define REAP__ENTRY_THREADS %zu\n",
                            layout->threads);
    for (size_t s = 0; s < layout->scalar_count; s++)
        if (layout->scalars[s].is_exact)
            begin_sum(layout, s, into);
    reap__string_add(into, "    reap__sync();\n");
}

void reap__entry_add_sum(size_t s, struct reap__string *into)
{
    reap__string_format(into, ", &reap_e%zu[reap_s%zu], &reap_et%zu[reap_s%zu]", s, s, s, s);
}

static void flush(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    reap__string_format(into,
                        "    REAP__UNROLL\n"
                        "    for (int reap_j = 1; reap_j < %zu; reap_j++)\n"
                        "        reap__exact_merge(&reap_et%zu[0], &reap_e%zu[0], "
                        "&reap_et%zu[reap_j], &reap_e%zu[reap_j]);\n"
                        "    reap__exact_flush(&reap_et%zu[0], &reap_e%zu[0]);\n",
                        lanes_of(layout, s), s, s, s, s, s, s);
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

/* One thread: the words become 0 again. */
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
