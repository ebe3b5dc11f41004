/* SPDX-License-Identifier: Apache-2.0
 *
 * A device has one scratch buffer, since its kernels run one after the other. It grows by doubling
 * and is freed only when it grows.
 */
#include "src/accelerator/runtime/accelerator.h"

#include "src/core/fork.h"
#include "src/core/stack.h"
#include "src/core/status.h"
#include "src/port/cancellation.h"
#include "src/port/fp_environment.h"

#include <stdio.h>
#include <string.h>

/* The registry has constant pointers to objects of the backends, which are not constant. */
struct reap__accelerator *reap__accelerator_of(const reap_device *device)
{
    struct reap__accelerator *accelerator;
    memcpy(&accelerator, &device, sizeof accelerator);
    return accelerator;
}

reap_status reap__accelerator_check(const struct reap__accelerator *accelerator)
{
    if (!accelerator->is_lost)
        return REAP_OK;
    return reap__fail(REAP_ERROR_DEVICE_FAILED,
                      "device '%s' is lost: an earlier command failed, and no command can run "
                      "there until the program is restarted",
                      accelerator->device.info.name);
}

bool reap__accelerator_is_foreign(const struct reap__accelerator *accelerator)
{
    const unsigned opener = atomic_load_explicit(&accelerator->opener, memory_order_relaxed);
    return opener != 0 && opener != 1 + reap__fork_generation();
}

static reap_status check_process(const struct reap__accelerator *accelerator)
{
    if (!reap__accelerator_is_foreign(accelerator))
        return REAP_OK;
    return reap__fail(REAP_ERROR_DEVICE_FAILED,
                      "device '%s' was used before the fork, and a forked child cannot use it",
                      accelerator->device.info.name);
}

static reap_status open_device(struct reap__accelerator *accelerator)
{
    REAP_TRY(reap__accelerator_check(accelerator));
    if (accelerator->is_open)
        return REAP_OK;
    atomic_store_explicit(&accelerator->opener, 1 + reap__fork_generation(), memory_order_relaxed);
    const reap__fp_environment before = reap__fp_enter(); /* of the threads that it creates */
    const reap_status status = accelerator->driver->open(accelerator);
    reap__fp_leave(before);
    accelerator->is_open = status == REAP_OK;
    if (status != REAP_OK)
        atomic_store_explicit(&accelerator->opener, 0, memory_order_relaxed);
    return status;
}

void reap__accelerator_lock(struct reap__accelerator *accelerator)
{
    reap__cancellation_defer();
    pthread_mutex_lock(&accelerator->lock);
}

bool reap__accelerator_try_lock(struct reap__accelerator *accelerator)
{
    reap__cancellation_defer();
    const bool is_locked = pthread_mutex_trylock(&accelerator->lock) == 0;
    if (!is_locked)
        reap__cancellation_allow();
    return is_locked;
}

void reap__accelerator_unlock(struct reap__accelerator *accelerator)
{
    pthread_mutex_unlock(&accelerator->lock);
    reap__cancellation_allow();
}

reap_status reap__accelerator_enter(struct reap__accelerator *accelerator)
{
    REAP_TRY(
        reap__stack_check(REAP__STACK_FOR_DEVICE / 2, "device", accelerator->device.info.name));
    REAP_TRY(
        check_process(accelerator)); /* before the lock, which a thread of the parent may hold */
    reap__accelerator_lock(accelerator);
    const reap_status status = open_device(accelerator);
    if (status != REAP_OK)
        reap__accelerator_unlock(accelerator);
    return status;
}

/* Waits for all streams; needs no lock. A copy stream without commands has no work; the compute
 * stream may have work that belongs to no command. */
static reap_status finish_streams(struct reap__accelerator *accelerator,
                                  const struct reap__timeline_value *end, bool *lost)
{
    reap_status first = REAP_OK;
    char line[REAP__MESSAGE_BYTES];
    for (enum reap__stream s = REAP__STREAM_COMPUTE; s < REAP__STREAM_COUNT; s++) {
        bool is_lost = false;
        if (s != REAP__STREAM_COMPUTE && end->at[s] == 0)
            continue;
        const reap_status status = accelerator->driver->finish(accelerator, s, &is_lost);
        *lost = *lost || is_lost;
        if (status == REAP_OK || first != REAP_OK)
            continue;
        snprintf(line, sizeof line, "%s", reap_last_error());
        first = status;
    }
    return first == REAP_OK ? REAP_OK : reap__fail(first, "%s", line);
}

void reap__accelerator_note_done(struct reap__accelerator *accelerator, enum reap__stream stream,
                                 uint64_t count)
{
    reap__stream_note_done(accelerator, stream, count);
    if (stream == REAP__STREAM_COMPUTE && accelerator->streams[stream].enqueued == count &&
        accelerator->driver->note_idle != NULL)
        accelerator->driver->note_idle(accelerator);
}

static reap_status note_finished(struct reap__accelerator *accelerator,
                                 const struct reap__timeline_value *end, reap_status status,
                                 bool lost)
{
    accelerator->is_lost |= lost;
    for (enum reap__stream s = REAP__STREAM_COMPUTE; s < REAP__STREAM_COUNT; s++)
        if (status == REAP_OK || lost)
            reap__accelerator_note_done(accelerator, s, end->at[s]);
    return status;
}

reap_status reap__accelerator_finish(struct reap__accelerator *accelerator)
{
    bool lost = false;
    const struct reap__timeline_value end = reap__streams_end(accelerator);
    /* On a lost device the driver may report success although these commands have failed. */
    REAP_TRY(reap__accelerator_check(accelerator));
    const reap_status status = finish_streams(accelerator, &end, &lost);
    return note_finished(accelerator, &end, status, lost);
}

reap_status reap__accelerator_wait(struct reap__accelerator *accelerator,
                                   const struct reap__timeline_value *timeline)
{
    bool lost = false;
    REAP_TRY(reap__accelerator_check(accelerator));
    pthread_mutex_unlock(&accelerator->lock);
    const reap_status status = finish_streams(accelerator, timeline, &lost);
    pthread_mutex_lock(&accelerator->lock);
    REAP_TRY(note_finished(accelerator, timeline, status, lost));
    return reap__accelerator_check(accelerator); /* other threads may have found that it is lost */
}

reap_status reap__accelerator_wait_event(struct reap__accelerator *accelerator,
                                         const struct reap__device_event *event, bool waits,
                                         bool *is_reached)
{
    REAP_TRY(reap__accelerator_check(accelerator));
    if (waits)
        pthread_mutex_unlock(&accelerator->lock);
    const reap_status status =
        accelerator->driver->query_event(accelerator, event->handle, waits, is_reached);
    if (waits)
        pthread_mutex_lock(&accelerator->lock);
    REAP_TRY(status);
    REAP_TRY(
        reap__accelerator_check(accelerator)); /* other threads may have found that it is lost */
    if (*is_reached)
        reap__accelerator_note_done(accelerator, event->stream, event->at);
    return REAP_OK;
}

/* A command that failed may have enqueued work; its number in the stream covers that. */
reap_status reap__accelerator_leave(struct reap__accelerator *accelerator, reap_status status)
{
    char line[REAP__MESSAGE_BYTES];
    if (status == REAP_ERROR_DEVICE_FAILED || status == REAP_ERROR_OUT_OF_MEMORY) {
        snprintf(line, sizeof line, "%s", reap_last_error());
        reap__accelerator_finish(accelerator);
        accelerator->scratch_bytes = 0; /* so it is allocated again: its counters may be wrong */
        reap__fail(status, "%s", line);
    }
    if (status != REAP_OK)
        reap__stream_note(accelerator, REAP__STREAM_COMPUTE);
    reap__accelerator_unlock(accelerator);
    return status;
}

reap_status reap__accelerator_write(struct reap__accelerator *accelerator,
                                    const struct reap__memory *memory, size_t offset,
                                    const void *from, size_t bytes)
{
    const struct reap__device_address to = {memory, offset};
    return accelerator->driver->write(accelerator, REAP__STREAM_COMPUTE, &to, from, bytes);
}

reap_status reap__accelerator_read(struct reap__accelerator *accelerator,
                                   const struct reap__memory *memory, size_t offset, void *into,
                                   size_t bytes)
{
    const struct reap__device_address from = {memory, offset};
    return accelerator->driver->read(accelerator, REAP__STREAM_COMPUTE, &from, into, bytes);
}

static size_t scratch_size(size_t bytes)
{
    size_t size = 1 << 16;
    while (size < bytes && size <= SIZE_MAX / 2)
        size *= 2;
    return bytes > (size_t)1 << 30 ? bytes : size;
}

reap_status reap__accelerator_scratch_grow(struct reap__accelerator *accelerator, size_t bytes,
                                           size_t kept, struct reap__memory *memory)
{
    const struct reap__driver *driver = accelerator->driver;
    const size_t size = scratch_size(bytes);
    struct reap__memory larger;
    if (bytes <= accelerator->scratch_bytes)
        return REAP_OK;
    REAP_TRY(driver->allocate(accelerator, size, &larger));
    const struct reap__device_address to = {&larger, 0}, from = {&accelerator->scratch, 0};
    kept = kept < accelerator->scratch_bytes ? kept : accelerator->scratch_bytes;
    reap_status status = driver->copy(accelerator, REAP__STREAM_COMPUTE, &to, &from, kept);
    if (status == REAP_OK)
        status = reap__accelerator_finish(accelerator);
    driver->release(accelerator, status == REAP_OK ? &accelerator->scratch : &larger);
    REAP_TRY(status);
    accelerator->scratch = *memory = larger;
    accelerator->scratch_bytes = size;
    return REAP_OK;
}

reap_status reap__accelerator_scratch(struct reap__accelerator *accelerator, size_t bytes,
                                      struct reap__memory *memory, bool *fresh)
{
    const struct reap__driver *driver = accelerator->driver;
    const size_t size = scratch_size(bytes);
    *fresh = bytes > accelerator->scratch_bytes;
    if (*fresh) {
        REAP_TRY(reap__accelerator_finish(accelerator));
        driver->release(accelerator, &accelerator->scratch);
        accelerator->scratch_bytes = 0;
        REAP_TRY(driver->allocate(accelerator, size, &accelerator->scratch));
        accelerator->scratch_bytes = size;
    }
    accelerator->scratch_uses +=
        *fresh ? 2 : 1; /* a fresh buffer must not match an earlier reap__clean */
    *memory = accelerator->scratch;
    return REAP_OK;
}
