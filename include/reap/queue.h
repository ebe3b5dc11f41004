/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Queues, which take commands for one device (SYCL 2020, section 4.6.5).
 *
 * - The commands of an in-order queue run in the order of their launches.
 * - Commands of an out-of-order queue are ordered by events, and by their access modes if they
 *   use the same buffers.
 * - The host runs a command before its launch returns, unless the queue is asynchronous.
 *
 * A program checks the status of each launch, and that of reap_queue_wait().
 */
#ifndef REAP_QUEUE_H
#define REAP_QUEUE_H

#include <reap/api.h>
#include <reap/device.h>
#include <reap/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A queue. Several threads may use it at the same time. */
typedef struct reap_queue reap_queue;

/** A function that is called once for each failure that a command's event and reap_queue_wait()
 * return (SYCL 2020, section 4.13.1.2, async_handler).
 *
 * The thread that detects the failure calls it, while it holds locks of the library. That can be a
 * thread of the library, or a thread in a launch. So the function
 * - returns soon,
 * - takes no lock that the program holds during calls of the library, and
 * - calls no function of the library except reap_status_name().
 *
 * @param context  reap_queue_options::on_error_context
 * @param status   the failure
 * @param line     its text, as of reap_last_error(); valid until the function returns */
typedef void reap_error_handler(void *context, reap_status status, const char *line);

/** The properties of a queue; all zero is the default. */
typedef struct reap_queue_options {
    bool out_of_order;  /**< commands wait only for events and buffers; default: in order */
    size_t max_threads; /**< on the host, how many threads a command may use; default 0: all */

    /** Threads of the library run the commands, and a launch returns before its command has run, on
     * every device. Out of order, several commands run at the same time. Arrays and reduction
     * variables must remain valid until the command has completed; its other arguments are copied.
     * All failures are asynchronous, except those of the arguments and of memory for the launch
     * itself. Default: a launch on the host returns after its command, and one on another device
     * once the device has received the command. */
    bool asynchronous;

    bool profiling; /**< events record times (reap_event_get_times()); default: no */

    reap_error_handler *on_error; /**< is called with failures, which waits return in any case;
                                   * default: NULL */
    void *on_error_context;       /**< the first argument of on_error; default: NULL */

    uint64_t reserved[8]; /**< for members of later versions: 0, else the queue is refused */
} reap_queue_options;

/** Creates a queue.
 *
 * @param device      NULL: the default device
 * @param options     NULL: all defaults
 * @param[out] queue  belongs to the caller, who releases it with reap_queue_release()
 * @retval REAP_ERROR_INVALID_ARGUMENT  `queue` is NULL
 * @retval REAP_ERROR_NO_DEVICE         as for reap_device_default()
 * @retval REAP_ERROR_OUT_OF_MEMORY     memory ran out
 * @note Any thread may call it. */
REAP_API reap_status reap_queue_create(const reap_device *device, const reap_queue_options *options,
                                       reap_queue **queue);

/** Waits for the queue's commands and frees the queue.
 *
 * An error that reap_queue_wait() has not returned is lost.
 *
 * @param queue  may be NULL; no other thread may use it any longer */
REAP_API void reap_queue_release(reap_queue *queue);

/** Waits until every command launched so far has completed, and returns the first asynchronous
 * error since the last call.
 *
 * reap_last_error() then has the error's text. The error is returned once. Commands launched
 * afterwards may use buffers that failed commands of this queue should have written
 * (<reap/buffer.h>).
 *
 * @param queue  the queue
 * @return the first asynchronous error, of any status; REAP_OK if there is none
 * @retval REAP_ERROR_INVALID_ARGUMENT  `queue` is NULL
 * @note Any thread may call it. */
REAP_API reap_status reap_queue_wait(reap_queue *queue);

/** Waits until no command launched so far on an in-order queue will store a reduction variable or
 * location to these bytes. On an out-of-order queue, which does not order them, it does nothing.
 *
 * For functions that read or write variables of the program on the calling thread, in the order of
 * the queue's commands, as <reap/algorithms.h> does. Errors of the commands stay with
 * reap_queue_wait().
 *
 * @param queue  not NULL
 * @param memory  of the program, in no buffer and no allocation
 * @param bytes  how many
 * @retval REAP_ERROR_DEVICE_FAILED  the device is lost
 * @note Any thread may call it. */
REAP_API reap_status reap_queue_wait_for_variable(reap_queue *queue, const void *memory,
                                                  size_t bytes);

/** The device of a queue.
 *
 * @param queue  not NULL
 * @return the device; it is not released
 * @note Any thread may call it. */
REAP_API const reap_device *reap_queue_device(const reap_queue *queue);

/** Whether a launch on the queue returns after its command has completed, so that no wait is
 * needed: on the host and on combined devices, unless the queue is asynchronous.
 *
 * @param queue  not NULL
 * @note Any thread may call it. */
REAP_API bool reap_queue_is_blocking(const reap_queue *queue);

#endif
