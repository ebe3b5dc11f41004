/* SPDX-License-Identifier: Apache-2.0
 *
 * Each copy of a buffer has a flag that says whether it is valid. A read makes its copy valid, from
 * the copy in host memory or through it; a write makes all other copies stale. Nothing is copied
 * before a buffer is first written. Fixed memory has one copy.
 *
 * Slices have some of the bytes, and are filled from the host's memory. A slice that was
 * written is the newest: its bytes are copied to host memory before anything else reads them. While
 * there is such a slice, host memory is valid except for its bytes, and copies are stale.
 */
#include "src/memory/coherence.h"

#include "src/core/allocate.h"
#include "src/core/status.h"

#include <string.h>

/* A slice's memory begins at a multiple of so many bytes of its buffer, so that what is aligned in
 * the buffer is aligned there. */
enum { SLICE_ALIGNMENT = 256 };

atomic_size_t reap__coherence_copy_count;

void reap__coherence_init(struct reap__coherence *coherence, void *host, size_t bytes,
                          bool is_written)
{
    *coherence = (struct reap__coherence){.host = host, .bytes = bytes};
    atomic_init(&coherence->is_written, is_written);
    pthread_mutex_init(&coherence->lock, NULL);
}

void reap__coherence_pin(struct reap__coherence *coherence, const reap_device *device,
                         const struct reap__memory *memory)
{
    coherence->is_fixed = true;
    coherence->copies[0] =
        (struct reap__buffer_copy){.device = device, .memory = *memory, .is_valid = true};
    coherence->copy_count = 1;
    atomic_fetch_add_explicit(&reap__coherence_copy_count, 1, memory_order_relaxed);
}

static void release_slice(struct reap__buffer_slice *slice)
{
    slice->device->functions->release(slice->device, &slice->memory);
    *slice = (struct reap__buffer_slice){.device = NULL};
    atomic_fetch_sub_explicit(&reap__coherence_copy_count, 1, memory_order_relaxed);
}

static void release_slices(struct reap__coherence *coherence)
{
    for (size_t s = 0; coherence->slices != NULL && s < REAP__MOST_SLICES; s++)
        if (coherence->slices[s].device != NULL)
            release_slice(&coherence->slices[s]);
    reap__free(coherence->slices);
    coherence->slices = NULL;
}

void reap__coherence_destroy(struct reap__coherence *coherence)
{
    release_slices(coherence);
    for (size_t c = 0; c < coherence->copy_count; c++) {
        struct reap__buffer_copy *copy = &coherence->copies[c];
        copy->device->functions->release(copy->device, &copy->memory);
        atomic_fetch_sub_explicit(&reap__coherence_copy_count, 1, memory_order_relaxed);
    }
    coherence->copy_count = 0;
    pthread_mutex_destroy(&coherence->lock);
}

/* The functions below are called with the lock held. */

static bool overlaps(const struct reap__buffer_slice *slice, struct reap__byte_range range)
{
    return slice->device != NULL && slice->begin < range.end && range.begin < slice->end;
}

static struct reap__byte_range all_of(const struct reap__coherence *coherence)
{
    return (struct reap__byte_range){0, coherence->bytes};
}

static void make_slices_stale(struct reap__coherence *coherence, struct reap__byte_range range,
                              const struct reap__buffer_slice *except)
{
    for (size_t s = 0; coherence->slices != NULL && s < REAP__MOST_SLICES; s++) {
        struct reap__buffer_slice *slice = &coherence->slices[s];
        if (slice != except && overlaps(slice, range))
            slice->is_valid = slice->is_newest = false;
    }
}

static reap_status migrate_slice(const struct reap__coherence *coherence,
                                 struct reap__buffer_slice *slice,
                                 struct reap__execution *execution)
{
    const struct reap__device_address from = {&slice->memory, slice->begin - slice->base};
    if (!slice->is_newest)
        return REAP_OK;
    REAP_TRY(slice->device->functions->read(slice->device, &from, coherence->host + slice->begin,
                                            slice->end - slice->begin, execution));
    slice->is_newest = false;
    return REAP_OK;
}

/* Copies the bytes of the newest slices that overlap the range to host memory. */
static reap_status migrate_slices(struct reap__coherence *coherence, struct reap__byte_range range,
                                  struct reap__execution *execution)
{
    for (size_t s = 0; coherence->slices != NULL && s < REAP__MOST_SLICES; s++) {
        if (overlaps(&coherence->slices[s], range))
            REAP_TRY(migrate_slice(coherence, &coherence->slices[s], execution));
    }
    return REAP_OK;
}

static void make_stale(struct reap__coherence *coherence, const struct reap__buffer_copy *except)
{
    make_slices_stale(coherence, all_of(coherence), NULL);
    for (size_t c = 0; c < coherence->copy_count; c++)
        if (&coherence->copies[c] != except)
            coherence->copies[c].is_valid = false;
}

static reap_status migrate_to_host(struct reap__coherence *coherence,
                                   struct reap__execution *execution)
{
    if (!coherence->is_host_invalid)
        return migrate_slices(coherence, all_of(coherence), execution);
    for (size_t c = 0; c < coherence->copy_count; c++) {
        const struct reap__buffer_copy *copy = &coherence->copies[c];
        if (!copy->is_valid)
            continue;
        REAP_TRY(copy->device->functions->read(copy->device,
                                               &(struct reap__device_address){&copy->memory, 0},
                                               coherence->host, coherence->bytes, execution));
        break;
    }
    coherence->is_host_invalid = false;
    return REAP_OK;
}

static reap_status find_copy(struct reap__coherence *coherence, const reap_device *device,
                             struct reap__buffer_copy **found)
{
    for (size_t c = 0; c < coherence->copy_count; c++)
        if (coherence->copies[c].device == device) {
            *found = &coherence->copies[c];
            return REAP_OK;
        }
    if (coherence->copy_count == REAP__MOST_COPIES)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY,
                          "a buffer is on %d devices, and cannot be on "
                          "more",
                          REAP__MOST_COPIES);
    struct reap__buffer_copy *copy = &coherence->copies[coherence->copy_count];
    *copy = (struct reap__buffer_copy){.device = device};
    REAP_TRY(device->functions->allocate(device, coherence->bytes, &copy->memory));
    copy->memory.last_access = &copy->last_access;
    coherence->copy_count++;
    atomic_fetch_add_explicit(&reap__coherence_copy_count, 1, memory_order_relaxed);
    *found = copy;
    return REAP_OK;
}

static reap_status bring_to(struct reap__coherence *coherence, struct reap__buffer_copy *copy,
                            struct reap__execution *execution)
{
    if (copy->is_valid)
        return REAP_OK;
    if (reap__coherence_is_written(coherence)) {
        REAP_TRY(migrate_to_host(coherence, execution));
        REAP_TRY(copy->device->functions->write(copy->device,
                                                &(struct reap__device_address){&copy->memory, 0},
                                                coherence->host, coherence->bytes, execution));
    }
    copy->is_valid = true;
    return REAP_OK;
}

static reap_status to_device(struct reap__coherence *coherence, const reap_device *device,
                             struct reap__access_mode access, struct reap__memory *memory)
{
    struct reap__buffer_copy *copy = &coherence->copies[0];
    if (!coherence->is_fixed) {
        REAP_TRY(find_copy(coherence, device, &copy));
        if (access.reads)
            REAP_TRY(bring_to(coherence, copy, access.execution));
    }
    if (access.writes && !coherence->is_fixed) {
        copy->is_valid = true;
        make_stale(coherence, copy);
        coherence->is_host_invalid = true;
    }
    *memory = copy->memory;
    return REAP_OK;
}

/* ---- Slices -----------------------------------------------------------------------------------*/

/* Returns a slice of the device that has the bytes, exactly the same ones if they will be written,
 * since no other slice may have those; NULL: none. */
static struct reap__buffer_slice *find_slice(struct reap__coherence *coherence,
                                             const reap_device *device,
                                             struct reap__byte_range range, bool writes)
{
    for (size_t s = 0; coherence->slices != NULL && s < REAP__MOST_SLICES; s++) {
        struct reap__buffer_slice *slice = &coherence->slices[s];
        const bool is_same = slice->begin == range.begin && slice->end == range.end;
        const bool has_all = slice->begin <= range.begin && range.end <= slice->end;
        if (slice->device == device && (is_same || (has_all && !writes)))
            return slice;
    }
    return NULL;
}

/* Frees other slices of the device (NULL: of any device) that overlap these bytes: they belong to
 * shares of earlier launches. Slices in use, which the running launch writes, are not freed. */
static reap_status drop_slices(struct reap__coherence *coherence, const reap_device *device,
                               struct reap__byte_range range)
{
    for (size_t s = 0; coherence->slices != NULL && s < REAP__MOST_SLICES; s++) {
        struct reap__buffer_slice *slice = &coherence->slices[s];
        if (!overlaps(slice, range) || slice->users > 0 ||
            (device != NULL && slice->device != device))
            continue;
        REAP_TRY(migrate_slice(coherence, slice, NULL));
        release_slice(slice);
    }
    return REAP_OK;
}

static struct reap__buffer_slice *free_slice(const struct reap__coherence *coherence)
{
    for (size_t s = 0; s < REAP__MOST_SLICES; s++)
        if (coherence->slices[s].device == NULL)
            return &coherence->slices[s];
    return NULL;
}

/* Ensures that a slice is free, if possible: allocates the slices, or frees unused ones. */
static reap_status ensure_free_slice(struct reap__coherence *coherence)
{
    const size_t bytes = REAP__MOST_SLICES * sizeof *coherence->slices;
    if (coherence->slices != NULL)
        return free_slice(coherence) != NULL ? REAP_OK
                                             : drop_slices(coherence, NULL, all_of(coherence));
    coherence->slices = reap__allocate(bytes);
    if (coherence->slices == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for slices of a buffer");
    memset(coherence->slices, 0, bytes);
    return REAP_OK;
}

/* Creates a slice. Returns NULL if that fails, with the status in *status. */
static struct reap__buffer_slice *make_slice(struct reap__coherence *coherence,
                                             const reap_device *device,
                                             struct reap__byte_range range, reap_status *status)
{
    const size_t base = range.begin & ~(size_t)(SLICE_ALIGNMENT - 1);
    struct reap__memory memory = {.object = NULL};
    *status = drop_slices(coherence, device, range);
    if (*status == REAP_OK)
        *status = ensure_free_slice(coherence);
    struct reap__buffer_slice *slice = *status == REAP_OK ? free_slice(coherence) : NULL;
    if (*status == REAP_OK && slice == NULL)
        *status = reap__fail(REAP_ERROR_OUT_OF_MEMORY,
                             "divided launches use %d slices of a buffer, and cannot use more",
                             REAP__MOST_SLICES);
    if (slice == NULL)
        return NULL;
    *status = device->functions->allocate(device, range.end - base, &memory);
    if (*status != REAP_OK)
        return NULL;
    *slice = (struct reap__buffer_slice){
        .device = device, .memory = memory, .base = base, .begin = range.begin, .end = range.end};
    slice->memory.last_access = &slice->last_access;
    atomic_fetch_add_explicit(&reap__coherence_copy_count, 1, memory_order_relaxed);
    return slice;
}

static reap_status fill_slice(struct reap__coherence *coherence, struct reap__buffer_slice *slice)
{
    if (slice->is_valid)
        return REAP_OK;
    if (reap__coherence_is_written(coherence)) {
        const struct reap__byte_range range = {slice->begin, slice->end};
        REAP_TRY(coherence->is_host_invalid ? migrate_to_host(coherence, NULL)
                                            : migrate_slices(coherence, range, NULL));
        REAP_TRY(slice->device->functions->write(
            slice->device,
            &(struct reap__device_address){&slice->memory, slice->begin - slice->base},
            coherence->host + slice->begin, slice->end - slice->begin, NULL));
    }
    slice->is_valid = true;
    return REAP_OK;
}

/* Before a range is written: copies other bytes to host memory, where they stay valid, and makes
 * all other copies of the range stale. */
static reap_status write_range(struct reap__coherence *coherence, struct reap__byte_range range,
                               struct reap__buffer_slice *slice)
{
    const bool was_newest = slice != NULL && slice->is_newest;
    if (slice != NULL)
        slice->is_newest = false;
    const reap_status status = coherence->is_host_invalid ? migrate_to_host(coherence, NULL)
                                                          : migrate_slices(coherence, range, NULL);
    if (slice != NULL)
        slice->is_newest = was_newest;
    REAP_TRY(status);
    make_slices_stale(coherence, range, slice);
    for (size_t c = 0; c < coherence->copy_count; c++)
        coherence->copies[c].is_valid = false;
    return REAP_OK;
}

static reap_status slice_to_device(struct reap__coherence *coherence, const reap_device *device,
                                   struct reap__byte_range range, struct reap__access_mode access,
                                   struct reap__placed_slice *placed)
{
    reap_status status = REAP_OK;
    struct reap__buffer_slice *slice = find_slice(coherence, device, range, access.writes);
    if (slice == NULL)
        slice = make_slice(coherence, device, range, &status);
    if (slice == NULL)
        return status;
    if (access.reads)
        REAP_TRY(fill_slice(coherence, slice));
    if (access.writes) {
        REAP_TRY(write_range(coherence, range, slice));
        slice->is_valid = slice->is_newest = true;
    }
    slice->users++;
    *placed = (struct reap__placed_slice){slice->memory, (size_t)0 - slice->base, slice};
    return REAP_OK;
}

/* Returns whether the device has a valid copy of all bytes; sets *memory to it. */
static bool find_whole(const struct reap__coherence *coherence, const reap_device *device,
                       struct reap__memory *memory)
{
    for (size_t c = 0; c < coherence->copy_count; c++)
        if (coherence->copies[c].device == device && coherence->copies[c].is_valid) {
            *memory = coherence->copies[c].memory;
            return true;
        }
    return false;
}

/* ---- Public -----------------------------------------------------------------------------------*/

reap_status reap__coherence_to_device(struct reap__coherence *coherence, const reap_device *device,
                                      struct reap__access_mode access, struct reap__memory *memory)
{
    pthread_mutex_lock(&coherence->lock);
    const reap_status status = to_device(coherence, device, access, memory);
    pthread_mutex_unlock(&coherence->lock);
    return status;
}

reap_status reap__coherence_to_host(struct reap__coherence *coherence,
                                    struct reap__access_mode access)
{
    if (coherence->is_fixed)
        return REAP_OK;
    pthread_mutex_lock(&coherence->lock);
    const reap_status status =
        access.reads ? migrate_to_host(coherence, access.execution) : REAP_OK;
    if (status == REAP_OK && access.writes) {
        make_stale(coherence, NULL);
        coherence->is_host_invalid = false;
    }
    pthread_mutex_unlock(&coherence->lock);
    return status;
}

reap_status reap__coherence_slice_to_device(struct reap__coherence *coherence,
                                            const reap_device *device,
                                            struct reap__byte_range range,
                                            struct reap__access_mode access,
                                            struct reap__placed_slice *placed)
{
    reap_status status = REAP_OK;
    placed->offset = 0;
    placed->slice = NULL;
    if (coherence->is_fixed)
        return reap__coherence_to_device(coherence, device, access, &placed->memory);
    pthread_mutex_lock(&coherence->lock);
    if (access.writes || !find_whole(coherence, device, &placed->memory))
        status = slice_to_device(coherence, device, range, access, placed);
    pthread_mutex_unlock(&coherence->lock);
    return status;
}

void reap__coherence_slice_release(struct reap__coherence *coherence,
                                   struct reap__buffer_slice *slice)
{
    pthread_mutex_lock(&coherence->lock);
    slice->users--;
    pthread_mutex_unlock(&coherence->lock);
}

reap_status reap__coherence_slice_to_host(struct reap__coherence *coherence,
                                          struct reap__byte_range range, bool writes)
{
    if (coherence->is_fixed)
        return REAP_OK;
    pthread_mutex_lock(&coherence->lock);
    reap_status status = coherence->is_host_invalid ? migrate_to_host(coherence, NULL)
                                                    : migrate_slices(coherence, range, NULL);
    if (status == REAP_OK && writes)
        status = write_range(coherence, range, NULL);
    pthread_mutex_unlock(&coherence->lock);
    return status;
}

bool reap__coherence_is_valid_on(struct reap__coherence *coherence, const reap_device *device,
                                 struct reap__memory *memory)
{
    pthread_mutex_lock(&coherence->lock);
    const bool is_there = find_whole(coherence, device, memory);
    pthread_mutex_unlock(&coherence->lock);
    return is_there;
}
