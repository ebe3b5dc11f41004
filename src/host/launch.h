/* SPDX-License-Identifier: Apache-2.0
 *
 * Running a command on the host: the backend's `run`.
 */
#ifndef REAP_HOST_LAUNCH_H
#define REAP_HOST_LAUNCH_H

#include "src/core/checked_launch.h"

#include <reap/device.h>
#include <stdbool.h>

/* Sets what every command runs with, before the first one. */
struct reap__config;
void reap__host_configure(enum reap__isa isa, size_t threads, const struct reap__config *config);

/* See struct reap__backend. */
reap_status reap__host_run_launch(const reap_device *device, const struct reap__launch *command);

struct reap__item_log;
reap_status reap__host_log_items(const reap_device *device, const struct reap__launch *command,
                                 size_t first, size_t count, struct reap__item_log *log);

/* See struct reap__device_functions. A kernel that cannot be compiled stays with fibers, and the
 * call succeeds. */
reap_status reap__host_compile(const reap_device *device, const struct reap_kernel *kernel,
                               unsigned dimensions);

const char *reap__host_code(const struct reap_kernel *kernel, unsigned dimensions);

/* For tests: how many commands the code for an instruction set says that it has run. */
unsigned long reap__host_commands_run(enum reap__isa isa);

#endif
