/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers, and the registry of them: an array in the order of addresses. On the host a buffer makes
 * an extent known; for other devices it knows where its bytes are (residence.c). A launch on the
 * host returns when its command has completed, and what a device does is waited for when its bytes
 * are read, so that an access has nothing else to wait for.
 */
#include "src/core/buffer.h"

#include "src/core/memory.h"
#include "src/core/status.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

struct reap_buffer {
    struct reap__extent extent;
    void *owned; /* its memory; NULL: it is the caller's */
    size_t accesses;
    struct reap__residence residence; /* has a lock of its own; never taken under the registry's */
};

/* Everything here is guarded by the lock; the bounds are also read without it (relaxed: a launch
 * that runs beside the making of a buffer may miss it). */
static struct {
    pthread_mutex_t lock;
    reap_buffer **sorted;
    size_t count;
    size_t capacity;
    atomic_uintptr_t lowest;
    atomic_uintptr_t highest;
} registry = {.lock = PTHREAD_MUTEX_INITIALIZER};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void before_fork(void)
{
    pthread_mutex_lock(&registry.lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&registry.lock);
}

static void install_fork_handlers(void)
{
    pthread_atfork(before_fork, after_fork, after_fork);
}

static void update_bounds(void)
{
    uintptr_t lowest = 0, highest = 0;
    if (registry.count > 0) {
        assert(registry.sorted != NULL);
        lowest = (uintptr_t)registry.sorted[0]->extent.begin;
        highest = (uintptr_t)registry.sorted[registry.count - 1]->extent.end;
    }
    atomic_store_explicit(&registry.lowest, lowest, memory_order_relaxed);
    atomic_store_explicit(&registry.highest, highest, memory_order_relaxed);
}

/* The first buffer that ends after the address. */
static size_t position(const unsigned char *address)
{
    size_t low = 0, high = registry.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((uintptr_t)registry.sorted[middle]->extent.end <= (uintptr_t)address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool touches(size_t at, const unsigned char *end)
{
    return at < registry.count && (uintptr_t)registry.sorted[at]->extent.begin < (uintptr_t)end;
}

static reap_status make_room(void)
{
    if (registry.count < registry.capacity)
        return REAP_OK;
    const size_t capacity = registry.capacity > 0 ? 2 * registry.capacity : 16;
    reap_buffer **sorted = reap__allocate(capacity * sizeof *sorted);
    if (sorted == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for a buffer");
    if (registry.count > 0)
        memcpy(sorted, registry.sorted, registry.count * sizeof *sorted);
    reap__free(registry.sorted);
    registry.sorted = sorted;
    registry.capacity = capacity;
    return REAP_OK;
}

static reap_status insert(reap_buffer *buffer)
{
    const size_t at = position(buffer->extent.begin);
    if (touches(at, buffer->extent.end))
        return reap__fail(
            REAP_ERROR_INVALID_ARGUMENT, "the memory at %p overlaps another buffer's, at %p",
            (const void *)buffer->extent.begin, (const void *)registry.sorted[at]->extent.begin);
    REAP_TRY(make_room());
    memmove(registry.sorted + at + 1, registry.sorted + at,
            (registry.count - at) * sizeof *registry.sorted);
    registry.sorted[at] = buffer;
    registry.count++;
    update_bounds();
    return REAP_OK;
}

void *reap_buffer_data(const reap_buffer *buffer)
{
    void *data = NULL;
    if (buffer != NULL)
        memcpy(&data, &buffer->extent.begin, sizeof data);
    return data;
}

static reap_status make(struct reap__extent extent, void *owned, reap_buffer **buffer)
{
    const size_t bytes = (size_t)(extent.end - extent.begin);
    pthread_once(&once, install_fork_handlers);
    reap_buffer *made = reap__allocate(sizeof *made);
    if (made == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for a buffer");
    *made = (reap_buffer){.extent = extent, .owned = owned};
    reap__residence_make(&made->residence, reap_buffer_data(made), bytes, owned != NULL);
    pthread_mutex_lock(&registry.lock);
    const reap_status status = insert(made);
    pthread_mutex_unlock(&registry.lock);
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
    void *memory = reap__allocate(bytes);
    if (memory == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for a buffer of %zu bytes", bytes);
    const unsigned char *begin = memory;
    const reap_status status = make((struct reap__extent){begin, begin + bytes}, memory, buffer);
    if (status != REAP_OK)
        reap__free(memory);
    return status;
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
    REAP_TRY(reap__residence_to_host(&buffer->residence, (access & REAP_READ) != 0,
                                     (access & REAP_WRITE) != 0));
    pthread_mutex_lock(&registry.lock);
    buffer->accesses++;
    pthread_mutex_unlock(&registry.lock);
    *data = reap_buffer_data(buffer);
    return REAP_OK;
}

reap_status reap_host_access_end(reap_buffer *buffer)
{
    if (buffer == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_host_access_end: the buffer is NULL");
    pthread_mutex_lock(&registry.lock);
    const bool is_begun = buffer->accesses > 0;
    buffer->accesses -= is_begun;
    pthread_mutex_unlock(&registry.lock);
    return is_begun ? REAP_OK
                    : reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                                 "reap_host_access_end: no access to the buffer has begun");
}

/* The registry's array goes with its last buffer, so that a program can end with nothing alive. */
static void remove_buffer(const reap_buffer *buffer)
{
    const size_t at = position(buffer->extent.begin);
    registry.count--;
    memmove(registry.sorted + at, registry.sorted + at + 1,
            (registry.count - at) * sizeof *registry.sorted);
    if (registry.count == 0) {
        reap__free(registry.sorted);
        registry.sorted = NULL;
        registry.capacity = 0;
    }
    update_bounds();
}

reap_status reap_buffer_release(reap_buffer *buffer)
{
    if (buffer == NULL)
        return REAP_OK;
    const reap_status status =
        reap__residence_to_host(&buffer->residence, buffer->owned == NULL, false);
    pthread_mutex_lock(&registry.lock);
    remove_buffer(buffer);
    pthread_mutex_unlock(&registry.lock);
    reap__residence_end(&buffer->residence);
    reap__free(buffer->owned);
    reap__free(buffer);
    return status;
}

/* The buffer that these bytes touch, the lowest of several; NULL: none. */
static reap_buffer *find(const void *memory, size_t bytes)
{
    const uintptr_t begin = (uintptr_t)memory;
    if (begin >= atomic_load_explicit(&registry.highest, memory_order_relaxed) ||
        begin + bytes <= atomic_load_explicit(&registry.lowest, memory_order_relaxed))
        return NULL;
    const unsigned char *address = memory;
    pthread_mutex_lock(&registry.lock);
    const size_t at = position(address);
    reap_buffer *found = touches(at, address + bytes) ? registry.sorted[at] : NULL;
    pthread_mutex_unlock(&registry.lock);
    return found;
}

bool reap__buffer_find(const void *memory, size_t bytes, struct reap__extent *extent)
{
    const reap_buffer *buffer = find(memory, bytes);
    if (buffer != NULL)
        *extent = buffer->extent; /* constant for the buffer's life */
    return buffer != NULL;
}

reap_status reap__buffer_on_host(const void *memory, bool writes)
{
    reap_buffer *buffer = reap__residence_copies() > 0 ? find(memory, 1) : NULL;
    return buffer != NULL ? reap__residence_to_host(&buffer->residence, true, writes) : REAP_OK;
}

reap_status reap__buffer_on_device(const void *memory, const reap_device *device, bool writes,
                                   struct reap__piece *piece)
{
    reap_buffer *buffer = find(memory, 1);
    *piece = (struct reap__piece){.is_found = buffer != NULL};
    if (buffer == NULL)
        return REAP_OK;
    piece->offset = (size_t)((const unsigned char *)memory - buffer->extent.begin);
    return reap__residence_to_device(&buffer->residence, device, writes, &piece->memory);
}
