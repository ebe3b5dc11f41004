/* SPDX-License-Identifier: Apache-2.0
 *
 * The registry of buffers: which of them a pointer lies in.
 */
#ifndef REAP_CORE_BUFFER_H
#define REAP_CORE_BUFFER_H

#include <reap/buffer.h>
#include <stdbool.h>
#include <stddef.h>

struct reap__extent {
    const unsigned char *begin;
    const unsigned char *end;
};

/* Whether these bytes touch a buffer, and the extent of the lowest that they touch. Any thread;
 * takes the registry's lock only when the bytes lie between the lowest and the highest buffer. */
bool reap__buffer_find(const void *memory, size_t bytes, struct reap__extent *extent);

#endif
