/* SPDX-License-Identifier: Apache-2.0
 *
 * The atomic operations on pointers of any type, as integers of their size. The parameters are
 * those of atomics_tmpl.h; for sums the last one is the size of the object that the pointer points
 * to, in bytes.
 */
#ifndef REAP_DETAIL_HOST_ATOMIC_POINTERS_H
#define REAP_DETAIL_HOST_ATOMIC_POINTERS_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <reap/detail/host/operators.h>
#include <stdbool.h>
#include <stddef.h>

/* Whether an object is a pointer that is not const: GNU C's class of pointers is 5; the type of a
 * comma expression has no qualifiers, so a const object has another type. */
#define REAP__IS_POINTER_OBJECT(object)                                                            \
    (__builtin_classify_type(*(object)) == 5 &&                                                    \
     _Generic((object), __typeof__(((void)0, *(object))) * : 1, default : 0))

/* The size of the object that a pointer object points to; 1 for numbers. */
#define REAP__POINTER_STRIDE(object)                                                               \
    ((int)sizeof(*_Generic(*(object), REAP__EACH_NUMBER(REAP__CASE_OF_CHARACTER), default          \
                           : *(object))))
#define REAP__EACH_NUMBER(X)                                                                       \
    X(int), X(unsigned), X(long), X(unsigned long), X(long long), X(unsigned long long), X(float), \
        X(double)
#define REAP__CASE_OF_CHARACTER(T)                                                                 \
    T:                                                                                             \
    (char *)0

/* Pointer objects are accessed as pointers to char, so sums are in bytes. */
typedef char *volatile *reap__pointer_object;
REAP__INLINE char *reap__pointer_value(const volatile void *v)
{
    union {
        const volatile void *given;
        char *value;
    } pointer = {v};
    return pointer.value;
}

REAP__INLINE void *reap__atomic_load_pointer(volatile void *object, int order, int failure)
{
    (void)failure;
    return __atomic_load_n((reap__pointer_object)object, order);
}

REAP__INLINE void reap__atomic_store_pointer(volatile void *object, const volatile void *v,
                                             int order, int failure)
{
    (void)failure;
    __atomic_store_n((reap__pointer_object)object, reap__pointer_value(v), order);
}

REAP__INLINE void *reap__atomic_exchange_pointer(volatile void *object, const volatile void *v,
                                                 int order, int failure)
{
    (void)failure;
    return __atomic_exchange_n((reap__pointer_object)object, reap__pointer_value(v), order);
}

REAP__INLINE bool reap__atomic_compare_exchange_weak_pointer(volatile void *object, void *expected,
                                                             const volatile void *v, int order,
                                                             int failure)
{
    return __atomic_compare_exchange_n((reap__pointer_object)object, (char **)expected,
                                       reap__pointer_value(v), true, order, failure);
}

REAP__INLINE bool reap__atomic_compare_exchange_strong_pointer(volatile void *object,
                                                               void *expected,
                                                               const volatile void *v, int order,
                                                               int failure)
{
    return __atomic_compare_exchange_n((reap__pointer_object)object, (char **)expected,
                                       reap__pointer_value(v), false, order, failure);
}

REAP__INLINE void *reap__atomic_compare_exchange_pointer(volatile void *object,
                                                         const volatile void *expected,
                                                         const volatile void *v, int order,
                                                         int failure)
{
    char *found = reap__pointer_value(expected);
    __atomic_compare_exchange_n((reap__pointer_object)object, &found, reap__pointer_value(v), false,
                                order, failure);
    return found;
}

/* Neither gcc nor clang multiplies the number by the size. */
REAP__INLINE void *reap__atomic_fetch_add_pointer(volatile void *object, ptrdiff_t v, int order,
                                                  int stride)
{
    return __atomic_fetch_add((reap__pointer_object)object, v * stride, order);
}

REAP__INLINE void *reap__atomic_fetch_sub_pointer(volatile void *object, ptrdiff_t v, int order,
                                                  int stride)
{
    return __atomic_fetch_sub((reap__pointer_object)object, v * stride, order);
}

#endif
