/* SPDX-License-Identifier: Apache-2.0
 *
 * Joint group algorithms on devices, on arrays in any memory, in the order of docs/groups.md. They
 * are macros, since an array's memory is a part of its type. And group algorithms after an initial
 * value.
 */
#ifndef REAP_DETAIL_DEVICE_JOINT_H
#define REAP_DETAIL_DEVICE_JOINT_H

/* Statements, followed by a value. */
#ifdef __cplusplus
#define REAP__VALUE_OF(value, ...) ([&]() { __VA_ARGS__ return value; }())
#else
#define REAP__VALUE_OF(value, ...) ({ __VA_ARGS__ value; })
#endif

#define REAP__JOINT(what, op) REAP__PASTE(REAP__JOINT_##what##_, REAP__IS_OPERATOR(op))
#define REAP__JOINT_IDENTITY_1(op, T) REAP__PASTE(reap__identity_of_, op)((T *)0)
#define REAP__JOINT_IDENTITY_0(op, T) REAP__PASTE(op, _identity)()
#define REAP__JOINT_APPLY_1(op, a, b) REAP__PASTE(reap__, op)(a, b)
#define REAP__JOINT_APPLY_0(op, a, b) REAP__PASTE(reap_operator_, op)(a, b)
#define REAP__JOINT_SETTLE_1(v) reap__settle(&(v))
#define REAP__JOINT_SETTLE_0(v) ((void)0)

/* The type of a pointer to a T, in the memory of x: arguments are evaluated once, and before
 * anything is written, since they may be elements of the array. */
#ifdef __cplusplus
#define REAP__POINTER_AS(T, x) T *
#else
#define REAP__POINTER_AS(T, x) __typeof__(&(x)[0])
#endif

#define reap_group_joint_reduce(op, T, x, count)                                                   \
    REAP__VALUE_OF(reap_joint_, REAP__POINTER_AS(T const, x) const reap_x_ = (x);                  \
                   const size_t reap_count_ = (count);                                             \
                   T reap_own_ = REAP__JOINT(IDENTITY, op)(op, T);                                 \
                   for (size_t reap_i_ = reap_item_.local_linear_id; reap_i_ < reap_count_;        \
                        reap_i_ += reap_item_.items) reap_own_ =                                   \
                       REAP__JOINT(APPLY, op)(op, reap_own_, reap_x_[reap_i_]);                    \
                   const T reap_joint_ = reap_group_reduce(op, T, reap_own_);)

/* After an initial value. */
#define REAP__GROUP_AFTER(op, T, initial, result)                                                  \
    REAP__VALUE_OF(reap_from_, const T reap_start_ = (initial); T reap_from_ = result;             \
                   reap_from_ = REAP__JOINT(APPLY, op)(op, reap_start_, reap_from_);               \
                   REAP__JOINT(SETTLE, op)(reap_from_); REAP__END_BRANCHES(reap_item_);)
#define reap_group_reduce_from(op, T, v, initial)                                                  \
    REAP__GROUP_AFTER(op, T, initial, reap_group_reduce(op, T, v))
#define reap_group_inclusive_scan_from(op, T, v, initial)                                          \
    REAP__GROUP_AFTER(op, T, initial, reap_group_inclusive_scan(op, T, v))
#define reap_group_joint_reduce_from(op, T, x, count, initial)                                     \
    REAP__GROUP_AFTER(op, T, initial, reap_group_joint_reduce(op, T, x, count))
#define reap_group_exclusive_scan_from(op, T, v, initial)                                          \
    REAP__VALUE_OF(                                                                                \
        reap_from_, const T reap_start_ = (initial);                                               \
        const T reap_scan_ = reap_group_inclusive_scan(op, T, v);                                  \
        T reap_from_ = REAP__GROUP_FROM(                                                           \
            T, reap_scan_, reap_item_.local_linear_id > 0 ? reap_item_.local_linear_id - 1 : 0);   \
        if (reap_item_.local_linear_id > 0) reap_from_ =                                           \
            REAP__JOINT(APPLY, op)(op, reap_start_, reap_from_);                                   \
        else reap_from_ = reap_start_; REAP__JOINT(SETTLE, op)(reap_from_);                        \
        REAP__END_BRANCHES(reap_item_);)

/* Whether a test is true for one of an array's elements. */
#define REAP__JOINT_FIND(T, element, x, count, test)                                               \
    REAP__VALUE_OF(                                                                                \
        reap_found_, REAP__POINTER_AS(T const, x) const reap_x_ = (x);                             \
        const size_t reap_count_ = (count); bool reap_own_ = false;                                \
        for (size_t reap_i_ = reap_item_.local_linear_id; reap_i_ < reap_count_;                   \
             reap_i_ += reap_item_.items) {                                                        \
            T const element = reap_x_[reap_i_];                                                    \
            if (test)                                                                              \
                reap_own_ = true;                                                                  \
        } const bool reap_found_ =                                                                 \
            reap__reduce_boolean(reap_item_, REAP__OPERATION_logical_or, reap_own_);)
#define reap_group_joint_any(T, element, x, count, condition)                                      \
    REAP__JOINT_FIND(T, element, x, count, (condition) != 0)
#define reap_group_joint_all(T, element, x, count, condition)                                      \
    (!REAP__JOINT_FIND(T, element, x, count, (condition) == 0))
#define reap_group_joint_none(T, element, x, count, condition)                                     \
    (!REAP__JOINT_FIND(T, element, x, count, (condition) != 0))

/* One row of the array after the other: RESULT is an item's result for its row, from the inclusive
 * scan reap_scan_. Nothing is written before that scan, whose barriers all items reach once they
 * have the arguments. */
#define REAP__JOINT_SCAN(op, T, x, into, count, initial, RESULT)                                   \
    do {                                                                                           \
        REAP__POINTER_AS(T const, x) const reap_x_ = (x);                                          \
        REAP__POINTER_AS(T, into) const reap_into_ = (into);                                       \
        const size_t reap_count_ = (count);                                                        \
        T reap_before_ = (initial);                                                                \
        const size_t reap_l_ = reap_item_.local_linear_id;                                         \
        for (size_t reap_row_ = 0; reap_row_ < reap_count_; reap_row_ += reap_item_.items) {       \
            const size_t reap_at_ = reap_row_ + reap_l_;                                           \
            T reap_in_ = REAP__JOINT(IDENTITY, op)(op, T);                                         \
            if (reap_at_ < reap_count_)                                                            \
                reap_in_ = reap_x_[reap_at_];                                                      \
            const T reap_scan_ = reap_group_inclusive_scan(op, T, reap_in_);                       \
            T reap_out_ = RESULT(op, T);                                                           \
            reap_out_ = REAP__JOINT(APPLY, op)(op, reap_before_, reap_out_);                       \
            REAP__JOINT(SETTLE, op)(reap_out_);                                                    \
            if (reap_at_ < reap_count_)                                                            \
                reap_into_[reap_at_] = reap_out_;                                                  \
            const T reap_last_ = REAP__GROUP_FROM(T, reap_scan_, reap_item_.items - 1);            \
            reap_before_ = REAP__JOINT(APPLY, op)(op, reap_before_, reap_last_);                   \
        }                                                                                          \
        REAP__END_BRANCHES(reap_item_);                                                            \
    } while (0)
#define REAP__JOINT_INCLUSIVE(op, T) reap_scan_
#define REAP__JOINT_EXCLUSIVE(op, T) REAP__JOINT_SHIFTED(op, T)
#define REAP__JOINT_SHIFTED(op, T)                                                                 \
    REAP__GROUP_FROM(T, reap_scan_, reap_l_ > 0 ? reap_l_ - 1 : 0);                                \
    if (reap_l_ == 0)                                                                              \
    reap_out_ = REAP__JOINT(IDENTITY, op)(op, T)

#define reap_group_joint_inclusive_scan(op, T, x, into, count)                                     \
    REAP__JOINT_SCAN(op, T, x, into, count, REAP__JOINT(IDENTITY, op)(op, T), REAP__JOINT_INCLUSIVE)
#define reap_group_joint_exclusive_scan(op, T, x, into, count)                                     \
    REAP__JOINT_SCAN(op, T, x, into, count, REAP__JOINT(IDENTITY, op)(op, T), REAP__JOINT_EXCLUSIVE)
#define reap_group_joint_inclusive_scan_from(op, T, x, into, count, initial)                       \
    REAP__JOINT_SCAN(op, T, x, into, count, initial, REAP__JOINT_INCLUSIVE)
#define reap_group_joint_exclusive_scan_from(op, T, x, into, count, initial)                       \
    REAP__JOINT_SCAN(op, T, x, into, count, initial, REAP__JOINT_EXCLUSIVE)

#endif
