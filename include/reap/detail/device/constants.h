/* SPDX-License-Identifier: Apache-2.0
 *
 * The constants of C's <stdint.h>, <limits.h>, <float.h> and <math.h>, for devices'
 * compilers, with the values and types of C on 64-bit Linux. A device's own macros of these names
 * may differ in type, or contain names that names.h changes.
 */
#ifndef REAP_DETAIL_DEVICE_CONSTANTS_H
#define REAP_DETAIL_DEVICE_CONSTANTS_H

/* <limits.h> */
#undef CHAR_BIT
#define CHAR_BIT 8
#undef MB_LEN_MAX
#define MB_LEN_MAX 16
#undef SCHAR_MIN
#define SCHAR_MIN (-128)
#undef SCHAR_MAX
#define SCHAR_MAX 127
#undef UCHAR_MAX
#define UCHAR_MAX 255
#undef CHAR_MIN
#define CHAR_MIN SCHAR_MIN
#undef CHAR_MAX
#define CHAR_MAX SCHAR_MAX
#undef SHRT_MIN
#define SHRT_MIN (-32767 - 1)
#undef SHRT_MAX
#define SHRT_MAX 32767
#undef USHRT_MAX
#define USHRT_MAX 65535
#undef INT_MIN
#define INT_MIN (-INT_MAX - 1)
#undef INT_MAX
#define INT_MAX 2147483647
#undef UINT_MAX
#define UINT_MAX 4294967295U
#undef LONG_MIN
#define LONG_MIN (-LONG_MAX - 1L)
#undef LONG_MAX
#define LONG_MAX 9223372036854775807L
#undef ULONG_MAX
#define ULONG_MAX 18446744073709551615UL
#undef LLONG_MIN
#define LLONG_MIN (-LLONG_MAX - 1)
#undef LLONG_MAX
#define LLONG_MAX REAP__LLONG(9223372036854775807)
#undef ULLONG_MAX
#define ULLONG_MAX REAP__ULLONG(18446744073709551615)

/* <stdint.h>: the fast types are those of glibc. */
#undef INT8_MIN
#define INT8_MIN SCHAR_MIN
#undef INT8_MAX
#define INT8_MAX SCHAR_MAX
#undef UINT8_MAX
#define UINT8_MAX UCHAR_MAX
#undef INT16_MIN
#define INT16_MIN SHRT_MIN
#undef INT16_MAX
#define INT16_MAX SHRT_MAX
#undef UINT16_MAX
#define UINT16_MAX USHRT_MAX
#undef INT32_MIN
#define INT32_MIN INT_MIN
#undef INT32_MAX
#define INT32_MAX INT_MAX
#undef UINT32_MAX
#define UINT32_MAX UINT_MAX
#undef INT64_MIN
#define INT64_MIN LONG_MIN
#undef INT64_MAX
#define INT64_MAX LONG_MAX
#undef UINT64_MAX
#define UINT64_MAX ULONG_MAX
#undef INT_LEAST8_MIN
#define INT_LEAST8_MIN SCHAR_MIN
#undef INT_LEAST8_MAX
#define INT_LEAST8_MAX SCHAR_MAX
#undef UINT_LEAST8_MAX
#define UINT_LEAST8_MAX UCHAR_MAX
#undef INT_LEAST16_MIN
#define INT_LEAST16_MIN SHRT_MIN
#undef INT_LEAST16_MAX
#define INT_LEAST16_MAX SHRT_MAX
#undef UINT_LEAST16_MAX
#define UINT_LEAST16_MAX USHRT_MAX
#undef INT_LEAST32_MIN
#define INT_LEAST32_MIN INT_MIN
#undef INT_LEAST32_MAX
#define INT_LEAST32_MAX INT_MAX
#undef UINT_LEAST32_MAX
#define UINT_LEAST32_MAX UINT_MAX
#undef INT_LEAST64_MIN
#define INT_LEAST64_MIN LONG_MIN
#undef INT_LEAST64_MAX
#define INT_LEAST64_MAX LONG_MAX
#undef UINT_LEAST64_MAX
#define UINT_LEAST64_MAX ULONG_MAX
#undef INT_FAST8_MIN
#define INT_FAST8_MIN SCHAR_MIN
#undef INT_FAST8_MAX
#define INT_FAST8_MAX SCHAR_MAX
#undef UINT_FAST8_MAX
#define UINT_FAST8_MAX UCHAR_MAX
#undef INT_FAST16_MIN
#define INT_FAST16_MIN LONG_MIN
#undef INT_FAST16_MAX
#define INT_FAST16_MAX LONG_MAX
#undef UINT_FAST16_MAX
#define UINT_FAST16_MAX ULONG_MAX
#undef INT_FAST32_MIN
#define INT_FAST32_MIN LONG_MIN
#undef INT_FAST32_MAX
#define INT_FAST32_MAX LONG_MAX
#undef UINT_FAST32_MAX
#define UINT_FAST32_MAX ULONG_MAX
#undef INT_FAST64_MIN
#define INT_FAST64_MIN LONG_MIN
#undef INT_FAST64_MAX
#define INT_FAST64_MAX LONG_MAX
#undef UINT_FAST64_MAX
#define UINT_FAST64_MAX ULONG_MAX
#undef INTPTR_MIN
#define INTPTR_MIN LONG_MIN
#undef INTPTR_MAX
#define INTPTR_MAX LONG_MAX
#undef UINTPTR_MAX
#define UINTPTR_MAX ULONG_MAX
#undef INTMAX_MIN
#define INTMAX_MIN LONG_MIN
#undef INTMAX_MAX
#define INTMAX_MAX LONG_MAX
#undef UINTMAX_MAX
#define UINTMAX_MAX ULONG_MAX
#undef PTRDIFF_MIN
#define PTRDIFF_MIN LONG_MIN
#undef PTRDIFF_MAX
#define PTRDIFF_MAX LONG_MAX
#undef SIZE_MAX
#define SIZE_MAX ULONG_MAX
#undef SIG_ATOMIC_MIN
#define SIG_ATOMIC_MIN INT_MIN
#undef SIG_ATOMIC_MAX
#define SIG_ATOMIC_MAX INT_MAX
#undef WCHAR_MIN
#define WCHAR_MIN INT_MIN
#undef WCHAR_MAX
#define WCHAR_MAX INT_MAX
#undef WINT_MIN
#define WINT_MIN 0U
#undef WINT_MAX
#define WINT_MAX UINT_MAX
#undef INT8_C
#define INT8_C(c) c
#undef UINT8_C
#define UINT8_C(c) c
#undef INT16_C
#define INT16_C(c) c
#undef UINT16_C
#define UINT16_C(c) c
#undef INT32_C
#define INT32_C(c) c
#undef UINT32_C
#define UINT32_C(c) c##U
#undef INT64_C
#define INT64_C(c) c##L
#undef UINT64_C
#define UINT64_C(c) c##UL
#undef INTMAX_C
#define INTMAX_C(c) c##L
#undef UINTMAX_C
#define UINTMAX_C(c) c##UL

/* <float.h>, except the constants of long double and DECIMAL_DIG, which depends on it. */
#undef FLT_RADIX
#define FLT_RADIX 2
#undef FLT_ROUNDS
#define FLT_ROUNDS 1
#undef FLT_EVAL_METHOD
#define FLT_EVAL_METHOD 0
#undef FLT_MANT_DIG
#define FLT_MANT_DIG 24
#undef FLT_DIG
#define FLT_DIG 6
#undef FLT_DECIMAL_DIG
#define FLT_DECIMAL_DIG 9
#undef FLT_MIN_EXP
#define FLT_MIN_EXP (-125)
#undef FLT_MIN_10_EXP
#define FLT_MIN_10_EXP (-37)
#undef FLT_MAX_EXP
#define FLT_MAX_EXP 128
#undef FLT_MAX_10_EXP
#define FLT_MAX_10_EXP 38
#undef FLT_MAX
#define FLT_MAX 0x1.fffffep127f
#undef FLT_MIN
#define FLT_MIN 0x1p-126f
#undef FLT_TRUE_MIN
#define FLT_TRUE_MIN 0x1p-149f
#undef FLT_EPSILON
#define FLT_EPSILON 0x1p-23f
#undef FLT_HAS_SUBNORM
#define FLT_HAS_SUBNORM 1
#undef DBL_MANT_DIG
#define DBL_MANT_DIG 53
#undef DBL_DIG
#define DBL_DIG 15
#undef DBL_DECIMAL_DIG
#define DBL_DECIMAL_DIG 17
#undef DBL_MIN_EXP
#define DBL_MIN_EXP (-1021)
#undef DBL_MIN_10_EXP
#define DBL_MIN_10_EXP (-307)
#undef DBL_MAX_EXP
#define DBL_MAX_EXP 1024
#undef DBL_MAX_10_EXP
#define DBL_MAX_10_EXP 308
#undef DBL_MAX
#define DBL_MAX 0x1.fffffffffffffp1023
#undef DBL_MIN
#define DBL_MIN 0x1p-1022
#undef DBL_TRUE_MIN
#define DBL_TRUE_MIN 0x1p-1074
#undef DBL_EPSILON
#define DBL_EPSILON 0x1p-52
#undef DBL_HAS_SUBNORM
#define DBL_HAS_SUBNORM 1

/* <math.h> */
#undef M_E
#define M_E 2.7182818284590452354
#undef M_LOG2E
#define M_LOG2E 1.4426950408889634074
#undef M_LOG10E
#define M_LOG10E 0.43429448190325182765
#undef M_LN2
#define M_LN2 0.69314718055994530942
#undef M_LN10
#define M_LN10 2.30258509299404568402
#undef M_PI
#define M_PI 3.14159265358979323846
#undef M_PI_2
#define M_PI_2 1.57079632679489661923
#undef M_PI_4
#define M_PI_4 0.78539816339744830962
#undef M_1_PI
#define M_1_PI 0.31830988618379067154
#undef M_2_PI
#define M_2_PI 0.63661977236758134308
#undef M_2_SQRTPI
#define M_2_SQRTPI 1.12837916709551257390
#undef M_SQRT2
#define M_SQRT2 1.41421356237309504880
#undef M_SQRT1_2
#define M_SQRT1_2 0.70710678118654752440
#undef FP_NAN
#define FP_NAN 0
#undef FP_INFINITE
#define FP_INFINITE 1
#undef FP_ZERO
#define FP_ZERO 2
#undef FP_SUBNORMAL
#define FP_SUBNORMAL 3
#undef FP_NORMAL
#define FP_NORMAL 4
#undef FP_ILOGB0
#define FP_ILOGB0 INT_MIN
#undef FP_ILOGBNAN
#define FP_ILOGBNAN INT_MIN
#undef HUGE_VALF
#define HUGE_VALF INFINITY
#undef HUGE_VAL
#define HUGE_VAL ((double)INFINITY)
#endif
