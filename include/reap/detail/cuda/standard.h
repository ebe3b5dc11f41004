/* SPDX-License-Identifier: Apache-2.0
 *
 * Declarations of C that NVRTC, which has no headers, lacks: the types and constants of <stdint.h>,
 * <stddef.h>, <limits.h>, <float.h>, <assert.h> and <stdalign.h>, and the keywords of C11 that C++
 * spells differently; with math.h, the functions of <math.h>. It is the first of the dialect's
 * headers.
 */
#ifndef REAP_DETAIL_CUDA_STANDARD_H
#define REAP_DETAIL_CUDA_STANDARD_H

#define restrict __restrict__
#define register
#define auto
#define _Bool bool
#define _Static_assert static_assert
#define _Alignas alignas
#define _Alignof alignof
#define _Noreturn __attribute__((__noreturn__))
/* Without parentheses after it, it is a name in C; preprocess/names.c renames it in kernels. */
#define reap__name_alignof(...) __alignof__(__VA_ARGS__)

#define REAP__DOUBLE

#include <reap/detail/device/integers.h>

typedef long intptr_t; /* OpenCL C has them */
typedef unsigned long uintptr_t;

struct alignas(16) reap__ulong2 {
    unsigned long x, y;
};

struct alignas(64) reap__ulong8 {
    unsigned long s0, s1, s2, s3, s4, s5, s6, s7;
};

#define REAP__LLONG(digits) digits##LL
#define REAP__ULLONG(digits) digits##ULL
#include <reap/detail/device/constants.h>

/* Constants, so that static tables may contain them: __int_as_float is a function. */
#if defined(__has_builtin)
#if __has_builtin(__builtin_bit_cast)
#define INFINITY __builtin_bit_cast(float, 0x7f800000)
#define NAN __builtin_bit_cast(float, 0x7fc00000)
#endif
#endif
#ifndef INFINITY
#pragma nv_diag_suppress 39
#define INFINITY (1.0f / 0.0f)
#define NAN (-(0.0f / 0.0f))
#endif

/* A function, since preprocess/names.c renames nullptr in kernels. */
static constexpr __forceinline__ decltype(nullptr) reap__null(void)
{
    return nullptr;
}
#undef NULL
#define NULL reap__null()
#define offsetof(T, member) ((size_t)__INTADDR__(&(((T *)0)->member)))

/* An assertion cannot report anything: CUDA's would make the device unusable for the whole process.
 */
#undef assert
#define assert(...) ((void)0)

#include <reap/detail/cuda/math.h>

#endif
