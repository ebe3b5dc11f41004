/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel's parameters. Macros (facets) expand the list once each: to the members of the argument
 * struct, the parameters of the body, the entries of the table.
 */
#ifndef REAP_DETAIL_HOST_PARAMETERS_H
#define REAP_DETAIL_HOST_PARAMETERS_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <reap/detail/host/operators.h>
#include <reap/detail/kernel_table.h>
#include <reap/detail/list.h>

/* A parameter as: class, kind, T, name, qualifier of T or operator, origin of the operator. */
#define REAP__PARAMETER_in(T, n) array_, REAP__IN, T, n, const, ~
#define REAP__PARAMETER_out(T, n) array_, REAP__OUT, T, n, , ~
#define REAP__PARAMETER_inout(T, n) array_, REAP__INOUT, T, n, , ~
#define REAP__PARAMETER_value(T, n) value_, REAP__VALUE, T, n, ~, given_
#define REAP__PARAMETER_identity(T, n)                                                             \
    value_, REAP__IDENTITY_VALUE, T, n##_reap_identity_needs_the_parameter_identity, n, identity_
#define REAP__PARAMETER_local(T, n) local_, REAP__LOCAL, T, n, 1d, ~
#define REAP__PARAMETER_local_2d(T, n) local_, REAP__LOCAL_2D, T, n, 2d, ~
#define REAP__PARAMETER_local_3d(T, n) local_, REAP__LOCAL_3D, T, n, 3d, ~
#define REAP__PARAMETER_reduce(op, T, n)                                                           \
    REAP__CLASS_OF(REAP__CLASS_##op, scalar_), REAP__SCALAR_REDUCTION, T, n, op, builtin_
#define REAP__PARAMETER_reduce_rows(op, T, n)                                                      \
    REAP__CLASS_OF(REAP__CLASS_##op, scalar_), REAP__ROW_REDUCTION, T, n, op, builtin_
#define REAP__PARAMETER_reduce_columns(op, T, n)                                                   \
    REAP__CLASS_OF(REAP__CLASS_##op, scalar_), REAP__COLUMN_REDUCTION, T, n, op, builtin_
#define REAP__CLASS_exact_plus ~, exact_
#define REAP__CLASS_OF(...) REAP__CLASS_IS(__VA_ARGS__, ~)
#define REAP__CLASS_IS(first, class, ...) class
#define REAP__PARAMETER_reduce_with(op, T, n) scalar_, REAP__SCALAR_REDUCTION, T, n, op, user_
#define REAP__PARAMETER_reduce_rows_with(op, T, n) scalar_, REAP__ROW_REDUCTION, T, n, op, user_
#define REAP__PARAMETER_reduce_columns_with(op, T, n)                                              \
    scalar_, REAP__COLUMN_REDUCTION, T, n, op, user_
#define REAP__PARAMETER_reduce_location(op, T, n)                                                  \
    location_, REAP__SCALAR_REDUCTION, T, n, op, builtin_
#define REAP__PARAMETER_reduce_span(op, T, n) span_, REAP__SPAN_REDUCTION, T, n, op, builtin_
#define REAP__PARAMETER_reduce_span_with(op, T, n) span_, REAP__SPAN_REDUCTION, T, n, op, user_

/* Each type gets a typedef, so that a type that does not exist causes one message. A facet "as
 * written" gets the type as the list has it. */
#define REAP__FACET(facet, k, p) REAP__FACET_(REAP__TYPED, facet, k, REAP__PARAMETER_##p)
#define REAP__FACET_AS_WRITTEN(facet, k, p) REAP__FACET_(REAP__RAW, facet, k, REAP__PARAMETER_##p)
#define REAP__FACET_(how, ...) how(__VA_ARGS__)
#define REAP__RAW(facet, k, class, ...) facet##class(k, __VA_ARGS__)
#define REAP__TYPED(facet, k, class, kind, T, n, ...)                                              \
    facet##class(k, kind, reap_type_##k##_reap_##n, n, __VA_ARGS__)

/* What the code of a kernel is written with instead of the list: the parameters, those that have
 * lanes, and those that are spans, each in parentheses. These hold a parameter as a class before
 * its arguments, `scalar_(k, kind, T, name, ...)`, which a facet's name is pasted to, after the
 * macro that does so for as many. So the list is looked through once: counting and looking through
 * it for each facet took a third of a kernel's time to compile. */
#define REAP__LISTS(...)                                                                           \
    REAP__LIST(REAP__EACH(REAP__AS_PARAMETER, __VA_ARGS__) ~),                                     \
        REAP__LIST(REAP__EACH(REAP__IF_LANES, __VA_ARGS__) ~),                                     \
        REAP__LIST(REAP__EACH(REAP__IF_SPAN, __VA_ARGS__) ~)
#define REAP__LIST(...) (REAP__PASTE(REAP__OVER_, REAP__COUNT(__VA_ARGS__)), __VA_ARGS__)
#define REAP__AS_PARAMETER(k, p) REAP__FACET_(REAP__LISTED, k, REAP__PARAMETER_##p)
#define REAP__LISTED(k, class, kind, T, n, ...)                                                    \
    class(k, kind, reap_type_##k##_reap_##n, n, __VA_ARGS__),
#define REAP__IF_LANES(k, p) REAP__FACET_(REAP__IF_LANES_OF, k, REAP__PARAMETER_##p)
#define REAP__IF_LANES_OF(k, class, ...) REAP__IF_LANES_##class(k, class, __VA_ARGS__)
#define REAP__IF_LANES_array_(...)
#define REAP__IF_LANES_value_(...)
#define REAP__IF_LANES_local_(...)
#define REAP__IF_LANES_scalar_(...) REAP__LISTED(__VA_ARGS__)
#define REAP__IF_LANES_location_(...) REAP__LISTED(__VA_ARGS__)
#define REAP__IF_LANES_exact_(...) REAP__LISTED(__VA_ARGS__)
#define REAP__IF_LANES_span_(...)
#define REAP__IF_SPAN(k, p) REAP__FACET_(REAP__IF_SPAN_OF, k, REAP__PARAMETER_##p)
#define REAP__IF_SPAN_OF(k, class, ...) REAP__IF_SPAN_##class(k, class, __VA_ARGS__)
#define REAP__IF_SPAN_array_(...)
#define REAP__IF_SPAN_value_(...)
#define REAP__IF_SPAN_local_(...)
#define REAP__IF_SPAN_scalar_(...)
#define REAP__IF_SPAN_location_(...)
#define REAP__IF_SPAN_exact_(...)
#define REAP__IF_SPAN_span_(...) REAP__LISTED(__VA_ARGS__)

/* A facet of each parameter, of those that have lanes, and of those that are spans. */
#define REAP__EACH_PARAMETER(facet, all, lanes, spans) REAP__OVER(facet, REAP__BARE all)
#define REAP__EACH_LANES(facet, all, lanes, spans) REAP__OVER(facet, REAP__BARE lanes)
#define REAP__EACH_SPAN(facet, all, lanes, spans) REAP__OVER(facet, REAP__BARE spans)
#define REAP__BARE(...) __VA_ARGS__

#define REAP__TYPE_OF(k, p) REAP__FACET_(REAP__TYPE_NAMED, k, REAP__PARAMETER_##p)
#define REAP__TYPE_NAMED(k, class, kind, T, n, ...) typedef T reap_type_##k##_reap_##n;

/* Members of the argument struct. */
#define REAP__MEMBER_array_(k, kind, T, n, Q, ...) T Q *n;
#define REAP__MEMBER_value_(k, kind, T, n, ...) T n;
#define REAP__MEMBER_local_(k, kind, T, n, d, ...) REAP__MEMBER_LOCAL_##d(n)
#define REAP__MEMBER_LOCAL_1d(n) size_t n;
#define REAP__MEMBER_LOCAL_2d(n) size_t n[2];
#define REAP__MEMBER_LOCAL_3d(n) size_t n[3];
#define REAP__MEMBER_scalar_(k, kind, T, n, ...) REAP__MEMBER_OF_##kind(T, n)
#define REAP__MEMBER_OF_REAP__ROW_REDUCTION(T, n) REAP__MEMBER_span_(~, ~, T, n, ~)
#define REAP__MEMBER_OF_REAP__COLUMN_REDUCTION(T, n) REAP__MEMBER_span_(~, ~, T, n, ~)
#define REAP__MEMBER_OF_REAP__SCALAR_REDUCTION(T, n)                                               \
    struct {                                                                                       \
        T *variable;                                                                               \
        T *result;                                                                                 \
        const T *identity;                                                                         \
        unsigned properties;                                                                       \
        reap_part *part;                                                                           \
    } n;
#define REAP__MEMBER_exact_(...) REAP__MEMBER_scalar_(__VA_ARGS__)
#define REAP__MEMBER_location_(k, kind, T, n, ...)                                                 \
    struct {                                                                                       \
        T *variable;                                                                               \
        T *result;                                                                                 \
        const T *identity;                                                                         \
        unsigned properties;                                                                       \
        uint64_t *location;                                                                        \
        reap_part *part;                                                                           \
    } n;
#define REAP__MEMBER_span_(k, kind, T, n, ...)                                                     \
    struct {                                                                                       \
        T *variable;                                                                               \
        T *result;                                                                                 \
        const T *identity;                                                                         \
        unsigned properties;                                                                       \
        size_t count;                                                                              \
        reap_part *part;                                                                           \
    } n;

/* The results of a kernel's reductions, a bit for each kind: of the range, of its rows, of its
 * columns. */
#define REAP__RESULTS_FOR_array_(...)
#define REAP__RESULTS_FOR_value_(...)
#define REAP__RESULTS_FOR_local_(...)
#define REAP__RESULTS_FOR_scalar_(k, kind, ...) | (1 << REAP__RESULTS_BIT_##kind)
#define REAP__RESULTS_FOR_exact_(...) REAP__RESULTS_FOR_scalar_(__VA_ARGS__)
#define REAP__RESULTS_FOR_location_(...) REAP__RESULTS_FOR_scalar_(__VA_ARGS__)
#define REAP__RESULTS_FOR_span_(...) REAP__RESULTS_FOR_scalar_(__VA_ARGS__)
#define REAP__RESULTS_BIT_REAP__SCALAR_REDUCTION 0
#define REAP__RESULTS_BIT_REAP__SPAN_REDUCTION 0
#define REAP__RESULTS_BIT_REAP__ROW_REDUCTION 1
#define REAP__RESULTS_BIT_REAP__COLUMN_REDUCTION 2

/* Parameters of the body, and of helpers that take a reduction. */
#define REAP__UNUSED __attribute__((__unused__))
#define REAP__FORMAL_array_(k, kind, T, n, Q, ...) , T Q *n REAP__UNUSED
#define REAP__FORMAL_value_(k, kind, T, n, ...) , T n REAP__UNUSED
#define REAP__FORMAL_local_(k, kind, T, n, d, ...) , T *n REAP__UNUSED REAP__FORMAL_EXTENTS_##d(n)
#define REAP__FORMAL_EXTENTS_1d(n)
#define REAP__FORMAL_EXTENTS_2d(n) , const struct reap__extents_2d n##_reap_extents REAP__UNUSED
#define REAP__FORMAL_EXTENTS_3d(n) , const struct reap__extents_3d n##_reap_extents REAP__UNUSED
#define REAP__ACTUAL_EXTENTS_1d(n)
#define REAP__ACTUAL_EXTENTS_2d(n)                                                                 \
    , (struct reap__extents_2d)                                                                    \
    {                                                                                              \
        {                                                                                          \
            arguments_.n[0], arguments_.n[1], 1                                                    \
        }                                                                                          \
    }
#define REAP__ACTUAL_EXTENTS_3d(n)                                                                 \
    , (struct reap__extents_3d)                                                                    \
    {                                                                                              \
        {                                                                                          \
            arguments_.n[0], arguments_.n[1], arguments_.n[2]                                      \
        }                                                                                          \
    }
#define REAP__FORMAL_scalar_(k, kind, T, n, op, ...) , REAP__SCALAR_PARAMETERS(op, T, n)
#define REAP__FORMAL_exact_(k, kind, T, n, op, ...) , REAP__SCALAR_PARAMETERS(op, T, n)
#define REAP__FORMAL_location_(k, kind, T, n, op, ...) , REAP__LOCATION_PARAMETERS(op, T, n)
#define REAP__FORMAL_span_(k, kind, T, n, op, ...) , REAP__SPAN_PARAMETERS(op, T, n)
#define REAP__SCALAR_PARAMETERS(op, T, n)                                                          \
    const reap__reduction_takes_values_by_reap_combine n REAP__UNUSED,                             \
        void(REAP__BY_MEMBER * n##_reap_function)(reap__reduction_takes_values_by_reap_combine,    \
                                                  struct reap_flag_##op *, size_t, T)              \
            REAP__UNUSED,                                                                          \
        struct reap_flag_##op *n##_reap_set REAP__UNUSED
#define REAP__LOCATION_PARAMETERS(op, T, n)                                                        \
    const reap__reduction_takes_values_by_reap_combine n REAP__UNUSED,                             \
        void(REAP__BY_MEMBER * n##_reap_function)(reap__reduction_takes_values_by_reap_combine,    \
                                                  struct reap_location_##op, size_t, T)            \
            REAP__UNUSED,                                                                          \
        struct reap_location_##op n##_reap_set REAP__UNUSED
#define REAP__SPAN_PARAMETERS(op, T, n)                                                            \
    struct reap__span_takes_values_by_reap_combine_at *const n REAP__UNUSED,                       \
        void(REAP__BY_MEMBER * n##_reap_function)(                                                 \
            struct reap__span_takes_values_by_reap_combine_at *, struct reap_flag_##op *,          \
            struct reap__span, size_t, T) REAP__UNUSED,                                            \
        struct reap_flag_##op *n##_reap_set REAP__UNUSED,                                          \
        struct reap__span n##_reap_span REAP__UNUSED

/* In a body a reduction is a struct, and a span a pointer to an incomplete type, so that +=, = and
 * [] are errors, in which the names of the types state what to do. */
typedef struct {
    void *values_;
} reap__reduction_takes_values_by_reap_combine;
#define REAP__HANDLE(lane)                                                                         \
    (reap__reduction_takes_values_by_reap_combine)                                                 \
    {                                                                                              \
        lane                                                                                       \
    }
struct reap__span_takes_values_by_reap_combine_at;

/* A static assertion in an expression, for the wrong keyword for a reduction or a span. For gcc
 * alone: clang prints the types, whose names state the right keyword. */
#ifdef __clang__
#define REAP__CLAIM(is_true, message) (void)0
#else
#define REAP__CLAIM(is_true, message)                                                              \
    (void)sizeof(struct {                                                                          \
        _Static_assert(is_true, message);                                                          \
        char claimed_;                                                                             \
    })
#endif
#define REAP__IS_SCALAR(reduction)                                                                 \
    _Generic((reduction), struct reap__span_takes_values_by_reap_combine_at * : 0, default : 1)
#define REAP__IS_SPAN(span)                                                                        \
    _Generic((span), reap__reduction_takes_values_by_reap_combine : 0, default : 1)

/* The object that keywords find in a function without REAP_ITEM. */
#if defined(__clang__) || __GNUC__ + 0 >= 12
#define REAP__UNAVAILABLE(message) __attribute__((__unavailable__(message)))
#else
#define REAP__UNAVAILABLE(message) __attribute__((__deprecated__(message)))
#endif
extern void reap_item_(void) REAP__UNAVAILABLE(
    "Reap: a function that uses this keyword must have REAP_ITEM as its first parameter, and is "
    "called with REAP_THIS_ITEM (docs/kernels.md)");

/* An element of local memory; the size of a dimension. */
#define REAP__AT_2(x, i, j) (x[(size_t)(i)*x##_reap_extents.of_two_dimensions_[1] + (size_t)(j)])
#define REAP__AT_3(x, i, j, k)                                                                     \
    (x[((size_t)(i)*x##_reap_extents.of_three_dimensions_[1] + (size_t)(j)) *                      \
           x##_reap_extents.of_three_dimensions_[2] +                                              \
       (size_t)(k)])
#define REAP__AT_1(x, i) (x##_reap_extents.reap_at_takes_an_index_for_each_dimension_[i])
#define REAP__AT_4(x, i, ...) REAP__AT_1(x, i)
#define REAP__EXTENT(x, d) (((const size_t *)(const void *)&x##_reap_extents)[d])

/* Entries of the table of parameters. */
#define REAP__ENTRY(k, p) REAP__FACET_AS_WRITTEN(REAP__ENTRY_, k, p)
#define REAP__ENTRY_(k, kind, T, n, code)                                                          \
    {#n,                                                                                           \
     #T,                                                                                           \
     kind,                                                                                         \
     offsetof(reap_arguments_##k, n),                                                              \
     sizeof(reap_type_##k##_reap_##n),                                                             \
     _Alignof(reap_type_##k##_reap_##n),                                                           \
     code},
#define REAP__ENTRY_array_(k, kind, T, n, ...) REAP__ENTRY_(k, kind, T, n, NULL)
#define REAP__ENTRY_value_(k, kind, T, n, of, how)                                                 \
    REAP__ENTRY_(k, kind, T, n, REAP__REDUCTION_OF_##how(k, of))
#define REAP__REDUCTION_OF_given_(k, of) NULL
#define REAP__REDUCTION_OF_identity_(k, of)                                                        \
    (REAP__IDENTITY_OF(k, of) + &reap_reduction_##k##_reap_##of)
#define REAP__ENTRY_local_(k, kind, T, n, ...) REAP__ENTRY_(k, kind, T, n, NULL)
#define REAP__ENTRY_scalar_(k, kind, T, n, ...)                                                    \
    REAP__ENTRY_(k, kind, T, n, &reap_reduction_##k##_reap_##n)
#define REAP__ENTRY_exact_(...) REAP__ENTRY_scalar_(__VA_ARGS__)
#define REAP__ENTRY_location_(k, kind, T, n, ...)                                                  \
    REAP__ENTRY_(k, kind, T, n, &reap_reduction_##k##_reap_##n)
#define REAP__ENTRY_span_(k, kind, T, n, ...)                                                      \
    REAP__ENTRY_(k, kind, T, n, &reap_reduction_##k##_reap_##n)

#endif
