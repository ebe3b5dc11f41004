/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory in whole pages, zero at first, of which only what is touched is taken.
 */
#ifndef REAP_PORT_PAGES_H
#define REAP_PORT_PAGES_H

#include <stddef.h>

/* NULL where there is no memory. */
unsigned char *reap__pages_map(size_t bytes);

/* Addresses without memory: whoever follows one ends with SIGSEGV. Unmapped as pages are. NULL
 * where there are none left. */
unsigned char *reap__pages_reserve(size_t bytes);
void reap__pages_unmap(unsigned char *pages, size_t bytes);

/* Makes the pages new: nobody has touched them, nothing of them is protected. */
void reap__pages_renew(unsigned char *pages, size_t bytes);

/* Pages that nobody may touch, where the system can still keep account of them. */
void reap__pages_guard(unsigned char *pages, size_t bytes);

#endif
