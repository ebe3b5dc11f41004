/* SPDX-License-Identifier: Apache-2.0
 *
 * Every byte is taken for the begin of an instruction, since finding the true begins would need a
 * disassembler. So this may report an instruction that does not exist (then a kernel runs slower
 * than it could), and never misses one. Encodings: Intel 64 and IA-32 manual, volume 2,
 * "VFMADDSUB132PD" and the next, sections 2.3 (VEX) and 2.7 (EVEX).
 */
#include "src/port/machine_code.h"

#include <stddef.h>

#if defined(__x86_64__)

enum { VEX_3_BYTES = 0xc4, EVEX = 0x62, MAP_0F38 = 2, PREFIX_66 = 1 };

/* 96, a6, b6: vfmaddsub132, 213 and 231; 97, a7, b7: vfmsubadd. */
static bool is_opcode(unsigned char byte)
{
    return (byte & 0xfe) == 0x96 || (byte & 0xfe) == 0xa6 || (byte & 0xfe) == 0xb6;
}

static bool is_fmaddsub(const unsigned char *at, size_t bytes)
{
    if (bytes >= 4 && at[0] == VEX_3_BYTES)
        return (at[1] & 0x1f) == MAP_0F38 && (at[2] & 3) == PREFIX_66 && is_opcode(at[3]);
    if (bytes >= 5 && at[0] == EVEX)
        return (at[1] & 7) == MAP_0F38 && (at[2] & 7) == (4 | PREFIX_66) && is_opcode(at[4]);
    return false;
}

bool reap__code_has_fmaddsub(const unsigned char *begin, const unsigned char *end)
{
    for (const unsigned char *at = begin; at < end; at++)
        if (is_fmaddsub(at, (size_t)(end - at)))
            return true;
    return false;
}

#else

bool reap__code_has_fmaddsub(const unsigned char *begin, const unsigned char *end)
{
    (void)begin;
    (void)end;
    return false;
}

#endif
