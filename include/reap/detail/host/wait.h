/* SPDX-License-Identifier: Apache-2.0
 *
 * How a work-item waits for the others of its group. On x86-64 it jumps to the library with the
 * address at which it continues, and the library jumps back there when all items have arrived. This
 * is not a call, so it stores nothing on the item's stack, whose cache lines and pages need not be
 * present when many items follow each other, and the processor's prediction of returns is not
 * disturbed.
 */
#ifndef REAP_DETAIL_HOST_WAIT_H
#define REAP_DETAIL_HOST_WAIT_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <reap/detail/host/isa.h>
#include <reap/detail/host/operators.h>
#include <reap/detail/kernel_table.h>

/* System V ABI, AMD64 (1.0), section 3.2.1, lists what a call may change, except that the 128 bytes
 * below the stack pointer are preserved. clang always takes the names of all registers (those of
 * APX since version 19), gcc those of the instruction set that is selected here, by options or
 * pragmas. A pragma after this header may select more, and compilers inline functions of this
 * instruction set into functions of that one: those may have values in registers that are not in
 * the list, so they wait by a call. REAP__MAY_LEAP says so where an item waits, and where a kernel
 * is defined. (With gcc no macro shows an attribute `target`.) */
#if defined(__x86_64__) && defined(__LP64__) && defined(__GNUC__)
#if defined(__AVX512F__) || defined(__clang__)
#define REAP__AVX512_REGISTERS                                                                     \
    , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",    \
        "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5",  \
        "k6", "k7"
#define REAP__ADDS_AVX512 0
#else
#define REAP__AVX512_REGISTERS
#define REAP__ADDS_AVX512 REAP__IS_DEFINED_AS_1(__AVX512F__)
#endif
#if defined(__APX_F__) || (defined(__clang__) && __clang_major__ >= 19)
#define REAP__APX_REGISTERS                                                                        \
    , "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "r24", "r25", "r26", "r27", "r28",   \
        "r29", "r30", "r31"
#define REAP__ADDS_APX 0
#else
#define REAP__APX_REGISTERS
#define REAP__ADDS_APX REAP__IS_DEFINED_AS_1(__APX_F__)
#endif
#define REAP__MAY_LEAP (!REAP__ADDS_AVX512 && !REAP__ADDS_APX)
/* In both syntaxes, the second for -masm=intel. */
#define REAP__LEAP(leap, site, value)                                                              \
    do {                                                                                           \
        const void *leap_ = (leap), *site_ = (site);                                               \
        void *value_ = (value);                                                                    \
        __asm__ volatile("{leaq 1f(%%rip), %%r8|lea r8, 1f[rip]}\n\t"                              \
                         "notrack jmp {*%%rax|rax}\n"                                              \
                         "1:"                                                                      \
                         : "+a"(leap_), "+S"(site_), "+d"(value_)                                  \
                         :                                                                         \
                         : "rcx", "rdi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", \
                           "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",       \
                           "xmm12", "xmm13", "xmm14", "xmm15", "st", "st(1)", "st(2)", "st(3)",    \
                           "st(4)", "st(5)", "st(6)", "st(7)", "cc",                               \
                           "memory" REAP__AVX512_REGISTERS REAP__APX_REGISTERS);                   \
    } while (0)
#else
#define REAP__MAY_LEAP 1
#define REAP__LEAP(leap, site, value) ((void)0)
#endif

/* At the beginning of an item: it waits by calls if the kernel may not leap. */
REAP__INLINE void reap__choose_wait(struct reap__group *group, int may_leap)
{
    if (!may_leap)
        group->leap = NULL;
}

/* value: a struct reap__contribution, or NULL for a barrier. */
#define REAP__WAIT(group, site, value) reap__wait(group, site, value, REAP__MAY_LEAP)
REAP__INLINE void reap__wait(struct reap__group *group, const struct reap__call_site *site,
                             void *value, int may_leap)
{
    if (may_leap && group->leap != NULL)
        REAP__LEAP(group->leap, site, value);
    else
        (group->wait)(group, site, value);
}

#endif
