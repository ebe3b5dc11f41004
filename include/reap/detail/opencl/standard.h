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

#include <reap/detail/device/integers.h>

typedef ulong2 reap__ulong2;
typedef ulong8 reap__ulong8;
typedef int wchar_t;

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
#define auto
#define static_assert _Static_assert
#define alignas _Alignas
#define alignof(...) _Alignof(__VA_ARGS__) /* without parentheses after it, it is a name in C */

/* An assertion cannot report anything. */
#undef assert
#define assert(...) ((void)0)

#include <reap/detail/opencl/math.h>

#endif
