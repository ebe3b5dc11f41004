/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches whose threads hand memory to each other in every way that the library has, for the
 * thread sanitizer; the library itself is compiled without it. All is correct: `threads race` has
 * items that write one variable.
 */
#include "tests/sanitizers/threads.kernels.h"

#include <pthread.h>
#include <reap/reap.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { LAUNCHES = 20, FEW = 512, MANY = 50000, BINS = 16, THREADS = 4 };

static void must(int holds)
{
    if (!holds)
        abort();
}

static float *make(size_t count)
{
    float *x = calloc(count, sizeof *x);
    must(x != NULL);
    for (size_t i = 0; i < count; i++)
        x[i] = (float)(i % BINS);
    return x;
}

static void reduce(reap_queue *queue, float *x, size_t count)
{
    double sum = 0;
    float most = 0;
    uint64_t at = 0;
    uint32_t bins[BINS] = {0};
    must(reap_parallel_for(queue, add_up, reap_range_1d(count), .x = x,
                           .sum = {.variable = &sum}) == REAP_OK);
    must(reap_parallel_for(queue, find_most, reap_range_1d(count), .x = x,
                           .most = {.variable = &most, .location = &at}) == REAP_OK);
    must(reap_parallel_for(queue, count_values, reap_range_1d(count), .x = x,
                           .bins = {.variable = bins, .count = BINS}) == REAP_OK);
    must(reap_queue_wait(queue) == REAP_OK);
    must(sum > 0 && most == BINS - 1 && bins[0] == (count + BINS - 1) / BINS);
}

static void use_queue(const reap_queue_options *options, size_t count)
{
    reap_queue *queue;
    must(reap_queue_create(NULL, options, &queue) == REAP_OK);
    for (int l = 0; l < LAUNCHES; l++) {
        float *x = make(count);
        reduce(queue, x, count);
        free(x);
    }
    reap_queue_release(queue);
}

static void *use_own_queues(void *unused)
{
    use_queue(NULL, FEW);
    use_queue(NULL, MANY);
    use_queue(&(const reap_queue_options){.asynchronous = true}, FEW);
    use_queue(&(const reap_queue_options){.asynchronous = true}, MANY);
    use_queue(&(const reap_queue_options){.out_of_order = true}, FEW);
    return unused;
}

static void add_to_count(void *count, reap_status status, const char *message)
{
    (void)message;
    if (status == REAP_OK)
        atomic_fetch_add((atomic_int *)count, 1);
}

/* A command of one queue that waits for one of another, and a callback. */
static void use_events(void)
{
    static atomic_int count;
    const reap_queue_options options = {.asynchronous = true, .out_of_order = true};
    reap_queue *first, *second;
    must(reap_queue_create(NULL, &options, &first) == REAP_OK);
    must(reap_queue_create(NULL, &options, &second) == REAP_OK);
    for (int l = 0; l < LAUNCHES; l++) {
        float *x = make(MANY);
        double sum = 0;
        reap_event *doubled, *added;
        must(reap_parallel_for(first, double_each, reap_range_1d(MANY), .x = x,
                               .launch.event = &doubled) == REAP_OK);
        must(reap_parallel_for(second, add_up, reap_range_1d(MANY), .x = x,
                               .sum = {.variable = &sum}, .launch.wait_for = &doubled,
                               .launch.wait_for_count = 1, .launch.event = &added) == REAP_OK);
        must(reap_event_set_callback(added, add_to_count, &count) == REAP_OK);
        must(reap_event_wait(added) == REAP_OK && sum > 0);
        reap_event_release(doubled);
        reap_event_release(added);
        must(reap_queue_wait(second) == REAP_OK);
        free(x);
    }
    reap_queue_release(first);
    reap_queue_release(second);
}

/* A queue that threads share. */
static void *use_shared_queue(void *queue)
{
    for (int l = 0; l < LAUNCHES; l++) {
        float *x = make(FEW);
        reduce(queue, x, FEW);
        free(x);
    }
    return NULL;
}

static void start_all(void *(*work)(void *), void *data)
{
    pthread_t threads[THREADS];
    for (int t = 0; t < THREADS; t++)
        must(pthread_create(&threads[t], NULL, work, data) == 0);
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
}

static void race(void)
{
    reap_queue *queue;
    enum { COUNT = 1 << 20 }; /* enough for several threads */
    float *x = make(COUNT), last;
    must(reap_queue_create(NULL, NULL, &queue) == REAP_OK);
    for (int l = 0; l < LAUNCHES; l++)
        must(reap_parallel_for(queue, keep_last, reap_range_1d(COUNT), .x = x, .last = &last) ==
             REAP_OK);
    reap_queue_release(queue);
    free(x);
}

int main(int count, char **arguments)
{
    reap_queue *shared;
    if (count > 1 && strcmp(arguments[1], "race") == 0) {
        race();
        return 0;
    }
    use_own_queues(NULL);
    use_events();
    start_all(use_own_queues, NULL);
    must(reap_queue_create(NULL, NULL, &shared) == REAP_OK);
    start_all(use_shared_queue, shared);
    reap_queue_release(shared);
    return 0;
}
