/* SPDX-License-Identifier: Apache-2.0
 *
 * Coherence of a buffer: which copies of its bytes, in host memory and on devices, are valid. Bytes
 * are copied only when a command needs them in another memory.
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
    size_t base; /* number of the memory's first byte: `begin`, rounded down */
    size_t begin, end;
    size_t users; /* launches that run; the slice is not freed while there are any */
    bool is_valid;
    bool is_newest; /* valid, and host memory and the copies have older bytes */
    struct reap__last_access last_access;
};

/* Initially all zero except lock, host and bytes: host memory has the valid copy. */
struct reap__coherence {
    pthread_mutex_t lock; /* guards what follows; held while bytes are copied */
    unsigned char *host;
    size_t bytes;
    atomic_bool is_written; /* false: no command, copy or access has written yet. Changed by a
                               command that is alone at the head of the buffer's wait list, which
                               orders accesses; so they are relaxed */
    bool is_host_invalid;   /* then some copy on a device is valid, if it is written */
    bool is_fixed;          /* the bytes are always in the first copy only, never in host memory */
    struct reap__buffer_copy copies[REAP__MOST_COPIES];
    size_t copy_count;
    struct reap__buffer_slice *slices; /* REAP__MOST_SLICES; NULL: not allocated yet */
};

void reap__coherence_init(struct reap__coherence *coherence, void *host, size_t bytes,
                          bool is_written);

/* Makes the bytes those of `memory` on the device, for ever (is_fixed). Takes over `memory`. */
void reap__coherence_pin(struct reap__coherence *coherence, const reap_device *device,
                         const struct reap__memory *memory);

static inline bool reap__coherence_is_written(const struct reap__coherence *coherence)
{
    return atomic_load_explicit(&coherence->is_written, memory_order_relaxed);
}
static inline void reap__coherence_note_written(struct reap__coherence *coherence)
{
    atomic_store_explicit(&coherence->is_written, true, memory_order_relaxed);
}

/* Frees all copies on devices; host memory does not change. */
void reap__coherence_destroy(struct reap__coherence *coherence);

struct reap__access_mode {
    bool reads;
    bool writes;
    struct reap__execution *execution; /* of what is copied: it has no event, and may have the
                                          timed one of its command in `begins`. NULL: none */
};

/* Makes the bytes valid in host memory (`reads`), and all other copies stale (`writes`). Blocks
 * until they are copied. Fails as the device with the valid copy. Any thread. */
reap_status reap__coherence_to_host(struct reap__coherence *coherence,
                                    struct reap__access_mode access);

/* The same for the device's own memory: sets *memory, which is borrowed until the buffer is
 * released. */
reap_status reap__coherence_to_device(struct reap__coherence *coherence, const reap_device *device,
                                      struct reap__access_mode access, struct reap__memory *memory);

/* The same for some of the bytes, which a slice on the device holds; without an execution. The
 * caller releases the slice when its launch has completed. */
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

/* Whether all bytes are valid on the device now; sets *memory, borrowed as above. */
bool reap__coherence_is_valid_on(struct reap__coherence *coherence, const reap_device *device,
                                 struct reap__memory *memory);

/* The number of copies on devices, of all buffers. Relaxed: a launch that runs while another thread
 * makes the first copy may miss it. */
extern atomic_size_t reap__coherence_copy_count;
static inline size_t reap__coherence_copies(void)
{
    return atomic_load_explicit(&reap__coherence_copy_count, memory_order_relaxed);
}

#endif
