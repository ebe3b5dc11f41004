/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies that a command needs: of variables in unified shared memory that the host must finish; of
 * buffers that it writes, so that it can be repeated or undone (snapshots); and the totals of array
 * reductions in host memory.
 */
#ifndef REAP_ACCELERATOR_RUNTIME_STAGING_H
#define REAP_ACCELERATOR_RUNTIME_STAGING_H

#include "src/accelerator/runtime/launch.h"

/* ---- Variables in unified shared memory -------------------------------------------------------*/

struct reap__usm_staging {
    struct reap__launch command;
    struct reap__targets targets; /* the command's */
    struct reap__execution
        execution; /* the command's, which writes the copies and completes at once */
    unsigned char *copies;
};

/* Whether a command has variables or locations in unified shared memory that are not resident. */
bool reap__usm_staging_is_needed(const struct reap__device_launch *launch);

/* Copies these variables to host memory, and replaces the launch's command by one that uses the
 * copies. Fails with REAP_ERROR_OUT_OF_MEMORY or as the device. */
reap_status reap__usm_staging_begin(struct reap__device_launch *launch,
                                    struct reap__usm_staging *usm_copy);

/* After that command has ended with `status`: if it succeeded, writes the copies to the variables.
 * Returns `status`, or the error of writing. Frees the copies. */
reap_status reap__usm_staging_end(const struct reap__launch *command,
                                  struct reap__usm_staging *usm_copy, reap_status status);

/* ---- Snapshots --------------------------------------------------------------------------------*/

/* All zero: empty. */
struct reap__snapshot {
    size_t count;
    struct reap__saved {
        struct reap__memory memory;
        size_t size, at;      /* at: offset in the scratch buffer, if bytes is NULL */
        unsigned char *bytes; /* in host memory; NULL: in the scratch buffer */
    } all[REAP__MOST_PARAMETERS];
};

/* The size of the launch's snapshot. */
size_t reap__snapshot_bytes(const struct reap__device_launch *launch);

/* With the lock held. Saves the buffers of all arrays that the command writes, once each: in the
 * scratch buffer from launch->snapshot_at on, or in host memory if that is 0. Fails with
 * REAP_ERROR_OUT_OF_MEMORY or as the device; the caller releases the snapshot also after a failure.
 */
reap_status reap__snapshot_take(const struct reap__device_launch *launch,
                                struct reap__snapshot *snapshot);
void reap__snapshot_release(struct reap__snapshot *snapshot);

/* With the lock held: writes the saved bytes back. Fails as the device. */
reap_status reap__snapshot_restore(const struct reap__device_launch *launch,
                                   const struct reap__snapshot *snapshot);

/* As reap__snapshot_restore, after a failure: returns `status` and keeps this thread's message, or
 * fails with REAP_ERROR_DEVICE_FAILED if the arrays cannot be restored. */
reap_status reap__snapshot_restore_after(const struct reap__device_launch *launch,
                                         const struct reap__snapshot *snapshot, reap_status status);

/* ---- Totals -----------------------------------------------------------------------------------*/

struct reap__host_totals {
    unsigned char *memory;
    unsigned char *identity; /* of one element; the elements' start value follows */
    struct reap__results rows[REAP__MOST_PARAMETERS];
};

/* Allocates totals, each element with its start value; all members are zero before. Fails with
 * REAP_ERROR_OUT_OF_MEMORY; the caller releases the totals also after a failure. */
reap_status reap__host_totals_create(const struct reap__device_launch *launch,
                                     struct reap__host_totals *totals);
void reap__host_totals_release(struct reap__host_totals *totals);

/* Stores the results of the command's scalars that are not resident, from the host's view of the
 * results, and its spans' totals. */
reap_status reap__host_totals_store(const struct reap__device_launch *launch,
                                    const unsigned char *view,
                                    const struct reap__host_totals *totals);

#endif
