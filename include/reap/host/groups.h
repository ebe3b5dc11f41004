/* SPDX-License-Identifier: Apache-2.0
 *
 * nd_range kernels: the function that runs the body for one work-item of a group. The library calls
 * it on a stack of the item's own as soon as an item waits for the others of its group.
 */
#ifndef REAP_HOST_GROUPS_H
#define REAP_HOST_GROUPS_H

#include <reap/host/loops.h>

/* Waits for the group's other work-items. */
#define REAP__WAIT(word, spaces)                                                                   \
    do {                                                                                           \
        _Static_assert(((spaces) & ~(REAP_LOCAL_SPACE | REAP_GLOBAL_SPACE)) == 0 && (spaces) != 0, \
                       "Reap: a barrier orders REAP_LOCAL_SPACE, REAP_GLOBAL_SPACE or both");      \
        static const struct reap__place place_ = {word, __FILE__, __LINE__};                       \
        (reap_item_.group->wait)(reap_item_.group, &place_);                                       \
    } while (0)

#define REAP__WORK(k, ...)                                                                         \
    REAP__COMPILED_plain(k) static void reap_work_##k(const struct reap__work *work_)              \
    {                                                                                              \
        enum { is_one_of_eight_ = 0, eighth_ = 0, l_ = 0, now_ = 0 };                              \
        const struct reap_arguments_##k arguments_ =                                               \
            *(const struct reap_arguments_##k *)work_->arguments;                                  \
        const struct reap__lanes *lanes_ = work_->lanes;                                           \
        const struct reap__span *spans_ = work_->spans;                                            \
        void *const *locals_ = work_->locals;                                                      \
        const reap_item item_ = *work_->item;                                                      \
        const size_t at_ = item_.local_linear_id, first_ = item_.global_linear_id;                 \
        REAP__EACH(REAP__KEEP, __VA_ARGS__)                                                        \
        (void)arguments_, (void)lanes_, (void)spans_, (void)locals_, (void)at_, (void)first_;      \
        REAP__EACH(REAP__LOAD, __VA_ARGS__)                                                        \
        reap_body_##k(item_ REAP__EACH(REAP__ACTUAL, __VA_ARGS__));                                \
        REAP__EACH(REAP__STORE, __VA_ARGS__)                                                       \
    }

#define REAP__ND_KERNEL_FIT(k, ...)                                                                \
    REAP__KERNEL_HEAD(k, __VA_ARGS__)                                                              \
    REAP__WORK(k, __VA_ARGS__)                                                                     \
    static const struct reap_kernel reap_kernel_##k                                                \
        __attribute__((__unused__)) = {REAP__KERNEL_MEMBERS(k), .work = reap_work_##k};            \
    REAP__INLINE void reap_body_##k(REAP_ITEM REAP__EACH(REAP__FORMAL, __VA_ARGS__))

#endif
