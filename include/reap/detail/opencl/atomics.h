/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic operations in OpenCL C, relaxed, in global and local memory, one function for each
 * operation and type. Those of 64 bits need extensions of the device.
 */
#ifndef REAP_DETAIL_OPENCL_ATOMICS_H
#define REAP_DETAIL_OPENCL_ATOMICS_H

#if defined(cl_khr_int64_base_atomics) && defined(cl_khr_int64_extended_atomics)
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define REAP__HAS_WIDE_ATOMICS
#endif

/* X(name, type), for types that have atomic operations */
#ifdef REAP__HAS_WIDE_ATOMICS
#define REAP__ATOMIC_TYPES(X) X(int, int) X(uint, unsigned) X(long, long) X(ulong, unsigned long)
#define REAP__ATOMIC_TYPES_IN(X, space)                                                            \
    X(space, int) X(space, unsigned) X(space, long) X(space, unsigned long)
#else
#define REAP__ATOMIC_TYPES(X) X(int, int) X(uint, unsigned)
#define REAP__ATOMIC_TYPES_IN(X, space) X(space, int) X(space, unsigned)
#endif

/* One operation on a space's memory: T is processed as W by OpenCL's function. */
#define REAP__ATOMIC_TWO(space, word, T, W, function)                                              \
    REAP__OVERLOAD T reap__atomic_##word(space T *object, T v)                                     \
    {                                                                                              \
        return (T)function((volatile space W *)object, (W)v);                                      \
    }
#define REAP__ATOMIC_TYPE(space, T, W, prefix)                                                     \
    REAP__ATOMIC_TWO(space, fetch_add, T, W, prefix##_add)                                         \
    REAP__ATOMIC_TWO(space, fetch_min, T, W, prefix##_min)                                         \
    REAP__ATOMIC_TWO(space, fetch_max, T, W, prefix##_max)                                         \
    REAP__ATOMIC_TWO(space, fetch_and, T, W, prefix##_and)                                         \
    REAP__ATOMIC_TWO(space, fetch_or, T, W, prefix##_or)                                           \
    REAP__ATOMIC_TWO(space, fetch_xor, T, W, prefix##_xor)                                         \
    REAP__ATOMIC_TWO(space, exchange, T, W, prefix##_xchg)                                         \
    REAP__OVERLOAD T reap__atomic_compare_exchange(space T *object, T expected, T v)               \
    {                                                                                              \
        return (T)prefix##_cmpxchg((volatile space W *)object, (W)expected, (W)v);                 \
    }

#define REAP__ATOMIC_NARROW(space, ...)                                                            \
    REAP__ATOMIC_TYPE(space, int, int, atomic)                                                     \
    REAP__ATOMIC_TYPE(space, unsigned, uint, atomic)                                               \
    REAP__OVERLOAD_WITH_BRANCHES float reap__atomic_fetch_add(space float *object, float v)        \
    {                                                                                              \
        uint old = as_uint(*(volatile space float *)object);                                       \
        for (;;) {                                                                                 \
            const uint found =                                                                     \
                atomic_cmpxchg((volatile space uint *)object, old, as_uint(as_float(old) + v));    \
            if (found == old)                                                                      \
                return as_float(old);                                                              \
            old = found;                                                                           \
        }                                                                                          \
    }
REAP__EACH_SPACE(REAP__ATOMIC_NARROW, ~)

#ifdef REAP__HAS_WIDE_ATOMICS
#define REAP__ATOMIC_WIDE(space, ...)                                                              \
    REAP__ATOMIC_TYPE(space, long, long, atom)                                                     \
    REAP__ATOMIC_TYPE(space, unsigned long, ulong, atom)
REAP__EACH_SPACE(REAP__ATOMIC_WIDE, ~)
#ifdef REAP__HAS_DOUBLES
#define REAP__ATOMIC_DOUBLE(space, ...)                                                            \
    REAP__OVERLOAD_WITH_BRANCHES double reap__atomic_fetch_add(space double *object, double v)     \
    {                                                                                              \
        ulong old = as_ulong(*(volatile space double *)object);                                    \
        for (;;) {                                                                                 \
            const ulong found =                                                                    \
                atom_cmpxchg((volatile space ulong *)object, old, as_ulong(as_double(old) + v));   \
            if (found == old)                                                                      \
                return as_double(old);                                                             \
            old = found;                                                                           \
        }                                                                                          \
    }
REAP__EACH_SPACE(REAP__ATOMIC_DOUBLE, ~)
#endif
#endif

#endif
