/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic operations: one function for each operation and type, selected by the type that the
 * pointer points to. They are relaxed, as on all devices: each is atomic and does not order
 * anything else.
 */
#ifndef REAP_DETAIL_HOST_ATOMICS_H
#define REAP_DETAIL_HOST_ATOMICS_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <reap/detail/host/operators.h>

/* X(name, type) */
#define REAP__ATOMIC_INTEGERS(X)                                                                   \
    X(int, int)                                                                                    \
    X(uint, unsigned)                                                                              \
    X(long, long) X(ulong, unsigned long) X(llong, long long) X(ullong, unsigned long long)
#define REAP__ATOMIC_FLOATS(X) X(float, float) X(double, double)

#define REAP__ATOMIC_FETCH(word, name, T)                                                          \
    REAP__INLINE T reap__atomic_fetch_##word##_##name(T *object, T v)                              \
    {                                                                                              \
        return __atomic_fetch_##word(object, v, __ATOMIC_RELAXED);                                 \
    }
/* Replaces the value unless it is already at least as small (or large) as v. */
#define REAP__ATOMIC_BEST(word, is_better, name, T)                                                \
    REAP__INLINE T reap__atomic_fetch_##word##_##name(T *object, T v)                              \
    {                                                                                              \
        T old = __atomic_load_n(object, __ATOMIC_RELAXED);                                         \
        while (v is_better old && !__atomic_compare_exchange_n(                                    \
                                      object, &old, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))  \
            ;                                                                                      \
        return old;                                                                                \
    }
#define REAP__ATOMIC_INTEGER(name, T)                                                              \
    REAP__ATOMIC_FETCH(add, name, T)                                                               \
    REAP__ATOMIC_FETCH(and, name, T)                                                               \
    REAP__ATOMIC_FETCH(or, name, T)                                                                \
    REAP__ATOMIC_FETCH(xor, name, T)                                                               \
    REAP__ATOMIC_BEST(min, <, name, T)                                                             \
    REAP__ATOMIC_BEST(max, >, name, T)                                                             \
    REAP__INLINE T reap__atomic_exchange_##name(T *object, T v)                                    \
    {                                                                                              \
        return __atomic_exchange_n(object, v, __ATOMIC_RELAXED);                                   \
    }                                                                                              \
    REAP__INLINE T reap__atomic_compare_exchange_##name(T *object, T expected, T v)                \
    {                                                                                              \
        __atomic_compare_exchange_n(object, &expected, v, false, __ATOMIC_RELAXED,                 \
                                    __ATOMIC_RELAXED);                                             \
        return expected;                                                                           \
    }
REAP__ATOMIC_INTEGERS(REAP__ATOMIC_INTEGER)

#define REAP__ATOMIC_FLOAT(name, T)                                                                \
    REAP__INLINE T reap__atomic_fetch_add_##name(T *object, T v)                                   \
    {                                                                                              \
        T old, sum;                                                                                \
        __atomic_load(object, &old, __ATOMIC_RELAXED);                                             \
        do                                                                                         \
            sum = old + v;                                                                         \
        while (!__atomic_compare_exchange(object, &old, &sum, true, __ATOMIC_RELAXED,              \
                                          __ATOMIC_RELAXED));                                      \
        return old;                                                                                \
    }
REAP__ATOMIC_FLOATS(REAP__ATOMIC_FLOAT)

/* The names are pasted at once: they may be macros of the user. */
#define REAP__ATOMIC(word, object) _Generic((object), REAP__ATOMIC_ALL(reap__atomic_##word##_))
#define REAP__ATOMIC_ADD(object)                                                                   \
    _Generic((object), REAP__ATOMIC_ALL(reap__atomic_fetch_add_), float *                          \
             : reap__atomic_fetch_add_float, double *                                              \
             : reap__atomic_fetch_add_double)
#define REAP__ATOMIC_ALL(prefix)                                                                   \
    int * : prefix##int,                                                                           \
            unsigned * : prefix##uint,                                                             \
                         long * : prefix##long,                                                    \
                                  unsigned long * : prefix##ulong,                                 \
                                                    long long * : prefix##llong,                   \
                                                                  unsigned long long               \
                                                                      * : prefix##ullong

#endif
