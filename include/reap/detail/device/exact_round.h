/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact sums on devices: the words of a sum in private memory, to which a value is added, and which
 * are rounded (exact_tmpl.h). A part of operators.h.
 */
#ifndef REAP_DETAIL_DEVICE_EXACT_ROUND_H
#define REAP_DETAIL_DEVICE_EXACT_ROUND_H

REAP__FUNCTION reap__ulong reap__exact_fetch_add(reap__ulong *word, reap__ulong v)
{
    const reap__ulong old = *word;
    *word = old + v;
    return old;
}

#define REAP__X_WORD reap__ulong
#define REAP__X_FETCH_ADD(word, v) reap__exact_fetch_add(word, v)
#define REAP__X float
#define REAP__X_NAME float_private
#define REAP__X_FRACTION 23
#define REAP__X_EXPONENT 0xffu
#define REAP__X_DIGITS 10u
#define REAP__X_BITS(number) ((reap__ulong)reap__bits_of_float(number))
#define REAP__X_NUMBER(bits) reap__float_of_bits((reap__uint)(bits))
#include <reap/detail/device/exact_tmpl.h>
#undef REAP__X
#undef REAP__X_NAME
#undef REAP__X_FRACTION
#undef REAP__X_EXPONENT
#undef REAP__X_DIGITS
#undef REAP__X_BITS
#undef REAP__X_NUMBER
#ifdef REAP__HAS_DOUBLES
#define REAP__X double
#define REAP__X_NAME double_private
#define REAP__X_FRACTION 52
#define REAP__X_EXPONENT 0x7ffu
#define REAP__X_DIGITS 67u
#define REAP__X_BITS(number) reap__bits_of_double(number)
#define REAP__X_NUMBER(bits) reap__double_of_bits(bits)
#include <reap/detail/device/exact_tmpl.h>
#undef REAP__X
#undef REAP__X_NAME
#undef REAP__X_FRACTION
#undef REAP__X_EXPONENT
#undef REAP__X_DIGITS
#undef REAP__X_BITS
#undef REAP__X_NUMBER
#endif
#undef REAP__X_WORD
#undef REAP__X_FETCH_ADD

#endif
