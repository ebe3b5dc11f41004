/* SPDX-License-Identifier: Apache-2.0
 *
 * If one thread launches, its launch calls the helpers by a single store: helpers that are awake
 * poll one variable for the address of a job. A helper that finds one writes it into its own state,
 * in a cache line of its own, and reads the variable again. The launch, when it ends, clears the
 * variable and then reads the states, and waits for each helper that has joined (as with hazard
 * pointers: Michael 2004). Helper h of a called job has the number h + 1, so that from launch to
 * launch it has the same part of the data, in its processor's caches.
 *
 * If several threads launch at a time, they share the helpers. A launch then assigns its job to
 * helpers that have none, by their states; when it ends, it withdraws the job from helpers that
 * have not joined.
 *
 * A launch wakes at most WAKES_EACH sleeping helpers, and each of them wakes as many more, since a
 * call that wakes a thread takes microseconds.
 *
 * A helper that has left a job polls for LONG_WATCH_NANOSECONDS after the last launch, or for
 * SHORT_WATCH_NANOSECONDS if the last shared launches were more than LONG_WATCH_NANOSECONDS apart.
 * Then it sleeps. After IDLE_SECONDS without work it ends: so a program ends whose main thread has
 * called pthread_exit.
 *
 * Launches that have invited helpers and helpers that have jobs are together at most the limit plus
 * one: if a program launches from as many threads as there are processors, each launch runs alone.
 * The launches that count are the most at a time in the current and the previous period, so that
 * helpers do not join in the moment between two launches of a thread. A helper stays to the end of
 * its job all the same. A helper without a job joins jobs that still want helpers, the newest
 * first.
 *
 * The pool has no task queues and steals no tasks: a job distributes its units itself. Threads are
 * not bound to single processors. They are never joined, so the library must never be unloaded
 * (pin.h).
 */
#include "src/host/pool.h"

#include "src/port/cancellation.h"
#include "src/port/cpu.h"
#include "src/port/sanitizer.h"
#include "src/port/thread.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>

enum {
    MOST_HELPERS = 1023,
    LONG_WATCH_NANOSECONDS = 100000,
    SHORT_WATCH_NANOSECONDS = 10000,
    MOST_WATCH_NANOSECONDS = 1000000, /* the longest that a helper polls while launches run */
    LOOK_NANOSECONDS = 5000,          /* between two reads of all helpers' states */
    CLOSE_NANOSECONDS = 60000,        /* launches that miss helpers and are this close wake them */
    PERIOD_NANOSECONDS = 100000,
    IDLE_SECONDS = 3,
    WAKES_EACH = 4, /* helpers that one thread wakes */
    LOOKS = 128     /* reads between two calls of sched_yield */
};

/* A helper's state is one of these, or the address of a job; with flags. */
enum { ABSENT = 0, AWAKE = 8, ASLEEP = 16 };
enum {
    INSIDE = 1,       /* it has joined the job */
    TO_WAKE = 2,      /* it was asleep, and is still to be signalled */
    LAUNCH_SLEEPS = 4 /* the launch sleeps until the helper leaves the job */
};
_Static_assert(_Alignof(struct reap__job) > (INSIDE | TO_WAKE | LAUNCH_SLEEPS),
               "a job's address leaves the flags free");

/* A launch assigns its job to a helper by a store with release order, under the pool's lock; the
 * helper joins with acquire and leaves with release, which the launch acquires. The helper becomes
 * ASLEEP under its own lock, so that a signal under that lock finds it waiting. When a launch
 * withdraws a job, the state becomes ASLEEP only if TO_WAKE is set, since then no thread has
 * signalled the helper. A helper that wakes for another reason sets its state to AWAKE. It becomes
 * ABSENT with release order; the launch that creates the next thread for this struct acquires that,
 * so the members pass from one thread to the other. */
struct helper {
    _Alignas(128) atomic_uintptr_t state;
    size_t number;     /* in a job that is assigned to it; written before the state */
    uint64_t sequence; /* of the last called job that it has joined; used by the helper only */
    pthread_mutex_t lock;
    pthread_cond_t wanted;
};

/* What a launch waits for: that a helper leaves the job. */
struct departure {
    struct helper *helper;
    const struct reap__job *job;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t left;    /* for sleeping launches: a helper has left its job */
    struct reap__job *jobs; /* jobs that have invited and not dismissed */
    size_t launching;       /* how many these are */
    size_t most_launching;  /* the most of them at a time, in this period */
    size_t most_before;     /* the same in the period before */
    uint64_t period_begin;
    bool were_apart; /* the last launch began more than LONG_WATCH_NANOSECONDS after the end of the
                        one before it */
    size_t limit;    /* of helpers; of helpers and launches together it is one more */
    bool spins;
    struct reap__affinity affinity; /* of helpers */

    uint64_t sequence; /* of the last called job */

    /* Hints: relaxed, read without the lock. The first two are written with it held. */
    atomic_size_t launches; /* the most at a time, in this period and the one before */
    atomic_size_t unmet;    /* helpers that jobs still want */
    _Atomic uint64_t watch_nanoseconds;
    _Atomic uint64_t end;  /* of the last launch */
    atomic_size_t sharing; /* launches that have invited and not dismissed */

    atomic_size_t awake; /* helpers that are not asleep; each counts itself */
    atomic_int caller;   /* the processor of the launch that last invited helpers, or would have */

    /* The last launch that would have used helpers that were not awake. */
    _Atomic uint64_t missed;
    _Atomic(const void *) missed_by; /* the address of a thread-local object of its thread */
} pool = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .left = PTHREAD_COND_INITIALIZER,
    .watch_nanoseconds = LONG_WATCH_NANOSECONDS,
};
static struct helper helpers[MOST_HELPERS];

/* The called job, in a cache line of its own. Helpers read `sequence` and `called` here as hints;
 * the members of the job decide whether they join. Written with the pool's lock held. */
static struct {
    _Alignas(128) _Atomic(struct reap__job *) job; /* NULL: none */
    _Atomic uint64_t sequence;
    atomic_size_t called;
    _Alignas(128) char end;
} call;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Initialises the helpers. They wait by the monotonic clock, which setting the time does not
 * change. */
static void make_helpers(void)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    for (size_t h = 0; h < pool.limit; h++) {
        atomic_init(&helpers[h].state, ABSENT);
        pthread_mutex_init(&helpers[h].lock, NULL);
        pthread_cond_init(&helpers[h].wanted, &attributes);
    }
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

/* The child process has no helpers and no launches yet. */
static void after_fork_in_child(void)
{
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.left, NULL);
    make_helpers();
    pool.jobs = NULL;
    pool.launching = pool.most_launching = pool.most_before = 0;
    atomic_init(&pool.launches, 0);
    atomic_init(&pool.unmet, 0);
    atomic_init(&pool.sharing, 0);
    atomic_init(&pool.awake, 0);
    atomic_init(&call.job, NULL);
}

static void handle_forks(void)
{
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

void reap__pool_configure(size_t limit, bool spins, const struct reap__affinity *affinity)
{
    pool.limit = limit < MOST_HELPERS ? limit : MOST_HELPERS;
    pool.spins = spins;
    pool.affinity = *affinity;
    make_helpers();
    pthread_once(&once, handle_forks);
}

static size_t get(atomic_size_t *hint)
{
    return atomic_load_explicit(hint, memory_order_relaxed);
}

static void add(atomic_size_t *hint, size_t count)
{
    atomic_fetch_add_explicit(hint, count, memory_order_relaxed);
}

static void subtract(atomic_size_t *hint, size_t count)
{
    atomic_fetch_sub_explicit(hint, count, memory_order_relaxed);
}

static uintptr_t look_at(const struct helper *helper)
{
    return atomic_load_explicit(&helper->state, memory_order_relaxed);
}

static struct reap__job *job_of(uintptr_t state)
{
    const uintptr_t flags = INSIDE | TO_WAKE | LAUNCH_SLEEPS, address = state & ~flags;
    struct reap__job *job = NULL;
    if (state > ASLEEP + flags)
        memcpy(&job, &address, sizeof job);
    return job;
}

/* The number of helpers that may get a job, besides those that have one. */
static size_t free_helpers(void)
{
    size_t busy = get(&pool.launches);
    for (size_t h = 0; h < pool.limit; h++)
        busy += job_of(look_at(&helpers[h])) != NULL;
    return busy < pool.limit + 1 ? pool.limit + 1 - busy : 0;
}

static size_t index_of(const struct helper *helper)
{
    return (size_t)(helper - helpers);
}

/* Whether a job that it has not joined yet calls the helper. */
static bool is_called(const struct helper *self)
{
    return atomic_load_explicit(&call.job, memory_order_relaxed) != NULL &&
           index_of(self) < get(&call.called) &&
           atomic_load_explicit(&call.sequence, memory_order_relaxed) != self->sequence;
}

static bool has_job(const void *data)
{
    const struct helper *self = data;
    return look_at(self) != AWAKE || is_called(self);
}

/* Whether a job is assigned to the helper or calls it, or a job wants more helpers. Reading all
 * states takes their cache lines from the helpers, so this is for moments when there is nothing
 * else to do. */
static bool is_wanted(const struct helper *self)
{
    return has_job(self) || (get(&pool.unmet) > 0 && free_helpers() > 0);
}

/* Polls a condition. Returns whether it became true within so many nanoseconds, or at once if the
 * pool does not spin. It yields now and then to other threads that want the processor, such as
 * those of OpenMP. */
static bool becomes_true(bool (*holds)(const void *data), const void *data, uint64_t nanoseconds)
{
    if (holds(data))
        return true;
    for (const uint64_t begin = reap__now(); pool.spins && reap__now() - begin < nanoseconds;
         sched_yield())
        for (int i = 0; i < LOOKS; i++) {
            reap__cpu_relax();
            if (holds(data))
                return true;
        }
    return false;
}

/* ---- Waking -----------------------------------------------------------------------------------*/

/* Once the lock has been taken, the helper waits, or has seen its new state. It is released before
 * the signal: otherwise the helper would wake and block on the lock. */
static void wake(struct helper *helper)
{
    pthread_mutex_lock(&helper->lock);
    pthread_mutex_unlock(&helper->lock);
    pthread_cond_signal(&helper->wanted);
}

/* Wakes some of the helpers that are to be woken; these wake the others. */
static void wake_some(void)
{
    int woken = 0;
    for (size_t h = 0; h < pool.limit && woken < WAKES_EACH; h++) {
        uintptr_t state = look_at(&helpers[h]);
        if ((state & TO_WAKE) != 0 && atomic_compare_exchange_strong_explicit(
                                          &helpers[h].state, &state, state & ~(uintptr_t)TO_WAKE,
                                          memory_order_relaxed, memory_order_relaxed)) {
            wake(&helpers[h]);
            woken++;
        }
    }
}

/* ---- Helpers ----------------------------------------------------------------------------------*/

/* Joins a job that still wants helpers; NULL: none does. */
static struct reap__job *join_another(struct helper *self)
{
    uintptr_t state = AWAKE;
    pthread_mutex_lock(&pool.lock);
    struct reap__job *job = free_helpers() > 0 ? pool.jobs : NULL;
    while (job != NULL && job->wanted == 0)
        job = job->next;
    if (job != NULL &&
        atomic_compare_exchange_strong_explicit(&self->state, &state, (uintptr_t)job | INSIDE,
                                                memory_order_acquire, memory_order_relaxed)) {
        self->number = ++job->numbered;
        job->wanted--;
        subtract(&pool.unmet, 1);
    } else {
        job = NULL;
    }
    pthread_mutex_unlock(&pool.lock);
    return job;
}

/* Leaves the job. After this the helper must not access it, since the launch may end. */
static void leave(struct helper *self)
{
    const uintptr_t state = atomic_exchange_explicit(&self->state, AWAKE, memory_order_release);
    if ((state & LAUNCH_SLEEPS) != 0) {
        pthread_mutex_lock(&pool.lock);
        pthread_cond_broadcast(&pool.left);
        pthread_mutex_unlock(&pool.lock);
    }
}

/* Joins the called job. Returns NULL if the variable has changed after the helper has written its
 * state: then the launch might not wait for it. */
static struct reap__job *join_called(struct helper *self)
{
    uintptr_t state = AWAKE;
    struct reap__job *job = atomic_load_explicit(&call.job, memory_order_acquire);
    if (job == NULL ||
        !atomic_compare_exchange_strong(&self->state, &state, (uintptr_t)job | INSIDE))
        return NULL;
    if (atomic_load(&call.job) == job && index_of(self) < job->called &&
        job->sequence != self->sequence) {
        self->sequence = job->sequence;
        return job;
    }
    leave(self);
    return NULL;
}

/* Joins the job that is assigned to the helper, the called one, or another that wants helpers;
 * NULL: none. */
static struct reap__job *join(struct helper *self)
{
    uintptr_t state = look_at(self);
    while (state != AWAKE) {
        struct reap__job *job = job_of(state);
        const uintptr_t next = job != NULL ? (uintptr_t)job | INSIDE : AWAKE;
        if (atomic_compare_exchange_weak_explicit(&self->state, &state, next, memory_order_acquire,
                                                  memory_order_relaxed)) {
            if (job != NULL)
                return job;
            break;
        }
    }
    if (is_called(self)) {
        struct reap__job *job = join_called(self);
        if (job != NULL)
            return job;
    }
    return get(&pool.unmet) > 0 && free_helpers() > 0 ? join_another(self) : NULL;
}

/* As soon as the helper has left, the launch can end and the job be gone. */
static void help(struct helper *self, struct reap__job *job)
{
    reap__tsan_note_acquire(&job->sequence);
    job->work(job, job->sequence > 0 ? index_of(self) + 1 : self->number);
    reap__tsan_note_release(job);
    leave(self);
}

/* Moves the helper away from the processor of the launch. Linux may wake it there although others
 * are idle: then it would get no time before the launch ends, or take the launch's. */
static void leave_caller(void)
{
    const int caller = atomic_load_explicit(&pool.caller, memory_order_relaxed);
    if (pool.spins && reap__affinity_current() == caller)
        reap__affinity_leave(&pool.affinity, caller);
}

/* Polls until the helper is wanted or has polled long enough, and returns whether it is wanted. The
 * time counts from the end of the last launch: a launch whose helpers have finished may still run,
 * and another may follow it. */
static bool watch(const struct helper *self)
{
    const uint64_t begin = reap__now(), last = begin + MOST_WATCH_NANOSECONDS;
    uint64_t now, until;
    do {
        if (is_wanted(self) || becomes_true(has_job, self, LOOK_NANOSECONDS))
            return true;
        leave_caller();
        const uint64_t length = atomic_load_explicit(&pool.watch_nanoseconds, memory_order_relaxed);
        now = reap__now();
        until =
            get(&pool.sharing) > 0 ? now : atomic_load_explicit(&pool.end, memory_order_relaxed);
        until = (until > begin ? until : begin) + length;
    } while (pool.spins && now < until && now < last);
    return is_wanted(self);
}

/* Closes the gap between the last poll and sleeping: a launch that calls now finds the helper
 * asleep, or the helper finds the call, since each writes what the other reads afterwards
 * (sequentially consistent). */
static void wake_if_called(struct helper *self)
{
    uintptr_t state = ASLEEP;
    if (atomic_load(&call.job) != NULL && is_called(self))
        atomic_compare_exchange_strong_explicit(&self->state, &state, AWAKE, memory_order_relaxed,
                                                memory_order_relaxed);
}

/* Sleeps. Returns false if the helper is to end, because it was not wanted for IDLE_SECONDS. */
static bool sleep_until_wanted(struct helper *self)
{
    uintptr_t state = AWAKE;
    struct timespec until;
    int error = 0;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += IDLE_SECONDS;
    pthread_mutex_lock(&self->lock);
    if (atomic_compare_exchange_strong(&self->state, &state, ASLEEP)) {
        atomic_fetch_sub(&pool.awake, 1);
        wake_if_called(self);
        while (error == 0 && look_at(self) == ASLEEP)
            error = pthread_cond_timedwait(&self->wanted, &self->lock, &until);
        state = ASLEEP;
        if (error != 0 &&
            atomic_compare_exchange_strong_explicit(&self->state, &state, ABSENT,
                                                    memory_order_release, memory_order_relaxed)) {
            pthread_mutex_unlock(&self->lock);
            return false;
        }
        pthread_mutex_unlock(&self->lock);
        leave_caller();
        add(&pool.awake, 1);
    } else {
        pthread_mutex_unlock(&self->lock);
    }
    wake_some();
    return true;
}

static void *run_helper(void *data)
{
    struct helper *self = data;
    struct reap__job *job;
    reap__cancellation_defer();
    reap__affinity_use(&pool.affinity);
    leave_caller();
    add(&pool.awake, 1);
    do {
        while ((job = join(self)) != NULL)
            help(self, job);
    } while (watch(self) || sleep_until_wanted(self));
    return NULL;
}

/* ---- Launches ---------------------------------------------------------------------------------*/

/* Updates the number of launches at a time. With the lock held. */
static void note_launches(uint64_t now)
{
    const uint64_t age = now > pool.period_begin ? now - pool.period_begin : 0;
    if (age >= PERIOD_NANOSECONDS) {
        pool.most_before = age < UINT64_C(2) * PERIOD_NANOSECONDS ? pool.most_launching : 0;
        pool.most_launching = 0;
        pool.period_begin = now;
    }
    if (pool.launching > pool.most_launching)
        pool.most_launching = pool.launching;
    atomic_store_explicit(&pool.launches,
                          pool.most_launching > pool.most_before ? pool.most_launching
                                                                 : pool.most_before,
                          memory_order_relaxed);
}

/* Chooses how long helpers poll. A single late launch does not change it. With the lock held. */
static void choose_watch(uint64_t now)
{
    const uint64_t end = atomic_load_explicit(&pool.end, memory_order_relaxed);
    const bool are_apart = now > end + LONG_WATCH_NANOSECONDS;
    atomic_store_explicit(&pool.watch_nanoseconds,
                          are_apart && pool.were_apart ? SHORT_WATCH_NANOSECONDS
                                                       : LONG_WATCH_NANOSECONDS,
                          memory_order_relaxed);
    pool.were_apart = are_apart;
}

/* Changes a helper's state from `state` to `next`, and creates its thread if it was ABSENT. Returns
 * false if the state was another, or without a thread. With the lock held. */
static bool change(struct helper *helper, uintptr_t state, uintptr_t next)
{
    if (!atomic_compare_exchange_strong_explicit(&helper->state, &state, next, memory_order_release,
                                                 memory_order_relaxed))
        return false;
    if (state != ABSENT)
        return true;
    if (reap__threads_start(1, run_helper, helper) == 1)
        return true;
    atomic_store_explicit(&helper->state, ABSENT, memory_order_release);
    return false;
}

/* Makes the first `count` helpers awake: creates those that are absent, and returns whether some
 * are to be woken by wake_some. With the lock held. */
static bool make_awake(size_t count)
{
    bool is_to_wake = false;
    for (size_t h = 0; h < count; h++) {
        const uintptr_t state = atomic_load_explicit(&helpers[h].state, memory_order_acquire);
        if (state == ASLEEP)
            is_to_wake |= change(&helpers[h], ASLEEP, AWAKE | TO_WAKE);
        else if (state == ABSENT && !change(&helpers[h], ABSENT, AWAKE))
            break;
    }
    return is_to_wake;
}

/* Calls the first `count` helpers to the job. With the lock held; releases it. */
static void call_helpers(struct reap__job *job, size_t count)
{
    job->called = count;
    job->sequence = ++pool.sequence;
    atomic_store_explicit(&call.called, count, memory_order_relaxed);
    atomic_store_explicit(&call.sequence, job->sequence, memory_order_relaxed);
    atomic_store(&call.job, job);
    const bool is_to_wake = atomic_load(&pool.awake) < pool.limit && make_awake(count);
    pthread_mutex_unlock(&pool.lock);
    if (is_to_wake)
        wake_some();
}

/* Assigns the job to helpers whose state is `state`, to as many as it wants, and at most to `most`.
 * Returns to how many. With the lock held. */
static size_t assign_to(struct reap__job *job, uintptr_t state, size_t most)
{
    size_t left = 0;
    const uintptr_t flag = state == ASLEEP ? TO_WAKE : state & TO_WAKE;
    for (size_t h = 0; left < most && job->wanted > 0 && h < pool.limit; h++) {
        if (atomic_load_explicit(&helpers[h].state, memory_order_acquire) != state)
            continue;
        helpers[h].number = job->numbered + 1;
        if (change(&helpers[h], state, (uintptr_t)job | flag)) {
            job->numbered++;
            job->wanted--;
            left++;
        } else if (state == ABSENT) {
            break; /* no thread can be created */
        }
    }
    return left;
}

/* Assigns the job to the helpers that are free. With the lock held; releases it. */
static void find_helpers(struct reap__job *job)
{
    const size_t most = free_helpers(), awake = assign_to(job, AWAKE, most);
    size_t left = awake;
    left += assign_to(job, AWAKE | TO_WAKE, most - left);
    left += assign_to(job, ASLEEP, most - left);
    const bool is_to_wake = left > awake;
    left += assign_to(job, ABSENT, most - left);
    subtract(&pool.unmet, left);
    pthread_mutex_unlock(&pool.lock);
    if (is_to_wake)
        wake_some();
}

void reap__pool_invite(struct reap__job *job, size_t count)
{
    const uint64_t now = reap__now();
    const size_t most = count < pool.limit ? count : pool.limit;
    reap__tsan_note_release(&job->sequence); /* by which helpers do not order each other */
    pthread_mutex_lock(&pool.lock);
    atomic_store_explicit(&pool.caller, reap__affinity_current(), memory_order_relaxed);
    job->sequence = 0;
    job->wanted = job->numbered = 0;
    job->next = pool.jobs;
    pool.jobs = job;
    pool.launching++;
    add(&pool.sharing, 1);
    note_launches(now);
    choose_watch(now);
    job->last_look = now;
    if (get(&pool.launches) == 1) {
        call_helpers(job, most);
        return;
    }
    job->wanted = most;
    add(&pool.unmet, most);
    find_helpers(job);
}

void reap__pool_remind(struct reap__job *job)
{
    if (get(&pool.unmet) == 0)
        return;
    const uint64_t now = reap__now();
    if (now - job->last_look < PERIOD_NANOSECONDS)
        return;
    job->last_look = now;
    pthread_mutex_lock(&pool.lock);
    note_launches(now);
    find_helpers(job);
}

/* Withdraws the job from a helper that has not joined it. With the lock held. */
static void withdraw(struct reap__job *job, struct helper *helper)
{
    uintptr_t state = look_at(helper);
    while (job_of(state) == job && (state & INSIDE) == 0)
        if (atomic_compare_exchange_weak_explicit(&helper->state, &state,
                                                  (state & TO_WAKE) != 0 ? ASLEEP : AWAKE,
                                                  memory_order_relaxed, memory_order_relaxed)) {
            job->numbered--;
            return;
        }
}

/* Sequentially consistent, as in join_called: the launch has written call.job and now reads the
 * state; the helper has written its state and then reads call.job. One of them sees the other. */
static bool has_left(const void *data)
{
    const struct departure *departure = data;
    return job_of(atomic_load(&departure->helper->state)) != departure->job;
}

static void wait_for(const struct departure *departure)
{
    if (becomes_true(has_left, departure, LONG_WATCH_NANOSECONDS))
        return;
    uintptr_t state = (uintptr_t)departure->job | INSIDE;
    pthread_mutex_lock(&pool.lock);
    atomic_compare_exchange_strong_explicit(&departure->helper->state, &state,
                                            state | LAUNCH_SLEEPS, memory_order_relaxed,
                                            memory_order_relaxed);
    while (!has_left(departure))
        reap__condition_wait(&pool.left, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
}

/* Ensures that no further helper joins the job. With the lock held. */
static void end_call(const struct reap__job *job)
{
    if (job->sequence > 0)
        atomic_store(&call.job, NULL);
    else
        for (size_t h = 0; h < pool.limit; h++)
            withdraw((struct reap__job *)job, &helpers[h]);
}

void reap__pool_dismiss(struct reap__job *job)
{
    pthread_mutex_lock(&pool.lock);
    pool.launching--;
    subtract(&pool.unmet, job->wanted);
    struct reap__job **link = &pool.jobs;
    while (*link != job)
        link = &(*link)->next;
    *link = job->next;
    end_call(job);
    atomic_store_explicit(&pool.end, reap__now(), memory_order_relaxed);
    subtract(&pool.sharing, 1);
    pthread_mutex_unlock(&pool.lock);
    /* Of all helpers: one that is not called may have written the job into its state. */
    for (size_t h = 0; h < pool.limit; h++)
        wait_for(&(struct departure){&helpers[h], job});
    reap__tsan_note_acquire(job);
}

/* ---- Hints ------------------------------------------------------------------------------------*/

size_t reap__pool_awake(void)
{
    if (get(&pool.launches) <= 1)
        return get(&pool.awake);
    size_t awake = 0;
    for (size_t h = 0; h < pool.limit; h++)
        awake += look_at(&helpers[h]) == AWAKE;
    return awake;
}

/* Wakes helpers after two such launches within CLOSE_NANOSECONDS on one thread. If several threads
 * launch, the processors are busy already. */
void reap__pool_miss(size_t count)
{
    static _Thread_local char own;
    const uint64_t now = reap__now();
    const uint64_t before = atomic_exchange_explicit(&pool.missed, now, memory_order_relaxed);
    const void *by = atomic_exchange_explicit(&pool.missed_by, &own, memory_order_relaxed);
    if (!pool.spins || by != &own || now - before > CLOSE_NANOSECONDS)
        return;
    atomic_store_explicit(&pool.caller, reap__affinity_current(), memory_order_relaxed);
    pthread_mutex_lock(&pool.lock);
    pool.were_apart = false;
    atomic_store_explicit(&pool.watch_nanoseconds, LONG_WATCH_NANOSECONDS, memory_order_relaxed);
    for (size_t h = 0; h < pool.limit && count > 0; h++) {
        const uintptr_t state = atomic_load_explicit(&helpers[h].state, memory_order_acquire);
        if (state == AWAKE || state == (AWAKE | TO_WAKE) ||
            (state == ASLEEP && change(&helpers[h], ASLEEP, AWAKE | TO_WAKE)) ||
            (state == ABSENT && change(&helpers[h], ABSENT, AWAKE)))
            count--;
    }
    pthread_mutex_unlock(&pool.lock);
    wake_some();
}
