/* SPDX-License-Identifier: Apache-2.0
 *
 * The arrays of which a share of a divided launch has slices: `.launch.divided` names them.
 */
#ifndef REAP_COMBINED_DIVISION_H
#define REAP_COMBINED_DIVISION_H

#include "src/core/checked_launch.h"
#include "src/memory/buffer.h"

/* For each parameter of a kernel. */
struct reap__division {
    struct {
        size_t elements; /* that a work-item uses; 0: the array is not divided */
        struct reap__resolved_pointer place; /* on a device with memory of its own */
        struct reap__coherence *coherence;   /* whose slice is in use; or NULL */
        struct reap__buffer_slice *slice;
    } arrays[REAP__MOST_PARAMETERS + 1];
};

static inline bool reap__is_divided(const struct reap__launch *command, size_t parameter)
{
    return command->division != NULL && command->division->arrays[parameter].elements > 0;
}

/* Reads the names; all else of the division is zero. NULL: there are none. Fails with
 * REAP_ERROR_INVALID_ARGUMENT where one is not an array of the kernel. */
reap_status reap__division_parse(const struct reap_kernel *kernel, const char *divided,
                                 struct reap__division *division);

/* Whether the buffers of divided arrays have the elements of all items. Fails with
 * REAP_ERROR_INVALID_ARGUMENT. */
reap_status reap__division_check(const struct reap__launch *command,
                                 const struct reap__division *division);

/* Before a share runs on a device: its slices are valid there. `command` is the share. What was
 * begun is to be ended, also after a failure. */
reap_status reap__division_begin(const reap_device *device, const struct reap__launch *command,
                                 struct reap__division *division);
void reap__division_end(struct reap__division *division);

#endif
