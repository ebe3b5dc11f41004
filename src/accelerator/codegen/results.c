/* SPDX-License-Identifier: Apache-2.0
 *
 * Generated functions that deliver a reduction's result: to the memory that the host sees, which
 * finishes the variable then; or into the variable itself, where that lies on the device, as
 * reduction/store.c does it on the host. One thread does this, after the last fold.
 */
#include "src/accelerator/codegen/codegen.h"

#include <stdio.h>

/* What the variable is, read early, since it takes long. */
static void add_old(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    const struct reap__layout_scalar *scalar = &layout->scalars[s];
    reap__string_format(into, "REAP__FUNCTION void reap__old_%zu(const struct reap_block *b", s);
    reap__entry_add_each_memory(layout, ", REAP_GLOBAL reap__uchar *m", into);
    reap__string_format(into, ", reap__type_%zu *old, reap__tag_%zu *old_tag)\n{\n", s, s);
    if (scalar->is_resident)
        reap__string_format(
            into,
            "    REAP__COPY(reap__type_%zu, old, (REAP_GLOBAL reap__type_%zu *)(m%zu "
            "+ b->w[%zu]));\n",
            s, s, scalar->variable_memory, scalar->variable_word);
    if (scalar->is_resident && scalar->has_location)
        reap__string_format(into,
                            "    old_tag->at = *(REAP_GLOBAL reap__ulong *)(m%zu + b->w[%zu]);\n",
                            scalar->location_memory, scalar->location_word);
    else if (scalar->is_resident && scalar->has_flags)
        reap__string_add(into, "    old_tag->set = 1;\n");
    reap__string_add(into, "}\n");
}

static void add_to_host(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    reap__string_format(into, "    reap__write_%zu(m%d + b->w[%d] + %zu, 1, 0, value, tag);\n}\n",
                        s, REAP__MEMORY_RESULTS, REAP__WORD_RESULTS, layout->scalars[s].delivered);
}

/* The variable becomes op(variable, result), or the result. */
static void add_into_variable(const struct reap__layout *layout, size_t s,
                              struct reap__string *into)
{
    const struct reap__layout_scalar *scalar = &layout->scalars[s];
    if (scalar->has_flags)
        reap__string_add(into, "    if (!tag.set)\n"
                               "        return;\n");
    reap__string_format(into,
                        "    if (b->w[%zu] != 0) {\n"
                        "        REAP__COPY(reap__type_%zu, old, value);\n"
                        "        old_tag = tag;\n"
                        "    } else {\n"
                        "        reap__merge_%zu(old, &old_tag, value, tag);\n"
                        "    }\n",
                        scalar->initialize_word, s, s);
    if (scalar->reduction->is_builtin && scalar->reduction->number != REAP__NO_FLOAT)
        reap__string_add(into, "    reap__settle(old);\n");
    reap__string_format(into,
                        "    REAP__COPY(reap__type_%zu, (REAP_GLOBAL reap__type_%zu *)(m%zu + "
                        "b->w[%zu]), old);\n",
                        s, s, scalar->variable_memory, scalar->variable_word);
    if (scalar->has_location)
        reap__string_format(into,
                            "    *(REAP_GLOBAL reap__ulong *)(m%zu + b->w[%zu]) = old_tag.at;\n",
                            scalar->location_memory, scalar->location_word);
    reap__string_add(into, "}\n");
}

static void add_deliver(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    reap__string_format(into, "REAP__FUNCTION void reap__deliver_%zu(const struct reap_block *b",
                        s);
    reap__entry_add_each_memory(layout, ", REAP_GLOBAL reap__uchar *m", into);
    reap__string_format(
        into,
        ", const reap__type_%zu *value, const reap__tag_%zu tag, reap__type_%zu *old, "
        "reap__tag_%zu old_tag)\n{\n",
        s, s, s, s);
    if (layout->span_count > 0)
        reap__string_format(into,
                            "    if (*(REAP_GLOBAL reap__uint *)(m%d + b->w[%d]) != 0)\n"
                            "        return;\n",
                            REAP__MEMORY_RESULTS, REAP__WORD_RESULTS);
    if (layout->scalars[s].is_resident)
        add_into_variable(layout, s, into);
    else
        add_to_host(layout, s, into);
}

void reap__entry_add_olds(const struct reap__layout *layout, struct reap__string *into)
{
    for (size_t s = 0; s < layout->scalar_count; s++) {
        reap__string_format(into,
                            "    reap__type_%zu reap_o%zu;\n    reap__tag_%zu reap_ot%zu;\n"
                            "    if (reap__thread() == 0)\n"
                            "        reap__old_%zu(&reap_b",
                            s, s, s, s, s);
        reap__entry_add_each_memory(layout, ", reap_m", into);
        reap__string_format(into, ", &reap_o%zu, &reap_ot%zu);\n", s, s);
    }
}

void reap__entry_add_delivery(const struct reap__layout *layout, size_t s, const char *value,
                              const char *tag, struct reap__string *into)
{
    reap__string_format(into, "    reap__deliver_%zu(&reap_b", s);
    reap__entry_add_each_memory(layout, ", reap_m", into);
    reap__string_format(into, ", %s, %s, &reap_o%zu, reap_ot%zu);\n", value, tag, s, s);
}

/* The first lane of the root, which is in local memory where teams gather. */
static void add_root(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    const struct reap__layout_scalar *scalar = &layout->scalars[s];
    if (layout->gathers)
        reap__string_format(into,
                            "    reap__get_%zu((REAP_LOCAL reap__uchar *)(reap_shared + "
                            "REAP__ROOT_WORDS + %zu), %zu, 0, reap_r%zu, &reap_rt%zu);\n",
                            s, reap__layout_place(layout, s), scalar->lanes, s, s);
    else
        reap__string_format(
            into, "    reap__read_%zu(reap_m0 + reap_b.w[%zu], %zu, 0, reap_r%zu, &reap_rt%zu);\n",
            s, scalar->nodes_word, scalar->lanes, s, s);
}

void reap__entry_add_all_deliveries(const struct reap__layout *layout, struct reap__string *into)
{
    reap__string_add(into, "    if (reap__thread() != 0)\n        return;\n");
    for (size_t s = 0; s < layout->scalar_count; s++) {
        char value[32], tag[32];
        snprintf(value, sizeof value, "reap_r%zu", s);
        snprintf(tag, sizeof tag, "reap_rt%zu", s);
        if (reap__entry_is_in_place(layout, s))
            reap__string_format(
                into, "    REAP__VALUE_AT(reap__type_%zu, %s, reap_m0 + reap_b.w[%zu]);\n", s,
                value, layout->scalars[s].nodes_word);
        else
            reap__string_format(into, "    reap__type_%zu %s[1];\n", s, value);
        reap__string_format(into, "    reap__tag_%zu %s;\n", s, tag);
        add_root(layout, s, into);
        reap__entry_add_delivery(layout, s, value, tag, into);
    }
}

void reap__entry_add_deliveries(const struct reap__layout *layout, struct reap__string *into)
{
    for (size_t s = 0; s < layout->scalar_count; s++) {
        add_old(layout, s, into);
        add_deliver(layout, s, into);
    }
}
