/* SPDX-License-Identifier: Apache-2.0
 *
 * nd_range kernels: the function that runs the body for one work-item of a group. The library calls
 * it on a separate stack once an item waits for the others of its group.
 */
#ifndef REAP_DETAIL_HOST_GROUPS_H
#define REAP_DETAIL_HOST_GROUPS_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <reap/detail/host/loops.h>
#include <reap/detail/host/wait.h>

/* A call site at which work-items wait. */
#define REAP__CALL_SITE(name, word, collective)                                                    \
    static const struct reap__call_site name = {word, __FILE__, __LINE__, __COUNTER__, collective}
/* Whether the type of the work-item has a group; the group. */
#define REAP__IS_GROUPED _Generic(reap_item_, reap_item : 1, default : 0)
#define REAP__GROUP_HERE (((const reap_item *)(const void *)&reap_item_)->group_)
#define REAP__NEEDS_GROUP                                                                          \
    "is for work-items that wait for each other, in a REAP_ND_KERNEL: a REAP_KERNEL has no "       \
    "work-groups, and a REAP_GROUP_KERNEL waits between phases"

/* Makes the command fail: an item without a group has executed a keyword that needs one. */
static __attribute__((__cold__, __noinline__, __unused__)) void
reap__lacks_group(struct reap__group *group, const char *word, const char *file, unsigned line)
{
    const struct reap__call_site site = {word, file, line, 0, NULL};
    (group->wait)(group, &site, NULL);
}

/* A value of an item's group. Only helper functions can be called without a group; code between
 * phases always has one. In kernels `is_alone` is a constant, so the test is removed. */
REAP__INLINE size_t reap__of_its_group(size_t value, const reap_item *item, const char *word,
                                       const char *file, unsigned line)
{
    if (__builtin_expect(item->is_alone, 0))
        reap__lacks_group(item->group_, word, file, line);
    return value;
}
REAP__INLINE size_t reap__of_the_group(size_t value, const void *none, const char *word,
                                       const char *file, unsigned line)
{
    (void)none, (void)word, (void)file, (void)line;
    return value;
}
#define REAP__OF_A_GROUP(word, value)                                                              \
    (_Generic(reap_item_, reap_item                                                                \
              : reap__of_its_group, default                                                        \
              : reap__of_the_group)((value), &reap_item_, word, __FILE__, __LINE__))

/* A work-item's storage for each parameter. */
#define REAP__KEEP_array_(k, kind, T, n, Q, ...) T Q *const reap_array_##n = arguments_.n;
#define REAP__KEEP_value_(...)
#define REAP__KEEP_local_(k, kind, T, n, ...)                                                      \
    T *const reap_local_##n = locals_[reap_local_of_##k##_reap_##n];
#define REAP__KEEP_scalar_(k, kind, T, n, op, origin)                                              \
    T *const reap_values_##n = lanes_[reap_lanes_of_##k##_reap_##n].values_;                       \
    T *const reap_at_##n = reap_values_##n + at_;                                                  \
    REAP__NO_PLANES_##origin(T, n) struct reap__flag *const reap_set_##n REAP__UNUSED =            \
        REAP__HAS_IDENTITY_##origin(op)                                                            \
            ? NULL                                                                                 \
            : (struct reap__flag *)lanes_[reap_lanes_of_##k##_reap_##n].set_ + at_;
#define REAP__KEEP_exact_(k, kind, T, n, ...)                                                      \
    T *const reap_at_##n = (T *)lanes_[reap_lanes_of_##k##_reap_##n].values_ + at_;                \
    void *const reap_sink_##n = lanes_[reap_lanes_of_##k##_reap_##n].rows_;
#define REAP__KEEP_location_(k, kind, T, n, ...)                                                   \
    T *const reap_at_##n = (T *)lanes_[reap_lanes_of_##k##_reap_##n].values_ + at_;                \
    reap_row_##k##_reap_##n *const reap_row_at_##n =                                               \
        (reap_row_##k##_reap_##n *)lanes_[reap_lanes_of_##k##_reap_##n].rows_ + at_;
#define REAP__KEEP_span_(...)

#define REAP__ITEM_FUNCTION(body, k, ...)                                                          \
    REAP__COMPILED_plain_(k) static void reap_item_function_##k(const struct reap__work *work_,    \
                                                                size_t local_0_, size_t local_1_,  \
                                                                size_t local_2_, size_t at_)       \
    {                                                                                              \
        enum { is_one_of_eight_ = 0, eighth_ = 0, is_dense_ = 0, is_planar_ = 0, vector_ = 0 };    \
        enum { l_ = 0, now_ = 0, batches_ = 0 };                                                   \
        REAP__UNSEEN_BEGIN;                                                                        \
        struct reap__group *const group_ = work_->group_;                                          \
        reap__choose_wait(group_, REAP__MAY_LEAP);                                                 \
        const reap_arguments_##k arguments_ = *(const reap_arguments_##k *)work_->arguments_;      \
        const struct reap__lanes *lanes_ = work_->lanes_;                                          \
        const struct reap__span *spans_ = work_->spans_;                                           \
        void *const *locals_ = work_->locals_;                                                     \
        const size_t *const range_ = group_->global_range_;                                        \
        const size_t id_0_ = group_->first_[0] + local_0_, id_1_ = group_->first_[1] + local_1_,   \
                     id_2_ = group_->first_[2] + local_2_;                                         \
        const reap_item item_ = {{id_0_, id_1_, id_2_},                                            \
                                 (id_0_ * range_[1] + id_1_) * range_[2] + id_2_,                  \
                                 {range_[0], range_[1], range_[2]},                                \
                                 {local_0_, local_1_, local_2_},                                   \
                                 at_,                                                              \
                                 0,                                                                \
                                 group_,                                                           \
                                 0};                                                               \
        REAP__EACH_PARAMETER(REAP__KEEP_, __VA_ARGS__)                                             \
        REAP__EACH_SPAN(REAP__SPANS_, __VA_ARGS__)                                                 \
        (void)arguments_, (void)lanes_, (void)spans_, (void)locals_;                               \
        REAP__EACH_LANES(REAP__LOAD_, __VA_ARGS__)                                                 \
        REAP__UNSEEN_END;                                                                          \
        body##k(item_ REAP__EACH_PARAMETER(REAP__ACTUAL_, __VA_ARGS__));                           \
        REAP__UNSEEN_BEGIN;                                                                        \
        REAP__EACH_LANES(REAP__STORE_, __VA_ARGS__)                                                \
        REAP__UNSEEN_END;                                                                          \
    }

#define REAP__ND_KERNEL_FIT(called, k, list, ...)                                                  \
    REAP__KERNEL_HEAD(called, k, REAP_ITEM, list, __VA_ARGS__)                                     \
    REAP__ITEM_FUNCTION(reap_body_, k, __VA_ARGS__)                                                \
    REAP__ND_KERNEL_OBJECT(reap_kernel_##called, &reap_state_##k, called, k);                      \
    REAP__KERNEL_END(called)                                                                       \
    REAP__BODY void reap_body_##k(REAP_ITEM REAP__EACH_PARAMETER(REAP__FORMAL_, __VA_ARGS__))
#define REAP__ND_KERNEL_OBJECT(object, state, called, k)                                           \
    static const struct reap_kernel object REAP__UNUSED = {                                        \
        REAP__KERNEL_MEMBERS_WITH(state, called, k),                                               \
        {NULL},                                                                                    \
        reap_item_function_##k,                                                                    \
        {NULL},                                                                                    \
        NULL,                                                                                      \
        NULL,                                                                                      \
        &object,                                                                                   \
        &object,                                                                                   \
        NULL}

/* A kernel for ranges and for nd_ranges: both kinds around one body. Its work-items have the
 * context that helper functions have, so that keywords for groups compile: the loops over a range
 * pass an item without a group, which reports such keywords. */
#define REAP__ANY_KERNEL_FIT(called, k, list, ...)                                                 \
    REAP__KERNEL_HEAD(called, k, REAP__ALONE_ITEM, list, __VA_ARGS__)                              \
    REAP__BODY void reap_both_##k(REAP_ITEM REAP__EACH_PARAMETER(REAP__FORMAL_, __VA_ARGS__));     \
    REAP__BODY void reap_body_##k(                                                                 \
        REAP__ALONE_ITEM REAP__EACH_PARAMETER(REAP__FORMAL_, __VA_ARGS__))                         \
    {                                                                                              \
        reap_both_##k(reap__item_for_helpers(reap_item_)                                           \
                          REAP__EACH_PARAMETER(REAP__FORWARD_, __VA_ARGS__));                      \
    }                                                                                              \
    static struct reap__kernel_state reap_state_of_groups_##k;                                     \
    REAP__ITEM_FUNCTION(reap_both_, k, __VA_ARGS__)                                                \
    REAP__ND_KERNEL_OBJECT(reap_kernel_nd_##k, &reap_state_of_groups_##k, called, k);              \
    REAP__PASTE(REAP__KERNEL_WITH_, REAP__LOOPS_OF(__VA_ARGS__))                                   \
    (&reap_kernel_nd_##k, called, k, __VA_ARGS__) REAP__KERNEL_END(called)                         \
        REAP__BODY void reap_both_##k(REAP_ITEM REAP__EACH_PARAMETER(REAP__FORMAL_, __VA_ARGS__))

/* A parameter of a body as an argument of another one. */
#define REAP__FORWARD_array_(k, kind, T, n, ...) , n
#define REAP__FORWARD_value_(k, kind, T, n, ...) , n
#define REAP__FORWARD_local_(...)
#define REAP__FORWARD_scalar_(k, kind, T, n, ...) , n, n##_reap_function, n##_reap_set
#define REAP__FORWARD_exact_(...) REAP__FORWARD_scalar_(__VA_ARGS__)
#define REAP__FORWARD_location_(...) REAP__FORWARD_scalar_(__VA_ARGS__)
#define REAP__FORWARD_span_(k, kind, T, n, ...) , n, n##_reap_function, n##_reap_set, n##_reap_span

#endif
