/* SPDX-License-Identifier: Apache-2.0
 *
 * A list of watches that the handler reads without a lock. A watch is removed under the lock;
 * reap__watch_end then waits until no handler runs, since one may still read it.
 */
#define _GNU_SOURCE
#include "src/port/watch.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* for changes of the list */
static _Atomic(struct reap__watch *) first;
static atomic_uint handlers; /* that are running */
static struct sigaction before;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *pointer_to(uintptr_t address)
{
    void *pointer;
    memcpy(&pointer, &address, sizeof pointer);
    return pointer;
}

/* The rest of this section runs in the handler, and calls only async-signal-safe functions. */

static int protect(const struct reap__watch *watch, int protection)
{
    const uintptr_t begin = atomic_load(&watch->begin), end = atomic_load(&watch->end);
    return mprotect(pointer_to(begin), (size_t)(end - begin), protection);
}

static struct reap__watch *find(uintptr_t address)
{
    struct reap__watch *watch = atomic_load(&first);
    while (watch != NULL &&
           (address < atomic_load(&watch->begin) || address >= atomic_load(&watch->end)))
        watch = atomic_load(&watch->next);
    return watch;
}

static int note(uintptr_t address)
{
    int is_noted = 0;
    atomic_fetch_add(&handlers, 1);
    struct reap__watch *watch = find(address);
    if (watch != NULL) {
        uintptr_t none = 0;
        atomic_compare_exchange_strong(&watch->touched, &none, address);
        is_noted = protect(watch, PROT_READ | PROT_WRITE) == 0;
    }
    atomic_fetch_sub(&handlers, 1);
    return is_noted;
}

/* Without a handler of the program, the instruction is executed again and ends the process. */
static void pass_on(int signal, siginfo_t *info, void *context)
{
    if ((before.sa_flags & SA_SIGINFO) != 0)
        before.sa_sigaction(signal, info, context);
    else if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN)
        sigaction(signal, &before, NULL);
    else
        before.sa_handler(signal);
}

static void handle(int signal, siginfo_t *info, void *context)
{
    if (!note((uintptr_t)info->si_addr))
        pass_on(signal, info, context);
}

static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&lock);
}

static void install(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &before);
    pthread_atfork(before_fork, after_fork, after_fork);
}

/* ---- Public -----------------------------------------------------------------------------------*/

void reap__watch_begin(struct reap__watch *watch, unsigned char *pages, size_t bytes)
{
    pthread_once(&once, install);
    atomic_store(&watch->begin, (uintptr_t)pages);
    atomic_store(&watch->end, (uintptr_t)pages + bytes);
    reap__watch_close(watch);
    pthread_mutex_lock(&lock);
    atomic_store(&watch->next, atomic_load(&first));
    atomic_store(&first, watch);
    pthread_mutex_unlock(&lock);
}

void reap__watch_end(struct reap__watch *watch)
{
    if (atomic_load(&watch->begin) == 0)
        return;
    pthread_mutex_lock(&lock);
    _Atomic(struct reap__watch *) *link = &first;
    while (atomic_load(link) != watch)
        link = &atomic_load(link)->next;
    atomic_store(link, atomic_load(&watch->next));
    pthread_mutex_unlock(&lock);
    while (atomic_load(&handlers) > 0)
        sched_yield();
    atomic_store(&watch->begin, 0);
}

void reap__watch_open(const struct reap__watch *watch)
{
    protect(watch, PROT_READ | PROT_WRITE);
}

void reap__watch_close(struct reap__watch *watch)
{
    protect(watch, PROT_NONE);
    atomic_store(&watch->touched, 0);
}

const unsigned char *reap__watch_touched(const struct reap__watch *watch)
{
    return pointer_to(atomic_load(&watch->touched));
}
