/* SPDX-License-Identifier: Apache-2.0
 *
 * The processor's features, number, name and time, and the machine's memory.
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

/* Returns how many of `processors` the process may use at a time: at most the quota of its control
 * group (versions 1 and 2), rounded up. root: "", or in tests the directory below which the files
 * are. Without memory to read them the quota is ignored. */
size_t reap__cpu_count(size_t processors, const char *root);

/* Write the processor's name, "" if unknown; return the machine's memory, 0 if unknown. */
void reap__cpu_name(char *name, size_t bytes);
uint64_t reap__memory_bytes(void);

/* For loops that wait for another thread: reduces what the loop costs the processor. */
static inline void reap__cpu_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Nanoseconds of a monotonic clock. */
uint64_t reap__now(void);

#endif
