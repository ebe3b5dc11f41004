/* SPDX-License-Identifier: Apache-2.0
 *
 * What half.h and bfloat16.h share: the list of the narrow types (floating-point types of 16 bits
 * that are for storage alone), and the bits of a float. Conversions are made of operations on
 * integers, so that they have the same results in every dialect.
 */
#ifndef REAP_DETAIL_NARROW_TYPES_H
#define REAP_DETAIL_NARROW_TYPES_H

/* X(name, type, one, infinity, canonical NaN): the bits of these values. Without a sign, greater
 * ones than infinity's are NaNs. */
#define REAP__NARROW_TYPES(X)                                                                      \
    X(half, reap_half, 0x3c00, 0x7c00, 0x7e00)                                                     \
    X(bfloat16, reap_bfloat16, 0x3f80, 0x7f80, 0x7fc0)

/* Always inline: a call prevents vectorisation of the loop (gcc 13 at -O2). Device dialects define
 * REAP__FUNCTION and the two functions below themselves. */
#ifdef REAP__FUNCTION
#define REAP__NARROW_INLINE REAP__FUNCTION
#else
#ifdef __GNUC__
#define REAP__NARROW_INLINE static inline __attribute__((__always_inline__, __unused__))
#else
#define REAP__NARROW_INLINE static inline
#endif
#include <stdint.h>
#include <string.h>

REAP__NARROW_INLINE uint32_t reap__bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

REAP__NARROW_INLINE float reap__float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
#endif

/* Returns `a` if the condition is 1, `b` if it is 0. */
REAP__NARROW_INLINE uint32_t reap__select_bits(uint32_t condition, uint32_t a, uint32_t b)
{
    return b ^ ((a ^ b) & (0u - condition));
}

#endif
