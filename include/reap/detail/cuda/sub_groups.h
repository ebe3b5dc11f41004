/* SPDX-License-Identifier: Apache-2.0
 *
 * What algorithms of sub-groups are made of, in CUDA C++: shuffles of a warp, whose threads are
 * those of 32 consecutive work-items, since a group's threads are in one dimension.
 */
#ifndef REAP_DETAIL_CUDA_SUB_GROUPS_H
#define REAP_DETAIL_CUDA_SUB_GROUPS_H

/* The lanes of the sub-group. */
REAP__FUNCTION reap__uint reap__lane_mask(const reap_item item)
{
    return ~0u >> (REAP_SUB_GROUP_SIZE - reap__lanes(item));
}

template <typename T> REAP__FUNCTION T reap__fetch_lane(const reap_item item, T v, reap__uint from)
{
    constexpr int words = (sizeof(T) + 3) / 4;
    const reap__uint mask = reap__lane_mask(item);
    union either {
        T value;
        reap__uint words[(sizeof(T) + 3) / 4];
    } either;
    either.value = v;
    if constexpr (REAP__IS_LARGE(T)) {
        REAP__NO_UNROLL
        for (int w = 0; w < words; w++)
            either.words[w] = __shfl_sync(mask, either.words[w], from);
    } else {
        REAP__UNROLL
        for (int w = 0; w < words; w++)
            either.words[w] = __shfl_sync(mask, either.words[w], from);
    }
    return either.value;
}
#define REAP__LANE_FROM(T, v, from) reap__fetch_lane<T>(reap_item_, v, from)

REAP__FUNCTION reap__uint reap__ballot_of(const reap_item item, bool is_true)
{
    return __ballot_sync(reap__lane_mask(item), is_true);
}

/* It orders local and global memory. */
REAP__FUNCTION void reap__sync_lanes(const reap_item item, int spaces)
{
    (void)spaces;
    __syncwarp(reap__lane_mask(item));
}

#endif
