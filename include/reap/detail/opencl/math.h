/* SPDX-License-Identifier: Apache-2.0
 *
 * The adapter of device/math.h for OpenCL C. A pointer is to private memory, where local variables
 * are.
 */
#ifndef REAP_DETAIL_OPENCL_MATH_H
#define REAP_DETAIL_OPENCL_MATH_H

#define REAP__MATH static inline __attribute__((always_inline))
#define REAP__MATH_OVERLOAD static inline __attribute__((overloadable, always_inline))

#define REAP__MATH_OTHERS(T, s)                                                                    \
    REAP__MATH T reap__math_nearbyint##s(T x)                                                      \
    {                                                                                              \
        return rint(x);                                                                            \
    }                                                                                              \
    REAP__MATH T reap__math_scalbn##s(T x, int n)                                                  \
    {                                                                                              \
        return ldexp(x, n);                                                                        \
    }                                                                                              \
    REAP__MATH T reap__math_scalbln##s(T x, long n)                                                \
    {                                                                                              \
        return ldexp(x, n > 9999 ? 9999 : n < -9999 ? -9999 : (int)n);                             \
    }                                                                                              \
    REAP__MATH T reap__math_frexp##s(T x, int *exponent)                                           \
    {                                                                                              \
        int n;                                                                                     \
        T fraction = frexp(x, &n);                                                                 \
        *exponent = n;                                                                             \
        return fraction;                                                                           \
    }                                                                                              \
    REAP__MATH T reap__math_modf##s(T x, T *whole)                                                 \
    {                                                                                              \
        T w;                                                                                       \
        T fraction = modf(x, &w);                                                                  \
        *whole = w;                                                                                \
        return fraction;                                                                           \
    }                                                                                              \
    REAP__MATH T reap__math_remquo##s(T x, T y, int *quotient)                                     \
    {                                                                                              \
        int n;                                                                                     \
        T rest = remquo(x, y, &n);                                                                 \
        *quotient = n;                                                                             \
        return rest;                                                                               \
    }                                                                                              \
    REAP__MATH int reap__math_ilogb##s(T x)                                                        \
    {                                                                                              \
        return x == 0 ? FP_ILOGB0 : x != x ? FP_ILOGBNAN : isinf(x) ? INT_MAX : ilogb(x);          \
    }                                                                                              \
    REAP__MATH long reap__math_lrint##s(T x)                                                       \
    {                                                                                              \
        return (long)rint(x);                                                                      \
    }                                                                                              \
    REAP__MATH long reap__math_lround##s(T x)                                                      \
    {                                                                                              \
        return (long)round(x);                                                                     \
    }                                                                                              \
    REAP__MATH_OVERLOAD int reap__math_isnan(T x)                                                  \
    {                                                                                              \
        return isnan(x);                                                                           \
    }                                                                                              \
    REAP__MATH_OVERLOAD int reap__math_isinf(T x)                                                  \
    {                                                                                              \
        return isinf(x);                                                                           \
    }                                                                                              \
    REAP__MATH_OVERLOAD int reap__math_isfinite(T x)                                               \
    {                                                                                              \
        return isfinite(x);                                                                        \
    }                                                                                              \
    REAP__MATH_OVERLOAD int reap__math_isnormal(T x)                                               \
    {                                                                                              \
        return isnormal(x);                                                                        \
    }                                                                                              \
    REAP__MATH_OVERLOAD int reap__math_signbit(T x)                                                \
    {                                                                                              \
        return signbit(x);                                                                         \
    }

#include <reap/detail/device/math.h>

#define reap__math_llabs reap__math_labs
#define reap__math_llrint reap__math_lrint
#define reap__math_llrintf reap__math_lrintf
#define reap__math_llround reap__math_lround
#define reap__math_llroundf reap__math_lroundf

#undef REAP__MATH_OVERLOAD
#undef REAP__MATH

#endif
