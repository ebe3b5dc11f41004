/* SPDX-License-Identifier: Apache-2.0
 *
 * Order on a device with several streams of work, which run side by side: each numbers what it is
 * handed, and a point says how far each has come, or must have. The core carries points from
 * command to command; src/accelerator/runtime/streams.c makes them, and streams wait for them.
 */
#ifndef REAP_CORE_POINT_H
#define REAP_CORE_POINT_H

#include <reap/event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kernels, and whatever is short; long copies from the host's memory; long ones to there. */
enum reap__stream {
    REAP__STREAM_WORK,
    REAP__STREAM_TO_DEVICE,
    REAP__STREAM_TO_HOST,
    REAP__STREAMS
};

/* A stream's number 0 is its begin. */
struct reap__point {
    uint64_t at[REAP__STREAMS];
};

/* What comes after both. */
static inline void reap__point_join(struct reap__point *point, const struct reap__point *other)
{
    for (size_t s = 0; s < REAP__STREAMS; s++)
        if (point->at[s] < other->at[s])
            point->at[s] = other->at[s];
}

/* Behind whom a piece of memory may be read, and written. Under the lock of its device. */
struct reap__track {
    struct reap__point written;
    struct reap__point read;
};

/* A command as it is run. */
struct reap__turn {
    reap_event *event;        /* NULL: nobody has it */
    struct reap__point point; /* at first what it comes after; at last what comes after it */
    enum reap__stream stream; /* that has its work, where a device has it */
    bool started;             /* work-items have run, or bytes have changed */
};

#endif
