/* SPDX-License-Identifier: Apache-2.0
 *
 * Each resource in use has a wait list, which a hash table finds by its last entry. An entry is
 * ready if it is the first, or if it reads and all entries before it read. When an entry is
 * removed, the next ones may become ready. So each entry is visited a few times, however long the
 * lists are.
 *
 * One lock guards all wait lists, for short times. The executor's lock may be locked under it.
 */
#include "src/queue/dependency_graph.h"

#include "src/core/fork.h"
#include "src/port/cancellation.h"
#include "src/port/sanitizer.h"
#include "src/queue/event.h"
#include "src/queue/executor.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

enum { LINES_LOG2 = 16 };

/* A forked child begins with empty wait lists: the entries belong to threads that it does not have.
 */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* a thread's order has no obstacle left, or an event's command ran */
    struct reap__wait_entry *tails[1 << LINES_LOG2]; /* by the hash of their resources; a program
                                                           may have 10^5 commands under way */
    size_t queue_count;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void before_fork(void)
{
    pthread_mutex_lock(&all.lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&all.lock);
}

static void after_fork_in_child(void)
{
    if (all.queue_count > 0) /* else all are NULL, and most of that memory was never touched */
        memset(all.tails, 0, sizeof all.tails);
    all.queue_count = 0;
    pthread_cond_init(&all.changed, NULL);
    pthread_mutex_unlock(&all.lock);
}

/* Those that are installed later are called first; so locks are taken here as elsewhere. */
static void install_fork_handlers(void)
{
    reap__executor_prepare();
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

static void lock(void)
{
    pthread_once(&once, install_fork_handlers);
    pthread_mutex_lock(&all.lock);
}

/* ---- Wait lists -------------------------------------------------------------------------------*/

/* The pointer to a wait list's last entry; NULL: the resource has no wait list. */
static struct reap__wait_entry **tail_of(const void *resource)
{
    const uint64_t mixed = (uint64_t)(uintptr_t)resource * UINT64_C(0x9e3779b97f4a7c15);
    struct reap__wait_entry **last = &all.tails[mixed >> (64 - LINES_LOG2)];
    while (*last != NULL && (*last)->resource != resource)
        last = &(*last)->next_bucket;
    return last;
}

static void satisfy_one(struct reap__graph_node *order)
{
    if (--order->unmet > 0)
        return;
    if (order->begin != NULL)
        order->begin(order);
    else
        pthread_cond_broadcast(&all.changed);
}

static void enqueue_entry(struct reap__wait_entry *entry)
{
    struct reap__wait_entry **last = tail_of(entry->resource);
    struct reap__wait_entry *const before = *last;
    entry->before = before;
    entry->behind = NULL;
    entry->next_bucket = before != NULL ? before->next_bucket : NULL;
    *last = entry;
    if (before != NULL)
        before->behind = entry;
    else
        all.queue_count++;
    entry->is_ready = before == NULL || (before->is_ready && !before->writes && !entry->writes);
    if (!entry->is_ready)
        entry->of->unmet++;
}

static void unlink_entry(struct reap__wait_entry *entry)
{
    struct reap__wait_entry *const before = entry->before, *const behind = entry->behind;
    if (before != NULL)
        before->behind = behind;
    if (behind != NULL) {
        behind->before = before;
        return;
    }
    struct reap__wait_entry **last = tail_of(entry->resource);
    if (before != NULL)
        before->next_bucket = entry->next_bucket;
    *last = before != NULL ? before : entry->next_bucket;
    all.queue_count -= before == NULL;
}

/* If an earlier entry remains, which reads, no command has waited for this one alone. */
static void dequeue_entry(struct reap__wait_entry *entry)
{
    struct reap__wait_entry *next = entry->behind;
    const bool was_first = entry->before == NULL;
    unlink_entry(entry);
    for (bool writes = false; was_first && next != NULL && !next->is_ready && !writes;) {
        struct reap__wait_entry *const freed = next;
        writes = freed->writes;
        next = freed->behind;
        freed->is_ready = true;
        satisfy_one(freed->of);
        if (next != NULL && next->writes)
            return;
    }
}

/* ---- Commands ---------------------------------------------------------------------------------*/

static void follow(struct reap__event_waiter *waiter)
{
    reap_event *event = waiter->event;
    if (!atomic_load_explicit(&event->is_queued, memory_order_relaxed) ||
        event->process != waiter->of->process)
        return; /* a command that the parent of a forked child has queued never ends in the child */
    waiter->next = event->waiters;
    event->waiters = waiter;
    waiter->of->unmet++;
}

bool reap__graph_join(struct reap__graph_node *order)
{
    bool is_ready;
    lock();
    order->process = reap__fork_generation();
    order->unmet = 1;
    for (size_t p = 0; p < order->entry_count; p++) {
        order->entries[p].of = order;
        enqueue_entry(&order->entries[p]);
    }
    for (size_t f = 0; f < order->waiter_count; f++) {
        order->waiters[f].of = order;
        follow(&order->waiters[f]);
    }
    is_ready = --order->unmet == 0;
    if (is_ready && order->begin != NULL)
        order->begin(order);
    pthread_mutex_unlock(&all.lock);
    return is_ready;
}

void reap__graph_wait(struct reap__graph_node *order)
{
    lock();
    while (order->unmet > 0)
        reap__condition_wait(&all.changed, &all.lock);
    pthread_mutex_unlock(&all.lock);
}

void reap__graph_leave(struct reap__graph_node *order)
{
    if (order->process != reap__fork_generation())
        return;
    lock();
    for (size_t p = 0; p < order->entry_count; p++)
        dequeue_entry(&order->entries[p]);
    pthread_mutex_unlock(&all.lock);
}

/* ---- Events -----------------------------------------------------------------------------------*/

void reap__graph_note_submitted(reap_event *event)
{
    lock();
    struct reap__event_waiter *waiter = event->waiters;
    event->waiters = NULL;
    reap__tsan_note_release(&event->is_queued);
    atomic_store_explicit(&event->is_queued, false, memory_order_release);
    for (struct reap__event_waiter *next; waiter != NULL; waiter = next) {
        next = waiter->next;
        satisfy_one(waiter->of);
    }
    pthread_cond_broadcast(&all.changed);
    pthread_mutex_unlock(&all.lock);
}

bool reap__graph_wait_until_submitted(const reap_event *event)
{
    if (!atomic_load_explicit(&event->is_queued, memory_order_acquire)) {
        reap__tsan_note_acquire(&event->is_queued);
        return true;
    }
    if (event->process != reap__fork_generation())
        return false;
    lock();
    while (atomic_load_explicit(&event->is_queued, memory_order_relaxed))
        reap__condition_wait(&all.changed, &all.lock);
    pthread_mutex_unlock(&all.lock);
    return true;
}
