/* SPDX-License-Identifier: Apache-2.0
 *
 * The entry function that logs the values of work-items instead of combining them, for the begin
 * and the end of a launch into parts: less than a leaf of items, so speed does not matter. A thread
 * runs one item at a time, keeps its values in an array of its own (REAP__LOGS_VALUES in
 * include/reap/detail/device/operators.h), and copies them and their number to the scratch buffer.
 * Of a reduction with a location only the item's best value is kept. Spans are combined into as in
 * any launch.
 */
#include "src/accelerator/codegen/entry.h"

static void add_own_values(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    const struct reap__layout_scalar *scalar = &layout->scalars[s];
    reap__string_format(into,
                        "        const reap__uint reap_s%zu = 0;\n"
                        "        reap__type_%zu reap_l%zu[%zu];\n",
                        s, s, s, reap__most_logged(scalar));
    if (scalar->is_exact)
        reap__string_format(into, "        struct reap_flag_exact_plus reap_t%zu[1];\n", s);
    else
        reap__string_format(into, "        reap__tag_%zu reap_t%zu[1];\n", s, s);
    if (scalar->has_location)
        reap__string_format(
            into, "        reap__start_of_%zu(&reap_b, reap_m0, &reap_l%zu[0], &reap_t%zu[0]);\n",
            s, s, s);
    else
        reap__string_format(into, "        reap_t%zu[0].count = 0;\n", s);
}

/* Stores one value if values have a location, otherwise as many as were counted. */
static void add_stores(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    const struct reap__layout_scalar *scalar = &layout->scalars[s];
    const size_t most = reap__most_logged(scalar);
    reap__string_format(into, "        for (reap__uint reap_k = 0; reap_k < %zu", most);
    if (!scalar->has_location)
        reap__string_format(into, " && reap_k < reap_t%zu[0].count", s);
    reap__string_format(into,
                        "; reap_k++)\n"
                        "            REAP__COPY(reap__type_%zu, (REAP_GLOBAL reap__type_%zu "
                        "*)(reap_m0 + reap_b.w[%zu]) + reap_i * %zu + reap_k, &reap_l%zu[reap_k]);"
                        "\n",
                        s, s, scalar->nodes_word, most, s);
    reap__string_format(into,
                        "        ((REAP_GLOBAL reap__ulong *)(reap_m0 + reap_b.w[%zu]))[reap_i] = "
                        "reap_t%zu[0].%s;\n",
                        scalar->slots_word, s, scalar->has_location ? "at" : "count");
}

/* Delayed combinations into spans (spans.c): each item is a row. */
static void add_spans(const struct reap__layout *layout, struct reap__string *into)
{
    reap__string_add(into, "        const reap__uint reap_u = 0, reap_v = 0;\n"
                           "        (void)reap_u, (void)reap_v;\n");
    reap__entry_add_deferred(layout, "1", into);
    for (size_t s = 0; s < layout->span_count; s++)
        if (reap__entry_span_defers(layout, s))
            reap__string_format(into, "        reap_xs%zu.deferred = &reap_deferred%zu[0];\n", s,
                                s);
}

void reap__entry_add_item_log(const struct reap__layout *layout, struct reap__string *into)
{
    reap__string_format(into, "REAP__ENTRY(reap_entry, %zu)\n", layout->threads);
    reap__entry_add_parameters(layout, into);
    reap__string_add(into, ")\n{\n    reap__begin();\n");
    reap__entry_add_arguments(layout, into);
    reap__string_format(
        into,
        "    for (reap__ulong reap_i = reap__group() * %zu + reap__thread(); reap_i "
        "< reap_b.w[%d]; reap_i += reap__groups() * %zu) {\n",
        layout->threads, REAP__WORD_ITEMS, layout->threads);
    add_spans(layout, into);
    for (size_t s = 0; s < layout->scalar_count; s++)
        add_own_values(layout, s, into);
    reap__entry_add_item(layout, "        ", into);
    reap__entry_add_call(layout, "        ", into);
    for (size_t s = 0; s < layout->scalar_count; s++)
        add_stores(layout, s, into);
    reap__entry_add_combinations(layout, "1", into);
    reap__string_add(into, "    }\n}\n");
}
