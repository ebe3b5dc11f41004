/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches on the host: `run` and its relatives in the host's device functions.
 */
#ifndef REAP_HOST_LAUNCH_H
#define REAP_HOST_LAUNCH_H

#include "src/core/checked_launch.h"

#include <reap/device.h>
#include <stdbool.h>

/* Configures all commands; called once, before the first. */
struct reap__config;
void reap__host_configure(enum reap__isa isa, size_t threads, const struct reap__config *config);

/* See struct reap__device_functions. */
reap_status reap__host_run_launch(const reap_device *device, const struct reap__launch *command);

bool reap__host_run_prepared(reap_queue *queue, const struct reap_kernel *kernel,
                             const void *arguments, reap_status *status);

struct reap__item_log;
reap_status reap__host_log_items(const reap_device *device, const struct reap__launch *command,
                                 size_t first, size_t count, struct reap__item_log *log);

/* See struct reap__device_functions. If a kernel cannot be compiled, its work-items run on fibers,
 * and the call succeeds. */
reap_status reap__host_compile(const reap_device *device, const struct reap_kernel *kernel,
                               unsigned dimensions);

const char *reap__host_code(const struct reap_kernel *kernel, unsigned dimensions);

/* For tests: the number of commands whose code was for this instruction set. */
unsigned long reap__host_commands_run(enum reap__isa isa);

#endif
