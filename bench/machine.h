/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine that is measured: what it is called, its threads, memory and caches.
 */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stddef.h>

enum { MACHINE_MOST_CACHES = 4 };

struct machine_cache {
    int level;
    size_t bytes; /* of one of them */
    int sharers;  /* processors that share one */
};

struct machine {
    const char *description, *instruction_set;
    char system[256];
    int threads;
    double memory_bytes;
    struct machine_cache caches[MACHINE_MOST_CACHES]; /* from the first level on */
    int cache_count;
};

/* Ends the program where Reap has no device. */
void machine_find(struct machine *machine);

/* The bytes of a cache level that so many threads have together. */
double machine_cache_bytes(const struct machine *machine, int cache, int threads);

/* "L1", "L2", ... or "DRAM": the least level that holds so many bytes for so many threads. Equal
 * names are at the same address. */
const char *machine_level(const struct machine *machine, double bytes, int threads);
const char *machine_level_name(const struct machine *machine, int cache);

#endif
