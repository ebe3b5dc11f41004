/* SPDX-License-Identifier: Apache-2.0
 *
 * Combined devices as objects. There are few, and they are never freed, as all devices. Copies and
 * fills on them use host memory, as on the host.
 */
#include "src/combined/combined.h"

#include "src/core/allocate.h"
#include "src/core/stack.h"
#include "src/core/status.h"

#include <assert.h>
#include <math.h>
#include <reap/device.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct reap__combined *all; /* under the lock */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* ---- Forks ------------------------------------------------------------------------------------*/

static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&lock);
}

/* A forked child has no workers, and no launch runs in it. */
static void after_fork_in_child(void)
{
    for (struct reap__combined *c = all; c != NULL; c = c->next) {
        pthread_mutex_init(&c->lock, NULL);
        memset(c->workers, 0, sizeof c->workers);
    }
    pthread_mutex_unlock(&lock);
}

static void install_fork_handlers(void)
{
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

/* ---- The backend ------------------------------------------------------------------------------*/

static reap_status compile(const reap_device *device, const struct reap_kernel *kernel,
                           unsigned dimensions)
{
    const struct reap__combined *combined = (const struct reap__combined *)device;
    for (size_t d = 0; d < combined->count; d++)
        REAP_TRY(reap_kernel_compile(combined->devices[d], kernel, dimensions));
    return REAP_OK;
}

/* Memory of a combined device is the host's, where launches that use it run. */
static const struct reap__device_functions with_host = {
    .run = reap__combined_run, .divides_launches = true, .compile = compile};
static const struct reap__device_functions without_host = {
    .run = reap__combined_run, .divides_launches = true, .has_no_memory = true, .compile = compile};

/* runs_on_threads: so launches from within kernels are refused, as on the host. */
static const struct reap__backend backend = {.name = "combined", .runs_on_threads = true};

/* ---- Objects ----------------------------------------------------------------------------------*/

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Reduces the combined device's properties to those that a further device has, too. */
static void add_info(reap_device *device, const reap_device *part)
{
    reap_device_info *info = &device->info;
    info->compute_units += part->info.compute_units;
    info->global_memory_bytes += part->info.global_memory_bytes;
    info->local_memory_bytes =
        (size_t)smaller(info->local_memory_bytes, part->info.local_memory_bytes);
    info->max_work_group_size =
        (size_t)smaller(info->max_work_group_size, part->info.max_work_group_size);
    device->aspects &= part->aspects;
    if (strcmp(info->instruction_set, part->info.instruction_set) != 0)
        info->instruction_set = "";
    if (info->limits[0] == '\0')
        info->limits = part->info.limits;
}

/* An estimate, for kernels that are not measured yet. */
static double weight_of(const reap_device *device)
{
    return device->info.compute_units > 0 ? (double)device->info.compute_units : 1;
}

/* "cuda:0+host", or with speeds "cuda:0*20+host*1". */
static char *make_name(const reap_device *const *devices, const double *speeds, size_t count)
{
    size_t bytes = 0;
    for (size_t d = 0; d < count; d++)
        bytes += strlen("+*") + strlen(devices[d]->info.name) + REAP__SPEED_BYTES;
    char *name = reap__allocate(bytes);
    size_t length = 0;
    for (size_t d = 0; d < count && name != NULL; d++) {
        char speed[REAP__SPEED_BYTES] = "";
        if (speeds != NULL)
            reap__speed_write(speeds[d], speed);
        length += (size_t)snprintf(name + length, bytes - length, "%s%s%s%s", d > 0 ? "+" : "",
                                   devices[d]->info.name, speeds != NULL ? "*" : "", speed);
    }
    return name;
}

static char *make_description(const reap_device *const *devices, size_t count)
{
    static const char between[] = " and ";
    size_t bytes = 1;
    for (size_t d = 0; d < count; d++)
        bytes += strlen(devices[d]->info.name) + strlen(between);
    char *description = reap__allocate(bytes);
    size_t length = 0;
    for (size_t d = 0; d < count && description != NULL; d++)
        length += (size_t)snprintf(description + length, bytes - length, "%s%s",
                                   d > 0 ? between : "", devices[d]->info.name);
    return description;
}

static bool has_host(const reap_device *const *devices, size_t count)
{
    for (size_t d = 0; d < count; d++)
        if (devices[d]->functions->allocate == NULL)
            return true;
    return false;
}

static reap_status no_memory(void)
{
    return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for a combined device");
}

static reap_status make(const reap_device *const *devices, const double *speeds, size_t count,
                        struct reap__combined **made)
{
    struct reap__combined *combined = reap__allocate(sizeof *combined);
    char *name = make_name(devices, speeds, count);
    char *description = make_description(devices, count);
    if (combined == NULL || name == NULL || description == NULL) {
        reap__free(combined);
        reap__free(name);
        reap__free(description);
        return no_memory();
    }
    memset(combined, 0, sizeof *combined);
    combined->device = *devices[0];
    combined->device.backend = &backend;
    combined->device.functions = has_host(devices, count) ? &with_host : &without_host;
    combined->device.info.name = name;
    combined->device.info.description = description;
    combined->device.info.backend = backend.name;
    for (size_t d = 1; d < count; d++)
        add_info(&combined->device, devices[d]);
    combined->count = count;
    combined->has_fixed_weights = speeds != NULL;
    for (size_t d = 0; d < count; d++) {
        combined->devices[d] = devices[d];
        combined->weights[d] = speeds != NULL ? speeds[d] : weight_of(devices[d]);
    }
    pthread_mutex_init(&combined->lock, NULL);
    *made = combined;
    return REAP_OK;
}

/* NULL: they are measured. */
static bool are_same(const double *speeds, const double *others, size_t count)
{
    for (size_t d = 0; speeds != NULL && d < count; d++)
        if (speeds[d] != others[d])
            return false;
    return true;
}

/* Finds an existing combined device of these devices; NULL: none. With the list's lock held. */
static struct reap__combined *find(const reap_device *const *devices, const double *speeds,
                                   size_t count)
{
    for (struct reap__combined *c = all; c != NULL; c = c->next)
        if (c->count == count && c->has_fixed_weights == (speeds != NULL) &&
            memcmp(c->devices, devices, count * sizeof *devices) == 0 &&
            are_same(speeds, c->weights, count))
            return c;
    return NULL;
}

static reap_status combine(const reap_device *const *devices, const double *speeds, size_t count,
                           const reap_device **device)
{
    reap_status status = REAP_OK;
    pthread_once(&once, install_fork_handlers);
    pthread_mutex_lock(&lock);
    struct reap__combined *combined = find(devices, speeds, count);
    if (combined == NULL) {
        status = make(devices, speeds, count, &combined);
        if (status == REAP_OK) {
            combined->next = all;
            all = combined;
        }
    }
    pthread_mutex_unlock(&lock);
    if (status == REAP_OK)
        *device = &combined->device;
    return status;
}

/* ---- Checks -----------------------------------------------------------------------------------*/

static reap_status check_device(const reap_device *const *devices, size_t d)
{
    if (devices[d] == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_device_combine: device %zu is NULL",
                          d);
    if (devices[d]->functions->divides_launches)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "reap_device_combine: device '%s' is a combined device itself",
                          devices[d]->info.name);
    for (size_t other = 0; other < d; other++)
        if (devices[other] == devices[d])
            return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                              "reap_device_combine: device '%s' is given twice",
                              devices[d]->info.name);
    return REAP_OK;
}

static reap_status check_speeds(const double *speeds, size_t count)
{
    double sum = 0;
    for (size_t d = 0; d < count; d++) {
        if (!(speeds[d] >= 0) || !isfinite(speeds[d]))
            return reap__fail(
                REAP_ERROR_INVALID_ARGUMENT,
                "reap_device_combine: speeds[%zu] is %g: it must be a finite number, 0 or more", d,
                speeds[d]);
        sum += speeds[d];
    }
    if (sum > 0 && isfinite(sum))
        return REAP_OK;
    return reap__fail(
        REAP_ERROR_INVALID_ARGUMENT,
        "reap_device_combine: the sum of the speeds is %g: it must be finite and more than 0", sum);
}

reap_status reap_device_combine(const reap_device *const *devices, const double *speeds,
                                size_t count, const reap_device **combined)
{
    static const double alone = 1; /* the speed of one device, whose name without it is another's */
    if (devices == NULL || combined == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_device_combine: a pointer is NULL");
    if (count == 0 || count > REAP__MOST_COMBINED)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "reap_device_combine: %zu devices were given: 1 to %d can be combined",
                          count, REAP__MOST_COMBINED);
    for (size_t d = 0; d < count; d++)
        REAP_TRY(check_device(devices, d));
    if (speeds != NULL)
        REAP_TRY(check_speeds(speeds, count));
    if (count == 1 && speeds == NULL)
        speeds = &alone;
    return combine(devices, speeds, count, combined);
}

/* ---- Names ------------------------------------------------------------------------------------*/

/* Finds one device of a name, and its speed, if it has one: "host", "cuda:0*12". */
static reap_status find_one(const char *what, const char *word, size_t length,
                            const reap_device **device, double *speed)
{
    char copy[64], whose[64];
    if (length == 0 || length >= sizeof copy)
        return reap__fail(REAP_ERROR_NO_DEVICE, "%s has '%.*s', which is not a device", what,
                          (int)(length < 80 ? length : 80), word);
    memcpy(copy, word, length);
    copy[length] = '\0';
    char *const star = strchr(copy, '*');
    if (star != NULL) {
        *star = '\0';
        if (!reap__speed_read(star + 1, speed))
            return reap__fail(REAP_ERROR_NO_DEVICE,
                              "%s has '%.*s', where the speed '%s' is not a number such as 20, "
                              "0.75 or 2e-3",
                              what, (int)length, word, star + 1);
    }
    snprintf(whose, sizeof whose, "a device of %s", what);
    return reap__device_find_named(whose, copy, device);
}

static reap_status check_named(const char *what, const char *name,
                               const reap_device *const *devices, const double *speeds,
                               size_t count)
{
    double sum = 0;
    for (size_t d = 0; d < count; d++) {
        sum += speeds[d];
        for (size_t other = 0; other < d; other++)
            if (devices[other] == devices[d])
                return reap__fail(REAP_ERROR_NO_DEVICE, "%s is '%.80s', which names a device twice",
                                  what, name);
    }
    if (!(sum > 0) || !isfinite(sum))
        return reap__fail(
            REAP_ERROR_NO_DEVICE,
            "%s is '%.80s', but the sum of the speeds is %g: it must be finite and more "
            "than 0",
            what, name, sum);
    return REAP_OK;
}

reap_status reap__combined_find(const char *what, const char *name, const reap_device **device)
{
    const reap_device *devices[REAP__MOST_COMBINED] = {NULL};
    double speeds[REAP__MOST_COMBINED] = {0};
    size_t count = 0;
    for (const char *at = name;; at++) {
        const size_t length = strcspn(at, "+");
        if (count == REAP__MOST_COMBINED)
            return reap__fail(REAP_ERROR_NO_DEVICE,
                              "%s is '%.80s', but at most %d devices can be combined", what, name,
                              REAP__MOST_COMBINED);
        speeds[count] = 1;
        REAP_TRY(find_one(what, at, length, &devices[count], &speeds[count]));
        assert(devices[count] != NULL);
        count++;
        at += length;
        if (*at == '\0')
            break;
    }
    REAP_TRY(check_named(what, name, devices, speeds, count));
    return combine(devices, strchr(name, '*') != NULL ? speeds : NULL, count, device);
}
