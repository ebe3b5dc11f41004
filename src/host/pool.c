/* SPDX-License-Identifier: Apache-2.0
 *
 * Where one thread launches, a launch calls its helpers by a single store: helpers that are awake
 * watch one word for the address of a job. A helper that sees one notes it in its own state, in a
 * cache line of its own, and looks at the word again: the launch, which clears the word before it
 * looks at the states, then waits for each helper that has come in time (as with hazard pointers:
 * Michael 2004). Helper h of a called job has the number h + 1, so that it finds its part of the
 * data in its processor's caches.
 *
 * Where several threads launch at a time, a launch shares the helpers with the others: it leaves
 * its job in the states of those that are free, and when it ends takes it back from helpers that
 * have not joined.
 *
 * A launch wakes at most WAKES_EACH sleeping helpers, and each of them wakes as many more, since a
 * call that wakes a thread takes microseconds.
 *
 * A helper that leaves a job watches on for LONG_WATCH_NANOSECONDS, or for SHORT_WATCH_NANOSECONDS
 * where the last shared launches came further apart than that, then sleeps, and ends when it has
 * not been wanted for IDLE_SECONDS: so a program ends whose main thread has left by pthread_exit.
 *
 * Launches that have invited and helpers at work are together no more than the limit: where a
 * program launches from as many threads as there are processors, each launch keeps to its own.
 * What counts is the most launches at a time of late, so that the moment between two launches of a
 * thread makes no room. A helper at work stays to the end of its job all the same. One that is free
 * joins jobs that have not got all their helpers, oldest last.
 *
 * The pool has no task queues and steals no tasks: a job distributes its parts itself. Threads are
 * not bound to single processors, and they are never joined, so the library must never be unloaded
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
    MOST_WATCH_NANOSECONDS = 1000000, /* while launches run */
    LOOK_NANOSECONDS = 5000,          /* between looks at other helpers' jobs */
    CLOSE_NANOSECONDS = 60000,        /* from one launch that missed helpers to the next */
    PERIOD_NANOSECONDS = 100000,
    IDLE_SECONDS = 3,
    WAKES_EACH = 4, /* threads that a thread wakes */
    LOOKS = 128     /* between offers of the processor to others */
};

/* A helper's state is one of these or the address of a job, and flags. */
enum { ABSENT = 0, AWAKE = 8, ASLEEP = 16 };
enum {
    INSIDE = 1,       /* it works at the job */
    TO_WAKE = 2,      /* it is, or was, asleep, and a thread must signal it */
    LAUNCH_SLEEPS = 4 /* until it leaves the job */
};
_Static_assert(_Alignof(struct reap__job) > (INSIDE | TO_WAKE | LAUNCH_SLEEPS),
               "a job's address leaves the flags free");

/* A launch gives a helper that has no job its own, under the pool's lock, by release; the helper
 * joins by acquire and leaves by release, which the launch acquires. The helper goes to ASLEEP
 * under its own lock, so that a signal under that lock finds it waiting. A launch that takes a job
 * back leaves ASLEEP only if TO_WAKE is set, so that no thread has signalled the helper. If the
 * helper has woken for another reason, it changes the state to AWAKE. It becomes ABSENT by release,
 * which the launch acquires that makes a thread in its place: what is the helper's own, its
 * successor has. */
struct helper {
    _Alignas(128) atomic_uintptr_t state;
    size_t number;     /* in a job that it has been left; written before the state names the job */
    uint64_t sequence; /* of the last called job that it has joined; the helper's own */
    pthread_mutex_t lock;
    pthread_cond_t wanted;
};

/* What a launch waits for. */
struct departure {
    struct helper *helper;
    const struct reap__job *job;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t left;    /* for launches: some job's last helper has left */
    struct reap__job *jobs; /* those that have invited and not dismissed */
    size_t launching;       /* the number of these jobs */
    size_t most_launching;  /* at a time, in this period */
    size_t most_before;     /* in the one before */
    uint64_t period_begin;
    bool were_apart; /* it began more than a long watch after the one before */
    size_t limit;    /* of helpers, and with one more of helpers and launches at a time */
    bool spins;
    struct reap__affinity affinity; /* of helpers */

    uint64_t sequence; /* of the last job that was called */

    /* Relaxed, read without the lock: hints. The first two are written with it held. */
    atomic_size_t launches; /* at a time, of late */
    atomic_size_t unmet;    /* helpers that jobs want and have not got */
    _Atomic uint64_t watch_nanoseconds;
    _Atomic uint64_t end;  /* of the last launch */
    atomic_size_t sharing; /* launches that have invited and not dismissed */

    atomic_size_t awake; /* helpers that do not sleep; each counts itself */
    atomic_int caller;   /* the processor of the launch that last wanted helpers */

    /* The last launch that would have used helpers that were not awake. */
    _Atomic uint64_t missed;
    _Atomic(const void *) missed_by; /* the thread, by an address of its own */
} pool = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .left = PTHREAD_COND_INITIALIZER,
    .watch_nanoseconds = LONG_WATCH_NANOSECONDS,
};
static struct helper helpers[MOST_HELPERS];

/* The job that is called, in a cache line of its own. Helpers read the sequence and the number as
 * hints, and join only what the job says itself. Written with the pool's lock held. */
static struct {
    _Alignas(128) _Atomic(struct reap__job *) job; /* NULL: there is none */
    _Atomic uint64_t sequence;
    atomic_size_t called;
    _Alignas(128) char end;
} call;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Helpers wait by the monotonic clock, which setting the time does not change. */
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

/* The child has no helpers, and no launch but its own to come. */
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

/* How many helpers may join beside those that have been left a job. */
static size_t room(void)
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

/* By a job that it has not joined yet. */
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

/* By a job of its own, or by one that has not got all its helpers. Reading all states takes their
 * cache lines from the helpers, so it is for moments when nothing else is to be done. */
static bool is_wanted(const struct helper *self)
{
    return has_job(self) || (get(&pool.unmet) > 0 && room() > 0);
}

/* Whether a condition holds before so many nanoseconds have passed, or at once where threads are
 * more than processors. In between another thread that wants the processor gets it, an OpenMP
 * one's say. */
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

/* The lock says that the helper waits, or has seen its state; a helper that wakes while the lock is
 * held would sleep again until it is free. */
static void wake(struct helper *helper)
{
    pthread_mutex_lock(&helper->lock);
    pthread_mutex_unlock(&helper->lock);
    pthread_cond_signal(&helper->wanted);
}

/* Of those that are to be woken some; the others are left to these. */
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

/* A job that has not got all its helpers. */
static struct reap__job *join_another(struct helper *self)
{
    uintptr_t state = AWAKE;
    pthread_mutex_lock(&pool.lock);
    struct reap__job *job = room() > 0 ? pool.jobs : NULL;
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

/* The helper may not touch the job any more: the launch may end. */
static void leave(struct helper *self)
{
    const uintptr_t state = atomic_exchange_explicit(&self->state, AWAKE, memory_order_release);
    if ((state & LAUNCH_SLEEPS) != 0) {
        pthread_mutex_lock(&pool.lock);
        pthread_cond_broadcast(&pool.left);
        pthread_mutex_unlock(&pool.lock);
    }
}

/* The job that is called, unless it is called no longer once the launch would see the helper. */
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

/* The job that it has been left, or another one; NULL: there is none. */
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
    return get(&pool.unmet) > 0 && room() > 0 ? join_another(self) : NULL;
}

/* The launch may go on, and the job be gone, as soon as the helper has left. */
static void help(struct helper *self, struct reap__job *job)
{
    job->work(job, job->sequence > 0 ? index_of(self) + 1 : self->number);
    reap__tsan_note_release(job);
    leave(self);
}

/* Linux may run a helper on the processor of the launch that wakes it although others are idle.
 * There it would get no time before the launch has ended, or take the launch's. */
static void leave_caller(void)
{
    const int caller = atomic_load_explicit(&pool.caller, memory_order_relaxed);
    if (pool.spins && reap__affinity_current() == caller)
        reap__affinity_leave(&pool.affinity, caller);
}

/* Whether the helper is wanted before it has watched long enough: from the end of the last launch,
 * since a launch whose helpers have finished may be at work for a while, and is followed by another
 * one. */
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

/* Either a launch that calls at this moment finds the helper asleep, or the helper finds the call:
 * each writes what the other one reads afterwards. */
static void wake_if_called(struct helper *self)
{
    uintptr_t state = ASLEEP;
    if (atomic_load(&call.job) != NULL && is_called(self))
        atomic_compare_exchange_strong_explicit(&self->state, &state, AWAKE, memory_order_relaxed,
                                                memory_order_relaxed);
}

/* Whether it is wanted at last. */
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

/* With the lock held. */
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

/* One launch that comes late changes nothing. With the lock held. */
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

/* Gives a helper that is in a state another one; makes one that is ABSENT. With the lock held. */
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

/* Wakes helpers among the first so many, or makes them. With the lock held. */
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

/* With the lock held, which it gives up. */
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

/* Leaves the job with helpers that are in a state, as many as it wants but no more than `most`.
 * Returns how many it has left it with. With the lock held. */
static size_t leave_with(struct reap__job *job, uintptr_t state, size_t most)
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
            break; /* no thread can be made */
        }
    }
    return left;
}

/* With the lock held, which it gives up. */
static void find_helpers(struct reap__job *job)
{
    const size_t most = room(), awake = leave_with(job, AWAKE, most);
    size_t left = awake;
    left += leave_with(job, AWAKE | TO_WAKE, most - left);
    left += leave_with(job, ASLEEP, most - left);
    const bool is_to_wake = left > awake;
    left += leave_with(job, ABSENT, most - left);
    subtract(&pool.unmet, left);
    pthread_mutex_unlock(&pool.lock);
    if (is_to_wake)
        wake_some();
}

void reap__pool_invite(struct reap__job *job, size_t count)
{
    const uint64_t now = reap__now();
    const size_t most = count < pool.limit ? count : pool.limit;
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

/* From a helper that has not joined it. With the lock held. */
static void take_back(struct reap__job *job, struct helper *helper)
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

static bool has_left(const void *data)
{
    const struct departure *departure = data;
    const uintptr_t state = atomic_load_explicit(&departure->helper->state, memory_order_acquire);
    return job_of(state) != departure->job;
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

/* With the lock held. */
static void end_call(const struct reap__job *job)
{
    if (job->sequence > 0)
        atomic_store(&call.job, NULL);
    else
        for (size_t h = 0; h < pool.limit; h++)
            take_back((struct reap__job *)job, &helpers[h]);
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
    for (size_t h = 0; h < pool.limit; h++) /* one that is not called may be looking at the job */
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

/* Helpers are woken after two such launches within CLOSE_NANOSECONDS on one thread. If several
 * threads launch, the processors have work already. */
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
