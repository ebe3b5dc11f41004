/* SPDX-License-Identifier: Apache-2.0
 *
 * Short jobs from several threads, one after the other, with pauses in which helpers fall asleep:
 * each helper of a job has a number of its own, all parts of a job are done once, and a job that
 * has been dismissed is not touched any more.
 */
#include "tests/support/check.h"

#include "src/host/pool.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

enum { HELPERS = 5, LAUNCHERS = 3, JOBS = 4000, PARTS = 64 };

struct counted {
    struct reap__job job; /* first */
    size_t most;          /* helpers */
    atomic_size_t next;
    atomic_size_t seen[HELPERS + 1];
    size_t done[PARTS]; /* each by the thread that took the part; read when all have left */
};

static atomic_size_t mistakes, helped;

static void work(struct reap__job *job, size_t helper)
{
    struct counted *counted = (struct counted *)job;
    if (helper > counted->most || atomic_fetch_add(&counted->seen[helper], 1) > 0)
        atomic_fetch_add(&mistakes, 1);
    for (size_t part; (part = atomic_fetch_add(&counted->next, 1)) < PARTS;)
        counted->done[part]++;
}

static void run_job(size_t helpers)
{
    struct counted counted;
    memset(&counted, 0, sizeof counted);
    counted.job.work = work;
    counted.most = helpers;
    reap__pool_invite(&counted.job, helpers);
    work(&counted.job, 0);
    reap__pool_remind(&counted.job);
    reap__pool_dismiss(&counted.job);
    size_t seen = 0;
    for (size_t h = 1; h <= HELPERS; h++)
        seen += atomic_load(&counted.seen[h]);
    for (size_t part = 0; part < PARTS; part++)
        if (counted.done[part] != 1)
            atomic_fetch_add(&mistakes, 1);
    if (seen > helpers)
        atomic_fetch_add(&mistakes, 1);
    atomic_fetch_add(&helped, seen);
    memset(&counted, 0xff, sizeof counted); /* what reads it now does not go unnoticed */
    __asm__ volatile("" : : "r"(&counted) : "memory");
}

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static void *launch(void *data)
{
    uint32_t state = (uint32_t)(size_t)data * 2654435761u + 1;
    for (int i = 0; i < JOBS; i++) {
        const uint32_t choice = next_random(&state) % 64;
        if (choice == 0)
            nanosleep(&(struct timespec){0, 200000}, NULL);
        else if (choice < 4)
            reap__pool_miss(1 + choice);
        else
            run_job(1 + next_random(&state) % HELPERS);
    }
    return NULL;
}

static void run(size_t launchers, uint64_t seed)
{
    pthread_t threads[LAUNCHERS];
    for (size_t t = 0; t < launchers; t++)
        CHECK_EQ(pthread_create(&threads[t], NULL, launch, (void *)(size_t)(seed % 1000000 + t)),
                 0);
    for (size_t t = 0; t < launchers; t++)
        CHECK_EQ(pthread_join(threads[t], NULL), 0);
    CHECK_EQ(atomic_load(&mistakes), 0);
}

/* Launches that would have been worth helpers, close to each other, find them awake after some
 * time. */
static void expect_awake(void)
{
    size_t awake = 0;
    for (int i = 0; i < 1000000 && awake == 0; i++) {
        reap__pool_miss(1);
        awake = reap__pool_awake();
    }
    CHECK_GT(awake, 0);
}

int main(void)
{
    struct reap__affinity affinity;
    reap__affinity_find(&affinity);
    reap__pool_configure(HELPERS, true, &affinity);
    const uint64_t seed = check_seed();
    expect_awake();
    run(1, seed);
    run(LAUNCHERS, seed + 1);
    CHECK_GT(atomic_load(&helped), 0);
    return check_finish();
}
