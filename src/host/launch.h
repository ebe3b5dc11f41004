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
void reap__host_configure(enum reap__isa isa, size_t threads, bool is_checked);

/* See struct reap__backend. */
reap_status reap__host_run_launch(const reap_device *device, const struct reap__launch *command);

struct reap__item_log;
reap_status reap__host_log_items(const reap_device *device, const struct reap__launch *command,
                                 size_t first, size_t count, struct reap__item_log *log);

/* For tests: how many commands the code for an instruction set says that it has run. */
unsigned long reap__host_commands_run(enum reap__isa isa);

#endif
