/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic operations in CUDA C++, relaxed, one function for each operation and type.
 */
#ifndef REAP_DETAIL_CUDA_ATOMICS_H
#define REAP_DETAIL_CUDA_ATOMICS_H

/* X(name, type); U is the type of CUDA's functions */
#define REAP__ATOMIC_TYPES(X)                                                                      \
    X(int, int, int)                                                                               \
    X(uint, unsigned, unsigned)                                                                    \
    X(long, long, long long)                                                                       \
    X(ulong, unsigned long, unsigned long long)                                                    \
    X(llong, long long, long long)                                                                 \
    X(ullong, unsigned long long, unsigned long long)

#define REAP__ATOMIC_TYPES_IN(X, space)                                                            \
    X(space, int)                                                                                  \
    X(space, unsigned)                                                                             \
    X(space, long)                                                                                 \
    X(space, unsigned long)                                                                        \
    X(space, long long)                                                                            \
    X(space, unsigned long long)
#define REAP__HAS_WIDE_ATOMICS

/* Sums of signed integers wrap, so they are those of unsigned ones. */
#define REAP__ATOMIC_ADD(T, U)                                                                     \
    REAP__OVERLOAD T reap__atomic_fetch_add(T *object, T v)                                        \
    {                                                                                              \
        return (T)atomicAdd((U *)object, (U)v);                                                    \
    }
REAP__ATOMIC_ADD(int, unsigned)
REAP__ATOMIC_ADD(unsigned, unsigned)
REAP__ATOMIC_ADD(long, unsigned long long)
REAP__ATOMIC_ADD(unsigned long, unsigned long long)
REAP__ATOMIC_ADD(long long, unsigned long long)
REAP__ATOMIC_ADD(unsigned long long, unsigned long long)
REAP__ATOMIC_ADD(float, float)
#if __CUDA_ARCH__ >= 600
REAP__ATOMIC_ADD(double, double)
#endif

#define REAP__ATOMIC_INTEGER(name, T, U)                                                           \
    REAP__OVERLOAD T reap__atomic_fetch_min(T *object, T v)                                        \
    {                                                                                              \
        return (T)atomicMin((U *)object, (U)v);                                                    \
    }                                                                                              \
    REAP__OVERLOAD T reap__atomic_fetch_max(T *object, T v)                                        \
    {                                                                                              \
        return (T)atomicMax((U *)object, (U)v);                                                    \
    }
REAP__ATOMIC_TYPES(REAP__ATOMIC_INTEGER)

#define REAP__ATOMIC_BITS(name, T, U) REAP__ATOMIC_WORDS(T, REAP__PASTE(REAP__WORD_OF_, name))
#define REAP__WORD_OF_int unsigned
#define REAP__WORD_OF_uint unsigned
#define REAP__WORD_OF_long unsigned long long
#define REAP__WORD_OF_ulong unsigned long long
#define REAP__WORD_OF_llong unsigned long long
#define REAP__WORD_OF_ullong unsigned long long
#define REAP__ATOMIC_WORDS(T, W)                                                                   \
    REAP__OVERLOAD T reap__atomic_fetch_and(T *object, T v)                                        \
    {                                                                                              \
        return (T)atomicAnd((W *)object, (W)v);                                                    \
    }                                                                                              \
    REAP__OVERLOAD T reap__atomic_fetch_or(T *object, T v)                                         \
    {                                                                                              \
        return (T)atomicOr((W *)object, (W)v);                                                     \
    }                                                                                              \
    REAP__OVERLOAD T reap__atomic_fetch_xor(T *object, T v)                                        \
    {                                                                                              \
        return (T)atomicXor((W *)object, (W)v);                                                    \
    }                                                                                              \
    REAP__OVERLOAD T reap__atomic_exchange(T *object, T v)                                         \
    {                                                                                              \
        return (T)atomicExch((W *)object, (W)v);                                                   \
    }                                                                                              \
    REAP__OVERLOAD T reap__atomic_compare_exchange(T *object, T expected, T v)                     \
    {                                                                                              \
        return (T)atomicCAS((W *)object, (W)expected, (W)v);                                       \
    }
REAP__ATOMIC_TYPES(REAP__ATOMIC_BITS)

#endif
