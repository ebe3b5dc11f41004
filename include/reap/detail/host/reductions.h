/* SPDX-License-Identifier: Apache-2.0
 *
 * The code of a kernel's reductions: combining one value; for a user's operator also combining
 * arrays of values, and the identity; and the table entry by which the library finds this code.
 */
#ifndef REAP_DETAIL_HOST_REDUCTIONS_H
#define REAP_DETAIL_HOST_REDUCTIONS_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <reap/detail/host/isa.h>
#include <reap/detail/host/narrow_rows.h>
#include <reap/detail/host/parameters.h>

/* To ThreadSanitizer each work-item of a group is a thread. The objects that items combine into are
 * the library's, which keeps them apart, so the sanitizer ignores accesses to them. */
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

/* What a kernel's loops need to know of a reduction's type, under names that begin with the type's
 * (parameters.h): its kind, and its operation. A generic selection at each of some hundred places
 * would be a tenth of a kernel's time to compile. */
#define REAP__TRAITS_user_(op, T) enum { T##_reap_number = REAP__NO_FLOAT };
#define REAP__TRAITS_builtin_(op, T)                                                               \
    enum { T##_reap_number = REAP__NUMBER(T) };                                                    \
    REAP__INLINE T REAP__COMBINED_OF(T)(T a_, T b_)                                                \
    {                                                                                              \
        return REAP__FUNCTION(op, T)(a_, b_);                                                      \
    }
#define REAP__NUMBER_OF(T) ((enum reap__number)T##_reap_number)
#define REAP__COMBINED_OF(T) T##_reap_combined

/* A reduction's code: combining one value; for a user's operator what the library cannot do; the
 * table entry. */
#define REAP__CODE_array_(...)
#define REAP__CODE_value_(k, kind, T, n, of, how) REAP__CHECK_TYPE_##how(k, T, of)
#define REAP__CHECK_TYPE_given_(k, T, of)
#define REAP__CHECK_TYPE_identity_(k, T, of)                                                       \
    _Static_assert(__builtin_types_compatible_p(T, reap_type_##k##_reap_##of),                     \
                   "Reap: identity(T, " #of ") has another type than the reduction '" #of "'");
/* The name that identity(T, n) refers to; it explains the error if the reduction does not exist. */
#define REAP__CAN_HAVE_IDENTITY(k, n) enum { REAP__IDENTITY_OF(k, n) };
#define REAP__IDENTITY_OF(k, n) reap_identity_needs_a_reduction_##n##_of_kernel_##k
#define REAP__CODE_local_(...)
#define REAP__CODE_scalar_(k, kind, T, n, op, origin)                                              \
    REAP__TRAITS_##origin(op, T) REAP__COMBINE_ONE(k, T, n, op, origin)                            \
        REAP__OPERATOR_CODE_##origin(k, T, n, op)                                                  \
            REAP__REDUCTION(k, n, op, origin, T, sizeof(T), 0);
#define REAP__CODE_exact_(k, kind, T, n, op, origin)                                               \
    REAP__ADD_EXACTLY(k, T, n, op)                                                                 \
    REAP__CAN_HAVE_IDENTITY(k, n)                                                                  \
    static const struct reap__reduction reap_reduction_##k##_reap_##n = {                          \
        #op,                                                                                       \
        REAP__LANES_LOG2(sizeof(T)),                                                               \
        (size_t)8 * REAP__EXACT_WORDS(sizeof(T)),                                                  \
        sizeof(T),                                                                                 \
        0,                                                                                         \
        REAP__OPERATOR_ENTRY_builtin_(k, n, op, T)};
#define REAP__CODE_span_(k, kind, T, n, op, origin)                                                \
    REAP__CODE_scalar_(k, kind, T, n, op, origin)                                                  \
        REAP__INLINE void REAP__BY_MEMBER reap_at_##k##_reap_##n(                                  \
            struct reap__span_takes_values_by_reap_combine_at *values_,                            \
            struct reap_flag_##op *set_, struct reap__span span_, size_t index_, T v_)             \
    {                                                                                              \
        if (REAP__IS_EXACT_##origin(op, T)) {                                                      \
            REAP__UNSEEN_BEGIN;                                                                    \
            if (REAP__IS_BATCHED(span_.batch_))                                                    \
                reap__span_append(span_.batch_, index_, &v_, sizeof v_);                           \
            else                                                                                   \
                _Generic(v_, float                                                                 \
                         : reap__span_add_float, default                                           \
                         : reap__span_add_double)(&span_, index_,                                  \
                                                  _Generic(v_, float                               \
                                                           : v_, double                            \
                                                           : v_, default : 0));                    \
            REAP__UNSEEN_END;                                                                      \
            return;                                                                                \
        }                                                                                          \
        REAP__UNSEEN_BEGIN;                                                                        \
        size_t at_ = reap__span_element(&span_, index_);                                           \
        REAP__UNSEEN_END;                                                                          \
        reap_one_##k##_reap_##n(REAP__HANDLE(values_), set_, at_, REAP__IN_SPAN_##origin(op, v_)); \
    }

/* Whether a span is an exact sum. A zero in a minimum or maximum counts as +0, so that the result
 * does not depend on the order. */
#define REAP__IS_EXACT_user_(op, T) 0
#define REAP__IS_EXACT_builtin_(op, T)                                                             \
    (REAP__IS_EQUAL(REAP__OPERATION_##op, REAP__OPERATION_plus) &&                                 \
     (REAP__NUMBER_OF(T) == REAP__IS_FLOAT || REAP__NUMBER_OF(T) == REAP__IS_DOUBLE))
#define REAP__IN_SPAN_user_(op, v) v
#define REAP__IN_SPAN_builtin_(op, v) REAP__IN_SPAN_##op(v)
#define REAP__IN_SPAN_plus(v) v
#define REAP__IN_SPAN_multiplies(v) v
#define REAP__IN_SPAN_minimum(v) REAP__WITHOUT_MINUS_ZERO(v)
#define REAP__IN_SPAN_maximum(v) REAP__WITHOUT_MINUS_ZERO(v)
#define REAP__IN_SPAN_bit_and(v) v
#define REAP__IN_SPAN_bit_or(v) v
#define REAP__IN_SPAN_bit_xor(v) v
#define REAP__IN_SPAN_logical_and(v) v
#define REAP__IN_SPAN_logical_or(v) v
#define REAP__WITHOUT_MINUS_ZERO(v)                                                                \
    _Generic(v, float                                                                              \
             : _Generic(v, float                                                                   \
                        : v, default : 0.0f) +                                                     \
                   0.0f,                                                                           \
               double                                                                              \
             : _Generic(v, double                                                                  \
                        : v, default : 0.0) +                                                      \
                   0.0,                                                                            \
               reap_half                                                                           \
             : reap__half_without_minus_zero(_Generic(v, reap_half                                 \
                                                      : v, default                                 \
                                                      : (reap_half){0})),                          \
               reap_bfloat16                                                                       \
             : reap__bfloat16_without_minus_zero(_Generic(v, reap_bfloat16                         \
                                                          : v, default                             \
                                                          : (reap_bfloat16){0})),                  \
               default                                                                             \
             : v)
#define REAP__NARROW_WITHOUT_MINUS_ZERO(name, T, ...)                                              \
    REAP__INLINE T reap__##name##_without_minus_zero(T v)                                          \
    {                                                                                              \
        v.bits = v.bits == 0x8000u ? 0 : v.bits;                                                   \
        return v;                                                                                  \
    }
REAP__NARROW_TYPES(REAP__NARROW_WITHOUT_MINUS_ZERO)
#undef REAP__NARROW_WITHOUT_MINUS_ZERO

#define REAP__REDUCTION(k, n, op, origin, T, size, offset)                                         \
    REAP__CAN_HAVE_IDENTITY(k, n)                                                                  \
    static const struct reap__reduction reap_reduction_##k##_reap_##n = {                          \
        #op,    REAP__LANES_LOG2(size),                                                            \
        size,   sizeof(T),                                                                         \
        offset, REAP__OPERATOR_ENTRY_##origin(k, n, op, T)}
#define REAP__OPERATOR_ENTRY_builtin_(k, n, op, T)                                                 \
    1, REAP__OPERATION_##op, REAP__TYPE(T), REAP__NUMBER(T), 1, NULL, NULL
#define REAP__OPERATOR_ENTRY_user_(k, n, op, T)                                                    \
    0, REAP__OPERATION_none, REAP__TYPE_char, REAP__NO_FLOAT, reap_operator_has_identity_##op,     \
        reap_identity_##k##_reap_##n, reap_many_##k##_reap_##n

#define REAP__OPERATION_builtin_(op, T) REAP__COMBINED_OF(T)
#define REAP__OPERATION_user_(op, T) reap_operator_##op
#define REAP__HAS_IDENTITY_builtin_(op) 1
#define REAP__HAS_IDENTITY_user_(op) reap_operator_has_identity_##op

/* For a row of a narrow type that is combined afterwards (narrow_rows.h), `flags_` points to the
 * lane instead. */
#define REAP__OR_STORE_builtin_(T, op)                                                             \
    if (REAP__NUMBER_OF(T) >= REAP__IS_HALF && set_ != NULL)                                       \
        reap__store_narrow(REAP__NUMBER_OF(T), REAP__OPERATION_##op, values_ + lane_,              \
                           (float *)(void *)set_, &v_);                                            \
    else
#define REAP__OR_STORE_user_(T, op)
#define REAP__COMBINE_ONE(k, T, n, op, origin)                                                     \
    REAP__INLINE void REAP__BY_MEMBER reap_one_##k##_reap_##n(                                     \
        reap__reduction_takes_values_by_reap_combine to_, struct reap_flag_##op *flags_,           \
        size_t lane_, T v_)                                                                        \
    {                                                                                              \
        T *const values_ = (T *)to_.values_;                                                       \
        struct reap__flag *const set_ = (struct reap__flag *)flags_;                               \
        REAP__UNSEEN_BEGIN;                                                                        \
        REAP__OR_STORE_##origin(T, op) values_[lane_] =                                            \
            set_ == NULL || set_[lane_].set_ ? REAP__OPERATION_##origin(op, T)(values_[lane_], v_) \
                                             : v_;                                                 \
        if (!REAP__HAS_IDENTITY_##origin(op) && set_ != NULL)                                      \
            set_[lane_].set_ = 1;                                                                  \
        REAP__UNSEEN_END;                                                                          \
    }

/* An exact sum: an item's first value replaces the -0 that is stored before, as the compiler knows
 * if items are independent; the library adds further values. */
#define REAP__ADD_EXACTLY(k, T, n, op)                                                             \
    REAP__INLINE void REAP__BY_MEMBER reap_one_##k##_reap_##n(                                     \
        reap__reduction_takes_values_by_reap_combine to_, struct reap_flag_##op *sink_,            \
        size_t lane_, T v_)                                                                        \
    {                                                                                              \
        T *const value_ = (T *)to_.values_ + lane_;                                                \
        const struct reap__exact_sink *const rest_ = (const void *)sink_;                          \
        REAP__UNSEEN_BEGIN;                                                                        \
        if (*value_ == 0 && __builtin_signbit(*value_) != 0)                                       \
            *value_ = v_;                                                                          \
        else                                                                                       \
            (rest_->add_)(rest_, (double)v_);                                                      \
        REAP__UNSEEN_END;                                                                          \
    }

#define REAP__OPERATOR_CODE_builtin_(k, T, n, op)
#define REAP__OPERATOR_CODE_user_(k, T, n, op)                                                     \
    static void reap_identity_##k##_reap_##n(void *into_)                                          \
    {                                                                                              \
        reap_put_identity_##op(into_);                                                             \
    }                                                                                              \
    REAP__COMPILED_plain_(k) static void reap_many_##k##_reap_##n(void *into_, const void *from_,  \
                                                                  size_t count_)                   \
    {                                                                                              \
        T *a_ = into_;                                                                             \
        const T *b_ = from_;                                                                       \
        for (size_t i_ = 0; i_ < count_; i_++)                                                     \
            a_[i_] = reap_operator_##op(a_[i_], b_[i_]);                                           \
    }

/* A reduction with a location. Each lane has the row of its value, as an integer of the value's
 * size, so that vectors of both have the same number of elements; the library computes the item's
 * id from it. Further functions for searches (loops.h): what an item does there; the best of a
 * row of values; and the best value that an item has given to the lanes, or the identity. */
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
    REAP__INLINE void REAP__BY_MEMBER reap_one_##k##_reap_##n(                                     \
        reap__reduction_takes_values_by_reap_combine to_, struct reap_location_##op place_,        \
        size_t lane_, T v_)                                                                        \
    {                                                                                              \
        REAP__UNSEEN_BEGIN;                                                                        \
        T *value_ = (T *)to_.values_ + lane_;                                                      \
        reap_row_##k##_reap_##n *row_ = (reap_row_##k##_reap_##n *)place_.row_ + lane_;            \
        const bool fresh_ = *row_ == (reap_row_##k##_reap_##n)REAP__NO_ROW;                        \
        const bool better_ =                                                                       \
            REAP__EITHER(REAP__BETTER_##op(T, v_, *value_), REAP__VACANT(T)(*value_, fresh_));     \
        *value_ = better_ ? v_ : *value_;                                                          \
        *row_ = (reap_row_##k##_reap_##n)(better_ ? place_.now_ : *row_);                          \
        REAP__UNSEEN_END;                                                                          \
    }                                                                                              \
    REAP__INLINE void REAP__BY_MEMBER reap_search_##k##_reap_##n(                                  \
        reap__reduction_takes_values_by_reap_combine to_,                                          \
        struct reap_location_##op place_ REAP__UNUSED, size_t lane_, T v_)                         \
    {                                                                                              \
        T *value_ = (T *)to_.values_ + lane_;                                                      \
        *value_ = REAP__BETTER_##op(T, v_, *value_) ? v_ : *value_;                                \
    }                                                                                              \
    REAP__INLINE T reap_best_of_##k##_reap_##n(T *best_)                                           \
    {                                                                                              \
        REAP__TAKE_BETTER(T, op, best_, best_ + 32, 32)                                            \
        REAP__TAKE_BETTER(T, op, best_, best_ + 16, 16)                                            \
        REAP__TAKE_BETTER(T, op, best_, best_ + 8, 8)                                              \
        REAP__TAKE_BETTER(T, op, best_, best_ + 4, 4)                                              \
        REAP__TAKE_BETTER(T, op, best_, best_ + 2, 2)                                              \
        REAP__TAKE_BETTER(T, op, best_, best_ + 1, 1)                                              \
        return best_[0];                                                                           \
    }                                                                                              \
    REAP__NEVER_INLINED static T reap_best_lane_of_##k##_reap_##n(                                 \
        const T *lanes_, const reap_row_##k##_reap_##n *row_of_lanes_)                             \
    {                                                                                              \
        const T worst_ = REAP__IDENTITY(op, T);                                                    \
        T best_[REAP__MOST_LANES];                                                                 \
        REAP__PART_LOOP                                                                            \
        for (size_t l_ = 0; l_ < REAP__MOST_LANES; l_++) {                                         \
            const bool is_better_ = REAP__BETTER_##op(T, lanes_[l_], worst_);                      \
            const bool is_there_ = row_of_lanes_[l_] != (reap_row_##k##_reap_##n)REAP__NO_ROW;     \
            best_[l_] = is_there_ && is_better_ ? lanes_[l_] : worst_;                             \
        }                                                                                          \
        return reap_best_of_##k##_reap_##n(best_);                                                 \
    }                                                                                              \
    REAP__REDUCTION(k, n, op, origin, T, sizeof(struct reap_result_##k##_reap_##n),                \
                    offsetof(struct reap_result_##k##_reap_##n, location));

#define REAP__TAKE_BETTER(T, op, into, from, count)                                                \
    REAP__PART_LOOP                                                                                \
    for (size_t l_ = 0; l_ < (count); l_++)                                                        \
        (into)[l_] = REAP__BETTER_##op(T, (from)[l_], (into)[l_]) ? (from)[l_] : (into)[l_];

/* Both conditions as one number, without a branch between them. */
#define REAP__EITHER(a, b) (((unsigned)(a) | (unsigned)(b)) != 0)

REAP__INLINE bool reap__span_is_dense(const struct reap__span *span)
{
    return span->is_dense;
}

/* Returns a span's view with is_dense as a constant, if the caller knows it, and with the batch of
 * values of an exact sum, or NULL. */
REAP__INLINE struct reap__span reap__span_known(struct reap__span span, bool is_dense,
                                                struct reap__batch *batch)
{
    span.is_dense = is_dense || span.is_dense;
    span.batch_ = batch;
    return span;
}

/* Returns the element of a replica for an index; checks the index, and creates its page. */
REAP__INLINE size_t reap__span_element(const struct reap__span *span, size_t index)
{
    if (__builtin_expect(index >= span->count, 0))
        return (span->outside)(span->owner, index);
    if (span->is_dense)
        return index;
    size_t slot = span->table[index >> span->page_log2];
    if (__builtin_expect(slot == 0, 0))
        slot = (span->make_page)(span->owner, index >> span->page_log2);
    return slot * span->slot_elements + (index & (((size_t)1 << span->page_log2) - 1));
}

/* Add a value to an element of an exact sum. The product of a float and the scale of its plane is
 * an integer below 2^57, exactly, so that one conversion replaces ten operations on fraction,
 * exponent and sign. The empty statement makes the compiler load the value from memory as an
 * integer. (The transfer from a vector register limited the loop: 1.25 ns instead of 1.0 on a Zen
 * 4.) */
REAP__INLINE void reap__span_add_float(const struct reap__span *span, size_t index, float value)
{
    uint32_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    __asm__("" : "+r"(bits));
    __builtin_memcpy(&value, &bits, sizeof value);
    const struct reap__planes *const planes = span->planes;
    const unsigned prefix = bits >> (32 - REAP__FLOAT_PREFIX_BITS);
    if (__builtin_expect(index < planes->counts[prefix], 1)) {
        int64_t *const at = (int64_t *)planes->numbers[prefix] + index;
        int64_t sum;
        if (!__builtin_add_overflow(*at, (int64_t)(value * planes->scales[prefix]), &sum)) {
            *at = sum | 1;
            return;
        }
    }
    (span->add)(span->owner, index, bits);
}

/* `shifted` has the exponent field, with the bias of the planes, and twice the fraction. */
REAP__INLINE void reap__span_add_double(const struct reap__span *span, size_t index, double value)
{
    uint64_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
#ifdef __SIZEOF_INT128__
    const uint64_t shifted = (bits << 1) + ((uint64_t)REAP__PLANE_BIAS << 53);
    const unsigned number = (unsigned)(shifted >> (53 + REAP__PLANE_LOG2));
    if (__builtin_expect(index < span->planes->counts[number], 1)) {
        reap__int128 *const at = (reap__int128 *)span->planes->numbers[number] + index;
        const uint64_t magnitude = (shifted & (((uint64_t)1 << 53) - 1)) | (uint64_t)1 << 53;
        const uint64_t sign = (uint64_t)((int64_t)bits >> 63);
        const unsigned shift = (unsigned)(shifted >> 53);
        const int64_t twice = (int64_t)((magnitude ^ sign) - sign);
        const uint64_t low = (uint64_t)twice << (shift & 63);
        const int64_t high = twice >> 1 >> (~shift & 63); /* gcc keeps both in registers */
        const reap__int128 term = (reap__int128)((reap__uint128)high << 64 | low);
        reap__int128 sum;
        if (!__builtin_add_overflow(*at, term, &sum)) {
            *at = sum | 1;
            return;
        }
    }
#endif
    (span->add)(span->owner, index, bits);
}

/* Passes the values of a batch to the library. */
REAP__INLINE void reap__span_pass_on(const struct reap__span *span, struct reap__batch *batch)
{
    (span->add_batch)(span->owner, batch->indices_, batch->values_, batch->count_);
    batch->count_ = 0;
    __asm__("" : "+r"(batch->count_)); /* or gcc would have code for 0 of its own */
}

/* Whether the next value of an item goes to the batch: if the compiler knows how many values the
 * item has added. In a loop of the item's own a value is added at once, which takes no time of its
 * own while the processor waits for the code after a mispredicted branch. */
#define REAP__IS_BATCHED(batch)                                                                    \
    ((batch) != NULL && __builtin_constant_p((batch)->of_item_) &&                                 \
     (batch)->of_item_ < REAP__BATCHED_OF_ITEM)
REAP__INLINE void reap__span_append(struct reap__batch *batch, size_t index, const void *value,
                                    size_t size)
{
    batch->indices_[batch->count_] = index;
    __builtin_memcpy((char *)batch->values_ + batch->count_ * size, value, size);
    batch->count_++;
    batch->of_item_++;
}

/* Returns the begin of a work-item's replica. */
REAP__INLINE size_t reap__span_replica(const struct reap__span *span, size_t item)
{
    return (item & span->replica_mask) * span->replica_stride;
}

#endif
