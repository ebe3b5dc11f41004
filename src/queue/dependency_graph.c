/* SPDX-License-Identifier: Apache-2.0
 *
 * A line of places for each thing that is used at the moment, found by its last one. A place is
 * free if it is its line's first, or reads, as all before it do; when one is given up, those next
 * in its line may become so. So each place is looked at a few times, however long the lines are.
 *
 * One lock guards all lines; what is done under it is short. The executor's lock may be taken under
 * it.
 */
#include "src/queue/dependency_graph.h"

#include "src/core/fork.h"
#include "src/port/cancellation.h"
#include "src/queue/event.h"
#include "src/queue/executor.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

enum { LINES_LOG2 = 16 };

/* A forked child's lines begin anew: those in them belong to threads that are not there. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* a thread's order has no obstacle left, or an event's command ran */
    struct reap__wait_entry *lines[1 << LINES_LOG2]; /* by the hash of their things; a program
                                                           may have 10^5 commands under way */
    size_t line_count;
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
    if (all.line_count > 0) /* else all are NULL, and most of that memory was never touched */
        memset(all.lines, 0, sizeof all.lines);
    all.line_count = 0;
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

/* ---- Lines ------------------------------------------------------------------------------------*/

/* Where the line's last place is, or NULL: there is no line. */
static struct reap__wait_entry **last_of(const void *thing)
{
    const uint64_t mixed = (uint64_t)(uintptr_t)thing * UINT64_C(0x9e3779b97f4a7c15);
    struct reap__wait_entry **last = &all.lines[mixed >> (64 - LINES_LOG2)];
    while (*last != NULL && (*last)->thing != thing)
        last = &(*last)->other_line;
    return last;
}

static void remove_obstacle(struct reap__graph_node *order)
{
    if (--order->obstacles > 0)
        return;
    if (order->begin != NULL)
        order->begin(order);
    else
        pthread_cond_broadcast(&all.changed);
}

static void take_place(struct reap__wait_entry *place)
{
    struct reap__wait_entry **last = last_of(place->thing);
    struct reap__wait_entry *const before = *last;
    place->before = before;
    place->behind = NULL;
    place->other_line = before != NULL ? before->other_line : NULL;
    *last = place;
    if (before != NULL)
        before->behind = place;
    else
        all.line_count++;
    place->is_free = before == NULL || (before->is_free && !before->writes && !place->writes);
    if (!place->is_free)
        place->of->obstacles++;
}

static void leave_line(struct reap__wait_entry *place)
{
    struct reap__wait_entry *const before = place->before, *const behind = place->behind;
    if (before != NULL)
        before->behind = behind;
    if (behind != NULL) {
        behind->before = before;
        return;
    }
    struct reap__wait_entry **last = last_of(place->thing);
    if (before != NULL)
        before->other_line = place->other_line;
    *last = before != NULL ? before : place->other_line;
    all.line_count -= before == NULL;
}

/* Where somebody before it stays, who reads, nobody has waited for this one alone. */
static void give_up_place(struct reap__wait_entry *place)
{
    struct reap__wait_entry *next = place->behind;
    const bool was_first = place->before == NULL;
    leave_line(place);
    for (bool writes = false; was_first && next != NULL && !next->is_free && !writes;) {
        struct reap__wait_entry *const freed = next;
        writes = freed->writes;
        next = freed->behind;
        freed->is_free = true;
        remove_obstacle(freed->of);
        if (next != NULL && next->writes)
            return;
    }
}

/* ---- Commands ---------------------------------------------------------------------------------*/

static void follow(struct reap__event_waiter *follower)
{
    reap_event *event = follower->event;
    if (!atomic_load_explicit(&event->is_queued, memory_order_relaxed) ||
        event->process != follower->of->process)
        return; /* what a forked child's parent has queued the child waits for in vain */
    follower->next = event->followers;
    event->followers = follower;
    follower->of->obstacles++;
}

bool reap__graph_join(struct reap__graph_node *order)
{
    bool is_free;
    lock();
    order->process = reap__process();
    order->obstacles = 1;
    for (size_t p = 0; p < order->place_count; p++) {
        order->places[p].of = order;
        take_place(&order->places[p]);
    }
    for (size_t f = 0; f < order->follower_count; f++) {
        order->followers[f].of = order;
        follow(&order->followers[f]);
    }
    is_free = --order->obstacles == 0;
    if (is_free && order->begin != NULL)
        order->begin(order);
    pthread_mutex_unlock(&all.lock);
    return is_free;
}

void reap__graph_wait(struct reap__graph_node *order)
{
    lock();
    while (order->obstacles > 0)
        reap__condition_wait(&all.changed, &all.lock);
    pthread_mutex_unlock(&all.lock);
}

void reap__graph_leave(struct reap__graph_node *order)
{
    if (order->process != reap__process())
        return;
    lock();
    for (size_t p = 0; p < order->place_count; p++)
        give_up_place(&order->places[p]);
    pthread_mutex_unlock(&all.lock);
}

/* ---- Events -----------------------------------------------------------------------------------*/

void reap__graph_note_run(reap_event *event)
{
    lock();
    struct reap__event_waiter *follower = event->followers;
    event->followers = NULL;
    atomic_store_explicit(&event->is_queued, false, memory_order_release);
    for (struct reap__event_waiter *next; follower != NULL; follower = next) {
        next = follower->next;
        remove_obstacle(follower->of);
    }
    pthread_cond_broadcast(&all.changed);
    pthread_mutex_unlock(&all.lock);
}

bool reap__graph_wait_for_run(const reap_event *event)
{
    if (!atomic_load_explicit(&event->is_queued, memory_order_acquire))
        return true;
    if (event->process != reap__process())
        return false;
    lock();
    while (atomic_load_explicit(&event->is_queued, memory_order_relaxed))
        reap__condition_wait(&all.changed, &all.lock);
    pthread_mutex_unlock(&all.lock);
    return true;
}
