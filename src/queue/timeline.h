/* SPDX-License-Identifier: Apache-2.0
 *
 * Timelines of a device whose streams run side by side: each stream numbers its commands, and a
 * timeline value says how many commands of each stream are, or must be, complete. Commands carry
 * timeline values; src/accelerator/runtime/streams.c makes them, and streams wait for them.
 */
#ifndef REAP_QUEUE_TIMELINE_H
#define REAP_QUEUE_TIMELINE_H

#include <reap/event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kernels and short copies; long copies from host memory; long copies to host memory. */
enum reap__stream {
    REAP__STREAM_COMPUTE,
    REAP__STREAM_TO_DEVICE,
    REAP__STREAM_TO_HOST,
    REAP__STREAM_COUNT
};

/* Commands of each stream that are complete; 0: none need be. */
struct reap__timeline_value {
    uint64_t at[REAP__STREAM_COUNT];
};

/* *timeline becomes the earliest value that is after both. */
static inline void reap__timeline_join(struct reap__timeline_value *timeline,
                                       const struct reap__timeline_value *other)
{
    for (size_t s = 0; s < REAP__STREAM_COUNT; s++)
        if (timeline->at[s] < other->at[s])
            timeline->at[s] = other->at[s];
}

/* The last accesses to memory: it may be read after `written`, and written after both. Guarded by
 * the device's lock. */
struct reap__last_access {
    struct reap__timeline_value written;
    struct reap__timeline_value read;
};

/* One run of a command. */
struct reap__execution {
    reap_event *event;                    /* NULL: no event */
    reap_event *begins;                   /* a timed event, until the begin of its command is
                                             recorded, by its first work on a device; else NULL */
    struct reap__timeline_value timeline; /* what it runs after; once it has run, its completion */
    enum reap__stream stream;             /* of its work on an accelerator */
    bool started;                         /* work-items may have run, or bytes may have changed */
};

#endif
