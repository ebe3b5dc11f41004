/* SPDX-License-Identifier: Apache-2.0
 *
 * One list of jobs, one lock, two conditions. A helper that leaves a job looks for the next one,
 * then watches without the lock whether a helper is wanted, for SPIN_NANOSECONDS, then sleeps, and
 * ends when nobody has been invited for IDLE_SECONDS: so a program ends whose main thread has
 * left by pthread_exit. A launch watches and sleeps likewise while it waits for its last helpers.
 *
 * Launches that have invited and helpers at work are together no more than the limit: where a
 * program launches from as many threads as there are processors, each launch keeps to its own.
 * What counts is the most launches at a time of late, so that the moment between two launches of a
 * thread makes no room. A helper at work stays to the end of its job all the same.
 *
 * It stays small by what it does not do: there are no queues of tasks and no stealing (a job hands
 * out its parts by itself, from a counter), and no thread is bound to one processor. Threads are
 * never joined; so the library must never be unloaded (pin.h).
 */
#include "src/host/pool.h"

#include "src/port/cancellation.h"
#include "src/port/cpu.h"
#include "src/port/sanitizer.h"
#include "src/port/thread.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>

enum { SPIN_NANOSECONDS = 10000, PERIOD_NANOSECONDS = 100000, IDLE_SECONDS = 3 };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t invited; /* for helpers: some job wants one */
    pthread_cond_t left;    /* for launches: some job's last helper has left */
    struct reap__job *jobs; /* those that have invited and not dismissed */
    size_t launching;       /* the number of these jobs */
    size_t most_launching;  /* at a time, in this period */
    size_t most_before;     /* in the one before */
    uint64_t period_begin;
    atomic_size_t wanted; /* helpers, by all of them; read without the lock, too: a hint */
    size_t helping;       /* helpers at work */
    size_t sleeping;      /* helpers */
    size_t limit;         /* of helpers, and with one more of helpers and launches at a time */
    size_t threads;
    bool spins;
    struct reap__affinity affinity; /* of helpers */
    atomic_size_t vacant; /* what vacancies() gives; relaxed: a hint, read without the lock */
} pool = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .left = PTHREAD_COND_INITIALIZER,
};
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Helpers wait by a clock that nobody sets. */
static void make_invited(void)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&pool.invited, &attributes);
    pthread_condattr_destroy(&attributes);
}

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
    make_invited();
    pthread_cond_init(&pool.left, NULL);
    pool.jobs = NULL;
    pool.launching = pool.most_launching = pool.most_before = 0;
    pool.wanted = pool.helping = pool.sleeping = pool.threads = 0;
    atomic_store_explicit(&pool.vacant, 0, memory_order_relaxed);
}

static void prepare(void)
{
    make_invited();
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

void reap__pool_configure(size_t helpers, bool spins, const struct reap__affinity *affinity)
{
    pool.limit = helpers;
    pool.spins = spins;
    pool.affinity = *affinity;
}

/* With the lock held. */
static void note_launches(void)
{
    const uint64_t now = reap__now(), age = now - pool.period_begin;
    if (age >= PERIOD_NANOSECONDS) {
        pool.most_before = age < UINT64_C(2) * PERIOD_NANOSECONDS ? pool.most_launching : 0;
        pool.most_launching = 0;
        pool.period_begin = now;
    }
    if (pool.launching > pool.most_launching)
        pool.most_launching = pool.launching;
}

/* How many helpers may join now. With the lock held. */
static size_t vacancies(void)
{
    const size_t launches =
        pool.most_launching > pool.most_before ? pool.most_launching : pool.most_before;
    const size_t busy = launches + pool.helping, most = pool.limit + 1;
    const size_t room = busy < most ? most - busy : 0, wanted = pool.wanted;
    return room < wanted ? room : wanted;
}

/* After each change to what vacancies() looks at. With the lock held. */
static void note_vacancies(void)
{
    atomic_store_explicit(&pool.vacant, vacancies(), memory_order_relaxed);
}

static void spin_while(bool (*goes_on)(const struct reap__job *), const struct reap__job *job)
{
    if (!pool.spins)
        return;
    for (const uint64_t begin = reap__now();
         goes_on(job) && reap__now() - begin < SPIN_NANOSECONDS;)
        sched_yield(); /* another thread that wants the processor gets it, an OpenMP one's say */
}

static bool nobody_wanted(const struct reap__job *job)
{
    (void)job;
    return atomic_load_explicit(&pool.vacant, memory_order_relaxed) == 0;
}

static bool somebody_inside(const struct reap__job *job)
{
    return atomic_load_explicit(&job->inside, memory_order_acquire) > 0;
}

static struct reap__job *find_job(void)
{
    struct reap__job *job = vacancies() > 0 ? pool.jobs : NULL;
    while (job != NULL && job->wanted == 0)
        job = job->next;
    return job;
}

/* With the lock held, which it gives up while it works. The launch may go on, and the job be gone,
 * as soon as nobody is inside. */
static void help(struct reap__job *job)
{
    job->wanted--;
    pool.wanted--;
    pool.helping++;
    note_vacancies();
    const size_t number = ++job->joined;
    atomic_fetch_add_explicit(&job->inside, 1, memory_order_relaxed);
    pthread_mutex_unlock(&pool.lock);
    job->work(job, number);
    reap__tsan_note_release(job);
    pthread_mutex_lock(&pool.lock);
    pool.helping--;
    note_vacancies();
    if (atomic_fetch_sub_explicit(&job->inside, 1, memory_order_release) == 1)
        pthread_cond_broadcast(&pool.left);
}

/* With the lock held. Whether an invitation ended the sleep. */
static bool sleep_until_invited(void)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += IDLE_SECONDS;
    pool.sleeping++;
    const int error = pthread_cond_timedwait(&pool.invited, &pool.lock, &until);
    pool.sleeping--;
    return error != ETIMEDOUT;
}

/* With the lock held, which it gives up while it waits. NULL: none has come for long. */
static struct reap__job *wait_for_job(void)
{
    pthread_mutex_unlock(&pool.lock);
    spin_while(nobody_wanted, NULL);
    pthread_mutex_lock(&pool.lock);
    struct reap__job *job = find_job();
    for (bool invited = true; job == NULL && invited; job = find_job())
        invited = sleep_until_invited();
    return job;
}

static void *helper(void *unused)
{
    (void)unused;
    reap__cancellation_defer();
    reap__affinity_use(&pool.affinity);
    pthread_mutex_lock(&pool.lock);
    struct reap__job *job = find_job();
    while (job != NULL || (job = wait_for_job()) != NULL) {
        help(job);
        job = find_job();
    }
    pool.threads--;
    pthread_mutex_unlock(&pool.lock);
    return NULL;
}

/* With the lock held, which it gives up: wakes or makes helpers for the vacancies. */
static void fill_vacancies(void)
{
    const size_t count = vacancies(), needed = pool.helping + count, to_wake = pool.sleeping;
    if (pool.threads < needed)
        pool.threads += reap__threads_start(needed - pool.threads, helper);
    pthread_mutex_unlock(&pool.lock);
    if (count >= to_wake && to_wake > 1)
        pthread_cond_broadcast(&pool.invited);
    else
        for (size_t i = 0; i < count && i < to_wake; i++)
            pthread_cond_signal(&pool.invited);
}

void reap__pool_invite(struct reap__job *job, size_t helpers)
{
    pthread_once(&once, prepare);
    pthread_mutex_lock(&pool.lock);
    job->wanted = helpers < pool.limit ? helpers : pool.limit;
    job->joined = 0;
    atomic_store_explicit(&job->inside, 0, memory_order_relaxed);
    job->next = pool.jobs;
    pool.jobs = job;
    pool.launching++;
    pool.wanted += job->wanted;
    note_launches();
    note_vacancies();
    job->last_look = pool.period_begin;
    fill_vacancies();
}

void reap__pool_remind(struct reap__job *job)
{
    if (atomic_load_explicit(&pool.wanted, memory_order_relaxed) == 0)
        return;
    const uint64_t now = reap__now();
    if (now - job->last_look < PERIOD_NANOSECONDS)
        return;
    job->last_look = now;
    pthread_mutex_lock(&pool.lock);
    note_launches();
    note_vacancies();
    fill_vacancies();
}

size_t reap__pool_dismiss(struct reap__job *job)
{
    pthread_mutex_lock(&pool.lock);
    pool.launching--;
    pool.wanted -= job->wanted;
    note_vacancies();
    struct reap__job **link = &pool.jobs;
    while (*link != job)
        link = &(*link)->next;
    *link = job->next;
    const size_t joined = job->joined;
    pthread_mutex_unlock(&pool.lock);

    spin_while(somebody_inside, job);
    if (somebody_inside(job)) {
        pthread_mutex_lock(&pool.lock);
        while (somebody_inside(job))
            reap__condition_wait(&pool.left, &pool.lock);
        pthread_mutex_unlock(&pool.lock);
    }
    reap__tsan_note_acquire(job);
    return joined;
}
