/* SPDX-License-Identifier: Apache-2.0
 *
 * Two sets of extents: of all buffers and allocations, and of the allocations that migrate.
 */
#include "src/memory/registry.h"

#include "src/core/status.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* The lock guards all members; `lowest` is also read without it (relaxed). */
static struct {
    pthread_mutex_t lock;
    struct reap__extents all;
    struct reap__extents moving;
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

/* The functions below are called with the lock held. */

static void update_bounds(void)
{
    const struct reap__extent cover = reap__extents_cover(&registry.all);
    atomic_store_explicit(&registry.lowest, (uintptr_t)cover.begin, memory_order_relaxed);
    atomic_store_explicit(&reap__registry_highest, (uintptr_t)cover.end, memory_order_relaxed);
}

/* Returns the lowest buffer or allocation that overlaps the bytes between two addresses; NULL:
 * none. */
static reap_buffer *find(const void *begin, const void *end)
{
    struct reap__extent_node *node = reap__extents_find(&registry.all, begin);
    if (node == NULL || (uintptr_t)node->extent.begin >= (uintptr_t)end)
        return NULL;
    return (reap_buffer *)(void *)((char *)node - offsetof(reap_buffer, all));
}

static reap_status add(reap_buffer *buffer)
{
    const reap_buffer *other = find(buffer->extent.begin, buffer->extent.end);
    if (other != NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "the memory at %p overlaps another buffer's, or an allocation's, at %p",
                          (const void *)buffer->extent.begin, (const void *)other->extent.begin);
    buffer->all.extent = buffer->moving.extent = buffer->extent;
    reap__extents_add(&registry.all, &buffer->all);
    if (reap__is_moving_allocation(buffer))
        reap__extents_add(&registry.moving, &buffer->moving);
    update_bounds();
    return REAP_OK;
}

static void remove_buffer(reap_buffer *buffer)
{
    reap__extents_remove(&registry.all, &buffer->all);
    if (reap__is_moving_allocation(buffer))
        reap__extents_remove(&registry.moving, &buffer->moving);
    update_bounds();
}

static reap_buffer *next_moving(const void *address)
{
    struct reap__extent_node *node = reap__extents_find(&registry.moving, address);
    if (node == NULL)
        return NULL;
    return (reap_buffer *)(void *)((char *)node - offsetof(reap_buffer, moving));
}

/* ---- Public -----------------------------------------------------------------------------------*/

reap_status reap__registry_add(reap_buffer *buffer)
{
    pthread_once(&once, install_fork_handlers);
    pthread_mutex_lock(&registry.lock);
    const reap_status status = add(buffer);
    pthread_mutex_unlock(&registry.lock);
    return status;
}

void reap__registry_remove(reap_buffer *buffer)
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
    pthread_mutex_lock(&registry.lock);
    reap_buffer *found = find(memory, (const unsigned char *)memory + bytes);
    pthread_mutex_unlock(&registry.lock);
    return found;
}

reap_buffer *reap__registry_next_moving(const reap_device *device, const void *address)
{
    pthread_mutex_lock(&registry.lock);
    reap_buffer *found = next_moving(address);
    while (found != NULL && found->device != device)
        found = next_moving(found->extent.end);
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
