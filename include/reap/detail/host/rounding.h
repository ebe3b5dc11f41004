/* SPDX-License-Identifier: Apache-2.0
 *
 * C's functions that round to integers, for gcc on x86-64, without the instruction that truncates:
 * then that is only in code in which gcc took two conversions for one truncation (kernel_host.h),
 * or floor(x) for trunc(x), since it knows that x is not negative. The results are those of C's
 * functions, in any rounding mode. (A signalling NaN may remain one.)
 */
#ifndef REAP_DETAIL_HOST_ROUNDING_H
#define REAP_DETAIL_HOST_ROUNDING_H

#define REAP__ROUNDING(T, f)                                                                       \
    extern __inline __attribute__((__always_inline__, __gnu_inline__, __artificial__))             \
    T(floor##f)(T reap_x)                                                                          \
    {                                                                                              \
        return -__builtin_ceil##f(-reap_x);                                                        \
    }                                                                                              \
    extern __inline __attribute__((__always_inline__, __gnu_inline__, __artificial__))             \
    T(trunc##f)(T reap_x)                                                                          \
    {                                                                                              \
        return __builtin_copysign##f(-__builtin_ceil##f(-__builtin_fabs##f(reap_x)), reap_x);      \
    }                                                                                              \
    extern __inline __attribute__((__always_inline__, __gnu_inline__, __artificial__))             \
    T(round##f)(T reap_x)                                                                          \
    {                                                                                              \
        const T reap_y = __builtin_fabs##f(reap_x), reap_whole = -__builtin_ceil##f(-reap_y);      \
        const T reap_up = reap_y - reap_whole >= (T)0.5 ? 1 : 0;                                   \
        return __builtin_copysign##f(reap_whole + reap_up, reap_x);                                \
    }
REAP__ROUNDING(float, f)
REAP__ROUNDING(double, )
#undef REAP__ROUNDING

#endif
