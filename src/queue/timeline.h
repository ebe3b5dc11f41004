/* SPDX-License-Identifier: Apache-2.0
 *
 * Timelines of a device with several streams of work, which run side by side: each stream numbers
 * its work, and a timeline value says how far each has come, or must have come. Commands
 * pass timeline values on; src/accelerator/runtime/streams.c makes them, and streams wait for them.
 */
#ifndef REAP_QUEUE_TIMELINE_H
#define REAP_QUEUE_TIMELINE_H

#include <reap/event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kernels, and whatever is short; long copies from the host's memory; long ones to there. */
enum reap__stream {
    REAP__STREAM_COMPUTE,
    REAP__STREAM_TO_DEVICE,
    REAP__STREAM_TO_HOST,
    REAP__STREAM_COUNT
};

/* A stream's number 0 is its begin. */
struct reap__timeline_value {
    uint64_t at[REAP__STREAM_COUNT];
};

/* What comes after both. */
static inline void reap__timeline_join(struct reap__timeline_value *timeline,
                                       const struct reap__timeline_value *other)
{
    for (size_t s = 0; s < REAP__STREAM_COUNT; s++)
        if (timeline->at[s] < other->at[s])
            timeline->at[s] = other->at[s];
}

/* The last accesses to memory, after which it may be read, and written. Under its device's lock. */
struct reap__last_access {
    struct reap__timeline_value written;
    struct reap__timeline_value read;
};

/* A command as it is run. */
struct reap__execution {
    reap_event *event;                    /* NULL: there is none */
    struct reap__timeline_value timeline; /* what it comes after; at its end, what it has reached */
    enum reap__stream stream;             /* that has its work, where a device has it */
    bool started;                         /* work-items have run, or bytes have changed */
};

#endif
