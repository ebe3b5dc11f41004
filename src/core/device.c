/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of devices: each backend that is not hidden is probed once. The host is probed at first
 * use, the others only when the program asks for a list, or for one of their devices by name: a
 * program that runs on the host loads no vendor's driver.
 */
#include "src/combined/combined.h"
#include "src/core/backend.h"
#include "src/core/config.h"
#include "src/core/stack.h"
#include "src/core/status.h"
#include "src/port/cancellation.h"
#include "src/port/fp_environment.h"
#include "src/port/pin.h"
#include "src/queue/executor.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct reap__backend *const backends[] = {&reap__host_backend, &reap__opencl_backend,
                                                       &reap__cuda_backend};

enum { BACKENDS = sizeof backends / sizeof *backends, MOST_DEVICES = 80 };

_Thread_local void *reap__current_kernel_run REAP__NEAR;

/* Written under the lock until all backends are probed, constant afterwards. What has been written
 * stays as it is. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t probed; /* so many of the backends */
static const reap_device *devices[MOST_DEVICES];
static size_t device_count;
static const char *missing[BACKENDS];
static char sentences[BACKENDS][REAP__MESSAGE_BYTES];
static size_t missing_count;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* A fork waits for a list that is being made: its maker is not there in the child. */
static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&lock);
}

static void install_fork_handlers(void)
{
    pthread_atfork(before_fork, after_fork, after_fork);
}

/* When the library is loaded: a fork that has begun would not run handlers that are installed while
 * it goes on, and the child would find the lock taken. */
__attribute__((__constructor__)) static void install_early(void)
{
    pthread_once(&once, install_fork_handlers);
}

/* Whether a list of names, with commas or blanks between them, has this one. */
static bool is_listed(const char *list, const char *name)
{
    static const char separators[] = ", \t";
    const size_t length = strlen(name);
    while (*list != '\0') {
        list += strspn(list, separators);
        const size_t word = strcspn(list, separators);
        if (word == length && memcmp(list, name, length) == 0)
            return true;
        list += word;
    }
    return false;
}

const struct reap__backend *reap__backend_find(const char *name, size_t length)
{
    for (size_t b = 0; b < BACKENDS; b++)
        if (strlen(backends[b]->name) == length && memcmp(backends[b]->name, name, length) == 0)
            return backends[b];
    return NULL;
}

reap_status reap__backend_check_shown(const struct reap__backend *backend)
{
    const struct reap__config *config;
    REAP_TRY(reap__config_get(&config));
    if (config->backends == NULL || is_listed(config->backends, backend->name))
        return REAP_OK;
    return reap__fail(REAP_ERROR_NO_DEVICE, "%s: REAP_BACKENDS is '%s', which leaves it out",
                      backend->name, config->backends);
}

/* A backend that finds nothing leaves a sentence; the host always finds itself, or the environment
 * is wrong. */
static reap_status probe(size_t number, const struct reap__config *config)
{
    const struct reap__backend *backend = backends[number];
    const struct reap_device *const *found;
    size_t count;
    if (config->backends != NULL && !is_listed(config->backends, backend->name))
        return REAP_OK;
    if (!backend->runs_on_threads)
        REAP_TRY(reap__stack_check(REAP__STACK_FOR_DRIVERS, "devices of kind", backend->name));
    /* Threads that a driver creates inherit the environment. */
    const reap__fp_environment before = reap__fp_enter();
    const reap_status status = backend->probe(&found, &count);
    reap__fp_leave(before);
    if (status != REAP_OK && backend == &reap__host_backend)
        return status;
    if (status != REAP_OK) {
        snprintf(sentences[number], sizeof sentences[number], "%s", reap_last_error());
        missing[missing_count++] = sentences[number];
        return REAP_OK;
    }
    for (size_t d = 0; d < count && device_count < MOST_DEVICES; d++)
        devices[device_count++] = found[d];
    return REAP_OK;
}

static const reap_device *find(const char *name)
{
    for (size_t d = 0; d < device_count; d++)
        if (strcmp(devices[d]->info.name, name) == 0)
            return devices[d];
    return NULL;
}

/* With the lock held: probes until there is a device of that name, or, for NULL, everything. */
static reap_status look_for(const char *name)
{
    const struct reap__config *config;
    REAP_TRY(reap__config_get(&config));
    if (probed < BACKENDS)
        REAP_TRY(reap__stack_check(REAP__STACK_FOR_HOST, "devices of kind", "host"));
    if (probed == 0)
        reap__executor_configure(config);
    while (probed < BACKENDS && (name == NULL || find(name) == NULL)) {
        REAP_TRY(probe(probed, config));
        probed++;
    }
    if (probed == BACKENDS && device_count == 0)
        return reap__fail(REAP_ERROR_NO_DEVICE,
                          "REAP_BACKENDS is '%s', and these backends have no device%s%s",
                          config->backends, missing_count > 0 ? ": " : "; 'host' has one",
                          missing_count > 0 ? missing[0] : "");
    return REAP_OK;
}

/* The same, without. reap__pin stands here since all use of Reap begins here, and under the lock
 * since it asks the dynamic linker, whose own lock a forked child would find taken for ever. */
static reap_status make_list(const char *name)
{
    reap__executor_prepare();
    pthread_once(&once, install_fork_handlers);
    reap__cancellation_defer();
    pthread_mutex_lock(&lock);
    reap__pin();
    const reap_status status = look_for(name);
    pthread_mutex_unlock(&lock);
    reap__cancellation_allow();
    return status;
}

reap_status reap_device_list(const reap_device *const **list, size_t *count)
{
    if (list == NULL || count == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_device_list: a pointer is NULL");
    REAP_TRY(make_list(NULL));
    *list = devices;
    *count = device_count;
    return REAP_OK;
}

reap_status reap_device_missing(const char *const **list, size_t *count)
{
    if (list == NULL || count == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_device_missing: a pointer is NULL");
    REAP_TRY(make_list(NULL));
    *list = missing;
    *count = missing_count;
    return REAP_OK;
}

static reap_status no_such_device(const char *what, const char *name)
{
    char names[REAP__MESSAGE_BYTES / 4 * 3] = "";
    size_t length = 0;
    for (size_t d = 0; d < device_count && length < sizeof names; d++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", d > 0 ? ", " : "",
                                   devices[d]->info.name);
    return reap__fail(REAP_ERROR_NO_DEVICE, "%s is '%.80s', but the devices here are: %s", what,
                      name, names);
}

/* The first device, where REAP_DEVICE is not set. It is the host unless that is hidden. */
static reap_status first_device(const reap_device **device)
{
    const struct reap__config *config;
    REAP_TRY(reap__config_get(&config));
    REAP_TRY(
        make_list(config->backends == NULL || is_listed(config->backends, "host") ? "host" : NULL));
    *device = devices[0];
    return REAP_OK;
}

/* "cuda:0+cuda:1" is a combined device, "cuda:0*3+host" one with speeds. */
static reap_status find_by_name(const char *what, const char *name, const reap_device **device)
{
    if (strpbrk(name, "+*") != NULL)
        return reap__combined_find(what, name, device);
    return reap__device_find_named(what, name, device);
}

reap_status reap__device_find_named(const char *what, const char *name, const reap_device **device)
{
    REAP_TRY(make_list(name));
    pthread_mutex_lock(&lock);
    const reap_device *found = find(name);
    pthread_mutex_unlock(&lock);
    if (found == NULL)
        return no_such_device(what, name);
    *device = found;
    return REAP_OK;
}

reap_status reap_device_find(const char *name, const reap_device **device)
{
    if (name == NULL || device == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_device_find: a pointer is NULL");
    return find_by_name("the name", name, device);
}

bool reap_device_has(const reap_device *device, reap_aspect aspect)
{
    const unsigned known = 8 * sizeof device->aspects;
    return device != NULL && (unsigned)aspect < known &&
           (device->aspects & REAP__ASPECT_BIT(aspect)) != 0;
}

reap_status reap_device_default(const reap_device **device)
{
    const struct reap__config *config;
    if (device == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_device_default: the pointer is NULL");
    REAP_TRY(reap__config_get(&config));
    if (config->device == NULL)
        return first_device(device);
    return find_by_name("REAP_DEVICE", config->device, device);
}

reap_status reap_device_get_info(const reap_device *device, reap_device_info *info)
{
    if (device == NULL || info == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_device_get_info: a pointer is NULL");
    *info = device->info;
    return REAP_OK;
}
