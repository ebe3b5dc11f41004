/* SPDX-License-Identifier: Apache-2.0
 *
 * The registry: all buffers and allocations, by address.
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

/* A failed command that the buffer's poison lacks, since there was no memory: whether the program
 * has received its error, and what it means to reductions (queue/poison.c). */
struct reap__lost_poison {
    bool exists;
    bool concerns_variables;           /* reductions into the buffer, too */
    struct reap__error_report *report; /* a reference; NULL: there were several, of other queues */
    size_t delivery;
};

/* A buffer, or an allocation of unified shared memory, which differs by its kind. */
struct reap_buffer {
    struct reap__extent extent; /* constant, as are the six members after it */
    reap_memory_kind kind;
    const reap_device *device;        /* the allocation's; NULL: it is a buffer */
    void *owned;                      /* from reap__allocate; NULL: not owned */
    bool is_wrapped;                  /* it is a buffer around the program's memory */
    struct reap__access_check *check; /* REAP_CHECK=1, of a buffer; else NULL */
    size_t reserved_bytes;            /* of addresses that represent the device's memory */
    size_t accesses;                  /* under the registry's lock, as the two members after it */
    struct reap__extent_node all;     /* in the set of all buffers and allocations */
    struct reap__extent_node moving;  /* in the set of allocations that migrate, if it is one */
    struct reap__poison *poison;      /* queue/poison.h; for commands in its wait list */
    struct reap__lost_poison lost_poison; /* likewise */
    struct reap__coherence coherence;     /* has its own lock, never locked under the registry's */
};

/* Adds and removes a buffer or an allocation. `add` fails with REAP_ERROR_INVALID_ARGUMENT if it
 * overlaps another. Any thread, as all functions here. */
reap_status reap__registry_add(reap_buffer *buffer);
void reap__registry_remove(reap_buffer *buffer);

/* The end of the one with the highest address; 0: the registry is empty. Changed under the
 * registry's lock, also read without (relaxed: a launch that runs while another thread adds one may
 * miss it). */
extern atomic_uintptr_t reap__registry_highest;

static inline bool reap__registry_is_empty(void)
{
    return atomic_load_explicit(&reap__registry_highest, memory_order_relaxed) == 0;
}

/* Returns the one with the lowest address that these bytes overlap. NULL: none. Locks the registry
 * only if the bytes lie between the lowest and the highest. */
reap_buffer *reap__registry_find(const void *memory, size_t bytes);

/* Returns the first allocation of the device, at this address or above, that migrates as a buffer
 * does. NULL: there are none. */
reap_buffer *reap__registry_next_moving(const reap_device *device, const void *address);

/* Count a host access to the buffer. `end` returns false if none has begun. */
void reap__registry_begin_access(reap_buffer *buffer);
bool reap__registry_end_access(reap_buffer *buffer);

/* Whether it is unified shared memory that migrates, since no memory is accessible to both the
 * device and the host. */
static inline bool reap__is_moving_allocation(const reap_buffer *buffer)
{
    return buffer->device != NULL && buffer->owned != NULL &&
           buffer->device->functions->allocate != NULL;
}

#endif
