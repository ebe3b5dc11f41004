/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory for stacks: each with a page below it that cannot be touched.
 */
#ifndef REAP_PORT_STACK_MEMORY_H
#define REAP_PORT_STACK_MEMORY_H

#include <stddef.h>

/* Room for `count` stacks of `bytes` bytes; stack i ends (i + 1) * *stride bytes further. Memory is
 * taken where it is touched. NULL where there is none. */
unsigned char *reap__stack_memory_map(size_t count, size_t bytes, size_t *stride);
void reap__stack_memory_unmap(unsigned char *memory, size_t count, size_t stride);

#endif
