/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of C's <math.h>, and abs, labs and llabs, as reap__math_NAME, by CUDA's functions,
 * which are overloaded: C's exp is of double for any argument, and expf of float.
 * device/math_names.h gives them their names.
 */
#ifndef REAP_DETAIL_CUDA_MATH_H
#define REAP_DETAIL_CUDA_MATH_H

#define REAP__MATH [[maybe_unused]] static __forceinline__

#define REAP__MATH_1(name)                                                                         \
    REAP__MATH float reap__math_##name##f(float x)                                                 \
    {                                                                                              \
        return name(x);                                                                            \
    }                                                                                              \
    REAP__MATH double reap__math_##name(double x)                                                  \
    {                                                                                              \
        return name(x);                                                                            \
    }

#define REAP__MATH_2(name)                                                                         \
    REAP__MATH float reap__math_##name##f(float x, float y)                                        \
    {                                                                                              \
        return name(x, y);                                                                         \
    }                                                                                              \
    REAP__MATH double reap__math_##name(double x, double y)                                        \
    {                                                                                              \
        return name(x, y);                                                                         \
    }

REAP__MATH_1(acos)
REAP__MATH_1(acosh)
REAP__MATH_1(asin)
REAP__MATH_1(asinh)
REAP__MATH_1(atan)
REAP__MATH_1(atanh)
REAP__MATH_1(cbrt)
REAP__MATH_1(ceil)
REAP__MATH_1(cos)
REAP__MATH_1(cosh)
REAP__MATH_1(erf)
REAP__MATH_1(erfc)
REAP__MATH_1(exp)
REAP__MATH_1(exp2)
REAP__MATH_1(expm1)
REAP__MATH_1(fabs)
REAP__MATH_1(floor)
REAP__MATH_1(lgamma)
REAP__MATH_1(log)
REAP__MATH_1(log10)
REAP__MATH_1(log1p)
REAP__MATH_1(log2)
REAP__MATH_1(logb)
REAP__MATH_1(rint)
REAP__MATH_1(round)
REAP__MATH_1(sin)
REAP__MATH_1(sinh)
REAP__MATH_1(sqrt)
REAP__MATH_1(tan)
REAP__MATH_1(tanh)
REAP__MATH_1(tgamma)
REAP__MATH_1(trunc)

REAP__MATH_2(atan2)
REAP__MATH_2(copysign)
REAP__MATH_2(fdim)
REAP__MATH_2(fmax)
REAP__MATH_2(fmin)
REAP__MATH_2(fmod)
REAP__MATH_2(hypot)
REAP__MATH_2(nextafter)
REAP__MATH_2(pow)
REAP__MATH_2(remainder)

#undef REAP__MATH_1
#undef REAP__MATH_2

#define REAP__MATH_OTHERS(T, s)                                                                    \
    REAP__MATH T reap__math_nearbyint##s(T x)                                                      \
    {                                                                                              \
        return nearbyint(x);                                                                       \
    }                                                                                              \
    REAP__MATH T reap__math_fma##s(T x, T y, T z)                                                  \
    {                                                                                              \
        return fma(x, y, z);                                                                       \
    }                                                                                              \
    REAP__MATH T reap__math_nan##s(void)                                                           \
    {                                                                                              \
        return NAN;                                                                                \
    }                                                                                              \
    REAP__MATH T reap__math_ldexp##s(T x, int n)                                                   \
    {                                                                                              \
        return ldexp(x, n);                                                                        \
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
    }                                                                                              \
    REAP__MATH int reap__math_fpclassify(T x)                                                      \
    {                                                                                              \
        if (x != x)                                                                                \
            return FP_NAN;                                                                         \
        if (fabs(x) == INFINITY)                                                                   \
            return FP_INFINITE;                                                                    \
        if (fabs(x) >= (sizeof(T) == 4 ? FLT_MIN : DBL_MIN))                                       \
            return FP_NORMAL;                                                                      \
        return x == 0 ? FP_ZERO : FP_SUBNORMAL;                                                    \
    }

REAP__MATH_OTHERS(float, f)
REAP__MATH_OTHERS(double, )

#undef REAP__MATH_OTHERS

REAP__MATH int reap__math_islessgreater(double x, double y)
{
    return x < y || x > y;
}

REAP__MATH int reap__math_abs(int x)
{
    return x < 0 ? -x : x;
}

REAP__MATH long reap__math_labs(long x)
{
    return x < 0 ? -x : x;
}

REAP__MATH long long reap__math_llabs(long long x)
{
    return x < 0 ? -x : x;
}

#undef REAP__MATH

#endif
