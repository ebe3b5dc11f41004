/* SPDX-License-Identifier: Apache-2.0
 *
 * A device's lock, its first use and its end. Scratch memory is one allocation for each device,
 * which grows by doubling and is never given back: commands run one after the other.
 */
#include "src/device/accelerator.h"

#include "src/core/fork.h"
#include "src/core/status.h"

#include <stdio.h>
#include <string.h>

/* The registry of devices hands out what the backends made, which is not constant. */
struct reap__accelerator *reap__accelerator_of(const reap_device *device)
{
    struct reap__accelerator *accelerator;
    memcpy(&accelerator, &device, sizeof accelerator);
    return accelerator;
}

static reap_status check_lost(const struct reap__accelerator *accelerator)
{
    if (!accelerator->is_lost)
        return REAP_OK;
    return reap__fail(REAP_ERROR_DEVICE_FAILED,
                      "device '%s' is lost: an earlier command failed in a way after which "
                      "nothing runs there until the program is started anew",
                      accelerator->device.info.name);
}

bool reap__accelerator_is_foreign(const struct reap__accelerator *accelerator)
{
    return atomic_load_explicit(&accelerator->process, memory_order_relaxed) != reap__process();
}

static reap_status open_device(struct reap__accelerator *accelerator)
{
    const char *name = accelerator->device.info.name;
    REAP_TRY(check_lost(accelerator));
    if (accelerator->is_open && reap__accelerator_is_foreign(accelerator))
        return reap__fail(REAP_ERROR_DEVICE_FAILED,
                          "device '%s' was used before the fork, and a forked child cannot use it",
                          name);
    if (accelerator->is_open)
        return REAP_OK;
    REAP_TRY(accelerator->driver->open(accelerator));
    accelerator->is_open = true;
    atomic_store_explicit(&accelerator->process, reap__process(), memory_order_relaxed);
    return REAP_OK;
}

reap_status reap__accelerator_enter(struct reap__accelerator *accelerator)
{
    pthread_mutex_lock(&accelerator->lock);
    const reap_status status = open_device(accelerator);
    if (status != REAP_OK)
        pthread_mutex_unlock(&accelerator->lock);
    return status;
}

reap_status reap__accelerator_finish(struct reap__accelerator *accelerator)
{
    bool lost = false;
    REAP_TRY(check_lost(accelerator)); /* a later success would be about later commands */
    const reap_status status = accelerator->driver->finish(accelerator, &lost);
    accelerator->is_lost |= lost;
    return status;
}

reap_status reap__accelerator_reach(struct reap__accelerator *accelerator, void *mark, bool waits,
                                    bool *is_reached)
{
    REAP_TRY(check_lost(accelerator));
    return accelerator->driver->reach(accelerator, mark, waits, is_reached);
}

/* Some of a command may have been enqueued, which nobody waits for. */
reap_status reap__accelerator_leave(struct reap__accelerator *accelerator, reap_status status)
{
    char line[REAP__MESSAGE_BYTES];
    if (status == REAP_ERROR_DEVICE_FAILED || status == REAP_ERROR_OUT_OF_MEMORY) {
        snprintf(line, sizeof line, "%s", reap_last_error());
        reap__accelerator_finish(accelerator);
        accelerator->scratch_bytes = 0; /* its header may not be what it should */
        reap__fail(status, "%s", line);
    }
    pthread_mutex_unlock(&accelerator->lock);
    return status;
}

reap_status reap__accelerator_scratch(struct reap__accelerator *accelerator, size_t bytes,
                                      struct reap__memory *memory, bool *fresh)
{
    const struct reap__driver *driver = accelerator->driver;
    size_t size = 1 << 16;
    *fresh = bytes > accelerator->scratch_bytes;
    if (*fresh) {
        while (size < bytes && size <= SIZE_MAX / 2)
            size *= 2;
        if (bytes > (size_t)1 << 30)
            size = bytes;
        REAP_TRY(reap__accelerator_finish(accelerator));
        driver->release(accelerator, &accelerator->scratch);
        accelerator->scratch_bytes = 0;
        REAP_TRY(driver->allocate(accelerator, size, &accelerator->scratch));
        accelerator->scratch_bytes = size;
    }
    accelerator->scratch_uses += *fresh ? 2 : 1; /* what was left in it is gone, or may be used */
    *memory = accelerator->scratch;
    return REAP_OK;
}
