/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel's parameters on devices: what its body, and helpers that take a reduction, are given for
 * each. The entry functions of src/accelerator give the same, in the same order. And a check that
 * their types are as large as on the host.
 */
#ifndef REAP_DETAIL_DEVICE_PARAMETERS_H
#define REAP_DETAIL_DEVICE_PARAMETERS_H

/* Pasted by a macro of its own, since what comes out pastes in its turn. */
#define REAP__FORMAL(k, p) REAP__FORMAL_OF(REAP__FORMAL_, p)
#define REAP__FORMAL_OF(a, b) a##b
#define REAP__FORMAL_in(T, n) , REAP_GLOBAL T const *REAP__RESTRICT n
/* What is written is not restricted: items of a group see what others have written there. */
#define REAP__FORMAL_out(T, n) , REAP_GLOBAL T *n
#define REAP__FORMAL_inout(T, n) , REAP_GLOBAL T *n
#define REAP__FORMAL_value(T, n) , T n
#define REAP__FORMAL_identity(T, n) , T REAP__PASTE(n, _reap_identity)
#define REAP__FORMAL_local(T, n) , REAP_LOCAL T *n
#define REAP__FORMAL_local_2d(T, n)                                                                \
    , REAP_LOCAL T *n, const struct reap__extents_2d REAP__PASTE(n, _reap_extents)
#define REAP__FORMAL_local_3d(T, n)                                                                \
    , REAP_LOCAL T *n, const struct reap__extents_3d REAP__PASTE(n, _reap_extents)
struct reap__extents_2d {
    size_t of_two_dimensions_[3]; /* the last is 1 */
};
struct reap__extents_3d {
    size_t of_three_dimensions_[3];
};
#define REAP__FORMAL_reduce(op, T, n) , REAP__SCALAR_PARAMETERS(op, T, n)
#define REAP__FORMAL_reduce_with(op, T, n) , REAP__SCALAR_PARAMETERS(op, T, n)
#define REAP__FORMAL_reduce_rows(op, T, n) , REAP__SCALAR_PARAMETERS(op, T, n)
#define REAP__FORMAL_reduce_rows_with(op, T, n) , REAP__SCALAR_PARAMETERS(op, T, n)
#define REAP__FORMAL_reduce_columns(op, T, n) , REAP__SCALAR_PARAMETERS(op, T, n)
#define REAP__FORMAL_reduce_columns_with(op, T, n) , REAP__SCALAR_PARAMETERS(op, T, n)
#define REAP__FORMAL_reduce_location(op, T, n) , REAP__LOCATION_PARAMETERS(op, T, n)
#define REAP__FORMAL_reduce_span(op, T, n) , REAP__SPAN_PARAMETERS(op, T, n)
#define REAP__FORMAL_reduce_span_with(op, T, n) , REAP__SPAN_PARAMETERS(op, T, n)

/* By the time a parameter is looked at, names.h has renamed a keyword of OpenCL's. */
#define REAP__FORMAL_reap__name_local(T, n) REAP__FORMAL_local(T, n)

#define REAP__SCALAR_PARAMETERS(op, T, n)                                                          \
    T *n, struct REAP__PASTE(reap_flag_, op) * REAP__PASTE(n, _reap_tag)
#define REAP__LOCATION_PARAMETERS(op, T, n)                                                        \
    T *n, REAP__LOCATION_IN_BODY(op) * REAP__PASTE(n, _reap_tag)
#define REAP__SPAN_PARAMETERS(op, T, n)                                                            \
    REAP__SPAN_SPACE T *n, struct REAP__PASTE(reap_flag_, op) * REAP__PASTE(n, _reap_tag),         \
        struct reap__span REAP__PASTE(n, _reap_span)

/* A type that is not as large on the device as on the host is an error, which names the parameter
 * by its number and has a line for each bit of the size (program/program.c). */
#define REAP__SAME_LAYOUT(p, T, bytes, alignment)                                                  \
    _Static_assert(sizeof(T) == bytes, "reap__size_" #p "_differs.");                              \
    _Static_assert(_Alignof(T) == alignment, "reap__alignment_" #p "_differs.");                   \
    REAP__SIZE_BITS(p, T, bytes, 0, 1, 2, 3)                                                       \
    REAP__SIZE_BITS(p, T, bytes, 4, 5, 6, 7)                                                       \
    REAP__SIZE_BITS(p, T, bytes, 8, 9, 10, 11)                                                     \
    REAP__SIZE_BITS(p, T, bytes, 12, 13, 14, 15)                                                   \
    REAP__SIZE_BITS(p, T, bytes, 16, 17, 18, 19)                                                   \
    REAP__SIZE_BITS(p, T, bytes, 20, 21, 22, 23)
#define REAP__SIZE_BITS(p, T, bytes, a, b, c, d)                                                   \
    REAP__SIZE_BIT(p, T, bytes, a)                                                                 \
    REAP__SIZE_BIT(p, T, bytes, b)                                                                 \
    REAP__SIZE_BIT(p, T, bytes, c)                                                                 \
    REAP__SIZE_BIT(p, T, bytes, d)
#define REAP__SIZE_BIT(p, T, bytes, bit)                                                           \
    _Static_assert(sizeof(T) == bytes || (sizeof(T) >> bit & 1) == 0,                              \
                   "reap__size_" #p "_bit_" #bit ".");

#endif
