/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory for tests, which have nothing sensible to do without it.
 */
#ifndef TESTS_SUPPORT_MEMORY_H
#define TESTS_SUPPORT_MEMORY_H

#include <stdio.h>
#include <stdlib.h>

/* Zeroed memory, never NULL; the caller's, to be freed. */
static inline void *test_allocate(size_t bytes)
{
    void *memory = calloc(bytes > 0 ? bytes : 1, 1);
    if (memory == NULL) {
        fprintf(stderr, "a test needs %zu bytes that the machine does not have\n", bytes);
        exit(2);
    }
    return memory;
}

#endif
