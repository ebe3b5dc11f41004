/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of C's <math.h>, and abs and labs, as reap__math_NAME, by the device's own
 * functions, which are overloaded: C's exp is of double for any argument, and expf of float.
 * math_names.h gives them their names. On devices without double, the functions of double are
 * missing.
 *
 * The adapter (opencl/math.h, cuda/math.h) defines REAP__MATH and REAP__MATH_OVERLOAD, how
 * functions are declared, and REAP__MATH_OTHERS(T, s), functions that are not the same on all
 * devices.
 */
#ifndef REAP_DETAIL_DEVICE_MATH_H
#define REAP_DETAIL_DEVICE_MATH_H

#ifdef REAP__DOUBLE
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
#else
#define REAP__MATH_1(name)                                                                         \
    REAP__MATH float reap__math_##name##f(float x)                                                 \
    {                                                                                              \
        return name(x);                                                                            \
    }

#define REAP__MATH_2(name)                                                                         \
    REAP__MATH float reap__math_##name##f(float x, float y)                                        \
    {                                                                                              \
        return name(x, y);                                                                         \
    }
#endif

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

#define REAP__MATH_SAME(T, s)                                                                      \
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
    REAP__MATH_OVERLOAD int reap__math_fpclassify(T x)                                             \
    {                                                                                              \
        if (reap__math_isnan(x))                                                                   \
            return FP_NAN;                                                                         \
        if (reap__math_isinf(x))                                                                   \
            return FP_INFINITE;                                                                    \
        if (reap__math_isnormal(x))                                                                \
            return FP_NORMAL;                                                                      \
        return x == 0 ? FP_ZERO : FP_SUBNORMAL;                                                    \
    }

REAP__MATH_OTHERS(float, f)
REAP__MATH_SAME(float, f)
#ifdef REAP__DOUBLE
REAP__MATH_OTHERS(double, )
REAP__MATH_SAME(double, )
#endif

#undef REAP__MATH_OTHERS
#undef REAP__MATH_SAME

#ifdef REAP__DOUBLE
REAP__MATH int reap__math_islessgreater(double x, double y)
#else
REAP__MATH int reap__math_islessgreater(float x, float y)
#endif
{
    return x < y || x > y;
}

/* A device's abs may be unsigned. */
REAP__MATH int reap__math_abs(int x)
{
    return x < 0 ? -x : x;
}

REAP__MATH long reap__math_labs(long x)
{
    return x < 0 ? -x : x;
}

#endif
