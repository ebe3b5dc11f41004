/* SPDX-License-Identifier: Apache-2.0
 *
 * Aligned allocation over the C library's, with counters and injected failures. Nothing here is on
 * a launch's path once its thread's scratch memory has grown, and its plans are kept.
 */
#include "src/core/allocate.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

/* All relaxed: the counters are independent. */
static atomic_ulong failing_call;
static atomic_ulong calls;
static atomic_long alive, kept;

#ifdef REAP__LIBRARY_IS_SANITIZED
static void *allocate_aligned(size_t bytes)
{
    return aligned_alloc(REAP__MEMORY_ALIGNMENT, bytes);
}

static void free_aligned(void *memory)
{
    free(memory);
}
#else
/* Memory of malloc, which keeps small blocks in lists of the thread; glibc's aligned_alloc splits a
 * larger block each time, which takes several times as long. malloc's pointer is stored before the
 * memory. */
static void *allocate_aligned(size_t bytes)
{
    if (bytes > SIZE_MAX - REAP__MEMORY_ALIGNMENT)
        return NULL;
    char *const begin = malloc(bytes + REAP__MEMORY_ALIGNMENT);
    if (begin == NULL)
        return NULL;
    const size_t past = (uintptr_t)begin % REAP__MEMORY_ALIGNMENT;
    void **const memory = (void **)(void *)(begin + (REAP__MEMORY_ALIGNMENT - past));
    memory[-1] = begin;
    return memory;
}

static void free_aligned(void *memory)
{
    free(((void **)memory)[-1]);
}
#endif

void *reap__allocate(size_t bytes)
{
    const unsigned long call = atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed) + 1;
    if (call == atomic_load_explicit(&failing_call, memory_order_relaxed))
        return NULL;
    size_t rounded = 0;
    if (!reap__add_bytes(&rounded, bytes > 0 ? bytes : 1, 1))
        return NULL;
    void *memory = allocate_aligned(rounded);
    if (memory != NULL)
        atomic_fetch_add_explicit(&alive, 1, memory_order_relaxed);
    return memory;
}

void reap__free(void *memory)
{
    if (memory == NULL)
        return;
    atomic_fetch_sub_explicit(&alive, 1, memory_order_relaxed);
    free_aligned(memory);
}

bool reap__add_bytes(size_t *sum, size_t count, size_t size)
{
    const size_t mask = REAP__MEMORY_ALIGNMENT - 1;
    if (size > 0 && count > (SIZE_MAX - mask) / size)
        return false;
    const size_t bytes = (count * size + mask) & ~mask;
    if (bytes > SIZE_MAX - *sum)
        return false;
    *sum += bytes;
    return true;
}

void reap__allocations_keep(long change)
{
    atomic_fetch_add_explicit(&kept, change, memory_order_relaxed);
}

void reap__fail_allocation(unsigned long number)
{
    atomic_store(&failing_call, number);
    atomic_store(&calls, 0);
}

unsigned long reap__allocations_made(void)
{
    return atomic_load(&calls);
}

long reap__allocations_alive(void)
{
    return atomic_load(&alive) - atomic_load(&kept);
}
