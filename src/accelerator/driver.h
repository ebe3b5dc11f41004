/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver of an accelerator, that is, of a device with memory and a compiler of its own: a table
 * of one vendor's calls, one const struct for each vendor's interface (opencl/driver.c,
 * cuda/driver.c). All the rest of src/accelerator is the same for every vendor: it makes a kernel's
 * text, compiles it once, binds arguments and folds results.
 *
 * Order: a device has several streams (queue/timeline.h), which run side by side. What a call
 * enqueues on a stream runs after what earlier calls enqueued there. A call without a stream
 * enqueues on the compute stream.
 * Blocking: a call returns once its work is enqueued, except where its comment says that it waits.
 * Thread-safety: a call is made with the lock of its device held (struct reap__accelerator), except
 * where its comment allows calls without the lock. Calls for several devices may run at once.
 * Errors: the message has the vendor's own name of the error. REAP_ERROR_OUT_OF_MEMORY if the
 * vendor reports that, otherwise REAP_ERROR_DEVICE_FAILED, except where a comment has more.
 */
#ifndef REAP_ACCELERATOR_DRIVER_H
#define REAP_ACCELERATOR_DRIVER_H

#include "src/core/backend.h"
#include "src/port/cpu.h"

#include <pthread.h>
#include <reap/status.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reap__accelerator;

/* The functions of every device that is a struct reap__accelerator. */
extern const struct reap__device_functions reap__accelerator_functions;

/* The dialect header that a device's compiler reads; NONE: the text needs no header. */
enum reap__dialect { REAP__DIALECT_OPENCL, REAP__DIALECT_CUDA, REAP__DIALECT_NONE };

/* The most entry functions of one program. */
enum { REAP__MOST_ENTRIES = 6 };

/* A compiled program, loaded on one device. */
struct reap__program {
    void *module;
    void *entries[REAP__MOST_ENTRIES];
    size_t most_threads[REAP__MOST_ENTRIES]; /* of a group that runs this entry */
    uint32_t slots[REAP__MOST_PARAMETERS];   /* of each span's log, per item (runtime/span_log.c) */
};

/* The compiler's output, which the cache on disk stores. The caller owns `bytes` (reap__free). */
struct reap__binary {
    void *bytes;
    size_t size;
};

/* One launch of an entry function. The entry's parameters are, in this order: the parameter block,
 * an array of 64-bit words by value, or one word with its offset in the scratch buffer
 * (reap__block_is_in_memory); each of the memories, as a pointer to its first byte. A launch with
 * local_bytes above 0 has that much dynamic local memory (OpenCL: one more parameter; CUDA:
 * extern __shared__). */
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

/* Objects of the vendor's interface that belong to the user's program. Each function fails with
 * REAP_ERROR_INVALID_ARGUMENT if an object does not belong to the device. The first three may be
 * called before `open`. */
struct reap__driver_native {
    /* Fills *native with the vendor's handles of the device; before `open` the context is NULL,
     * or the one that was set. */
    void (*describe)(struct reap__accelerator *accelerator, reap_native_device *native);

    /* Before `open` only: `open` will use this context of the program instead of making one. */
    reap_status (*set_context)(struct reap__accelerator *accelerator, void *context);

    /* Sets *context to that of a stream (OpenCL: a command queue) of the program. */
    reap_status (*find_context)(struct reap__accelerator *accelerator, void *stream,
                                void **context);

    /* Sets *memory to `bytes` bytes of memory of the program; nothing is copied. Fails with
     * REAP_ERROR_INVALID_ARGUMENT if the program's memory is smaller. */
    reap_status (*import)(struct reap__accelerator *accelerator, const reap_native_memory *native,
                          size_t bytes, struct reap__memory *memory);

    /* As the driver's functions of these names, on a stream of the program. */
    reap_status (*record_event)(struct reap__accelerator *accelerator, void *stream,
                                void **device_event);
    reap_status (*wait_event)(struct reap__accelerator *accelerator, void *stream,
                              void *device_event);
};

struct reap__driver {
    enum reap__dialect dialect;
    bool shares_results; /* `allocate_results` returns one memory, which the host may write, too */

    /* Returns a line that names what compiled code depends on besides its text: device, driver and
     * compiler with their versions. The string is never freed. May be called before `open`. */
    const char *(*identity)(struct reap__accelerator *accelerator);

    /* Makes the device's context and streams. Called once, at the device's first use, before all
     * functions below except `compile`; called again after a failure. */
    reap_status (*open)(struct reap__accelerator *accelerator);

    /* Compiles a text, and waits for that. Sets *binary, and *log to the compiler's messages, or to
     * NULL if there are none; the caller owns both (reap__free). Fails with
     * REAP_ERROR_COMPILATION_FAILED if the text has an error; *log is set then, too. */
    reap_status (*compile)(struct reap__accelerator *accelerator, const char *text,
                           struct reap__binary *binary, char **log);

    /* Loads what `compile` made and finds its entries by their names (`names` ends in NULL); fills
     * *program. Fails with REAP_ERROR_DEVICE_FAILED, also if the bytes are corrupt or were made for
     * another device. `unload` takes a program that is not in use. */
    reap_status (*load)(struct reap__accelerator *accelerator, const struct reap__binary *binary,
                        const char *const *names, struct reap__program *program);
    void (*unload)(struct reap__accelerator *accelerator, struct reap__program *program);

    /* `allocate` sets *memory to memory aligned to at least 256 bytes. `release` takes memory that
     * no enqueued work uses. */
    reap_status (*allocate)(struct reap__accelerator *accelerator, size_t bytes,
                            struct reap__memory *memory);
    void (*release)(struct reap__accelerator *accelerator, struct reap__memory *memory);

    /* `allocate_results` sets *memory to memory that kernels write results to, and *host to the
     * host's view of it; neither is freed. `fetch_results` enqueues a copy of some of that memory
     * to the same bytes of the view, `host`; it does nothing if both are one memory. */
    reap_status (*allocate_results)(struct reap__accelerator *accelerator, size_t bytes,
                                    struct reap__memory *memory, void **host);
    reap_status (*fetch_results)(struct reap__accelerator *accelerator,
                                 const struct reap__memory *memory, size_t offset, size_t bytes,
                                 void *host);

    /* Enqueues a copy from host memory. `from` may be changed as soon as the call returns. On
     * streams other than the compute stream, may be called without the lock. */
    reap_status (*write)(struct reap__accelerator *accelerator, enum reap__stream stream,
                         const struct reap__device_address *to, const void *from, size_t bytes);

    /* Copies to host memory after all work enqueued on the stream, and waits: `into` holds the
     * bytes when the call returns. May be called without the lock. */
    reap_status (*read)(struct reap__accelerator *accelerator, enum reap__stream stream,
                        const struct reap__device_address *from, void *into, size_t bytes);

    /* Enqueues a fill: every byte becomes `value`. */
    reap_status (*fill)(struct reap__accelerator *accelerator, const struct reap__memory *memory,
                        size_t offset, unsigned char value, size_t bytes);

    /* Enqueues a copy within the device. The two ranges do not overlap. */
    reap_status (*copy)(struct reap__accelerator *accelerator, enum reap__stream stream,
                        const struct reap__device_address *to,
                        const struct reap__device_address *from, size_t bytes);

    /* `allocate_usm` sets *memory to memory of kind host or shared, which kernels and the host
     * access at one address; `release` frees it. NULL: the device has no such memory. `prefetch`
     * enqueues a hint that the bytes are accessed next by the device, or by the host. NULL: hints
     * have no effect. */
    reap_status (*allocate_usm)(struct reap__accelerator *accelerator, reap_memory_kind kind,
                                size_t bytes, struct reap__memory *memory);
    reap_status (*prefetch)(struct reap__accelerator *accelerator,
                            const struct reap__memory *memory, size_t offset, size_t bytes,
                            bool to_host);

    /* Enqueues one launch. Block and memories are copied before the call returns. */
    reap_status (*launch)(struct reap__accelerator *accelerator, const struct reap__grid *grid);

    /* Sets *device_event to an event that is reached when all work enqueued on the stream so far is
     * complete; the caller destroys it. The first timed event of a device is recorded while nothing
     * is enqueued there. */
    reap_status (*record_event)(struct reap__accelerator *accelerator, enum reap__stream stream,
                                bool is_timed, void **device_event);

    /* Sets *is_reached to whether the event is reached; waits for it if `waits`. Fails as `finish`
     * does. May be called without the lock. */
    reap_status (*query_event)(struct reap__accelerator *accelerator, void *device_event,
                               bool waits, bool *is_reached);

    /* Has a stream wait for an event of another stream: enqueued work, not the call, waits. */
    reap_status (*wait_event)(struct reap__accelerator *accelerator, enum reap__stream stream,
                              void *device_event);

    /* Returns when two timed events were reached, in nanoseconds of reap__now. Both are reached. */
    reap_status (*event_times)(struct reap__accelerator *accelerator, void *first, void *second,
                               uint64_t nanoseconds[2]);

    /* Leaves the thread's message unchanged. */
    void (*destroy_event)(struct reap__accelerator *accelerator, void *device_event);

    /* Waits for all work enqueued on a stream. Fails with REAP_ERROR_DEVICE_FAILED if some of it
     * failed, and sets *lost if no call on the device can succeed any more. May be called without
     * the lock. */
    reap_status (*finish)(struct reap__accelerator *accelerator, enum reap__stream stream,
                          bool *lost);

    /* All work enqueued on the compute stream is complete. NULL: the driver need not know. */
    void (*note_idle)(struct reap__accelerator *accelerator);

    const struct reap__driver_native *native;
};

/* A macro that the text of a kernel defines if it has atomic operations with a memory order, for a
 * device with has_orders. */
#define REAP__HAS_ORDERS "REAP__HAS_ORDERS"

/* A device with a driver; the first member of the backends' own structs. The backend's probe fills
 * the members above the lock, which are constant from then on. */
struct reap__accelerator {
    struct reap_device device; /* first: a device's address is its accelerator's */
    const struct reap__driver *driver;
    bool has_doubles;
    bool has_wide_atomics; /* of 64 bits */
    bool has_orders;       /* the driver looks for REAP__HAS_ORDERS in a text */
    bool orders_groups;    /* writes of one group before a fence and an atomic operation are
                              visible to the group that reads the atomic after it */
    bool has_warps;        /* 32 consecutive threads exchange values (detail/.../sub_groups.h) */
    bool is_processor;     /* a group has one thread, whose loops over lanes compilers vectorise */
    size_t max_parameter_bytes; /* of a launch: block, 8 bytes a memory, local memory */

    pthread_mutex_t lock; /* guards the members below, and is held in calls of the driver */
    bool measures;        /* a timed event has been recorded */
    bool is_open;
    bool is_lost;
    atomic_uint opener; /* 1 + reap__fork_generation() when it was opened; 0: not opened; also read
                           without the lock, relaxed */
    struct reap__cached_program *programs; /* program/program.c */
    struct reap__memory scratch;           /* runtime/accelerator.c */
    size_t scratch_bytes;
    uint64_t scratch_uses;      /* by launches, so far */
    struct reap__clean {        /* elements that a launch has left initialised (runtime/spans.c) */
        uint64_t use, start;    /* scratch_uses then; the elements' value */
        size_t at, size, count; /* offset of the first, bytes of one, number of elements */
    } clean;
    struct reap__in_flight *in_flight[REAP__STREAM_COUNT]; /* runtime/in_flight.c */
    struct reap__stream_state {                            /* runtime/streams.c */
        uint64_t enqueued;                                 /* commands */
        uint64_t done;                                     /* of them, known to be complete */
        struct reap__timeline_value seen;  /* of other streams, what it waits for already */
        struct reap__device_event *latest; /* not known to be reached; NULL: no such event */
        uint64_t asked, served; /* tickets of transfers without the lock (runtime/memory.c) */
    } streams[REAP__STREAM_COUNT];
    pthread_cond_t served; /* one of those transfers has ended; created with the lock */
};

/* For `event_times` a driver measures the offset between the clocks of device and host: several
 * times, of which it takes the best one, while nothing is enqueued on the compute stream; and again
 * when the measurement is old, since the clocks drift. Returns whether it is due. `made`: the
 * host's time of the last one; 0: none. */
enum { REAP__CLOCK_TRIES = 8 };
static inline bool reap__clock_is_due(const struct reap__accelerator *accelerator, uint64_t made)
{
    enum { MOST_AGE = 1000000000 }; /* nanoseconds */
    const struct reap__stream_state *work = &accelerator->streams[REAP__STREAM_COMPUTE];
    return made == 0 || (work->done == work->enqueued && reap__now() - made > MOST_AGE);
}

#endif
