/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the environment once. An empty variable counts as one that is not set.
 */
#include "src/core/config.h"

#include "src/core/status.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

enum { MOST_THREADS = 4096 };

static struct reap__config settings;
static const char *malformed_threads;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && *value != '\0' ? value : NULL;
}

static void read_environment(void)
{
    settings.device = variable("REAP_DEVICE");
    settings.backends = variable("REAP_BACKENDS");
    settings.host_isa = variable("REAP_HOST_ISA");

    const char *threads = variable("REAP_NUM_THREADS");
    if (threads == NULL)
        return;
    char *end;
    errno = 0;
    const unsigned long number = strtoul(threads, &end, 10);
    if (errno != 0 || *end != '\0' || threads[0] == '-' || number < 1 || number > MOST_THREADS)
        malformed_threads = threads;
    else
        settings.threads = number;
}

reap_status reap__config_get(const struct reap__config **config)
{
    pthread_once(&once, read_environment);
    if (malformed_threads != NULL)
        return reap__fail(REAP_ERROR_NO_DEVICE,
                          "REAP_NUM_THREADS is '%s', and must be a number from 1 to %d",
                          malformed_threads, MOST_THREADS);
    *config = &settings;
    return REAP_OK;
}
