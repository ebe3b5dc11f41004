/* SPDX-License-Identifier: Apache-2.0
 *
 * What algorithms of sub-groups are made of, in OpenCL C. On NVIDIA's devices, whose groups have
 * their threads in one dimension, a sub-group is a warp, and the instructions are PTX, which their
 * compiler takes. On other devices it is 32 work-items of a group that exchange values through
 * local memory at barriers of the whole group: OpenCL's own sub-groups have a size and a mapping of
 * work-items that are the device's, and PoCL's run in loops between barriers of the group.
 */
#ifndef REAP_DETAIL_OPENCL_SUB_GROUPS_H
#define REAP_DETAIL_OPENCL_SUB_GROUPS_H

#ifdef REAP__HAS_WARPS

/* The lanes of the sub-group. */
REAP__FUNCTION reap__uint reap__lane_mask(const reap_item item)
{
    return ~0u >> (REAP_SUB_GROUP_SIZE - reap__lanes(item));
}

/* PTX ISA, shfl.sync, vote.sync and bar.warp.sync. */
REAP__FUNCTION reap__uint reap__fetch_lane(reap__uint mask, reap__uint word, reap__uint from)
{
    reap__uint result;
    __asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, 31, %3;"
                     : "=r"(result)
                     : "r"(word), "r"(from), "r"(mask));
    return result;
}

#define REAP__LANE_FROM(T, v, from)                                                                \
    ({                                                                                             \
        union {                                                                                    \
            reap__uint words[(sizeof(T) + 3) / 4];                                                 \
            T value;                                                                               \
        } reap_v_;                                                                                 \
        reap_v_.value = (v);                                                                       \
        const reap__uint reap_from_ = (from), reap_mask_ = reap__lane_mask(reap_item_);            \
        for (reap__uint reap_w_ = 0; reap_w_ < (sizeof(T) + 3) / 4; reap_w_++)                     \
            reap_v_.words[reap_w_] =                                                               \
                reap__fetch_lane(reap_mask_, reap_v_.words[reap_w_], reap_from_);                  \
        reap_v_.value;                                                                             \
    })

REAP__FUNCTION reap__uint reap__ballot_of(const reap_item item, bool is_true)
{
    reap__uint result;
    __asm__ volatile("{\n\t.reg .pred is_true;\n\tsetp.ne.u32 is_true, %1, 0;\n\t"
                     "vote.sync.ballot.b32 %0, is_true, %2;\n\t}"
                     : "=r"(result)
                     : "r"((reap__uint)is_true), "r"(reap__lane_mask(item)));
    return result;
}

/* It orders local and global memory. */
REAP__FUNCTION void reap__sync_lanes(const reap_item item, int spaces)
{
    (void)spaces;
    __asm__ volatile("bar.warp.sync %0;" ::"r"(reap__lane_mask(item)) : "memory");
}

#else

#define REAP__LANE_FROM(T, v, from)                                                                \
    REAP__GROUP_FROM(T, v, reap_item_.local_linear_id - reap__lane(reap_item_) + (from))

REAP__FUNCTION reap__uint reap__ballot_of(const reap_item item, bool is_true)
{
    REAP_LOCAL reap__ulong2 *const all = item.exchange + (item.local_linear_id - reap__lane(item));
    reap__uint result = 0;
    all[reap__lane(item)].x = is_true;
    reap__sync_items(item);
    for (reap__uint i = 0; i < reap__lanes(item); i++)
        result |= (reap__uint)all[i].x << i;
    reap__sync_items(item);
    return result;
}

REAP__FUNCTION void reap__sync_lanes(const reap_item item, int spaces)
{
    reap__sync_spaces(spaces);
}

#endif

#endif
