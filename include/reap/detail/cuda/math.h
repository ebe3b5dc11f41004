/* SPDX-License-Identifier: Apache-2.0
 *
 * The adapter of device/math.h for CUDA C++.
 */
#ifndef REAP_DETAIL_CUDA_MATH_H
#define REAP_DETAIL_CUDA_MATH_H

#define REAP__MATH [[maybe_unused]] static __forceinline__
#define REAP__MATH_OVERLOAD REAP__MATH

#define REAP__MATH_OTHERS(T, s)                                                                    \
    REAP__MATH T reap__math_nearbyint##s(T x)                                                      \
    {                                                                                              \
        return nearbyint(x);                                                                       \
    }                                                                                              \
    REAP__MATH T reap__math_scalbn##s(T x, int n)                                                  \
    {                                                                                              \
        return scalbn(x, n);                                                                       \
    }                                                                                              \
    REAP__MATH T reap__math_scalbln##s(T x, long n)                                                \
    {                                                                                              \
        return scalbln(x, n);                                                                      \
    }                                                                                              \
    REAP__MATH T reap__math_frexp##s(T x, int *exponent)                                           \
    {                                                                                              \
        return frexp(x, exponent);                                                                 \
    }                                                                                              \
    REAP__MATH T reap__math_modf##s(T x, T *whole)                                                 \
    {                                                                                              \
        return modf##s(x, whole);                                                                  \
    }                                                                                              \
    REAP__MATH T reap__math_remquo##s(T x, T y, int *quotient)                                     \
    {                                                                                              \
        return remquo##s(x, y, quotient);                                                          \
    }                                                                                              \
    REAP__MATH int reap__math_ilogb##s(T x)                                                        \
    {                                                                                              \
        return ilogb(x);                                                                           \
    }                                                                                              \
    REAP__MATH long reap__math_lrint##s(T x)                                                       \
    {                                                                                              \
        return lrint(x);                                                                           \
    }                                                                                              \
    REAP__MATH long reap__math_lround##s(T x)                                                      \
    {                                                                                              \
        return lround(x);                                                                          \
    }                                                                                              \
    REAP__MATH long long reap__math_llrint##s(T x)                                                 \
    {                                                                                              \
        return llrint(x);                                                                          \
    }                                                                                              \
    REAP__MATH long long reap__math_llround##s(T x)                                                \
    {                                                                                              \
        return llround(x);                                                                         \
    }                                                                                              \
    REAP__MATH int reap__math_isnan(T x)                                                           \
    {                                                                                              \
        return x != x;                                                                             \
    }                                                                                              \
    REAP__MATH int reap__math_isinf(T x)                                                           \
    {                                                                                              \
        return fabs(x) == INFINITY;                                                                \
    }                                                                                              \
    REAP__MATH int reap__math_isfinite(T x)                                                        \
    {                                                                                              \
        return fabs(x) < INFINITY;                                                                 \
    }                                                                                              \
    REAP__MATH int reap__math_isnormal(T x)                                                        \
    {                                                                                              \
        return fabs(x) >= (sizeof(T) == 4 ? FLT_MIN : DBL_MIN) && fabs(x) < INFINITY;              \
    }                                                                                              \
    REAP__MATH int reap__math_signbit(T x)                                                         \
    {                                                                                              \
        return signbit(x) != 0;                                                                    \
    }

#include <reap/detail/device/math.h>

REAP__MATH long long reap__math_llabs(long long x)
{
    return x < 0 ? -x : x;
}

#undef REAP__MATH_OVERLOAD
#undef REAP__MATH

#endif
