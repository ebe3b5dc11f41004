/* SPDX-License-Identifier: Apache-2.0
 *
 * The device functions for memory and transfers. Each locks the device.
 */
#include "src/accelerator/runtime/in_flight.h"
#include "src/accelerator/runtime/runtime.h"
#include "src/core/status.h"
#include "src/port/cancellation.h"

reap_status reap__device_allocate(const reap_device *device, size_t bytes,
                                  struct reap__memory *memory)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    REAP_TRY(reap__accelerator_enter(accelerator));
    return reap__accelerator_leave(accelerator,
                                   accelerator->driver->allocate(accelerator, bytes, memory));
}

void reap__device_release(const reap_device *device, struct reap__memory *memory)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    if (reap__accelerator_enter(accelerator) != REAP_OK)
        return;
    reap__accelerator_finish(accelerator);
    accelerator->driver->release(accelerator, memory);
    reap__accelerator_leave(accelerator, REAP_OK);
}

/* ---- Transfers --------------------------------------------------------------------------------*/

/* Longer copies from and to host memory use streams of their own, at the same time as kernels, and
 * their caller waits without the lock. For shorter ones the synchronisation of streams would take
 * longer than the copy. */
size_t reap__least_async_copy_bytes = 1 << 20;

static enum reap__stream choose_stream(enum reap__stream beside, size_t bytes)
{
    return bytes < reap__least_async_copy_bytes ? REAP__STREAM_COMPUTE : beside;
}

/* A transfer: the memories of the device that it writes and reads; NULL: none. */
struct transfer {
    enum reap__stream stream;
    const struct reap__memory *to, *from;
    struct reap__execution *execution;  /* NULL: not of a command */
    struct reap__timeline_value before; /* it waits for this */
};

/* With the lock held: makes the stream wait for earlier accesses, and for the command's
 * dependencies. */
static reap_status begin_transfer(struct reap__accelerator *accelerator, struct transfer *transfer)
{
    const struct reap__memory *to = transfer->to, *from = transfer->from;
    if (transfer->execution != NULL)
        transfer->before = transfer->execution->timeline;
    else if ((to != NULL && to->last_access == NULL) || (from != NULL && from->last_access == NULL))
        transfer->before = reap__streams_end(accelerator);
    if (to != NULL)
        reap__last_access_wait_for(to->last_access, true, &transfer->before);
    if (from != NULL)
        reap__last_access_wait_for(from->last_access, false, &transfer->before);
    REAP_TRY(reap__accelerator_check(accelerator)); /* other threads may have had the lock */
    REAP_TRY(reap__stream_after(accelerator, transfer->stream, &transfer->before));
    if (transfer->execution != NULL)
        reap__device_record_begin(accelerator, transfer->stream, transfer->execution);
    return REAP_OK;
}

/* With the lock held, once it is enqueued. With a device event after a long copy, a wait for it
 * does not wait for later ones. */
static void end_transfer(struct reap__accelerator *accelerator, const struct transfer *transfer)
{
    struct reap__timeline_value timeline = transfer->before;
    timeline.at[transfer->stream] = reap__stream_note(accelerator, transfer->stream);
    if (transfer->to != NULL)
        reap__last_access_note(transfer->to->last_access, true, &timeline);
    if (transfer->from != NULL)
        reap__last_access_note(transfer->from->last_access, false, &timeline);
    if (transfer->stream != REAP__STREAM_COMPUTE)
        reap__device_event_release(accelerator,
                                   reap__device_event_record(accelerator, transfer->stream, false));
    if (transfer->execution == NULL)
        return;
    transfer->execution->stream = transfer->stream;
    transfer->execution->timeline = timeline;
}

/* With the lock held: waits until this thread may use a copy stream. Long copies use it one at a
 * time, in the order of their calls: if they shared the bandwidth, all of them would end late. */
static void take_stream(struct reap__accelerator *accelerator, enum reap__stream stream)
{
    struct reap__stream_state *progress = &accelerator->streams[stream];
    if (stream == REAP__STREAM_COMPUTE)
        return;
    const uint64_t mine = progress->asked++;
    while (progress->served != mine)
        reap__condition_wait(&accelerator->served, &accelerator->lock);
}

static void give_stream(struct reap__accelerator *accelerator, enum reap__stream stream)
{
    if (stream == REAP__STREAM_COMPUTE)
        return;
    accelerator->streams[stream].served++;
    pthread_cond_broadcast(&accelerator->served);
}

/* Without the lock. A copy whose stream must wait for another stream would hold the driver's own
 * locks until then, so this waits first. */
static reap_status wait_for_stream(struct reap__accelerator *accelerator, enum reap__stream stream,
                                   bool *lost)
{
    return stream == REAP__STREAM_COMPUTE ? REAP_OK
                                          : accelerator->driver->finish(accelerator, stream, lost);
}

static reap_status write_beside(struct reap__accelerator *accelerator, enum reap__stream stream,
                                const struct reap__device_address *to, const void *from,
                                size_t bytes)
{
    if (stream == REAP__STREAM_COMPUTE)
        return accelerator->driver->write(accelerator, stream, to, from, bytes);
    bool lost = false;
    pthread_mutex_unlock(&accelerator->lock);
    reap_status status = wait_for_stream(accelerator, stream, &lost);
    if (status == REAP_OK)
        status = accelerator->driver->write(accelerator, stream, to, from, bytes);
    pthread_mutex_lock(&accelerator->lock);
    accelerator->is_lost |= lost;
    return status == REAP_OK ? reap__accelerator_check(accelerator) : status;
}

reap_status reap__device_write(const reap_device *device, const struct reap__device_address *to,
                               const void *from, size_t bytes, struct reap__execution *execution)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    struct transfer transfer = {.stream = choose_stream(REAP__STREAM_TO_DEVICE, bytes),
                                .to = to->memory,
                                .execution = execution};
    REAP_TRY(reap__accelerator_enter(accelerator));
    take_stream(accelerator, transfer.stream);
    reap_status status = begin_transfer(accelerator, &transfer);
    if (status == REAP_OK)
        status = write_beside(accelerator, transfer.stream, to, from, bytes);
    if (status == REAP_OK)
        end_transfer(accelerator, &transfer);
    else
        reap__stream_note(accelerator, transfer.stream); /* it may have been enqueued */
    give_stream(accelerator, transfer.stream);
    return reap__accelerator_leave(accelerator, status);
}

/* After that, all commands that the stream had before are complete, too. */
static reap_status read_beside(struct reap__accelerator *accelerator, enum reap__stream stream,
                               const struct reap__device_address *from, void *into, size_t bytes)
{
    const uint64_t before = accelerator->streams[stream].enqueued;
    bool lost = false;
    pthread_mutex_unlock(&accelerator->lock);
    reap_status status = wait_for_stream(accelerator, stream, &lost);
    if (status == REAP_OK)
        status = accelerator->driver->read(accelerator, stream, from, into, bytes);
    pthread_mutex_lock(&accelerator->lock);
    accelerator->is_lost |= lost;
    REAP_TRY(status);
    REAP_TRY(reap__accelerator_check(accelerator));
    reap__accelerator_note_done(accelerator, stream, before);
    return REAP_OK;
}

reap_status reap__device_read(const reap_device *device, const struct reap__device_address *from,
                              void *into, size_t bytes, struct reap__execution *execution)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    struct transfer transfer = {.stream = choose_stream(REAP__STREAM_TO_HOST, bytes),
                                .from = from->memory,
                                .execution = execution};
    REAP_TRY(reap__accelerator_enter(accelerator));
    take_stream(accelerator, transfer.stream);
    reap_status status = begin_transfer(accelerator, &transfer);
    if (status == REAP_OK)
        status = read_beside(accelerator, transfer.stream, from, into, bytes);
    if (status == REAP_OK)
        reap__in_flight_note_done(accelerator, &transfer.before);
    if (status == REAP_OK && execution != NULL)
        reap__device_note_times(accelerator, execution->event);
    give_stream(accelerator, transfer.stream);
    return reap__accelerator_leave(accelerator, status);
}

/* The stream of a copy between two memories of the device, one of which may be in host memory. */
static enum reap__stream stream_between(const struct reap__memory *to,
                                        const struct reap__memory *from, size_t bytes)
{
    if (to->is_hosts == from->is_hosts)
        return REAP__STREAM_COMPUTE;
    return choose_stream(to->is_hosts ? REAP__STREAM_TO_HOST : REAP__STREAM_TO_DEVICE, bytes);
}

reap_status reap__device_copy(const reap_device *device, const struct reap__device_address *to,
                              const struct reap__device_address *from, size_t bytes,
                              struct reap__execution *execution)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    struct transfer transfer = {.stream = stream_between(to->memory, from->memory, bytes),
                                .to = to->memory,
                                .from = from->memory,
                                .execution = execution};
    REAP_TRY(reap__accelerator_enter(accelerator));
    reap_status status = begin_transfer(accelerator, &transfer);
    if (status == REAP_OK)
        status = accelerator->driver->copy(accelerator, transfer.stream, to, from, bytes);
    if (status == REAP_OK)
        end_transfer(accelerator, &transfer);
    return reap__accelerator_leave(accelerator, status);
}

reap_status reap__device_fill(const reap_device *device, const struct reap__device_address *to,
                              unsigned char value, size_t bytes, struct reap__execution *execution)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    struct transfer transfer = {.to = to->memory, .execution = execution};
    REAP_TRY(reap__accelerator_enter(accelerator));
    reap_status status = begin_transfer(accelerator, &transfer);
    if (status == REAP_OK)
        status = accelerator->driver->fill(accelerator, to->memory, to->offset, value, bytes);
    if (status == REAP_OK)
        end_transfer(accelerator, &transfer);
    return reap__accelerator_leave(accelerator, status);
}

/* Adds a command that only waits for its dependencies. */
static reap_status follow(struct reap__accelerator *accelerator, reap_queue *queue,
                          struct reap__execution *execution)
{
    REAP_TRY(reap__stream_after(accelerator, execution->stream, &execution->timeline));
    return reap__in_flight_add_transfer(accelerator, queue, execution);
}

reap_status reap__device_follow(const reap_device *device, reap_queue *queue,
                                struct reap__execution *execution)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    REAP_TRY(reap__accelerator_enter(accelerator));
    reap_status status = REAP_OK;
    if (execution == NULL) {
        reap__in_flight_complete(accelerator); /* failures are noted at the queues */
        status = reap__accelerator_finish(accelerator);
    } else {
        status = follow(accelerator, queue, execution);
    }
    return reap__accelerator_leave(accelerator, status);
}

/* ---- Beside kernels ---------------------------------------------------------------------------*/

reap_status reap__device_settle(const reap_device *device, const void *memory, size_t bytes)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    REAP_TRY(reap__accelerator_enter(accelerator));
    reap_status status = REAP_OK;
    if (reap__in_flight_overlaps(accelerator, memory, bytes) &&
        reap__in_flight_complete(accelerator) == REAP_ERROR_DEVICE_FAILED)
        status = REAP_ERROR_DEVICE_FAILED; /* other failures are noted at the queues */
    return reap__accelerator_leave(accelerator, status);
}

reap_status reap__device_share(const reap_device *device, reap_memory_kind kind, size_t bytes,
                               struct reap__memory *memory)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    if (accelerator->driver->allocate_usm == NULL)
        return REAP_OK;
    REAP_TRY(reap__accelerator_enter(accelerator));
    return reap__accelerator_leave(
        accelerator, accelerator->driver->allocate_usm(accelerator, kind, bytes, memory));
}

reap_status reap__device_prefetch(const reap_device *device, const struct reap__memory *memory,
                                  size_t offset, size_t bytes, bool to_host)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    if (accelerator->driver->prefetch == NULL)
        return REAP_OK;
    REAP_TRY(reap__accelerator_enter(accelerator));
    return reap__accelerator_leave(
        accelerator, accelerator->driver->prefetch(accelerator, memory, offset, bytes, to_host));
}
