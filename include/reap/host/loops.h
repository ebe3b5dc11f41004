/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops around a kernel's body, and the kernel itself. This and reductions.h are the one place
 * where code stands inside macros, since C has no other way to write a loop around a user's body;
 * what can be done outside the loop is done in the library.
 */
#ifndef REAP_HOST_LOOPS_H
#define REAP_HOST_LOOPS_H

#include <reap/host/embed.h>
#include <reap/host/reductions.h>

/* What a row's loop keeps of each parameter, and what it gives the body for lane l. */
#define REAP__KEEP(k, p) REAP__FACET(REAP__KEEP_, k, p)
#define REAP__KEEP_array_(...)
#define REAP__KEEP_value_(...)
#define REAP__KEEP_scalar_(k, kind, T, n, op, ...)                                                 \
    T *const reap_values_##n = lanes->values;                                                      \
    struct reap_flag_##op *const reap_set_##n = (struct reap_flag_##op *)(lanes++)->set;
#define REAP__KEEP_location_(k, kind, T, n, ...)                                                   \
    T *const reap_values_##n = lanes->values;                                                      \
    reap_row_##k##_reap_##n *const reap_row_##n = (lanes++)->rows;
#define REAP__KEEP_span_(k, kind, T, n, ...) const struct reap__span reap_span_##n = *spans++;

#define REAP__ACTUAL(k, p) REAP__FACET(REAP__ACTUAL_, k, p)
#define REAP__ACTUAL_array_(k, kind, T, n, ...) , arguments.n
#define REAP__ACTUAL_value_(k, kind, T, n, ...) , arguments.n
#define REAP__ACTUAL_scalar_(k, kind, T, n, op, origin)                                            \
    , reap_values_##n + l, reap_one_##k##_reap_##n,                                                \
        REAP__HAS_IDENTITY_##origin(op) ? NULL : reap_set_##n + l
#define REAP__ACTUAL_location_(k, kind, T, n, ...)                                                 \
    , reap_values_##n + l, reap_one_##k##_reap_##n, (struct reap__place)                           \
    {                                                                                              \
        reap_row_##n + l, now                                                                      \
    }
#define REAP__ACTUAL_span_(k, kind, T, n, op, origin)                                              \
    , (T *)reap_span_##n.values + REAP__REPLICA(n), reap_at_##k##_reap_##n,                        \
        REAP__HAS_IDENTITY_##origin(op)                                                            \
            ? NULL                                                                                 \
            : (struct reap_flag_##op *)reap_span_##n.set + REAP__REPLICA(n),                       \
        reap_span_##n
#define REAP__REPLICA(n)                                                                           \
    ((item.global_linear_id & reap_span_##n.replica_mask) * reap_span_##n.stride)

/* Whether items meet in shared elements: 1 for each span. */
#define REAP__SHARED(k, p) REAP__FACET(REAP__SHARED_, k, p)
#define REAP__SHARED_array_(...)
#define REAP__SHARED_value_(...)
#define REAP__SHARED_scalar_(...)
#define REAP__SHARED_location_(...)
#define REAP__SHARED_span_(...) +1

#define REAP__CALL(k, ...) reap_body_##k(item REAP__EACH(REAP__ACTUAL, __VA_ARGS__))

#define REAP__BEGIN(k, ...)                                                                        \
    const struct reap_arguments_##k arguments =                                                    \
        *(const struct reap_arguments_##k *)rows->arguments;                                       \
    const struct reap__lanes *lanes = rows->lanes;                                                 \
    const struct reap__span *spans = rows->spans;                                                  \
    const reap_range range = *rows->range;                                                         \
    const size_t count = rows->count, start = rows->first;                                         \
    const size_t id[3] = {rows->id[0], rows->id[1], rows->id[2]};                                  \
    reap_item item = {                                                                             \
        {id[0], id[1], id[2]}, start, {range.size[0], range.size[1], range.size[2]}};              \
    REAP__EACH(REAP__KEEP, __VA_ARGS__)                                                            \
    (void)arguments, (void)lanes, (void)spans, (void)id;

/* One row whose items differ in the id of one dimension. */
#define REAP__ROW(d, first_item, k, ...)                                                           \
    for (size_t l = 0; l < count; l++) {                                                           \
        item.global_linear_id = (first_item) + l;                                                  \
        item.global_id[d] = id[d] + item.global_linear_id - start;                                 \
        const unsigned now = (first_item) / REAP__LANES(1) % REAP__ROWS_OF_A_BLOCK;                \
        REAP__CALL(k, __VA_ARGS__);                                                                \
        (void)now;                                                                                 \
    }

#define REAP__ROWS(isa, k, ...)                                                                    \
    REAP__CODE_##isa static enum reap__isa reap_rows_##isa##_##k(const struct reap__rows *rows)    \
    {                                                                                              \
        REAP__BEGIN(k, __VA_ARGS__)                                                                \
        if (range.dimensions == 1)                                                                 \
            for (size_t row = 0; row < rows->rows; row++) {                                        \
                const size_t first = start + row * rows->stride;                                   \
                if (reap_shared_##k) {                                                             \
                    REAP__ROW(0, first, k, __VA_ARGS__)                                            \
                } else {                                                                           \
                    REAP__INDEPENDENT                                                              \
                    REAP__ROW(0, first, k, __VA_ARGS__)                                            \
                }                                                                                  \
            }                                                                                      \
        else if (range.dimensions == 2) {                                                          \
            if (reap_shared_##k) {                                                                 \
                REAP__ROW(1, start, k, __VA_ARGS__)                                                \
            } else {                                                                               \
                REAP__INDEPENDENT                                                                  \
                REAP__ROW(1, start, k, __VA_ARGS__)                                                \
            }                                                                                      \
        } else {                                                                                   \
            if (reap_shared_##k) {                                                                 \
                REAP__ROW(2, start, k, __VA_ARGS__)                                                \
            } else {                                                                               \
                REAP__INDEPENDENT                                                                  \
                REAP__ROW(2, start, k, __VA_ARGS__)                                                \
            }                                                                                      \
        }                                                                                          \
        return REAP__RAN_##isa;                                                                    \
    }                                                                                              \
    REAP__CODE_##isa static int reap_probe_##isa##_##k(const volatile float *values)               \
    {                                                                                              \
        const float one = values[0], two = values[1], big = values[2];                             \
        const float product = one * one + two, sum = (one + big) - big;                            \
        return !(product == 0.0f && sum == 0.0f);                                                  \
    }

/* Short rows of a range: the id is carried from item to item. */
#define REAP__WALK(k, ...)                                                                         \
    REAP__CODE_plain static enum reap__isa reap_walk_##k(const struct reap__rows *rows)            \
    {                                                                                              \
        REAP__BEGIN(k, __VA_ARGS__)                                                                \
        const unsigned last = range.dimensions - 1;                                                \
        for (size_t l = 0; l < count; l++) {                                                       \
            const unsigned now = start / REAP__LANES(1) % REAP__ROWS_OF_A_BLOCK;                   \
            REAP__CALL(k, __VA_ARGS__);                                                            \
            (void)now;                                                                             \
            item.global_linear_id++;                                                               \
            for (unsigned d = last; ++item.global_id[d] == range.size[d] && d > 0; d--)            \
                item.global_id[d] = 0;                                                             \
        }                                                                                          \
        return REAP__RAN_plain;                                                                    \
    }

#define REAP__SIZE_CLASS(...) REAP__SECOND(REAP__PASTE(REAP__TOO_, REAP__COUNT(__VA_ARGS__)), FIT)
#define REAP__TOO_MANY ~, MANY

#define REAP__KERNEL_MANY(k, ...)                                                                  \
    _Static_assert(0, "Reap kernel '" #k "' has too many parameters (at most 63)");                \
    static void reap_body_##k(void)

#define REAP__KERNEL_FIT(k, ...)                                                                   \
    _Static_assert(__INCLUDE_LEVEL__ > 0, "Reap kernel '" #k "' must stand in a file of its own, " \
                                          "which the C file includes");                            \
    REAP__EACH(REAP__CHECK, __VA_ARGS__)                                                           \
    struct reap_arguments_##k {                                                                    \
        reap_range reap_range_;                                                                    \
        reap_launch_options launch;                                                                \
        REAP__EACH(REAP__MEMBER, __VA_ARGS__)                                                      \
    };                                                                                             \
    enum { reap_shared_##k = 0 REAP__EACH(REAP__SHARED, __VA_ARGS__) };                            \
    REAP__EACH(REAP__CODE, __VA_ARGS__)                                                            \
    REAP__INLINE void reap_body_##k(REAP_ITEM REAP__EACH(REAP__FORMAL, __VA_ARGS__));              \
    REAP__EACH_ISA(REAP__ROWS, k, __VA_ARGS__)                                                     \
    REAP__WALK(k, __VA_ARGS__)                                                                     \
    REAP__EMBED(reap_text_##k)                                                                     \
    static struct reap__kernel_state reap_state_##k;                                               \
    static const struct reap__parameter reap_parameters_##k[] = {                                  \
        {NULL, NULL, REAP__VALUE, 0, 0, 0, NULL}, REAP__EACH(REAP__ENTRY, __VA_ARGS__)};           \
    static const struct reap_kernel reap_kernel_##k __attribute__((unused)) = {                    \
        .format = REAP__KERNEL_FORMAT,                                                             \
        .name = #k,                                                                                \
        .file = __FILE__,                                                                          \
        .line = __LINE__,                                                                          \
        .arguments_size = sizeof(struct reap_arguments_##k),                                       \
        .options_offset = offsetof(struct reap_arguments_##k, launch),                             \
        .parameters = reap_parameters_##k,                                                         \
        .parameter_count = sizeof reap_parameters_##k / sizeof *reap_parameters_##k,               \
        .rows = REAP__ISA_TABLE(reap_rows_, _##k),                                                 \
        .walk = reap_walk_##k,                                                                     \
        .probe = REAP__ISA_TABLE(reap_probe_, _##k),                                               \
        .state = &reap_state_##k,                                                                  \
        .text = reap_text_##k,                                                                     \
        .sources = __start_reap_sources,                                                           \
        .sources_end = __stop_reap_sources};                                                       \
    REAP__INLINE void reap_body_##k(REAP_ITEM REAP__EACH(REAP__FORMAL, __VA_ARGS__))

#endif
