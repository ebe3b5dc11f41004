/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels in phases: the function that runs the body for one group. Each phase is a loop over the
 * group's work-items, which are not ordered, so the compiler may vectorise it; the barrier is the
 * end of the loop.
 */
#ifndef REAP_DETAIL_HOST_PHASES_H
#define REAP_DETAIL_HOST_PHASES_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <reap/detail/host/loops.h>
#include <reap/detail/host/phase_loop.h>

/* The bounds of the loops of a phase. The innermost is the range's last dimension. */
struct reap__loops {
    struct reap__group *group_;
    unsigned dimensions;
    int is_reversed;
    size_t count_[3];
    size_t first[3];
    size_t global_range[3];
};

/* Replaces the work-item between the phases of a kernel in phases. It lacks the members of a
 * work-item, and a compiler's error names the two types. */
typedef struct reap__outside_of_a_phase {
    struct reap__group *group_;
    const size_t *global_range_;
    struct reap__loops phases_do_not_nest_and_need_a_REAP_GROUP_KERNEL_;
} reap__outside_of_a_phase;

struct reap__phase {
    const struct reap__loops of_;
    const size_t first_; /* the number of items that run it */
    const char *file;
    unsigned line;
    int is_done_;
};

/* Runs when a phase is left in any way; leaving it other than by its end is an error. gcc and clang
 * report it if they optimise: gcc if it is certain, clang unless it can exclude it, which it can
 * except under its sanitizers. Otherwise, and if exceptions may leave the phase, it is reported at
 * run time. Only one of the functions that contain the body, the one that runs checked groups,
 * reports it, so it is reported once. */
extern void reap__phase_is_left_by_return_or_goto(void)
    __attribute__((__error__("Reap: a phase is left by return or goto (a work-item's part of it "
                             "ends with continue or break)")));
#if !defined(__OPTIMIZE__) || defined(__EXCEPTIONS)
#define REAP__LEAVES_EARLY(phase) 0
#define REAP__ALONE
#elif !defined(__clang__)
#define REAP__LEAVES_EARLY(phase)                                                                  \
    ((phase)->of_.is_reversed && __builtin_constant_p((phase)->is_done_) && !(phase)->is_done_)
#define REAP__ALONE
#elif __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                       \
    __has_feature(memory_sanitizer) || __has_feature(undefined_behavior_sanitizer)
#define REAP__LEAVES_EARLY(phase) 0
#define REAP__ALONE __attribute__((__nomerge__))
#else
#define REAP__LEAVES_EARLY(phase) ((phase)->of_.is_reversed && !(phase)->is_done_)
#define REAP__ALONE __attribute__((__nomerge__))
#endif
REAP__INLINE void reap__phase_end(const struct reap__phase *phase)
{
    if (REAP__LEAVES_EARLY(phase))
        REAP__ALONE reap__phase_is_left_by_return_or_goto();
    if (!phase->is_done_)
        (phase->of_.group_->leave)(phase->of_.group_, phase->file, phase->line);
}

/* Returns how many items of a row of the group run the phase. */
REAP__INLINE size_t reap__phase_row(const struct reap__phase *phase, size_t i, size_t j)
{
    const size_t *const count = phase->of_.count_;
    const size_t row = phase->of_.is_reversed ? (count[0] - 1 - i) * count[1] + count[1] - 1 - j
                                              : i * count[1] + j;
    const size_t before = row * count[2];
    const size_t left = phase->first_ > before ? phase->first_ - before : 0;
    return left < count[2] ? left : count[2];
}

/* Return the bounds of the innermost loop for these items. */
REAP__INLINE size_t reap__phase_row_begin(const struct reap__phase *phase, size_t i, size_t j)
{
    return phase->of_.is_reversed ? phase->of_.count_[2] - reap__phase_row(phase, i, j) : 0;
}

REAP__INLINE size_t reap__phase_row_end(const struct reap__phase *phase, size_t i, size_t j)
{
    return phase->of_.is_reversed ? phase->of_.count_[2] : reap__phase_row(phase, i, j);
}

/* The work-item at these indices of the three loops. */
REAP__INLINE reap_item reap__phase_item(const struct reap__loops *of, size_t i, size_t j, size_t k)
{
    const size_t *const count = of->count_;
    const size_t at[3] = {of->is_reversed ? count[0] - 1 - i : i,
                          of->is_reversed ? count[1] - 1 - j : j,
                          of->is_reversed ? count[2] - 1 - k : k};
    const unsigned d = of->dimensions;
    const size_t local[3] = {d == 1   ? at[2]
                             : d == 2 ? at[1]
                                      : at[0],
                             d == 1   ? 0
                             : d == 2 ? at[2]
                                      : at[1],
                             d == 3 ? at[2] : 0};
    const size_t id[3] = {of->first[0] + local[0], of->first[1] + local[1],
                          of->first[2] + local[2]};
    const size_t *const range = of->global_range;
    const size_t linear = (at[0] * count[1] + at[1]) * count[2] + at[2];
    return (reap_item){{id[0], id[1], id[2]},
                       d == 1   ? id[0]
                       : d == 2 ? id[0] * range[1] + id[1]
                                : (id[0] * range[1] + id[1]) * range[2] + id[2],
                       {range[0], range[1], range[2]},
                       {local[0], local[1], local[2]},
                       linear,
                       linear,
                       of->group_,
                       0};
}

#define REAP__ITEM_PRIVATE(T, name)                                                                \
    _Static_assert(sizeof(T) <= REAP__MOST_PRIVATE_BYTES && _Alignof(T) <= 64,                     \
                   "Reap: '" #name "' is too large for a private variable of a work-item");        \
    static const struct reap__private_variable reap_word_##name = {sizeof(T), _Alignof(T),         \
                                                                   __COUNTER__};                   \
    T *const name =                                                                                \
        (T *)(reap_item_.phases_do_not_nest_and_need_a_REAP_GROUP_KERNEL_.group_->take_)(          \
            reap_item_.group_, &reap_word_##name)

/* The loops of a group with this number of dimensions; constants here are constants in each phase.
 */
#define REAP__LOOPS(d, reversed)                                                                   \
    {                                                                                              \
        group_, d, reversed,                                                                       \
            {(d) > 2 ? group_->local_range_[0] : 1,                                                \
             (d) > 1 ? group_->local_range_[(d) > 2 ? 1 : 0] : 1, group_->local_range_[(d)-1]},    \
            {group_->first_[0], group_->first_[1], group_->first_[2]},                             \
        {                                                                                          \
            group_->global_range_[0], group_->global_range_[1], group_->global_range_[2]           \
        }                                                                                          \
    }

/* The argument of the body for each parameter; for a reduction all lanes. */
#define REAP__WHOLE_array_(k, kind, T, n, ...) , reap_array_##n
#define REAP__WHOLE_value_(k, kind, T, n, ...) , arguments_.n
#define REAP__WHOLE_local_(k, kind, T, n, d, ...) , reap_local_##n REAP__ACTUAL_EXTENTS_##d(n)
#define REAP__WHOLE_scalar_(k, kind, T, n, op, origin)                                             \
    , REAP__HANDLE(reap_values_##n), reap_one_##k##_reap_##n,                                      \
        (struct reap_flag_##op *)(REAP__HAS_IDENTITY_##origin(op) ? NULL : reap_flags_##n)
#define REAP__WHOLE_exact_(k, kind, T, n, op, origin)                                              \
    , REAP__HANDLE(reap_values_##n), reap_one_##k##_reap_##n, (struct reap_flag_##op *)reap_sink_##n
#define REAP__WHOLE_location_(k, kind, T, n, op, ...)                                              \
    , REAP__HANDLE(reap_values_##n), reap_one_##k##_reap_##n, (struct reap_location_##op)          \
    {                                                                                              \
        reap_rows_##n, 0                                                                           \
    }
#define REAP__WHOLE_span_(k, kind, T, n, op, origin)                                               \
    , reap_span_##n.values_, reap_at_##k##_reap_##n,                                               \
        REAP__HAS_IDENTITY_##origin(op) ? NULL : (struct reap_flag_##op *)reap_span_##n.set_,      \
        reap__span_known(reap_span_##n, false, NULL)

/* The function that runs a group of a range with d dimensions. `name` distinguishes such
 * functions. */
#define REAP__PHASES_FUNCTION(isa, name, d, is_reversed, k, ...)                                   \
    REAP__COMPILED_##isa(k) static void reap_run_phases_##name##_##isa##_##k(                      \
        const struct reap__work *work_ REAP__EACH_PARAMETER(REAP__HANDED_, __VA_ARGS__))           \
    {                                                                                              \
        struct reap__group *const group_ = work_->group_;                                          \
        const reap_arguments_##k arguments_ = *(const reap_arguments_##k *)work_->arguments_;      \
        const struct reap__span *spans_ = work_->spans_;                                           \
        REAP__EACH_SPAN(REAP__SPANS_, __VA_ARGS__)                                                 \
        (void)arguments_, (void)spans_;                                                            \
        const struct reap__loops loops_ = REAP__LOOPS(d, is_reversed);                             \
        const reap__outside_of_a_phase outside_ = {group_, group_->global_range_, loops_};         \
        reap_body_##k(outside_ REAP__EACH_PARAMETER(REAP__WHOLE_, __VA_ARGS__));                   \
    }                                                                                              \
    REAP__COMPILED_##isa(k)                                                                        \
        REAP__NEVER_INLINED REAP__FLATTEN static enum reap__isa reap_phases_##name##_##isa##_##k(  \
            const struct reap__work *work_)                                                        \
    {                                                                                              \
        const reap_arguments_##k *const arguments_ = work_->arguments_;                            \
        const struct reap__lanes *const lanes_ = work_->lanes_;                                    \
        void *const *const locals_ = work_->locals_;                                               \
        (void)arguments_, (void)lanes_, (void)locals_;                                             \
        reap_run_phases_##name##_##isa##_##k(                                                      \
            work_ REAP__EACH_PARAMETER(REAP__HAND_, __VA_ARGS__));                                 \
        return REAP__RAN_##isa;                                                                    \
    }
#define REAP__PHASES_FUNCTIONS(isa, k, ...)                                                        \
    REAP__PHASES_FUNCTION(isa, 1, 1, 0, k, __VA_ARGS__)                                            \
    REAP__PHASES_FUNCTION(isa, 2, 2, 0, k, __VA_ARGS__)                                            \
    REAP__PHASES_FUNCTION(isa, 3, 3, 0, k, __VA_ARGS__)                                            \
    REAP__COMPILED_##isa(k) static enum reap__isa reap_phases_##isa##_##k(                         \
        const struct reap__work *work_)                                                            \
    {                                                                                              \
        const unsigned dimensions_ = work_->group_->dimensions_;                                   \
        return dimensions_ == 1   ? reap_phases_1_##isa##_##k(work_)                               \
               : dimensions_ == 2 ? reap_phases_2_##isa##_##k(work_)                               \
                                  : reap_phases_3_##isa##_##k(work_);                              \
    }

/* As for kernels without groups, the compiler drops the objects that no launch uses. */
#define REAP__GROUP_KERNEL_FIT(called, k, list, ...)                                               \
    REAP__KERNEL_HEAD(called, k, REAP__OUTSIDE, list, __VA_ARGS__)                                 \
    REAP__EACH_PHASES_ISA(REAP__PHASES_FUNCTIONS, k, __VA_ARGS__)                                  \
    REAP__PHASES_FUNCTION(plain_, checked, group_->dimensions_, 1, k, __VA_ARGS__)                 \
    REAP__PHASES_KERNEL(reap_kernel_1d_##k, NULL, NULL, called, k, reap_phases_1_);                \
    REAP__PHASES_KERNEL(reap_kernel_2d_##k, NULL, NULL, called, k, reap_phases_2_);                \
    REAP__PHASES_KERNEL(reap_kernel_##called, &reap_kernel_1d_##k, &reap_kernel_2d_##k, called, k, \
                        reap_phases_);                                                             \
    REAP__KERNEL_END(called)                                                                       \
    REAP__BODY void reap_body_##k(REAP__OUTSIDE REAP__EACH_PARAMETER(REAP__FORMAL_, __VA_ARGS__))
#define REAP__PHASES_KERNEL(object, of_1d, of_2d, called, k, prefix)                               \
    static const struct reap_kernel object REAP__UNUSED = {REAP__KERNEL_MEMBERS(called, k),        \
                                                           {NULL},                                 \
                                                           NULL,                                   \
                                                           REAP__PHASES_TABLE(prefix, k),          \
                                                           reap_phases_checked_plain__##k,         \
                                                           NULL,                                   \
                                                           of_1d,                                  \
                                                           of_2d,                                  \
                                                           NULL}
#define REAP__OUTSIDE const reap__outside_of_a_phase reap_item_ __attribute__((__unused__))

#endif
