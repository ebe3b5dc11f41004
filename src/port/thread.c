/* SPDX-License-Identifier: Apache-2.0
 *
 * POSIX threads, most of them detached.
 */
#include "src/port/thread.h"

#include "src/port/cancellation.h"

#include <pthread.h>
#include <signal.h>

/* Threads block all signals except those that their own instructions raise: a blocked one ends the
 * process, and the program's or the sanitizer's handler does not run. SIGPROF is not blocked
 * either, for profilers. */
static void block_signals(sigset_t *before)
{
    static const int unblocked[] = {SIGSEGV, SIGBUS, SIGFPE,  SIGILL,
                                    SIGTRAP, SIGSYS, SIGABRT, SIGPROF};
    sigset_t blocked;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof unblocked / sizeof *unblocked; i++)
        sigdelset(&blocked, unblocked[i]);
    pthread_sigmask(SIG_SETMASK, &blocked, before);
}

size_t reap__threads_start(size_t count, void *(*work)(void *data), void *data)
{
    sigset_t before;
    pthread_attr_t attributes;
    pthread_t thread;
    size_t started = 0;
    if (count == 0 || pthread_attr_init(&attributes) != 0)
        return 0;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    block_signals(&before);
    while (started < count && pthread_create(&thread, &attributes, work, data) == 0)
        started++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return started;
}

bool reap__thread_run(size_t stack_bytes, void *(*work)(void *data), void *data)
{
    sigset_t before;
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    pthread_attr_setstacksize(&attributes, stack_bytes);
    block_signals(&before);
    const bool has_begun = pthread_create(&thread, &attributes, work, data) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (has_begun) {
        reap__cancellation_defer(); /* joining is a cancellation point */
        pthread_join(thread, NULL);
        reap__cancellation_allow();
    }
    return has_begun;
}
