/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers. On the host a buffer makes an extent known; for other devices it knows where its bytes
 * are (residence.c). An access waits for launches on the buffer that have not returned (uses.c);
 * what a device has left to do then is waited for where its bytes are read.
 */
#include "src/core/buffer.h"

#include "src/core/memory.h"
#include "src/core/status.h"
#include "src/core/uses.h"

#include <stdint.h>
#include <string.h>

void *reap_buffer_data(const reap_buffer *buffer)
{
    void *data = NULL;
    if (buffer != NULL)
        memcpy(&data, &buffer->extent.begin, sizeof data);
    return data;
}

static reap_status make(struct reap__extent extent, void *owned, reap_buffer **buffer)
{
    reap_buffer *made = reap__allocate(sizeof *made);
    if (made == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for a buffer");
    memset(made, 0, sizeof *made);
    made->kind = REAP_MEMORY_BUFFER;
    made->owned = owned;
    made->extent = extent;
    reap__residence_make(&made->residence, reap_buffer_data(made),
                         (size_t)(extent.end - extent.begin), owned != NULL);
    const reap_status status = reap__registry_add(made);
    if (status == REAP_OK) {
        *buffer = made;
        return REAP_OK;
    }
    reap__residence_end(&made->residence);
    reap__free(made);
    return status;
}

reap_status reap_buffer_wrap(const void *memory, size_t bytes, reap_buffer **buffer)
{
    if (memory == NULL || bytes == 0 || buffer == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_buffer_wrap: %s",
                          bytes == 0 ? "no bytes" : "a pointer is NULL");
    if (bytes > UINTPTR_MAX - (uintptr_t)memory)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "reap_buffer_wrap: %zu bytes at %p pass the end of memory", bytes,
                          memory);
    const unsigned char *begin = memory;
    return make((struct reap__extent){begin, begin + bytes}, NULL, buffer);
}

reap_status reap_buffer_create(size_t bytes, reap_buffer **buffer)
{
    if (bytes == 0 || buffer == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_buffer_create: %s",
                          bytes == 0 ? "no bytes" : "the pointer is NULL");
    unsigned char *memory = reap__allocate(bytes);
    if (memory == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for a buffer of %zu bytes", bytes);
    const reap_status status = make((struct reap__extent){memory, memory + bytes}, memory, buffer);
    if (status != REAP_OK)
        reap__free(memory);
    return status;
}

/* In its place. */
static reap_status begin_access(reap_buffer *buffer, unsigned access, const struct reap__used *used)
{
    const struct reap__origin *cause = reap__origins_settle(used, false);
    if (cause != NULL)
        return reap__origins_fail("reap_host_access_begin: the buffer cannot be read", cause);
    if (access == REAP_WRITE)
        reap__origins_forget(buffer);
    return reap__residence_to_host(&buffer->residence, (access & REAP_READ) != 0,
                                   (access & REAP_WRITE) != 0);
}

reap_status reap_host_access_begin(reap_buffer *buffer, unsigned access, void **data)
{
    if (buffer == NULL || data == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_host_access_begin: %s is NULL",
                          buffer == NULL ? "the buffer" : "the pointer for its memory");
    if (access == 0 || (access & ~(unsigned)(REAP_READ | REAP_WRITE)) != 0)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "reap_host_access_begin: access %u is none of REAP_READ, REAP_WRITE and "
                          "both",
                          access);
    struct reap__uses uses;
    uses.count = 0;
    reap__uses_add_buffer(&uses, buffer, (access & REAP_WRITE) != 0,
                          (access & REAP_READ) != 0 ? REAP__NEEDS_CONTENTS : REAP__NEEDS_NOTHING);
    const struct reap__used used = reap__uses_used(&uses);
    reap__uses_begin(&uses);
    const reap_status status = begin_access(buffer, access, &used);
    reap__uses_end(&uses);
    REAP_TRY(status);
    reap__registry_begin_access(buffer);
    *data = reap_buffer_data(buffer);
    return REAP_OK;
}

reap_status reap_host_access_end(reap_buffer *buffer)
{
    if (buffer == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_host_access_end: the buffer is NULL");
    return reap__registry_end_access(buffer)
               ? REAP_OK
               : reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                            "reap_host_access_end: no access to the buffer has begun");
}

/* Brings wrapped memory what is in the buffer, be it right or not. */
static reap_status end_contents(reap_buffer *buffer, const struct reap__used *used)
{
    const struct reap__origin *cause = reap__origins_settle(used, false);
    reap_status status = reap__residence_to_host(&buffer->residence, buffer->owned == NULL, false);
    if (status == REAP_OK && cause != NULL)
        status =
            reap__origins_fail("reap_buffer_release: its memory is not what it should be", cause);
    reap__origins_forget(buffer);
    return status;
}

reap_status reap_buffer_release(reap_buffer *buffer)
{
    struct reap__uses uses;
    if (buffer == NULL)
        return REAP_OK;
    uses.count = 0;
    reap__uses_add_buffer(&uses, buffer, true,
                          buffer->owned == NULL ? REAP__NEEDS_CONTENTS : REAP__NEEDS_NOTHING);
    const struct reap__used used = reap__uses_used(&uses);
    reap__uses_begin(&uses);
    const reap_status status = end_contents(buffer, &used);
    reap__registry_remove(buffer);
    reap__residence_end(&buffer->residence);
    reap__uses_end(&uses);
    reap__free(buffer->owned);
    reap__free(buffer);
    return status;
}

bool reap__buffer_find(const void *memory, size_t bytes, struct reap__extent *extent)
{
    const reap_buffer *buffer = reap__registry_find(memory, bytes);
    if (buffer != NULL)
        *extent = buffer->extent; /* constant for the buffer's life */
    return buffer != NULL;
}

reap_status reap__buffer_on_host(const void *memory, bool writes)
{
    reap_buffer *buffer = reap__residence_copies() > 0 ? reap__registry_find(memory, 1) : NULL;
    if (buffer == NULL)
        return REAP_OK;
    return reap__residence_to_host(&buffer->residence, true,
                                   writes || reap__is_moving_allocation(buffer));
}

reap_status reap__buffer_on_device(const void *memory, const reap_device *device, bool writes,
                                   struct reap__piece *piece)
{
    reap_buffer *buffer = reap__registry_find(memory, 1);
    *piece = (struct reap__piece){.is_found = buffer != NULL};
    if (buffer == NULL)
        return REAP_OK;
    piece->offset = (size_t)((const unsigned char *)memory - buffer->extent.begin);
    return reap__residence_to_device(&buffer->residence, device,
                                     (struct reap__access){.reads = true, .writes = writes},
                                     &piece->memory);
}
