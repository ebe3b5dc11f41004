/* SPDX-License-Identifier: Apache-2.0
 *
 * Scratch buffers: thread-local blocks. A launch that needs more than its thread's block gets
 * further ones, and the next launch one block of the whole size. A buffer of more than 64 MiB, or
 * 16 MiB for each thread that runs launches (long spans need them), is freed after its launch. The
 * library is never unloaded (pin.h), so the destructor exists even when a thread ends late.
 */
#include "src/host/scratch.h"

#include "src/core/status.h"

#include <pthread.h>
#include <stdint.h>

static size_t kept_bytes = (size_t)64 << 20; /* constant after reap__scratch_configure */
static const size_t least_bytes = (size_t)64 << 10;

struct reap__block {
    _Alignas(REAP__MEMORY_ALIGNMENT) struct reap__block *next;
    size_t capacity; /* including this header */
};

static _Thread_local struct reap__scratch own;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

void reap__scratch_configure(size_t threads)
{
    const size_t each = (size_t)16 << 20;
    if (threads < SIZE_MAX / each && threads * each > kept_bytes)
        kept_bytes = threads * each;
}

static void release(void *memory)
{
    struct reap__scratch *scratch = memory;
    while (scratch->blocks != NULL) {
        struct reap__block *block = scratch->blocks;
        scratch->blocks = block->next;
        reap__free(block);
    }
}

static void make_key(void)
{
    pthread_key_create(&key, release);
}

/* Lets memory be taken from the begin of the newest block. */
static void use_block(struct reap__scratch *scratch)
{
    const size_t header = sizeof(struct reap__block);
    scratch->at = (unsigned char *)scratch->blocks;
    scratch->left = 0;
    if (scratch->blocks != NULL) {
        scratch->at += header;
        scratch->left = scratch->blocks->capacity - header;
    }
}

struct reap__scratch *reap__scratch_borrow(struct reap__scratch *spare)
{
    struct reap__scratch *scratch = &own;
    if (scratch->borrowed) {
        scratch = spare;
        *scratch = (struct reap__scratch){.blocks = NULL};
    }
    scratch->borrowed = true;
    scratch->failed = false;
    use_block(scratch);
    return scratch;
}

void reap__scratch_return(struct reap__scratch *scratch)
{
    scratch->borrowed = false;
    if (scratch == &own && scratch->blocks != NULL && scratch->blocks->next == NULL &&
        scratch->blocks->capacity <= kept_bytes)
        return;
    size_t total = 0;
    for (const struct reap__block *block = scratch->blocks; block != NULL; block = block->next)
        total += block->capacity;
    scratch->hint = total <= kept_bytes ? total : 0;
    release(scratch);
}

static bool add_block(struct reap__scratch *scratch, size_t bytes)
{
    size_t capacity = sizeof(struct reap__block);
    if (!reap__add_bytes(&capacity, bytes, 1))
        return false;
    const size_t wanted = scratch->hint > least_bytes ? scratch->hint : least_bytes;
    capacity = capacity > wanted ? capacity : wanted;
    struct reap__block *block = reap__allocate(capacity);
    if (block == NULL)
        return false;
    block->next = scratch->blocks;
    block->capacity = capacity;
    scratch->blocks = block;
    use_block(scratch);
    if (scratch == &own) {
        pthread_once(&once, make_key);
        pthread_setspecific(key, scratch);
    }
    return true;
}

void *reap__scratch_take_more(struct reap__scratch *scratch, size_t count, size_t size)
{
    size_t bytes = 0;
    if (count == 0 || size == 0 || scratch->failed)
        return NULL;
    const bool fits = reap__add_bytes(&bytes, count, size);
    if (!fits || (bytes > scratch->left && !add_block(scratch, bytes))) {
        scratch->failed = true;
        return NULL;
    }
    unsigned char *memory = scratch->at;
    scratch->at += bytes;
    scratch->left -= bytes;
    return memory;
}

reap_status reap__scratch_check(const struct reap__scratch *scratch)
{
    if (scratch->failed)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for the scratch buffer of a launch");
    return REAP_OK;
}
