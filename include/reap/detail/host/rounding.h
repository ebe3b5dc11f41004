/* SPDX-License-Identifier: Apache-2.0
 *
 * C's functions that round to integers, for gcc on x86-64, without the instruction that truncates:
 * then that is only in code in which gcc took two conversions for one truncation (kernel_host.h).
 * Written so that gcc does not find out: it takes floor(x) for trunc(x) if x cannot be negative.
 * The results are those of C's functions.
 */
#ifndef REAP_DETAIL_HOST_ROUNDING_H
#define REAP_DETAIL_HOST_ROUNDING_H

#define REAP__ROUNDING(T, f, almost_half)                                                          \
    extern __inline __attribute__((__always_inline__, __gnu_inline__, __artificial__))             \
    T floor##f(T reap_x)                                                                           \
    {                                                                                              \
        return -__builtin_ceil##f(-reap_x);                                                        \
    }                                                                                              \
    extern __inline __attribute__((__always_inline__, __gnu_inline__, __artificial__))             \
    T trunc##f(T reap_x)                                                                           \
    {                                                                                              \
        return __builtin_copysign##f(-__builtin_ceil##f(-__builtin_fabs##f(reap_x)), reap_x);      \
    }                                                                                              \
    /* Half of the unit in the last place less than one half: added to the number before a half,   \
     * it does not round up to an integer. */                                                      \
    extern __inline __attribute__((__always_inline__, __gnu_inline__, __artificial__))             \
    T round##f(T reap_x)                                                                           \
    {                                                                                              \
        return __builtin_copysign##f(                                                              \
            -__builtin_ceil##f(-(__builtin_fabs##f(reap_x) + (almost_half))), reap_x);             \
    }
REAP__ROUNDING(float, f, 0x1.fffffep-2f)
REAP__ROUNDING(double, , 0x1.fffffffffffffp-2)
#undef REAP__ROUNDING

#endif
