/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a buffer's bytes are: in the host's memory, on devices, or in several places alike. They
 * are copied when a command needs them in another memory, and only then.
 */
#ifndef REAP_MEMORY_COHERENCE_H
#define REAP_MEMORY_COHERENCE_H

#include "src/core/backend.h"

#include <pthread.h>
#include <reap/status.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { REAP__MOST_COPIES = 16, REAP__MOST_SLICES = 32 };

struct reap__buffer_copy {
    const reap_device *device;
    struct reap__memory memory;
    bool is_valid;
    struct reap__last_access last_access;
};

/* Some of the bytes on a device, for its share of divided launches (combined/). */
struct reap__buffer_slice {
    const reap_device *device; /* NULL: the slice is free */
    struct reap__memory memory;
    size_t base; /* the byte at the memory's begin: `begin`, rounded down */
    size_t begin, end;
    size_t users; /* launches that run; it stays while there are some */
    bool is_valid;
    bool is_newest; /* the host's memory and the copies have older bytes; then it is valid */
    struct reap__last_access last_access;
};

/* All zero except lock, host, bytes: the host's memory holds the bytes, if any does. */
struct reap__coherence {
    pthread_mutex_t lock; /* guards what follows; may be held while bytes move */
    unsigned char *host;
    size_t bytes;
    bool is_written;      /* false: no command, copy or access has written yet. Changed by a
                             command that is alone at the head of the buffer's wait list */
    bool is_host_invalid; /* some copy is valid then, if it is written */
    bool is_fixed;        /* it stays where it is, in the first copy, and the host has nothing */
    struct reap__buffer_copy copies[REAP__MOST_COPIES];
    size_t copy_count;
    struct reap__buffer_slice *slices; /* REAP__MOST_SLICES; NULL: there were none yet */
};

void reap__coherence_init(struct reap__coherence *coherence, void *host, size_t bytes,
                          bool is_written);

/* Memory that never moves: it is that device's, and `memory` passes to the residence. */
void reap__coherence_pin(struct reap__coherence *coherence, const reap_device *device,
                         const struct reap__memory *memory);

/* Releases all copies; the host's bytes stay as they are. */
void reap__coherence_destroy(struct reap__coherence *coherence);

/* Makes the bytes valid in the host's memory (`reads`), and there alone (`writes`). Fails as the
 * device does that has them. */
reap_status reap__coherence_to_host(struct reap__coherence *coherence, bool reads, bool writes);

/* The same on a device with memory of its own; *memory is borrowed until the buffer's end. */
struct reap__access_mode {
    bool reads;
    bool writes;
};
reap_status reap__coherence_to_device(struct reap__coherence *coherence, const reap_device *device,
                                      struct reap__access_mode access, struct reap__memory *memory);

/* The same for some of the bytes: they become valid there (`reads`), and there alone (`writes`).
 * The slice is to be released when the launch has completed. */
struct reap__byte_range {
    size_t begin, end;
};
struct reap__placed_slice {
    struct reap__memory memory;
    size_t offset; /* byte number b of the buffer is at b + offset of the memory, modulo 2^64 */
    struct reap__buffer_slice *slice; /* NULL: there is nothing to release */
};
reap_status reap__coherence_slice_to_device(struct reap__coherence *coherence,
                                            const reap_device *device,
                                            struct reap__byte_range range,
                                            struct reap__access_mode access,
                                            struct reap__placed_slice *placed);
void reap__coherence_slice_release(struct reap__coherence *coherence,
                                   struct reap__buffer_slice *slice);
reap_status reap__coherence_slice_to_host(struct reap__coherence *coherence,
                                          struct reap__byte_range range, bool writes);

/* Whether the bytes are valid on that device now, and where; borrowed as above. */
bool reap__coherence_is_valid_on(struct reap__coherence *coherence, const reap_device *device,
                                 struct reap__memory *memory);

/* How many copies there are on devices, of all buffers. Relaxed: a launch that runs beside the
 * making of the first one may miss it. */
extern atomic_size_t reap__coherence_copy_count;
static inline size_t reap__coherence_copies(void)
{
    return atomic_load_explicit(&reap__coherence_copy_count, memory_order_relaxed);
}

#endif
