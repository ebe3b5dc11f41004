/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of devices: each backend that is not hidden is probed once, at first use.
 */
#include "src/core/backend.h"
#include "src/core/config.h"
#include "src/core/status.h"
#include "src/port/pin.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct reap__backend *const backends[] = {&reap__host_backend};

enum { MOST_DEVICES = 64 };

/* Written under the lock until `made` is true, constant afterwards. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool made;
static const reap_device *devices[MOST_DEVICES];
static size_t device_count;
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

static reap_status make_list(void)
{
    const struct reap__config *config;
    REAP_TRY(reap__config_get(&config));
    device_count = 0;
    for (size_t b = 0; b < sizeof backends / sizeof *backends; b++) {
        if (config->backends != NULL && !is_listed(config->backends, backends[b]->name))
            continue;
        const struct reap_device *found;
        size_t count;
        REAP_TRY(backends[b]->probe(&found, &count));
        for (size_t d = 0; d < count && device_count < MOST_DEVICES; d++)
            devices[device_count++] = &found[d];
    }
    if (device_count == 0)
        return reap__fail(REAP_ERROR_NO_DEVICE,
                          "REAP_BACKENDS is '%s', which leaves no device; 'host' is one",
                          config->backends);
    made = true;
    return REAP_OK;
}

reap_status reap_device_list(const reap_device *const **list, size_t *count)
{
    if (list == NULL || count == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_device_list: a pointer is NULL");
    reap__pin(); /* here, since all use of Reap begins here, and no lock of ours is held */
    pthread_once(&once, install_fork_handlers);
    pthread_mutex_lock(&lock);
    const reap_status status = made ? REAP_OK : make_list();
    pthread_mutex_unlock(&lock);
    if (status == REAP_OK) {
        *list = devices;
        *count = device_count;
    }
    return status;
}

static reap_status no_such_device(const char *name)
{
    char names[REAP__MESSAGE_BYTES / 2] = "";
    size_t length = 0;
    for (size_t d = 0; d < device_count && length < sizeof names; d++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", d > 0 ? ", " : "",
                                   devices[d]->info.name);
    return reap__fail(REAP_ERROR_NO_DEVICE, "REAP_DEVICE is '%s', and the devices here are: %s",
                      name, names);
}

reap_status reap_device_default(const reap_device **device)
{
    const reap_device *const *list;
    const struct reap__config *config;
    size_t count;
    if (device == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_device_default: the pointer is NULL");
    REAP_TRY(reap_device_list(&list, &count));
    REAP_TRY(reap__config_get(&config));
    if (config->device == NULL) {
        *device = list[0];
        return REAP_OK;
    }
    for (size_t d = 0; d < count; d++)
        if (strcmp(list[d]->info.name, config->device) == 0) {
            *device = list[d];
            return REAP_OK;
        }
    return no_such_device(config->device);
}

reap_status reap_device_get_info(const reap_device *device, reap_device_info *info)
{
    if (device == NULL || info == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_device_get_info: a pointer is NULL");
    *info = device->info;
    return REAP_OK;
}
