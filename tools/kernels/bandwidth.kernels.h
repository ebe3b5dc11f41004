/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that read memory: words are only combined, so that the compiler does not remove the
 * loads. Which of the two kernels is faster depends on the device.
 */
#include <reap/kernel.h>

enum { READ_RUN_WORDS = 65536 };

/* Writes the words: a run for each work-item, since a page is placed near the thread that writes it
 * first.
 */
REAP_KERNEL(write_words, out(uint64_t, words))
{
    REAP_GLOBAL uint64_t *run = words + reap_global_id(0) * READ_RUN_WORDS;
    for (size_t i = 0; i < READ_RUN_WORDS; i++)
        run[i] = 0x0101010101010101u;
}

/* A work-item reads a run of words: for processors. It reads four parts of the run at the same
 * time; with one stream of reads a thread, it is some 5 % slower (Zen 5). */
REAP_KERNEL(read_words, in(uint64_t, words), reduce(bit_or, uint64_t, bits))
{
    const size_t quarter = READ_RUN_WORDS / 4;
    const REAP_GLOBAL uint64_t *run = words + reap_global_id(0) * READ_RUN_WORDS;
    uint64_t found = 0;
    for (size_t i = 0; i < quarter; i++)
        found |= run[i] | run[i + quarter] | run[i + 2 * quarter] | run[i + 3 * quarter];
    reap_combine(bits, found);
}

/* A work-item reads a word: for GPUs, where neighbouring items then read neighbouring words. */
REAP_KERNEL(read_each_word, in(uint64_t, words), reduce(bit_or, uint64_t, bits))
{
    reap_combine(bits, words[reap_global_id(0)]);
}
