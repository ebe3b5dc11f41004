/* SPDX-License-Identifier: Apache-2.0
 *
 * What a command writes, as it was before the command, for one that may begin anew or end as if it
 * had never begun.
 */
#ifndef REAP_ACCELERATOR_RUNTIME_SAVED_H
#define REAP_ACCELERATOR_RUNTIME_SAVED_H

#include "src/accelerator/runtime/launch.h"

/* All zero: nothing is saved. */
struct reap__saved {
    size_t count;
    struct reap__memory memories[REAP__MOST_PARAMETERS];
    unsigned char *bytes[REAP__MOST_PARAMETERS];
    size_t sizes[REAP__MOST_PARAMETERS];
};

/* With the lock held: the buffers of all arrays that the command writes, once each, in the host's
 * memory. Where it fails, there is something to release as well. */
reap_status reap__saved_take(const struct reap__device_launch *launch, struct reap__saved *saved);
void reap__saved_release(struct reap__saved *saved);

/* With the lock held: writes them back. */
reap_status reap__saved_restore(const struct reap__device_launch *launch,
                                const struct reap__saved *saved);

/* The same after a failure: gives `status` with this thread's line, or DEVICE_FAILED where the
 * arrays are not what they were. */
reap_status reap__saved_restore_after(const struct reap__device_launch *launch,
                                      const struct reap__saved *saved, reap_status status);

#endif
