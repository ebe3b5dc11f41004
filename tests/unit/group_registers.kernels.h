/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels with as many variables as processors have registers that a function must keep, all of
 * which a work-item goes on using after it has waited. Some are compiled for AVX-512, which has
 * further registers, by a pragma, and so is a function that they call.
 */
#include <reap/kernel.h>

/* Written by the test: whether the stack stands as the processor's calling convention wants it. */
bool stack_is_aligned(void);

#define EACH_VARIABLE(m) m(0) m(1) m(2) m(3) m(4) m(5) m(6) m(7) m(8) m(9)

#define BEGIN(i)                                                                                   \
    double d##i = (double)(item + (i));                                                            \
    uint64_t n##i = item * (i) + 1;
#define CHANGE(i)                                                                                  \
    d##i = d##i * 0.5 + (double)round;                                                             \
    n##i = n##i * 6364136223846793005u + round;
#define ADD(i)                                                                                     \
    sum_d += d##i;                                                                                 \
    sum_n ^= n##i;

#define ITEM_BEGINS EACH_VARIABLE(BEGIN)
#define ITEM_CHANGES EACH_VARIABLE(CHANGE)
#define ITEM_ENDS                                                                                  \
    double sum_d = 0;                                                                              \
    uint64_t sum_n = 0;                                                                            \
    EACH_VARIABLE(ADD)

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)

#define NAME registers
#define WAIT reap_barrier(REAP_LOCAL_SPACE)
#include "tests/unit/group_registers.kernels_tmpl.h"

#ifdef __x86_64__
static void wait_for_group(REAP_ITEM)
{
    reap_barrier(REAP_LOCAL_SPACE);
}

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512vl"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl")
#endif
#define NAME more_registers
#define WAIT reap_barrier(REAP_LOCAL_SPACE)
#include "tests/unit/group_registers.kernels_tmpl.h"

#define NAME while_helper_waits
#define WAIT wait_for_group(REAP_THIS_ITEM)
#include "tests/unit/group_registers.kernels_tmpl.h"
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

REAP_ND_KERNEL(keep_in_helper, value(size_t, rounds), out(double, sums), out(uint64_t, mixes),
               out(uint32_t, unaligned))
{
    const size_t item = reap_global_linear_id();
    unaligned[item] = item_more_registers(REAP_THIS_ITEM, rounds, &sums[item], &mixes[item]);
}
#endif
