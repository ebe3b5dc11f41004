/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops around a kernel's body, and the kernel itself. This and reductions.h are the one place
 * where code stands inside macros, since C has no other way to write a loop around a user's body;
 * what can be done outside the loop is done in the library.
 *
 * The items of a leaf are 32 rows of 64 lanes (docs/reduction-shape.md). The lanes, or a strip of
 * them that registers hold, are a local array while all rows of the leaf pass. Where that is all
 * lanes, memory is read in order; else the strips of a leaf are, one after the other. What does not
 * fill a row goes into lanes in memory: the end of the items, and in two or three dimensions the
 * ends of the range's own rows, unless these are half a row of lanes.
 */
#ifndef REAP_DETAIL_HOST_LOOPS_H
#define REAP_DETAIL_HOST_LOOPS_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <reap/detail/host/embed.h>
#include <reap/detail/host/planes.h>
#include <reap/detail/host/reductions.h>

/* The parameters of the functions that run items, or a group. Here alone the pointers are
 * `restrict`: gcc forgets it where a function is always inlined, as bodies are; and work-items of a
 * group that each run the body by themselves do see what others write. Nothing else states that
 * items are independent. "GCC ivdep" and "clang loop vectorize(assume_safety)" do, but also of a
 * body's local arrays, which are then one object for all items: both compilers vectorised items
 * that overwrote each other's. */
#define REAP__HANDED_array_(k, kind, T, n, Q, ...) , T Q *restrict reap_array_##n REAP__UNUSED
#define REAP__HANDED_value_(...)
#define REAP__HANDED_local_(k, kind, T, n, ...) , T *restrict reap_local_##n REAP__UNUSED
#define REAP__HANDED_scalar_(k, kind, T, n, op, ...)                                               \
    , T *restrict reap_values_##n REAP__UNUSED,                                                    \
        struct reap__flag *restrict reap_flags_##n REAP__UNUSED
#define REAP__HANDED_exact_(k, kind, T, n, ...)                                                    \
    , T *restrict reap_values_##n REAP__UNUSED, void *reap_sink_##n REAP__UNUSED
#define REAP__HANDED_location_(k, kind, T, n, ...)                                                 \
    , T *restrict reap_values_##n REAP__UNUSED,                                                    \
        reap_row_##k##_reap_##n *restrict reap_rows_##n REAP__UNUSED
#define REAP__HANDED_span_(...)
#define REAP__HAND_array_(k, kind, T, n, ...) , arguments_->n
#define REAP__HAND_value_(...)
#define REAP__HAND_local_(k, kind, T, n, ...) , locals_[reap_local_of_##k##_reap_##n]
#define REAP__HAND_scalar_(k, kind, T, n, op, ...)                                                 \
    , lanes_[reap_lanes_of_##k##_reap_##n].values_,                                                \
        (struct reap__flag *)lanes_[reap_lanes_of_##k##_reap_##n].set_
#define REAP__HAND_exact_(...) REAP__HAND_location_(__VA_ARGS__)
#define REAP__HAND_location_(k, kind, T, n, ...)                                                   \
    , lanes_[reap_lanes_of_##k##_reap_##n].values_, lanes_[reap_lanes_of_##k##_reap_##n].rows_
#define REAP__HAND_span_(...)
#define REAP__HAND_ON_array_(k, kind, T, n, ...) , reap_array_##n
#define REAP__HAND_ON_value_(...)
#define REAP__HAND_ON_local_(...)
#define REAP__HAND_ON_scalar_(k, kind, T, n, op, ...) , reap_values_##n, reap_flags_##n
#define REAP__HAND_ON_exact_(k, kind, T, n, ...) , reap_values_##n, reap_sink_##n
#define REAP__HAND_ON_location_(k, kind, T, n, ...) , reap_values_##n, reap_rows_##n

/* Local copies of the spans' views, which no store can change. */
#define REAP__SPANS_span_(k, kind, T, n, op, origin)                                               \
    const struct reap__span reap_span_##n = spans_[reap_span_of_##k##_reap_##n];                   \
    struct reap__batch reap_batch_##n REAP__UNUSED = {NULL, NULL, 0, 0};                           \
    size_t reap_replicas_##n[8] REAP__UNUSED = {0};                                                \
    T *reap_second_##n = (T *)reap_span_##n.values_ + reap__span_replica(&reap_span_##n, 1);       \
    T *reap_third_##n = (T *)reap_span_##n.values_ + reap__span_replica(&reap_span_##n, 2);        \
    T *reap_fourth_##n = (T *)reap_span_##n.values_ + reap__span_replica(&reap_span_##n, 3);       \
    __asm__("" : "+r"(reap_second_##n), "+r"(reap_third_##n), "+r"(reap_fourth_##n));

/* The arrays of a batch of an exact sum; room in it for the values of the next item, or of the next
 * eight; the begin of an item; and what is left at the end. */
#define REAP__HAS_BATCH(k, T, op, origin)                                                          \
    (REAP__IS_OPTIMIZED && reap_exact_spans_##k == 1 && REAP__IS_EXACT_##origin(op, T))
#ifdef __OPTIMIZE__ /* else the compiler does not know how many values an item has added */
#define REAP__IS_OPTIMIZED 1
#else
#define REAP__IS_OPTIMIZED 0
#endif
#define REAP__COUNT_EXACT_span_(k, kind, T, n, op, origin) +(REAP__IS_EXACT_##origin(op, T) ? 1 : 0)
#define REAP__BATCH_OF_span_(k, kind, T, n, op, origin)                                            \
    size_t reap_indices_##n[REAP__HAS_BATCH(k, T, op, origin) ? REAP__MOST_BATCHED : 1];           \
    T reap_batch_values_##n[REAP__HAS_BATCH(k, T, op, origin) ? REAP__MOST_BATCHED : 1];           \
    reap_batch_##n.indices_ = reap_indices_##n;                                                    \
    reap_batch_##n.values_ = reap_batch_values_##n;
#define REAP__ROOM_FOR_span_(k, kind, T, n, op, origin)                                            \
    if (REAP__HAS_BATCH(k, T, op, origin) && reap_batch_##n.count_ >= REAP__BATCH)                 \
        reap__span_pass_on(&reap_span_##n, &reap_batch_##n);
#define REAP__NEXT_ITEM_span_(k, kind, T, n, ...) reap_batch_##n.of_item_ = 0;
#define REAP__PASS_ON_span_(k, kind, T, n, op, origin)                                             \
    if (REAP__HAS_BATCH(k, T, op, origin) && reap_batch_##n.count_ > 0)                            \
        reap__span_pass_on(&reap_span_##n, &reap_batch_##n);

/* A lane's value in a local variable while an item combines into it, so that no store to it comes
 * between two items' loads; larger types stay where they are. reap_at_ points to lane 0 of the loop
 * at hand. */
#define REAP__IS_SMALL(T) (sizeof(T) <= REAP__MOST_LOCAL_BYTES)
#define REAP__IS_LOCAL(T, origin) (REAP__IS_PLANAR_##origin || REAP__IS_SMALL(T))
#define REAP__IS_HELD(T, origin) (!REAP__IS_PLANAR_##origin && REAP__IS_SMALL(T))
#define REAP__IS_PLANAR_builtin_ 0
#define REAP__IS_PLANAR_user_ is_planar_

/* Whether items only store their values, which are combined row by row (narrow_rows.h) by vectors
 * of vector_ bytes: reap_at_ points to the values then, and reap_set_ to the lanes. */
#define REAP__IS_STORED(T, origin) REAP__IS_STORED_##origin(T)
#define REAP__IS_STORED_builtin_(T) REAP__HAS_ROWS_OF(vector_, REAP__NUMBER_OF(T))
#define REAP__IS_STORED_user_(T) 0
#define REAP__LOAD_scalar_(k, kind, T, n, op, origin)                                              \
    T reap_value_##n;                                                                              \
    struct reap__flag reap_flag_##n = {REAP__HAS_IDENTITY_##origin(op) || reap_set_##n[l_].set_};  \
    REAP__BEGIN_##origin(T, n, op)
#define REAP__BEGIN_builtin_(T, n, op)                                                             \
    if (REAP__IS_STORED_builtin_(T))                                                               \
        reap__begin_narrow(REAP__NUMBER_OF(T), REAP__OPERATION_##op, &reap_value_##n);             \
    else if (REAP__IS_APART(op, T))                                                                \
        __builtin_memset(&reap_value_##n, 0, sizeof(T));                                           \
    else                                                                                           \
        reap_value_##n = reap_at_##n[l_];
#define REAP__BEGIN_user_(T, n, op)                                                                \
    if (is_planar_) {                                                                              \
        REAP__PLANES_TO_LANE(T, reap_planes_##n, reap_value_##n)                                   \
    } else if (REAP__IS_SMALL(T))                                                                  \
        reap_value_##n = reap_at_##n[l_];

/* Sums of integers do not depend on the order, so an item's values are added up before they are
 * added to its lane: of a condition compilers make a value to be added, 0 or the item's, instead of
 * a choice between the lane's old and new value. A count of the doubles above 0 takes 0.7 of the
 * time with AVX2. For SSE2 gcc would not vectorise it, and AVX-512 adds under masks: there counts
 * of floats took 1.7 times as long. */
#define REAP__IS_APART(op, T)                                                                      \
    (vector_ == 32 && REAP__NUMBER_OF(T) == REAP__NO_FLOAT &&                                      \
     REAP__IS_EQUAL(REAP__OPERATION_##op, REAP__OPERATION_plus))
#define REAP__END_builtin_(T, n, op)                                                               \
    (REAP__IS_APART(op, T) ? REAP__COMBINED_OF(T)(reap_at_##n[l_], reap_value_##n) : reap_value_##n)
#define REAP__END_user_(T, n, op) reap_value_##n
#define REAP__LOAD_exact_(k, kind, T, n, ...) T reap_value_##n = (T)-0.0;
#define REAP__LOAD_location_(k, kind, T, n, ...)                                                   \
    T reap_value_##n = reap_at_##n[l_];                                                            \
    reap_row_##k##_reap_##n reap_row_##n = reap_row_at_##n[l_];
#define REAP__STORE_scalar_(k, kind, T, n, op, origin)                                             \
    REAP__INTO_PLANES_##origin(T, n) if (REAP__IS_HELD(T, origin)) reap_at_##n[l_] =               \
        REAP__END_##origin(T, n, op);                                                              \
    if (!REAP__HAS_IDENTITY_##origin(op))                                                          \
        reap_set_##n[l_] = reap_flag_##n;
#define REAP__INTO_PLANES_builtin_(T, n)
#define REAP__INTO_PLANES_user_(T, n)                                                              \
    if (is_planar_) {                                                                              \
        REAP__LANE_TO_PLANES(T, reap_planes_##n, reap_value_##n)                                   \
    }
#define REAP__STORE_exact_(k, kind, T, n, ...)                                                     \
    reap_at_##n[(size_t)now_ * REAP__MOST_LANES + l_] = reap_value_##n;
#define REAP__STORE_location_(k, kind, T, n, ...)                                                  \
    reap_at_##n[l_] = reap_value_##n;                                                              \
    reap_row_at_##n[l_] = reap_row_##n;

/* What the body is given for each parameter. */
#define REAP__ACTUAL_array_(k, kind, T, n, ...) , reap_array_##n
#define REAP__ACTUAL_value_(k, kind, T, n, ...) , arguments_.n
#define REAP__ACTUAL_local_(k, kind, T, n, d, ...) , reap_local_##n REAP__ACTUAL_EXTENTS_##d(n)
#define REAP__ACTUAL_scalar_(k, kind, T, n, op, origin)                                            \
    , REAP__HANDLE(REAP__IS_LOCAL(T, origin) ? &reap_value_##n : reap_at_##n + l_),                \
        reap_one_##k##_reap_##n,                                                                   \
        (struct reap_flag_##op *)(REAP__HAS_IDENTITY_##origin(op)                                  \
                                      ? REAP__LANE_BESIDE_##origin(T, n)                           \
                                      : (void *)&reap_flag_##n)
#define REAP__LANE_BESIDE_builtin_(T, n)                                                           \
    (REAP__IS_STORED_builtin_(T) ? (void *)((float *)(void *)reap_set_##n +                        \
                                            reap__wide_lane(REAP__NUMBER_OF(T), vector_, l_))      \
                                 : NULL)
#define REAP__LANE_BESIDE_user_(T, n) NULL
#define REAP__ACTUAL_exact_(k, kind, T, n, op, ...)                                                \
    , REAP__HANDLE(&reap_value_##n), reap_one_##k##_reap_##n, (struct reap_flag_##op *)reap_sink_##n
#define REAP__ACTUAL_location_(k, kind, T, n, op, ...)                                             \
    , REAP__HANDLE(&reap_value_##n), reap_one_##k##_reap_##n, (struct reap_location_##op)          \
    {                                                                                              \
        &reap_row_##n, now_                                                                        \
    }
#define REAP__ACTUAL_span_(k, kind, T, n, op, origin)                                              \
    ,                                                                                              \
        (void *)(REAP__IS_FREE_##origin(op, T) ? REAP__FREE_REPLICA(T, n)                          \
                                               : (T *)reap_span_##n.values_ + REAP__REPLICA(n)),   \
        reap_at_##k##_reap_##n,                                                                    \
        REAP__HAS_IDENTITY_##origin(op)                                                            \
            ? NULL                                                                                 \
            : (struct reap_flag_##op *)((struct reap__flag *)reap_span_##n.set_ +                  \
                                        REAP__REPLICA(n)),                                         \
        reap__span_known(reap_span_##n, is_dense_,                                                 \
                         batches_ &&REAP__HAS_BATCH(k, T, op, origin) ? &reap_batch_##n : NULL)

/* If the operator's results do not depend on it, any item may combine into any replica: of eight
 * consecutive items, items 0 and 4 into the same one, and so on, with the addresses in registers.
 * (The compiler must not know that these are the first one's and a distance, or it would add both
 * for each item.) */
#define REAP__IS_FREE_user_(op, T) 0
#define REAP__IS_FREE_builtin_(op, T)                                                              \
    (REAP__NUMBER_OF(T) == REAP__NO_FLOAT ||                                                       \
     REAP__IS_EQUAL(REAP__OPERATION_##op, REAP__OPERATION_minimum) ||                              \
     REAP__IS_EQUAL(REAP__OPERATION_##op, REAP__OPERATION_maximum))
#define REAP__REPLICA(n)                                                                           \
    (is_one_of_eight_ ? reap_replicas_##n[eighth_]                                                 \
                      : reap__span_replica(&reap_span_##n, item_.global_linear_id_))
#define REAP__FREE_REPLICA(T, n)                                                                   \
    (eighth_ % 4 == 0   ? (T *)reap_span_##n.values_                                               \
     : eighth_ % 4 == 1 ? reap_second_##n                                                          \
     : eighth_ % 4 == 2 ? reap_third_##n                                                           \
                        : reap_fourth_##n)

/* Whether all copies of the spans are dense, those aside of which the library adds values. */
#define REAP__IS_DENSE_span_(k, kind, T, n, op, origin)                                            \
    &&(REAP__IS_EXACT_##origin(op, T) || reap__span_is_dense(&reap_span_##n))

/* The begins of the replicas of eight consecutive items. */
#define REAP__REPLICAS_span_(k, kind, T, n, ...)                                                   \
    for (size_t i_ = 0; i_ < 8; i_++)                                                              \
        reap_replicas_##n[i_] = reap__span_replica(&reap_span_##n, first_ + i_);

/* Enumerators: a parameter's number among those whose lanes, spans or local memory the library
 * gives; how many bytes a lane takes where it is held, whether these are many, and whether a type
 * is narrow; how many bytes of arrays an item reads if it reads an element of each; and a member as
 * large as the result. */
#define REAP__LANES_OF_scalar_(k, kind, T, n, ...) reap_lanes_of_##k##_reap_##n,
#define REAP__LANES_OF_exact_(k, kind, T, n, ...) reap_lanes_of_##k##_reap_##n,
#define REAP__LANES_OF_location_(k, kind, T, n, ...) reap_lanes_of_##k##_reap_##n,
#define REAP__SPAN_OF_span_(k, kind, T, n, ...) reap_span_of_##k##_reap_##n,
#define REAP__LOCAL_OF_array_(...)
#define REAP__LOCAL_OF_value_(...)
#define REAP__LOCAL_OF_local_(k, kind, T, n, ...) reap_local_of_##k##_reap_##n,
#define REAP__LOCAL_OF_scalar_(...)
#define REAP__LOCAL_OF_location_(...)
#define REAP__LOCAL_OF_exact_(...)
#define REAP__LOCAL_OF_span_(...)
#define REAP__HELD_BYTES_scalar_(k, kind, T, ...)                                                  \
    +(sizeof(T) <= REAP__MOST_PLANES * sizeof(double) ? (int)sizeof(T) : 0)
#define REAP__HELD_BYTES_exact_(...)
#define REAP__HELD_BYTES_location_(k, kind, T, ...) +2 * (int)sizeof(T)
#define REAP__IS_WIDE_scalar_(k, kind, T, ...) || (sizeof(T) > 8 && REAP__IS_SMALL(T))
#define REAP__IS_WIDE_location_(...)
#define REAP__IS_WIDE_exact_(...)
#define REAP__IS_NARROW_scalar_(k, kind, T, n, op, origin) REAP__IS_NARROW_##origin(T)
#define REAP__IS_NARROW_builtin_(T)                                                                \
    || REAP__NUMBER(T) == REAP__IS_HALF || REAP__NUMBER(T) == REAP__IS_BFLOAT16
#define REAP__IS_NARROW_user_(T)
#define REAP__IS_NARROW_location_(...)
#define REAP__IS_NARROW_exact_(...)
#define REAP__READ_BYTES_array_(k, kind, T, ...) +(int)sizeof(T)
#define REAP__READ_BYTES_value_(...)
#define REAP__READ_BYTES_local_(...)
#define REAP__READ_BYTES_scalar_(...)
#define REAP__READ_BYTES_location_(...)
#define REAP__READ_BYTES_exact_(...)
#define REAP__READ_BYTES_span_(...)
#define REAP__OR_TWICE_scalar_(k, kind, T, ...) || (int)sizeof(T) >= 2 * reap_read_bytes_##k
#define REAP__OR_TWICE_location_(...)
#define REAP__OR_TWICE_exact_(...)
#define REAP__OR_STRUCT_scalar_(k, kind, T, ...) || sizeof(T) > _Alignof(T)
#define REAP__OR_STRUCT_location_(...)
#define REAP__OR_STRUCT_exact_(...)
#define REAP__AND_UNIFORM_scalar_(k, kind, T, n, op, origin) REAP__AND_UNIFORM_##origin(op)
#define REAP__AND_UNIFORM_builtin_(op)
#define REAP__AND_UNIFORM_user_(op) &&reap_is_uniform_##op()
#define REAP__AND_UNIFORM_location_(...)
#define REAP__AND_UNIFORM_exact_(...)
#define REAP__RESULT_scalar_(k, kind, T, n, ...) char reap_size_##n[sizeof(T)];
#define REAP__RESULT_location_(...)
#define REAP__RESULT_exact_(...) REAP__RESULT_scalar_(__VA_ARGS__)

/* ---- Where the lanes of a loop are ------------------------------------------------------------*/

/* The row of lanes of the current leaf. */
#define REAP__LEAF_scalar_(k, kind, T, n, op, origin)                                              \
    T *const reap_leaf_##n = reap_values_##n + leaf_row_ * reap_width_##k;                         \
    const T *const reap_start_##n REAP__UNUSED = lanes_[reap_lanes_of_##k##_reap_##n].reap_start;  \
    struct reap__flag *const reap_leaf_flags_##n REAP__UNUSED =                                    \
        REAP__HAS_IDENTITY_##origin(op) ? NULL : reap_flags_##n + leaf_row_ * reap_width_##k;
#define REAP__LEAF_location_(...)
#define REAP__LEAF_exact_(...)

/* A strip of the lanes in a local array or as planes, if their type is local, and back. */
#define REAP__HOLD_scalar_(k, kind, T, n, op, origin)                                              \
    T reap_held_##n[REAP__IS_HELD(T, origin) ? strip_ : 1];                                        \
    const T *const reap_from_##n REAP__UNUSED =                                                    \
        (is_line_ && reap_start_##n != NULL ? reap_start_##n : reap_leaf_##n) + at_;               \
    float reap_wide_##n[REAP__IS_STORED(T, origin) ? strip_ : 1];                                  \
    if (REAP__IS_STORED(T, origin))                                                                \
        REAP__BY_VECTOR(vector_, reap__widen_row, REAP__NUMBER_OF(T), reap_wide_##n,               \
                        reap_from_##n, strip_);                                                    \
    else if (REAP__IS_HELD(T, origin))                                                             \
        for (size_t l_ = 0; l_ < strip_; l_++)                                                     \
            reap_held_##n[l_] = reap_from_##n[l_];                                                 \
    T reap_stored_##n[REAP__IS_STORED(T, origin) ? strip_ : 1];                                    \
    REAP__HOLD_PLANES_##origin(T, n)
#define REAP__HOLD_PLANES_builtin_(T, n)
#define REAP__HOLD_PLANES_user_(T, n)                                                              \
    REAP__PLANE_TYPE(T) reap_held_planes_##n[is_planar_ ? REAP__PLANES(T) : 1][strip_];            \
    if (is_planar_)                                                                                \
    REAP__LEAF_TO_PLANES(T, reap_held_planes_##n, reap_from_##n, strip_)
#define REAP__HOLD_exact_(...)
#define REAP__HOLD_location_(k, kind, T, n, ...)                                                   \
    T reap_held_##n[strip_];                                                                       \
    reap_row_##k##_reap_##n reap_held_rows_##n[strip_];                                            \
    for (size_t l_ = 0; l_ < strip_; l_++) {                                                       \
        reap_held_##n[l_] = reap_values_##n[at_ + l_];                                             \
        reap_held_rows_##n[l_] = reap_rows_##n[at_ + l_];                                          \
    }

/* The lanes from from_ on of those held, as many as registers hold, while some rows pass; and back
 * to where they are held. Where registers hold all, or the values are stored, no lanes move. */
#define REAP__TO_REGISTERS_scalar_(k, kind, T, n, op, origin)                                      \
    T reap_few_##n[REAP__MOVES(T, origin) ? few_ : 1];                                             \
    if (REAP__MOVES(T, origin))                                                                    \
        for (size_t l_ = 0; l_ < few_; l_++)                                                       \
            reap_few_##n[l_] = reap_held_##n[from_ + l_];                                          \
    T *const reap_at_##n = REAP__IS_STORED(T, origin) ? reap_stored_##n                            \
                           : REAP__MOVES(T, origin)   ? reap_few_##n                               \
                           : REAP__IS_HELD(T, origin) ? reap_held_##n                              \
                                                      : reap_leaf_##n + at_ + from_;               \
    struct reap__flag *const reap_set_##n REAP__UNUSED =                                           \
        REAP__IS_STORED(T, origin)        ? (struct reap__flag *)(void *)reap_wide_##n             \
        : REAP__HAS_IDENTITY_##origin(op) ? NULL                                                   \
                                          : reap_leaf_flags_##n + at_ + from_;                     \
    REAP__PLANES_TO_REGISTERS_##origin(T, n)
#define REAP__MOVES(T, origin) (REAP__IS_HELD(T, origin) && has_groups_)
#define REAP__PLANES_TO_REGISTERS_builtin_(T, n)
#define REAP__PLANES_TO_REGISTERS_user_(T, n)                                                      \
    REAP__PLANE_TYPE(T)                                                                            \
    reap_few_planes_##n[is_planar_ && has_groups_ ? REAP__PLANES(T) : 1][few_];                    \
    if (is_planar_ && has_groups_)                                                                 \
        REAP__COPY_PLANES(T, reap_few_planes_##n, 0, reap_held_planes_##n, from_, few_)            \
    REAP__PLANE_TYPE(T)                                                                            \
    (*const reap_planes_##n)[few_] REAP__UNUSED =                                                  \
        has_groups_ ? reap_few_planes_##n : (REAP__PLANE_TYPE(T)(*)[few_])reap_held_planes_##n;
#define REAP__TO_REGISTERS_exact_(k, kind, T, n, ...)                                              \
    T *const reap_at_##n = reap_values_##n + at_ + from_;
#define REAP__TO_REGISTERS_location_(k, kind, T, n, ...)                                           \
    T reap_few_##n[has_groups_ ? few_ : 1];                                                        \
    reap_row_##k##_reap_##n reap_few_rows_##n[has_groups_ ? few_ : 1];                             \
    T *const reap_at_##n = has_groups_ ? reap_few_##n : reap_held_##n;                             \
    reap_row_##k##_reap_##n *const reap_row_at_##n =                                               \
        has_groups_ ? reap_few_rows_##n : reap_held_rows_##n;                                      \
    if (has_groups_)                                                                               \
        for (size_t l_ = 0; l_ < few_; l_++) {                                                     \
            reap_at_##n[l_] = reap_held_##n[from_ + l_];                                           \
            reap_row_at_##n[l_] = reap_held_rows_##n[from_ + l_];                                  \
        }
#define REAP__FROM_REGISTERS_scalar_(k, kind, T, n, op, origin)                                    \
    if (REAP__MOVES(T, origin))                                                                    \
        for (size_t l_ = 0; l_ < few_; l_++)                                                       \
            reap_held_##n[from_ + l_] = reap_few_##n[l_];                                          \
    REAP__PLANES_FROM_REGISTERS_##origin(T, n)
#define REAP__PLANES_FROM_REGISTERS_builtin_(T, n)
#define REAP__PLANES_FROM_REGISTERS_user_(T, n)                                                    \
    if (is_planar_ && has_groups_)                                                                 \
    REAP__COPY_PLANES(T, reap_held_planes_##n, from_, reap_few_planes_##n, 0, few_)
#define REAP__FROM_REGISTERS_exact_(...)
#define REAP__FROM_REGISTERS_location_(k, kind, T, n, ...)                                         \
    if (has_groups_)                                                                               \
        for (size_t l_ = 0; l_ < few_; l_++) {                                                     \
            reap_held_##n[from_ + l_] = reap_at_##n[l_];                                           \
            reap_held_rows_##n[from_ + l_] = reap_row_at_##n[l_];                                  \
        }

/* Each array's memory that the next group of rows reads if item i reads element i, from its
 * beginning on: as much of it as a row of these lanes takes is fetched into the cache with each of
 * them. The address may be outside the array, so it is a number. */
REAP__INLINE void reap__prefetch(uintptr_t address)
{
    union {
        uintptr_t number;
        const void *pointer;
    } at = {address};
    __builtin_prefetch(at.pointer);
}
#define REAP__NEXT_GROUP_array_(k, kind, T, n, ...)                                                \
    uintptr_t reap_ahead_##n REAP__UNUSED =                                                        \
        (uintptr_t)reap_array_##n +                                                                \
        (first_ + at_ + (done_ + REAP__ROWS_OF_A_GROUP) * width_) * sizeof(T);
#define REAP__NEXT_GROUP_value_(...)
#define REAP__NEXT_GROUP_local_(...)
#define REAP__NEXT_GROUP_scalar_(...)
#define REAP__NEXT_GROUP_location_(...)
#define REAP__NEXT_GROUP_exact_(...)
#define REAP__NEXT_GROUP_span_(...)
#define REAP__PREFETCH_array_(k, kind, T, n, ...)                                                  \
    if (has_groups_) {                                                                             \
        REAP__UNROLL                                                                               \
        for (size_t byte_ = 0; byte_ < few_ * sizeof(T); byte_ += REAP__CACHE_LINE)                \
            reap__prefetch(reap_ahead_##n + byte_);                                                \
        reap_ahead_##n += few_ * sizeof(T);                                                        \
    }
#define REAP__PREFETCH_value_(...)
#define REAP__PREFETCH_local_(...)
#define REAP__PREFETCH_scalar_(...)
#define REAP__PREFETCH_location_(...)
#define REAP__PREFETCH_exact_(...)
#define REAP__PREFETCH_span_(...)
#define REAP__COMBINE_ROW_scalar_(k, kind, T, n, op, origin) REAP__COMBINE_ROW_##origin(T, n, op)
#define REAP__COMBINE_ROW_builtin_(T, n, op)                                                       \
    if (REAP__IS_STORED_builtin_(T))                                                               \
        REAP__BY_VECTOR(vector_, reap__combine_row, REAP__NUMBER_OF(T), REAP__OPERATION_##op,      \
                        reap_wide_##n, reap_stored_##n, strip_);
#define REAP__COMBINE_ROW_user_(T, n, op)
#define REAP__COMBINE_ROW_exact_(...)
#define REAP__COMBINE_ROW_location_(...)
#define REAP__RELEASE_scalar_(k, kind, T, n, op, origin)                                           \
    if (REAP__IS_STORED(T, origin))                                                                \
        REAP__BY_VECTOR(vector_, reap__narrow_row, REAP__NUMBER_OF(T), reap_leaf_##n + at_,        \
                        reap_wide_##n, strip_);                                                    \
    else if (REAP__IS_HELD(T, origin)) {                                                           \
        REAP__JOIN_##origin(T, n, op) for (size_t l_ = 0; l_ < strip_; l_++)                       \
            reap_leaf_##n[at_ + l_] = reap_held_##n[l_];                                           \
    }                                                                                              \
    REAP__RELEASE_PLANES_##origin(T, n)

/* The second leaf of a pair, while its lanes are in registers. (Where the library combined both,
 * the minimum and maximum of ints from the third-level cache of a Zen 4 took 1.08 of the time.) */
#define REAP__JOIN_user_(...)
#define REAP__JOIN_builtin_(T, n, op)                                                              \
    if (is_line_ && is_second_) {                                                                  \
        for (size_t l_ = 0; l_ < strip_; l_++)                                                     \
            reap_leaf_##n[at_ + l_] =                                                              \
                REAP__COMBINED_OF(T)(reap_leaf_##n[at_ + l_], reap_held_##n[l_]);                  \
    } else
#define REAP__RELEASE_PLANES_builtin_(T, n)
#define REAP__RELEASE_PLANES_user_(T, n)                                                           \
    if (is_planar_)                                                                                \
    REAP__PLANES_TO_LEAF(T, reap_held_planes_##n, reap_leaf_##n + at_, strip_)
#define REAP__RELEASE_exact_(...)
#define REAP__RELEASE_location_(k, kind, T, n, ...)                                                \
    for (size_t l_ = 0; l_ < strip_; l_++) {                                                       \
        reap_values_##n[at_ + l_] = reap_held_##n[l_];                                             \
        reap_rows_##n[at_ + l_] = reap_held_rows_##n[l_];                                          \
    }

/* The lanes from at_ on, in memory. */
#define REAP__IN_PLACE_scalar_(k, kind, T, n, op, origin)                                          \
    T *const reap_at_##n = reap_leaf_##n + at_;                                                    \
    REAP__NO_PLANES_##origin(T, n) struct reap__flag *const reap_set_##n REAP__UNUSED =            \
        REAP__HAS_IDENTITY_##origin(op) ? NULL : reap_leaf_flags_##n + at_;
#define REAP__NO_PLANES_builtin_(T, n)
#define REAP__NO_PLANES_user_(T, n)                                                                \
    REAP__PLANE_TYPE(T)(*const reap_planes_##n)[1] REAP__UNUSED = NULL;
#define REAP__IN_PLACE_exact_(k, kind, T, n, ...) T *const reap_at_##n = reap_values_##n + at_;
#define REAP__IN_PLACE_location_(k, kind, T, n, ...)                                               \
    T *const reap_at_##n = reap_values_##n + at_;                                                  \
    reap_row_##k##_reap_##n *const reap_row_at_##n = reap_rows_##n + at_;

/* ---- Loops ------------------------------------------------------------------------------------*/

/* How many lanes are held at a time, on the stack: all of a row, unless their values are large.
 * Passes over a part of the lanes for a whole leaf read memory out of order: four reductions of
 * doubles took twice as long from memory in passes of 32 lanes (AVX-512), four of floats 2.7 times
 * as long in passes of 16 (AVX2). Structs that are not planes are held four at a time. */
#define REAP__PLANAR_STRIP_OF(k) (reap_held_bytes_##k <= 32 ? REAP__MOST_LANES : 32)
#define REAP__STRIP_OF(k)                                                                          \
    (reap_has_wide_##k           ? 4                                                               \
     : reap_held_bytes_##k <= 32 ? REAP__MOST_LANES                                                \
     : reap_held_bytes_##k <= 64 ? 32                                                              \
                                 : 16)

/* Where registers do not hold these values, each row loads and stores the lanes of some reductions.
 * Where that takes longer than reading memory, rows pass in groups: once for each few of the lanes,
 * which registers hold, while the next group's memory is fetched in order. On a Zen 3 (AVX2) four
 * reductions of doubles take 0.5 of the time so in the second-level cache and 0.85 from memory, a
 * box of floats 0.85 and 0.75; four doubles on a Xeon (AVX-512) 1.0 and 0.73. Items that read much
 * and combine little are limited by memory, which groups read more slowly: minimum and maximum of
 * doubles took 0.87 of the time in the caches and 1.3 from memory. But lanes of twice the size of
 * what an item reads are worth groups: a 64-bit count or sum of floats takes 0.6 of the time from
 * the third-level cache, 0.9 from memory and 1.03 from the nearer caches. */
enum { REAP__ROWS_OF_A_GROUP = 16, REAP__CACHE_LINE = 64 };
#define REAP__REGISTER_BYTES_plain_ (1 << 16) /* not measured: no groups */
#define REAP__REGISTER_BYTES_v3_ (16 * 32)
#define REAP__REGISTER_BYTES_v4_ (32 * 64)
#define REAP__HAS_GROUPS(k)                                                                        \
    (!reap_has_narrow_##k &&                                                                       \
     (is_planar_ ? reap_held_bytes_##k * (int)strip_ >= 2 * isa_registers_                         \
                 : !reap_has_wide_##k && reap_held_bytes_##k * (int)strip_ >= isa_registers_ &&    \
                       (reap_held_bytes_##k >= 3 * reap_read_bytes_##k || reap_has_twice_##k)))

/* How many lanes that is: those that take half of the registers, or at most three quarters where
 * half are less than 16 lanes. Where all registers held lanes, one was left for the items' values,
 * and a lane was stored and loaded again for each row, which the next row's addition waits for:
 * four reductions of doubles take 0.8 of the time in groups of 8 lanes (AVX2). Compilers would make
 * single instructions of a loop over so few lanes instead of vectors, so it is a loop as those over
 * parts of rows are. */
#define REAP__FEW(k)                                                                               \
    (!has_groups_                                              ? (int)strip_                       \
     : reap_held_bytes_##k * (int)strip_ <= isa_registers_     ? (int)strip_ / 2                   \
     : reap_held_bytes_##k * (int)strip_ <= 2 * isa_registers_ ? (int)strip_ / 4                   \
     : reap_held_bytes_##k * 16 <= isa_registers_ / 4 * 3      ? 16                                \
                                                               : 8)

/* Programs use ids as indices in int, too, and convert them to floating-point numbers. A size_t
 * that becomes an int may wrap, for all that gcc knows, and then it makes no vectors; nor of
 * conversions from size_t, which AVX2 lacks. So in the code for newer instruction sets gcc may
 * assume that ids in the last dimension are ints; for others the library runs the baseline's code
 * (src/host/run.h). y[i] = 2 * x[i] with an int i: 8.2 instructions an item, now 1. Where loops
 * have less than 16 lanes, it would add some. (clang makes vectors; told so, it makes worse
 * ones.) */
#if defined(REAP__SEVERAL_ISAS) && !defined(__clang__)
#define REAP__IDS_FIT(isa) REAP__HAS_PAIRS(isa)
#else
#define REAP__IDS_FIT(isa) 0
#endif
#define REAP__ID(id, as_int) (ids_fit_ ? (size_t)(as_int) : (id))
enum { REAP__MOST_IN_LOOP = 65536 }; /* items of a loop whose length is not known */
#define REAP__IDS_BEGIN(id, items)                                                                 \
    do {                                                                                           \
        if (ids_fit_ && ((id) > REAP__MOST_FITTING || (items) > REAP__MOST_IN_LOOP))               \
            __builtin_unreachable();                                                               \
    } while (0)

/* What a loop over items is, where it is nothing special; macros of parameters ask for it. */
#define REAP__ORDINARY_LOOP                                                                        \
    enum {                                                                                         \
        is_one_of_eight_ = 0,                                                                      \
        eighth_ = 0,                                                                               \
        is_dense_ = 0,                                                                             \
        is_planar_ = 0,                                                                            \
        vector_ = 0,                                                                               \
        ids_fit_ = isa_fits_                                                                       \
    }

/* An item, whose id in dimension d is `base` + l_, combines into lane l_ of the loop. */
#define REAP__ITEM(d, linear, base, k, ...)                                                        \
    REAP__EACH_LANES(REAP__LOAD_, __VA_ARGS__)                                                     \
    item_.global_id_[d] = REAP__ID((base) + l_, (int)(base) + (int)l_);                            \
    item_.global_linear_id_ = (d) == 0 ? item_.global_id_[0] : (linear) + l_;                      \
    reap_body_##k(item_ REAP__EACH_PARAMETER(REAP__ACTUAL_, __VA_ARGS__));                         \
    REAP__EACH_LANES(REAP__STORE_, __VA_ARGS__)

/* n_ items from first_ on, whose ids in dimension d begin with id_[d], one after the other. */
#define REAP__ITEMS(d, from, k, ...)                                                               \
    do {                                                                                           \
        REAP__ORDINARY_LOOP;                                                                       \
        enum { batches_ = 1 };                                                                     \
        REAP__IDS_BEGIN(id_[d], n_);                                                               \
        REAP__ITEM_LOOP                                                                            \
        for (size_t l_ = (from); l_ < n_; l_++) {                                                  \
            REAP__EACH_SPAN(REAP__ROOM_FOR_, __VA_ARGS__)                                          \
            REAP__EACH_SPAN(REAP__NEXT_ITEM_, __VA_ARGS__)                                         \
            REAP__ITEM(d, first_, id_[d], k, __VA_ARGS__)                                          \
        }                                                                                          \
    } while (0)

/* The same for lanes of a row, some at a time and one by one: loops of known length make vectors
 * without loops for what is left over, which would be most of a kernel's code. What is stored one
 * by one keeps the processor from loading a vector of these lanes for some time. The name ends in
 * how many are taken at a time: none, or a vector of floats. */
#define REAP__PART_OF_ROW_0(d, k, ...)                                                             \
    do {                                                                                           \
        REAP__ORDINARY_LOOP;                                                                       \
        REAP__ITEM_BY_ITEM(0, d, k, __VA_ARGS__)                                                   \
    } while (0)
#define REAP__PART_OF_ROW_8(d, k, ...)                                                             \
    do {                                                                                           \
        REAP__ORDINARY_LOOP;                                                                       \
        size_t begin_ = 0;                                                                         \
        REAP__SCALAR_LOOP                                                                          \
        for (const size_t stop_ = n_ & ~(size_t)7; begin_ < stop_; begin_ += 8) {                  \
            REAP__VECTOR_OF_ITEMS(8, d, k, __VA_ARGS__)                                            \
        }                                                                                          \
        REAP__ITEM_BY_ITEM(begin_, d, k, __VA_ARGS__)                                              \
    } while (0)
#define REAP__PART_OF_ROW_16(d, k, ...)                                                            \
    do {                                                                                           \
        REAP__ORDINARY_LOOP;                                                                       \
        size_t begin_ = 0;                                                                         \
        REAP__SCALAR_LOOP                                                                          \
        for (const size_t stop_ = n_ & ~(size_t)15; begin_ < stop_; begin_ += 16) {                \
            REAP__VECTOR_OF_ITEMS(16, d, k, __VA_ARGS__)                                           \
        }                                                                                          \
        if ((n_ & 8) != 0) {                                                                       \
            REAP__VECTOR_OF_ITEMS(8, d, k, __VA_ARGS__)                                            \
            begin_ += 8;                                                                           \
        }                                                                                          \
        REAP__ITEM_BY_ITEM(begin_, d, k, __VA_ARGS__)                                              \
    } while (0)
#define REAP__VECTOR_OF_ITEMS(items, d, k, ...)                                                    \
    REAP__PART_LOOP                                                                                \
    for (size_t i_ = 0; i_ < items; i_++) {                                                        \
        const size_t l_ = begin_ + i_;                                                             \
        REAP__ITEM(d, first_, id_[d], k, __VA_ARGS__)                                              \
    }
#define REAP__ITEM_BY_ITEM(from, d, k, ...)                                                        \
    REAP__SCALAR_LOOP                                                                              \
    for (size_t l_ = (from); l_ < n_; l_++) {                                                      \
        REAP__NO_VECTORS;                                                                          \
        REAP__ITEM(d, first_, id_[d], k, __VA_ARGS__)                                              \
    }

/* Whether an instruction set's loops in dimension d have vectors of whole rows, and how many lanes
 * of a part of a row they take at a time. Where the compiler makes code for newer processors, that
 * for the first ones of x86-64 is short. */
#define REAP__HAS_ROWS(isa, d) REAP__PASTE(REAP__HAS_ROWS_##isa, d)
#define REAP__PART(isa) REAP__PART_##isa
#ifdef REAP__SEVERAL_ISAS
#define REAP__HAS_ROWS_plain_2 0
#define REAP__PART_plain_ 0
#else
#define REAP__HAS_ROWS_plain_2 1
#define REAP__PART_plain_ 8
#endif
#define REAP__HAS_ROWS_plain_0 1
#define REAP__HAS_ROWS_plain_1 1
#define REAP__HAS_ROWS_v3_0 1
#define REAP__HAS_ROWS_v3_1 1
#define REAP__HAS_ROWS_v3_2 1
#define REAP__PART_v3_ 8
#define REAP__HAS_ROWS_v4_0 1
#define REAP__HAS_ROWS_v4_1 1
#define REAP__PART_v4_ 16

/* Whether an instruction set's code combines pairs of leaves, which is a tenth of the code of a
 * kernel. */
#define REAP__HAS_PAIRS(isa) (!REAP__IS_EQUAL(REAP__RAN_##isa, REAP__ISA_PLAIN))

/* Whether a row of lanes may be two rows of the range, each of which is a chunk of the lanes: in
 * two dimensions, where there are vectors. */
#define REAP__HAS_CHUNKS(isa, d) ((d) == 1 && REAP__PART(isa) > 0)
enum { REAP__CHUNK = 32 };

/* The first statements of the loops below. */
#define REAP__OF_ITEMS(k, ...)                                                                     \
    const reap_arguments_##k arguments_ = *(const reap_arguments_##k *)items_->arguments_;         \
    const struct reap__lanes *const lanes_ = items_->lanes_;                                       \
    const reap_range range_ = *items_->range_;                                                     \
    size_t first_ = items_->first_, left_ = items_->count_,                                        \
           id_[3] = {items_->id_[0], items_->id_[1], items_->id_[2]};                              \
    reap__item_of_a_kernel_without_work_groups item_ = {                                           \
        {id_[0], id_[1], id_[2]},                                                                  \
        first_,                                                                                    \
        {reap__size_of(&range_, 0), reap__size_of(&range_, 1), reap__size_of(&range_, 2)},         \
        0,                                                                                         \
        items_->group_};                                                                           \
    (void)arguments_, (void)lanes_

/* The number of items that are left in a row of the range, in its last dimension d. */
#define REAP__IN_ROW(d)                                                                            \
    ((d) == 0 || left_ < reap__size_of(&range_, d) - id_[d] ? left_                                \
                                                            : reap__size_of(&range_, d) - id_[d])

/* Advances the id by n items, at most to the end of a row. */
#define REAP__ADVANCE(d, n)                                                                        \
    do {                                                                                           \
        reap__advance(&range_, d, id_, n);                                                         \
        item_.global_id_[0] = id_[0];                                                              \
        item_.global_id_[1] = id_[1];                                                              \
    } while (0)
/* The members of a range, whose names macros of the program may have. */
REAP__INLINE unsigned reap__dimensions_of(const reap_range *range)
{
    return range->dimensions;
}
REAP__INLINE size_t reap__size_of(const reap_range *range, unsigned d)
{
    return range->size[d];
}
REAP__INLINE void reap__advance(const reap_range *range, unsigned d, size_t *id, size_t n)
{
    id[d] += n;
    for (; d > 0 && id[d] == range->size[d]; d--) {
        id[d] = 0;
        id[d - 1]++;
    }
}

REAP__INLINE void reap__find_id(const reap_range *range, unsigned d, size_t item, size_t *id)
{
    for (; d > 0; d--) {
        id[d] = item % range->size[d];
        item /= range->size[d];
    }
    id[0] = item;
}

/* Kernels without reductions. */
#define REAP__LOOPS_reap__plain(d, isa, k, ...)                                                    \
    REAP__OF_ITEMS(k, __VA_ARGS__);                                                                \
    enum { now_ = 0, isa_fits_ = REAP__IDS_FIT(isa) };                                             \
    for (size_t n_; left_ > 0; left_ -= n_) {                                                      \
        n_ = REAP__IN_ROW(d);                                                                      \
        n_ = isa_fits_ && n_ > REAP__MOST_IN_LOOP ? REAP__MOST_IN_LOOP : n_;                       \
        REAP__ITEMS(d, 0, k, __VA_ARGS__);                                                         \
        first_ += n_;                                                                              \
        REAP__ADVANCE(d, n_);                                                                      \
    }

/* Kernels that reduce to scalars: leaf by leaf; in a leaf whole rows of lanes, or the items up to
 * the end of a row of lanes or of the range. */
#define REAP__LOOPS_reap__lanes(d, isa, k, ...)                                                    \
    enum {                                                                                         \
        width_ = reap_width_##k,                                                                   \
        isa_fits_ = REAP__IDS_FIT(isa),                                                            \
        is_line_ = (d) == 0,                                                                       \
        has_chunks_ = REAP__HAS_CHUNKS(isa, d),                                                    \
        isa_vector_ = REAP__VECTOR_##isa,                                                          \
        isa_registers_ = REAP__REGISTER_BYTES_##isa                                                \
    };                                                                                             \
    REAP__OF_ITEMS(k, __VA_ARGS__);                                                                \
    unsigned now_ = 0;                                                                             \
    (void)now_;                                                                                    \
    const size_t leaf_items_ = reap_has_lines_##k && items_->leaf_ > 0                             \
                                   ? items_->leaf_                                                 \
                                   : (size_t)width_ * REAP__ROWS_OF_A_LEAF;                        \
    const size_t pairs_ = is_line_ && REAP__HAS_PAIRS(isa) ? items_->pairs_ : 0;                   \
    REAP__SEARCH_STATE(REAP__SEARCHES(isa, d, __VA_ARGS__), k, __VA_ARGS__)                        \
    REAP__PASTE(REAP__LEAVES_, REAP__HAS_REST(d))(isa, d, k, __VA_ARGS__)

/* In several dimensions, or if there is one instruction set. */
#define REAP__LEAVES_0(isa, d, k, ...)                                                             \
    for (size_t leaf_ = 0, end_ = left_; end_ > 0; leaf_++) {                                      \
        left_ = end_ < leaf_items_ ? end_ : leaf_items_;                                           \
        end_ -= left_;                                                                             \
        if (reap_has_lines_##k && (d) > 0 && leaf_ > 0 && items_->skip_ > 0) {                     \
            first_ += items_->skip_;                                                               \
            reap__find_id(&range_, d, first_, id_);                                                \
            REAP__ADVANCE(d, 0);                                                                   \
        }                                                                                          \
        const size_t leaf_row_ REAP__UNUSED = leaf_ >> pairs_;                                     \
        const bool is_second_ REAP__UNUSED = (leaf_ & pairs_) != 0;                                \
        REAP__EACH_LANES(REAP__LEAF_, __VA_ARGS__)                                                 \
        size_t lane_ = 0, n_;                                                                      \
        for (size_t in_row_ = left_; in_row_ > 0; in_row_ = left_) {                               \
            in_row_ = REAP__IN_ROW(d);                                                             \
            now_ = (unsigned)(items_->row_ + (first_ - items_->first_) / width_);                  \
            REAP__PASTE(REAP__TAKE_WHOLE_ROWS_, REAP__HAS_ROWS(isa, d))                            \
            (REAP__SEARCHES(isa, d, __VA_ARGS__), d, k, __VA_ARGS__) n_ =                          \
                in_row_ < width_ - lane_ ? in_row_ : width_ - lane_;                               \
            const size_t at_ = lane_;                                                              \
            REAP__EACH_LANES(REAP__IN_PLACE_, __VA_ARGS__)                                         \
            REAP__PASTE(REAP__PART_OF_ROW_, REAP__PART(isa))(d, k, __VA_ARGS__);                   \
            first_ += n_;                                                                          \
            REAP__ADVANCE(d, n_);                                                                  \
            left_ -= n_;                                                                           \
            lane_ = lane_ + n_ < width_ ? lane_ + n_ : 0;                                          \
        }                                                                                          \
    }

/* Where there are several instruction sets, their loops for one dimension share a function for what
 * does not fill a row of lanes: the end of a launch's items, and all items whose values are too
 * large for 64 lanes. Three loops of their own were a fifth of what the compiler does for a sum. */
#ifdef REAP__SEVERAL_ISAS
#define REAP__HAS_REST_0 1
#else
#define REAP__HAS_REST_0 0
#endif
#define REAP__HAS_REST_1 0
#define REAP__HAS_REST_2 0
#define REAP__HAS_REST(d) REAP__HAS_REST_##d
#define REAP__LEAVES_1(isa, d, k, ...)                                                             \
    enum { folds_ = 0 };                                                                           \
    for (size_t leaf_ = 0, end_ = left_; end_ > 0; leaf_++) {                                      \
        left_ = end_ < leaf_items_ ? end_ : leaf_items_;                                           \
        end_ -= left_;                                                                             \
        const size_t leaf_row_ REAP__UNUSED = leaf_ >> pairs_;                                     \
        const bool is_second_ REAP__UNUSED = (leaf_ & pairs_) != 0;                                \
        REAP__EACH_LANES(REAP__LEAF_, __VA_ARGS__)                                                 \
        REAP__WHILE_ROWS(REAP__SEARCHES(isa, d, __VA_ARGS__))                                      \
        (width_ == REAP__MOST_LANES && left_ >= width_)                                            \
        {                                                                                          \
            size_t rows_ = left_ / width_, n_;                                                     \
            now_ = (unsigned)(items_->row_ + (first_ - items_->first_) / width_);                  \
            REAP__ROWS_OR_SEARCH(REAP__SEARCHES(isa, d, __VA_ARGS__), d, k, __VA_ARGS__)           \
            first_ += rows_ * width_;                                                              \
            left_ -= rows_ * width_;                                                               \
        }                                                                                          \
        if (left_ > 0) {                                                                           \
            REAP__CLEAR_UPPER_##isa;                                                               \
            reap_run_rest_##k(items_, first_, left_,                                               \
                              leaf_row_ REAP__EACH_PARAMETER(REAP__HAND_ON_, __VA_ARGS__));        \
            first_ += left_;                                                                       \
            id_[0] += left_;                                                                       \
        }                                                                                          \
    }
#define REAP__WHILE_ROWS(searches) REAP__PASTE(REAP__WHILE_ROWS_, searches)
#define REAP__WHILE_ROWS_0 if
#define REAP__WHILE_ROWS_1 while
#define REAP__REST_FUNCTION(k, ...)                                                                \
    REAP__PASTE(REAP__REST_FUNCTION_, REAP__HAS_REST(0))(k, __VA_ARGS__)
#define REAP__REST_FUNCTION_0(...)
#define REAP__REST_FUNCTION_1(k, ...)                                                              \
    REAP__COMPILED_plain_(k) REAP__NEVER_INLINED static void reap_run_rest_##k(                    \
        const struct reap__items *items_, size_t next_, size_t count_,                             \
        size_t leaf_row_ REAP__UNUSED REAP__EACH_PARAMETER(REAP__HANDED_, __VA_ARGS__))            \
    {                                                                                              \
        enum { width_ = reap_width_##k, isa_fits_ = 0 };                                           \
        REAP__OF_ITEMS(k, __VA_ARGS__);                                                            \
        REAP__EACH_LANES(REAP__LEAF_, __VA_ARGS__)                                                 \
        id_[0] += next_ - first_;                                                                  \
        left_ = count_;                                                                            \
        first_ = next_;                                                                            \
        for (size_t n_, at_ = 0; left_ > 0; left_ -= n_) {                                         \
            n_ = left_ < width_ ? left_ : width_;                                                  \
            const unsigned now_ = (unsigned)(items_->row_ + (first_ - items_->first_) / width_);   \
            (void)now_;                                                                            \
            REAP__EACH_LANES(REAP__IN_PLACE_, __VA_ARGS__)                                         \
            REAP__PART_OF_ROW_8(0, k, __VA_ARGS__);                                                \
            first_ += n_;                                                                          \
            id_[0] += n_;                                                                          \
        }                                                                                          \
    }

/* The whole rows of lanes where the next item has lane 0. */
#define REAP__TAKE_WHOLE_ROWS_0(...)
#define REAP__TAKE_WHOLE_ROWS_1(searches, d, k, ...)                                               \
    const bool folds_ = has_chunks_ && reap__size_of(&range_, d) == REAP__CHUNK;                   \
    const size_t run_ = folds_ ? left_ : in_row_;                                                  \
    if (__builtin_expect(width_ == REAP__MOST_LANES && lane_ == 0 && run_ >= width_, 1)) {         \
        size_t rows_ = run_ / width_;                                                              \
        REAP__ROWS_OR_SEARCH(searches, d, k, __VA_ARGS__)                                          \
        first_ += rows_ * width_;                                                                  \
        left_ -= rows_ * width_;                                                                   \
        continue;                                                                                  \
    }

/* Kernels that only find locations, and can write nothing else, search in one dimension. They take
 * whole rows in blocks. First the items of a block combine without locations, into values that
 * begin with the best one that the lanes have. Where none of these changes, the block changes
 * nothing. (Of a million values in random order about 14 are better than all before.) Else the
 * items of the block run once more, and combine into the lanes. An item may combine nothing, so the
 * best value of the lanes must be an item's, which is known if it is not the identity. The first
 * rows pass without a search, since they may well have better values; and so do more rows after two
 * blocks with better values, as in ascending order. */
#define REAP__SEARCHES(isa, d, ...)                                                                \
    REAP__PASTE(REAP__SEARCHES_IN_##d##_, REAP__PART(isa))(__VA_ARGS__)
#define REAP__SEARCHES_IN_0_16(...) REAP__SEARCHES_IN_0_8(__VA_ARGS__)
#define REAP__SEARCHES_IN_0_8(...)                                                                 \
    REAP__SECOND(~REAP__EACH_LANES(REAP__MARK_VALUE_, __VA_ARGS__), 1)
#define REAP__SEARCHES_IN_0_0(...) 0
#define REAP__SEARCHES_IN_1_0(...) 0
#define REAP__SEARCHES_IN_1_8(...) 0
#define REAP__SEARCHES_IN_1_16(...) 0
#define REAP__SEARCHES_IN_2_0(...) 0
#define REAP__SEARCHES_IN_2_8(...) 0
#define REAP__SEARCHES_IN_2_16(...) 0
#define REAP__MARK_VALUE_scalar_(...) , 0
#define REAP__MARK_VALUE_exact_(...) , 0
#define REAP__MARK_VALUE_location_(...)
enum {
    REAP__LEAST_SEARCHED = 256,
    REAP__FIRST_PAUSE = 16,
    REAP__SEARCH_PAUSE = 256,
    REAP__SEARCHED_BYTES = 4096
};

/* What a search knows: whether one is possible, the best values, after how many rows one begins,
 * and for how many rows there is none if it finds a better value. */
#define REAP__SEARCH_STATE(searches, ...) REAP__PASTE(REAP__SEARCH_STATE_, searches)(__VA_ARGS__)
#define REAP__SEARCH_STATE_0(...)
#define REAP__SEARCH_STATE_1(k, ...)                                                               \
    enum {                                                                                         \
        value_bytes_ = reap_held_bytes_##k / 2,                                                    \
        search_rows_ = REAP__SEARCHED_BYTES / REAP__MOST_LANES / value_bytes_ < 2                  \
                           ? 2                                                                     \
                           : REAP__SEARCHED_BYTES / REAP__MOST_LANES / value_bytes_,               \
        search_lanes_ = 8 * (int)isa_vector_ / value_bytes_ >= 64   ? 64                           \
                        : 8 * (int)isa_vector_ / value_bytes_ >= 32 ? 32                           \
                                                                    : 16,                          \
        searches_ = 1 REAP__EACH_PARAMETER(REAP__AND_SEARCHED_, __VA_ARGS__)                       \
    };                                                                                             \
    unsigned pause_ = REAP__SEARCH_PAUSE, next_pause_ = 0;                                         \
    REAP__EACH_LANES(REAP__BEST_, __VA_ARGS__)                                                     \
    if (searches_ && left_ >= (size_t)REAP__LEAST_SEARCHED * width_) {                             \
        REAP__EACH_LANES(REAP__FIND_BEST_, __VA_ARGS__)                                            \
        const bool found_ = 1 REAP__EACH_LANES(REAP__AND_FOUND_, __VA_ARGS__);                     \
        pause_ = found_ ? 0 : REAP__FIRST_PAUSE;                                                   \
        next_pause_ = found_ ? REAP__SEARCH_PAUSE : 0;                                             \
    }

/* What is not a number may have a pointer, through which an item may write. (docs/kernels.md says
 * what an item must not do where these are numbers.) */
#define REAP__AND_SEARCHED_array_(k, kind, T, n, Q, ...)                                           \
    &&_Generic((T Q *)0, const T * : 1, default : 0) && REAP__IS_ARITHMETIC(T)
#define REAP__AND_SEARCHED_value_(k, kind, T, ...) &&REAP__IS_ARITHMETIC(T)
#define REAP__AND_SEARCHED_location_(k, kind, T, ...) &&sizeof(T) >= 4
#define REAP__IS_ARITHMETIC(T)                                                                     \
    _Generic(*(T *)0, bool : 1, char : 1, signed char : 1, unsigned char : 1, short : 1,           \
             unsigned short : 1, int : 1, unsigned : 1, long : 1, unsigned long : 1,               \
             long long : 1, unsigned long long : 1, float : 1, double : 1, default : 0)
#define REAP__BEST_location_(k, kind, T, n, op, ...) T reap_best_##n = REAP__IDENTITY(op, T);
#define REAP__FIND_BEST_location_(k, kind, T, n, ...)                                              \
    reap_best_##n = reap_best_lane_of_##k##_reap_##n(reap_values_##n, reap_rows_##n);
#define REAP__AND_FOUND_location_(k, kind, T, n, op, ...)                                          \
    &&REAP__BETTER_##op(T, reap_best_##n, REAP__IDENTITY(op, T))

#define REAP__ROWS_OR_SEARCH(searches, ...)                                                        \
    REAP__PASTE(REAP__ROWS_OR_SEARCH_, searches)(__VA_ARGS__)
#define REAP__ROWS_OR_SEARCH_0(d, k, ...)                                                          \
    REAP__WHOLE_ROWS_AS(REAP__HAS_OPERATORS(__VA_ARGS__), d, k, __VA_ARGS__);
#define REAP__ROWS_OR_SEARCH_1(d, k, ...)                                                          \
    if (searches_ && rows_ > search_rows_)                                                         \
        rows_ = rows_ < pause_ ? rows_ : pause_ > search_rows_ ? pause_ : search_rows_;            \
    const bool is_searched_ = searches_ && rows_ == search_rows_ &&                                \
                              pause_ == 0 REAP__EACH_LANES(REAP__AND_FOUND_, __VA_ARGS__);         \
    bool is_better_ = !is_searched_;                                                               \
    if (is_searched_)                                                                              \
        REAP__SEARCH(d, k, __VA_ARGS__);                                                           \
    if (__builtin_expect(is_better_, 0)) {                                                         \
        REAP__WHOLE_ROWS_0(d, k, __VA_ARGS__);                                                     \
        pause_ -= pause_ < rows_ ? pause_ : (unsigned)rows_;                                       \
        if (searches_ && pause_ == 0) {                                                            \
            REAP__EACH_LANES(REAP__FIND_BEST_, __VA_ARGS__)                                        \
        }                                                                                          \
        if (is_searched_) {                                                                        \
            pause_ = next_pause_;                                                                  \
            next_pause_ = REAP__SEARCH_PAUSE;                                                      \
        }                                                                                          \
    } else {                                                                                       \
        next_pause_ = 0;                                                                           \
        n_ = rows_ * width_;                                                                       \
        REAP__ADVANCE(d, n_);                                                                      \
    }

#define REAP__SEARCH(d, k, ...)                                                                    \
    do {                                                                                           \
        REAP__ORDINARY_LOOP;                                                                       \
        enum { search_items_ = (int)search_rows_ * (int)width_ };                                  \
        REAP__EACH_LANES(REAP__SEARCHED_, __VA_ARGS__)                                             \
        for (size_t at_ = 0; at_ < search_items_; at_ += search_lanes_) {                          \
            const size_t begin_id_ = id_[d] + at_;                                                 \
            REAP__IDS_BEGIN(begin_id_, 0);                                                         \
            REAP__LANE_LOOP                                                                        \
            for (size_t l_ = 0; l_ < search_lanes_; l_++) {                                        \
                REAP__EACH_LANES(REAP__BEGIN_SEARCHED_, __VA_ARGS__)                               \
                item_.global_id_[d] = REAP__ID(begin_id_ + l_, (int)begin_id_ + (int)l_);          \
                item_.global_linear_id_ = (d) == 0 ? item_.global_id_[0] : first_ + at_ + l_;      \
                reap_body_##k(item_ REAP__EACH_PARAMETER(REAP__ACTUAL_SEARCHED_, __VA_ARGS__));    \
                REAP__EACH_LANES(REAP__END_SEARCHED_, __VA_ARGS__)                                 \
            }                                                                                      \
        }                                                                                          \
        REAP__EACH_LANES(REAP__OR_BETTER_, __VA_ARGS__)                                            \
    } while (0)
#define REAP__SEARCHED_location_(k, kind, T, n, ...)                                               \
    T reap_found_##n[search_lanes_];                                                               \
    for (size_t l_ = 0; l_ < search_lanes_; l_++)                                                  \
        reap_found_##n[l_] = reap_best_##n;
#define REAP__BEGIN_SEARCHED_location_(k, kind, T, n, ...) T reap_value_##n = reap_found_##n[l_];
#define REAP__END_SEARCHED_location_(k, kind, T, n, ...) reap_found_##n[l_] = reap_value_##n;
#define REAP__ACTUAL_SEARCHED_array_(...) REAP__ACTUAL_array_(__VA_ARGS__)
#define REAP__ACTUAL_SEARCHED_value_(...) REAP__ACTUAL_value_(__VA_ARGS__)
#define REAP__ACTUAL_SEARCHED_location_(k, kind, T, n, op, ...)                                    \
    , REAP__HANDLE(&reap_value_##n), reap_search_##k##_reap_##n, (struct reap_location_##op)       \
    {                                                                                              \
        NULL, 0                                                                                    \
    }
#define REAP__OR_BETTER_location_(k, kind, T, n, op, ...)                                          \
    reap_row_##k##_reap_##n reap_is_better_##n = 0;                                                \
    for (size_t l_ = 0; l_ < search_lanes_; l_++)                                                  \
        reap_is_better_##n |= (reap_row_##k##_reap_##n)(                                           \
            REAP__BETTER_##op(T, reap_found_##n[l_], reap_best_##n) ? 1 : 0);                      \
    is_better_ |= reap_is_better_##n != 0;

/* The same, with the lanes of structs as planes where that is possible. */
#define REAP__WHOLE_ROWS_AS(has_operators, ...)                                                    \
    REAP__PASTE(REAP__WHOLE_ROWS_, has_operators)(__VA_ARGS__)
#define REAP__WHOLE_ROWS_0(d, k, ...) REAP__WHOLE_ROWS(0, REAP__STRIP_OF(k), d, k, __VA_ARGS__)
#define REAP__WHOLE_ROWS_1(d, k, ...)                                                              \
    if ((0 REAP__EACH_LANES(REAP__OR_STRUCT_, __VA_ARGS__)) &&                                     \
        (1 REAP__EACH_LANES(REAP__AND_UNIFORM_, __VA_ARGS__)))                                     \
        REAP__WHOLE_ROWS(1, REAP__PLANAR_STRIP_OF(k), d, k, __VA_ARGS__);                          \
    else                                                                                           \
        REAP__WHOLE_ROWS(0, REAP__STRIP_OF(k), d, k, __VA_ARGS__)

/* Whole rows of lanes in order, for each strip of the lanes. Where a row of the range is a chunk,
 * two of them are a row of the lanes, which stay in registers as in one dimension. (As parts of
 * rows they took 2.5 to 5 times as long from the second-level cache.) From a chunk to the next one,
 * and from a row of lanes to the next one, it is as many rows and items everywhere, which the
 * compiler needs to know to step through memory by additions. */
#define REAP__WHOLE_ROWS(is_planar, strip, d, k, ...)                                              \
    do {                                                                                           \
        enum {                                                                                     \
            is_one_of_eight_ = 0,                                                                  \
            eighth_ = 0,                                                                           \
            is_dense_ = 0,                                                                         \
            is_planar_ = is_planar,                                                                \
            strip_ = strip,                                                                        \
            has_groups_ = REAP__HAS_GROUPS(k),                                                     \
            few_ = REAP__FEW(k),                                                                   \
            chunk_ = has_chunks_ && few_ > REAP__CHUNK ? REAP__CHUNK : few_,                       \
            ids_fit_ = isa_fits_ && strip_ >= 16,                                                  \
            vector_ = strip_ < 16                       ? 0                                        \
                      : strip_ < 32 && isa_vector_ > 32 ? 32                                       \
                                                        : isa_vector_                              \
        };                                                                                         \
        const size_t range_rows_ = folds_ ? width_ / REAP__CHUNK : 0;                              \
        const size_t range_items_ = folds_ ? 0 : width_;                                           \
        const size_t chunk_rows_ = folds_, chunk_items_ = folds_ ? 0 : REAP__CHUNK;                \
        const unsigned before_ = now_;                                                             \
        for (size_t at_ = 0; at_ < width_; at_ += strip_) {                                        \
            REAP__EACH_LANES(REAP__HOLD_, __VA_ARGS__)                                             \
            for (size_t done_ = 0, group_; done_ < rows_; done_ += group_) {                       \
                group_ = rows_ - done_;                                                            \
                if (has_groups_ && group_ > REAP__ROWS_OF_A_GROUP)                                 \
                    group_ = REAP__ROWS_OF_A_GROUP;                                                \
                REAP__EACH_PARAMETER(REAP__NEXT_GROUP_, __VA_ARGS__)                               \
                for (size_t from_ = 0; from_ < strip_; from_ += few_) {                            \
                    const size_t lane_at_ = at_ + from_;                                           \
                    size_t row_first_ = first_ + lane_at_ + done_ * width_;                        \
                    size_t row_ =                                                                  \
                        id_[0] + lane_at_ / REAP__CHUNK * chunk_rows_ + done_ * range_rows_;       \
                    size_t row_id_ = id_[d] + (folds_ ? lane_at_ % REAP__CHUNK : lane_at_) +       \
                                     done_ * range_items_;                                         \
                    now_ = before_ + (unsigned)done_;                                              \
                    REAP__EACH_LANES(REAP__TO_REGISTERS_, __VA_ARGS__)                             \
                    for (size_t rest_ = group_; rest_ > 0; rest_--) {                              \
                        REAP__UNROLL                                                               \
                        for (size_t chunk_at_ = 0; chunk_at_ < few_; chunk_at_ += chunk_) {        \
                            const size_t nth_ = chunk_at_ / REAP__CHUNK;                           \
                            const size_t begin_id_ = row_id_ + nth_ * chunk_items_;                \
                            const size_t chunk_id_ = begin_id_ - chunk_at_;                        \
                            REAP__IDS_BEGIN(begin_id_, 0);                                         \
                            item_.global_id_[0] = row_ + nth_ * chunk_rows_;                       \
                            if (has_groups_ && few_ < 16) {                                        \
                                REAP__PART_LOOP                                                    \
                                for (size_t i_ = 0; i_ < chunk_; i_++) {                           \
                                    const size_t l_ = chunk_at_ + i_;                              \
                                    REAP__ITEM(d, row_first_, chunk_id_, k, __VA_ARGS__)           \
                                }                                                                  \
                            } else {                                                               \
                                REAP__LANE_LOOP                                                    \
                                for (size_t i_ = 0; i_ < chunk_; i_++) {                           \
                                    const size_t l_ = chunk_at_ + i_;                              \
                                    REAP__ITEM(d, row_first_, chunk_id_, k, __VA_ARGS__)           \
                                }                                                                  \
                            }                                                                      \
                        }                                                                          \
                        REAP__EACH_LANES(REAP__COMBINE_ROW_, __VA_ARGS__)                          \
                        REAP__EACH_PARAMETER(REAP__PREFETCH_, __VA_ARGS__)                         \
                        now_++;                                                                    \
                        row_first_ += width_;                                                      \
                        row_id_ += range_items_;                                                   \
                        row_ += range_rows_;                                                       \
                    }                                                                              \
                    REAP__EACH_LANES(REAP__FROM_REGISTERS_, __VA_ARGS__)                           \
                }                                                                                  \
            }                                                                                      \
            REAP__EACH_LANES(REAP__RELEASE_, __VA_ARGS__)                                          \
        }                                                                                          \
        id_[0] += range_rows_ * rows_;                                                             \
        n_ = range_items_ * rows_;                                                                 \
        REAP__ADVANCE(d, n_);                                                                      \
    } while (0)

/* The next eight items of a kernel with spans: their replicas begin at places that are computed
 * before the loop. */
#define REAP__SPAN_ITEMS(dense, d, k, ...)                                                         \
    do {                                                                                           \
        enum {                                                                                     \
            is_one_of_eight_ = 1,                                                                  \
            is_dense_ = dense,                                                                     \
            is_planar_ = 0,                                                                        \
            vector_ = 0,                                                                           \
            ids_fit_ = 0                                                                           \
        };                                                                                         \
        enum { batches_ = 1 };                                                                     \
        REAP__EACH_SPAN(REAP__REPLICAS_, __VA_ARGS__)                                              \
        for (size_t begin_ = 0; begin_ + 8 <= n_; begin_ += 8) {                                   \
            REAP__EACH_SPAN(REAP__ROOM_FOR_, __VA_ARGS__)                                          \
            REAP__UNROLL                                                                           \
            for (size_t eighth_ = 0; eighth_ < 8; eighth_++) {                                     \
                const size_t l_ = begin_ + eighth_;                                                \
                REAP__EACH_SPAN(REAP__NEXT_ITEM_, __VA_ARGS__)                                     \
                REAP__ITEM(d, first_, id_[d], k, __VA_ARGS__)                                      \
            }                                                                                      \
        }                                                                                          \
    } while (0)

/* Kernels with spans. Their loops do not become vectors, and lanes stay where they are. (In two and
 * three dimensions items of paged spans go one by one: a loop of eight is not worth the compiler's
 * time.) */
#define REAP__LOOPS_reap__spans(d, isa, k, ...)                                                    \
    enum { width_ = reap_width_##k, isa_fits_ = 0 };                                               \
    REAP__OF_ITEMS(k, __VA_ARGS__);                                                                \
    unsigned now_ = 0;                                                                             \
    (void)now_;                                                                                    \
    const struct reap__span *const spans_ = items_->spans_;                                        \
    REAP__EACH_SPAN(REAP__SPANS_, __VA_ARGS__)                                                     \
    REAP__EACH_SPAN(REAP__BATCH_OF_, __VA_ARGS__)                                                  \
    const bool are_dense_ = 1 REAP__EACH_SPAN(REAP__IS_DENSE_, __VA_ARGS__);                       \
    const size_t most_ = reap_lanes_##k > 0 ? width_ : left_;                                      \
    const size_t leaf_items_ = most_ * REAP__ROWS_OF_A_LEAF;                                       \
    for (size_t leaf_ = 0, end_ = left_; end_ > 0; leaf_++) {                                      \
        left_ = end_ < leaf_items_ ? end_ : leaf_items_;                                           \
        end_ -= left_;                                                                             \
        const size_t leaf_row_ REAP__UNUSED = leaf_;                                               \
        REAP__EACH_LANES(REAP__LEAF_, __VA_ARGS__)                                                 \
        for (size_t at_ = 0, n_; left_ > 0; left_ -= n_) {                                         \
            now_ = (unsigned)(items_->row_ + (first_ - items_->first_) / width_);                  \
            n_ = REAP__IN_ROW(d);                                                                  \
            n_ = n_ < most_ - at_ ? n_ : most_ - at_;                                              \
            REAP__EACH_LANES(REAP__IN_PLACE_, __VA_ARGS__)                                         \
            if (are_dense_)                                                                        \
                REAP__SPAN_ITEMS(1, d, k, __VA_ARGS__);                                            \
            else if ((d) == 0)                                                                     \
                REAP__SPAN_ITEMS(0, d, k, __VA_ARGS__);                                            \
            REAP__ITEMS(d, are_dense_ || (d) == 0 ? n_ & ~(size_t)7 : 0, k, __VA_ARGS__);          \
            first_ += n_;                                                                          \
            REAP__ADVANCE(d, n_);                                                                  \
            at_ = at_ + n_ < most_ ? at_ + n_ : 0;                                                 \
        }                                                                                          \
    }                                                                                              \
    REAP__EACH_SPAN(REAP__PASS_ON_, __VA_ARGS__)

/* ---- Functions --------------------------------------------------------------------------------*/

/* Which loops a kernel needs, by its parameters: spans, lanes, or plain. */
#define REAP__LOOPS_OF(all, lanes, spans)                                                          \
    REAP__IF_EMPTY(spans, REAP__IF_EMPTY(lanes, reap__plain, reap__lanes), reap__spans)
#define REAP__HAS_OPERATORS(...)                                                                   \
    REAP__SECOND(~REAP__EACH_LANES(REAP__MARK_OPERATOR_, __VA_ARGS__), 0)
#define REAP__MARK_OPERATOR_scalar_(k, kind, T, n, op, origin) REAP__MARK_OPERATOR_##origin
#define REAP__MARK_OPERATOR_builtin_
#define REAP__MARK_OPERATOR_user_ , 1
#define REAP__MARK_OPERATOR_location_(...)
#define REAP__MARK_OPERATOR_exact_(...)

#define REAP__ITEMS_FUNCTION(isa, d, loops, k, ...)                                                \
    REAP__COMPILED_##isa(k) static void reap_run_##isa##_##d##_##k(                                \
        const struct reap__items *items_ REAP__EACH_PARAMETER(REAP__HANDED_, __VA_ARGS__)){        \
        REAP__PASTE(REAP__LOOPS_, loops)(d, isa, k, __VA_ARGS__)} REAP__COMPILED_##isa(k)          \
        REAP__NEVER_INLINED REAP__FLATTEN static enum reap__isa reap_items_##d##_##isa##_##k(      \
            const struct reap__items *items_)                                                      \
    {                                                                                              \
        const reap_arguments_##k *const arguments_ = items_->arguments_;                           \
        const struct reap__lanes *const lanes_ = items_->lanes_;                                   \
        void *const *const locals_ = NULL;                                                         \
        (void)arguments_, (void)lanes_, (void)locals_;                                             \
        reap_run_##isa##_##d##_##k(items_ REAP__EACH_PARAMETER(REAP__HAND_, __VA_ARGS__));         \
        return REAP__RAN_##isa;                                                                    \
    }

/* Three dimensions have no AVX-512 code of their own: AVX2's does for them. */
#define REAP__THREE_DIMENSIONS_plain_(...) REAP__ITEMS_FUNCTION(plain_, 2, __VA_ARGS__)
#define REAP__THREE_DIMENSIONS_v3_(...) REAP__ITEMS_FUNCTION(v3_, 2, __VA_ARGS__)
#define REAP__THREE_DIMENSIONS_v4_(...)
#define REAP__ITEMS_OF_THREE_plain_(k) reap_items_2_plain__##k
#define REAP__ITEMS_OF_THREE_v3_(k) reap_items_2_v3__##k
#define REAP__ITEMS_OF_THREE_v4_(k) reap_items_2_v3__##k

/* The functions of an instruction set: one for each number of dimensions, since ids by division
 * would cost fifty times as much as loops of their own; and one that calls these. */
#define REAP__FUNCTIONS(isa, loops, k, ...)                                                        \
    REAP__ITEMS_FUNCTION(isa, 0, loops, k, __VA_ARGS__)                                            \
    REAP__ITEMS_FUNCTION(isa, 1, loops, k, __VA_ARGS__)                                            \
    REAP__THREE_DIMENSIONS_##isa(loops, k, __VA_ARGS__) REAP__COMPILED_plain_(                     \
        k) static enum reap__isa reap_items_##isa##_##k(const struct reap__items *items_)          \
    {                                                                                              \
        const unsigned dimensions_ = reap__dimensions_of(items_->range_);                          \
        return dimensions_ == 1   ? reap_items_0_##isa##_##k(items_)                               \
               : dimensions_ == 2 ? reap_items_1_##isa##_##k(items_)                               \
                                  : REAP__ITEMS_OF_THREE_##isa(k)(items_);                         \
    }

/* Detects contracted or reassociated arithmetic (reap__probe_function). */
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

/* The function that runs one item, and passes its values to a log (kernel_table.h). It is called
 * for fewer items than a leaf has, at either end of a launch into parts. */
#define REAP__LOGGED_array_(k, kind, T, n, ...) , arguments_.n
#define REAP__LOGGED_value_(k, kind, T, n, ...) , arguments_.n
#define REAP__LOGGED_local_(...)
#define REAP__LOGGED_scalar_(k, kind, T, n, op, ...)                                               \
    , REAP__HANDLE(log_), reap_log_##k##_reap_##n, (struct reap_flag_##op *)NULL
#define REAP__LOGGED_exact_(...) REAP__LOGGED_scalar_(__VA_ARGS__)
#define REAP__LOGGED_location_(k, kind, T, n, op, ...)                                             \
    , REAP__HANDLE(log_), reap_log_##k##_reap_##n, (const struct reap_location_##op)               \
    {                                                                                              \
        NULL, 0                                                                                    \
    }
#define REAP__LOGGED_span_(k, kind, T, n, op, ...)                                                 \
    , (void *)log_, reap_log_##k##_reap_##n, (struct reap_flag_##op *)NULL, reap__no_span
#define REAP__LOG_CODE_array_(...)
#define REAP__LOG_CODE_value_(...)
#define REAP__LOG_CODE_local_(...)
#define REAP__LOG_CODE_scalar_(k, kind, T, n, op, ...)                                             \
    REAP__LOG_ONE(k, T, n, struct reap_flag_##op *)
#define REAP__LOG_CODE_exact_(...) REAP__LOG_CODE_scalar_(__VA_ARGS__)
#define REAP__LOG_CODE_location_(k, kind, T, n, op, ...)                                           \
    REAP__LOG_ONE(k, T, n, struct reap_location_##op)
#define REAP__LOG_ONE(k, T, n, beside)                                                             \
    REAP__INLINE void REAP__BY_MEMBER reap_log_##k##_reap_##n(                                     \
        reap__reduction_takes_values_by_reap_combine to_, beside beside_ REAP__UNUSED,             \
        size_t lane_ REAP__UNUSED, T v_)                                                           \
    {                                                                                              \
        struct reap__value_log *const log_ = (struct reap__value_log *)to_.values_;                \
        (log_->add_)(log_, reap_lanes_of_##k##_reap_##n, &v_);                                     \
    }
#define REAP__LOG_CODE_span_(k, kind, T, n, op, ...)                                               \
    REAP__INLINE void REAP__BY_MEMBER reap_log_##k##_reap_##n(                                     \
        struct reap__span_takes_values_by_reap_combine_at *to_,                                    \
        struct reap_flag_##op *set_ REAP__UNUSED, struct reap__span span_ REAP__UNUSED,            \
        size_t index_, T v_)                                                                       \
    {                                                                                              \
        struct reap__value_log *const log_ = (struct reap__value_log *)(void *)to_;                \
        (log_->add_at_)(log_, reap_span_of_##k##_reap_##n, index_, &v_);                           \
    }
static const struct reap__span reap__no_span REAP__UNUSED;
#define REAP__LOG_FUNCTION(k, ...)                                                                 \
    REAP__EACH_PARAMETER(REAP__LOG_CODE_, __VA_ARGS__)                                             \
    REAP__COMPILED_plain_(k) __attribute__((__cold__)) static void reap_log_items_##k(             \
        const struct reap__items *items_, struct reap__value_log *log_)                            \
    {                                                                                              \
        const reap_arguments_##k arguments_ = *(const reap_arguments_##k *)items_->arguments_;     \
        const reap_range range_ = *items_->range_;                                                 \
        const size_t *const id_ = items_->id_;                                                     \
        const reap__item_of_a_kernel_without_work_groups item_ = {                                 \
            {id_[0], id_[1], id_[2]},                                                              \
            items_->first_,                                                                        \
            {reap__size_of(&range_, 0), reap__size_of(&range_, 1), reap__size_of(&range_, 2)},     \
            0,                                                                                     \
            items_->group_};                                                                       \
        (void)arguments_, (void)log_;                                                              \
        reap_body_##k(item_ REAP__EACH_PARAMETER(REAP__LOGGED_, __VA_ARGS__));                     \
    }

/* Follows a complete kernel. A launch finds it by these names, so that a kernel that does not exist
 * causes one message. */
#define REAP__KERNEL_END(called)                                                                   \
    REAP__DECLARED(kernel_##called)                                                                \
    REAP__LIST_KERNEL(called)

/* Whether at most one bit is set. */
#define REAP__IS_ONE_BIT(bits) (((bits) & ((bits)-1)) == 0)

/* The declarations that every kernel begins with. */
#define REAP__KERNEL_HEAD(called, k, item, list, ...)                                              \
    _Static_assert(REAP__IS_UNPACKED, "Reap kernel '" #called "' " REAP__PACKED);                  \
    _Static_assert(REAP__IS_ONE_BIT(0 REAP__EACH_PARAMETER(REAP__RESULTS_FOR_, __VA_ARGS__)),      \
                   "Reap kernel '" #called                                                         \
                   "': reductions of rows, reductions of columns and other reductions are not "    \
                   "possible in one kernel: write a kernel for each");                             \
    extern const struct reap_arguments_##called *const reap__launched_kernel_##called;             \
    typedef struct reap_arguments_##called {                                                       \
        reap_range reap_range_;                                                                    \
        reap_launch_options launch;                                                                \
        REAP__EACH_PARAMETER(REAP__MEMBER_, __VA_ARGS__)                                           \
    } reap_arguments_##k;                                                                          \
    enum { REAP__EACH_LANES(REAP__LANES_OF_, __VA_ARGS__) reap_lanes_##k };                        \
    enum { REAP__EACH_SPAN(REAP__SPAN_OF_, __VA_ARGS__) reap_spans_##k };                          \
    enum { REAP__EACH_PARAMETER(REAP__LOCAL_OF_, __VA_ARGS__) reap_locals_##k };                   \
    union reap_results_##k {                                                                       \
        char reap_none_;                                                                           \
        REAP__EACH_LANES(REAP__RESULT_, __VA_ARGS__)                                               \
    };                                                                                             \
    enum {                                                                                         \
        reap_held_bytes_##k = 0 REAP__EACH_LANES(REAP__HELD_BYTES_, __VA_ARGS__),                  \
        reap_has_wide_##k = 0 REAP__EACH_LANES(REAP__IS_WIDE_, __VA_ARGS__),                       \
        reap_has_narrow_##k = 0 REAP__EACH_LANES(REAP__IS_NARROW_, __VA_ARGS__),                   \
        reap_read_bytes_##k = 0 REAP__EACH_PARAMETER(REAP__READ_BYTES_, __VA_ARGS__),              \
        reap_has_twice_##k = 0 REAP__EACH_LANES(REAP__OR_TWICE_, __VA_ARGS__),                     \
        reap_has_lines_##k = (0 REAP__EACH_PARAMETER(REAP__RESULTS_FOR_, __VA_ARGS__)) > 1,        \
        reap_width_##k = REAP__LANES(sizeof(union reap_results_##k))                               \
    };                                                                                             \
    REAP__EACH_PARAMETER(REAP__CODE_, __VA_ARGS__)                                                 \
    enum { reap_exact_spans_##k = 0 REAP__EACH_SPAN(REAP__COUNT_EXACT_, __VA_ARGS__) };            \
    REAP__BODY void reap_body_##k(item REAP__EACH_PARAMETER(REAP__FORMAL_, __VA_ARGS__));          \
    REAP__EACH_PROBED_ISA(REAP__PROBE, k)                                                          \
    REAP__EACH_ISA(REAP__BOUNDS, k)                                                                \
    REAP__EMBED(reap_text_##k)                                                                     \
    static struct reap__kernel_state reap_state_##k;                                               \
    static const struct reap__parameter reap_parameters_##k[] = {                                  \
        {NULL, NULL, REAP__VALUE, 0, 0, 0, NULL}, REAP__EACH(REAP__ENTRY, REAP__BARE list)};

/* The members of struct reap_kernel that every kernel has; functions follow. */
#define REAP__KERNEL_MEMBERS(called, k) REAP__KERNEL_MEMBERS_WITH(&reap_state_##k, called, k)
#define REAP__KERNEL_MEMBERS_WITH(state, called, k)                                                \
    REAP__KERNEL_FORMAT, #called, __FILE__, __LINE__, sizeof(reap_arguments_##k),                  \
        offsetof(reap_arguments_##k, launch), reap_parameters_##k,                                 \
        sizeof reap_parameters_##k / sizeof *reap_parameters_##k, REAP__PROBE_TABLE(k),            \
        REAP__BOUNDS_TABLE(start, k), REAP__BOUNDS_TABLE(stop, k), state, reap_text_##k,           \
        __start_reap_sources, __stop_reap_sources, REAP__BUILD

/* A helper takes any item. */
REAP__INLINE reap_item reap__same_item(reap_item item)
{
    return item;
}
REAP__INLINE reap_item reap__item_for_helpers(reap__item_of_a_kernel_without_work_groups item)
{
    const size_t *const id = item.global_id_, *const range = item.global_range_;
    return (reap_item){{id[0], id[1], id[2]},
                       item.global_linear_id_,
                       {range[0], range[1], range[2]},
                       {0, 0, 0},
                       0,
                       item.lane_,
                       item.no_group,
                       1};
}
#define REAP__ALONE_ITEM                                                                           \
    const reap__item_of_a_kernel_without_work_groups reap_item_ __attribute__((__unused__))

/* The loops of a kernel with spans are not vectorised, so one instruction set is enough. */
#define REAP__KERNEL_FIT(called, k, list, ...)                                                     \
    REAP__KERNEL_HEAD(called, k, REAP__ALONE_ITEM, list, __VA_ARGS__)                              \
    REAP__PASTE(REAP__KERNEL_WITH_, REAP__LOOPS_OF(__VA_ARGS__))                                   \
    (NULL, called, k, __VA_ARGS__) REAP__KERNEL_END(called) REAP__BODY void reap_body_##k(         \
        REAP__ALONE_ITEM REAP__EACH_PARAMETER(REAP__FORMAL_, __VA_ARGS__))
#define REAP__KERNEL_WITH_reap__plain(groups, called, k, ...)                                      \
    REAP__EACH_ISA(REAP__FUNCTIONS, reap__plain, k, __VA_ARGS__)                                   \
    REAP__ITEMS_KERNELS(REAP__ISA_TABLE, groups, called, k, NULL)
#define REAP__KERNEL_WITH_reap__lanes(groups, called, k, ...)                                      \
    REAP__REST_FUNCTION(k, __VA_ARGS__)                                                            \
    REAP__EACH_ISA(REAP__FUNCTIONS, reap__lanes, k, __VA_ARGS__)                                   \
    REAP__LOG_FUNCTION(k, __VA_ARGS__)                                                             \
    REAP__ITEMS_KERNELS(REAP__ISA_TABLE, groups, called, k, reap_log_items_##k)
#define REAP__KERNEL_WITH_reap__spans(groups, called, k, ...)                                      \
    REAP__FUNCTIONS(plain_, reap__spans, k, __VA_ARGS__)                                           \
    REAP__LOG_FUNCTION(k, __VA_ARGS__)                                                             \
    REAP__ITEMS_KERNELS(REAP__PLAIN_TABLE, groups, called, k, reap_log_items_##k)
#define REAP__PLAIN_TABLE(prefix, name, several)                                                   \
    {                                                                                              \
        prefix##plain_##name                                                                       \
    }

/* The kernel for any range, and for ranges of one and of two dimensions. Where the compiler sees
 * that a launch's range has one dimension, or two, it drops the objects and functions that no
 * launch takes: half of the code, and a third of its time. */
#define REAP__ITEMS_KERNELS(table, groups, called, k, log)                                         \
    REAP__ITEMS_KERNEL(reap_kernel_1d_##k, NULL, NULL, groups, called, k, log,                     \
                       table(reap_items_0_, _##k, 1));                                             \
    REAP__ITEMS_KERNEL(reap_kernel_2d_##k, NULL, NULL, groups, called, k, log,                     \
                       table(reap_items_1_, _##k, 1));                                             \
    REAP__ITEMS_KERNEL(reap_kernel_##called, &reap_kernel_1d_##k, &reap_kernel_2d_##k, groups,     \
                       called, k, log, table(reap_items_, _##k, 1));
#define REAP__ITEMS_KERNEL(object, of_1d, of_2d, groups, called, k, log, ...)                      \
    static const struct reap_kernel object REAP__UNUSED = {REAP__KERNEL_MEMBERS(called, k),        \
                                                           __VA_ARGS__,                            \
                                                           NULL,                                   \
                                                           {NULL},                                 \
                                                           NULL,                                   \
                                                           log,                                    \
                                                           of_1d,                                  \
                                                           of_2d,                                  \
                                                           groups}

#endif
