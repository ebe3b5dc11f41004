/* SPDX-License-Identifier: Apache-2.0
 *
 * The stacks of a set are one mapping; unused sets are kept in a list. Stacks begin at different
 * offsets in their pages ("colours"), since at equal offsets they would compete for the same sets
 * of a cache.
 */
#include "src/host/stacks.h"

#include "src/core/allocate.h"
#include "src/core/status.h"
#include "src/port/pages.h"
#include "src/port/sanitizer.h"

#include <pthread.h>

/* A guard splits a mapping in two, and Linux allows a process 65530 mappings: groups of 4096 on
 * eight threads would use all of them, and no thread could map memory any more. */
enum {
    STACK_BYTES = 64 << 10,
    GUARD_BYTES = 64 << 10, /* so large that hardly any frame extends beyond it */
    COLOURS = 64,
    COLOUR_BYTES = 64,
    MOST_GUARDS = 16384
};

static struct {
    pthread_mutex_t lock;
    struct reap__stacks *unused;
    size_t guards; /* of all sets */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void before_fork(void)
{
    pthread_mutex_lock(&pool.lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&pool.lock);
}

static void install_fork_handlers(void)
{
    pthread_atfork(before_fork, after_fork, after_fork);
}

unsigned char *reap__stacks_bottom(const struct reap__stacks *stacks, size_t number, size_t *bytes)
{
    *bytes = STACK_BYTES;
    return stacks->memory + number * stacks->stride + GUARD_BYTES;
}

/* Reserves guards for `count` stacks. Returns how many of them get one. */
static size_t take_guards(size_t count)
{
    pthread_mutex_lock(&pool.lock);
    const size_t left = MOST_GUARDS - pool.guards, taken = count < left ? count : left;
    pool.guards += taken;
    pthread_mutex_unlock(&pool.lock);
    return taken;
}

static struct reap__stacks *make_stacks(size_t count)
{
    size_t bytes = 0;
    reap__add_bytes(&bytes, 1, sizeof(struct reap__stacks));
    reap__add_bytes(&bytes, count, sizeof(struct reap__fiber));
    reap__add_bytes(&bytes, count, sizeof(struct reap__fiber_notes));
    const size_t stride = STACK_BYTES + GUARD_BYTES;
    unsigned char *at = reap__allocate(bytes), *memory = reap__pages_map(count * stride);
    if (at == NULL || memory == NULL) {
        reap__free(at);
        if (memory != NULL)
            reap__pages_unmap(memory, count * stride);
        return NULL;
    }
    struct reap__stacks *stacks = (struct reap__stacks *)at;
    *stacks = (struct reap__stacks){
        .count = count, .memory = memory, .stride = stride, .guarded = take_guards(count)};
    bytes = 0;
    reap__add_bytes(&bytes, 1, sizeof(struct reap__stacks));
    stacks->fibers = (struct reap__fiber *)(at + bytes);
    reap__add_bytes(&bytes, count, sizeof(struct reap__fiber));
    stacks->notes = (struct reap__fiber_notes *)(at + bytes);
    for (size_t i = 0; i < count; i++) {
        size_t size;
        const unsigned char *bottom = reap__stacks_bottom(stacks, i, &size);
        stacks->notes[i] = (struct reap__fiber_notes){NULL, NULL};
        reap__valgrind_stack(bottom, bottom + size - 1);
    }
    return stacks;
}

/* Lets AddressSanitizer forget the frames on the stacks, since their functions will not return. */
static void forget_frames(const struct reap__stacks *stacks)
{
    for (size_t i = 0; i < stacks->count && reap__asan_is_here(); i++) {
        size_t bytes;
        const unsigned char *bottom = reap__stacks_bottom(stacks, i, &bytes);
        reap__asan_forget(bottom, bytes);
    }
}

/* AddressSanitizer would keep its record of these addresses when the mapping is gone. */
static void release(struct reap__stacks *stacks)
{
    forget_frames(stacks);
    reap__pages_unmap(stacks->memory, stacks->count * stacks->stride);
    reap__free(stacks);
}

/* Frees all unused sets. They are too small for a launch: their memory is better used for a larger
 * set, and sets of all sizes would add up. */
static void release_unused(void)
{
    pthread_mutex_lock(&pool.lock);
    struct reap__stacks *unused = pool.unused;
    pool.unused = NULL;
    for (const struct reap__stacks *at = unused; at != NULL; at = at->next)
        pool.guards -= at->guarded;
    pthread_mutex_unlock(&pool.lock);
    while (unused != NULL) {
        struct reap__stacks *next = unused->next;
        release(unused);
        unused = next;
    }
}

/* Takes the first unused set that is large enough; NULL: none is. */
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
    pthread_once(&once, install_fork_handlers);
    struct reap__stacks *found = take_unused(count);
    if (found == NULL) {
        release_unused();
        found = make_stacks(count);
    }
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

void reap__stacks_ready(struct reap__stacks *stacks, size_t count)
{
    for (; stacks->ready < count; stacks->ready++) {
        const size_t i = stacks->ready;
        size_t bytes;
        unsigned char *bottom = reap__stacks_bottom(stacks, i, &bytes);
        if (i >= stacks->guards_made && i < stacks->guarded) {
            reap__pages_guard(bottom - GUARD_BYTES, GUARD_BYTES);
            stacks->guards_made = i + 1;
        }
        reap__fiber_prepare(&stacks->fibers[i], bottom,
                            bottom + bytes - i % COLOURS * COLOUR_BYTES);
    }
}

void reap__stacks_abandon(struct reap__stacks *stacks, bool with_fresh_memory)
{
    stacks->ready = 0;
    if (with_fresh_memory) {
        reap__pages_renew(stacks->memory, stacks->count * stacks->stride);
        stacks->guards_made = 0;
    }
    forget_frames(stacks);
}
