/* SPDX-License-Identifier: Apache-2.0
 *
 * A plain read loop: each work-item reads a run of words and does as little with them as will keep
 * the compiler from leaving the loads out.
 */
#include <reap/kernel.h>

enum { READ_RUN_WORDS = 2048 };

REAP_KERNEL(read_words, in(uint64_t, words), reduce(bit_or, uint64_t, bits))
{
    const REAP_GLOBAL uint64_t *run = words + reap_global_id(0) * READ_RUN_WORDS;
    uint64_t found = 0;
    for (size_t i = 0; i < READ_RUN_WORDS; i++)
        found |= run[i];
    reap_combine(bits, found);
}
