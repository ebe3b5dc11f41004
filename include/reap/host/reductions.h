/* SPDX-License-Identifier: Apache-2.0
 *
 * The code of a kernel's reductions: combining one value, an array of values, the lanes of a block;
 * the identity; and the entry that the library finds all of this by.
 */
#ifndef REAP_HOST_REDUCTIONS_H
#define REAP_HOST_REDUCTIONS_H

#include <reap/host/isa.h>
#include <reap/host/parameters.h>

/* A reduction's code: combining one value, many values, lanes; its identity; its entry. */
#define REAP__CODE(k, p) REAP__FACET(REAP__CODE_, k, p)
#define REAP__CODE_array_(...)
#define REAP__CODE_value_(...)
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
        .fold = REAP__ISA_TABLE(reap_fold_, _##k##_reap_##n)};
#define REAP__CODE_span_(k, kind, T, n, op, origin)                                                \
    REAP__COMBINE_ONE(k, T, n, op, origin)                                                         \
    REAP__COMBINE_MANY(k, T, n, op, origin)                                                        \
    REAP__INLINE void reap_at_##k##_reap_##n(T *values, struct reap_flag_##op *set,                \
                                             struct reap__span span, size_t index, T v)            \
    {                                                                                              \
        size_t at = reap__span_element(&span, index);                                              \
        reap_one_##k##_reap_##n(values + at, set ? set + at : NULL, v);                            \
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
#define REAP__PUT_IDENTITY_builtin_(op, T, into) (*(into) = REAP__IDENTITY(op, T))
#define REAP__PUT_IDENTITY_user_(op, T, into) reap_put_identity_##op(into)
#define REAP__IDENTITY_ENTRY_builtin_(k, n, op) reap_identity_##k##_reap_##n
#define REAP__IDENTITY_ENTRY_user_(k, n, op)                                                       \
    (reap_operator_has_identity_##op ? reap_identity_##k##_reap_##n : NULL)

#define REAP__COMBINE_ONE(k, T, n, op, origin)                                                     \
    static void reap_identity_##k##_reap_##n(void *result)                                         \
    {                                                                                              \
        REAP__PUT_IDENTITY_##origin(op, T, (T *)result);                                           \
    }                                                                                              \
    REAP__INLINE void reap_one_##k##_reap_##n(T *value, struct reap_flag_##op *set, T v)           \
    {                                                                                              \
        *value = set == NULL || set->set ? REAP__OPERATION_##origin(op, T)(*value, v) : v;         \
        if (set != NULL)                                                                           \
            set->set = 1;                                                                          \
    }

#define REAP__COMBINE_MANY(k, T, n, op, origin)                                                    \
    REAP__OPTIMIZE static void reap_many_##k##_reap_##n(void *into, const void *from,              \
                                                        size_t count)                              \
    {                                                                                              \
        T *a = into;                                                                               \
        const T *b = from;                                                                         \
        REAP__INDEPENDENT                                                                          \
        for (size_t i = 0; i < count; i++)                                                         \
            a[i] = REAP__OPERATION_##origin(op, T)(a[i], b[i]);                                    \
    }

/* The last four steps of a fold: steps of known length stay in registers. */
#define REAP__FOLD_SIXTEEN(k, T, n, op, origin)                                                    \
    REAP__INLINE T reap_last_##k##_reap_##n(const T *value)                                        \
    {                                                                                              \
        T v[sizeof(T) <= 16 ? 8 : 1];                                                              \
        const size_t count = sizeof v / sizeof *v;                                                 \
        for (size_t l = 0; l < count; l++)                                                         \
            v[l] = REAP__OPERATION_##origin(op, T)(value[l], value[count + l]);                    \
        for (size_t half = count / 2; half > 0; half /= 2)                                         \
            for (size_t l = 0; l < half; l++)                                                      \
                v[l] = REAP__OPERATION_##origin(op, T)(v[l], v[half + l]);                         \
        return v[0];                                                                               \
    }

#define REAP__FOLD(isa, k, T, n, op, origin)                                                       \
    REAP__CODE_##isa static int reap_fold_##isa##_##k##_reap_##n(                                  \
        const struct reap__lanes *lanes, size_t count, size_t width, size_t first, void *result)   \
    {                                                                                              \
        (void)first;                                                                               \
        T *value = lanes->values;                                                                  \
        struct reap_flag_##op *set = (struct reap_flag_##op *)lanes->set;                          \
        const bool in_registers =                                                                  \
            sizeof(T) <= 16 && REAP__HAS_IDENTITY_##origin(op) && count >= 16;                     \
        size_t half = reap__fold_first_half(count, width);                                         \
        for (; half > (in_registers ? 8 : 0); half /= 2) {                                         \
            const size_t pairs = reap__fold_pairs(count, half);                                    \
            if (REAP__HAS_IDENTITY_##origin(op)) {                                                 \
                REAP__INDEPENDENT                                                                  \
                for (size_t l = 0; l < pairs; l++)                                                 \
                    value[l] = REAP__OPERATION_##origin(op, T)(value[l], value[half + l]);         \
            } else {                                                                               \
                for (size_t l = 0; l < pairs; l++)                                                 \
                    if (set[half + l].set)                                                         \
                        reap_one_##k##_reap_##n(value + l, set + l, value[half + l]);              \
            }                                                                                      \
        }                                                                                          \
        *(T *)result = value[0];                                                                   \
        if (in_registers)                                                                          \
            *(T *)result = reap_last_##k##_reap_##n(value);                                        \
        return REAP__HAS_IDENTITY_##origin(op) || set[0].set;                                      \
    }

/* A reduction with a location. Each lane keeps the row of its value in the block, an integer of the
 * value's size so that both make vectors of one length; the fold turns it into the item's id. */
struct reap__place {
    void *row; /* of the lane's value */
    unsigned now;
};
#define REAP__ROW_TYPE(T)                                                                          \
    __typeof__(_Generic((char(*)[sizeof(T)])0, char(*)[1]                                          \
                        : (uint8_t)0, char(*)[2]                                                   \
                        : (uint16_t)0, char(*)[4]                                                  \
                        : (uint32_t)0, char(*)[8]                                                  \
                        : (uint64_t)0))
#define REAP__BETTER_minimum(T, a, b) REAP__LESS(T)(a, b)
#define REAP__BETTER_maximum(T, a, b) REAP__LESS(T)(b, a)
#define REAP__CODE_location_(k, kind, T, n, op, origin)                                            \
    typedef REAP__ROW_TYPE(T) reap_row_##k##_reap_##n;                                             \
    struct reap_result_##k##_reap_##n {                                                            \
        T value;                                                                                   \
        uint64_t location;                                                                         \
    };                                                                                             \
    static void reap_identity_##k##_reap_##n(void *into)                                           \
    {                                                                                              \
        struct reap_result_##k##_reap_##n *result = into;                                          \
        result->value = REAP__IDENTITY(op, T);                                                     \
        result->location = UINT64_MAX;                                                             \
    }                                                                                              \
    REAP__INLINE void reap_one_##k##_reap_##n(T *value, struct reap__place place, T v)             \
    {                                                                                              \
        reap_row_##k##_reap_##n *row = place.row;                                                  \
        const bool fresh = *row == (reap_row_##k##_reap_##n)REAP__NO_ROW;                          \
        const bool better =                                                                        \
            REAP__EITHER(REAP__BETTER_##op(T, v, *value), REAP__VACANT(T)(*value, fresh));         \
        *value = better ? v : *value;                                                              \
        *row = (reap_row_##k##_reap_##n)(better ? place.now : *row);                               \
    }                                                                                              \
    static void reap_many_##k##_reap_##n(void *into, const void *from, size_t count)               \
    {                                                                                              \
        struct reap_result_##k##_reap_##n *a = into;                                               \
        const struct reap_result_##k##_reap_##n *b = from;                                         \
        for (size_t i = 0; i < count; i++)                                                         \
            if (REAP__BETTER_##op(T, b[i].value, a[i].value) ||                                    \
                (REAP__EQUAL(T)(b[i].value, a[i].value) && b[i].location < a[i].location))         \
                a[i] = b[i];                                                                       \
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
        .fold = REAP__ISA_TABLE(reap_fold_, _##k##_reap_##n)};

/* First the best value of all lanes, then the lowest item that has it. */
#define REAP__FOLD_LOCATION(isa, k, T, n, op)                                                      \
    REAP__CODE_##isa static int reap_fold_##isa##_##k##_reap_##n(                                  \
        const struct reap__lanes *lanes, size_t count, size_t width, size_t first, void *into)     \
    {                                                                                              \
        const T *value = lanes->values;                                                            \
        T *best = lanes->spare;                                                                    \
        const reap_row_##k##_reap_##n *row = lanes->rows;                                          \
        struct reap_result_##k##_reap_##n *result = into;                                          \
        uint32_t lowest = UINT32_MAX;                                                              \
        REAP__INDEPENDENT                                                                          \
        for (size_t l = 0; l < count; l++)                                                         \
            best[l] = value[l];                                                                    \
        for (size_t half = reap__fold_first_half(count, width); half > 0; half /= 2) {             \
            const size_t pairs = reap__fold_pairs(count, half);                                    \
            REAP__INDEPENDENT                                                                      \
            for (size_t l = 0; l < pairs; l++)                                                     \
                best[l] = REAP__EITHER(REAP__BETTER_##op(T, best[half + l], best[l]),              \
                                       REAP__VACANT(T)(best[l], false))                            \
                              ? best[half + l]                                                     \
                              : best[l];                                                           \
        }                                                                                          \
        for (size_t l = 0; l < count; l++) {                                                       \
            const bool here = REAP__EQUAL(T)(value[l], best[0]);                                   \
            const uint32_t item = (uint32_t)(row[l] * width + l);                                  \
            const uint32_t at = here ? item : UINT32_MAX;                                          \
            lowest = at < lowest ? at : lowest;                                                    \
        }                                                                                          \
        reap_identity_##k##_reap_##n(result);                                                      \
        if (lowest < width * REAP__ROWS_OF_A_BLOCK) {                                              \
            result->value = best[0];                                                               \
            result->location = first + lowest;                                                     \
        }                                                                                          \
        return 1;                                                                                  \
    }

/* Both conditions as one number, without a branch between them. */
#define REAP__EITHER(a, b) (((unsigned)(a) | (unsigned)(b)) != 0)

/* The element of a replica that an index means: checked, and its page made ready. */
REAP__INLINE size_t reap__span_element(const struct reap__span *span, size_t index)
{
    if (__builtin_expect(index >= span->count, 0))
        return span->outside(span->owner, index);
    if (__builtin_expect(!span->touched[index >> span->page_shift], 0))
        span->touch(span->owner, index >> span->page_shift);
    return index;
}

#endif
