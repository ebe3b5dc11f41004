/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory that a launch needs while it runs. Each thread that launches keeps it for its next
 * launch, so launches allocate nothing once it is large enough.
 */
#ifndef REAP_HOST_SCRATCH_H
#define REAP_HOST_SCRATCH_H

#include "src/core/allocate.h"

#include <reap/status.h>
#include <stdbool.h>
#include <stddef.h>

struct reap__block;

struct reap__scratch {
    struct reap__block *blocks; /* the newest first; memory is taken from it */
    unsigned char *at;          /* the unused memory of the newest */
    size_t left;
    size_t hint; /* the size of the next block, at least */
    bool failed;
    bool borrowed;
};

/* Sets how much memory a thread keeps, by the number of threads that run launches. Call it before
 * the first launch. */
void reap__scratch_configure(size_t threads);

/* Returns the thread's scratch buffer, or `spare`, initialised, if a launch of this thread uses
 * that already. The caller returns it with reap__scratch_return, which frees memory that is not
 * kept. */
struct reap__scratch *reap__scratch_borrow(struct reap__scratch *spare);
void reap__scratch_return(struct reap__scratch *scratch);

/* Returns memory for `count` objects of `size` bytes, aligned to REAP__MEMORY_ALIGNMENT, not
 * initialised, valid until the buffer is returned. Returns NULL if count or size is 0, or without
 * memory: then reap__scratch_check fails. */
static inline void *reap__scratch_take(struct reap__scratch *scratch, size_t count, size_t size);

/* Fails with REAP_ERROR_OUT_OF_MEMORY if memory was missing since the buffer was borrowed. */
reap_status reap__scratch_check(const struct reap__scratch *scratch);

/* The rare cases of reap__scratch_take: a large amount, or a block that is too small for it. */
void *reap__scratch_take_more(struct reap__scratch *scratch, size_t count, size_t size);

static inline void *reap__scratch_take(struct reap__scratch *scratch, size_t count, size_t size)
{
    const size_t mask = REAP__MEMORY_ALIGNMENT - 1, large = (size_t)1 << 31;
    const size_t bytes = (count * size + mask) & ~mask;
    unsigned char *memory = scratch->at;
    if (count >= large || size >= large || bytes > scratch->left)
        return reap__scratch_take_more(scratch, count, size);
    if (bytes == 0)
        return NULL;
    scratch->at += bytes;
    scratch->left -= bytes;
    return memory;
}

#endif
