/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * reap_bfloat16: the upper 16 bits of a float (IEEE 754 binary32), as a storage type.
 *
 * It has a float's range and 8 bits of precision. As reap_half it has no arithmetic: convert to
 * float, compute, and convert the result back once, as the built-in reduction operators do. The
 * conversions have no branches, so compilers vectorise loops over such numbers, and work in modes
 * that flush denormal floats to zero.
 */
#ifndef REAP_BFLOAT16_H
#define REAP_BFLOAT16_H

#include <reap/detail/narrow_types.h>
#include <stdint.h>

/** A 16-bit floating-point number, in two bytes on every device. */
typedef struct {
    uint16_t bits; /**< from the highest: sign, 8 bits of exponent, 7 bits of fraction */
} reap_bfloat16;

REAP__NARROW_INLINE reap_bfloat16 reap__bfloat16_of(uint32_t bits)
{
    reap_bfloat16 made;
    made.bits = (uint16_t)bits;
    return made;
}

/** Converts a bfloat16 to a float, exactly. A NaN remains a NaN.
 *
 * @param from  the bfloat16
 * @return the float
 * @note Any thread and any kernel may call it. */
REAP__NARROW_INLINE float reap_bfloat16_to_float(reap_bfloat16 from)
{
    return reap__float_of_bits((uint32_t)from.bits << 16);
}

/** Converts a float to the nearest bfloat16, ties to even.
 *
 * A NaN remains a NaN. The largest bfloat16 is about 3.3895e38; floats that are nearer to 2^128,
 * or as near, become infinite.
 *
 * @param value  the float
 * @return the bfloat16
 * @note Any thread and any kernel may call it. */
REAP__NARROW_INLINE reap_bfloat16 reap_bfloat16_from_float(float value)
{
    const uint32_t bits = reap__bits_of_float(value);
    const uint32_t is_nan = (uint32_t)((bits & 0x7fffffffu) > 0x7f800000u);

    /* Round in the integer: the carry may go into the exponent, up to infinity. */
    const uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;

    /* The fraction of a NaN keeps a bit, whatever its lower bits were. */
    return reap__bfloat16_of(reap__select_bits(is_nan, bits >> 16 | 0x40u, rounded));
}

#endif
