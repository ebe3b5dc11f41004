/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that write down all ids and ranges of their work-items, where the dialect has them.
 */
#include <reap/kernel.h>

/* What is noted of an item, three numbers each, then three linear ids, three linear ranges, and
 * whether it is its group's leader. */
enum {
    NOTED_GLOBAL_ID = 0,
    NOTED_GLOBAL_RANGE = 3,
    NOTED_LOCAL_ID = 6,
    NOTED_LOCAL_RANGE = 9,
    NOTED_GROUP_ID = 12,
    NOTED_GROUP_RANGE = 15,
    NOTED_LINEAR = 18,
    NOTED_LINEAR_RANGE = 21,
    NOTED_LEADER = 24,
    NOTED = 25
};

static void note_item(REAP_ITEM, REAP_GLOBAL uint64_t *note)
{
    for (int d = 0; d < 3; d++) {
        note[NOTED_GLOBAL_ID + d] = reap_global_id(d);
        note[NOTED_GLOBAL_RANGE + d] = reap_global_range(d);
        note[NOTED_LOCAL_ID + d] = reap_local_id(d);
        note[NOTED_LOCAL_RANGE + d] = reap_local_range(d);
        note[NOTED_GROUP_ID + d] = reap_group_id(d);
        note[NOTED_GROUP_RANGE + d] = reap_group_range(d);
    }
    note[NOTED_LINEAR] = reap_global_linear_id();
    note[NOTED_LINEAR + 1] = reap_local_linear_id();
    note[NOTED_LINEAR + 2] = reap_group_linear_id();
    note[NOTED_LINEAR_RANGE] = reap_global_linear_range();
    note[NOTED_LINEAR_RANGE + 1] = reap_local_linear_range();
    note[NOTED_LINEAR_RANGE + 2] = reap_group_linear_range();
    note[NOTED_LEADER] = reap_group_leader();
}

/* How often an item runs is counted. */
REAP_ND_KERNEL(note_items, inout(uint64_t, notes), inout(unsigned, runs))
{
    const size_t i = reap_global_linear_id();
    note_item(REAP_THIS_ITEM, notes + NOTED * i);
    runs[i]++;
}

REAP_ND_KERNEL(note_items_after_barrier, inout(uint64_t, notes), inout(unsigned, runs))
{
    reap_barrier(REAP_LOCAL_SPACE);
    const size_t i = reap_global_linear_id();
    note_item(REAP_THIS_ITEM, notes + NOTED * i);
    runs[i]++;
}

REAP_GROUP_KERNEL(note_items_in_phase, inout(uint64_t, notes), inout(unsigned, runs))
{
    reap_for_each_item {
        const size_t i = reap_global_linear_id();
        note_item(REAP_THIS_ITEM, notes + NOTED * i);
        runs[i]++;
    }
}

/* What a group knows of itself between phases; it has no local ids and no global ones. */
REAP_GROUP_KERNEL(note_groups, inout(uint64_t, notes))
{
    size_t found[NOTED] = {0};
    for (unsigned d = 0; d < 3; d++) {
        found[NOTED_GLOBAL_RANGE + d] = reap_global_range(d);
        found[NOTED_LOCAL_RANGE + d] = reap_local_range(d);
        found[NOTED_GROUP_ID + d] = reap_group_id(d);
        found[NOTED_GROUP_RANGE + d] = reap_group_range(d);
    }
    found[NOTED_LINEAR + 2] = reap_group_linear_id();
    found[NOTED_LINEAR_RANGE] = reap_global_linear_range();
    found[NOTED_LINEAR_RANGE + 1] = reap_local_linear_range();
    found[NOTED_LINEAR_RANGE + 2] = reap_group_linear_range();
    const size_t group = reap_group_linear_id();
    reap_for_each_item {
        for (unsigned d = 0; d < 3 && reap_local_linear_id() == 0; d++) {
            notes[NOTED * group + NOTED_GLOBAL_RANGE + d] = found[NOTED_GLOBAL_RANGE + d];
            notes[NOTED * group + NOTED_LOCAL_RANGE + d] = found[NOTED_LOCAL_RANGE + d];
            notes[NOTED * group + NOTED_GROUP_ID + d] = found[NOTED_GROUP_ID + d];
            notes[NOTED * group + NOTED_GROUP_RANGE + d] = found[NOTED_GROUP_RANGE + d];
            notes[NOTED * group + NOTED_LINEAR_RANGE + d] = found[NOTED_LINEAR_RANGE + d];
            notes[NOTED * group + NOTED_LINEAR + 2] = found[NOTED_LINEAR + 2];
        }
    }
}

/* Of a range with more than 2^31 items, those of one group. */
REAP_GROUP_KERNEL(note_one_group, value(size_t, wanted), inout(uint64_t, notes),
                  inout(unsigned, runs))
{
    if (reap_group_linear_id() == wanted) {
        reap_for_each_item {
            const size_t i = reap_local_linear_id();
            note_item(REAP_THIS_ITEM, notes + NOTED * i);
            runs[i]++;
        }
    }
}

REAP_ND_KERNEL(note_one_item, inout(uint64_t, notes))
{
    note_item(REAP_THIS_ITEM, notes);
}
