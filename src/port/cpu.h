/* SPDX-License-Identifier: Apache-2.0
 *
 * What the machine and its operating system say about the processor.
 */
#ifndef REAP_PORT_CPU_H
#define REAP_PORT_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the processor and the operating system offer the x86-64-v3 and -v4 levels of the psABI.
 */
bool reap__cpu_has_x86_64_v3(void);
bool reap__cpu_has_x86_64_v4(void);

/* How many of so many processors this process gets: not more than the quota of its control group
 * (versions 1 and 2), rounded up. The files are read below `root`, "" in use and a directory in
 * tests; where there is no memory for that, there is no quota. */
size_t reap__cpu_count(size_t processors, const char *root);

/* The processor's name; "" where it cannot be found. Bytes of memory; 0 likewise. */
void reap__cpu_name(char *name, size_t bytes);
uint64_t reap__memory_bytes(void);

/* In a loop that waits for another thread: the processor spends less on it. */
static inline void reap__cpu_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Nanoseconds on a clock that never goes back. */
uint64_t reap__now(void);

#endif
