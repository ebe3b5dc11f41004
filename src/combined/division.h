/* SPDX-License-Identifier: Apache-2.0
 *
 * The divided arrays of a launch, which `.launch.divided` names: each share has a slice of them.
 */
#ifndef REAP_COMBINED_DIVISION_H
#define REAP_COMBINED_DIVISION_H

#include "src/core/checked_launch.h"
#include "src/memory/buffer.h"

/* For each parameter of a kernel: whether its array is divided, and how. */
struct reap__division {
    struct {
        size_t elements;                     /* for each work-item; 0: the array is not divided */
        struct reap__resolved_pointer place; /* on a device with memory of its own */
        struct reap__coherence *coherence;   /* of the buffer whose slice is in use; NULL: none */
        struct reap__buffer_slice *slice;
    } arrays[REAP__MOST_PARAMETERS + 1];
};

static inline bool reap__is_divided(const struct reap__launch *command, size_t parameter)
{
    return command->division != NULL && command->division->arrays[parameter].elements > 0;
}

/* Parses the text of `.launch.divided` (NULL: no names); all other members become zero. Fails with
 * REAP_ERROR_INVALID_ARGUMENT if a name is not one of an array of the kernel. */
reap_status reap__division_parse(const struct reap_kernel *kernel, const char *divided,
                                 struct reap__division *division);

/* Fails with REAP_ERROR_INVALID_ARGUMENT if the buffer of a divided array is too small for all
 * items. */
reap_status reap__division_check(const struct reap__launch *command,
                                 const struct reap__division *division);

/* Returns whether a divided array that the launch writes is in one buffer with an argument that may
 * use the same bytes: an array that is not divided, or a divided one that it overlaps. Slices
 * cannot have such arrays: one device would not see what another one writes, or write over it. */
bool reap__division_shares_memory(const struct reap__launch *command,
                                  const struct reap__division *division);

/* `begin`: makes the slices of the share `command` valid on the device. Fails as the device. `end`
 * releases them; it is called after each `begin`, also after a failed one. */
reap_status reap__division_begin(const reap_device *device, const struct reap__launch *command,
                                 struct reap__division *division);
void reap__division_end(struct reap__division *division);

#endif
