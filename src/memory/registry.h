/* SPDX-License-Identifier: Apache-2.0
 *
 * The registry: all memory that the library knows of, buffers and allocations, by address.
 */
#ifndef REAP_MEMORY_REGISTRY_H
#define REAP_MEMORY_REGISTRY_H

#include "src/memory/coherence.h"
#include "src/memory/extents.h"

#include <reap/buffer.h>
#include <reap/usm.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A buffer, or an allocation of unified shared memory, which differs by its kind. */
struct reap_buffer {
    struct reap__extent extent; /* constant, as are the next six */
    reap_memory_kind kind;
    const reap_device *device;        /* the allocation's; NULL: it is a buffer */
    void *owned;                      /* what reap__allocate gave; NULL: none */
    bool is_wrapped;                  /* it is a buffer around the program's memory */
    struct reap__access_check *check; /* REAP_CHECK=1, of a buffer; else NULL */
    size_t reserved_bytes;            /* of addresses that represent the device's memory */
    size_t accesses;                  /* under the registry's lock, as the next two */
    struct reap__extent_node all;     /* among all that the registry has */
    struct reap__extent_node moving;  /* among allocations that move, if it is one */
    struct reap__poison *poison;      /* poison.c's, as the next: for commands in its wait list */
    bool has_lost_poison;             /* one failed, and there was no memory to note it */
    struct reap__coherence coherence; /* has a lock of its own; never taken under the registry's */
};

/* Adds it. Fails with REAP_ERROR_INVALID_ARGUMENT where it overlaps another. */
reap_status reap__registry_add(reap_buffer *buffer);
void reap__registry_remove(reap_buffer *buffer);

/* Where the last one ends; 0: there is none. Changed under the registry's lock, also read without
 * (relaxed: a launch that runs beside the making of one may miss it). */
extern atomic_uintptr_t reap__registry_highest;

/* Whether there is nothing in it. */
static inline bool reap__registry_is_empty(void)
{
    return atomic_load_explicit(&reap__registry_highest, memory_order_relaxed) == 0;
}

/* The one that these bytes touch, the lowest of several; NULL: none. Any thread; takes the lock
 * only when the bytes lie between the lowest and the highest. */
reap_buffer *reap__registry_find(const void *memory, size_t bytes);

/* The first one of that device, at this address or above, which moves as a buffer does; NULL: none.
 */
reap_buffer *reap__registry_next_moving(const reap_device *device, const void *address);

/* Counts an access; forgets one, and says whether there was one. */
void reap__registry_begin_access(reap_buffer *buffer);
bool reap__registry_end_access(reap_buffer *buffer);

/* Whether it is unified shared memory that has copies: the device and the host reach no common one.
 */
static inline bool reap__is_moving_allocation(const reap_buffer *buffer)
{
    return buffer->device != NULL && buffer->owned != NULL &&
           buffer->device->functions->allocate != NULL;
}

#endif
