/* SPDX-License-Identifier: Apache-2.0
 *
 * Group algorithms. Each work-item stores a value in its own memory and waits; when all have
 * arrived, the library computes the results, and each item finds its own where its value was. The
 * scope is the group or the sub-group (enum reap__collective_scope).
 */
#ifndef REAP_DETAIL_HOST_COLLECTIVES_H
#define REAP_DETAIL_HOST_COLLECTIVES_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <reap/detail/host/groups.h>

/* Chooses a macro by whether the operator is built in. */
#define REAP__BY_ORIGIN(m, op, ...) REAP__PASTE(m, REAP__IS_OPERATOR(op))(op, __VA_ARGS__)
#define REAP__CHECK_GROUP_1(op, T)                                                                 \
    _Static_assert(REAP__FITS(op, T), "Reap: operator '" #op "' does not fit type '" #T "'");      \
    _Static_assert(REAP__OPERATION_##op != REAP__OPERATION_exact_plus,                             \
                   "Reap: group algorithms do not take operator '" #op                             \
                   "': a kernel's reductions do (docs/exact-sums.md)")
#define REAP__CHECK_GROUP_0(op, T)                                                                 \
    _Static_assert(_Generic(&reap_operator_##op, T(REAP__BY_MEMBER *)(T, T) : 1, default : 0),     \
                   "Reap: operator '" #op "' was not declared for type '" #T "'")
#define REAP__CHECK_IDENTITY_1(op, word) _Static_assert(1, "")
#define REAP__CHECK_IDENTITY_0(op, word)                                                           \
    _Static_assert(reap_operator_has_identity_##op,                                                \
                   "Reap: operator '" #op "' has no identity, which " word " needs")
#define REAP__GROUP_OPERATION_1(op, ...) REAP__OPERATION_##op
#define REAP__GROUP_OPERATION_0(op, ...) REAP__OPERATION_none
#define REAP__GROUP_COMBINE_1(op, ...) NULL
#define REAP__GROUP_COMBINE_0(op, ...) reap_into_##op
#define REAP__GROUP_NUMBER_1(op, T) REAP__NUMBER(T)
#define REAP__GROUP_NUMBER_0(op, T) REAP__NO_FLOAT
#define REAP__GROUP_IDENTITY_1(op, T, into) (*(into) = REAP__IDENTITY(op, T))
#define REAP__GROUP_IDENTITY_0(op, T, into) reap_put_identity_##op(into)
#define REAP__GROUP_APPLY_1(op, T, a, b) REAP__FUNCTION(op, T)(a, b)
#define REAP__GROUP_APPLY_0(op, T, a, b) reap_operator_##op(a, b)
#define REAP__GROUP_SETTLE_1(op, T, v) REAP__SETTLE(T)(v)
#define REAP__GROUP_SETTLE_0(op, T, v) ((void)(v))

/* Waits for the other items with a value, which the result replaces. */
#define REAP__MEET(scope, word, kind, op, T, offer)                                                \
    do {                                                                                           \
        _Static_assert(REAP__IS_GROUPED, "Reap: " word " " REAP__NEEDS_GROUP);                     \
        static const struct reap__collective reap_collective_ = {                                  \
            scope,                                                                                 \
            kind,                                                                                  \
            sizeof(T),                                                                             \
            REAP__BY_ORIGIN(REAP__GROUP_NUMBER_, op, T),                                           \
            REAP__BY_ORIGIN(REAP__GROUP_OPERATION_, op, ~),                                        \
            REAP__TYPE(T),                                                                         \
            REAP__BY_ORIGIN(REAP__GROUP_COMBINE_, op, ~)};                                         \
        REAP__CALL_SITE(reap_site_, word, &reap_collective_);                                      \
        REAP__WAIT(REAP__GROUP_HERE, &reap_site_, (offer));                                        \
    } while (0)

/* Returns an item's number in its group or sub-group. */
REAP__INLINE size_t reap__number_in(enum reap__collective_scope scope, size_t item)
{
    return scope == REAP__OF_GROUP ? item : item % REAP__SUB_GROUP_ITEMS;
}

/* Each value has a unique name, since its expression may contain another algorithm. */
#define REAP__MINE REAP__PASTE(reap_mine_, __COUNTER__)
#define REAP__GROUP(scope, word, kind, op, T, v)                                                   \
    REAP__GROUP_AS(REAP__MINE, scope, word, kind, op, T, v)
#define REAP__GROUP_AS(mine, scope, word, kind, op, T, v)                                          \
    __extension__({                                                                                \
        REAP__BY_ORIGIN(REAP__CHECK_GROUP_, op, T);                                                \
        T mine = (v);                                                                              \
        T reap_spare_;                                                                             \
        struct reap__contribution reap_offer_ = {&mine, &reap_spare_, 0};                          \
        REAP__MEET(scope, word, kind, op, T, &reap_offer_);                                        \
        mine;                                                                                      \
    })

#define REAP__GROUP_EXCLUSIVE(scope, word, op, T, v)                                               \
    REAP__GROUP_EXCLUSIVE_AS(REAP__MINE, scope, word, op, T, v)
#define REAP__GROUP_EXCLUSIVE_AS(mine, scope, word, op, T, v)                                      \
    __extension__({                                                                                \
        REAP__BY_ORIGIN(REAP__CHECK_GROUP_, op, T);                                                \
        REAP__BY_ORIGIN(REAP__CHECK_IDENTITY_, op, word);                                          \
        T mine = (v);                                                                              \
        T reap_spare_;                                                                             \
        struct reap__contribution reap_offer_ = {&mine, &reap_spare_, 0};                          \
        REAP__BY_ORIGIN(REAP__GROUP_IDENTITY_, op, T, &reap_spare_);                               \
        REAP__MEET(scope, word, REAP__GROUP_EXCLUSIVE_SCAN, op, T, &reap_offer_);                  \
        mine;                                                                                      \
    })

/* With an initial value, which is combined with the result. In exclusive scans the first item gets
 * it instead of the identity. */
#define REAP__APPLY_AFTER(op, T, start, mine)                                                      \
    do {                                                                                           \
        mine = REAP__BY_ORIGIN(REAP__GROUP_APPLY_, op, T, start, mine);                            \
        REAP__BY_ORIGIN(REAP__GROUP_SETTLE_, op, T, &mine);                                        \
    } while (0)
#define REAP__GROUP_AFTER(scope, word, kind, op, T, v, initial)                                    \
    REAP__GROUP_AFTER_AS(REAP__MINE, REAP__MINE, scope, word, kind, op, T, v, initial)
#define REAP__GROUP_AFTER_AS(mine, start, scope, word, kind, op, T, v, initial)                    \
    __extension__({                                                                                \
        T const start = (initial);                                                                 \
        T mine = REAP__GROUP(scope, word, kind, op, T, v);                                         \
        REAP__APPLY_AFTER(op, T, start, mine);                                                     \
        mine;                                                                                      \
    })
#define REAP__GROUP_EXCLUSIVE_AFTER(scope, word, op, T, v, initial)                                \
    REAP__GROUP_EXCLUSIVE_AFTER_AS(REAP__MINE, REAP__MINE, scope, word, op, T, v, initial)
#define REAP__GROUP_EXCLUSIVE_AFTER_AS(mine, start, scope, word, op, T, v, initial)                \
    __extension__({                                                                                \
        REAP__BY_ORIGIN(REAP__CHECK_GROUP_, op, T);                                                \
        T const start = (initial);                                                                 \
        T mine = (v);                                                                              \
        T reap_spare_ = start;                                                                     \
        struct reap__contribution reap_offer_ = {&mine, &reap_spare_, 0};                          \
        REAP__MEET(scope, word, REAP__GROUP_EXCLUSIVE_SCAN, op, T, &reap_offer_);                  \
        if (reap__number_in((scope), reap_item_.local_linear_id_) > 0)                             \
            REAP__APPLY_AFTER(op, T, start, mine);                                                 \
        else                                                                                       \
            REAP__BY_ORIGIN(REAP__GROUP_SETTLE_, op, T, &mine);                                    \
        mine;                                                                                      \
    })

/* Returns the local linear id of the item with these ids; SIZE_MAX if the group does not have
 * it. */
REAP__INLINE size_t reap__item_at(const size_t *range, size_t i, size_t j, size_t k)
{
    const bool is_there = i < range[0] && j < range[1] && k < range[2];
    return is_there ? (i * range[1] + j) * range[2] + k : SIZE_MAX;
}
#define REAP__ITEM_AT(range, i, j, k, ...) reap__item_at(range, (i), (j), (k))

#define REAP__GROUP_FROM(scope, word, T, v, item)                                                  \
    REAP__GROUP_FROM_AS(REAP__MINE, REAP__MINE, scope, word, T, v, item)
#define REAP__GROUP_FROM_AS(mine, source, scope, word, T, v, item)                                 \
    __extension__({                                                                                \
        _Static_assert(REAP__IS_GROUPED, "Reap: " word " " REAP__NEEDS_GROUP);                     \
        T mine = (v);                                                                              \
        const size_t source = (item);                                                              \
        struct reap__contribution reap_offer_ = {&mine, NULL, source};                             \
        static const struct reap__collective reap_collective_ = {scope,                            \
                                                                 REAP__GROUP_BROADCAST,            \
                                                                 sizeof(T),                        \
                                                                 REAP__NO_FLOAT,                   \
                                                                 REAP__OPERATION_none,             \
                                                                 REAP__TYPE(T),                    \
                                                                 NULL};                            \
        REAP__CALL_SITE(reap_site_, word, &reap_collective_);                                      \
        REAP__WAIT(REAP__GROUP_HERE, &reap_site_, &reap_offer_);                                   \
        mine;                                                                                      \
    })

/* Arrays: item l takes elements l, l + n, l + 2 n, ..., of a group of n. */
#define REAP__JOINT_REDUCE(word, op, T, x, count)                                                  \
    __extension__({                                                                                \
        REAP__BY_ORIGIN(REAP__CHECK_GROUP_, op, T);                                                \
        REAP__BY_ORIGIN(REAP__CHECK_IDENTITY_, op, word);                                          \
        T const *const reap_x_ = (x);                                                              \
        const size_t reap_count_ = (count);                                                        \
        T reap_sum_;                                                                               \
        REAP__BY_ORIGIN(REAP__GROUP_IDENTITY_, op, T, &reap_sum_);                                 \
        for (size_t reap_at_ = reap_item_.local_linear_id_; reap_at_ < reap_count_;                \
             reap_at_ += reap_item_.group_->items_)                                                \
            reap_sum_ = REAP__BY_ORIGIN(REAP__GROUP_APPLY_, op, T, reap_sum_, reap_x_[reap_at_]);  \
        REAP__GROUP(REAP__OF_GROUP, word, REAP__GROUP_REDUCE, op, T, reap_sum_);                   \
    })
#define REAP__JOINT_REDUCE_AFTER(word, op, T, x, count, initial)                                   \
    REAP__JOINT_REDUCE_AFTER_AS(REAP__MINE, REAP__MINE, word, op, T, x, count, initial)
#define REAP__JOINT_REDUCE_AFTER_AS(mine, start, word, op, T, x, count, initial)                   \
    __extension__({                                                                                \
        T const start = (initial);                                                                 \
        T mine = REAP__JOINT_REDUCE(word, op, T, x, count);                                        \
        REAP__APPLY_AFTER(op, T, start, mine);                                                     \
        mine;                                                                                      \
    })

/* Whether a test is true for one of the elements. */
#define REAP__JOINT_FIND(word, T, element, x, count, test)                                         \
    __extension__({                                                                                \
        T const *const reap_x_ = (x);                                                              \
        const size_t reap_count_ = (count);                                                        \
        bool reap_found_ = 0;                                                                      \
        for (size_t reap_at_ = reap_item_.local_linear_id_; reap_at_ < reap_count_;                \
             reap_at_ += reap_item_.group_->items_) {                                              \
            T const element REAP__UNUSED = reap_x_[reap_at_];                                      \
            if (test)                                                                              \
                reap_found_ = 1;                                                                   \
        }                                                                                          \
        REAP__GROUP(REAP__OF_GROUP, word, REAP__GROUP_REDUCE, logical_or, bool, reap_found_);      \
    })

/* Scans n elements at a time, n being the items of the group. reap_before_ is the total of all
 * elements before these; reap_none_ is the identity. */
#define REAP__JOINT_SCAN(word, is_inclusive, op, T, x, into, count, initial)                       \
    do {                                                                                           \
        REAP__BY_ORIGIN(REAP__CHECK_GROUP_, op, T);                                                \
        REAP__BY_ORIGIN(REAP__CHECK_IDENTITY_, op, word);                                          \
        T const *const reap_x_ = (x);                                                              \
        T *const reap_into_ = (into);                                                              \
        const size_t reap_count_ = (count), reap_items_ = reap_item_.group_->items_;               \
        T reap_none_;                                                                              \
        REAP__BY_ORIGIN(REAP__GROUP_IDENTITY_, op, T, &reap_none_);                                \
        T reap_before_ = (initial);                                                                \
        for (size_t reap_row_ = 0; reap_row_ < reap_count_; reap_row_ += reap_items_) {            \
            const size_t reap_at_ = reap_row_ + reap_item_.local_linear_id_;                       \
            T const reap_here_ = reap_at_ < reap_count_ ? reap_x_[reap_at_] : reap_none_;          \
            T const reap_up_to_ =                                                                  \
                REAP__GROUP(REAP__OF_GROUP, word, REAP__GROUP_INCLUSIVE_SCAN, op, T, reap_here_);  \
            T const reap_last_ =                                                                   \
                REAP__GROUP_FROM(REAP__OF_GROUP, word, T, reap_up_to_, reap_items_ - 1);           \
            T const reap_scanned_ =                                                                \
                (is_inclusive) ? reap_up_to_                                                       \
                               : REAP__GROUP_EXCLUSIVE(REAP__OF_GROUP, word, op, T, reap_here_);   \
            T reap_result_ =                                                                       \
                REAP__BY_ORIGIN(REAP__GROUP_APPLY_, op, T, reap_before_, reap_scanned_);           \
            REAP__BY_ORIGIN(REAP__GROUP_SETTLE_, op, T, &reap_result_);                            \
            if (reap_at_ < reap_count_)                                                            \
                reap_into_[reap_at_] = reap_result_;                                               \
            reap_before_ = REAP__BY_ORIGIN(REAP__GROUP_APPLY_, op, T, reap_before_, reap_last_);   \
        }                                                                                          \
    } while (0)

#endif
