/* SPDX-License-Identifier: Apache-2.0
 *
 * A queue takes commands for one device (SYCL 2020, section 4.6.5). Commands of a queue run in the
 * order of their launches unless the queue was made out of order; then events order them, and the
 * access modes of those that use the same buffers.
 * The host runs a command before its launch returns, unless the queue is asynchronous.
 * A program checks what a launch returns and what reap_queue_wait returns.
 */
#ifndef REAP_QUEUE_H
#define REAP_QUEUE_H

#include <reap/api.h>
#include <reap/device.h>
#include <reap/status.h>
#include <stdbool.h>
#include <stddef.h>

/* A queue. It may be used from several threads at the same time. */
typedef struct reap_queue reap_queue;

/* Is told each failure that a command's event and reap_queue_wait would return (SYCL 2020, section
 * 4.13.1.2, async_handler), once: by whichever thread finds it, which may be one of the library's,
 * or one within a launch, while it holds locks of the library. So it returns soon, takes no lock
 * that is held around calls of the library, and calls no other function of it than
 * reap_status_name. The line is that of reap_last_error(), and lives until the return. */
typedef void reap_error_handler(void *context, reap_status status, const char *line);

/* What a queue is made with; all zero is the default. */
typedef struct reap_queue_options {
    bool out_of_order;  /* commands wait for events and buffers alone; default: in order */
    size_t max_threads; /* on the host, how many threads a command may use; default 0: all */

    /* Threads of the library run the commands, and a launch returns before, on every device; out of
     * order, several at a time. What a launch points to must live until its command has completed:
     * arrays, and reduction variables; its other arguments are copied. Failures that a launch would
     * return, but those of its arguments and of memory for it, are asynchronous then. Default: a
     * launch on the host returns after its command, and one on a device when the device has it. */
    bool asynchronous;

    bool profiling; /* events know when their commands ran (reap_event_get_times); default: no */

    reap_error_handler *on_error; /* is told failures; default: NULL; waits return them anyway */
    void *on_error_context;       /* on_error's first argument; default: NULL */
} reap_queue_options;

/* Makes a queue; it is the caller's, to be released. device may be NULL (the default device) and
 * options may be NULL (all defaults). Any thread.
 * Fails with INVALID_ARGUMENT (queue is NULL), NO_DEVICE (see reap_device_default) or
 * OUT_OF_MEMORY. */
REAP_API reap_status reap_queue_create(const reap_device *device, const reap_queue_options *options,
                                       reap_queue **queue);

/* Waits for the queue's commands and frees it; NULL is fine. No other thread may still use it. An
 * error that no reap_queue_wait has returned is lost. */
REAP_API void reap_queue_release(reap_queue *queue);

/* Blocks until every command launched so far has completed. Returns the first asynchronous error
 * since the last call, with its line in reap_last_error(), and forgets it. What is launched then
 * may use the buffers that the queue's failed commands were to write (<reap/buffer.h>). NULL gives
 * INVALID_ARGUMENT. Any thread. */
REAP_API reap_status reap_queue_wait(reap_queue *queue);

/* The device that the queue was made for; borrowed. queue must not be NULL. Any thread. */
REAP_API const reap_device *reap_queue_device(const reap_queue *queue);

#endif
