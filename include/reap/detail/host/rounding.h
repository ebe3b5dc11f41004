/* SPDX-License-Identifier: Apache-2.0
 *
 * C's functions that round to integers, for gcc on x86-64, without the instruction that truncates:
 * then that is only in code in which gcc took two conversions for one truncation (kernel_host.h).
 * They have other names, since gcc takes floor(x) for trunc(x) if it knows that x is not negative.
 * The results are those of C's functions, in any rounding mode.
 */
#ifndef REAP_DETAIL_HOST_ROUNDING_H
#define REAP_DETAIL_HOST_ROUNDING_H

#if defined(floor) || defined(floorf) || defined(trunc) || defined(truncf) || defined(round) ||    \
    defined(roundf)
#error                                                                                             \
    "Reap: a macro replaces a function of <math.h>, but not on devices: define it after the kernels"
#endif

#define REAP__ROUNDING(T, f)                                                                       \
    static inline __attribute__((__always_inline__, __unused__)) T reap__floor##f(T reap_x)        \
    {                                                                                              \
        return -__builtin_ceil##f(-reap_x);                                                        \
    }                                                                                              \
    static inline __attribute__((__always_inline__, __unused__)) T reap__trunc##f(T reap_x)        \
    {                                                                                              \
        return __builtin_copysign##f(reap__floor##f(__builtin_fabs##f(reap_x)), reap_x);           \
    }                                                                                              \
    static inline __attribute__((__always_inline__, __unused__)) T reap__round##f(T reap_x)        \
    {                                                                                              \
        const T reap_y = __builtin_fabs##f(reap_x), reap_whole = reap__floor##f(reap_y);           \
        const T reap_up = reap_y - reap_whole >= (T)0.5 ? 1 : 0;                                   \
        return __builtin_copysign##f(reap_whole + reap_up, reap_x);                                \
    }
REAP__ROUNDING(float, f)
REAP__ROUNDING(double, )
#undef REAP__ROUNDING

/* The functions still have addresses. */
#define floor(x) reap__floor(x)
#define floorf(x) reap__floorf(x)
#define trunc(x) reap__trunc(x)
#define truncf(x) reap__truncf(x)
#define round(x) reap__round(x)
#define roundf(x) reap__roundf(x)

#endif
