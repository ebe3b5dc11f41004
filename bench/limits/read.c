/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiled for this machine and with all optimisation. Eight vectors of accumulators hide the
 * latency of their instructions; compilers make of a vector what the machine has.
 */
#include "bench/limits/read.h"

#include <string.h>

typedef uint64_t vector __attribute__((vector_size(64)));

enum { WORDS = sizeof(vector) / sizeof(uint64_t), VECTORS = 8 };

static vector load(const uint64_t *words)
{
    vector loaded;
    memcpy(&loaded, words, sizeof loaded);
    return loaded;
}

uint64_t limits_read(const uint64_t *words, size_t count)
{
    vector a = {0}, b = {0}, c = {0}, d = {0}, e = {0}, f = {0}, g = {0}, h = {0};
    uint64_t bits = 0;
    size_t i = 0;
    for (; i + (size_t)WORDS * VECTORS <= count; i += (size_t)WORDS * VECTORS) {
        a |= load(words + i);
        b |= load(words + i + WORDS);
        c |= load(words + i + 2 * (size_t)WORDS);
        d |= load(words + i + 3 * (size_t)WORDS);
        e |= load(words + i + 4 * (size_t)WORDS);
        f |= load(words + i + 5 * (size_t)WORDS);
        g |= load(words + i + 6 * (size_t)WORDS);
        h |= load(words + i + 7 * (size_t)WORDS);
    }
    a |= b | c | d | e | f | g | h;
    for (int w = 0; w < WORDS; w++)
        bits |= a[w];
    for (; i < count; i++)
        bits |= words[i];
    return bits;
}
