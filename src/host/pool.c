/* SPDX-License-Identifier: Apache-2.0
 *
 * One list of jobs, one lock, two conditions. A helper that leaves a job looks for the next one,
 * then watches without the lock whether a helper is wanted, for SPIN_NANOSECONDS, then sleeps. A
 * launch does the same while it waits for its last helpers.
 *
 * It stays small by what it does not do: there are no queues of tasks and no stealing (a job hands
 * out its parts by itself, from a counter), and no thread is bound to a processor. Threads are
 * never joined; the library is never unloaded (it is linked with nodelete).
 */
#include "src/host/pool.h"

#include "src/port/cpu.h"

#include <pthread.h>
#include <signal.h>

enum { SPIN_NANOSECONDS = 10000 };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t invited; /* for helpers: some job wants one */
    pthread_cond_t left;    /* for launches: some job's last helper has left */
    struct reap__job *jobs; /* those that have invited and not dismissed */
    size_t sleeping;        /* helpers */
    size_t limit;           /* of threads */
    size_t threads;
    bool spins;
    atomic_size_t wanted; /* by all jobs; relaxed: a hint for helpers that watch */
} pool = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .invited = PTHREAD_COND_INITIALIZER,
    .left = PTHREAD_COND_INITIALIZER,
};

static void before_fork(void)
{
    pthread_mutex_lock(&pool.lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&pool.lock);
}

/* The child has no helpers, and no launch but its own to come. */
static void after_fork_in_child(void)
{
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.invited, NULL);
    pthread_cond_init(&pool.left, NULL);
    pool.jobs = NULL;
    pool.sleeping = 0;
    pool.threads = 0;
    atomic_store_explicit(&pool.wanted, 0, memory_order_relaxed);
}

void reap__pool_configure(size_t helpers, bool spins)
{
    pool.limit = helpers;
    pool.spins = spins;
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

/* With the lock held. */
static void set_wanted(struct reap__job *job, size_t wanted)
{
    const size_t total = atomic_load_explicit(&pool.wanted, memory_order_relaxed);
    atomic_store_explicit(&pool.wanted, total + wanted - job->wanted, memory_order_relaxed);
    job->wanted = wanted;
}

static void spin_while(bool (*goes_on)(const struct reap__job *), const struct reap__job *job)
{
    if (!pool.spins)
        return;
    for (const uint64_t begin = reap__now();
         goes_on(job) && reap__now() - begin < SPIN_NANOSECONDS;)
        for (int i = 0; i < 8; i++)
            reap__cpu_relax();
}

static bool nobody_wanted(const struct reap__job *job)
{
    (void)job;
    return atomic_load_explicit(&pool.wanted, memory_order_relaxed) == 0;
}

static bool somebody_inside(const struct reap__job *job)
{
    return atomic_load_explicit(&job->inside, memory_order_acquire) > 0;
}

static struct reap__job *find_job(void)
{
    struct reap__job *job = pool.jobs;
    while (job != NULL && job->wanted == 0)
        job = job->next;
    return job;
}

/* With the lock held, which it gives up while it works. The launch may go on, and the job be gone,
 * as soon as nobody is inside. */
static void help(struct reap__job *job)
{
    set_wanted(job, job->wanted - 1);
    const size_t number = ++job->joined;
    atomic_fetch_add_explicit(&job->inside, 1, memory_order_relaxed);
    pthread_mutex_unlock(&pool.lock);
    job->work(job, number);
    pthread_mutex_lock(&pool.lock);
    if (atomic_fetch_sub_explicit(&job->inside, 1, memory_order_release) == 1)
        pthread_cond_broadcast(&pool.left);
}

static void wait_for_job(void)
{
    pthread_mutex_unlock(&pool.lock);
    spin_while(nobody_wanted, NULL);
    pthread_mutex_lock(&pool.lock);
    pool.sleeping++;
    while (find_job() == NULL)
        pthread_cond_wait(&pool.invited, &pool.lock);
    pool.sleeping--;
}

static void *helper(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        struct reap__job *job = find_job();
        if (job != NULL)
            help(job);
        else
            wait_for_job();
    }
    return NULL;
}

/* With the lock held: makes threads until there are `count`, with all signals blocked, since
 * signals are the program's affair. */
static void make_threads(size_t count)
{
    sigset_t all, before;
    pthread_attr_t attributes;
    pthread_t thread;
    if (pool.threads >= count || pthread_attr_init(&attributes) != 0)
        return;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool.threads < count && pthread_create(&thread, &attributes, helper, NULL) == 0)
        pool.threads++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

void reap__pool_invite(struct reap__job *job, size_t helpers)
{
    pthread_mutex_lock(&pool.lock);
    const size_t count = helpers < pool.limit ? helpers : pool.limit;
    job->wanted = 0;
    job->joined = 0;
    atomic_store_explicit(&job->inside, 0, memory_order_relaxed);
    set_wanted(job, count);
    job->next = pool.jobs;
    pool.jobs = job;
    make_threads(count);
    const size_t to_wake = pool.sleeping;
    pthread_mutex_unlock(&pool.lock);
    if (count >= to_wake && to_wake > 1)
        pthread_cond_broadcast(&pool.invited);
    else
        for (size_t i = 0; i < count && i < to_wake; i++)
            pthread_cond_signal(&pool.invited);
}

void reap__pool_dismiss(struct reap__job *job)
{
    pthread_mutex_lock(&pool.lock);
    set_wanted(job, 0);
    struct reap__job **link = &pool.jobs;
    while (*link != job)
        link = &(*link)->next;
    *link = job->next;
    pthread_mutex_unlock(&pool.lock);

    spin_while(somebody_inside, job);
    if (!somebody_inside(job))
        return;
    pthread_mutex_lock(&pool.lock);
    while (somebody_inside(job))
        pthread_cond_wait(&pool.left, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
}
