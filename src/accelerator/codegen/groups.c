/* SPDX-License-Identifier: Apache-2.0
 *
 * The entry function of a kernel with work-groups: a group of threads runs one work-group. (Not
 * several in a loop: an OpenCL compiler for processors takes minutes for barriers in nested loops.)
 * Dynamic local memory begins with the values that work-items exchange, in group algorithms and in
 * the fold of their lanes; the kernel's local arrays follow.
 */
#include "src/accelerator/codegen/entry.h"

/* The ids within the group. One dimension needs no divisions, for which devices take many
 * instructions. */
static const char local_ids[] =
    "    reap_item reap_it;\n"
    "    reap_it.local_linear_id = reap__thread();\n"
    "    reap_it.items = reap_b.w[%d] * reap_b.w[%d] * reap_b.w[%d];\n"
    "    for (int reap_d = 0; reap_d < 3; reap_d++) {\n"
    "        reap_it.local_range[reap_d] = reap_b.w[%d + reap_d];\n"
    "        reap_it.global_range[reap_d] = reap_b.w[%d + reap_d];\n"
    "        reap_it.group_range[reap_d] = 1;\n"
    "    }\n"
    "    reap_it.group_range[0] = reap_it.global_range[0] / reap_it.local_range[0];\n"
    "    const int reap_is_line = reap_b.w[%d] * reap_b.w[%d] == 1;\n"
    "    reap_it.local_id[0] = reap__thread();\n"
    "    reap_it.local_id[1] = reap_it.local_id[2] = 0;\n"
    "    if (!reap_is_line) {\n"
    "        for (int reap_d = 1; reap_d < 3; reap_d++)\n"
    "            reap_it.group_range[reap_d] = reap_it.global_range[reap_d] / "
    "reap_it.local_range[reap_d];\n"
    "        const reap__uint reap_y = (reap__uint)reap_it.local_range[1];\n"
    "        const reap__uint reap_z = (reap__uint)reap_it.local_range[2];\n"
    "        const reap__uint reap_t = (reap__uint)reap__thread();\n"
    "        reap_it.local_id[2] = reap_t %% reap_z;\n"
    "        reap_it.local_id[1] = reap_t / reap_z %% reap_y;\n"
    "        reap_it.local_id[0] = reap_t / reap_z / reap_y;\n"
    "    }\n"
    "    reap_it.exchange = (REAP_LOCAL reap__ulong2 *)reap_dynamic;\n";

static const char group_ids[] =
    "    reap_it.group_id[0] = reap_it.group_linear_id;\n"
    "    reap_it.group_id[1] = reap_it.group_id[2] = 0;\n"
    "    if (!reap_is_line) {\n"
    "        reap_it.group_id[2] = reap_it.group_linear_id % reap_it.group_range[2];\n"
    "        reap_it.group_id[1] = reap_it.group_linear_id / reap_it.group_range[2] % "
    "reap_it.group_range[1];\n"
    "        reap_it.group_id[0] = reap_it.group_linear_id / reap_it.group_range[2] / "
    "reap_it.group_range[1];\n"
    "    }\n"
    "    for (int reap_d = 0; reap_d < 3; reap_d++)\n"
    "        reap_it.global_id[reap_d] = reap_it.group_id[reap_d] * reap_it.local_range[reap_d] + "
    "reap_it.local_id[reap_d];\n"
    "    reap_it.global_linear_id = (reap_it.global_id[0] * reap_it.global_range[1] + "
    "reap_it.global_id[1]) * reap_it.global_range[2] + reap_it.global_id[2];\n";

static void add_ids(struct reap__string *into)
{
    reap__string_format(into, local_ids, REAP__WORD_LOCAL, REAP__WORD_LOCAL + 1,
                        REAP__WORD_LOCAL + 2, REAP__WORD_LOCAL, REAP__WORD_SIZE,
                        REAP__WORD_SIZE + 1, REAP__WORD_SIZE + 2);
}

/* The group is number reap_g of the launch; a share's launch begins with another group of the
 * range. */
static void add_group_ids(const struct reap__layout *layout, struct reap__string *into)
{
    reap__string_format(into, "    const reap__ulong reap_g = reap_b.w[%d] + reap__group();\n",
                        REAP__WORD_FIRST);
    if (layout->has_start)
        reap__string_format(into, "    reap_it.group_linear_id = reap_b.w[%d] + reap_g;\n",
                            REAP__WORD_START);
    else
        reap__string_add(into, "    reap_it.group_linear_id = reap_g;\n");
    reap__string_add(into, group_ids);
}

/* Folds the lanes of a group's items to the group's result. */
static void add_fold(const struct reap__layout *layout, size_t s, struct reap__string *into)
{
    reap__string_format(
        into,
        "    reap__put_%zu((REAP_LOCAL reap__uchar *)reap_dynamic, reap_it.items, "
        "reap_it.local_linear_id, &reap_l%zu[0], reap_t%zu[0]);\n"
        "    reap__tree_%zu(reap_it.items, reap_dynamic, reap_reach, reap_it.items, "
        "reap_m0 + reap_b.w[%zu], reap_b.w[%d], reap_g);\n",
        s, s, s, s, layout->scalars[s].parts_word, REAP__WORD_PARTS);
}

void reap__entry_add_groups(const struct reap__layout *layout, struct reap__string *into)
{
    if (layout->threads == 0)
        reap__string_add(into, "REAP__ANY_GROUP_ENTRY(reap_entry)\n");
    else
        reap__string_format(into, "REAP__ENTRY(reap_entry, %zu)\n", layout->threads);
    reap__entry_add_parameters(layout, into);
    reap__string_add(into, " REAP__DYNAMIC_PARAMETER(reap_dynamic))\n{\n"
                           "    REAP__DYNAMIC_MEMORY(reap_dynamic);\n"
                           "    reap__begin();\n");
    reap__entry_add_arguments(layout, into);
    add_ids(into);
    reap__string_add(into, "    size_t reap_reach = 1;\n"
                           "    while (reap_reach < reap_it.items)\n"
                           "        reap_reach *= 2;\n"
                           "    reap_reach /= 2;\n");
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__string_format(into,
                            "    reap__type_%zu reap_l%zu[1];\n    reap__tag_%zu reap_t%zu[1];\n",
                            s, s, s, s);
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__string_format(into, "    const int reap_s%zu = 0;\n", s);
    add_group_ids(layout, into);
    for (size_t s = 0; s < layout->scalar_count; s++)
        reap__entry_add_starts(layout, s, 1, "    ", into);
    reap__entry_begin_sums(layout, into);
    reap__entry_add_call(layout, "    ", into);
    reap__entry_end_sums(layout, into);
    if (layout->scalar_count > 0)
        reap__string_add(into, "    reap__sync();\n");
    for (size_t s = 0; s < layout->scalar_count; s++)
        add_fold(layout, s, into);
    reap__string_add(into, "}\n");
}
