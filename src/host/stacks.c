/* SPDX-License-Identifier: Apache-2.0
 *
 * One mapping for all stacks of a set, and a list of sets that nobody uses. Stacks begin at
 * different places within their pages ("colours"), since equal places would fall into the same few
 * sets of a cache.
 */
#include "src/host/stacks.h"

#include "src/core/memory.h"
#include "src/core/status.h"
#include "src/port/stack_memory.h"

#include <pthread.h>

enum { STACK_BYTES = 64 << 10, COLOURS = 21, COLOUR_BYTES = 192 };

struct reap__stacks {
    struct reap__stacks *next;
    unsigned char *memory; /* for each stack a page that guards it, and the stack */
    size_t stride;
    size_t count;
    size_t ready; /* the fibers before this one have begun, and can take items */
    struct reap__fiber thread;
    struct reap__fiber fibers[];
};

static struct {
    pthread_mutex_t lock;
    struct reap__stacks *unused;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct reap__stacks *make_stacks(size_t count)
{
    struct reap__stacks *stacks = reap__allocate(sizeof *stacks + count * sizeof *stacks->fibers);
    if (stacks == NULL)
        return NULL;
    *stacks = (struct reap__stacks){.count = count};
    stacks->memory = reap__stack_memory_map(count, STACK_BYTES, &stacks->stride);
    if (stacks->memory == NULL) {
        reap__free(stacks);
        return NULL;
    }
    return stacks;
}

/* The first unused set that is large enough. */
static struct reap__stacks *take_unused(size_t count)
{
    pthread_mutex_lock(&pool.lock);
    struct reap__stacks **link = &pool.unused;
    while (*link != NULL && (*link)->count < count)
        link = &(*link)->next;
    struct reap__stacks *stacks = *link;
    if (stacks != NULL)
        *link = stacks->next;
    pthread_mutex_unlock(&pool.lock);
    return stacks;
}

reap_status reap__stacks_borrow(size_t count, struct reap__stacks **stacks)
{
    struct reap__stacks *found = take_unused(count);
    if (found == NULL)
        found = make_stacks(count);
    if (found == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for the stacks of %zu work-items",
                          count);
    *stacks = found;
    return REAP_OK;
}

void reap__stacks_return(struct reap__stacks *stacks)
{
    pthread_mutex_lock(&pool.lock);
    stacks->next = pool.unused;
    pool.unused = stacks;
    pthread_mutex_unlock(&pool.lock);
}

struct reap__fiber *reap__stacks_fiber(struct reap__stacks *stacks, size_t number)
{
    return &stacks->fibers[number];
}

struct reap__fiber *reap__stacks_thread(struct reap__stacks *stacks)
{
    return &stacks->thread;
}

void reap__stacks_ready(struct reap__stacks *stacks, size_t number, void (*entry)(void))
{
    if (number < stacks->ready)
        return;
    unsigned char *end = stacks->memory + (number + 1) * stacks->stride;
    reap__fiber_prepare(&stacks->fibers[number], end - number % COLOURS * COLOUR_BYTES, entry);
    stacks->ready = number + 1;
}

void reap__stacks_abandon(struct reap__stacks *stacks)
{
    stacks->ready = 0;
}
