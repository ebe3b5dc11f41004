/* SPDX-License-Identifier: Apache-2.0
 *
 * Algorithms of sub-groups in kernels in phases: statements between phases, each of which is itself
 * a phase. The values of a sub-group are in an array of 32, in loops that compilers vectorise. As
 * in a phase (phase_loop.h), the work-item hides the object that replaces it.
 */
#ifndef REAP_DETAIL_HOST_SUB_GROUP_PHASES_H
#define REAP_DETAIL_HOST_SUB_GROUP_PHASES_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include <reap/detail/host/phases.h>
#include <reap/detail/host/sub_groups.h>

/* The indices of an item in the loops of a phase, in forward order. */
struct reap__place {
    size_t i, j, k;
};

REAP__INLINE struct reap__place reap__place_after(const struct reap__loops *of,
                                                  struct reap__place at)
{
    at.k++;
    if (of->dimensions == 1 || at.k < of->count_[2])
        return at;
    at.k = 0;
    at.j++;
    if (at.j < of->count_[1])
        return at;
    at.j = 0;
    at.i++;
    return at;
}

REAP__INLINE reap_item reap__item_at_place(const struct reap__loops *of, struct reap__place at)
{
    return of->is_reversed ? reap__phase_item(of, of->count_[0] - 1 - at.i,
                                              of->count_[1] - 1 - at.j, of->count_[2] - 1 - at.k)
                           : reap__phase_item(of, at.i, at.j, at.k);
}

/* Returns the ballot of the bits of a sub-group's items; the ballot in which all are set. */
REAP__INLINE uint32_t reap__join_bits(const uint32_t *bits, size_t items)
{
    uint32_t joined = 0;
    for (size_t l = 0; l < items; l++)
        joined |= bits[l];
    return joined;
}
REAP__INLINE uint32_t reap__all_bits(size_t items)
{
    return UINT32_MAX >> (REAP__SUB_GROUP_ITEMS - items);
}

/* For each sub-group, which has reap_n_ items from reap_first_ on: evaluates an expression for each
 * item, as in a phase, with its number in the sub-group in reap_l_; then executes statements. */
#define REAP__FOR_EACH_SUB_GROUP(expression, ...)                                                  \
    const struct reap__loops reap_of_ =                                                            \
        reap_item_.phases_do_not_nest_and_need_a_REAP_GROUP_KERNEL_;                               \
    const size_t reap_items_ = reap_of_.group_->items_;                                            \
    struct reap__place reap_at_ = {0, 0, 0};                                                       \
    for (size_t reap_first_ = 0; reap_first_ < reap_items_;                                        \
         reap_first_ += REAP__SUB_GROUP_ITEMS) {                                                   \
        const size_t reap_n_ = reap__sub_group_items(reap_items_, reap_first_);                    \
        for (size_t reap_l_ = 0; reap_l_ < reap_n_; reap_l_++) {                                   \
            const reap_item reap_item_ REAP__UNUSED = reap__item_at_place(&reap_of_, reap_at_);    \
            reap_at_ = reap__place_after(&reap_of_, reap_at_);                                     \
            expression;                                                                            \
        }                                                                                          \
        __VA_ARGS__                                                                                \
    }
#define REAP__STORE_LANES(name, value)                                                             \
    for (size_t reap_l_ = 0; reap_l_ < reap_n_; reap_l_++)                                         \
        name[reap_first_ + reap_l_] = (value);

/* Minimum and maximum begin with the identity, so that they ignore NaNs. */
#define REAP__EXTREMES_BEGIN(op, T)                                                                \
    if (REAP__IS_EQUAL(REAP__BY_ORIGIN(REAP__GROUP_OPERATION_, op, ~), REAP__OPERATION_minimum) || \
        REAP__IS_EQUAL(REAP__BY_ORIGIN(REAP__GROUP_OPERATION_, op, ~), REAP__OPERATION_maximum)) { \
        T reap_none_;                                                                              \
        REAP__BY_ORIGIN(REAP__GROUP_IDENTITY_, op, T, &reap_none_);                                \
        for (size_t reap_i_ = 0; reap_i_ < reap_n_; reap_i_++)                                     \
            reap_v_[reap_i_] =                                                                     \
                REAP__BY_ORIGIN(REAP__GROUP_APPLY_, op, T, reap_none_, reap_v_[reap_i_]);          \
    }

/* reap_v_[i] = op(reap_v_[i], reap_v_[i + h]) for all i below h that have a partner. For 32 items
 * the number of iterations is a constant, and the loops are vectorised. For fewer items, which only
 * the last sub-group has, the empty assembly keeps the compiler from vectorising, too. */
#define REAP__FOLD_LANES(op, T, h)                                                                 \
    for (size_t reap_i_ = 0; reap_i_ < (h); reap_i_++)                                             \
        reap_v_[reap_i_] =                                                                         \
            REAP__BY_ORIGIN(REAP__GROUP_APPLY_, op, T, reap_v_[reap_i_], reap_v_[reap_i_ + (h)]);
#define REAP__FOLD_SUB_GROUP(op, T)                                                                \
    if (reap_n_ == REAP__SUB_GROUP_ITEMS) {                                                        \
        REAP__FOLD_LANES(op, T, 16)                                                                \
        REAP__FOLD_LANES(op, T, 8)                                                                 \
        REAP__FOLD_LANES(op, T, 4)                                                                 \
        REAP__FOLD_LANES(op, T, 2)                                                                 \
        REAP__FOLD_LANES(op, T, 1)                                                                 \
    } else {                                                                                       \
        for (size_t reap_h_ = REAP__SUB_GROUP_ITEMS / 2; reap_h_ > 0; reap_h_ /= 2)                \
            for (size_t reap_i_ = 0; reap_i_ < reap_h_ && reap_i_ + reap_h_ < reap_n_;             \
                 reap_i_++) {                                                                      \
                __asm__ volatile("");                                                              \
                reap_v_[reap_i_] = REAP__BY_ORIGIN(REAP__GROUP_APPLY_, op, T, reap_v_[reap_i_],    \
                                                   reap_v_[reap_i_ + reap_h_]);                    \
            }                                                                                      \
    }

/* The same for a scan: reap_v_[i] = op(reap_v_[i - d], reap_v_[i]), all at once. The number of
 * iterations is always a constant: lanes that a smaller sub-group lacks have values, too, on which
 * no other lane depends. */
#define REAP__FILL_LANES                                                                           \
    for (size_t reap_i_ = reap_n_; reap_i_ < REAP__SUB_GROUP_ITEMS; reap_i_++)                     \
        reap_v_[reap_i_] = reap_v_[0];
#define REAP__SCAN_LANES(op, T, d)                                                                 \
    {                                                                                              \
        T reap_to_[REAP__SUB_GROUP_ITEMS];                                                         \
        for (size_t reap_i_ = (d); reap_i_ < REAP__SUB_GROUP_ITEMS; reap_i_++)                     \
            reap_to_[reap_i_] = REAP__BY_ORIGIN(REAP__GROUP_APPLY_, op, T, reap_v_[reap_i_ - (d)], \
                                                reap_v_[reap_i_]);                                 \
        for (size_t reap_i_ = (d); reap_i_ < REAP__SUB_GROUP_ITEMS; reap_i_++)                     \
            reap_v_[reap_i_] = reap_to_[reap_i_];                                                  \
    }
#define REAP__SCAN_SUB_GROUP(op, T)                                                                \
    REAP__FILL_LANES                                                                               \
    REAP__SCAN_LANES(op, T, 1)                                                                     \
    REAP__SCAN_LANES(op, T, 2)                                                                     \
    REAP__SCAN_LANES(op, T, 4)                                                                     \
    REAP__SCAN_LANES(op, T, 8)                                                                     \
    REAP__SCAN_LANES(op, T, 16)

/* Replaces NaNs by the canonical one. */
#define REAP__SETTLE_LANES(op, T, n)                                                               \
    for (size_t reap_i_ = 0; reap_i_ < (n); reap_i_++)                                             \
        REAP__BY_ORIGIN(REAP__GROUP_SETTLE_, op, T, &reap_v_[reap_i_]);

#define REAP__SUB_GROUPS_REDUCE(op, T, name, v)                                                    \
    do {                                                                                           \
        REAP__BY_ORIGIN(REAP__CHECK_GROUP_, op, T);                                                \
        T reap_v_[REAP__SUB_GROUP_ITEMS];                                                          \
        REAP__FOR_EACH_SUB_GROUP(reap_v_[reap_l_] = (v),                                           \
                                 REAP__EXTREMES_BEGIN(op, T) REAP__FOLD_SUB_GROUP(op, T)           \
                                     REAP__SETTLE_LANES(op, T, 1)                                  \
                                         REAP__STORE_LANES(name, reap_v_[0]))                      \
    } while (0)
#define REAP__SUB_GROUPS_INCLUSIVE(op, T, name, v)                                                 \
    do {                                                                                           \
        REAP__BY_ORIGIN(REAP__CHECK_GROUP_, op, T);                                                \
        T reap_v_[REAP__SUB_GROUP_ITEMS];                                                          \
        REAP__FOR_EACH_SUB_GROUP(reap_v_[reap_l_] = (v),                                           \
                                 REAP__EXTREMES_BEGIN(op, T) REAP__SCAN_SUB_GROUP(op, T)           \
                                     REAP__SETTLE_LANES(op, T, REAP__SUB_GROUP_ITEMS)              \
                                         REAP__STORE_LANES(name, reap_v_[reap_l_]))                \
    } while (0)
#define REAP__SUB_GROUPS_EXCLUSIVE(word, op, T, name, v)                                           \
    do {                                                                                           \
        REAP__BY_ORIGIN(REAP__CHECK_GROUP_, op, T);                                                \
        REAP__BY_ORIGIN(REAP__CHECK_IDENTITY_, op, word);                                          \
        T reap_v_[REAP__SUB_GROUP_ITEMS], reap_identity_;                                          \
        REAP__BY_ORIGIN(REAP__GROUP_IDENTITY_, op, T, &reap_identity_);                            \
        REAP__FOR_EACH_SUB_GROUP(                                                                  \
            reap_v_[reap_l_] = (v),                                                                \
            REAP__EXTREMES_BEGIN(op, T) REAP__SCAN_SUB_GROUP(op, T)                                \
                REAP__SETTLE_LANES(op, T, REAP__SUB_GROUP_ITEMS)                                   \
                    REAP__STORE_LANES(name, reap_l_ > 0 ? reap_v_[reap_l_ - 1] : reap_identity_))  \
    } while (0)

/* LANE returns the item whose value is taken. */
#define REAP__SUB_GROUPS_MOVE(T, name, v, LANE, argument)                                          \
    do {                                                                                           \
        T reap_v_[REAP__SUB_GROUP_ITEMS];                                                          \
        size_t reap_from_[REAP__SUB_GROUP_ITEMS];                                                  \
        REAP__FOR_EACH_SUB_GROUP(                                                                  \
            (reap_v_[reap_l_] = (v), reap_from_[reap_l_] = LANE(reap_l_, reap_n_, (argument))),    \
            REAP__STORE_LANES(name, reap_v_[reap_from_[reap_l_]]))                                 \
    } while (0)

/* Sets `name` to an expression of reap_ballot_ (a bit for each item) and reap_n_. */
#define REAP__SUB_GROUPS_VOTE(name, condition, result)                                             \
    do {                                                                                           \
        uint32_t reap_bits_[REAP__SUB_GROUP_ITEMS];                                                \
        REAP__FOR_EACH_SUB_GROUP(reap_bits_[reap_l_] = (uint32_t)((condition) != 0) << reap_l_,    \
                                 const uint32_t reap_ballot_ =                                     \
                                     reap__join_bits(reap_bits_, reap_n_);                         \
                                 REAP__STORE_LANES(name, result))                                  \
    } while (0)

#endif
