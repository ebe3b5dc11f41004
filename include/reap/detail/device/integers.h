/* SPDX-License-Identifier: Apache-2.0
 *
 * The types of C's <stdint.h>, and float_t and double_t, on devices; and the unsigned types by
 * names that no kernel's macros change.
 */
#ifndef REAP_DETAIL_DEVICE_INTEGERS_H
#define REAP_DETAIL_DEVICE_INTEGERS_H

typedef unsigned char reap__uchar;
typedef unsigned short reap__ushort;
typedef unsigned int reap__uint;
typedef unsigned long reap__ulong;
typedef long reap__long;

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

typedef float float_t;
#ifdef REAP__DOUBLE
typedef double double_t;
#endif

#endif
