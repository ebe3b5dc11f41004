/* SPDX-License-Identifier: Apache-2.0
 *
 * What a backend is: one const struct in a folder of its own. To write one, fill the struct and add
 * a line to the list in device.c. The core has checked everything before it calls `run`.
 */
#ifndef REAP_CORE_BACKEND_H
#define REAP_CORE_BACKEND_H

#include "src/core/command.h"

#include <reap/device.h>
#include <reap/status.h>
#include <stddef.h>

struct reap_device {
    const struct reap__backend *backend;
    reap_device_info info;
};

struct reap__backend {
    const char *name;

    /* The devices that are there, an array that lives for ever. Called once, under the lock of the
     * device list; may block. Fails with a line that says what is missing. */
    reap_status (*probe)(const struct reap_device **devices, size_t *count);

    /* Whether the calling thread is within a kernel of this backend, from where nothing can be
     * launched; NULL: it never is. */
    bool (*is_within)(void);

    /* Runs a command and writes its reduction variables. No lock of the core is held but that of an
     * in-order queue; may block until the command has completed. A failure leaves the reduction
     * variables as they were, and says by *started whether work-items have run (then the error is
     * an asynchronous one). Any thread. */
    reap_status (*run)(const struct reap_device *device, const struct reap__command *command,
                       bool *started);
};

extern const struct reap__backend reap__host_backend;

#endif
