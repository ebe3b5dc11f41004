/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers. For the host a buffer only adds an extent to the registry; for other devices it records
 * where its bytes are valid (coherence.c). A host access waits for launches on the buffer that have
 * not returned (queue/access_set.c); what a device has not completed is waited for when its bytes
 * are read.
 */
#include "src/memory/buffer.h"

#include "src/core/allocate.h"
#include "src/core/config.h"
#include "src/core/status.h"
#include "src/memory/access_check.h"
#include "src/queue/access_set.h"

#include <stdint.h>
#include <string.h>

void *reap_buffer_data(const reap_buffer *buffer)
{
    void *data = NULL;
    if (buffer != NULL)
        memcpy(&data, &buffer->extent.begin, sizeof data);
    return data;
}

static reap_status no_memory(size_t bytes)
{
    return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for a buffer of %zu bytes", bytes);
}

/* Takes the memory that the program sees, and that of the contents: the same, unless the buffer is
 * checked. */
static reap_status take_memory(reap_buffer *made, unsigned char *wrapped, size_t bytes)
{
    const struct reap__config *config;
    unsigned char *visible = wrapped, *contents;
    REAP_TRY(reap__config_get(&config));
    if (config->is_checked) {
        REAP_TRY(reap__access_check_make(wrapped, bytes, &made->check));
        visible = reap__access_check_visible(made->check);
        contents = reap__access_check_contents(made->check);
    } else {
        made->owned = wrapped == NULL ? reap__allocate(bytes) : NULL;
        visible = contents = wrapped == NULL ? made->owned : wrapped;
    }
    if (visible == NULL)
        return no_memory(bytes);
    made->extent = (struct reap__extent){visible, visible + bytes};
    made->is_wrapped = wrapped != NULL;
    reap__coherence_init(&made->coherence, contents, bytes, wrapped != NULL);
    return REAP_OK;
}

static void unmake(reap_buffer *buffer)
{
    reap__coherence_destroy(&buffer->coherence);
    reap__access_check_release(buffer->check);
    reap__free(buffer->owned);
    reap__free(buffer);
}

/* Makes a buffer around `wrapped`; NULL: with memory of its own. */
static reap_status make(unsigned char *wrapped, size_t bytes, reap_buffer **buffer)
{
    reap_buffer *made = reap__allocate(sizeof *made);
    if (made == NULL)
        return no_memory(bytes);
    memset(made, 0, sizeof *made);
    made->kind = REAP_MEMORY_BUFFER;
    reap_status status = take_memory(made, wrapped, bytes);
    if (status != REAP_OK) {
        reap__free(made);
        return status;
    }
    status = reap__registry_add(made);
    if (status == REAP_OK)
        *buffer = made;
    else
        unmake(made);
    return status;
}

reap_status reap_buffer_wrap(const void *memory, size_t bytes, reap_buffer **buffer)
{
    if (memory == NULL || bytes == 0 || buffer == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_buffer_wrap: %s",
                          bytes == 0 ? "the size is 0" : "a pointer is NULL");
    if (bytes > UINTPTR_MAX - (uintptr_t)memory)
        return reap__fail(
            REAP_ERROR_INVALID_ARGUMENT,
            "reap_buffer_wrap: %zu bytes at %p go beyond the end of the address space", bytes,
            memory);
    unsigned char *wrapped;
    memcpy(&wrapped, &memory, sizeof wrapped);
    return make(wrapped, bytes, buffer);
}

reap_status reap_buffer_create(size_t bytes, reap_buffer **buffer)
{
    if (bytes == 0 || buffer == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_buffer_create: %s",
                          bytes == 0 ? "the size is 0" : "the pointer is NULL");
    return make(NULL, bytes, buffer);
}

/* Begins a host access, at the head of the buffer's wait list. */
static reap_status begin_access(reap_buffer *buffer, unsigned access,
                                const struct reap__accessed *accessed)
{
    const struct reap__poison *cause = reap__poison_settle(accessed, false);
    if (cause != NULL)
        return reap__poison_fail("reap_host_access_begin: the buffer cannot be read", cause);
    if (access == REAP_WRITE)
        reap__poison_clear(buffer);
    const bool writes = (access & REAP_WRITE) != 0;
    REAP_TRY(reap__coherence_to_host(
        &buffer->coherence,
        (struct reap__access_mode){.reads = (access & REAP_READ) != 0, .writes = writes}));
    if (writes) /* other reads may be running */
        reap__coherence_note_written(&buffer->coherence);
    return buffer->check != NULL ? reap__access_check_begin(buffer->check, writes) : REAP_OK;
}

reap_status reap_host_access_begin(reap_buffer *buffer, unsigned access, void **data)
{
    if (buffer == NULL || data == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_host_access_begin: %s is NULL",
                          buffer == NULL ? "the buffer" : "the pointer for its memory");
    if (access == 0 || (access & ~(unsigned)(REAP_READ | REAP_WRITE)) != 0)
        return reap__fail(
            REAP_ERROR_INVALID_ARGUMENT,
            "reap_host_access_begin: access is %u, and must be REAP_READ, REAP_WRITE or both",
            access);
    struct reap__wait_entry entry;
    struct reap__access_set accesses = {.list = &entry};
    reap__access_set_add_buffer(&accesses, buffer,
                                (struct reap__buffer_access){.writes = (access & REAP_WRITE) != 0,
                                                             .need = (access & REAP_READ) != 0
                                                                         ? REAP__NEEDS_CONTENTS
                                                                         : REAP__NEEDS_NOTHING});
    const struct reap__accessed accessed = reap__access_set_view(&accesses);
    reap__access_set_acquire(&accesses);
    const reap_status status = begin_access(buffer, access, &accessed);
    reap__access_set_release(&accesses);
    REAP_TRY(status);
    reap__registry_begin_access(buffer);
    *data = reap_buffer_data(buffer);
    return REAP_OK;
}

reap_status reap_host_access_end(reap_buffer *buffer)
{
    if (buffer == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_host_access_end: the buffer is NULL");
    if (!reap__registry_end_access(buffer))
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "reap_host_access_end: no access to the buffer has begun");
    if (buffer->check != NULL)
        reap__access_check_end(buffer->check);
    return REAP_OK;
}

/* Copies the buffer's contents to the wrapped memory. Fails if they are poisoned. */
static reap_status end_contents(reap_buffer *buffer, const struct reap__accessed *accessed)
{
    const struct reap__poison *cause = reap__poison_settle(accessed, false);
    reap_status status = reap__coherence_to_host(
        &buffer->coherence, (struct reap__access_mode){.reads = buffer->is_wrapped});
    if (status == REAP_OK && buffer->check != NULL)
        status = reap__access_check_verify(buffer->check, "reap_buffer_release", true);
    if (status == REAP_OK && cause != NULL)
        status = reap__poison_fail(
            "reap_buffer_release: the wrapped memory does not have the expected contents", cause);
    reap__poison_clear(buffer);
    return status;
}

reap_status reap_buffer_release(reap_buffer *buffer)
{
    struct reap__wait_entry entry;
    struct reap__access_set accesses = {.list = &entry};
    if (buffer == NULL)
        return REAP_OK;
    reap__access_set_add_buffer(&accesses, buffer,
                                (struct reap__buffer_access){.writes = true,
                                                             .need = buffer->is_wrapped
                                                                         ? REAP__NEEDS_CONTENTS
                                                                         : REAP__NEEDS_NOTHING});
    const struct reap__accessed accessed = reap__access_set_view(&accesses);
    reap__access_set_acquire(&accesses);
    const reap_status status = end_contents(buffer, &accessed);
    reap__registry_remove(buffer);
    reap__access_set_release(&accesses);
    unmake(buffer);
    return status;
}

bool reap__buffer_find(const void *memory, size_t bytes, struct reap__extent *extent)
{
    const reap_buffer *buffer = reap__registry_find(memory, bytes);
    if (buffer != NULL)
        *extent = buffer->extent; /* constant while the buffer exists */
    return buffer != NULL;
}

reap_status reap__buffer_on_host(const void *memory, bool writes)
{
    reap_buffer *buffer = reap__coherence_copies() > 0 ? reap__registry_find(memory, 1) : NULL;
    if (buffer == NULL)
        return REAP_OK;
    return reap__coherence_to_host(
        &buffer->coherence,
        (struct reap__access_mode){.reads = true,
                                   .writes = writes || reap__is_moving_allocation(buffer)});
}

reap_status reap__buffer_on_device(const void *memory, const reap_device *device, bool writes,
                                   struct reap__resolved_pointer *pointer)
{
    reap_buffer *buffer = reap__registry_find(memory, 1);
    *pointer = (struct reap__resolved_pointer){.is_found = buffer != NULL};
    if (buffer == NULL)
        return REAP_OK;
    pointer->offset = (size_t)((const unsigned char *)memory - buffer->extent.begin);
    return reap__coherence_to_device(&buffer->coherence, device,
                                     (struct reap__access_mode){.reads = true, .writes = writes},
                                     &pointer->memory);
}

/* Fixed memory is read on its device; other buffers are copied to host memory first. */
reap_status reap__buffer_read(reap_buffer *buffer, size_t offset, void *into, size_t bytes)
{
    struct reap__coherence *coherence = &buffer->coherence;
    const struct reap__device_address address = {&coherence->copies[0].memory, offset};
    if (coherence->is_fixed)
        return buffer->device->functions->read(buffer->device, &address, into, bytes, NULL);
    REAP_TRY(reap__coherence_to_host(
        coherence,
        (struct reap__access_mode){.reads = true, .writes = reap__is_moving_allocation(buffer)}));
    memcpy(into, coherence->host + offset, bytes);
    return REAP_OK;
}

reap_status reap__buffer_write(reap_buffer *buffer, size_t offset, const void *from, size_t bytes)
{
    struct reap__coherence *coherence = &buffer->coherence;
    const struct reap__device_address address = {&coherence->copies[0].memory, offset};
    if (!coherence->is_fixed) {
        REAP_TRY(reap__coherence_to_host(
            coherence, (struct reap__access_mode){.reads = true, .writes = true}));
        memcpy(coherence->host + offset, from, bytes);
        return REAP_OK;
    }
    const struct reap__device_functions *functions = buffer->device->functions;
    REAP_TRY(functions->write(buffer->device, &address, from, bytes, NULL));
    return functions->follow(buffer->device, NULL, NULL);
}

static size_t offset_in(const reap_buffer *buffer, const void *memory)
{
    return (size_t)((const unsigned char *)memory - buffer->extent.begin);
}

reap_status reap__memory_read(const void *memory, void *into, size_t bytes)
{
    reap_buffer *buffer = reap__registry_find(memory, 1);
    if (buffer != NULL)
        return reap__buffer_read(buffer, offset_in(buffer, memory), into, bytes);
    memcpy(into, memory, bytes);
    return REAP_OK;
}

reap_status reap__memory_write(void *memory, const void *from, size_t bytes)
{
    reap_buffer *buffer = reap__registry_find(memory, 1);
    if (buffer != NULL)
        return reap__buffer_write(buffer, offset_in(buffer, memory), from, bytes);
    memcpy(memory, from, bytes);
    return REAP_OK;
}
