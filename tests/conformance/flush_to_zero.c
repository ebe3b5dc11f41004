/* SPDX-License-Identifier: Apache-2.0
 *
 * A shared library of the kind that is linked with -ffast-math: when it is loaded, it makes the
 * process flush denormal numbers to zero and take them for zero.
 */
#include "tests/conformance/flush_to_zero.h"

#if defined(__x86_64__)
#include <xmmintrin.h>

__attribute__((constructor)) static void flush_denormals(void)
{
    _mm_setcsr(_mm_getcsr() | 0x8040);
}
#elif defined(__aarch64__)
#include <stdint.h>

__attribute__((constructor)) static void flush_denormals(void)
{
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    __asm__ volatile("msr fpcr, %0" : : "r"(control | 1u << 24));
}
#endif

bool flush_to_zero_happens(void)
{
    volatile float tiny = 0x1p-140f;
    return tiny * 0.5f == 0;
}
