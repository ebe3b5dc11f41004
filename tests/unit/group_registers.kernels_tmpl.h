/* SPDX-License-Identifier: Apache-2.0
 *
 * Included by group_registers.kernels.h for each instruction set, with NAME and
 * WAIT: what an item does, and a kernel of such items.
 */
REAP_KERNEL_FILE

/* Returns how often the stack was not aligned. */
static uint32_t JOIN(item, NAME)(REAP_ITEM, size_t rounds, REAP_GLOBAL double *sum,
                                 REAP_GLOBAL uint64_t *mix)
{
    const size_t item = reap_global_linear_id();
    uint32_t wrong = !stack_is_aligned();
    ITEM_BEGINS
    for (size_t round = 0; round < rounds; round++) {
        WAIT;
        ITEM_CHANGES
        wrong += !stack_is_aligned();
    }
    ITEM_ENDS
    *sum = sum_d;
    *mix = sum_n;
    return wrong;
}

REAP_ND_KERNEL(JOIN(keep, NAME), value(size_t, rounds), out(double, sums), out(uint64_t, mixes),
               out(uint32_t, unaligned))
{
    const size_t item = reap_global_linear_id();
    unaligned[item] = JOIN(item, NAME)(REAP_THIS_ITEM, rounds, &sums[item], &mixes[item]);
}

#undef NAME
#undef WAIT
