/* SPDX-License-Identifier: Apache-2.0
 *
 * The fake libcuda's streams, and events in them, which know how much had been enqueued before
 * them.
 */
#include "tests/fake/cuda.h"

#include <stdlib.h>

struct reap__cuda_stream {
    int unused;
};

struct reap__cuda_event {
    struct fake_mark mark;
    bool is_timed;
};

static struct reap__cuda_stream streams[FAKE_STREAMS];

int cuStreamCreate(struct reap__cuda_stream **made, unsigned flags)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_MAKES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    if (flags != REAP__CUDA_STREAM_NON_BLOCKING)
        fake_misuse("a stream that waits for others");
    fake_count(FAKE_STREAM, 1);
    *made = &streams[fake_alive(FAKE_STREAM) - 1];
    return REAP__CUDA_SUCCESS;
}

/* NULL is the default stream, which has the last number. */
size_t fake_cuda_stream(const struct reap__cuda_stream *used)
{
    if (used == NULL)
        return FAKE_STREAMS - 1;
    if (used < streams || used >= streams + fake_alive(FAKE_STREAM))
        fake_misuse("a stream that there is not");
    return (size_t)(used - streams);
}

int cuStreamGetCtx(struct reap__cuda_stream *used, struct reap__cuda_context **found)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    if (used == NULL && !fake_cuda_has_context())
        return FAKE_CUDA_INVALID_CONTEXT;
    fake_cuda_stream(used);
    *found = fake_cuda_context();
    return REAP__CUDA_SUCCESS;
}

int cuStreamSynchronize(struct reap__cuda_stream *used)
{
    FAKE_ALONE;
    const struct fake_mark end = fake_mark(fake_cuda_stream(used));
    const int error = fake_cuda_begin(__func__, FAKE_REACHES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    fake_work_until(&end);
    return REAP__CUDA_SUCCESS;
}

/* What Reap itself does not call, but libreap_mpi, for NCCL. */
int cuStreamQuery(struct reap__cuda_stream *used);
int cuStreamDestroy_v2(struct reap__cuda_stream *used);

int cuStreamQuery(struct reap__cuda_stream *used)
{
    return cuStreamSynchronize(used);
}

/* The one that was made last. */
int cuStreamDestroy_v2(struct reap__cuda_stream *used)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    if (fake_cuda_stream(used) + 1 != (size_t)fake_alive(FAKE_STREAM))
        fake_misuse("a stream that is not the last one");
    fake_count(FAKE_STREAM, -1);
    return REAP__CUDA_SUCCESS;
}

int cuStreamWaitEvent(struct reap__cuda_stream *used, struct reap__cuda_event *event,
                      unsigned flags)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_ENQUEUES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    if (flags != 0)
        fake_misuse("a wait of another kind");
    fake_follow(fake_cuda_stream(used), &event->mark);
    return REAP__CUDA_SUCCESS;
}

int cuEventCreate(struct reap__cuda_event **event, unsigned flags)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_MAKES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    if (flags != REAP__CUDA_EVENT_DISABLE_TIMING && flags != REAP__CUDA_EVENT_DEFAULT)
        fake_misuse("an event of another kind");
    *event = calloc(1, sizeof **event);
    if (*event == NULL)
        abort();
    (*event)->is_timed = flags == REAP__CUDA_EVENT_DEFAULT;
    fake_count(FAKE_EVENT, 1);
    return REAP__CUDA_SUCCESS;
}

int cuEventRecord(struct reap__cuda_event *event, struct reap__cuda_stream *used)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_ENQUEUES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    event->mark = fake_mark(fake_cuda_stream(used));
    return REAP__CUDA_SUCCESS;
}

int cuEventQuery(struct reap__cuda_event *event)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_MAKES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    fake_work_on();
    return fake_is_reached(&event->mark) ? REAP__CUDA_SUCCESS : REAP__CUDA_NOT_READY;
}

int cuEventSynchronize(struct reap__cuda_event *event)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_REACHES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    fake_work_until(&event->mark);
    return REAP__CUDA_SUCCESS;
}

/* A command takes a millisecond. */
int cuEventElapsedTime(float *milliseconds, struct reap__cuda_event *first,
                       struct reap__cuda_event *second)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    if (!first->is_timed || !second->is_timed || !fake_is_reached(&first->mark) ||
        !fake_is_reached(&second->mark))
        fake_misuse("the time of an event that has none");
    *milliseconds = (float)second->mark.time - (float)first->mark.time;
    return REAP__CUDA_SUCCESS;
}

int cuEventDestroy(struct reap__cuda_event *event)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    free(event);
    fake_count(FAKE_EVENT, -1);
    return REAP__CUDA_SUCCESS;
}
