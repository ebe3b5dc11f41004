/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiling a kernel without launching it.
 */
#ifndef REAP_ACCELERATOR_RUNTIME_COMPILE_AHEAD_H
#define REAP_ACCELERATOR_RUNTIME_COMPILE_AHEAD_H

#include "src/accelerator/driver.h"

/* A backend's `compile` (core/backend.h): what a first launch would find is there then. */
reap_status reap__device_compile(const reap_device *device, const struct reap_kernel *kernel,
                                 unsigned dimensions);

/* Compiles for a device that is not there, as far as `accelerator` describes it: of its driver
 * nothing but `compile` is called, and it is not opened. What is compiled is forgotten. */
reap_status reap__device_check(struct reap__accelerator *accelerator,
                               const struct reap_kernel *kernel);

#endif
