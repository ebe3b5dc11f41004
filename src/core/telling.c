/* SPDX-License-Identifier: Apache-2.0
 *
 * Tellings are numbered, so that a command that was launched before one does not count as told,
 * though it runs after it.
 */
#include "src/core/telling.h"

#include "src/core/memory.h"

/* Who has returned from a wait sees its number (release, acquire), and so does whoever that thread
 * has let know. */
static atomic_size_t tellings;

size_t reap__tellings(void)
{
    return atomic_load_explicit(&tellings, memory_order_acquire);
}

struct reap__telling *reap__telling_make(void)
{
    struct reap__telling *made = reap__allocate(sizeof *made);
    if (made == NULL)
        return NULL;
    atomic_init(&made->holders, 1);
    atomic_init(&made->number, 0);
    return made;
}

struct reap__telling *reap__telling_hold(struct reap__telling *telling)
{
    if (telling != NULL)
        atomic_fetch_add_explicit(&telling->holders, 1, memory_order_relaxed);
    return telling;
}

void reap__telling_happens(struct reap__telling *telling)
{
    const size_t number = atomic_fetch_add_explicit(&tellings, 1, memory_order_acq_rel) + 1;
    atomic_store_explicit(&telling->number, number, memory_order_release);
}

bool reap__telling_was_before(const struct reap__telling *telling, size_t count)
{
    const size_t number =
        telling != NULL ? atomic_load_explicit(&telling->number, memory_order_acquire) : 0;
    return number != 0 && number <= count;
}

void reap__telling_release(struct reap__telling *telling)
{
    if (telling != NULL &&
        atomic_fetch_sub_explicit(&telling->holders, 1, memory_order_acq_rel) == 1)
        reap__free(telling);
}
