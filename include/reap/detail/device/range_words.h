/* SPDX-License-Identifier: Apache-2.0
 *
 * The keywords that need a work-group, when a REAP_KERNEL is compiled. A helper function may
 * contain them for other kernels of its file. Each calls a function that is not defined: if the
 * kernel reaches one, its program has an error, or code with that name in it. The library searches
 * for the name (src/accelerator/preprocess/dialect.c).
 */
#ifndef REAP_DETAIL_DEVICE_RANGE_WORDS_H
#define REAP_DETAIL_DEVICE_RANGE_WORDS_H

#define REAP__DECLARE_MISPLACED(word) void word##_needs_a_kernel_with_work_groups(void);
REAP__DECLARE_MISPLACED(reap_local_id)
REAP__DECLARE_MISPLACED(reap_local_linear_id)
REAP__DECLARE_MISPLACED(reap_local_range)
REAP__DECLARE_MISPLACED(reap_local_linear_range)
REAP__DECLARE_MISPLACED(reap_group_id)
REAP__DECLARE_MISPLACED(reap_group_linear_id)
REAP__DECLARE_MISPLACED(reap_group_range)
REAP__DECLARE_MISPLACED(reap_group_linear_range)
REAP__DECLARE_MISPLACED(reap_group_leader)
REAP__DECLARE_MISPLACED(reap_barrier)
REAP__DECLARE_MISPLACED(reap_group_reduce)
REAP__DECLARE_MISPLACED(reap_group_inclusive_scan)
REAP__DECLARE_MISPLACED(reap_group_exclusive_scan)
REAP__DECLARE_MISPLACED(reap_group_broadcast)
REAP__DECLARE_MISPLACED(reap_group_any)
REAP__DECLARE_MISPLACED(reap_group_all)
REAP__DECLARE_MISPLACED(reap_group_none)
REAP__DECLARE_MISPLACED(reap_group_joint_reduce)
REAP__DECLARE_MISPLACED(reap_group_joint_inclusive_scan)
REAP__DECLARE_MISPLACED(reap_group_joint_exclusive_scan)
REAP__DECLARE_MISPLACED(reap_group_reduce_from)
REAP__DECLARE_MISPLACED(reap_group_inclusive_scan_from)
REAP__DECLARE_MISPLACED(reap_group_exclusive_scan_from)
REAP__DECLARE_MISPLACED(reap_group_broadcast_id)
REAP__DECLARE_MISPLACED(reap_group_joint_reduce_from)
REAP__DECLARE_MISPLACED(reap_group_joint_inclusive_scan_from)
REAP__DECLARE_MISPLACED(reap_group_joint_exclusive_scan_from)
REAP__DECLARE_MISPLACED(reap_group_joint_any)
REAP__DECLARE_MISPLACED(reap_group_joint_all)
REAP__DECLARE_MISPLACED(reap_group_joint_none)
REAP__DECLARE_MISPLACED(reap_sub_group_id)
REAP__DECLARE_MISPLACED(reap_sub_group_range)
REAP__DECLARE_MISPLACED(reap_sub_group_local_id)
REAP__DECLARE_MISPLACED(reap_sub_group_local_range)
REAP__DECLARE_MISPLACED(reap_sub_group_leader)
REAP__DECLARE_MISPLACED(reap_sub_group_barrier)
REAP__DECLARE_MISPLACED(reap_sub_group_shuffle)
REAP__DECLARE_MISPLACED(reap_sub_group_shuffle_up)
REAP__DECLARE_MISPLACED(reap_sub_group_shuffle_down)
REAP__DECLARE_MISPLACED(reap_sub_group_shuffle_xor)
REAP__DECLARE_MISPLACED(reap_sub_group_broadcast)
REAP__DECLARE_MISPLACED(reap_sub_group_reduce)
REAP__DECLARE_MISPLACED(reap_sub_group_inclusive_scan)
REAP__DECLARE_MISPLACED(reap_sub_group_exclusive_scan)
REAP__DECLARE_MISPLACED(reap_sub_group_reduce_from)
REAP__DECLARE_MISPLACED(reap_sub_group_inclusive_scan_from)
REAP__DECLARE_MISPLACED(reap_sub_group_exclusive_scan_from)
REAP__DECLARE_MISPLACED(reap_sub_group_any)
REAP__DECLARE_MISPLACED(reap_sub_group_all)
REAP__DECLARE_MISPLACED(reap_sub_group_none)
REAP__DECLARE_MISPLACED(reap_sub_group_ballot)
REAP__DECLARE_MISPLACED(reap_sub_groups_reduce)
REAP__DECLARE_MISPLACED(reap_sub_groups_inclusive_scan)
REAP__DECLARE_MISPLACED(reap_sub_groups_exclusive_scan)
REAP__DECLARE_MISPLACED(reap_sub_groups_shuffle)
REAP__DECLARE_MISPLACED(reap_sub_groups_shuffle_up)
REAP__DECLARE_MISPLACED(reap_sub_groups_shuffle_down)
REAP__DECLARE_MISPLACED(reap_sub_groups_shuffle_xor)
REAP__DECLARE_MISPLACED(reap_sub_groups_any)
REAP__DECLARE_MISPLACED(reap_sub_groups_all)
REAP__DECLARE_MISPLACED(reap_sub_groups_none)
REAP__DECLARE_MISPLACED(reap_sub_groups_ballot)

/* A value of the keyword's type. */
#define REAP__MISPLACED(word, value) (word##_needs_a_kernel_with_work_groups(), (value))

#define reap_local_id(dimension) REAP__MISPLACED(reap_local_id, (size_t)(dimension))
#define reap_local_linear_id() REAP__MISPLACED(reap_local_linear_id, (size_t)0)
#define reap_local_range(dimension) REAP__MISPLACED(reap_local_range, (size_t)(dimension))
#define reap_local_linear_range() REAP__MISPLACED(reap_local_linear_range, (size_t)1)
#define reap_group_id(dimension) REAP__MISPLACED(reap_group_id, (size_t)(dimension))
#define reap_group_linear_id() REAP__MISPLACED(reap_group_linear_id, (size_t)0)
#define reap_group_range(dimension) REAP__MISPLACED(reap_group_range, (size_t)(dimension))
#define reap_group_linear_range() REAP__MISPLACED(reap_group_linear_range, (size_t)1)
#define reap_group_leader() REAP__MISPLACED(reap_group_leader, true)
#define reap_barrier(spaces) REAP__MISPLACED(reap_barrier, (void)(spaces))

#define reap_group_reduce(op, T, v) REAP__MISPLACED(reap_group_reduce, v)
#define reap_group_inclusive_scan(op, T, v) REAP__MISPLACED(reap_group_inclusive_scan, v)
#define reap_group_exclusive_scan(op, T, v) REAP__MISPLACED(reap_group_exclusive_scan, v)
#define reap_group_broadcast(T, v, item) REAP__MISPLACED(reap_group_broadcast, v)
#define reap_group_any(condition) REAP__MISPLACED(reap_group_any, (condition) != 0)
#define reap_group_all(condition) REAP__MISPLACED(reap_group_all, (condition) != 0)
#define reap_group_none(condition) REAP__MISPLACED(reap_group_none, (condition) != 0)
#define reap_group_joint_reduce(op, T, x, count) REAP__MISPLACED(reap_group_joint_reduce, (x)[0])
#define reap_group_joint_inclusive_scan(op, T, x, into, count)                                     \
    REAP__MISPLACED(reap_group_joint_inclusive_scan, (void)(into))
#define reap_group_joint_exclusive_scan(op, T, x, into, count)                                     \
    REAP__MISPLACED(reap_group_joint_exclusive_scan, (void)(into))
#define reap_group_reduce_from(op, T, v, initial) REAP__MISPLACED(reap_group_reduce_from, v)
#define reap_group_inclusive_scan_from(op, T, v, initial)                                          \
    REAP__MISPLACED(reap_group_inclusive_scan_from, v)
#define reap_group_exclusive_scan_from(op, T, v, initial)                                          \
    REAP__MISPLACED(reap_group_exclusive_scan_from, v)
#define reap_group_broadcast_id(T, v, ...) REAP__MISPLACED(reap_group_broadcast_id, v)
#define reap_group_joint_reduce_from(op, T, x, count, initial)                                     \
    REAP__MISPLACED(reap_group_joint_reduce_from, (x)[0])
#define reap_group_joint_inclusive_scan_from(op, T, x, into, count, initial)                       \
    REAP__MISPLACED(reap_group_joint_inclusive_scan_from, (void)(into))
#define reap_group_joint_exclusive_scan_from(op, T, x, into, count, initial)                       \
    REAP__MISPLACED(reap_group_joint_exclusive_scan_from, (void)(into))
#define reap_group_joint_any(T, element, x, count, condition)                                      \
    REAP__MISPLACED(reap_group_joint_any, (x) != 0)
#define reap_group_joint_all(T, element, x, count, condition)                                      \
    REAP__MISPLACED(reap_group_joint_all, (x) != 0)
#define reap_group_joint_none(T, element, x, count, condition)                                     \
    REAP__MISPLACED(reap_group_joint_none, (x) != 0)

#define reap_sub_group_id() REAP__MISPLACED(reap_sub_group_id, (size_t)0)
#define reap_sub_group_range() REAP__MISPLACED(reap_sub_group_range, (size_t)1)
#define reap_sub_group_local_id() REAP__MISPLACED(reap_sub_group_local_id, (size_t)0)
#define reap_sub_group_local_range() REAP__MISPLACED(reap_sub_group_local_range, (size_t)1)
#define reap_sub_group_leader() REAP__MISPLACED(reap_sub_group_leader, true)
#define reap_sub_group_barrier(spaces) REAP__MISPLACED(reap_sub_group_barrier, (void)(spaces))
#define reap_sub_group_shuffle(T, v, item) REAP__MISPLACED(reap_sub_group_shuffle, v)
#define reap_sub_group_shuffle_up(T, v, by) REAP__MISPLACED(reap_sub_group_shuffle_up, v)
#define reap_sub_group_shuffle_down(T, v, by) REAP__MISPLACED(reap_sub_group_shuffle_down, v)
#define reap_sub_group_shuffle_xor(T, v, mask) REAP__MISPLACED(reap_sub_group_shuffle_xor, v)
#define reap_sub_group_broadcast(T, v, item) REAP__MISPLACED(reap_sub_group_broadcast, v)
#define reap_sub_group_reduce(op, T, v) REAP__MISPLACED(reap_sub_group_reduce, v)
#define reap_sub_group_inclusive_scan(op, T, v) REAP__MISPLACED(reap_sub_group_inclusive_scan, v)
#define reap_sub_group_exclusive_scan(op, T, v) REAP__MISPLACED(reap_sub_group_exclusive_scan, v)
#define reap_sub_group_reduce_from(op, T, v, initial) REAP__MISPLACED(reap_sub_group_reduce_from, v)
#define reap_sub_group_inclusive_scan_from(op, T, v, initial)                                      \
    REAP__MISPLACED(reap_sub_group_inclusive_scan_from, v)
#define reap_sub_group_exclusive_scan_from(op, T, v, initial)                                      \
    REAP__MISPLACED(reap_sub_group_exclusive_scan_from, v)
#define reap_sub_group_any(condition) REAP__MISPLACED(reap_sub_group_any, (condition) != 0)
#define reap_sub_group_all(condition) REAP__MISPLACED(reap_sub_group_all, (condition) != 0)
#define reap_sub_group_none(condition) REAP__MISPLACED(reap_sub_group_none, (condition) != 0)
#define reap_sub_group_ballot(condition)                                                           \
    REAP__MISPLACED(reap_sub_group_ballot, (reap__uint)(condition))
#define reap_sub_groups_reduce(op, T, name, v) REAP__MISPLACED(reap_sub_groups_reduce, (void)(v))
#define reap_sub_groups_inclusive_scan(op, T, name, v)                                             \
    REAP__MISPLACED(reap_sub_groups_inclusive_scan, (void)(v))
#define reap_sub_groups_exclusive_scan(op, T, name, v)                                             \
    REAP__MISPLACED(reap_sub_groups_exclusive_scan, (void)(v))
#define reap_sub_groups_shuffle(T, name, v, item)                                                  \
    REAP__MISPLACED(reap_sub_groups_shuffle, (void)(v))
#define reap_sub_groups_shuffle_up(T, name, v, by)                                                 \
    REAP__MISPLACED(reap_sub_groups_shuffle_up, (void)(v))
#define reap_sub_groups_shuffle_down(T, name, v, by)                                               \
    REAP__MISPLACED(reap_sub_groups_shuffle_down, (void)(v))
#define reap_sub_groups_shuffle_xor(T, name, v, mask)                                              \
    REAP__MISPLACED(reap_sub_groups_shuffle_xor, (void)(v))
#define reap_sub_groups_any(name, condition) REAP__MISPLACED(reap_sub_groups_any, (void)(condition))
#define reap_sub_groups_all(name, condition) REAP__MISPLACED(reap_sub_groups_all, (void)(condition))
#define reap_sub_groups_none(name, condition)                                                      \
    REAP__MISPLACED(reap_sub_groups_none, (void)(condition))
#define reap_sub_groups_ballot(name, condition)                                                    \
    REAP__MISPLACED(reap_sub_groups_ballot, (void)(condition))

#endif
