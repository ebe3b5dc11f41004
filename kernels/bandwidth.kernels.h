/* SPDX-License-Identifier: Apache-2.0
 *
 * Plain read loops: each work-item reads many words and does as little with them as will keep the
 * compiler from leaving the loads out. Which one is the faster depends on the device.
 */
#include <reap/kernel.h>

enum { READ_RUN_WORDS = 65536, READ_COLUMN_WORDS = 32 };

/* What is read; a run for each work-item, since memory is near to the thread that writes it first.
 */
REAP_KERNEL(write_words, out(uint64_t, words))
{
    REAP_GLOBAL uint64_t *run = words + reap_global_id(0) * READ_RUN_WORDS;
    for (size_t i = 0; i < READ_RUN_WORDS; i++)
        run[i] = 0x0101010101010101u;
}

/* A work-item reads a run of words, as suits a processor's threads. It reads at four places of a
 * long run at once: a single stream of reads a thread is some 5 % slower (Zen 5). */
REAP_KERNEL(read_words, in(uint64_t, words), reduce(bit_or, uint64_t, bits))
{
    const size_t quarter = READ_RUN_WORDS / 4;
    const REAP_GLOBAL uint64_t *run = words + reap_global_id(0) * READ_RUN_WORDS;
    uint64_t found = 0;
    for (size_t i = 0; i < quarter; i++)
        found |= run[i] | run[i + quarter] | run[i + 2 * quarter] | run[i + 3 * quarter];
    reap_combine(bits, found);
}

/* Neighbouring work-items read neighbouring words, as suits a GPU; each reads a column of words
 * that are `items` apart. */
REAP_KERNEL(read_columns, in(uint64_t, words), value(size_t, items), reduce(bit_or, uint64_t, bits))
{
    const REAP_GLOBAL uint64_t *column = words + reap_global_id(0);
    uint64_t found = 0;
    for (size_t i = 0; i < READ_COLUMN_WORDS; i++)
        found |= column[i * items];
    reap_combine(bits, found);
}
