/* SPDX-License-Identifier: Apache-2.0
 *
 * Algorithms of sub-groups on devices, in the order of docs/groups.md, for kernel files that
 * mention them. They are macros, so that no function is compiled for a type that a kernel does not
 * have. What they are made of is the device's own (cuda/sub_groups.h, opencl/sub_groups.h):
 * - REAP__LANE_FROM(T, v, from): the value of a lane that the sub-group has;
 * - reap__ballot_of(item, is_true): a bit of each lane;
 * - reap__sync_lanes(item, spaces).
 * Without warps the two files' place is taken by barriers of the group, which all its items must
 * reach then; the library has looked at the kernel's text for that
 * (src/accelerator/preprocess/uniformity.c).
 */
#ifndef REAP_DETAIL_DEVICE_SUB_GROUPS_H
#define REAP_DETAIL_DEVICE_SUB_GROUPS_H

#ifdef REAP__COUNTS_EPOCHS
#error                                                                                             \
    "Reap: on devices a kernel file with sub-groups (reap_sub_group_...) cannot combine into a \
span whose order matters; use a scalar reduction, a file for each kernel, or another operator"
#endif

/* A lane of a sub-group; how many the sub-group has. */
REAP__FUNCTION reap__uint reap__lane(const reap_item item)
{
    return (reap__uint)item.local_linear_id % REAP_SUB_GROUP_SIZE;
}

REAP__FUNCTION reap__uint reap__lanes(const reap_item item)
{
    const size_t left = item.items - (item.local_linear_id - reap__lane(item));
    return left < REAP_SUB_GROUP_SIZE ? (reap__uint)left : REAP_SUB_GROUP_SIZE;
}

/* The lane that a lane gets its value from: itself where the one that it asks for is not there. */
REAP__FUNCTION reap__uint reap__lane_at(const reap_item item, size_t from)
{
    return from < reap__lanes(item) ? (reap__uint)from : reap__lane(item);
}

REAP__FUNCTION reap__uint reap__lane_up(const reap_item item, size_t by)
{
    return reap__lane(item) - (by <= reap__lane(item) ? (reap__uint)by : 0);
}

REAP__FUNCTION reap__uint reap__lane_down(const reap_item item, size_t by)
{
    return reap__lane(item) + (by < reap__lanes(item) - reap__lane(item) ? (reap__uint)by : 0);
}

REAP__FUNCTION reap__uint reap__lane_xor(const reap_item item, size_t mask)
{
    return reap__lane_at(item, reap__lane(item) ^ mask);
}

#define reap_sub_group_shuffle(T, v, item) REAP__LANE_FROM(T, v, reap__lane_at(reap_item_, item))
#define reap_sub_group_shuffle_up(T, v, by) REAP__LANE_FROM(T, v, reap__lane_up(reap_item_, by))
#define reap_sub_group_shuffle_down(T, v, by) REAP__LANE_FROM(T, v, reap__lane_down(reap_item_, by))
#define reap_sub_group_shuffle_xor(T, v, mask)                                                     \
    REAP__LANE_FROM(T, v, reap__lane_xor(reap_item_, mask))
#define reap_sub_group_broadcast(T, v, item) reap_sub_group_shuffle(T, v, item)
#define reap_sub_group_barrier(spaces) reap__sync_lanes(reap_item_, spaces)

#define reap_sub_group_ballot(condition) reap__ballot_of(reap_item_, (condition) != 0)
#define reap_sub_group_any(condition) (reap_sub_group_ballot(condition) != 0)
#define reap_sub_group_all(condition) (reap_sub_group_ballot((condition) == 0) == 0)
#define reap_sub_group_none(condition) (reap_sub_group_ballot(condition) == 0)

/* Minimum and maximum ignore NaNs, as a reduction does, which begins with the identity. */
#define REAP__SUB_BEGIN(op, T, v)                                                                  \
    REAP__PASTE(REAP__SUB_BEGIN_, REAP__SECOND(REAP__PASTE(REAP__IGNORES_NANS_, op), 0))(op, T, v)
#define REAP__IGNORES_NANS_minimum ~, 1
#define REAP__IGNORES_NANS_maximum ~, 1
#define REAP__SUB_BEGIN_0(op, T, v)
#define REAP__SUB_BEGIN_1(op, T, v)                                                                \
    {                                                                                              \
        const T reap_none_ = REAP__JOINT(IDENTITY, op)(op, T);                                     \
        v = REAP__JOINT(APPLY, op)(op, reap_none_, v);                                             \
    }

/* reap_own_ becomes the result, by steps of all lanes, reap_l_ of reap_n_. */
#define REAP__STEPS_REDUCE(op, T)                                                                  \
    for (reap__uint reap_h_ = REAP_SUB_GROUP_SIZE / 2; reap_h_ > 0; reap_h_ /= 2) {                \
        const bool reap_pairs_ = reap_l_ < reap_h_ && reap_l_ + reap_h_ < reap_n_;                 \
        const T reap_other_ =                                                                      \
            REAP__LANE_FROM(T, reap_own_, reap_pairs_ ? reap_l_ + reap_h_ : reap_l_);              \
        if (reap_pairs_)                                                                           \
            reap_own_ = REAP__JOINT(APPLY, op)(op, reap_own_, reap_other_);                        \
    }                                                                                              \
    reap_own_ = REAP__LANE_FROM(T, reap_own_, 0);
#define REAP__STEPS_SCAN(op, T)                                                                    \
    for (reap__uint reap_d_ = 1; reap_d_ < REAP_SUB_GROUP_SIZE; reap_d_ *= 2) {                    \
        const bool reap_has_ = reap_l_ >= reap_d_;                                                 \
        const T reap_other_ =                                                                      \
            REAP__LANE_FROM(T, reap_own_, reap_has_ ? reap_l_ - reap_d_ : reap_l_);                \
        if (reap_has_)                                                                             \
            reap_own_ = REAP__JOINT(APPLY, op)(op, reap_other_, reap_own_);                        \
    }

#ifdef REAP__IS_PROCESSOR
/* On a processor the first lane computes the results of all, as group algorithms do (collectives.h
 * says why), where values fit in an item's memory for the exchange. */
#define REAP__SUB_EITHER(T, STEPS, ONCE, op)                                                       \
    if (sizeof(T) <= sizeof(reap__ulong2)) {                                                       \
        REAP_LOCAL T *const reap_all_ =                                                            \
            (REAP_LOCAL T *)reap_item_.exchange + (reap_item_.local_linear_id - reap_l_);          \
        reap_all_[reap_l_] = reap_own_;                                                            \
        reap__sync_items(reap_item_);                                                              \
        if (reap_l_ == 0) {                                                                        \
            ONCE(op)                                                                               \
        }                                                                                          \
        reap__sync_items(reap_item_);                                                              \
        reap_own_ = reap_all_[reap_l_];                                                            \
    } else {                                                                                       \
        STEPS(op, T)                                                                               \
    }
#define REAP__ONCE_REDUCE(op)                                                                      \
    for (reap__uint reap_h_ = REAP_SUB_GROUP_SIZE / 2; reap_h_ > 0; reap_h_ /= 2)                  \
        for (reap__uint reap_i_ = 0; reap_i_ < reap_h_ && reap_i_ + reap_h_ < reap_n_; reap_i_++)  \
            reap_all_[reap_i_] =                                                                   \
                REAP__JOINT(APPLY, op)(op, reap_all_[reap_i_], reap_all_[reap_i_ + reap_h_]);      \
    for (reap__uint reap_i_ = 1; reap_i_ < reap_n_; reap_i_++)                                     \
        reap_all_[reap_i_] = reap_all_[0];
#define REAP__ONCE_SCAN(op)                                                                        \
    for (reap__uint reap_d_ = 1; reap_d_ < reap_n_; reap_d_ *= 2)                                  \
        for (reap__uint reap_i_ = reap_n_; reap_i_-- > reap_d_;)                                   \
            reap_all_[reap_i_] =                                                                   \
                REAP__JOINT(APPLY, op)(op, reap_all_[reap_i_ - reap_d_], reap_all_[reap_i_]);
#else
#define REAP__SUB_EITHER(T, STEPS, ONCE, op) STEPS(op, T)
#endif

#define REAP__SUB_ALGORITHM(op, T, v, STEPS, ONCE)                                                 \
    REAP__VALUE_OF(                                                                                \
        reap_own_, T reap_own_ = (v);                                                              \
        REAP__SUB_BEGIN(op, T, reap_own_) const reap__uint reap_l_ = reap__lane(reap_item_),       \
        reap_n_ = reap__lanes(reap_item_);                                                         \
        (void)reap_n_; REAP__SUB_EITHER(T, STEPS, ONCE, op) REAP__JOINT(SETTLE, op)(reap_own_);    \
        REAP__END_BRANCHES(reap_item_);)
#define reap_sub_group_reduce(op, T, v)                                                            \
    REAP__SUB_ALGORITHM(op, T, v, REAP__STEPS_REDUCE, REAP__ONCE_REDUCE)
#define reap_sub_group_inclusive_scan(op, T, v)                                                    \
    REAP__SUB_ALGORITHM(op, T, v, REAP__STEPS_SCAN, REAP__ONCE_SCAN)

/* The scan's result of the lane before; of the first lane, FIRST. */
#define REAP__SUB_SHIFTED(op, T, v, FIRST)                                                         \
    REAP__VALUE_OF(reap_before_, const T reap_scan_ = reap_sub_group_inclusive_scan(op, T, v);     \
                   T reap_before_ = REAP__LANE_FROM(T, reap_scan_, reap__lane_up(reap_item_, 1));  \
                   if (reap__lane(reap_item_) == 0) reap_before_ = FIRST;                          \
                   REAP__END_BRANCHES(reap_item_);)
#define reap_sub_group_exclusive_scan(op, T, v)                                                    \
    REAP__SUB_SHIFTED(op, T, v, (REAP__JOINT(IDENTITY, op)(op, T)))

#define reap_sub_group_reduce_from(op, T, v, initial)                                              \
    REAP__GROUP_AFTER(op, T, initial, reap_sub_group_reduce(op, T, v))
#define reap_sub_group_inclusive_scan_from(op, T, v, initial)                                      \
    REAP__GROUP_AFTER(op, T, initial, reap_sub_group_inclusive_scan(op, T, v))
#define reap_sub_group_exclusive_scan_from(op, T, v, initial)                                      \
    REAP__VALUE_OF(reap_from_, const T reap_start_ = (initial);                                    \
                   T reap_from_ = REAP__SUB_SHIFTED(op, T, v, reap_start_);                        \
                   if (reap__lane(reap_item_) > 0) reap_from_ =                                    \
                       REAP__JOINT(APPLY, op)(op, reap_start_, reap_from_);                        \
                   REAP__JOINT(SETTLE, op)(reap_from_); REAP__END_BRANCHES(reap_item_);)

/* In kernels in phases: a phase. */
#define REAP__SUB_GROUPS(name, value)                                                              \
    do {                                                                                           \
        reap__begin_phase();                                                                       \
        reap_private(name) = value;                                                                \
        reap__sync_items(reap_item_);                                                              \
    } while (0)
#define reap_sub_groups_reduce(op, T, name, v)                                                     \
    REAP__SUB_GROUPS(name, reap_sub_group_reduce(op, T, v))
#define reap_sub_groups_inclusive_scan(op, T, name, v)                                             \
    REAP__SUB_GROUPS(name, reap_sub_group_inclusive_scan(op, T, v))
#define reap_sub_groups_exclusive_scan(op, T, name, v)                                             \
    REAP__SUB_GROUPS(name, reap_sub_group_exclusive_scan(op, T, v))
#define reap_sub_groups_shuffle(T, name, v, item)                                                  \
    REAP__SUB_GROUPS(name, reap_sub_group_shuffle(T, v, item))
#define reap_sub_groups_shuffle_up(T, name, v, by)                                                 \
    REAP__SUB_GROUPS(name, reap_sub_group_shuffle_up(T, v, by))
#define reap_sub_groups_shuffle_down(T, name, v, by)                                               \
    REAP__SUB_GROUPS(name, reap_sub_group_shuffle_down(T, v, by))
#define reap_sub_groups_shuffle_xor(T, name, v, mask)                                              \
    REAP__SUB_GROUPS(name, reap_sub_group_shuffle_xor(T, v, mask))
#define reap_sub_groups_any(name, condition) REAP__SUB_GROUPS(name, reap_sub_group_any(condition))
#define reap_sub_groups_all(name, condition) REAP__SUB_GROUPS(name, reap_sub_group_all(condition))
#define reap_sub_groups_none(name, condition) REAP__SUB_GROUPS(name, reap_sub_group_none(condition))
#define reap_sub_groups_ballot(name, condition)                                                    \
    REAP__SUB_GROUPS(name, reap_sub_group_ballot(condition))

#endif
