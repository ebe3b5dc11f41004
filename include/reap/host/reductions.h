/* SPDX-License-Identifier: Apache-2.0
 *
 * The code of a kernel's reductions: combining one value, an array of values, the lanes of a block;
 * the identity; and the entry that the library finds all of this by.
 */
#ifndef REAP_HOST_REDUCTIONS_H
#define REAP_HOST_REDUCTIONS_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <reap/host/isa.h>
#include <reap/host/parameters.h>

/* Under the thread sanitizer each work-item of a group counts as a thread. What items combine into
 * is the library's affair and not theirs, so it does not look there. */
#if defined(__SANITIZE_THREAD__)
#define REAP__IS_SANITIZED_FOR_THREADS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define REAP__IS_SANITIZED_FOR_THREADS 1
#endif
#endif
#ifdef REAP__IS_SANITIZED_FOR_THREADS
void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);
#define REAP__UNSEEN_BEGIN                                                                         \
    (AnnotateIgnoreReadsBegin(__FILE__, __LINE__), AnnotateIgnoreWritesBegin(__FILE__, __LINE__))
#define REAP__UNSEEN_END                                                                           \
    (AnnotateIgnoreWritesEnd(__FILE__, __LINE__), AnnotateIgnoreReadsEnd(__FILE__, __LINE__))
#else
#define REAP__UNSEEN_BEGIN ((void)0)
#define REAP__UNSEEN_END ((void)0)
#endif

/* A reduction's code: combining one value, many values, lanes; its identity; its entry. */
#define REAP__CODE(k, p) REAP__FACET(REAP__CODE_, k, p)
#define REAP__CODE_array_(...)
#define REAP__CODE_value_(...)
#define REAP__CODE_local_(...)
#define REAP__CODE_scalar_(k, kind, T, n, op, origin)                                              \
    REAP__COMBINE_ONE(k, T, n, op, origin)                                                         \
    REAP__COMBINE_MANY(k, T, n, op, origin)                                                        \
    REAP__FOLD_SIXTEEN(k, T, n, op, origin)                                                        \
    REAP__EACH_ISA(REAP__FOLD, k, T, n, op, origin)                                                \
    static const struct reap__reduction reap_reduction_##k##_reap_##n = {                          \
        .operation = #op,                                                                          \
        .is_builtin = REAP__IS_BUILTIN_##origin,                                                   \
        .lanes_log2 = REAP__LANES_LOG2(sizeof(T)),                                                 \
        .result_size = sizeof(T),                                                                  \
        .value_size = sizeof(T),                                                                   \
        .number = REAP__NUMBER_##origin(T),                                                        \
        .identity = REAP__IDENTITY_ENTRY_##origin(k, n, op),                                       \
        .combine = reap_many_##k##_reap_##n,                                                       \
        .fold = REAP__ISA_TABLE(reap_fold_, _##k##_reap_##n, 1)};
#define REAP__CODE_span_(k, kind, T, n, op, origin)                                                \
    REAP__COMBINE_ONE(k, T, n, op, origin)                                                         \
    REAP__COMBINE_MANY(k, T, n, op, origin)                                                        \
    REAP__INLINE void reap_at_##k##_reap_##n(                                                      \
        struct reap__span_takes_values_by_reap_combine_at *values_, struct reap_flag_##op *set_,   \
        struct reap__span span_, size_t index_, T v_)                                              \
    {                                                                                              \
        REAP__UNSEEN_BEGIN;                                                                        \
        size_t at_ = reap__span_element(&span_, index_);                                           \
        REAP__UNSEEN_END;                                                                          \
        reap_one_##k##_reap_##n(REAP__HANDLE(values_), set_, at_, v_);                             \
    }                                                                                              \
    static const struct reap__reduction reap_reduction_##k##_reap_##n = {                          \
        .operation = #op,                                                                          \
        .is_builtin = REAP__IS_BUILTIN_##origin,                                                   \
        .lanes_log2 = REAP__LANES_LOG2(sizeof(T)),                                                 \
        .result_size = sizeof(T),                                                                  \
        .value_size = sizeof(T),                                                                   \
        .number = REAP__NUMBER_##origin(T),                                                        \
        .identity = REAP__IDENTITY_ENTRY_##origin(k, n, op),                                       \
        .combine = reap_many_##k##_reap_##n};

#define REAP__IS_BUILTIN_builtin_ 1
#define REAP__IS_BUILTIN_user_ 0
#define REAP__NUMBER_builtin_(T) REAP__NUMBER(T)
#define REAP__NUMBER_user_(T) REAP__NO_FLOAT
#define REAP__OPERATION_builtin_(op, T) REAP__FUNCTION(op, T)
#define REAP__OPERATION_user_(op, T) reap_operator_##op
#define REAP__HAS_IDENTITY_builtin_(op) 1
#define REAP__HAS_IDENTITY_user_(op) reap_operator_has_identity_##op
#define REAP__PUT_IDENTITY_builtin_(op, T, into) REAP__PUT_IDENTITY(op, T, *(into))
#define REAP__PUT_IDENTITY_user_(op, T, into) reap_put_identity_##op(into)
#define REAP__IDENTITY_ENTRY_builtin_(k, n, op) reap_identity_##k##_reap_##n
#define REAP__IDENTITY_ENTRY_user_(k, n, op)                                                       \
    (reap_operator_has_identity_##op ? reap_identity_##k##_reap_##n : NULL)

#define REAP__COMBINE_ONE(k, T, n, op, origin)                                                     \
    static void reap_identity_##k##_reap_##n(void *result_)                                        \
    {                                                                                              \
        REAP__PUT_IDENTITY_##origin(op, T, (T *)result_);                                          \
    }                                                                                              \
    REAP__INLINE void reap_one_##k##_reap_##n(reap__reduction_takes_values_by_reap_combine to_,    \
                                              struct reap_flag_##op *set_, size_t lane_, T v_)     \
    {                                                                                              \
        T *const values_ = (T *)to_.values;                                                        \
        REAP__UNSEEN_BEGIN;                                                                        \
        values_[lane_] = set_ == NULL || set_[lane_].set                                           \
                             ? REAP__OPERATION_##origin(op, T)(values_[lane_], v_)                 \
                             : v_;                                                                 \
        if (set_ != NULL)                                                                          \
            set_[lane_].set = 1;                                                                   \
        REAP__UNSEEN_END;                                                                          \
    }

#define REAP__COMBINE_MANY(k, T, n, op, origin)                                                    \
    REAP__COMPILED_plain(k) static void reap_many_##k##_reap_##n(void *into_, const void *from_,   \
                                                                 size_t count_)                    \
    {                                                                                              \
        T *a_ = into_;                                                                             \
        const T *b_ = from_;                                                                       \
        for (size_t i_ = 0; i_ < count_; i_++)                                                     \
            a_[i_] = REAP__OPERATION_##origin(op, T)(a_[i_], b_[i_]);                              \
    }

/* The last four steps of a fold: steps of known length stay in registers. */
#define REAP__FOLD_SIXTEEN(k, T, n, op, origin)                                                    \
    REAP__INLINE T reap_last_##k##_reap_##n(const T *value_)                                       \
    {                                                                                              \
        T v_[sizeof(T) <= 16 ? 8 : 1];                                                             \
        const size_t count_ = sizeof v_ / sizeof *v_;                                              \
        for (size_t l_ = 0; l_ < count_; l_++)                                                     \
            v_[l_] = REAP__OPERATION_##origin(op, T)(value_[l_], value_[count_ + l_]);             \
        for (size_t half_ = count_ / 2; half_ > 0; half_ /= 2)                                     \
            for (size_t l_ = 0; l_ < half_; l_++)                                                  \
                v_[l_] = REAP__OPERATION_##origin(op, T)(v_[l_], v_[half_ + l_]);                  \
        return v_[0];                                                                              \
    }

#define REAP__FOLD(isa, k, T, n, op, origin)                                                       \
    REAP__COMPILED_##isa(k) static int reap_fold_##isa##_##k##_reap_##n(                           \
        const struct reap__lanes *lanes_, size_t count_, size_t width_, size_t first_,             \
        void *result_)                                                                             \
    {                                                                                              \
        (void)first_;                                                                              \
        T *value_ = lanes_->values;                                                                \
        struct reap_flag_##op *set_ = (struct reap_flag_##op *)lanes_->set;                        \
        const bool in_registers_ =                                                                 \
            sizeof(T) <= 16 && REAP__HAS_IDENTITY_##origin(op) && count_ >= 16;                    \
        size_t half_ = reap__fold_first_half(count_, width_);                                      \
        for (; half_ > (in_registers_ ? 8 : 0); half_ /= 2) {                                      \
            const size_t pairs_ = reap__fold_pairs(count_, half_);                                 \
            if (REAP__HAS_IDENTITY_##origin(op)) {                                                 \
                for (size_t l_ = 0; l_ < pairs_; l_++)                                             \
                    value_[l_] = REAP__OPERATION_##origin(op, T)(value_[l_], value_[half_ + l_]);  \
            } else {                                                                               \
                for (size_t l_ = 0; l_ < pairs_; l_++)                                             \
                    if (set_[half_ + l_].set)                                                      \
                        reap_one_##k##_reap_##n(REAP__HANDLE(value_), set_, l_,                    \
                                                value_[half_ + l_]);                               \
            }                                                                                      \
        }                                                                                          \
        *(T *)result_ = value_[0];                                                                 \
        if (in_registers_)                                                                         \
            *(T *)result_ = reap_last_##k##_reap_##n(value_);                                      \
        return REAP__HAS_IDENTITY_##origin(op) || set_[0].set;                                     \
    }

/* A reduction with a location. Each lane keeps the row of its value in the block, an integer of the
 * value's size so that both make vectors of one length; the fold turns it into the item's id. */
#define REAP__ROW_TYPE(T)                                                                          \
    __typeof__(_Generic((char(*)[sizeof(T)])0, char(*)[1]                                          \
                        : (uint8_t)0, char(*)[2]                                                   \
                        : (uint16_t)0, char(*)[4]                                                  \
                        : (uint32_t)0, char(*)[8]                                                  \
                        : (uint64_t)0, default                                                     \
                        : (uint64_t)0))
#define REAP__BETTER_minimum(T, a, b) REAP__LESS(T)(a, b)
#define REAP__BETTER_maximum(T, a, b) REAP__LESS(T)(b, a)
#define REAP__CODE_location_(k, kind, T, n, op, origin)                                            \
    typedef REAP__ROW_TYPE(T) reap_row_##k##_reap_##n;                                             \
    struct reap_result_##k##_reap_##n {                                                            \
        T value;                                                                                   \
        uint64_t location;                                                                         \
    };                                                                                             \
    static void reap_identity_##k##_reap_##n(void *into_)                                          \
    {                                                                                              \
        struct reap_result_##k##_reap_##n *result_ = into_;                                        \
        REAP__PUT_IDENTITY(op, T, result_->value);                                                 \
        result_->location = UINT64_MAX;                                                            \
    }                                                                                              \
    REAP__INLINE void reap_one_##k##_reap_##n(reap__reduction_takes_values_by_reap_combine to_,    \
                                              struct reap_place_##op place_, size_t lane_, T v_)   \
    {                                                                                              \
        REAP__UNSEEN_BEGIN;                                                                        \
        T *value_ = (T *)to_.values + lane_;                                                       \
        reap_row_##k##_reap_##n *row_ = (reap_row_##k##_reap_##n *)place_.row + lane_;             \
        const bool fresh_ = *row_ == (reap_row_##k##_reap_##n)REAP__NO_ROW;                        \
        const bool better_ =                                                                       \
            REAP__EITHER(REAP__BETTER_##op(T, v_, *value_), REAP__VACANT(T)(*value_, fresh_));     \
        *value_ = better_ ? v_ : *value_;                                                          \
        *row_ = (reap_row_##k##_reap_##n)(better_ ? place_.now : *row_);                           \
        REAP__UNSEEN_END;                                                                          \
    }                                                                                              \
    static void reap_many_##k##_reap_##n(void *into_, const void *from_, size_t count_)            \
    {                                                                                              \
        struct reap_result_##k##_reap_##n *a_ = into_;                                             \
        const struct reap_result_##k##_reap_##n *b_ = from_;                                       \
        for (size_t i_ = 0; i_ < count_; i_++)                                                     \
            if (REAP__BETTER_##op(T, b_[i_].value, a_[i_].value) ||                                \
                (REAP__EQUAL(T)(b_[i_].value, a_[i_].value) && b_[i_].location < a_[i_].location)) \
                a_[i_] = b_[i_];                                                                   \
    }                                                                                              \
    REAP__EACH_ISA(REAP__FOLD_LOCATION, k, T, n, op)                                               \
    static const struct reap__reduction reap_reduction_##k##_reap_##n = {                          \
        .operation = #op,                                                                          \
        .is_builtin = REAP__IS_BUILTIN_##origin,                                                   \
        .lanes_log2 = REAP__LANES_LOG2(sizeof(struct reap_result_##k##_reap_##n)),                 \
        .result_size = sizeof(struct reap_result_##k##_reap_##n),                                  \
        .value_size = sizeof(T),                                                                   \
        .location_offset = offsetof(struct reap_result_##k##_reap_##n, location),                  \
        .number = REAP__NUMBER(T),                                                                 \
        .identity = reap_identity_##k##_reap_##n,                                                  \
        .combine = reap_many_##k##_reap_##n,                                                       \
        .fold = REAP__ISA_TABLE(reap_fold_, _##k##_reap_##n, 1)};

/* First the best value of all lanes, then the lowest item that has it. */
#define REAP__FOLD_LOCATION(isa, k, T, n, op)                                                      \
    REAP__COMPILED_##isa(k) static int reap_fold_##isa##_##k##_reap_##n(                           \
        const struct reap__lanes *lanes_, size_t count_, size_t width_, size_t first_,             \
        void *into_)                                                                               \
    {                                                                                              \
        const T *value_ = lanes_->values;                                                          \
        T *best_ = lanes_->spare;                                                                  \
        const reap_row_##k##_reap_##n *row_ = lanes_->rows;                                        \
        struct reap_result_##k##_reap_##n *result_ = into_;                                        \
        uint32_t lowest_ = UINT32_MAX;                                                             \
        for (size_t l_ = 0; l_ < count_; l_++)                                                     \
            best_[l_] = value_[l_];                                                                \
        for (size_t half_ = reap__fold_first_half(count_, width_); half_ > 0; half_ /= 2) {        \
            const size_t pairs_ = reap__fold_pairs(count_, half_);                                 \
            for (size_t l_ = 0; l_ < pairs_; l_++)                                                 \
                best_[l_] = REAP__EITHER(REAP__BETTER_##op(T, best_[half_ + l_], best_[l_]),       \
                                         REAP__VACANT(T)(best_[l_], false))                        \
                                ? best_[half_ + l_]                                                \
                                : best_[l_];                                                       \
        }                                                                                          \
        for (size_t l_ = 0; l_ < count_; l_++) {                                                   \
            const uint32_t here_ = REAP__EQUAL(T)(value_[l_], best_[0]);                           \
            const uint32_t item_ = (uint32_t)row_[l_] * (uint32_t)width_ + (uint32_t)l_;           \
            const uint32_t at_ = item_ | (here_ - 1); /* a condition would become a branch */      \
            lowest_ = at_ < lowest_ ? at_ : lowest_;                                               \
        }                                                                                          \
        reap_identity_##k##_reap_##n(result_);                                                     \
        if (lowest_ < width_ * REAP__ROWS_OF_A_BLOCK) {                                            \
            result_->value = value_[lowest_ % width_]; /* best_[0] may be the other zero */        \
            result_->location = first_ + lowest_;                                                  \
        }                                                                                          \
        return 1;                                                                                  \
    }

/* Both conditions as one number, without a branch between them. */
#define REAP__EITHER(a, b) (((unsigned)(a) | (unsigned)(b)) != 0)

REAP__INLINE bool reap__span_is_dense(const struct reap__span *span)
{
    return span->is_dense;
}

/* A span's view, where the code that it is given to may know that its copies are dense. */
REAP__INLINE struct reap__span reap__span_known(struct reap__span span, bool is_dense)
{
    span.is_dense = is_dense || span.is_dense;
    return span;
}

/* The element, from the begin of a replica, that an index means: checked, and its page made. */
REAP__INLINE size_t reap__span_element(const struct reap__span *span, size_t index)
{
    if (__builtin_expect(index >= span->count, 0))
        return (span->outside)(span->owner, index);
    if (span->is_dense)
        return index;
    size_t place = span->table[index >> span->page_log2];
    if (__builtin_expect(place == 0, 0))
        place = (span->make_page)(span->owner, index >> span->page_log2);
    return place * span->place_elements + (index & (((size_t)1 << span->page_log2) - 1));
}

/* Where a work-item's replica begins. */
REAP__INLINE size_t reap__span_replica(const struct reap__span *span, size_t item)
{
    return (item & span->replica_mask) * span->replica_stride;
}

#endif
