/* SPDX-License-Identifier: Apache-2.0
 *
 * MurmurHash64A (Austin Appleby, 2008, in the public domain): eight bytes at a time, since binaries
 * have megabytes. Nothing relies on it alone where keys differ: the cache compares them whole.
 */
#include "src/accelerator/program/hash.h"

#include <string.h>

static const uint64_t multiplier = UINT64_C(0xc6a4a7935bd1e995);
enum { SHIFT = 47 };

uint64_t reap__hash(uint64_t seed, const void *bytes, size_t size)
{
    const unsigned char *at = (const unsigned char *)bytes;
    uint64_t hash = seed ^ (size * multiplier);
    for (; size >= sizeof hash; size -= sizeof hash, at += sizeof hash) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        word *= multiplier;
        word ^= word >> SHIFT;
        hash = (hash ^ word * multiplier) * multiplier;
    }
    if (size > 0) {
        uint64_t word = 0;
        memcpy(&word, at, size);
        hash = (hash ^ word) * multiplier;
    }
    hash = (hash ^ hash >> SHIFT) * multiplier;
    return hash ^ hash >> SHIFT;
}
