/* SPDX-License-Identifier: Apache-2.0
 *
 * Queues. Unless the queue is asynchronous (async_submit.c), a command runs on the thread that
 * launches it. So an in-order queue is a lock, and a wait locks it once. Out-of-order and
 * asynchronous queues count their commands; an asynchronous in-order queue orders them by its wait
 * list (dependency_graph.h). A thread that holds `order` may lock `lock`, never the reverse.
 */
#include "src/queue/queue.h"

#include "src/core/allocate.h"
#include "src/core/backend.h"
#include "src/core/config.h"
#include "src/memory/usm.h"
#include "src/port/cancellation.h"
#include "src/port/sanitizer.h"
#include "src/queue/event.h"
#include "src/queue/executor.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

enum { ADOPTING = 1 << 30 };

static void make_locks(reap_queue *queue)
{
    reap__parking_mutex_init(&queue->order);
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->drains, NULL);
    queue->in_generation[0] = queue->in_generation[1] = 0;
    atomic_store_explicit(&queue->running, 0, memory_order_relaxed);
    atomic_store_explicit(&queue->process, reap__fork_generation(), memory_order_release);
}

/* While a thread makes them, `process` is the child's with ADOPTING added; no lock guards that, for
 * it might be held while the child forks in its turn. */
void reap__queue_adopt_from(reap_queue *queue, unsigned found)
{
    const unsigned mine = reap__fork_generation();
    while (found != mine) {
        if (found != (mine | ADOPTING) &&
            atomic_compare_exchange_strong(&queue->process, &found, mine | ADOPTING)) {
            make_locks(queue);
            return;
        }
        sched_yield();
        found = atomic_load_explicit(&queue->process, memory_order_acquire);
    }
}

/* A program for a later version may ask for what this one does not have. */
static reap_status check_options(const reap_queue_options *options)
{
    const size_t count = sizeof options->reserved / sizeof *options->reserved;
    for (size_t i = 0; options != NULL && i < count; i++)
        if (options->reserved[i] != 0)
            return reap__fail(
                REAP_ERROR_INVALID_ARGUMENT,
                "reap_queue_create: an option is set that this version of Reap does not have");
    return REAP_OK;
}

reap_status reap_queue_create(const reap_device *device, const reap_queue_options *options,
                              reap_queue **queue)
{
    if (queue == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_queue_create: the pointer is NULL");
    REAP_TRY(check_options(options));
    if (device == NULL)
        REAP_TRY(reap_device_default(&device));
    const struct reap__config *config;
    REAP_TRY(reap__config_get(&config));
    reap_queue *made = reap__allocate(sizeof *made);
    struct reap__error_report *const report = made != NULL ? reap__error_report_create() : NULL;
    if (report == NULL) {
        reap__free(made);
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for a queue");
    }
    memset(made, 0, sizeof *made);
    made->report = report;
    made->device = device;
    if (options != NULL)
        made->options = *options;
    made->has_timelines = device->functions->allocate != NULL;
    made->is_counted = made->options.out_of_order || made->options.asynchronous;
    made->is_checked = config->is_checked;
    made->is_blocking = !made->options.asynchronous && device->functions->allocate == NULL;
    made->runs_prepared =
        device->functions->run_prepared != NULL && !made->is_counted && !made->is_checked;
    make_locks(made);
    *queue = made;
    return REAP_OK;
}

/* Two functions of such a queue, with the lock held. All generations before this one have
 * drained. */
static size_t drained(const reap_queue *queue)
{
    return queue->generation - (queue->in_generation[(queue->generation - 1) % 2] > 0);
}

static void wait_for_commands(reap_queue *queue)
{
    const size_t next = queue->generation + 1;
    while (drained(queue) < next)
        if (drained(queue) == queue->generation)
            queue->generation++;
        else
            reap__condition_wait(&queue->drains, &queue->lock);
}

/* Waits for the commands that were launched before. */
static void wait_until_done(reap_queue *queue)
{
    reap__queue_adopt(queue);
    if (!queue->is_counted) {
        if (reap__parking_mutex_is_free(&queue->order))
            return;
        reap__parking_mutex_lock(&queue->order);
        reap__parking_mutex_unlock(&queue->order);
    } else if (atomic_load_explicit(&queue->running, memory_order_acquire) > 0) {
        pthread_mutex_lock(&queue->lock);
        wait_for_commands(queue);
        pthread_mutex_unlock(&queue->lock);
    } else {
        reap__tsan_note_acquire(&queue->running);
    }
}

static reap_status take_error(reap_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    reap_status status = (reap_status)atomic_load_explicit(&queue->error, memory_order_relaxed);
    if (status != REAP_OK)
        status = reap__fail(status, "%s", queue->message);
    atomic_store_explicit(&queue->error, REAP_OK, memory_order_relaxed);
    reap__error_report_deliver(queue->report);
    pthread_mutex_unlock(&queue->lock);
    return status;
}

/* Returns the error of copying shared memory back to the host. */
static reap_status wait_for_all(reap_queue *queue)
{
    reap__executor_run_all_stranded();
    wait_until_done(queue);
    if (queue->device->functions->wait != NULL)
        queue->device->functions->wait(queue->device);
    return reap__usm_migrate_to_host(queue->device);
}

reap_status reap_queue_wait_for_variable(reap_queue *queue, const void *memory, size_t bytes)
{
    const reap_device *const device = queue->device;
    if (queue->is_blocking || queue->options.out_of_order)
        return REAP_OK;
    reap__executor_run_all_stranded();
    wait_until_done(queue);
    return device->functions->settle != NULL ? device->functions->settle(device, memory, bytes)
                                             : REAP_OK;
}

void reap_queue_release(reap_queue *queue)
{
    if (queue == NULL)
        return;
    wait_for_all(queue);
    pthread_mutex_lock(&queue->lock); /* which a thread of the library may be about to leave */
    pthread_mutex_unlock(&queue->lock);
    reap__parking_mutex_destroy(&queue->order);
    pthread_mutex_destroy(&queue->lock);
    pthread_cond_destroy(&queue->drains);
    reap__error_report_release(queue->report);
    reap__free(queue);
}

reap_status reap_queue_wait(reap_queue *queue)
{
    if (queue == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_queue_wait: the queue is NULL");
    const reap_status home = wait_for_all(queue);
    if (atomic_load_explicit(&queue->error, memory_order_acquire) == REAP_OK)
        return home;
    return take_error(queue);
}

const reap_device *reap_queue_device(const reap_queue *queue)
{
    return queue->device;
}

bool reap_queue_is_blocking(const reap_queue *queue)
{
    return queue->is_blocking;
}

/* With the lock held. */
static void change_running(reap_queue *queue, size_t change)
{
    const size_t running = atomic_load_explicit(&queue->running, memory_order_relaxed) + change;
    reap__tsan_note_release(&queue->running);
    atomic_store_explicit(&queue->running, running, memory_order_release);
}

size_t reap__queue_enter_counted(reap_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    const size_t generation = queue->generation;
    queue->in_generation[generation % 2]++;
    change_running(queue, 1);
    pthread_mutex_unlock(&queue->lock);
    return generation;
}

void reap__queue_leave_counted(reap_queue *queue, size_t generation)
{
    pthread_mutex_lock(&queue->lock);
    queue->in_generation[generation % 2]--;
    change_running(queue, (size_t)-1);
    if (generation < queue->generation && drained(queue) == queue->generation)
        pthread_cond_broadcast(&queue->drains);
    pthread_mutex_unlock(&queue->lock);
}

struct reap__error_notice reap__queue_note(reap_queue *queue, reap_status status, reap_event *event)
{
    reap__queue_adopt(queue);
    pthread_mutex_lock(&queue->lock);
    if (atomic_load_explicit(&queue->error, memory_order_relaxed) == REAP_OK) {
        snprintf(queue->message, sizeof queue->message, "%s", reap_last_error());
        atomic_store_explicit(&queue->error, (int)status, memory_order_release);
    }
    const struct reap__error_notice notice = reap__error_report_next(queue->report);
    if (event != NULL) {
        event->notice = notice;
        reap__error_report_retain(notice.report);
    }
    pthread_mutex_unlock(&queue->lock);
    if (queue->options.on_error != NULL) {
        reap__cancellation_defer();
        queue->options.on_error(queue->options.on_error_context, status, reap_last_error());
        reap__cancellation_allow();
    }
    return notice;
}
