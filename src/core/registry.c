/* SPDX-License-Identifier: Apache-2.0
 *
 * An array in the order of addresses.
 */
#include "src/core/registry.h"

#include "src/core/memory.h"
#include "src/core/status.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

/* Everything here is guarded by the lock; `lowest`, too, is also read without it (relaxed). */
static struct {
    pthread_mutex_t lock;
    reap_buffer **sorted;
    size_t count;
    size_t capacity;
    atomic_uintptr_t lowest;
} registry = {.lock = PTHREAD_MUTEX_INITIALIZER};

atomic_uintptr_t reap__registry_highest;

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
    atomic_store_explicit(&reap__registry_highest, highest, memory_order_relaxed);
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
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "the memory at %p overlaps another buffer's, or an allocation's, at %p",
                          (const void *)buffer->extent.begin,
                          (const void *)registry.sorted[at]->extent.begin);
    REAP_TRY(make_room());
    memmove(registry.sorted + at + 1, registry.sorted + at,
            (registry.count - at) * sizeof *registry.sorted);
    registry.sorted[at] = buffer;
    registry.count++;
    update_bounds();
    return REAP_OK;
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

/* ---- Public -----------------------------------------------------------------------------------*/

reap_status reap__registry_add(reap_buffer *buffer)
{
    pthread_once(&once, install_fork_handlers);
    pthread_mutex_lock(&registry.lock);
    const reap_status status = insert(buffer);
    pthread_mutex_unlock(&registry.lock);
    return status;
}

void reap__registry_remove(const reap_buffer *buffer)
{
    pthread_mutex_lock(&registry.lock);
    remove_buffer(buffer);
    pthread_mutex_unlock(&registry.lock);
}

reap_buffer *reap__registry_find(const void *memory, size_t bytes)
{
    const uintptr_t begin = (uintptr_t)memory;
    if (begin >= atomic_load_explicit(&reap__registry_highest, memory_order_relaxed) ||
        begin + bytes <= atomic_load_explicit(&registry.lowest, memory_order_relaxed))
        return NULL;
    const unsigned char *address = memory;
    pthread_mutex_lock(&registry.lock);
    const size_t at = position(address);
    reap_buffer *found = touches(at, address + bytes) ? registry.sorted[at] : NULL;
    pthread_mutex_unlock(&registry.lock);
    return found;
}

reap_buffer *reap__registry_next_moving(const reap_device *device, const void *address)
{
    reap_buffer *found = NULL;
    pthread_mutex_lock(&registry.lock);
    for (size_t at = position(address); at < registry.count && found == NULL; at++)
        if (registry.sorted[at]->device == device &&
            reap__is_moving_allocation(registry.sorted[at]))
            found = registry.sorted[at];
    pthread_mutex_unlock(&registry.lock);
    return found;
}

void reap__registry_begin_access(reap_buffer *buffer)
{
    pthread_mutex_lock(&registry.lock);
    buffer->accesses++;
    pthread_mutex_unlock(&registry.lock);
}

bool reap__registry_end_access(reap_buffer *buffer)
{
    pthread_mutex_lock(&registry.lock);
    const bool is_begun = buffer->accesses > 0;
    buffer->accesses -= is_begun;
    pthread_mutex_unlock(&registry.lock);
    return is_begun;
}
