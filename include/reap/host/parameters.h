/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel's parameters, walked several times, each time with another facet: the checks, the
 * members of the argument struct, the parameters of the body, the entries of the table.
 */
#ifndef REAP_HOST_PARAMETERS_H
#define REAP_HOST_PARAMETERS_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <reap/host/code.h>
#include <reap/host/list.h>
#include <reap/host/operators.h>

#define REAP__FACET(facet, k, p) REAP__FACET_(facet, k, REAP__PARAMETER_##p)
#define REAP__FACET_(...) REAP__FACET__(__VA_ARGS__)
#define REAP__FACET__(facet, k, class, ...) facet##class(k, __VA_ARGS__)

/* Checks: they come first, so that the compiler's first error says what is wrong. */
#define REAP__CHECK(k, p)                                                                          \
    _Static_assert(REAP__SECOND(REAP__KIND_##p, 0),                                                \
                   "Reap kernel '" #k "': '" #p                                                    \
                   "' is no kind of parameter (in, out, inout, value, reduce, reduce_with, "       \
                   "reduce_location, reduce_span, reduce_span_with, local)");                      \
    REAP__FACET(REAP__CHECK_, k, p)
#define REAP__KIND_in(T, n) ~, 1
#define REAP__KIND_out(T, n) ~, 1
#define REAP__KIND_inout(T, n) ~, 1
#define REAP__KIND_value(T, n) ~, 1
#define REAP__KIND_local(T, n) ~, 1
#define REAP__KIND_reduce(op, T, n) ~, 1
#define REAP__KIND_reduce_with(op, T, n) ~, 1
#define REAP__KIND_reduce_location(op, T, n) ~, 1
#define REAP__KIND_reduce_span(op, T, n) ~, 1
#define REAP__KIND_reduce_span_with(op, T, n) ~, 1
#define REAP__CHECK_array_(k, kind, T, n, ...)
#define REAP__CHECK_value_(k, kind, T, n, ...)
#define REAP__CHECK_local_(k, kind, T, n, ...)                                                     \
    _Static_assert(_Alignof(T) <= 64, "Reap kernel '" #k "': '" #n "' has type '" #T               \
                                      "', whose alignment is beyond 64");
#define REAP__CHECK_scalar_(k, kind, T, n, op, origin) REAP__CHECK_##origin(k, T, n, op)
#define REAP__CHECK_span_(k, kind, T, n, op, origin) REAP__CHECK_##origin(k, T, n, op)
#define REAP__CHECK_location_(k, kind, T, n, op, origin)                                           \
    _Static_assert(REAP__SECOND(REAP__HAS_LOCATION_##op, 0),                                       \
                   "Reap kernel '" #k "': '" #n "' has operator '" #op                             \
                   "', and only minimum and maximum have a location");                             \
    REAP__CHECK_builtin_(k, T, n, op)
#define REAP__HAS_LOCATION_minimum ~, 1
#define REAP__HAS_LOCATION_maximum ~, 1
#define REAP__CHECK_builtin_(k, T, n, op)                                                          \
    _Static_assert(REAP__IS_OPERATOR(op),                                                          \
                   "Reap kernel '" #k "': '" #n "' has operator '" #op                             \
                   "', which is none of the built-in ones (for your own: reduce_with)");           \
    _Static_assert(REAP__FITS(op, T), "Reap kernel '" #k "': '" #n "' has operator '" #op          \
                                      "', which does not fit type '" #T "'");
#define REAP__CHECK_user_(k, T, n, op)                                                             \
    _Static_assert(sizeof(T) > 0,                                                                  \
                   "Reap kernel '" #k "': '" #n "' has type '" #T "', whose size is 0");           \
    _Static_assert(!REAP__IS_OPERATOR(op), "Reap kernel '" #k "': '" #n "' has operator '" #op     \
                                           "', which is built in (use reduce or reduce_span)");    \
    _Static_assert(reap_operator_declared_##op, "by REAP_OPERATOR or REAP_OPERATOR_NO_IDENTITY");  \
    _Static_assert(_Generic(&reap_operator_##op, T(*)(T, T) : 1, default : 0),                     \
                   "Reap kernel '" #k "': '" #n "' has operator '" #op                             \
                   "', which was not declared for type '" #T "'");

/* Members of the argument struct. */
#define REAP__MEMBER(k, p) REAP__FACET(REAP__MEMBER_, k, p)
#define REAP__MEMBER_array_(k, kind, T, n, Q, ...) Q *n;
#define REAP__MEMBER_value_(k, kind, T, n, ...) T n;
#define REAP__MEMBER_local_(k, kind, T, n, ...) size_t n;
#define REAP__MEMBER_scalar_(k, kind, T, n, ...)                                                   \
    struct {                                                                                       \
        T *variable;                                                                               \
        const T *identity;                                                                         \
        unsigned properties;                                                                       \
    } n;
#define REAP__MEMBER_location_(k, kind, T, n, ...)                                                 \
    struct {                                                                                       \
        T *variable;                                                                               \
        const T *identity;                                                                         \
        unsigned properties;                                                                       \
        uint64_t *location;                                                                        \
    } n;
#define REAP__MEMBER_span_(k, kind, T, n, ...)                                                     \
    struct {                                                                                       \
        T *variable;                                                                               \
        const T *identity;                                                                         \
        unsigned properties;                                                                       \
        size_t count;                                                                              \
    } n;

/* Parameters of the body, and of helpers that take a reduction. */
#define REAP__FORMAL(k, p) REAP__FACET(REAP__FORMAL_, k, p)
#define REAP__UNUSED __attribute__((__unused__))
#define REAP__FORMAL_array_(k, kind, T, n, Q, ...) , Q *n REAP__UNUSED
#define REAP__FORMAL_value_(k, kind, T, n, ...) , T n REAP__UNUSED
#define REAP__FORMAL_local_(k, kind, T, n, ...) , T *n REAP__UNUSED
#define REAP__FORMAL_scalar_(k, kind, T, n, op, ...) , REAP__SCALAR_PARAMETERS(op, T, n)
#define REAP__FORMAL_location_(k, kind, T, n, op, ...) , REAP__LOCATION_PARAMETERS(op, T, n)
#define REAP__FORMAL_span_(k, kind, T, n, op, ...) , REAP__SPAN_PARAMETERS(op, T, n)
#define REAP__SCALAR_PARAMETERS(op, T, n)                                                          \
    T *n REAP__UNUSED,                                                                             \
        void (*n##_reap_combine)(T *, struct reap_flag_##op *, size_t, T) REAP__UNUSED,            \
        struct reap_flag_##op *n##_reap_set REAP__UNUSED
#define REAP__LOCATION_PARAMETERS(op, T, n)                                                        \
    T *n REAP__UNUSED,                                                                             \
        void (*n##_reap_combine)(T *, struct reap_place_##op, size_t, T) REAP__UNUSED,             \
        struct reap_place_##op n##_reap_set REAP__UNUSED
#define REAP__SPAN_PARAMETERS(op, T, n)                                                            \
    T *n REAP__UNUSED,                                                                             \
        void (*n##_reap_combine)(T *, struct reap_flag_##op *, struct reap__span, size_t, T)       \
            REAP__UNUSED,                                                                          \
        struct reap_flag_##op *n##_reap_set REAP__UNUSED,                                          \
        struct reap__span n##_reap_span REAP__UNUSED

/* Entries of the table of parameters. */
#define REAP__ENTRY(k, p) REAP__FACET(REAP__ENTRY_, k, p)
#define REAP__ENTRY_(k, kind, T, n, code)                                                          \
    {#n, #T, kind, offsetof(struct reap_arguments_##k, n), sizeof(T), _Alignof(T), code},
#define REAP__ENTRY_array_(k, kind, T, n, ...) REAP__ENTRY_(k, kind, T, n, NULL)
#define REAP__ENTRY_value_(k, kind, T, n, ...) REAP__ENTRY_(k, kind, T, n, NULL)
#define REAP__ENTRY_local_(k, kind, T, n, ...) REAP__ENTRY_(k, kind, T, n, NULL)
#define REAP__ENTRY_scalar_(k, kind, T, n, ...)                                                    \
    REAP__ENTRY_(k, kind, T, n, &reap_reduction_##k##_reap_##n)
#define REAP__ENTRY_location_(k, kind, T, n, ...)                                                  \
    REAP__ENTRY_(k, kind, T, n, &reap_reduction_##k##_reap_##n)
#define REAP__ENTRY_span_(k, kind, T, n, ...)                                                      \
    REAP__ENTRY_(k, kind, T, n, &reap_reduction_##k##_reap_##n)

#endif
