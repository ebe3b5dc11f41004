/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory in whole pages, initially zero; only pages that are accessed take memory.
 */
#ifndef REAP_PORT_PAGES_H
#define REAP_PORT_PAGES_H

#include <stddef.h>

/* NULL: out of memory. */
unsigned char *reap__pages_map(size_t bytes);

/* Reserves addresses without memory: an access ends the program with SIGSEGV. Unmapped as pages
 * are. NULL: not enough addresses. */
unsigned char *reap__pages_reserve(size_t bytes);
void reap__pages_unmap(unsigned char *pages, size_t bytes);

/* Resets pages to zero, without memory and without protection. */
void reap__pages_renew(unsigned char *pages, size_t bytes);

/* Makes pages inaccessible, unless the system's limit of mappings is reached. */
void reap__pages_guard(unsigned char *pages, size_t bytes);

/* Random accesses to this memory, all of which will be used, will be frequent. A hint. */
void reap__pages_prefer_huge(void *memory, size_t bytes);

#endif
