/* SPDX-License-Identifier: Apache-2.0
 *
 * Host memory that replaces a command's variables: copies of variables in unified shared
 * memory that the host must finish, snapshots of what a command writes (so that it can be
 * restarted or undone), and the totals of array reductions that are folded on the host.
 */
#ifndef REAP_ACCELERATOR_RUNTIME_STAGING_H
#define REAP_ACCELERATOR_RUNTIME_STAGING_H

#include "src/accelerator/runtime/launch.h"

/* ---- Detour -----------------------------------------------------------------------------------*/

struct reap__usm_staging {
    struct reap__launch command;
    struct reap__targets targets;     /* the command's */
    struct reap__execution execution; /* which writes the copies instead, and completes at once */
    unsigned char *copies;            /* the copies */
};

/* Whether a command has such variables, or locations: all that lie in unified shared memory and do
 * not stay on the device. */
bool reap__usm_staging_is_needed(const struct reap__device_launch *launch);

/* Makes the launch one of the detour's command. Fails with REAP_ERROR_OUT_OF_MEMORY or as the
 * device does. */
reap_status reap__usm_staging_begin(struct reap__device_launch *launch,
                                    struct reap__usm_staging *usm_copy);

/* Writes the copies to where the variables are if the command has succeeded; returns how all of it
 * ended. */
reap_status reap__usm_staging_end(const struct reap__launch *command,
                                  struct reap__usm_staging *usm_copy, reap_status status);

/* ---- Saved ------------------------------------------------------------------------------------*/

/* All zero: nothing is saved. */
struct reap__snapshot {
    size_t count;
    struct reap__saved {
        struct reap__memory memory;
        size_t size, at;      /* at: in scratch memory, or */
        unsigned char *bytes; /* in the host's; else NULL */
    } all[REAP__MOST_PARAMETERS];
};

/* What a snapshot takes in scratch memory. */
size_t reap__snapshot_bytes(const struct reap__device_launch *launch);

/* With the lock held: the buffers of all arrays that the command writes, once each, in scratch
 * memory from launch->snapshot_at on; if that is 0, in the host's memory. Where it fails, there is
 * something to release as well. */
reap_status reap__snapshot_take(const struct reap__device_launch *launch,
                                struct reap__snapshot *snapshot);
void reap__snapshot_release(struct reap__snapshot *snapshot);

/* With the lock held: writes them back. */
reap_status reap__snapshot_restore(const struct reap__device_launch *launch,
                                   const struct reap__snapshot *snapshot);

/* The same after a failure: gives `status` with this thread's line, or REAP_ERROR_DEVICE_FAILED
 * where the arrays are not what they were. */
reap_status reap__snapshot_restore_after(const struct reap__device_launch *launch,
                                         const struct reap__snapshot *snapshot, reap_status status);

/* ---- Totals -----------------------------------------------------------------------------------*/

struct reap__host_totals {
    unsigned char *memory;
    unsigned char *identity; /* of one element, and after it what elements start as */
    struct reap__results rows[REAP__MOST_PARAMETERS];
};

/* Each element as it starts; all members are zero before. Fails with REAP_ERROR_OUT_OF_MEMORY; to
 * be released all the same. */
reap_status reap__host_totals_create(const struct reap__device_launch *launch,
                                     struct reap__host_totals *totals);
void reap__host_totals_release(struct reap__host_totals *totals);

/* Finishes the command's scalars that do not stay on the device, from the host's view of its
 * results, and its spans. */
reap_status reap__host_totals_store(const struct reap__device_launch *launch,
                                    const unsigned char *view,
                                    const struct reap__host_totals *totals);

#endif
