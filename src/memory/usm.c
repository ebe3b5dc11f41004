/* SPDX-License-Identifier: Apache-2.0
 *
 * Unified shared memory: allocations in the registry of buffers. If a device has memory that the
 * host can access too, the allocation has its address. If the device's own memory has no address in
 * this process, a range of protected addresses represents it. An allocation that host and device
 * cannot both access migrates as a buffer does, and is copied back to the host by threads that
 * wait.
 */
#include "src/memory/usm.h"

#include "src/core/allocate.h"
#include "src/core/status.h"
#include "src/port/pages.h"
#include "src/queue/access_set.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

/* The number of allocations that migrate. Relaxed: a thread that allocates and then launches sees
 * its own. */
static atomic_size_t moving;

static void *pointer_to(uint64_t address)
{
    void *pointer;
    const uintptr_t number = (uintptr_t)address;
    memcpy(&pointer, &number, sizeof pointer);
    return pointer;
}

/* ---- Allocation -------------------------------------------------------------------------------*/

static reap_status no_memory(const reap_device *device, size_t bytes)
{
    return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for %zu bytes of device '%s'", bytes,
                      device->info.name);
}

/* Host memory: for the host device, and for allocations that migrate. */
static reap_status make_plain(reap_buffer *made, size_t bytes, void **memory)
{
    made->owned = reap__allocate(bytes);
    if (made->owned == NULL)
        return no_memory(made->device, bytes);
    *memory = made->owned;
    return REAP_OK;
}

/* Takes over memory of the device: its address is the allocation's, or a range of reserved
 * addresses represents it. */
static reap_status adopt(reap_buffer *made, struct reap__memory *there, size_t bytes, void **memory)
{
    *memory = there->address != 0 ? pointer_to(there->address) : reap__pages_reserve(bytes);
    if (*memory == NULL) {
        made->device->functions->release(made->device, there);
        return no_memory(made->device, bytes);
    }
    made->reserved_bytes = there->address == 0 ? bytes : 0;
    reap__coherence_pin(&made->coherence, made->device, there);
    return REAP_OK;
}

static reap_status make_on_device(reap_buffer *made, size_t bytes, void **memory)
{
    struct reap__memory there = {.object = NULL};
    REAP_TRY(made->device->functions->allocate(made->device, bytes, &there));
    return adopt(made, &there, bytes, memory);
}

static reap_status make_reachable(reap_buffer *made, size_t bytes, void **memory)
{
    const struct reap__device_functions *functions = made->device->functions;
    struct reap__memory there = {.object = NULL};
    if (functions->share != NULL)
        REAP_TRY(functions->share(made->device, made->kind, bytes, &there));
    if (there.address == 0)
        return make_plain(made, bytes, memory);
    *memory = pointer_to(there.address);
    reap__coherence_pin(&made->coherence, made->device, &there);
    return REAP_OK;
}

static reap_status make_memory(reap_buffer *made, size_t bytes, void **memory)
{
    if (made->device->functions->allocate == NULL)
        return make_plain(made, bytes, memory);
    return made->kind == REAP_MEMORY_DEVICE ? make_on_device(made, bytes, memory)
                                            : make_reachable(made, bytes, memory);
}

static void unmake(reap_buffer *buffer)
{
    reap__coherence_destroy(&buffer->coherence);
    if (buffer->reserved_bytes > 0)
        reap__pages_unmap(reap_buffer_data(buffer), buffer->reserved_bytes);
    reap__free(buffer->owned);
    reap__free(buffer);
}

/* `there`: memory of the device to take over; NULL: it is allocated. */
static reap_status make(const reap_device *device, reap_memory_kind kind,
                        struct reap__memory *there, size_t bytes, void **memory)
{
    void *made_memory = NULL;
    reap_buffer *made = reap__allocate(sizeof *made);
    if (made == NULL)
        return no_memory(device, bytes);
    memset(made, 0, sizeof *made);
    made->kind = kind;
    made->device = device;
    reap__coherence_init(&made->coherence, NULL, bytes, true);
    reap_status status = there != NULL ? adopt(made, there, bytes, &made_memory)
                                       : make_memory(made, bytes, &made_memory);
    made->coherence.host = made->owned;
    made->extent.begin = made->extent.end = made_memory;
    if (made_memory != NULL)
        made->extent.end += bytes;
    if (status == REAP_OK)
        status = reap__registry_add(made);
    if (status != REAP_OK) {
        unmake(made);
        return status;
    }
    if (reap__is_moving_allocation(made))
        atomic_fetch_add_explicit(&moving, 1, memory_order_relaxed);
    *memory = made_memory;
    return REAP_OK;
}

static reap_status allocate(const char *call, const reap_device *device, reap_memory_kind kind,
                            size_t bytes, void **memory)
{
    if (bytes == 0 || memory == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "%s: %s", call,
                          bytes == 0 ? "the size is 0" : "the pointer is NULL");
    if (device == NULL)
        REAP_TRY(reap_device_default(&device));
    if (device->functions->has_no_memory)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "%s: device '%s' combines devices without the host, and has no memory of "
                          "its own: use a buffer (reap_buffer_create, reap_buffer_wrap)",
                          call, device->info.name);
    if (bytes > SIZE_MAX >> 8) /* more than any address space; drivers fail differently */
        return no_memory(device, bytes);
    return make(device, kind, NULL, bytes, memory);
}

reap_status reap__usm_import(const reap_device *device, const struct reap__memory *there,
                             size_t bytes, void **memory)
{
    struct reap__memory borrowed = *there;
    return make(device, REAP_MEMORY_DEVICE, &borrowed, bytes, memory);
}

/* ---- Reach ------------------------------------------------------------------------------------*/

static bool uses_memory_of_the_host(const reap_device *device)
{
    return device->functions->allocate == NULL;
}

bool reap__usm_reaches(const reap_device *device, const reap_buffer *buffer)
{
    if (buffer == NULL)
        return uses_memory_of_the_host(device);
    if (buffer->device == NULL || buffer->device == device)
        return true;
    return uses_memory_of_the_host(device) &&
           (buffer->kind != REAP_MEMORY_DEVICE || uses_memory_of_the_host(buffer->device));
}

static const char *kind_of(const reap_buffer *buffer)
{
    return buffer->kind == REAP_MEMORY_DEVICE ? "device memory"
           : buffer->kind == REAP_MEMORY_HOST ? "host memory"
                                              : "shared memory";
}

/* `part` is what the pointer is to the parameter: "argument 'x'" or "the .location of 'x'". */
static reap_status refuse(const reap_device *device, const struct reap__launch *command,
                          const struct reap__parameter *parameter, const char *part,
                          const void *memory)
{
    const reap_buffer *buffer = reap__registry_find(memory, 1);
    const char *here = device->info.name, *kernel = command->kernel->name;
    if (buffer == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "kernel '%s': %s '%s' points to %p, memory of the host that device '%s' "
                          "cannot reach: make it a buffer with reap_buffer_wrap, or take memory "
                          "from reap_buffer_create or reap_malloc_shared",
                          kernel, part, parameter->name, memory, here);
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                      "kernel '%s': %s '%s' points to %p, %s of device '%s' that device '%s' "
                      "cannot reach: launch the kernel on a queue of '%s', or copy the memory "
                      "with reap_copy",
                      kernel, part, parameter->name, memory, kind_of(buffer),
                      buffer->device->info.name, here, buffer->device->info.name);
}

static bool is_out_of_reach(const reap_device *device, const void *memory)
{
    const reap_buffer *buffer = reap__registry_find(memory, 1);
    return buffer != NULL && !reap__usm_reaches(device, buffer);
}

/* Variables and locations may be in the program's own memory on every device. The host reads the
 * identity, at the launch. */
static reap_status check_target(const reap_device *device, const struct reap__launch *command,
                                const struct reap__target *target)
{
    const reap_buffer *identity =
        target->identity != NULL ? reap__registry_find(target->identity, 1) : NULL;
    if (is_out_of_reach(device, target->variable))
        return refuse(device, command, target->parameter, "the .variable of", target->variable);
    if (target->location != NULL && is_out_of_reach(device, target->location))
        return refuse(device, command, target->parameter, "the .location of", target->location);
    if (identity == NULL || identity->kind != REAP_MEMORY_DEVICE ||
        uses_memory_of_the_host(identity->device))
        return REAP_OK;
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                      "kernel '%s': the .identity of '%s' points to %p, memory of device '%s' that "
                      "the host cannot reach, which reads it: give it in memory of the program",
                      command->kernel->name, target->parameter->name, target->identity,
                      identity->device->info.name);
}

reap_status reap__usm_check(const reap_device *device, const struct reap__launch *command)
{
    const struct reap_kernel *kernel = command->kernel;
    for (size_t p = 1; p < kernel->parameter_count && command->items > 0; p++) {
        const struct reap__parameter *parameter = &kernel->parameters[p];
        if (!reap__is_array(parameter))
            continue;
        const void *array = reap__array(command, parameter);
        if (!reap__usm_reaches(device, reap__registry_find(array, 1)))
            return refuse(device, command, parameter, "argument", array);
    }
    for (size_t s = 0; s < command->scalar_count; s++)
        REAP_TRY(check_target(device, command, &command->scalars[s]));
    for (size_t s = 0; s < command->span_count; s++)
        REAP_TRY(check_target(device, command, &command->spans[s]));
    return REAP_OK;
}

/* ---- Waiting ----------------------------------------------------------------------------------*/

/* Another thread may free the buffer that was found until it is acquired. So it is not accessed
 * before, and looked up again after that. */
static reap_status migrate_one(const reap_device *device, const void *from, reap_buffer *buffer,
                               const void **next)
{
    struct reap__wait_entry entry;
    struct reap__access_set accesses = {.list = &entry};
    reap_status status = REAP_OK;
    reap__access_set_add_exclusive(&accesses, buffer);
    reap__access_set_acquire(&accesses);
    if (reap__registry_next_moving(device, from) == buffer) {
        status = reap__coherence_to_host(&buffer->coherence,
                                         (struct reap__access_mode){.reads = true, .writes = true});
        *next = buffer->extent.end;
    }
    reap__access_set_release(&accesses);
    return status;
}

reap_status reap__usm_migrate_to_host(const reap_device *device)
{
    reap_status first = REAP_OK;
    const void *next = NULL;
    if (atomic_load_explicit(&moving, memory_order_relaxed) == 0)
        return REAP_OK;
    for (reap_buffer *buffer; (buffer = reap__registry_next_moving(device, next)) != NULL;) {
        const reap_status status = migrate_one(device, next, buffer, &next);
        first = first == REAP_OK ? status : first;
    }
    return first;
}

/* ---- Public -----------------------------------------------------------------------------------*/

reap_status reap_malloc_device(const reap_device *device, size_t bytes, void **memory)
{
    return allocate(__func__, device, REAP_MEMORY_DEVICE, bytes, memory);
}

reap_status reap_malloc_host(const reap_device *device, size_t bytes, void **memory)
{
    return allocate(__func__, device, REAP_MEMORY_HOST, bytes, memory);
}

reap_status reap_malloc_shared(const reap_device *device, size_t bytes, void **memory)
{
    return allocate(__func__, device, REAP_MEMORY_SHARED, bytes, memory);
}

reap_status reap_free(void *memory)
{
    struct reap__wait_entry entry;
    struct reap__access_set accesses = {.list = &entry};
    if (memory == NULL)
        return REAP_OK;
    reap_buffer *buffer = reap__registry_find(memory, 1);
    if (buffer == NULL || buffer->device == NULL || buffer->extent.begin != memory)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "reap_free: %p is not the beginning of an allocation: it %s", memory,
                          buffer == NULL           ? "lies in none, or was freed before"
                          : buffer->device == NULL ? "lies in a buffer"
                                                   : "lies within one");
    reap__access_set_add_exclusive(&accesses, buffer);
    reap__access_set_acquire(&accesses);
    if (reap__is_moving_allocation(buffer))
        atomic_fetch_sub_explicit(&moving, 1, memory_order_relaxed);
    reap__registry_remove(buffer);
    reap__access_set_release(&accesses);
    unmake(buffer);
    return REAP_OK;
}

reap_status reap_pointer_get_info(const void *pointer, reap_pointer_info *info)
{
    if (pointer == NULL || info == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_pointer_get_info: a pointer is NULL");
    const reap_buffer *buffer = reap__registry_find(pointer, 1);
    *info = (reap_pointer_info){.kind = REAP_MEMORY_UNKNOWN};
    if (buffer != NULL)
        *info = (reap_pointer_info){
            .kind = buffer->kind,
            .device = buffer->device,
            .base = buffer->extent.begin,
            .bytes = (size_t)(buffer->extent.end - buffer->extent.begin),
            .is_unwritten = !reap__coherence_is_written(&buffer->coherence),
        };
    return REAP_OK;
}
