/* SPDX-License-Identifier: Apache-2.0
 *
 * One flag for each memory that holds a copy of a buffer. A read makes its copy valid, from the
 * host's copy or through it; a write makes all other copies stale. A buffer that is not written yet
 * moves nothing, and fixed memory has one place.
 */
#include "src/memory/coherence.h"

#include "src/core/status.h"

atomic_size_t reap__coherence_copy_count;

void reap__coherence_init(struct reap__coherence *coherence, void *host, size_t bytes,
                          bool is_written)
{
    *coherence = (struct reap__coherence){.host = host, .bytes = bytes, .is_written = is_written};
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

void reap__coherence_destroy(struct reap__coherence *coherence)
{
    for (size_t c = 0; c < coherence->copy_count; c++) {
        struct reap__buffer_copy *copy = &coherence->copies[c];
        copy->device->functions->release(copy->device, &copy->memory);
        atomic_fetch_sub_explicit(&reap__coherence_copy_count, 1, memory_order_relaxed);
    }
    coherence->copy_count = 0;
    pthread_mutex_destroy(&coherence->lock);
}

/* The functions below are called with the lock held. */

static void make_stale(struct reap__coherence *coherence, const struct reap__buffer_copy *except)
{
    for (size_t c = 0; c < coherence->copy_count; c++)
        if (&coherence->copies[c] != except)
            coherence->copies[c].is_valid = false;
}

static reap_status migrate_to_host(struct reap__coherence *coherence)
{
    if (!coherence->is_host_invalid)
        return REAP_OK;
    for (size_t c = 0; c < coherence->copy_count; c++) {
        const struct reap__buffer_copy *copy = &coherence->copies[c];
        if (!copy->is_valid)
            continue;
        REAP_TRY(copy->device->functions->read(copy->device,
                                               &(struct reap__device_address){&copy->memory, 0},
                                               coherence->host, coherence->bytes, NULL));
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

static reap_status bring_to(struct reap__coherence *coherence, struct reap__buffer_copy *copy)
{
    if (copy->is_valid)
        return REAP_OK;
    if (coherence->is_written) {
        REAP_TRY(migrate_to_host(coherence));
        REAP_TRY(copy->device->functions->write(copy->device,
                                                &(struct reap__device_address){&copy->memory, 0},
                                                coherence->host, coherence->bytes, NULL));
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
            REAP_TRY(bring_to(coherence, copy));
    }
    if (access.writes && !coherence->is_fixed) {
        copy->is_valid = true;
        make_stale(coherence, copy);
        coherence->is_host_invalid = true;
    }
    *memory = copy->memory;
    return REAP_OK;
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

reap_status reap__coherence_to_host(struct reap__coherence *coherence, bool reads, bool writes)
{
    if (coherence->is_fixed)
        return REAP_OK;
    pthread_mutex_lock(&coherence->lock);
    const reap_status status = reads ? migrate_to_host(coherence) : REAP_OK;
    if (status == REAP_OK && writes) {
        make_stale(coherence, NULL);
        coherence->is_host_invalid = false;
    }
    pthread_mutex_unlock(&coherence->lock);
    return status;
}

bool reap__coherence_is_valid_on(struct reap__coherence *coherence, const reap_device *device,
                                 struct reap__memory *memory)
{
    bool is_there = false;
    pthread_mutex_lock(&coherence->lock);
    for (size_t c = 0; c < coherence->copy_count && !is_there; c++) {
        is_there = coherence->copies[c].device == device && coherence->copies[c].is_valid;
        *memory = coherence->copies[c].memory;
    }
    pthread_mutex_unlock(&coherence->lock);
    return is_there;
}
