/* SPDX-License-Identifier: Apache-2.0
 *
 * A backend: one const struct in a folder of its own, and a line in the list in device.c. Devices
 * with memory and a compiler of their own share their functions (accelerator/driver.h), so their
 * backends find devices and fill a driver. The core has checked everything before it calls `run`.
 */
#ifndef REAP_CORE_BACKEND_H
#define REAP_CORE_BACKEND_H

#include "src/core/checked_launch.h"
#include "src/port/thread.h"

#include <reap/compile.h>
#include <reap/device.h>
#include <reap/native.h>
#include <reap/status.h>
#include <reap/usm.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reap_device {
    const struct reap__backend *backend;
    const struct reap__device_functions *functions;
    reap_device_info info;
    unsigned aspects; /* a bit for each reap_aspect */
};

#define REAP__ASPECT_BIT(aspect) (1u << (aspect))

/* An allocation in a device's own memory; the backend knows which of the first two it uses. Both
 * zero: none. */
struct reap__memory {
    void *object;
    uint64_t address;
    struct reap__last_access *last_access; /* NULL: queues and events order what uses it */
    bool is_hosts;                         /* the host's memory, which the device reaches */
    bool is_borrowed;                      /* the program's: `release` leaves it alone */
};

/* A position in it. */
struct reap__device_address {
    const struct reap__memory *memory;
    size_t offset;
};

/* A vendor's objects (core/native.c). Any thread. */
struct reap__native {
    reap_status (*describe)(const struct reap_device *device, reap_native_device *native);
    reap_status (*set_context)(const struct reap_device *device, void *context);

    /* The program's stream: take_stream before a queue is made on it; begin and end around a
     * command of that queue, which follows the stream's earlier work and precedes its later work.
     */
    reap_status (*take_stream)(const struct reap_device *device, void *stream);
    reap_status (*begin)(const struct reap_device *device, void *stream,
                         struct reap__execution *execution);
    reap_status (*end)(const struct reap_device *device, void *stream,
                       const struct reap__execution *execution);

    reap_status (*import)(const struct reap_device *device, const reap_native_memory *native,
                          size_t bytes, struct reap__memory *memory);
};

/* On a thread that is within a kernel, the run that it works on, which is the backend's alone; else
 * NULL. */
extern _Thread_local void *reap__current_kernel_run REAP__NEAR;

/* Receives the values of some items, and the ends of items. */
struct reap__item_log {
    struct reap__value_log values; /* first */
    void (*begin_item)(struct reap__item_log *log, size_t item);
    void (*end_item)(struct reap__item_log *log);
};

/* What a device does. */
struct reap__device_functions {
    /* Runs a command and writes its reduction variables. No lock of the core is held but that of an
     * in-order queue; may block until the command has completed, and must where the command
     * `completes_at_once`; otherwise it keeps the command's event (reap__event_adopt), if there is
     * one. A failure leaves the reduction variables as they were, and the execution says whether
     * work-items have run (then the error is an asynchronous one). What fails after the return is
     * noted by reap__queue_note, and in the event. Any thread. */
    reap_status (*run)(const struct reap_device *device, const struct reap__launch *command);

    /* Runs a launch that is like earlier ones of the thread's, on a queue that `runs_prepared`.
     * Nothing of it has been checked but the pointers. Returns false, having done nothing, if it is
     * not like them, or wrong in any way. NULL: never. Otherwise as `run`. */
    bool (*run_prepared)(reap_queue *queue, const struct reap_kernel *kernel, const void *arguments,
                         reap_status *status);

    /* `run` divides launches among other devices (combined/), also those into parts, and calls
     * reap__launch_run_on for their shares. */
    bool divides_launches;

    /* It has no memory to allocate: it is a combined device without the host. */
    bool has_no_memory;

    /* Runs items of a range of work-items one after the other on the calling thread, and hands
     * their values to the log instead of the reductions. NULL: it
     * cannot, and launches into parts that need it are refused. Otherwise as `run`. */
    reap_status (*log_items)(const struct reap_device *device, const struct reap__launch *command,
                             size_t first, size_t count, struct reap__item_log *log);

    /* Waits for what `run` has left to do on the device, for all queues; NULL: it leaves nothing.
     * Any thread. */
    void (*wait)(const struct reap_device *device);

    /* Completes an event that it keeps, once its command has ended: waits for that, or where it
     * must not, does nothing unless the command has ended. Later commands may go on. NULL: as
     * `wait`. Any thread. */
    void (*reach)(const struct reap_device *device, reap_event *event, bool waits);

    /* Notes in event->begin where the device is before its command; where it keeps the event, it
     * says when the command ran. And forgets that, where it did not. NULL: the host measures. */
    void (*measure)(const reap_device *device, reap_event *event);
    void (*stop_measuring)(const reap_device *device, reap_event *event);

    /* Compiles a kernel for launches over so many dimensions, ahead of the first one; NULL: there
     * is nothing to compile. Any thread. */
    reap_status (*compile)(const struct reap_device *device, const struct reap_kernel *kernel,
                           unsigned dimensions);

    /* What runs a kernel, a phrase (reap_kernel_code); NULL: code of the device's compiler. Any
     * thread. */
    const char *(*code)(const struct reap_kernel *kernel, unsigned dimensions);

    /* Memory of devices that have their own; all NULL where kernels use the host's. What they do
     * happens where the execution's timeline says, and after what uses memory that is tracked;
     * without an execution, after that alone, or after all that was launched before where the
     * memory is not tracked. `release` waits for all; `write` may return before it has happened,
     * once `from` may change; `read` waits. `copy` takes memories of this device, and bytes that do
     * not overlap; `fill` makes every byte `value`. Any thread. */
    reap_status (*allocate)(const struct reap_device *device, size_t bytes,
                            struct reap__memory *memory);
    void (*release)(const struct reap_device *device, struct reap__memory *memory);
    reap_status (*write)(const struct reap_device *device, const struct reap__device_address *to,
                         const void *from, size_t bytes, struct reap__execution *execution);
    reap_status (*read)(const struct reap_device *device, const struct reap__device_address *from,
                        void *into, size_t bytes, struct reap__execution *execution);
    reap_status (*copy)(const struct reap_device *device, const struct reap__device_address *to,
                        const struct reap__device_address *from, size_t bytes,
                        struct reap__execution *execution);
    reap_status (*fill)(const struct reap_device *device, const struct reap__device_address *to,
                        unsigned char value, size_t bytes, struct reap__execution *execution);

    /* After the writes, copies and fills of a queue's command: the queue's next wait waits for them
     * and returns their error, and so does the command's event, if it has one. Without an execution
     * this call waits for the device. */
    reap_status (*follow)(const struct reap_device *device, reap_queue *queue,
                          struct reap__execution *execution);

    /* Before these bytes of the host are used beside kernels: waits for commands whose reduction
     * variables, or locations, are there. */
    reap_status (*settle)(const struct reap_device *device, const void *memory, size_t bytes);

    /* Memory of kind host or shared that the device and the host both reach, at memory->address;
     * *memory stays as it is where there is none. NULL: there never is. `prefetch` is a hint, may
     * be NULL, and is for such memory alone. */
    reap_status (*share)(const struct reap_device *device, reap_memory_kind kind, size_t bytes,
                         struct reap__memory *memory);
    reap_status (*prefetch)(const struct reap_device *device, const struct reap__memory *memory,
                            size_t offset, size_t bytes, bool to_host);

    const struct reap__native *native; /* NULL: without a vendor's interface */
};

struct reap__backend {
    const char *name;

    /* The devices that are there, an array of pointers that lives for ever. Called once, under the
     * lock of the device list; may block. Where there is none it fails with a line that says what
     * is missing.
     */
    reap_status (*probe)(const struct reap_device *const **devices, size_t *count);

    /* Its kernels run on the host's threads, and say so there (reap__current_kernel_run). */
    bool runs_on_threads;

    /* Compiles a kernel for an architecture, "sm_90", without a device, and forgets it; NULL: this
     * backend has no architectures. Any thread. */
    reap_status (*check)(const struct reap_kernel *kernel, const char *architecture);

    /* Writes the name of the architecture that `check` compiles for this one, which may be newer
     * than the compiler; NULL if `check` is. */
    reap_status (*find_checked)(const char *architecture, char checked[REAP_TARGET_BYTES]);
};

/* Runs a checked command on a device, in one run or, where its reductions go to parts, in several
 * (reduction/part.h); as `run`. */
reap_status reap__launch_run(const reap_device *device, const struct reap__launch *command);

/* The same, after what a device needs: arrays that it reaches, in its memory. */
reap_status reap__launch_run_on(const reap_device *device, const struct reap__launch *command);

/* Whether the calling thread is within a kernel of this backend, from where nothing can be
 * launched. */
static inline bool reap__is_in_kernel(const struct reap__backend *backend)
{
    return backend->runs_on_threads && reap__current_kernel_run != NULL;
}

/* The backend whose name is the first `length` characters, even if REAP_BACKENDS hides it; NULL:
 * there is none. */
const struct reap__backend *reap__backend_find(const char *name, size_t length);

/* Fails with REAP_ERROR_NO_DEVICE where REAP_BACKENDS hides the backend. */
reap_status reap__backend_check_shown(const struct reap__backend *backend);

/* Finds a device by its name. Fails with REAP_ERROR_NO_DEVICE; `what` says where the name comes
 * from. */
reap_status reap__device_find_named(const char *what, const char *name, const reap_device **device);

extern const struct reap__backend reap__host_backend;
extern const struct reap__backend reap__opencl_backend;
extern const struct reap__backend reap__cuda_backend;

#endif
