/* SPDX-License-Identifier: Apache-2.0
 *
 * The x86-64 levels by CPUID: the tests of older compilers do not know the levels' names.
 */
#include "src/port/cpu.h"

#if defined(__x86_64__)

#include <cpuid.h>

struct registers {
    unsigned eax, ebx, ecx, edx;
};

static struct registers leaf(unsigned number)
{
    struct registers r = {0, 0, 0, 0};
    __get_cpuid_count(number, 0, &r.eax, &r.ebx, &r.ecx, &r.edx);
    return r;
}

static bool has(unsigned word, unsigned bits)
{
    return (word & bits) == bits;
}

/* Whether the operating system saves these registers. */
static bool saves(unsigned parts)
{
    unsigned low, high;
    if (!has(leaf(1).ecx, bit_OSXSAVE))
        return false;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return has(low, parts);
}

bool reap__cpu_has_x86_64_v3(void)
{
    const unsigned sse_and_avx = 0x6, lzcnt = 1u << 5;
    return has(leaf(1).ecx, bit_SSE3 | bit_SSSE3 | bit_FMA | bit_CMPXCHG16B | bit_SSE4_1 |
                                bit_SSE4_2 | bit_MOVBE | bit_POPCNT | bit_AVX | bit_F16C) &&
           has(leaf(7).ebx, bit_BMI | bit_AVX2 | bit_BMI2) && has(leaf(0x80000001).ecx, lzcnt) &&
           saves(sse_and_avx);
}

bool reap__cpu_has_x86_64_v4(void)
{
    const unsigned sse_avx_and_avx512 = 0xe6;
    return reap__cpu_has_x86_64_v3() &&
           has(leaf(7).ebx,
               bit_AVX512F | bit_AVX512DQ | bit_AVX512CD | bit_AVX512BW | bit_AVX512VL) &&
           saves(sse_avx_and_avx512);
}

#else

bool reap__cpu_has_x86_64_v3(void)
{
    return false;
}

bool reap__cpu_has_x86_64_v4(void)
{
    return false;
}

#endif
