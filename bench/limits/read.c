/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiled for this machine and with all optimisation. Eight vectors of accumulators hide the
 * latency of their instructions. gcc keeps vectors in memory that are longer than the machine's.
 */
#include "bench/limits/read.h"

#if defined(__AVX512F__)
enum { VECTOR_BYTES = 64 };
#elif defined(__AVX__)
enum { VECTOR_BYTES = 32 };
#else
enum { VECTOR_BYTES = 16 };
#endif
typedef uint64_t vector __attribute__((vector_size(VECTOR_BYTES)));

/* The same anywhere among words. */
typedef uint64_t loaded __attribute__((vector_size(VECTOR_BYTES), aligned(8), may_alias));

enum { WORDS = sizeof(vector) / sizeof(uint64_t), VECTORS = 8, STEP = WORDS * VECTORS };

uint64_t limits_read(const uint64_t *words, size_t count)
{
    vector a = {0}, b = {0}, c = {0}, d = {0}, e = {0}, f = {0}, g = {0}, h = {0};
    uint64_t bits = 0;
    size_t i = 0;
    for (; i + STEP <= count; i += STEP) {
        const loaded *next = (const loaded *)(words + i);
        a |= next[0];
        b |= next[1];
        c |= next[2];
        d |= next[3];
        e |= next[4];
        f |= next[5];
        g |= next[6];
        h |= next[7];
    }
    a |= b | c | d | e | f | g | h;
    for (int w = 0; w < WORDS; w++)
        bits |= a[w];
    for (; i < count; i++)
        bits |= words[i];
    return bits;
}
