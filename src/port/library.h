/* SPDX-License-Identifier: Apache-2.0
 *
 * Vendors' libraries, opened at run time. In a program that is linked statically none is opened:
 * nothing is found then.
 */
#ifndef REAP_PORT_LIBRARY_H
#define REAP_PORT_LIBRARY_H

#include <stddef.h>

/* NULL: it is not there. Never closed. */
void *reap__library_open(const char *name);

/* The same; where the file is there and cannot be used, why that is goes to `broken`, unless there
 * is something already. */
void *reap__library_try(const char *name, char *broken, size_t size);

/* NULL: the library has no such symbol. */
void *reap__library_symbol(void *library, const char *name);

/* Why the last one that this thread wanted could not be opened; lives until its next call. */
const char *reap__library_problem(void);

#endif
