/* SPDX-License-Identifier: Apache-2.0
 *
 * Declarations of C that OpenCL C 1.2 lacks: the types and constants of <stdint.h>, <stddef.h>,
 * <limits.h>, <float.h>, <assert.h> and <stdalign.h>; with math.h, the functions of <math.h>. It is
 * the first of the dialect's headers: the others write reap__uint where names.h changes uint.
 *
 * `long long` is 128 bits wide in compilers based on clang, so nothing here has that type: the
 * library replaces it by `long` and the suffix L in the text that it passes.
 */
#ifndef REAP_DETAIL_OPENCL_STANDARD_H
#define REAP_DETAIL_OPENCL_STANDARD_H

#pragma OPENCL FP_CONTRACT OFF

#if defined(cl_khr_fp64) || defined(__opencl_c_fp64)
#define REAP__DOUBLE
#endif
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif
#ifdef cl_khr_int64_extended_atomics
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#endif

typedef unsigned char reap__uchar;
typedef unsigned short reap__ushort;
typedef unsigned int reap__uint;
typedef unsigned long reap__ulong;
typedef long reap__long;
typedef ulong2 reap__ulong2;
typedef ulong8 reap__ulong8;

typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;

typedef signed char int_least8_t;
typedef short int_least16_t;
typedef int int_least32_t;
typedef long int_least64_t;
typedef unsigned char uint_least8_t;
typedef unsigned short uint_least16_t;
typedef unsigned int uint_least32_t;
typedef unsigned long uint_least64_t;

typedef signed char int_fast8_t;
typedef long int_fast16_t;
typedef long int_fast32_t;
typedef long int_fast64_t;
typedef unsigned char uint_fast8_t;
typedef unsigned long uint_fast16_t;
typedef unsigned long uint_fast32_t;
typedef unsigned long uint_fast64_t;

typedef long intmax_t;
typedef unsigned long uintmax_t;
typedef int wchar_t;
typedef float float_t;
#ifdef REAP__DOUBLE
typedef double double_t;
#endif

#define REAP__LLONG(digits) digits##L
#define REAP__ULLONG(digits) digits##UL
#include <reap/detail/device/constants.h>

/* Some compilers' own definitions are not constant expressions, or use as_float. */
#undef INFINITY
#undef NAN
#ifdef __clang__
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#else
#define INFINITY (1.0f / 0.0f)
#define NAN (0.0f / 0.0f)
#endif

#ifndef NULL
#define NULL ((void *)0)
#endif
#undef offsetof
#ifdef __clang__
#define offsetof(T, member) __builtin_offsetof(T, member)
#else
#define offsetof(T, member) ((size_t)(&((__private T *)0)->member))
#endif

#define register
#define static_assert _Static_assert
#define alignas _Alignas
#define alignof _Alignof

/* An assertion cannot report anything. */
#undef assert
#define assert(...) ((void)0)

#include <reap/detail/opencl/math.h>

#endif
