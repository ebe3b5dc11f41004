/* SPDX-License-Identifier: Apache-2.0
 *
 * A plain read loop: each work-item reads a run of words and does as little with them as will keep
 * the compiler from leaving the loads out. It reads at four places of a long run at once: a single
 * stream of reads a thread is some 5 % slower (Zen 5).
 */
#include <reap/kernel.h>

enum { READ_RUN_WORDS = 65536 };

REAP_KERNEL(read_words, in(uint64_t, words), reduce(bit_or, uint64_t, bits))
{
    const size_t quarter = READ_RUN_WORDS / 4;
    const REAP_GLOBAL uint64_t *run = words + reap_global_id(0) * READ_RUN_WORDS;
    uint64_t found = 0;
    for (size_t i = 0; i < quarter; i++)
        found |= run[i] | run[i + quarter] | run[i + 2 * quarter] | run[i + 3 * quarter];
    reap_combine(bits, found);
}
