/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables in unified shared memory that the host has to finish: it does so in a copy of them.
 */
#ifndef REAP_ACCELERATOR_RUNTIME_DETOUR_H
#define REAP_ACCELERATOR_RUNTIME_DETOUR_H

#include "src/accelerator/runtime/launch.h"

struct reap__detour {
    struct reap__command command;
    struct reap__targets targets; /* the command's */
    struct reap__turn turn;       /* which writes the copies instead, and completes at once */
    unsigned char *room;          /* the copies */
};

/* Whether a command has such variables, or locations: all that lie in unified shared memory and do
 * not stay on the device. */
bool reap__detour_is_needed(const struct reap__device_launch *launch);

/* Makes the launch one of the detour's command. Fails with OUT_OF_MEMORY or as the device does. */
reap_status reap__detour_begin(struct reap__device_launch *launch, struct reap__detour *detour);

/* Writes the copies to where the variables are if the command has succeeded; gives how all of it
 * ended. */
reap_status reap__detour_end(const struct reap__command *command, struct reap__detour *detour,
                             reap_status status);

#endif
