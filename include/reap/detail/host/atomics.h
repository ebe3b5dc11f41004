/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic operations: one function for each operation and type, selected by the type that the
 * pointer points to; pointers of all types share one, and are cast back. Orders are those of the
 * compiler's __atomic builtins; all scopes are those of the system, since work-items of any group
 * may run on any thread.
 */
#ifndef REAP_DETAIL_HOST_ATOMICS_H
#define REAP_DETAIL_HOST_ATOMICS_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <reap/detail/atomic_arguments.h>
#include <reap/detail/host/operators.h>
#include <stdbool.h>

_Static_assert(__ATOMIC_RELAXED == 0 && __ATOMIC_ACQUIRE == 2 && __ATOMIC_RELEASE == 3 &&
                   __ATOMIC_ACQ_REL == 4 && __ATOMIC_SEQ_CST == 5,
               "Reap: its memory orders are this compiler's");

#define REAP__ATOMIC_T int
#define REAP__ATOMIC_NAMED(word) reap__atomic_##word##_int
#define REAP__ATOMIC_IS_INTEGER 1
#include <reap/detail/host/atomics_tmpl.h>

#define REAP__ATOMIC_T unsigned
#define REAP__ATOMIC_NAMED(word) reap__atomic_##word##_uint
#define REAP__ATOMIC_IS_INTEGER 1
#include <reap/detail/host/atomics_tmpl.h>

#define REAP__ATOMIC_T long
#define REAP__ATOMIC_NAMED(word) reap__atomic_##word##_long
#define REAP__ATOMIC_IS_INTEGER 1
#include <reap/detail/host/atomics_tmpl.h>

#define REAP__ATOMIC_T unsigned long
#define REAP__ATOMIC_NAMED(word) reap__atomic_##word##_ulong
#define REAP__ATOMIC_IS_INTEGER 1
#include <reap/detail/host/atomics_tmpl.h>

#define REAP__ATOMIC_T long long
#define REAP__ATOMIC_NAMED(word) reap__atomic_##word##_llong
#define REAP__ATOMIC_IS_INTEGER 1
#include <reap/detail/host/atomics_tmpl.h>

#define REAP__ATOMIC_T unsigned long long
#define REAP__ATOMIC_NAMED(word) reap__atomic_##word##_ullong
#define REAP__ATOMIC_IS_INTEGER 1
#include <reap/detail/host/atomics_tmpl.h>

#define REAP__ATOMIC_T float
#define REAP__ATOMIC_NAMED(word) reap__atomic_##word##_float
#define REAP__ATOMIC_IS_INTEGER 0
#include <reap/detail/host/atomics_tmpl.h>

#define REAP__ATOMIC_T double
#define REAP__ATOMIC_NAMED(word) reap__atomic_##word##_double
#define REAP__ATOMIC_IS_INTEGER 0
#include <reap/detail/host/atomics_tmpl.h>

#include <reap/detail/host/atomic_pointers.h>

/* X(type of a pointer, prefix_NAME) for each type. */
#define REAP__EACH_INTEGER_POINTER(X, prefix)                                                      \
    X(int *, prefix##_int), X(unsigned *, prefix##_uint), X(long *, prefix##_long),                \
        X(unsigned long *, prefix##_ulong), X(long long *, prefix##_llong),                        \
        X(unsigned long long *, prefix##_ullong)
#define REAP__EACH_NUMBER_POINTER(X, prefix)                                                       \
    REAP__EACH_INTEGER_POINTER(X, prefix), X(float *, prefix##_float), X(double *, prefix##_double)
#define REAP__CASE(T, function)                                                                    \
    T:                                                                                             \
    function
#define REAP__CASE_OF_ONE(T, function)                                                             \
    T:                                                                                             \
    1

/* The classes of operations, by the objects that they take:
 * - INTEGERS, NUMBERS;
 * - VALUES and OBJECTS: numbers and pointers; operations on VALUES return one, of that type;
 * - TERMS: the same, for sums of a pointer and a number of elements. */
#define REAP__ATOMIC_INTEGERS(object)                                                              \
    _Generic((object), REAP__EACH_INTEGER_POINTER(REAP__CASE_OF_ONE, reap_), default : 0)
#define REAP__ATOMIC_NUMBERS(object)                                                               \
    _Generic((object), REAP__EACH_NUMBER_POINTER(REAP__CASE_OF_ONE, reap_), default : 0)
#define REAP__ATOMIC_VALUES(object)                                                                \
    _Generic((object), REAP__EACH_NUMBER_POINTER(REAP__CASE_OF_ONE, reap_), default                \
             : REAP__IS_POINTER_OBJECT(object))
#define REAP__ATOMIC_OBJECTS(object) REAP__ATOMIC_VALUES(object)
#define REAP__ATOMIC_TERMS(object) REAP__ATOMIC_VALUES(object)
#define REAP__ATOMIC_INTEGERS_FUNCTION(object, f)                                                  \
    _Generic((object), REAP__EACH_INTEGER_POINTER(REAP__CASE, f))
#define REAP__ATOMIC_NUMBERS_FUNCTION(object, f)                                                   \
    _Generic((object), REAP__EACH_NUMBER_POINTER(REAP__CASE, f))
#define REAP__ATOMIC_OBJECTS_FUNCTION(object, f)                                                   \
    _Generic((object), REAP__EACH_NUMBER_POINTER(REAP__CASE, f), default : f##_pointer)
/* An assignment, since clang warns of a cast whose value is not used, where macros were expanded by
 * another run of it. A comma's type is not const, so a const object is one error. */
#define REAP__ATOMIC_VALUES_FUNCTION(object, f)                                                    \
    *(__typeof__(((void)0, *(object)))[1]){0} =                                                    \
        (__typeof__(*(object)))REAP__ATOMIC_OBJECTS_FUNCTION(object, f)
#define REAP__ATOMIC_TERMS_FUNCTION(object, f) REAP__ATOMIC_VALUES_FUNCTION(object, f)

/* The last argument of functions that compare nothing. */
#define REAP__ATOMIC_INTEGERS_LAST(object) __ATOMIC_RELAXED
#define REAP__ATOMIC_NUMBERS_LAST(object) __ATOMIC_RELAXED
#define REAP__ATOMIC_VALUES_LAST(object) __ATOMIC_RELAXED
#define REAP__ATOMIC_OBJECTS_LAST(object) __ATOMIC_RELAXED
#define REAP__ATOMIC_TERMS_LAST(object) REAP__POINTER_STRIDE(object)

#define REAP__ATOMIC_INTEGERS_TEXT                                                                 \
    "a pointer to an integer of 32 or 64 bits that is not const: int32_t, uint32_t, int64_t or "   \
    "uint64_t in an inout or out array or in local memory"
#define REAP__ATOMIC_NUMBERS_TEXT                                                                  \
    "a pointer to an integer of 32 or 64 bits, a float or a double that is not const: int32_t, "   \
    "uint32_t, int64_t, uint64_t, float or double in an inout or out array or in local memory"
#define REAP__ATOMIC_VALUES_TEXT                                                                   \
    "a pointer to an integer of 32 or 64 bits, a float, a double or a pointer that is not const: " \
    "int32_t, uint32_t, int64_t, uint64_t, float, double or T * in an inout or out array or in "   \
    "local memory"
#define REAP__ATOMIC_OBJECTS_TEXT REAP__ATOMIC_VALUES_TEXT
#define REAP__ATOMIC_TERMS_TEXT REAP__ATOMIC_VALUES_TEXT

/* ?: has the type int * for a null pointer constant, and void * for another pointer. */
#define REAP__IS_CONSTANT(x) _Generic(1 ? (void *)((long)(x)*0) : (int *)16, int * : 1, void * : 0)
#define REAP__ATOMIC_CHECK(...) ((void)sizeof(struct { __VA_ARGS__ char reap_; }))
#define REAP__ATOMIC_CAN(name, order, scope)

#define REAP__ATOMIC_BY_DEFAULT(f, type, ...)                                                      \
    REAP__ATOMIC_AT_(f, type, REAP__FIRST(__VA_ARGS__), __VA_ARGS__, __ATOMIC_RELAXED,             \
                     type##_LAST(REAP__FIRST(__VA_ARGS__)))
#define REAP__ATOMIC_AT(f, type, order, scope, ...)                                                \
    REAP__ATOMIC_AT_(f, type, REAP__FIRST(__VA_ARGS__), __VA_ARGS__, (order),                      \
                     type##_LAST(REAP__FIRST(__VA_ARGS__)))
#define REAP__ATOMIC_SWAP_AT(f, type, success, failure, scope, ...)                                \
    REAP__ATOMIC_AT_(f, type, REAP__FIRST(__VA_ARGS__), __VA_ARGS__, (success), (failure))
#define REAP__ATOMIC_AT_(f, type, object, ...) (type##_FUNCTION(object, f)(__VA_ARGS__))
#define REAP__ATOMIC_FENCE_AT(order, scope) __atomic_thread_fence(order)

#endif
