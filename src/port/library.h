/* SPDX-License-Identifier: Apache-2.0
 *
 * Vendors' libraries, opened at run time. A program that is linked statically finds none. How many
 * shared objects were unloaded.
 */
#ifndef REAP_PORT_LIBRARY_H
#define REAP_PORT_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

/* Returns a handle, which stays open unless it is released (pin.h); NULL: the library is not found.
 */
void *reap__library_open(const char *name);

/* The same. If the file exists and cannot be used, writes the reason to `broken`, unless `broken`
 * already has one. */
void *reap__library_try(const char *name, char *broken, size_t size);

/* NULL: the library has no such symbol. */
void *reap__library_symbol(void *library, const char *name);

/* How many objects the process has unloaded so far: what was at an address is still there if none
 * has been since. */
uint64_t reap__library_unloads(void);

/* Why the calling thread's last library could not be opened; valid until the thread's next call. */
const char *reap__library_problem(void);

#endif
