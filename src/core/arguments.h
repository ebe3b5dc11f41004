/* SPDX-License-Identifier: Apache-2.0
 *
 * From a kernel and its argument struct to a checked command.
 */
#ifndef REAP_CORE_ARGUMENTS_H
#define REAP_CORE_ARGUMENTS_H

#include "src/accelerator/preprocess/preprocess.h"
#include "src/core/checked_launch.h"
#include "src/port/compiler.h"

#include <reap/device.h>
#include <reap/status.h>

/* The first check of every function that takes a kernel: that this library understands its table,
 * and that its code between phases means the same on all devices. Fails with
 * REAP_ERROR_INVALID_ARGUMENT or as reap__phases_check. */
REAP__RARE reap_status reap__kernel_refuse_format(const struct reap_kernel *kernel);
static inline reap_status reap__kernel_check_usable(const struct reap_kernel *kernel)
{
    if (kernel->format != REAP__KERNEL_FORMAT)
        return reap__kernel_refuse_format(kernel);
    return kernel->phases[REAP__ISA_PLAIN] == NULL ? REAP_OK : reap__phases_check(kernel);
}

/* Checks everything that include/reap/launch.h promises to refuse on that device, and fills the
 * command; it borrows the kernel and the arguments. Fails with REAP_ERROR_INVALID_ARGUMENT. */
reap_status reap__arguments_check(const reap_device *device, const struct reap_kernel *kernel,
                                  const void *arguments, struct reap__launch *command);

/* For a command whose kernel reads identities: writes the identities, the launch's own or the
 * operators', into `arguments`, a copy of the command's. Fails with REAP_ERROR_INVALID_ARGUMENT if
 * a reduction has no identity. */
reap_status reap__arguments_put_identities(const struct reap__launch *command, void *arguments);

/* Sets *bytes to the size of what the program may change after the call: the argument struct and
 * the launch's own identities. Returns false on overflow. `copy` copies it to memory of that size,
 * aligned to REAP__MEMORY_ALIGNMENT. */
bool reap__arguments_size(const struct reap__launch *command, size_t *bytes);
void reap__arguments_copy(const struct reap__launch *command, void *memory);

/* ---- Launches that are prepared ---------------------------------------------------------------*/

/* What is checked of the arguments of a kernel that has been launched before, if it only reads
 * arrays and has only scalar reductions. */
enum { REAP__MOST_PREPARED = 8 };
struct reap__prepared_arguments {
    size_t array_count;
    struct reap__prepared_array {
        size_t offset, size, alignment;
    } arrays[REAP__MOST_PREPARED];
};

/* Whether a launch has only scalar reductions, at most
 * REAP__MOST_PREPARED, into variables, and with the operators' identities. */
bool reap__arguments_are_plain(const struct reap__launch *command);

/* Fills `prepared` after a launch. Returns false if the kernel or the launch has something that
 * reap__arguments_check_again does not cover. */
bool reap__arguments_prepare(const struct reap__launch *command,
                             struct reap__prepared_arguments *prepared);

/* Reads the arguments of another launch of that kernel into its `count` targets. Returns false if
 * something is wrong, or unusual: then reap__arguments_check is to be called. */
bool reap__arguments_check_again(const struct reap__prepared_arguments *prepared,
                                 const void *arguments, struct reap__target *targets, size_t count);

#endif
