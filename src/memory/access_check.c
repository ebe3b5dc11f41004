/* SPDX-License-Identifier: Apache-2.0
 *
 * A checked buffer has two memories: the one that the program sees, and the contents. An access
 * copies the contents to the visible memory when it begins, and if it may have written, back when
 * it ends.
 */
#include "src/memory/access_check.h"

#include "src/core/allocate.h"
#include "src/core/status.h"
#include "src/port/pages.h"
#include "src/port/watch.h"

#include <pthread.h>
#include <string.h>

enum { PAGE_BYTES = 64 << 10, PATTERN = 0xa5 };

struct reap__access_check {
    pthread_mutex_t lock;   /* guards what changes */
    unsigned char *visible; /* constant, as are the next four */
    unsigned char *contents;
    size_t bytes;
    size_t page_bytes; /* of `visible`; 0: it is the program's wrapped memory */
    struct reap__watch watch;
    size_t accesses;
    bool may_be_written; /* an access may write */
    bool is_patterned;   /* wrapped memory has the pattern */
};

static reap_status make_visible(struct reap__access_check *check)
{
    check->page_bytes = (check->bytes + PAGE_BYTES - 1) & ~(size_t)(PAGE_BYTES - 1);
    check->visible =
        check->page_bytes >= check->bytes ? reap__pages_reserve(check->page_bytes) : NULL;
    if (check->visible == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for a buffer of %zu bytes",
                          check->bytes);
    reap__watch_begin(&check->watch, check->visible, check->page_bytes);
    return REAP_OK;
}

static reap_status make(struct reap__access_check *check, unsigned char *wrapped, size_t bytes)
{
    check->bytes = bytes;
    check->contents = reap__allocate(bytes);
    if (check->contents == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for a buffer of %zu bytes", bytes);
    if (wrapped == NULL)
        return make_visible(check);
    check->visible = wrapped;
    memcpy(check->contents, wrapped, bytes);
    return REAP_OK;
}

reap_status reap__access_check_make(unsigned char *wrapped, size_t bytes,
                                    struct reap__access_check **check)
{
    struct reap__access_check *made = reap__allocate(sizeof *made);
    if (made == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for a buffer");
    memset(made, 0, sizeof *made);
    pthread_mutex_init(&made->lock, NULL);
    const reap_status status = make(made, wrapped, bytes);
    if (status == REAP_OK)
        *check = made;
    else
        reap__access_check_release(made);
    return status;
}

void reap__access_check_release(struct reap__access_check *check)
{
    if (check == NULL)
        return;
    if (check->page_bytes > 0 && check->visible != NULL) {
        reap__watch_end(&check->watch);
        reap__pages_unmap(check->visible, check->page_bytes);
    } else if (check->visible != NULL && check->is_patterned) {
        memcpy(check->visible, check->contents, check->bytes);
    }
    reap__free(check->contents);
    pthread_mutex_destroy(&check->lock);
    reap__free(check);
}

unsigned char *reap__access_check_visible(const struct reap__access_check *check)
{
    return check->visible;
}

unsigned char *reap__access_check_contents(const struct reap__access_check *check)
{
    return check->contents;
}

/* Returns the first byte that the program has accessed (wrapped memory: changed); `bytes` if none.
 * With the lock held, as the next two. */
static size_t find_use(const struct reap__access_check *check)
{
    const unsigned char *touched = reap__watch_touched(&check->watch);
    size_t at = 0;
    if (check->page_bytes > 0)
        return touched != NULL ? (size_t)(touched - check->visible) : check->bytes;
    while (at < check->bytes &&
           check->visible[at] == (check->is_patterned ? PATTERN : check->contents[at]))
        at++;
    return at;
}

static void forget_use(struct reap__access_check *check)
{
    if (check->page_bytes > 0)
        reap__watch_close(&check->watch);
    else if (check->is_patterned)
        memset(check->visible, PATTERN, check->bytes);
    else
        memcpy(check->visible, check->contents, check->bytes);
}

static reap_status look(struct reap__access_check *check, const char *what)
{
    const size_t at = find_use(check);
    if (at == check->bytes)
        return REAP_OK;
    forget_use(check);
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                      "%s: the program has %s byte %zu of the buffer of %zu bytes at %p outside of "
                      "reap_host_access_begin and reap_host_access_end",
                      what, check->page_bytes > 0 ? "used" : "changed", at, check->bytes,
                      (const void *)check->visible);
}

static reap_status refuse_open(const struct reap__access_check *check, const char *what)
{
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                      "%s: the program has begun to access the buffer of %zu bytes at %p, and has "
                      "not called reap_host_access_end",
                      what, check->bytes, (const void *)check->visible);
}

reap_status reap__access_check_verify(struct reap__access_check *check, const char *what,
                                      bool writes)
{
    reap_status status = REAP_OK;
    pthread_mutex_lock(&check->lock);
    if (check->accesses == 0)
        status = look(check, what);
    else if (writes || check->may_be_written)
        status = refuse_open(check, what);
    pthread_mutex_unlock(&check->lock);
    return status;
}

reap_status reap__access_check_ended(struct reap__access_check *check, const char *what)
{
    pthread_mutex_lock(&check->lock);
    const reap_status status = check->accesses > 0 ? refuse_open(check, what) : REAP_OK;
    pthread_mutex_unlock(&check->lock);
    return status;
}

static void show(struct reap__access_check *check)
{
    if (check->page_bytes > 0)
        reap__watch_open(&check->watch);
    if (check->page_bytes > 0 || check->is_patterned)
        memcpy(check->visible, check->contents, check->bytes);
    check->is_patterned = false;
    check->may_be_written = false;
}

reap_status reap__access_check_begin(struct reap__access_check *check, bool writes)
{
    reap_status status = REAP_OK;
    pthread_mutex_lock(&check->lock);
    if (check->accesses == 0) {
        status = look(check, "reap_host_access_begin");
        if (status == REAP_OK)
            show(check);
    }
    if (status == REAP_OK) {
        check->accesses++;
        check->may_be_written = check->may_be_written || writes;
    }
    pthread_mutex_unlock(&check->lock);
    return status;
}

void reap__access_check_end(struct reap__access_check *check)
{
    pthread_mutex_lock(&check->lock);
    if (--check->accesses == 0) {
        if (check->may_be_written)
            memcpy(check->contents, check->visible, check->bytes);
        if (check->page_bytes > 0)
            reap__watch_close(&check->watch);
    }
    pthread_mutex_unlock(&check->lock);
}

void reap__access_check_note_written(struct reap__access_check *check)
{
    pthread_mutex_lock(&check->lock);
    if (check->page_bytes == 0 && !check->is_patterned) {
        memset(check->visible, PATTERN, check->bytes);
        check->is_patterned = true;
    }
    pthread_mutex_unlock(&check->lock);
}
