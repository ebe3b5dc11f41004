/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel with as many variables as processors have registers that a function must keep, all of
 * which a work-item goes on using after it has waited.
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

REAP_ND_KERNEL(keep_registers, value(size_t, rounds), out(double, sums), out(uint64_t, mixes),
               out(uint32_t, unaligned))
{
    const size_t item = reap_global_linear_id();
    uint32_t wrong = !stack_is_aligned();
    ITEM_BEGINS
    for (size_t round = 0; round < rounds; round++) {
        reap_barrier(REAP_LOCAL_SPACE);
        ITEM_CHANGES
        wrong += !stack_is_aligned();
    }
    ITEM_ENDS
    sums[item] = sum_d;
    mixes[item] = sum_n;
    unaligned[item] = wrong;
}
