/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops around a kernel's body, and the kernel itself. This and reductions.h are the one place
 * where code stands inside macros, since C has no other way to write a loop around a user's body;
 * what can be done outside the loop is done in the library.
 */
#ifndef REAP_HOST_LOOPS_H
#define REAP_HOST_LOOPS_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <reap/host/embed.h>
#include <reap/host/reductions.h>
#include <reap/host/segments.h>

/* What the code of a whole row, or group, is handed for each parameter. Here alone the pointers are
 * `restrict`: gcc forgets it where it inlines a function by force, as it does bodies; and
 * work-items of a group, where each runs the body by itself, do see what others write. Nothing else
 * says that items are independent. "GCC ivdep" and "clang loop vectorize(assume_safety)" do, but of
 * a body's local arrays as well, which are one piece of memory for all items then: both compilers
 * made vectors of items that overwrote each other's. */
#define REAP__HANDED(k, p) REAP__FACET(REAP__HANDED_, k, p)
#define REAP__HANDED_array_(k, kind, T, n, Q, ...) , T Q *restrict reap_array_##n REAP__UNUSED
#define REAP__HANDED_value_(...)
#define REAP__HANDED_local_(k, kind, T, n, ...) , T *restrict reap_local_##n REAP__UNUSED
#define REAP__HANDED_scalar_(k, kind, T, n, op, ...)                                               \
    , T *restrict reap_values_##n REAP__UNUSED, const T *restrict reap_start_##n REAP__UNUSED,     \
        struct reap_flag_##op *restrict reap_flags_##n REAP__UNUSED
#define REAP__HANDED_location_(k, kind, T, n, ...)                                                 \
    , T *restrict reap_values_##n REAP__UNUSED,                                                    \
        reap_row_##k##_reap_##n *restrict reap_rows_##n REAP__UNUSED
#define REAP__HANDED_span_(...)
#define REAP__HAND(k, p) REAP__FACET(REAP__HAND_, k, p)
#define REAP__HAND_array_(k, kind, T, n, ...) , arguments_->n
#define REAP__HAND_value_(...)
#define REAP__HAND_local_(k, kind, T, n, ...) , locals_[reap_local_of_##k##_reap_##n]
#define REAP__HAND_scalar_(k, kind, T, n, op, ...)                                                 \
    , lanes_[reap_lanes_of_##k##_reap_##n].values, lanes_[reap_lanes_of_##k##_reap_##n].start,     \
        (struct reap_flag_##op *)lanes_[reap_lanes_of_##k##_reap_##n].set
#define REAP__HAND_location_(k, kind, T, n, ...)                                                   \
    , lanes_[reap_lanes_of_##k##_reap_##n].values, lanes_[reap_lanes_of_##k##_reap_##n].rows
#define REAP__HAND_span_(...)

/* Fetches two cache lines, and does no harm where the address is nobody's. */
static inline void reap__fetch(const void *array, size_t bytes)
{
    if (array != NULL) {
        __builtin_prefetch((const char *)array + bytes);
        __builtin_prefetch((const char *)array + bytes + 64);
    }
}

/* Does so for the next row, or rows, of each array, as if item i had element i: nothing is fetched
 * ahead by itself where pages begin, and rows often begin there. (Sums from memory by a thread of a
 * Zen 4: 1.4 times as fast.) */
#define REAP__AHEAD(k, p) REAP__FACET(REAP__AHEAD_, k, p)
#define REAP__AHEAD_array_(k, kind, T, n, ...)                                                     \
    for (size_t r_ = ahead_; r_ < (size_t)2 * ahead_; r_++)                                        \
        reap__fetch(reap_array_##n, (first_ + r_ * stride_) * sizeof *reap_array_##n);
#define REAP__AHEAD_value_(...)
#define REAP__AHEAD_local_(...)
#define REAP__AHEAD_scalar_(...)
#define REAP__AHEAD_location_(...)
#define REAP__AHEAD_span_(...)

/* Its own copies of the spans' views, which no store can change. */
#define REAP__SPANS(k, p) REAP__FACET(REAP__SPANS_, k, p)
#define REAP__SPANS_array_(...)
#define REAP__SPANS_value_(...)
#define REAP__SPANS_local_(...)
#define REAP__SPANS_scalar_(...)
#define REAP__SPANS_location_(...)
#define REAP__SPANS_span_(k, kind, T, n, ...)                                                      \
    const struct reap__span reap_span_##n = spans_[reap_span_of_##k##_reap_##n];                   \
    size_t reap_replicas_##n[8] REAP__UNUSED = {0};

/* A lane (number at_ + l_) in local variables while items combine into it, so that no store to it
 * comes between two items' loads; larger types stay where they are. Where begins_, lanes that can
 * begin hold nothing yet. */
#define REAP__IS_LOCAL(T) (sizeof(T) <= REAP__MOST_LOCAL_BYTES)
#define REAP__CAN_BEGIN(T, op, origin) (REAP__IS_LOCAL(T) && REAP__HAS_IDENTITY_##origin(op))
#define REAP__LOAD(k, p) REAP__FACET(REAP__LOAD_, k, p)
#define REAP__LOAD_array_(...)
#define REAP__LOAD_value_(...)
#define REAP__LOAD_local_(...)
#define REAP__LOAD_span_(...)
#define REAP__LOAD_scalar_(k, kind, T, n, op, origin)                                              \
    T reap_value_##n;                                                                              \
    struct reap_flag_##op reap_flag_##n = {REAP__HAS_IDENTITY_##origin(op) ||                      \
                                           reap_flags_##n[at_ + l_].set};                          \
    if (REAP__IS_LOCAL(T))                                                                         \
        reap_value_##n = begins_ && REAP__CAN_BEGIN(T, op, origin) ? *reap_start_##n               \
                                                                   : reap_values_##n[at_ + l_];
#define REAP__LOAD_location_(k, kind, T, n, ...)                                                   \
    T reap_value_##n = reap_values_##n[at_ + l_];                                                  \
    reap_row_##k##_reap_##n reap_row_##n = reap_rows_##n[at_ + l_];
#define REAP__STORE(k, p) REAP__FACET(REAP__STORE_, k, p)
#define REAP__STORE_array_(...)
#define REAP__STORE_value_(...)
#define REAP__STORE_local_(...)
#define REAP__STORE_span_(...)
#define REAP__STORE_scalar_(k, kind, T, n, op, origin)                                             \
    if (REAP__IS_LOCAL(T))                                                                         \
        reap_values_##n[at_ + l_] = reap_value_##n;                                                \
    if (!REAP__HAS_IDENTITY_##origin(op))                                                          \
        reap_flags_##n[at_ + l_] = reap_flag_##n;
#define REAP__STORE_location_(k, kind, T, n, ...)                                                  \
    reap_values_##n[at_ + l_] = reap_value_##n;                                                    \
    reap_rows_##n[at_ + l_] = reap_row_##n;

/* What the body is given for each parameter. */
#define REAP__ACTUAL(k, p) REAP__FACET(REAP__ACTUAL_, k, p)
#define REAP__ACTUAL_array_(k, kind, T, n, ...) , reap_array_##n
#define REAP__ACTUAL_value_(k, kind, T, n, ...) , arguments_.n
#define REAP__ACTUAL_local_(k, kind, T, n, ...) , reap_local_##n
#define REAP__ACTUAL_scalar_(k, kind, T, n, op, origin)                                            \
    , REAP__HANDLE(REAP__IS_LOCAL(T) ? &reap_value_##n : reap_values_##n + at_ + l_),              \
        reap_one_##k##_reap_##n, REAP__HAS_IDENTITY_##origin(op) ? NULL : &reap_flag_##n
#define REAP__ACTUAL_location_(k, kind, T, n, op, ...)                                             \
    , REAP__HANDLE(&reap_value_##n), reap_one_##k##_reap_##n, (struct reap_place_##op)             \
    {                                                                                              \
        &reap_row_##n, now_                                                                        \
    }
#define REAP__ACTUAL_span_(k, kind, T, n, op, origin)                                              \
    , (void *)((T *)reap_span_##n.values + REAP__REPLICA(n)), reap_at_##k##_reap_##n,              \
        REAP__HAS_IDENTITY_##origin(op)                                                            \
            ? NULL                                                                                 \
            : (struct reap_flag_##op *)reap_span_##n.set + REAP__REPLICA(n),                       \
        reap__span_known(reap_span_##n, is_dense_)
#define REAP__REPLICA(n)                                                                           \
    (is_one_of_eight_ ? reap_replicas_##n[eighth_]                                                 \
                      : reap__span_replica(&reap_span_##n, item_.global_linear_id))

/* Whether the spans' copies are all whole, without pages. */
#define REAP__IS_DENSE(k, p) REAP__FACET(REAP__IS_DENSE_, k, p)
#define REAP__IS_DENSE_array_(...)
#define REAP__IS_DENSE_value_(...)
#define REAP__IS_DENSE_local_(...)
#define REAP__IS_DENSE_scalar_(...)
#define REAP__IS_DENSE_location_(...)
#define REAP__IS_DENSE_span_(k, kind, T, n, ...) &&reap__span_is_dense(&reap_span_##n)

/* Where the replicas of eight items in a row begin. */
#define REAP__REPLICAS(k, p) REAP__FACET(REAP__REPLICAS_, k, p)
#define REAP__REPLICAS_array_(...)
#define REAP__REPLICAS_value_(...)
#define REAP__REPLICAS_local_(...)
#define REAP__REPLICAS_scalar_(...)
#define REAP__REPLICAS_location_(...)
#define REAP__REPLICAS_span_(k, kind, T, n, ...)                                                   \
    for (size_t i_ = 0; i_ < 8; i_++)                                                              \
        reap_replicas_##n[i_] = reap__span_replica(&reap_span_##n, first_ + i_);

/* Enumerators: a parameter's number among those whose lanes, spans or local memory the library
 * gives; whether it is a reduction with a location, or an array; how many bytes a lane of it has.
 */
#define REAP__LANES_OF(k, p) REAP__FACET(REAP__LANES_OF_, k, p)
#define REAP__LANES_OF_array_(...)
#define REAP__LANES_OF_value_(...)
#define REAP__LANES_OF_local_(...)
#define REAP__LANES_OF_scalar_(k, kind, T, n, ...) reap_lanes_of_##k##_reap_##n,
#define REAP__LANES_OF_location_(k, kind, T, n, ...) reap_lanes_of_##k##_reap_##n,
#define REAP__LANES_OF_span_(...)
#define REAP__SPAN_OF(k, p) REAP__FACET(REAP__SPAN_OF_, k, p)
#define REAP__SPAN_OF_array_(...)
#define REAP__SPAN_OF_value_(...)
#define REAP__SPAN_OF_local_(...)
#define REAP__SPAN_OF_scalar_(...)
#define REAP__SPAN_OF_location_(...)
#define REAP__SPAN_OF_span_(k, kind, T, n, ...) reap_span_of_##k##_reap_##n,
#define REAP__LOCAL_OF(k, p) REAP__FACET(REAP__LOCAL_OF_, k, p)
#define REAP__LOCAL_OF_array_(...)
#define REAP__LOCAL_OF_value_(...)
#define REAP__LOCAL_OF_local_(k, kind, T, n, ...) reap_local_of_##k##_reap_##n,
#define REAP__LOCAL_OF_scalar_(...)
#define REAP__LOCAL_OF_location_(...)
#define REAP__LOCAL_OF_span_(...)
#define REAP__IS_LOCATION(k, p) REAP__FACET(REAP__IS_LOCATION_, k, p)
#define REAP__IS_LOCATION_array_(...)
#define REAP__IS_LOCATION_value_(...)
#define REAP__IS_LOCATION_local_(...)
#define REAP__IS_LOCATION_scalar_(...)
#define REAP__IS_LOCATION_location_(...) +1
#define REAP__IS_LOCATION_span_(...)
#define REAP__IS_ARRAY(k, p) REAP__FACET(REAP__IS_ARRAY_, k, p)
#define REAP__IS_ARRAY_array_(...) +1
#define REAP__IS_ARRAY_value_(...)
#define REAP__IS_ARRAY_local_(...)
#define REAP__IS_ARRAY_scalar_(...)
#define REAP__IS_ARRAY_location_(...)
#define REAP__IS_ARRAY_span_(...)
#define REAP__LANE_BYTES(k, p) REAP__FACET(REAP__LANE_BYTES_, k, p)
#define REAP__LANE_BYTES_array_(...)
#define REAP__LANE_BYTES_value_(...)
#define REAP__LANE_BYTES_local_(...)
#define REAP__LANE_BYTES_scalar_(k, kind, T, ...) +(int)sizeof(T)
#define REAP__LANE_BYTES_location_(...)
#define REAP__LANE_BYTES_span_(...)

/* Item `linear`, whose id is `base` + l_ in one dimension, combines into the local lane. */
#define REAP__ITEM(d, linear, base, k, ...)                                                        \
    item_.global_linear_id = (linear) + l_;                                                        \
    item_.global_id[d] = (base) + l_;                                                              \
    now_ = (unsigned)((linear) / REAP__LANES(1) % REAP__ROWS_OF_A_BLOCK);                          \
    reap_body_##k(item_ REAP__EACH(REAP__ACTUAL, __VA_ARGS__));

/* The items from `from` to n_ of a segment; they differ in the id of one dimension, and item 0
 * combines into lane at_. */
#define REAP__SEGMENT(begins, d, from, k, ...)                                                     \
    do {                                                                                           \
        enum { is_one_of_eight_ = 0, eighth_ = 0, is_dense_ = 0, begins_ = begins };               \
        item_.global_id[0] = id_[0];                                                               \
        item_.global_id[1] = id_[1];                                                               \
        REAP__ITEM_LOOP                                                                            \
        for (size_t l_ = (from); l_ < n_; l_++) {                                                  \
            REAP__EACH(REAP__LOAD, __VA_ARGS__)                                                    \
            REAP__ITEM(d, first_, id_[d], k, __VA_ARGS__)                                          \
            REAP__EACH(REAP__STORE, __VA_ARGS__)                                                   \
        }                                                                                          \
    } while (0)

/* One row of a kernel with spans, eight items at a time: each of the eight has its replica at a
 * place that is known beforehand. */
#define REAP__SPAN_ROW(dense, d, k, ...)                                                           \
    do {                                                                                           \
        enum { is_one_of_eight_ = 1, is_dense_ = dense, begins_ = 0 };                             \
        item_.global_id[0] = id_[0];                                                               \
        item_.global_id[1] = id_[1];                                                               \
        REAP__EACH(REAP__REPLICAS, __VA_ARGS__)                                                    \
        for (size_t begin_ = 0; begin_ + 8 <= n_; begin_ += 8) {                                   \
            REAP__UNROLL                                                                           \
            for (size_t eighth_ = 0; eighth_ < 8; eighth_++) {                                     \
                const size_t l_ = begin_ + eighth_;                                                \
                REAP__EACH(REAP__LOAD, __VA_ARGS__)                                                \
                REAP__ITEM(d, first_, id_[d], k, __VA_ARGS__)                                      \
                REAP__EACH(REAP__STORE, __VA_ARGS__)                                               \
            }                                                                                      \
        }                                                                                          \
    } while (0)

/* A segment in two or three dimensions, whose last is d. (Items of paged spans go one by one: their
 * own loop of eight is not worth the compiler's time.) */
#define REAP__CUT_SEGMENT(d, k, ...)                                                               \
    do {                                                                                           \
        if (are_dense_)                                                                            \
            REAP__SPAN_ROW(1, d, k, __VA_ARGS__);                                                  \
        REAP__SEGMENT(0, d, are_dense_ ? n_ & ~(size_t)7 : 0, k, __VA_ARGS__);                     \
    } while (0)

/* Kernels with scalar reductions take four rows at a time, and load and store their lanes a quarter
 * as often. In the caches of a Zen 5 that made sum, max, min and sum of squares 1.5 times as fast,
 * sum and max 1.2 times with AVX-512 and 1.7 times with AVX2 (gcc 12); in those of a Zen 4 1.8 and
 * 1.4 times, and there a sum or maximum of floats alone 1.2 times, a count in 64 bits 1.5 times, an
 * operator on boxes of four floats 3.6 times. From memory, four streams of reads are fetched ahead
 * as well as one where what they come to next is asked for early (REAP__AHEAD): a thread of a Zen 4
 * reads 18 GB/s for the four reductions, against 15 without that, and 10 by single rows. But where
 * all threads read as fast as memory is, single rows are 1.05 times as fast; one reduction of a
 * number can do that. One reduction of two arrays, with eight streams then, is slower: a dot
 * product took 1.1 times as long in caches, and 1.3 times from memory; one with a location gains
 * nothing. */
#define REAP__IN_FOURS(k)                                                                          \
    ((reap_lanes_##k > 1 || reap_lane_bytes_##k > 8 || reap_arrays_##k < 2) &&                     \
     reap_scalars_##k > 0 && reap_spans_##k == 0 && reap_locations_##k == 0)

/* From memory by single rows. */
#define REAP__IS_LIGHT(k) (reap_lanes_##k == 1 && reap_lane_bytes_##k <= 8)

/* Four rows at a time, each lane's items one after the other. */
#define REAP__FOUR_ROWS(begins, k, ...)                                                            \
    do {                                                                                           \
        enum { is_one_of_eight_ = 0, eighth_ = 0, is_dense_ = 0, begins_ = begins };               \
        REAP__ITEM_LOOP                                                                            \
        for (size_t l_ = 0; l_ < n_; l_++) {                                                       \
            REAP__EACH(REAP__LOAD, __VA_ARGS__)                                                    \
            REAP__ITEM(0, first_, id_[0], k, __VA_ARGS__)                                          \
            REAP__ITEM(0, first_ + stride_, id_[0] + stride_, k, __VA_ARGS__)                      \
            REAP__ITEM(0, first_ + 2 * stride_, id_[0] + 2 * stride_, k, __VA_ARGS__)              \
            REAP__ITEM(0, first_ + 3 * stride_, id_[0] + 3 * stride_, k, __VA_ARGS__)              \
            REAP__EACH(REAP__STORE, __VA_ARGS__)                                                   \
        }                                                                                          \
    } while (0)

/* Four rows of a range in two dimensions. The range's own rows end at other lanes in each, so
 * segments end where any of them does. ids_ has where each row is. (In the caches of a Zen 4 a sum
 * of rows of 1000 floats takes 1.27 times as long as in one dimension, and 1.5 times by single
 * rows. Three dimensions go by single rows: it is not worth the compiler's time.) */
#define REAP__FOUR_CUT_ROWS(k, ...)                                                                \
    do {                                                                                           \
        enum { is_one_of_eight_ = 0, eighth_ = 0, is_dense_ = 0, begins_ = 0 };                    \
        for (size_t from_ = 0, to_; from_ < count_; from_ = to_) {                                 \
            to_ = from_ + reap__common_size(&range_, ids_, count_ - from_);                        \
            REAP__ITEM_LOOP                                                                        \
            for (size_t l_ = from_; l_ < to_; l_++) {                                              \
                REAP__EACH(REAP__LOAD, __VA_ARGS__)                                                \
                REAP__CUT_ITEM(0, k, __VA_ARGS__)                                                  \
                REAP__CUT_ITEM(1, k, __VA_ARGS__)                                                  \
                REAP__CUT_ITEM(2, k, __VA_ARGS__)                                                  \
                REAP__CUT_ITEM(3, k, __VA_ARGS__)                                                  \
                REAP__EACH(REAP__STORE, __VA_ARGS__)                                               \
            }                                                                                      \
            for (size_t row_ = 0; row_ < 4; row_++)                                                \
                reap__segment_advance(&range_, ids_[row_], to_ - from_);                           \
        }                                                                                          \
    } while (0)
#define REAP__CUT_ITEM(row, k, ...)                                                                \
    item_.global_id[0] = ids_[row][0];                                                             \
    REAP__ITEM(1, first_ + row * stride_, ids_[row][1] - from_, k, __VA_ARGS__)

/* What both functions below begin with; the first item's id is given. */
#define REAP__OF_ROWS(k, id_0, id_1, id_2, ...)                                                    \
    const reap_arguments_##k arguments_ = *(const reap_arguments_##k *)rows_->arguments;           \
    const struct reap__span *spans_ = rows_->spans;                                                \
    const reap_range range_ = *rows_->range;                                                       \
    const size_t count_ = rows_->count;                                                            \
    size_t first_ = rows_->first, at_ = 0, n_ = count_, id_[3] = {id_0, id_1, id_2};               \
    unsigned now_ = 0;                                                                             \
    reap__item_of_a_kernel_without_work_groups item_ = {                                           \
        {id_[0], id_[1], id_[2]},                                                                  \
        first_,                                                                                    \
        {range_.size[0], range_.size[1], range_.size[2]},                                          \
        0,                                                                                         \
        rows_->group};                                                                             \
    REAP__EACH(REAP__SPANS, __VA_ARGS__)                                                           \
    const bool are_dense_ = reap_spans_##k > 0 REAP__EACH(REAP__IS_DENSE, __VA_ARGS__);            \
    (void)arguments_, (void)spans_, (void)at_, (void)now_

#define REAP__RUN_ROWS(function, k, ...)                                                           \
    do {                                                                                           \
        const reap_arguments_##k *const arguments_ = rows_->arguments;                             \
        const struct reap__lanes *const lanes_ = rows_->lanes;                                     \
        void *const *const locals_ = NULL;                                                         \
        (void)arguments_, (void)lanes_, (void)locals_;                                             \
        function(rows_ REAP__EACH(REAP__HAND, __VA_ARGS__));                                       \
    } while (0)

/* In one dimension a row of lanes is one segment. In two or three it is cut where the range's own
 * rows end: ids by division would cost fifty times as much. Its code stands apart, so that a launch
 * of few items need not save the registers that it takes. */
#define REAP__ROWS(isa, k, ...)                                                                    \
    REAP__COMPILED_##isa(k) static void reap_run_rows_##isa##_##k(                                 \
        const struct reap__rows *rows_ REAP__EACH(REAP__HANDED, __VA_ARGS__))                      \
    {                                                                                              \
        REAP__OF_ROWS(k, rows_->first, 0, 0, __VA_ARGS__);                                         \
        const size_t stride_ = rows_->stride, row_count_ = rows_->rows;                            \
        size_t row_ = 0;                                                                           \
        bool starts_ = reap_spans_##k == 0 && reap_scalars_##k > 0 && rows_->begins;               \
        if (REAP__IN_FOURS(k) && !(REAP__IS_LIGHT(k) && rows_->is_large))                          \
            for (; row_ + 3 < row_count_;                                                          \
                 row_ += 4, first_ += 4 * stride_, id_[0] += 4 * stride_) {                        \
                enum { ahead_ = 4 };                                                               \
                REAP__EACH(REAP__AHEAD, __VA_ARGS__)                                               \
                if (starts_)                                                                       \
                    REAP__FOUR_ROWS(1, k, __VA_ARGS__);                                            \
                else                                                                               \
                    REAP__FOUR_ROWS(0, k, __VA_ARGS__);                                            \
                starts_ = false;                                                                   \
            }                                                                                      \
        for (; row_ < row_count_; row_++, first_ += stride_, id_[0] += stride_) {                  \
            enum { ahead_ = 1 };                                                                   \
            REAP__EACH(REAP__AHEAD, __VA_ARGS__)                                                   \
            if (are_dense_)                                                                        \
                REAP__SPAN_ROW(1, 0, k, __VA_ARGS__);                                              \
            else if (reap_spans_##k > 0)                                                           \
                REAP__SPAN_ROW(0, 0, k, __VA_ARGS__);                                              \
            if (starts_)                                                                           \
                REAP__SEGMENT(1, 0, 0, k, __VA_ARGS__);                                            \
            else                                                                                   \
                REAP__SEGMENT(0, 0, reap_spans_##k > 0 ? n_ & ~(size_t)7 : 0, k, __VA_ARGS__);     \
            starts_ = false;                                                                       \
        }                                                                                          \
    }                                                                                              \
    REAP__COMPILED_##isa(k) static void reap_run_cut_rows_##isa##_##k(                             \
        const struct reap__rows *rows_ REAP__EACH(REAP__HANDED, __VA_ARGS__))                      \
    {                                                                                              \
        REAP__OF_ROWS(k, rows_->id[0], rows_->id[1], rows_->id[2], __VA_ARGS__);                   \
        const size_t stride_ = count_;                                                             \
        size_t left_ = count_ * rows_->rows;                                                       \
        if (REAP__IN_FOURS(k) && !(REAP__IS_LIGHT(k) && rows_->is_large) &&                        \
            reap__has_long_rows(&range_, count_))                                                  \
            for (; left_ >= 4 * count_; left_ -= 4 * count_, first_ += 4 * count_) {               \
                enum { ahead_ = 4 };                                                               \
                size_t ids_[4][3];                                                                 \
                for (size_t row_ = 0; row_ < 4; row_++)                                            \
                    reap__row_advance(&range_, id_, count_, ids_[row_]);                           \
                REAP__EACH(REAP__AHEAD, __VA_ARGS__)                                               \
                REAP__FOUR_CUT_ROWS(k, __VA_ARGS__);                                               \
            }                                                                                      \
        for (; left_ > 0; left_ -= n_) {                                                           \
            n_ = reap__segment_size(&range_, id_, at_, count_);                                    \
            if (range_.dimensions == 2)                                                            \
                REAP__CUT_SEGMENT(1, k, __VA_ARGS__);                                              \
            else                                                                                   \
                REAP__CUT_SEGMENT(2, k, __VA_ARGS__);                                              \
            reap__segment_advance(&range_, id_, n_);                                               \
            first_ += n_;                                                                          \
            at_ = at_ + n_ < count_ ? at_ + n_ : 0;                                                \
        }                                                                                          \
    }                                                                                              \
    REAP__COMPILED_##isa(k)                                                                        \
        REAP__NEVER_INLINED REAP__FLATTEN static enum reap__isa reap_cut_rows_##isa##_##k(         \
            const struct reap__rows *rows_)                                                        \
    {                                                                                              \
        REAP__RUN_ROWS(reap_run_cut_rows_##isa##_##k, k, __VA_ARGS__);                             \
        return REAP__RAN_##isa;                                                                    \
    }                                                                                              \
    REAP__COMPILED_##isa(k)                                                                        \
        REAP__FLATTEN static enum reap__isa reap_rows_##isa##_##k(const struct reap__rows *rows_)  \
    {                                                                                              \
        if (rows_->range->dimensions != 1)                                                         \
            return reap_cut_rows_##isa##_##k(rows_);                                               \
        REAP__RUN_ROWS(reap_run_rows_##isa##_##k, k, __VA_ARGS__);                                 \
        return REAP__RAN_##isa;                                                                    \
    }

/* Computes what tells exact arithmetic from contracted or reassociated. */
#define REAP__PROBE(isa, k)                                                                        \
    REAP__COMPILED_##isa(k) static int reap_probe_##isa##_##k(const volatile float *values_)       \
    {                                                                                              \
        const float one_ = values_[0], two_ = values_[1], big_ = values_[2];                       \
        const float zero_ = two_ * 0x1p-100f * 0x1p-100f, infinite_ = big_ * big_ * big_;          \
        const reap__floats found_ = {one_ * one_ + two_, (one_ + big_) - big_, one_ / 3.0f,        \
                                     1.0f / (zero_ + 0.0f)};                                       \
        const float nan_ = infinite_ * found_[0];                                                  \
        return !((found_[0] == 0.0f) & (found_[1] == 0.0f) & (found_[2] == 0x1.556aaap-2f) &       \
                 (found_[3] > 0.0f) & (nan_ != nan_));                                             \
    }

#define REAP__IS_UNPACKED                                                                          \
    (sizeof(struct {                                                                               \
         char reap_first_;                                                                         \
         void *reap_second_;                                                                       \
     }) == 2 * sizeof(void *))

/* What a launch finds a kernel by: a name, so that one which does not exist has one message. For
 * gcc it only has the arguments' type, and is no conflict where there are two kernels of one name.
 */
#ifdef __clang__
#define REAP__KERNEL_FOUND(called)
#define REAP__KERNEL_END(called)                                                                   \
    static const struct {                                                                          \
        const struct reap_kernel *code;                                                            \
        const struct reap_arguments_##called *arguments;                                           \
    } reap__launched_kernel_##called REAP__UNUSED = {&reap_kernel_##called, NULL};                 \
    REAP__LIST_KERNEL(called)
#else
#define REAP__KERNEL_FOUND(called)                                                                 \
    extern const struct reap_arguments_##called *const reap__launched_kernel_##called;
#define REAP__KERNEL_END(called) REAP__LIST_KERNEL(called)
#endif

/* What every kernel begins with. */
#define REAP__KERNEL_HEAD(called, k, item, ...)                                                    \
    _Static_assert(REAP__IS_UNPACKED, "Reap kernel '" #called "' " REAP__PACKED);                  \
    REAP__KERNEL_FOUND(called)                                                                     \
    typedef struct reap_arguments_##called {                                                       \
        reap_range reap_range_;                                                                    \
        reap_launch_options launch;                                                                \
        REAP__EACH(REAP__MEMBER, __VA_ARGS__)                                                      \
    } reap_arguments_##k;                                                                          \
    enum { REAP__EACH(REAP__LANES_OF, __VA_ARGS__) reap_lanes_##k };                               \
    enum { REAP__EACH(REAP__SPAN_OF, __VA_ARGS__) reap_spans_##k };                                \
    enum { REAP__EACH(REAP__LOCAL_OF, __VA_ARGS__) reap_locals_##k };                              \
    enum {                                                                                         \
        reap_locations_##k = 0 REAP__EACH(REAP__IS_LOCATION, __VA_ARGS__),                         \
        reap_scalars_##k = reap_lanes_##k - reap_locations_##k,                                    \
        reap_arrays_##k = 0 REAP__EACH(REAP__IS_ARRAY, __VA_ARGS__),                               \
        reap_lane_bytes_##k = 0 REAP__EACH(REAP__LANE_BYTES, __VA_ARGS__)                          \
    };                                                                                             \
    REAP__EACH(REAP__CODE, __VA_ARGS__)                                                            \
    REAP__BODY void reap_body_##k(item REAP__EACH(REAP__FORMAL, __VA_ARGS__));                     \
    REAP__EACH_ISA(REAP__PROBE, k)                                                                 \
    REAP__EACH_ISA(REAP__BOUNDS, k)                                                                \
    REAP__EMBED(reap_text_##k)                                                                     \
    static struct reap__kernel_state reap_state_##k;                                               \
    static const struct reap__parameter reap_parameters_##k[] = {                                  \
        {NULL, NULL, REAP__VALUE, 0, 0, 0, NULL}, REAP__EACH(REAP__ENTRY, __VA_ARGS__)};

/* The members of struct reap_kernel that every kernel has. */
#define REAP__KERNEL_MEMBERS(called, k)                                                            \
    .format = REAP__KERNEL_FORMAT, .name = #called, .file = __FILE__, .line = __LINE__,            \
    .arguments_size = sizeof(reap_arguments_##k),                                                  \
    .options_offset = offsetof(reap_arguments_##k, launch), .parameters = reap_parameters_##k,     \
    .parameter_count = sizeof reap_parameters_##k / sizeof *reap_parameters_##k,                   \
    .probe = REAP__ISA_TABLE(reap_probe_, _##k, 1), .code = REAP__BOUNDS_TABLE(start, k),          \
    .code_end = REAP__BOUNDS_TABLE(stop, k), .state = &reap_state_##k, .text = reap_text_##k,      \
    .sources = __start_reap_sources, .sources_end = __stop_reap_sources

/* A helper takes any item. */
REAP__INLINE reap_item reap__same_item(reap_item item)
{
    return item;
}
REAP__INLINE reap_item reap__item_for_helpers(reap__item_of_a_kernel_without_work_groups item)
{
    const size_t *const id = item.global_id, *const range = item.global_range;
    return (reap_item){{id[0], id[1], id[2]},
                       item.global_linear_id,
                       {range[0], range[1], range[2]},
                       {0, 0, 0},
                       0,
                       item.lane,
                       item.no_group};
}
#define REAP__ALONE_ITEM                                                                           \
    const reap__item_of_a_kernel_without_work_groups reap_item_ __attribute__((__unused__))

/* The loops of a kernel with spans are not vectorised: one instruction set will do. */
#define REAP__KERNEL_FIT(called, k, ...)                                                           \
    REAP__KERNEL_HEAD(called, k, REAP__ALONE_ITEM, __VA_ARGS__)                                    \
    REAP__EACH_ISA(REAP__ROWS, k, __VA_ARGS__)                                                     \
    static const struct reap_kernel reap_kernel_##called __attribute__((__unused__)) = {           \
        REAP__KERNEL_MEMBERS(called, k),                                                           \
        .rows = REAP__ISA_TABLE(reap_rows_, _##k, reap_spans_##k == 0)};                           \
    REAP__KERNEL_END(called)                                                                       \
    REAP__BODY void reap_body_##k(REAP__ALONE_ITEM REAP__EACH(REAP__FORMAL, __VA_ARGS__))

#endif
