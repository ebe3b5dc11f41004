/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

static uint32_t count_bits(uint32_t bits)
{
    bits -= bits >> 1 & 0x55555555;
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
    return ((bits + (bits >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

/* Each sub-group of 32 work-items takes room for all values that it keeps, by one atomic operation;
 * which of them come first, differs from run to run. */
REAP_ND_KERNEL(keep_positive, in(float, values), value(size_t, count), out(float, kept),
               inout(uint32_t, used))
{
    size_t i = reap_global_id(0);
    bool is_kept = i < count && values[i] > 0;
    uint32_t ballot = reap_sub_group_ballot(is_kept), first = 0;
    if (reap_sub_group_leader())
        first = reap_atomic_fetch_add(used, count_bits(ballot));
    first = reap_sub_group_broadcast(uint32_t, first, 0);
    uint32_t before = ballot & ((1u << reap_sub_group_local_id()) - 1);
    if (is_kept)
        kept[first + count_bits(before)] = values[i];
}
