/* SPDX-License-Identifier: Apache-2.0
 *
 * What the library's code for a REAP_ND_KERNEL that it compiles at run time consists of
 * (src/host/compiled/write.c): the function that runs a group, as loops over its work-items between
 * barriers, and the function that continues one work-item when a condition differs between items.
 * Programs do not include this.
 */
#ifndef REAP_DETAIL_HOST_COMPILED_H
#define REAP_DETAIL_HOST_COMPILED_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <reap/detail/host/loops.h>
#include <reap/detail/host/phases.h>

/* All items of a group share a value parameter here, so no item may change it, even through a
 * pointer that is cast. */
#undef REAP__FORMAL_value_
#define REAP__FORMAL_value_(k, kind, T, n, ...) , const T n REAP__UNUSED
#ifdef __clang__
#pragma clang diagnostic error "-Wincompatible-pointer-types-discards-qualifiers"
#else
#pragma GCC diagnostic error "-Wdiscarded-qualifiers"
#endif
#pragma GCC diagnostic error "-Wcast-qual"

/* Takes memory for a variable of each work-item. */
REAP__INLINE void *reap__compiled_take(unsigned char **memory, size_t size, size_t items)
{
    unsigned char *const taken = *memory;
    *memory += (size * items + 63) / 64 * 64;
    return taken;
}

#define REAP__KEPT_FORMALS REAP__STORED_FORMALS, unsigned char *restrict reap_vote_
#define REAP__KEPT_ACTUALS REAP__STORED_ACTUALS, reap_vote_
#define REAP__KEPT_TAKE                                                                            \
    REAP__STORED_TAKE unsigned char *const reap_vote_ = reap__compiled_take(&memory_, 1, items_);

/* The code that is written begins with macros whose last arguments are the list. */
#define REAP__COMPILED_HEAD(called, k, ...)                                                        \
    REAP__EACH(REAP__TYPE_OF, __VA_ARGS__)                                                         \
    REAP__COMPILED_HEAD_OF(called, k, (__VA_ARGS__), REAP__LISTS(__VA_ARGS__))
#define REAP__COMPILED_HEAD_OF(called, k, list, ...)                                               \
    REAP__KERNEL_HEAD(called, k, REAP__OUTSIDE, list, __VA_ARGS__)

#define REAP__COMPILED_GROUP(called, k, ...)                                                       \
    REAP__COMPILED_GROUP_OF(called, k, REAP__LISTS(__VA_ARGS__))
#define REAP__COMPILED_GROUP_OF(called, k, ...)                                                    \
    REAP__BODY unsigned reap_group_body_##k(                                                       \
        REAP__OUTSIDE REAP__EACH_PARAMETER(REAP__FORMAL_, __VA_ARGS__) REAP__KEPT_FORMALS)
#define REAP__GROUP_BEGIN                                                                          \
    const struct reap__loops reap_loops_ =                                                         \
        reap_item_.phases_do_not_nest_and_need_a_REAP_GROUP_KERNEL_;                               \
    const unsigned reap_items_ = (unsigned)reap_loops_.group_->items_;                             \
    unsigned reap_votes_ = 0, reap_resume_ = 0;                                                    \
    (void)reap_items_, (void)reap_votes_, (void)reap_resume_;
#define REAP__REGION                                                                               \
    for (size_t reap_i_ = 0; reap_i_ < reap_loops_.count_[0]; reap_i_++)                           \
        for (size_t reap_j_ = 0; reap_j_ < reap_loops_.count_[1]; reap_j_++)                       \
            REAP__PHASE_LOOP                                                                       \
    for (size_t reap_k_ = 0; reap_k_ < reap_loops_.count_[2]; reap_k_++)                           \
        for (const reap_item                                                                       \
                 reap_item_ = reap__phase_item(&reap_loops_, reap_i_, reap_j_, reap_k_),           \
                 *reap_once_ = &reap_item_;                                                        \
             reap_once_ != NULL; reap_once_ = NULL)

#define REAP__COMPILED_ITEM(called, k, ...)                                                        \
    REAP__COMPILED_ITEM_OF(called, k, REAP__LISTS(__VA_ARGS__))
#define REAP__COMPILED_ITEM_OF(called, k, ...)                                                     \
    static const struct reap__call_site *reap_item_body_##k(                                       \
        REAP_ITEM REAP__EACH_PARAMETER(REAP__FORMAL_, __VA_ARGS__) REAP__KEPT_FORMALS,             \
        unsigned *reap_state_)

#define REAP__COMPILED_BEGIN(k, ...)                                                               \
    struct reap__group *const group_ = work_->group_;                                              \
    const reap_arguments_##k arguments_ = *(const reap_arguments_##k *)work_->arguments_;          \
    const struct reap__span *spans_ = work_->spans_;                                               \
    REAP__EACH_SPAN(REAP__SPANS_, __VA_ARGS__)                                                     \
    (void)arguments_, (void)spans_;
#define REAP__COMPILED_HAND(k)                                                                     \
    const reap_arguments_##k *const arguments_ = work_->arguments_;                                \
    const struct reap__lanes *const lanes_ = work_->lanes_;                                        \
    void *const *const locals_ = work_->locals_;                                                   \
    const size_t items_ = work_->group_->items_;                                                   \
    REAP__KEPT_TAKE(void) arguments_, (void)lanes_, (void)locals_;

#define REAP__COMPILED_FUNCTIONS(isa, k, ...)                                                      \
    REAP__COMPILED_##isa(k) static unsigned reap_run_group_##k(                                    \
        const struct reap__work *work_ REAP__EACH_PARAMETER(REAP__HANDED_, __VA_ARGS__)            \
            REAP__KEPT_FORMALS)                                                                    \
    {                                                                                              \
        REAP__COMPILED_BEGIN(k, __VA_ARGS__)                                                       \
        const struct reap__loops loops_ = REAP__LOOPS(REAP__DIMENSIONS, 0);                        \
        const reap__outside_of_a_phase outside_ = {group_, group_->global_range_, loops_};         \
        return reap_group_body_##k(outside_ REAP__EACH_PARAMETER(REAP__WHOLE_, __VA_ARGS__)        \
                                       REAP__KEPT_ACTUALS);                                        \
    }                                                                                              \
    REAP__COMPILED_##isa(k) REAP__NEVER_INLINED REAP__FLATTEN static unsigned reap_group_##k(      \
        const struct reap__work *work_, unsigned char *memory_)                                    \
    {                                                                                              \
        REAP__COMPILED_HAND(k)                                                                     \
        return reap_run_group_##k(work_ REAP__EACH_PARAMETER(REAP__HAND_, __VA_ARGS__)             \
                                      REAP__KEPT_ACTUALS);                                         \
    }                                                                                              \
    REAP__COMPILED_##isa(k) static const struct reap__call_site *reap_run_item_##k(                \
        const struct reap__work *work_, reap_item item_,                                           \
        unsigned *state_ REAP__EACH_PARAMETER(REAP__HANDED_, __VA_ARGS__) REAP__KEPT_FORMALS)      \
    {                                                                                              \
        REAP__COMPILED_BEGIN(k, __VA_ARGS__)(void) group_;                                         \
        return reap_item_body_##k(                                                                 \
            item_ REAP__EACH_PARAMETER(REAP__WHOLE_, __VA_ARGS__) REAP__KEPT_ACTUALS, state_);     \
    }                                                                                              \
    REAP__COMPILED_##isa(k) static const struct reap__call_site *reap_continue_item_##k(           \
        const struct reap__work *work_, const size_t *local_, size_t at_, unsigned char *memory_,  \
        unsigned *state_)                                                                          \
    {                                                                                              \
        struct reap__group *const group_ = work_->group_;                                          \
        const size_t *const range_ = group_->global_range_;                                        \
        const size_t id_0_ = group_->first_[0] + local_[0], id_1_ = group_->first_[1] + local_[1], \
                     id_2_ = group_->first_[2] + local_[2];                                        \
        const reap_item item_ = {{id_0_, id_1_, id_2_},                                            \
                                 (id_0_ * range_[1] + id_1_) * range_[2] + id_2_,                  \
                                 {range_[0], range_[1], range_[2]},                                \
                                 {local_[0], local_[1], local_[2]},                                \
                                 at_,                                                              \
                                 at_,                                                              \
                                 group_,                                                           \
                                 0};                                                               \
        REAP__COMPILED_HAND(k)                                                                     \
        return reap_run_item_##k(work_, item_,                                                     \
                                 state_ REAP__EACH_PARAMETER(REAP__HAND_, __VA_ARGS__)             \
                                     REAP__KEPT_ACTUALS);                                          \
    }

#define REAP__COMPILED_END(called, k, ...)                                                         \
    REAP__COMPILED_END_OF(called, k, REAP__LISTS(__VA_ARGS__))
#define REAP__COMPILED_END_OF(called, k, ...)                                                      \
    REAP__EACH_ISA(REAP__COMPILED_FUNCTIONS, k, __VA_ARGS__)                                       \
    static size_t reap_bytes_##k(size_t items_)                                                    \
    {                                                                                              \
        unsigned char *const begin_ = (unsigned char *)64, *memory_ = begin_;                      \
        REAP__KEPT_TAKE                                                                            \
        return (size_t)(memory_ - begin_);                                                         \
    }                                                                                              \
    static const struct reap_kernel reap_kernel_##called = {                                       \
        REAP__KERNEL_MEMBERS(called, k), {NULL}, NULL, {NULL}, NULL, NULL, NULL, NULL};            \
    extern const struct reap__compiled reap__compiled_kernel                                       \
        __attribute__((__visibility__("default")));                                                \
    const struct reap__compiled reap__compiled_kernel = {                                          \
        &reap_kernel_##called, reap_bytes_##k, reap_group_##k,                                     \
        REAP__HAS_ITEM ? reap_continue_item_##k : NULL};

#endif
