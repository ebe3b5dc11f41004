/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops of a phase. Their work-item hides the object that replaces it between phases,
 * intentionally: -Wshadow does not warn in system headers.
 */
#ifndef REAP_DETAIL_HOST_PHASE_LOOP_H
#define REAP_DETAIL_HOST_PHASE_LOOP_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

/* A phase for the first items, by linear id. The outermost loop runs once and detects whether the
 * phase is left early. The innermost runs once for each item, so that continue and break end the
 * item's execution of the phase. */
#define REAP__FOR_EACH_ITEM REAP__PHASE((size_t)-1, 0, reap_phase_.of_.count_[2])
#define REAP__FOR_FIRST_ITEMS(count)                                                               \
    REAP__PHASE((size_t)(+(count)), reap__phase_row_begin(&reap_phase_, reap_i_, reap_j_),         \
                reap__phase_row_end(&reap_phase_, reap_i_, reap_j_))

#define REAP__PHASE(first, row_begin, row_end)                                                     \
    for (struct reap__phase reap_phase_ __attribute__((__cleanup__(                                \
             reap__phase_end))) = {reap_item_.phases_do_not_nest_and_need_a_REAP_GROUP_KERNEL_,    \
                                   first, __FILE__, __LINE__, 0};                                  \
         !reap_phase_.is_done_; reap_phase_.is_done_ = 1)                                          \
        for (size_t reap_i_ = 0; reap_i_ < reap_phase_.of_.count_[0]; reap_i_++)                   \
            for (size_t reap_j_ = 0; reap_j_ < reap_phase_.of_.count_[1]; reap_j_++)               \
                REAP__PHASE_LOOP                                                                   \
    for (size_t reap_k_ = row_begin, reap_k_end_ = row_end; reap_k_ < reap_k_end_; reap_k_++)      \
        for (const reap_item                                                                       \
                 reap_item_ = reap__phase_item(&reap_phase_.of_, reap_i_, reap_j_, reap_k_),       \
                 *reap_once_ = &reap_item_;                                                        \
             reap_once_ != NULL; reap_once_ = NULL)

#endif
