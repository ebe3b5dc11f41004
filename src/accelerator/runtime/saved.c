/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole buffers are saved, since how much of one a kernel writes nobody knows.
 */
#include "src/accelerator/runtime/saved.h"

#include "src/core/buffer.h"
#include "src/core/memory.h"
#include "src/core/status.h"

#include <stdio.h>

static bool is_saved(const struct reap__saved *saved, const struct reap__memory *memory)
{
    for (size_t i = 0; i < saved->count; i++)
        if (saved->memories[i].object == memory->object &&
            saved->memories[i].address == memory->address)
            return true;
    return false;
}

static reap_status save(const struct reap__device_launch *launch, size_t p,
                        struct reap__saved *saved)
{
    struct reap__accelerator *accelerator = launch->accelerator;
    const struct reap__parameter *parameter = &launch->command->kernel->parameters[p];
    const struct reap__memory *memory = &launch->memories[launch->layout.memory_of[p]];
    const void *array = reap__array(launch->command, parameter);
    struct reap__extent extent;
    if (array == NULL || !reap__buffer_find(array, 1, &extent) || is_saved(saved, memory))
        return REAP_OK;
    const size_t size = (size_t)(extent.end - extent.begin), i = saved->count;
    unsigned char *bytes = reap__allocate(size);
    if (bytes == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY,
                          "kernel '%s': no memory to save the %zu bytes of the buffer of '%s'",
                          launch->command->kernel->name, size, parameter->name);
    const reap_status status = reap__accelerator_read(accelerator, memory, 0, bytes, size);
    if (status != REAP_OK) {
        reap__free(bytes);
        return status;
    }
    saved->memories[i] = *memory;
    saved->bytes[i] = bytes;
    saved->sizes[i] = size;
    saved->count++;
    return REAP_OK;
}

reap_status reap__saved_take(const struct reap__device_launch *launch, struct reap__saved *saved)
{
    const struct reap_kernel *kernel = launch->command->kernel;
    for (size_t p = 1; p < kernel->parameter_count; p++)
        if (kernel->parameters[p].kind == REAP__OUT || kernel->parameters[p].kind == REAP__INOUT)
            REAP_TRY(save(launch, p, saved));
    return REAP_OK;
}

void reap__saved_release(struct reap__saved *saved)
{
    for (size_t i = 0; i < saved->count; i++)
        reap__free(saved->bytes[i]);
    saved->count = 0;
}

reap_status reap__saved_restore(const struct reap__device_launch *launch,
                                const struct reap__saved *saved)
{
    struct reap__accelerator *accelerator = launch->accelerator;
    for (size_t i = 0; i < saved->count; i++)
        REAP_TRY(reap__accelerator_write(accelerator, &saved->memories[i], 0, saved->bytes[i],
                                         saved->sizes[i]));
    return REAP_OK;
}

reap_status reap__saved_restore_after(const struct reap__device_launch *launch,
                                      const struct reap__saved *saved, reap_status status)
{
    char line[REAP__MESSAGE_BYTES];
    snprintf(line, sizeof line, "%s", reap_last_error());
    if (reap__saved_restore(launch, saved) == REAP_OK)
        return reap__fail(status, "%s", line);
    return reap__fail(REAP_ERROR_DEVICE_FAILED,
                      "kernel '%s': device '%s' could not restore what it wrote, after: %s",
                      launch->command->kernel->name, launch->accelerator->device.info.name, line);
}
