/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts forks in a handler that is installed at first use.
 */
#include "src/core/fork.h"

#include <pthread.h>

/* Written by a forked child's only thread before it does anything else. */
unsigned reap__forks;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void count_fork(void)
{
    reap__forks++;
}

static void install(void)
{
    pthread_atfork(NULL, NULL, count_fork);
}

unsigned reap__fork_generation(void)
{
    pthread_once(&once, install);
    return reap__forks;
}
