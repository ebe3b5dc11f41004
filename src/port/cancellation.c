/* SPDX-License-Identifier: Apache-2.0
 *
 * Each thread counts its nested deferrals, and keeps the program's own setting.
 */
#include "src/port/cancellation.h"

static _Thread_local struct {
    unsigned depth;
    int state; /* the program's, before the outermost deferral */
} deferred;

void reap__cancellation_defer(void)
{
    if (deferred.depth++ == 0)
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &deferred.state);
}

void reap__cancellation_allow(void)
{
    if (--deferred.depth == 0)
        pthread_setcancelstate(deferred.state, &(int){0});
}

void reap__condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock)
{
    reap__cancellation_defer();
    pthread_cond_wait(condition, lock);
    reap__cancellation_allow();
}
