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

/* What a call of the code keeps of each parameter. */
#define REAP__KEEP(k, p) REAP__FACET(REAP__KEEP_, k, p)
#define REAP__KEEP_array_(...)
#define REAP__KEEP_value_(...)
#define REAP__KEEP_scalar_(k, kind, T, n, op, ...)                                                 \
    T *const reap_values_##n = lanes->values;                                                      \
    struct reap_flag_##op *const reap_flags_##n = (struct reap_flag_##op *)(lanes++)->set;
#define REAP__KEEP_location_(k, kind, T, n, ...)                                                   \
    T *const reap_values_##n = lanes->values;                                                      \
    reap_row_##k##_reap_##n *const reap_rows_##n = (lanes++)->rows;
#define REAP__KEEP_span_(k, kind, T, n, ...) const struct reap__span reap_span_##n = *spans++;

/* A lane (number at + l) in local variables while items combine into it, so that no store to it
 * comes between two items' loads; types of more than 16 bytes stay where they are. */
#define REAP__IS_LOCAL(T) (sizeof(T) <= 16)
#define REAP__LOAD(k, p) REAP__FACET(REAP__LOAD_, k, p)
#define REAP__LOAD_array_(...)
#define REAP__LOAD_value_(...)
#define REAP__LOAD_span_(...)
#define REAP__LOAD_scalar_(k, kind, T, n, op, origin)                                              \
    T reap_value_##n;                                                                              \
    struct reap_flag_##op reap_flag_##n = {REAP__HAS_IDENTITY_##origin(op) ||                      \
                                           reap_flags_##n[at + l].set};                            \
    if (REAP__IS_LOCAL(T))                                                                         \
        reap_value_##n = reap_values_##n[at + l];
#define REAP__LOAD_location_(k, kind, T, n, ...)                                                   \
    T reap_value_##n = reap_values_##n[at + l];                                                    \
    reap_row_##k##_reap_##n reap_row_##n = reap_rows_##n[at + l];
#define REAP__STORE(k, p) REAP__FACET(REAP__STORE_, k, p)
#define REAP__STORE_array_(...)
#define REAP__STORE_value_(...)
#define REAP__STORE_span_(...)
#define REAP__STORE_scalar_(k, kind, T, n, op, origin)                                             \
    if (REAP__IS_LOCAL(T))                                                                         \
        reap_values_##n[at + l] = reap_value_##n;                                                  \
    if (!REAP__HAS_IDENTITY_##origin(op))                                                          \
        reap_flags_##n[at + l] = reap_flag_##n;
#define REAP__STORE_location_(k, kind, T, n, ...)                                                  \
    reap_values_##n[at + l] = reap_value_##n;                                                      \
    reap_rows_##n[at + l] = reap_row_##n;

/* What the body is given for each parameter. */
#define REAP__ACTUAL(k, p) REAP__FACET(REAP__ACTUAL_, k, p)
#define REAP__ACTUAL_array_(k, kind, T, n, ...) , arguments.n
#define REAP__ACTUAL_value_(k, kind, T, n, ...) , arguments.n
#define REAP__ACTUAL_scalar_(k, kind, T, n, op, origin)                                            \
    , REAP__IS_LOCAL(T) ? &reap_value_##n : reap_values_##n + at + l, reap_one_##k##_reap_##n,     \
        REAP__HAS_IDENTITY_##origin(op) ? NULL : &reap_flag_##n
#define REAP__ACTUAL_location_(k, kind, T, n, ...)                                                 \
    , &reap_value_##n, reap_one_##k##_reap_##n, (struct reap__place)                               \
    {                                                                                              \
        &reap_row_##n, now                                                                         \
    }
#define REAP__ACTUAL_span_(k, kind, T, n, op, origin)                                              \
    , (T *)reap_span_##n.values + REAP__REPLICA(n), reap_at_##k##_reap_##n,                        \
        REAP__HAS_IDENTITY_##origin(op)                                                            \
            ? NULL                                                                                 \
            : (struct reap_flag_##op *)reap_span_##n.set + REAP__REPLICA(n),                       \
        reap_span_##n
#define REAP__REPLICA(n)                                                                           \
    ((item.global_linear_id & reap_span_##n.replica_mask) * reap_span_##n.stride)

/* How many parameters of a class there are. */
#define REAP__IS_SPAN(k, p) REAP__FACET(REAP__IS_SPAN_, k, p)
#define REAP__IS_SPAN_array_(...)
#define REAP__IS_SPAN_value_(...)
#define REAP__IS_SPAN_scalar_(...)
#define REAP__IS_SPAN_location_(...)
#define REAP__IS_SPAN_span_(...) +1
#define REAP__IS_SCALAR(k, p) REAP__FACET(REAP__IS_SCALAR_, k, p)
#define REAP__IS_SCALAR_array_(...)
#define REAP__IS_SCALAR_value_(...)
#define REAP__IS_SCALAR_scalar_(...) +1
#define REAP__IS_SCALAR_location_(...)
#define REAP__IS_SCALAR_span_(...)
#define REAP__IS_LOCATION(k, p) REAP__FACET(REAP__IS_LOCATION_, k, p)
#define REAP__IS_LOCATION_array_(...)
#define REAP__IS_LOCATION_value_(...)
#define REAP__IS_LOCATION_scalar_(...)
#define REAP__IS_LOCATION_location_(...) +1
#define REAP__IS_LOCATION_span_(...)

/* Item `linear`, whose id is `base` + l in one dimension, combines into the local lane. */
#define REAP__ITEM(d, linear, base, k, ...)                                                        \
    item.global_linear_id = (linear) + l;                                                          \
    item.global_id[d] = (base) + l;                                                                \
    now = (unsigned)((linear) / REAP__LANES(1) % REAP__ROWS_OF_A_BLOCK);                           \
    reap_body_##k(item REAP__EACH(REAP__ACTUAL, __VA_ARGS__));

/* `n` items that differ in the id of one dimension, the first of which combines into lane `at`;
 * those that meet in a span's elements depend on each other. */
#define REAP__LOOP(d, k, ...)                                                                      \
    for (size_t l = 0; l < n; l++) {                                                               \
        REAP__EACH(REAP__LOAD, __VA_ARGS__)                                                        \
        REAP__ITEM(d, first, id[d], k, __VA_ARGS__)                                                \
        REAP__EACH(REAP__STORE, __VA_ARGS__)                                                       \
    }
#define REAP__SEGMENT(d, k, ...)                                                                   \
    do {                                                                                           \
        item.global_id[0] = id[0];                                                                 \
        item.global_id[1] = id[1];                                                                 \
        if (reap_spans_##k > 0) {                                                                  \
            REAP__LOOP(d, k, __VA_ARGS__)                                                          \
        } else {                                                                                   \
            REAP__INDEPENDENT                                                                      \
            REAP__LOOP(d, k, __VA_ARGS__)                                                          \
        }                                                                                          \
    } while (0)

/* Kernels with a scalar reduction take two rows at a time, but for those with a location, where gcc
 * 12 does not vectorise that. */
#define REAP__IN_PAIRS(k) (reap_scalars_##k > 0 && reap_spans_##k == 0 && reap_locations_##k == 0)

/* Two rows at a time, each lane's two items one after the other: half the loads and stores of
 * lanes. */
#define REAP__TWO_ROWS(k, ...)                                                                     \
    do {                                                                                           \
        REAP__INDEPENDENT                                                                          \
        for (size_t l = 0; l < n; l++) {                                                           \
            REAP__EACH(REAP__LOAD, __VA_ARGS__)                                                    \
            REAP__ITEM(0, first, id[0], k, __VA_ARGS__)                                            \
            REAP__ITEM(0, first + stride, id[0] + stride, k, __VA_ARGS__)                          \
            REAP__EACH(REAP__STORE, __VA_ARGS__)                                                   \
        }                                                                                          \
    } while (0)

/* In one dimension a row of lanes is one segment. In two or three it is cut where the range's own
 * rows end: ids by division would cost fifty times as much. */
#define REAP__ROWS(isa, k, ...)                                                                    \
    REAP__CODE_##isa static enum reap__isa reap_rows_##isa##_##k(const struct reap__rows *rows)    \
    {                                                                                              \
        const struct reap_arguments_##k arguments =                                                \
            *(const struct reap_arguments_##k *)rows->arguments;                                   \
        const struct reap__lanes *lanes = rows->lanes;                                             \
        const struct reap__span *spans = rows->spans;                                              \
        const reap_range range = *rows->range;                                                     \
        const size_t count = rows->count, stride = rows->stride, row_count = rows->rows;           \
        size_t first = rows->first, at = 0, n = count;                                             \
        unsigned now = 0;                                                                          \
        size_t id[3] = {rows->id[0], rows->id[1], rows->id[2]};                                    \
        reap_item item = {                                                                         \
            {id[0], id[1], id[2]}, first, {range.size[0], range.size[1], range.size[2]}};          \
        REAP__EACH(REAP__KEEP, __VA_ARGS__)                                                        \
        (void)arguments, (void)lanes, (void)spans, (void)at, (void)now;                            \
        if (range.dimensions == 1) {                                                               \
            size_t row = 0;                                                                        \
            if (REAP__IN_PAIRS(k))                                                                 \
                for (; row + 1 < row_count; row += 2, first += 2 * stride, id[0] += 2 * stride)    \
                    REAP__TWO_ROWS(k, __VA_ARGS__);                                                \
            for (; row < row_count; row++, first += stride, id[0] += stride)                       \
                REAP__SEGMENT(0, k, __VA_ARGS__);                                                  \
        } else                                                                                     \
            for (size_t left = count * row_count; left > 0; left -= n) {                           \
                n = reap__segment_size(&range, id, count - at);                                    \
                if (range.dimensions == 2)                                                         \
                    REAP__SEGMENT(1, k, __VA_ARGS__);                                              \
                else                                                                               \
                    REAP__SEGMENT(2, k, __VA_ARGS__);                                              \
                reap__segment_advance(&range, id, n);                                              \
                first += n;                                                                        \
                at = at + n < count ? at + n : 0;                                                  \
            }                                                                                      \
        return REAP__RAN_##isa;                                                                    \
    }                                                                                              \
    REAP__CODE_##isa static int reap_probe_##isa##_##k(const volatile float *values)               \
    {                                                                                              \
        const float one = values[0], two = values[1], big = values[2];                             \
        const float product = one * one + two, sum = (one + big) - big;                            \
        return !(product == 0.0f && sum == 0.0f);                                                  \
    }

/* How many items, of at most `most`, the range's own row has from this id on. */
REAP__INLINE size_t reap__segment_size(const reap_range *range, const size_t *id, size_t most)
{
    const unsigned last = range->dimensions - 1;
    const size_t in_row = range->size[last] - id[last];
    return in_row < most ? in_row : most;
}

/* The id that is n items further, within the row or at the begin of the next. */
REAP__INLINE void reap__segment_advance(const reap_range *range, size_t *id, size_t n)
{
    unsigned d = range->dimensions - 1;
    id[d] += n;
    for (; d > 0 && id[d] == range->size[d]; d--) {
        id[d] = 0;
        id[d - 1]++;
    }
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
    enum {                                                                                         \
        reap_spans_##k = 0 REAP__EACH(REAP__IS_SPAN, __VA_ARGS__),                                 \
        reap_scalars_##k = 0 REAP__EACH(REAP__IS_SCALAR, __VA_ARGS__),                             \
        reap_locations_##k = 0 REAP__EACH(REAP__IS_LOCATION, __VA_ARGS__)                          \
    };                                                                                             \
    REAP__EACH(REAP__CODE, __VA_ARGS__)                                                            \
    REAP__INLINE void reap_body_##k(REAP_ITEM REAP__EACH(REAP__FORMAL, __VA_ARGS__));              \
    REAP__EACH_ISA(REAP__ROWS, k, __VA_ARGS__)                                                     \
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
        .probe = REAP__ISA_TABLE(reap_probe_, _##k),                                               \
        .state = &reap_state_##k,                                                                  \
        .text = reap_text_##k,                                                                     \
        .sources = __start_reap_sources,                                                           \
        .sources_end = __stop_reap_sources};                                                       \
    REAP__INLINE void reap_body_##k(REAP_ITEM REAP__EACH(REAP__FORMAL, __VA_ARGS__))

#endif
