/* SPDX-License-Identifier: Apache-2.0
 *
 * First every byte is taken for the begin of an instruction: that misses none, and rarely finds one
 * in code without. Only if it does, the code is decoded in order. It has only instructions and
 * padding; where it cannot be decoded, the first search counts. Encodings: Intel 64 and IA-32
 * manual, volume 2, "VFMADDSUB132PD" and the next, sections 2.3 (VEX) and 2.7 (EVEX), AVX512-FP16
 * architecture specification; AMD64 manual, volume 6, "VFMADDSUBPD" (FMA4). "ROUNDPS" and the next,
 * "VRNDSCALEPS".
 */
#include "src/port/machine_code.h"

#include "src/port/instruction.h"

#include <stddef.h>

#if defined(__x86_64__)

enum { VEX_3_BYTES = 0xc4, EVEX = 0x62, MAP_0F38 = 2, MAP_0F3A = 3, MAP_HALF = 6, PREFIX_66 = 1 };

/* 96, a6, b6: vfmaddsub132, 213 and 231; 97, a7, b7: vfmsubadd. */
static bool is_opcode(unsigned char byte)
{
    return (byte & 0xfe) == 0x96 || (byte & 0xfe) == 0xa6 || (byte & 0xfe) == 0xb6;
}

/* 5c to 5f, with four operands. */
static bool is_fma4_opcode(unsigned char byte)
{
    return (byte & 0xfc) == 0x5c;
}

/* Products of complex numbers of half precision (vfmulcph, vfmaddcph and the like). */
static bool is_complex_opcode(unsigned char byte)
{
    return (byte & 0x7e) == 0x56;
}

static bool is_vex_fmaddsub(const unsigned char *at)
{
    const unsigned map = at[1] & 0x1f, prefix = at[2] & 3;
    return prefix == PREFIX_66 &&
           ((map == MAP_0F38 && is_opcode(at[3])) || (map == MAP_0F3A && is_fma4_opcode(at[3])));
}

static bool is_evex_fmaddsub(const unsigned char *at)
{
    const unsigned map = at[1] & 7, prefix = at[2] & 3;
    if ((at[2] & 4) == 0)
        return false;
    if (prefix == PREFIX_66)
        return (map == MAP_0F38 || map == MAP_HALF) && is_opcode(at[4]);
    return map == MAP_HALF && prefix > PREFIX_66 && is_complex_opcode(at[4]);
}

static bool is_fmaddsub(const unsigned char *at, size_t bytes)
{
    return (bytes >= 4 && at[0] == VEX_3_BYTES && is_vex_fmaddsub(at)) ||
           (bytes >= 5 && at[0] == EVEX && is_evex_fmaddsub(at));
}

/* roundps, roundpd, roundss and roundsd, and vrndscale. */
static bool is_rounding_opcode(unsigned char byte)
{
    return (byte & 0xfc) == 0x08;
}

static bool is_rounding(const unsigned char *at, size_t bytes)
{
    if (bytes >= 3 && at[0] == 0x0f)
        return at[1] == 0x3a && is_rounding_opcode(at[2]);
    if (bytes >= 4 && at[0] == VEX_3_BYTES)
        return (at[1] & 0x1f) == MAP_0F3A && (at[2] & 3) == PREFIX_66 && is_rounding_opcode(at[3]);
    return bytes >= 5 && at[0] == EVEX && (at[1] & 7) == MAP_0F3A && (at[2] & 7) == 5 &&
           is_rounding_opcode(at[4]);
}

/* The last byte of an instruction that rounds says how: toward 0 here, to an integer. */
static bool is_truncation(const unsigned char *at, size_t bytes)
{
    return is_rounding(at, bytes) && (at[bytes - 1] & 0xf7) == 3;
}

typedef bool reap__is_instruction(const unsigned char *at, size_t bytes);

static bool has_pattern(reap__is_instruction *is_one, const unsigned char *begin,
                        const unsigned char *end)
{
    for (const unsigned char *at = begin; at < end; at++)
        if (is_one(at, (size_t)(end - at)))
            return true;
    return false;
}

static bool is_confirmed(reap__is_instruction *is_one, const unsigned char *begin,
                         const unsigned char *end)
{
    size_t opcode, length;
    for (const unsigned char *at = begin; at < end; at += length) {
        length = reap__instruction_length(at, end, &opcode);
        if (length == 0 || is_one(at + opcode, length - opcode))
            return true;
    }
    return false;
}

bool reap__code_has_fmaddsub(const unsigned char *begin, const unsigned char *end)
{
    return has_pattern(is_fmaddsub, begin, end) && is_confirmed(is_fmaddsub, begin, end);
}

bool reap__code_has_truncation(const unsigned char *begin, const unsigned char *end)
{
    return has_pattern(is_rounding, begin, end) && is_confirmed(is_truncation, begin, end);
}

#else

bool reap__code_has_truncation(const unsigned char *begin, const unsigned char *end)
{
    (void)begin;
    (void)end;
    return false;
}

bool reap__code_has_fmaddsub(const unsigned char *begin, const unsigned char *end)
{
    (void)begin;
    (void)end;
    return false;
}

#endif
