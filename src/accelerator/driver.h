/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device with memory and a compiler of its own must be able to do: one const struct for each
 * vendor's interface (opencl/driver.c, cuda/driver.c). Everything above it is the same for all of
 * them: src/accelerator makes a kernel's text, compiles it once, places arguments and folds
 * results.
 *
 * Work is handed to a device in streams (queue/timeline.h), which run side by side: what a call
 * enqueues on one runs after what earlier calls enqueued there. What no call names a stream for
 * goes to that of work. Every function is called with the device's lock held (struct
 * reap__accelerator), but where it says that it may be called without; so no two at a time for one
 * device; they may run for several devices at once. Each fails with a line that has the vendor's
 * own name of the error.
 */
#ifndef REAP_ACCELERATOR_DRIVER_H
#define REAP_ACCELERATOR_DRIVER_H

#include "src/core/backend.h"

#include <pthread.h>
#include <reap/status.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reap__accelerator;

/* The functions of every device that is a struct reap__accelerator. */
extern const struct reap__device_functions reap__accelerator_functions;

/* Which dialect header a device's compiler reads; NONE: the text needs no header. */
enum reap__dialect { REAP__DIALECT_OPENCL, REAP__DIALECT_CUDA, REAP__DIALECT_NONE };

/* The most entry functions of one program, and their names in its text. */
enum { REAP__MOST_ENTRIES = 6 };

/* A compiled program, loaded on one device. */
struct reap__program {
    void *module;
    void *entries[REAP__MOST_ENTRIES];
    size_t most_threads[REAP__MOST_ENTRIES]; /* that a group of this entry may have */
    uint32_t slots[REAP__MOST_PARAMETERS];   /* of spans, for an item (runtime/span_log.c) */
};

/* What a compiler made, for the cache on disk: `bytes` belongs to the caller (reap__free). */
struct reap__binary {
    void *bytes;
    size_t size;
};

/* One launch of an entry function. Its parameters are, in this order: `block`, by value, an array
 * of 64-bit words; the memories, each as a pointer to its first byte. Where local_bytes is not 0
 * there is as much dynamic local memory (OpenCL: one more parameter; CUDA: extern __shared__). */
struct reap__grid {
    const struct reap__program *program;
    size_t entry;
    size_t groups;  /* one dimension; at most 2^31 - 1 */
    size_t threads; /* of a group */
    size_t local_bytes;
    const uint64_t *block;
    size_t block_bytes;
    const struct reap__memory *memories;
    size_t memory_count;
};

/* The program's objects in the vendor's interface. All fail with INVALID_ARGUMENT where an object
 * is not the device's. The first three may come before `open`: the only context then is the
 * one that `set_context` takes for `open` to use. */
struct reap__driver_native {
    void (*describe)(struct reap__accelerator *accelerator, reap_native_device *native);
    reap_status (*set_context)(struct reap__accelerator *accelerator, void *context);
    reap_status (*find_context)(struct reap__accelerator *accelerator, void *stream,
                                void **context);
    reap_status (*import)(struct reap__accelerator *accelerator, const reap_native_memory *native,
                          size_t bytes, struct reap__memory *memory);

    /* As the driver's own, on the program's stream. */
    reap_status (*record_event)(struct reap__accelerator *accelerator, void *stream, void **mark);
    reap_status (*wait_event)(struct reap__accelerator *accelerator, void *stream, void *mark);
};

struct reap__driver {
    enum reap__dialect dialect;
    bool shares_results; /* what `allocate_results` gives is one memory: the host may write there,
                            too */

    /* What compiled code depends on beside its text: device, driver and compiler with their
     * versions, as one line; lives for ever. */
    const char *(*identity)(struct reap__accelerator *accelerator);

    /* Makes the device ready at its first use: context, queue. Called once before anything else
     * but `identity`; again where it failed. */
    reap_status (*open)(struct reap__accelerator *accelerator);

    /* Compiles a text. A failure of the text is COMPILATION_FAILED: the line names only
     * that, and *log, which is the caller's (reap__free), is the compiler's own words; NULL where
     * there are none. */
    reap_status (*compile)(struct reap__accelerator *accelerator, const char *text,
                           struct reap__binary *binary, char **log);

    /* Loads what `compile` made and finds its entries by their names (`names` ends in NULL). Fails
     * with DEVICE_FAILED, also where the bytes are not of this device or corrupt. */
    reap_status (*load)(struct reap__accelerator *accelerator, const struct reap__binary *binary,
                        const char *const *names, struct reap__program *program);
    void (*unload)(struct reap__accelerator *accelerator, struct reap__program *program);

    /* Memory aligned to at least 256 bytes. Fails with OUT_OF_MEMORY. Released only when nothing
     * that was enqueued uses it any more. */
    reap_status (*allocate)(struct reap__accelerator *accelerator, size_t bytes,
                            struct reap__memory *memory);
    void (*release)(struct reap__accelerator *accelerator, struct reap__memory *memory);

    /* Memory for results, of which the host has its own view, *host: kernels write there, and what
     * was fetched after a launch is in the view once all that was enqueued has finished. Lives for
     * ever. Fails with OUT_OF_MEMORY. */
    reap_status (*allocate_results)(struct reap__accelerator *accelerator, size_t bytes,
                                    struct reap__memory *memory, void **host);
    reap_status (*fetch_results)(struct reap__accelerator *accelerator,
                                 const struct reap__memory *memory, size_t offset, size_t bytes,
                                 void *host);

    /* Enqueues; `from` may be changed as soon as the call returns. Without the lock on another
     * stream than that of work. */
    reap_status (*write)(struct reap__accelerator *accelerator, enum reap__stream stream,
                         const struct reap__device_address *to, const void *from, size_t bytes);

    /* Waits for all that was enqueued on the stream, then copies: `into` holds the bytes at the
     * return. Without the lock, too. */
    reap_status (*read)(struct reap__accelerator *accelerator, enum reap__stream stream,
                        const struct reap__device_address *from, void *into, size_t bytes);

    /* Enqueues: every byte becomes `value`. */
    reap_status (*fill)(struct reap__accelerator *accelerator, const struct reap__memory *memory,
                        size_t offset, unsigned char value, size_t bytes);

    /* Enqueues; the bytes do not overlap. */
    reap_status (*copy)(struct reap__accelerator *accelerator, enum reap__stream stream,
                        const struct reap__device_address *to,
                        const struct reap__device_address *from, size_t bytes);

    /* Memory of kind host or shared that kernels and the host reach at one address, which `release`
     * takes, too. NULL: there is none. `prefetch` enqueues a hint; NULL where there is none. */
    reap_status (*allocate_usm)(struct reap__accelerator *accelerator, reap_memory_kind kind,
                                size_t bytes, struct reap__memory *memory);
    reap_status (*prefetch)(struct reap__accelerator *accelerator,
                            const struct reap__memory *memory, size_t offset, size_t bytes,
                            bool to_host);

    /* Enqueues one launch; block and memories are copied. */
    reap_status (*launch)(struct reap__accelerator *accelerator, const struct reap__grid *grid);

    /* Sets a mark after all that was enqueued on a stream so far, which is the caller's, to be
     * taken away by `destroy_event`. `query_event` says whether all before it has been done, and
     * waits for that where it is to; it may be called without the lock. Both fail as `finish` does;
     * `destroy_event` leaves the thread's line as it is. `wait_event` has a stream wait for a mark
     * of another. `event_times` returns when two timed marks were reached, in nanoseconds of
     * reap__now, once both have. The first that is timed comes when nothing is enqueued; `measures`
     * is set once it is there. */
    reap_status (*record_event)(struct reap__accelerator *accelerator, enum reap__stream stream,
                                bool is_timed, void **mark);
    reap_status (*query_event)(struct reap__accelerator *accelerator, void *mark, bool waits,
                               bool *is_reached);
    reap_status (*wait_event)(struct reap__accelerator *accelerator, enum reap__stream stream,
                              void *mark);
    reap_status (*event_times)(struct reap__accelerator *accelerator, void *first, void *second,
                               uint64_t nanoseconds[2]);
    void (*destroy_event)(struct reap__accelerator *accelerator, void *mark);

    /* Waits for all that was enqueued on a stream. Fails with DEVICE_FAILED where some of it
     * failed; the device may be lost then (*lost), which says that nothing will work on it any
     * more. Without the lock, too. */
    reap_status (*finish)(struct reap__accelerator *accelerator, enum reap__stream stream,
                          bool *lost);

    /* The stream of work has done all that was enqueued there. NULL: the driver needs not know. */
    void (*note_idle)(struct reap__accelerator *accelerator);

    const struct reap__driver_native *native;
};

/* Defined in a text with atomic operations that have an order, for a device with has_orders. */
#define REAP__HAS_ORDERS "REAP__HAS_ORDERS"

/* A device with a driver. The backend's own structs begin with one. The device's `backend`
 * member is one of src/accelerator's making; its info is filled by the backend's probe. */
struct reap__accelerator {
    struct reap_device device; /* first: a device's address is its accelerator's */
    const struct reap__driver *driver;
    bool has_doubles;
    bool has_wide_atomics;  /* of 64 bits */
    bool has_orders;        /* the driver looks for REAP__HAS_ORDERS in a text */
    bool orders_groups;     /* what a group wrote before a fence and an atomic, a later one sees */
    bool has_warps;         /* 32 threads in a row exchange values (detail/.../sub_groups.h) */
    bool is_processor;      /* one thread is a group: loops of lanes become vectors */
    size_t max_block_bytes; /* of a launch's block */

    pthread_mutex_t lock; /* guards what follows, and is held in every call of the driver */
    bool measures;        /* a mark has been timed */
    bool is_open;
    bool is_lost;
    atomic_uint opener; /* 1 + reap__fork_generation() from its opening on; 0: not opened;
                           also read without, relaxed */
    struct reap__cached_program *programs; /* programs.c */
    struct reap__memory scratch;           /* accelerator.c */
    size_t scratch_bytes;
    uint64_t scratch_uses;      /* how often it was taken */
    struct reap__clean {        /* what a launch has left in it, for the next one (spans.c) */
        uint64_t use, start;    /* of which use; what each element is */
        size_t at, size, count; /* the first one's offset, an element's bytes, how many */
    } clean;
    struct reap__in_flight *pending[REAP__STREAM_COUNT]; /* runtime/in_flight.c */
    struct reap__stream_state {                          /* streams.c */
        uint64_t enqueued;                               /* commands */
        uint64_t done;                                   /* of them, known to be done */
        struct reap__timeline_value seen;                /* what it waits for already */
        struct reap__device_event *latest;               /* NULL: there is none */
        uint64_t asked, served; /* those who use it without the lock, in turn */
    } streams[REAP__STREAM_COUNT];
    pthread_cond_t served; /* one of those has been; made with the lock */
};

#endif
