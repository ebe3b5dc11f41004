/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * reap_half: IEEE 754 binary16 as a storage type.
 *
 * It has no arithmetic: convert to float, compute, and convert the result back once, as the
 * built-in reduction operators do. The conversions have no branches, so compilers vectorise loops
 * over halves. They work in modes that flush denormal floats to zero.
 */
#ifndef REAP_HALF_H
#define REAP_HALF_H

#include <reap/detail/narrow_types.h>
#include <stdint.h>

/** A 16-bit floating-point number, in two bytes on every device. */
typedef struct {
    uint16_t bits; /**< from the highest: sign, 5 bits of exponent, 10 bits of fraction */
} reap_half;

REAP__NARROW_INLINE reap_half reap__half_of(uint32_t bits)
{
    reap_half made;
    made.bits = (uint16_t)bits;
    return made;
}

/** Converts a half to a float, exactly. A NaN remains a NaN.
 *
 * @param from  the half
 * @return the float
 * @note Any thread and any kernel may call it. */
REAP__NARROW_INLINE float reap_half_to_float(reap_half from)
{
    const uint32_t sign = (uint32_t)(from.bits & 0x8000u) << 16, magnitude = from.bits & 0x7fffu;

    /* A denormal half is a multiple of 2^-24; in others the exponent's bias changes. */
    const float denormal = (float)(int32_t)magnitude * (1.0f / 16777216.0f);
    const uint32_t rebias = reap__select_bits(magnitude >= 0x7c00u, 0x70000000u, 0x38000000u);
    const uint32_t bits = reap__select_bits(magnitude < 0x0400u, reap__bits_of_float(denormal),
                                            (magnitude << 13) + rebias);
    return reap__float_of_bits(sign | bits);
}

/** Converts a float to the nearest half, ties to even.
 *
 * A NaN remains a NaN. The largest half is 65504; values of 65520 or more become infinite.
 *
 * @param value  the float
 * @return the half
 * @note Any thread and any kernel may call it. */
REAP__NARROW_INLINE reap_half reap_half_from_float(float value)
{
    const uint32_t bits = reap__bits_of_float(value);
    const uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
    uint32_t normal, denormal, finite, special;

    /* Rebias, and round in the integer: the carry may go into the exponent, up to infinity. */
    normal = (magnitude - 0x38000000u + 0x0fffu + (magnitude >> 13 & 1u)) >> 13;

    /* Below 2^-14 adding 0.5 rounds to a multiple of 2^-24, and leaves it in the low bits. */
    denormal = reap__bits_of_float(reap__float_of_bits(magnitude) + 0.5f) - 0x3f000000u;

    finite = reap__select_bits(magnitude < 0x38800000u, denormal, normal);
    special = 0x7c00u | (uint32_t)(magnitude > 0x7f800000u) << 9;
    finite = reap__select_bits(magnitude >= 0x47800000u, special, finite);
    return reap__half_of(sign | finite);
}

#endif
