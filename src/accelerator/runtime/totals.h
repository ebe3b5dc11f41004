/* SPDX-License-Identifier: Apache-2.0
 *
 * The totals of a command's array reductions in the host's memory, where they are folded there, and
 * how a command ends whose results are.
 */
#ifndef REAP_ACCELERATOR_RUNTIME_TOTALS_H
#define REAP_ACCELERATOR_RUNTIME_TOTALS_H

#include "src/accelerator/runtime/launch.h"

struct reap__totals {
    unsigned char *memory;
    unsigned char *identity; /* of one element, and behind it what elements start as */
    struct reap__results rows[REAP__MOST_PARAMETERS];
};

/* Each element as it starts; all members are zero before. Fails with OUT_OF_MEMORY; to be released
 * all the same. */
reap_status reap__totals_make(const struct reap__device_launch *launch,
                              struct reap__totals *totals);
void reap__totals_release(struct reap__totals *totals);

/* Finishes the command's scalars that do not stay on the device, from the host's view of its
 * results, and its spans. */
reap_status reap__totals_finish(const struct reap__device_launch *launch, const unsigned char *view,
                                const struct reap__totals *totals);

#endif
