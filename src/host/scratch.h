/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch's working memory: each thread that launches keeps a block for its next launch, so that
 * launches allocate nothing once it has grown.
 */
#ifndef REAP_HOST_SCRATCH_H
#define REAP_HOST_SCRATCH_H

#include "src/core/allocate.h"

#include <reap/status.h>
#include <stdbool.h>
#include <stddef.h>

struct reap__block;

struct reap__scratch {
    struct reap__block *blocks; /* the newest, from which memory is taken, first */
    unsigned char *at;          /* what is left of the newest */
    size_t left;
    size_t hint; /* bytes that the last launch took */
    bool failed;
    bool borrowed;
};

/* How many threads run launches; before the first one. */
void reap__scratch_configure(size_t threads);

/* Returns the thread's scratch, or `spare`, initialised, if a launch of this thread uses it
 * already. The caller returns it with reap__scratch_return. */
struct reap__scratch *reap__scratch_borrow(struct reap__scratch *spare);
void reap__scratch_return(struct reap__scratch *scratch);

/* Returns memory for count objects of a size, aligned and not initialised, valid until the scratch
 * is returned. NULL if count or size is 0, and without memory: then reap__scratch_check
 * fails. */
static inline void *reap__scratch_take(struct reap__scratch *scratch, size_t count, size_t size);

/* Fails with REAP_ERROR_OUT_OF_MEMORY when something that was asked for was not there. */
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
