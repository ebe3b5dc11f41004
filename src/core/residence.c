/* SPDX-License-Identifier: Apache-2.0
 *
 * One mark for each place that holds a buffer's bytes. Whoever reads makes its place valid, from
 * the host's memory or through it; whoever writes makes all others stale. A buffer that is not
 * written yet moves nothing, and fixed memory has one place.
 */
#include "src/core/residence.h"

#include "src/core/status.h"

atomic_size_t reap__residence_copy_count;

void reap__residence_make(struct reap__residence *residence, void *host, size_t bytes,
                          bool is_written)
{
    *residence = (struct reap__residence){.host = host, .bytes = bytes, .is_written = is_written};
    pthread_mutex_init(&residence->lock, NULL);
}

void reap__residence_fix(struct reap__residence *residence, const reap_device *device,
                         const struct reap__memory *memory)
{
    residence->is_fixed = true;
    residence->copies[0] =
        (struct reap__copy){.device = device, .memory = *memory, .is_valid = true};
    residence->copy_count = 1;
    atomic_fetch_add_explicit(&reap__residence_copy_count, 1, memory_order_relaxed);
}

void reap__residence_end(struct reap__residence *residence)
{
    for (size_t c = 0; c < residence->copy_count; c++) {
        struct reap__copy *copy = &residence->copies[c];
        copy->device->functions->release(copy->device, &copy->memory);
        atomic_fetch_sub_explicit(&reap__residence_copy_count, 1, memory_order_relaxed);
    }
    residence->copy_count = 0;
    pthread_mutex_destroy(&residence->lock);
}

/* The functions below are called with the lock held. */

static void make_stale(struct reap__residence *residence, const struct reap__copy *except)
{
    for (size_t c = 0; c < residence->copy_count; c++)
        if (&residence->copies[c] != except)
            residence->copies[c].is_valid = false;
}

static reap_status bring_home(struct reap__residence *residence)
{
    if (!residence->is_host_invalid)
        return REAP_OK;
    for (size_t c = 0; c < residence->copy_count; c++) {
        const struct reap__copy *copy = &residence->copies[c];
        if (!copy->is_valid)
            continue;
        REAP_TRY(copy->device->functions->read(copy->device, &(struct reap__spot){&copy->memory, 0},
                                               residence->host, residence->bytes, NULL));
        break;
    }
    residence->is_host_invalid = false;
    return REAP_OK;
}

static reap_status find_copy(struct reap__residence *residence, const reap_device *device,
                             struct reap__copy **found)
{
    for (size_t c = 0; c < residence->copy_count; c++)
        if (residence->copies[c].device == device) {
            *found = &residence->copies[c];
            return REAP_OK;
        }
    if (residence->copy_count == REAP__MOST_COPIES)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY,
                          "a buffer is on %d devices, and cannot be on "
                          "more",
                          REAP__MOST_COPIES);
    struct reap__copy *copy = &residence->copies[residence->copy_count];
    *copy = (struct reap__copy){.device = device};
    REAP_TRY(device->functions->allocate(device, residence->bytes, &copy->memory));
    copy->memory.track = &copy->track;
    residence->copy_count++;
    atomic_fetch_add_explicit(&reap__residence_copy_count, 1, memory_order_relaxed);
    *found = copy;
    return REAP_OK;
}

static reap_status bring_to(struct reap__residence *residence, struct reap__copy *copy)
{
    if (copy->is_valid)
        return REAP_OK;
    if (residence->is_written) {
        REAP_TRY(bring_home(residence));
        REAP_TRY(copy->device->functions->write(copy->device,
                                                &(struct reap__spot){&copy->memory, 0},
                                                residence->host, residence->bytes, NULL));
    }
    copy->is_valid = true;
    return REAP_OK;
}

static reap_status to_device(struct reap__residence *residence, const reap_device *device,
                             struct reap__access access, struct reap__memory *memory)
{
    struct reap__copy *copy = &residence->copies[0];
    if (!residence->is_fixed) {
        REAP_TRY(find_copy(residence, device, &copy));
        if (access.reads)
            REAP_TRY(bring_to(residence, copy));
    }
    if (access.writes && !residence->is_fixed) {
        copy->is_valid = true;
        make_stale(residence, copy);
        residence->is_host_invalid = true;
    }
    *memory = copy->memory;
    return REAP_OK;
}

/* ---- Public -----------------------------------------------------------------------------------*/

reap_status reap__residence_to_device(struct reap__residence *residence, const reap_device *device,
                                      struct reap__access access, struct reap__memory *memory)
{
    pthread_mutex_lock(&residence->lock);
    const reap_status status = to_device(residence, device, access, memory);
    pthread_mutex_unlock(&residence->lock);
    return status;
}

reap_status reap__residence_to_host(struct reap__residence *residence, bool reads, bool writes)
{
    if (residence->is_fixed)
        return REAP_OK;
    pthread_mutex_lock(&residence->lock);
    const reap_status status = reads ? bring_home(residence) : REAP_OK;
    if (status == REAP_OK && writes) {
        make_stale(residence, NULL);
        residence->is_host_invalid = false;
    }
    pthread_mutex_unlock(&residence->lock);
    return status;
}

bool reap__residence_is_on(struct reap__residence *residence, const reap_device *device,
                           struct reap__memory *memory)
{
    bool is_there = false;
    pthread_mutex_lock(&residence->lock);
    for (size_t c = 0; c < residence->copy_count && !is_there; c++) {
        is_there = residence->copies[c].device == device && residence->copies[c].is_valid;
        *memory = residence->copies[c].memory;
    }
    pthread_mutex_unlock(&residence->lock);
    return is_there;
}
