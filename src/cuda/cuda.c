/* SPDX-License-Identifier: Apache-2.0
 *
 * The CUDA backend: finds NVIDIA's cards. The probe initialises CUDA and queries attributes; a
 * card's context is made at its first use. A card that cannot be used is left out; if none is left,
 * the probe fails with the reason.
 */
#include "src/accelerator/runtime/runtime.h"
#include "src/core/backend.h"
#include "src/core/status.h"
#include "src/cuda/api.h"
#include "src/cuda/compile.h"
#include "src/cuda/driver.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* A launch's parameters are at most 4096 bytes. Reap uses some local memory itself. NVRTC 12 and 13
 * do not support cards before 5.0. */
enum {
    MOST_DEVICES = 32,
    MAX_PARAMETER_BYTES = 4096,
    OWN_SHARED_BYTES = 17 * 1024,
    OLDEST_DRIVER = 11080,
    OLDEST_MAJOR = 5,
    MAX_THREADS = 1024, /* of a group, on every card */
};

/* Written by the probe, under the lock of the device list. */
static struct reap__cuda_device devices[MOST_DEVICES];
static const struct reap_device *list[MOST_DEVICES];
static size_t device_count;

static reap_status fail_call(const struct reap__cuda_api *cuda, const char *call, int result)
{
    return reap__fail(REAP_ERROR_NO_DEVICE, "cuda: %s failed: %s (%d)", call,
                      reap__cuda_error_name(cuda, result), result);
}

static reap_status get_attribute(const struct reap__cuda_device *device, int attribute, int *value)
{
    const int result = device->cuda->cuDeviceGetAttribute(value, attribute, device->handle);
    return result == REAP__CUDA_SUCCESS ? REAP_OK
                                        : fail_call(device->cuda, "cuDeviceGetAttribute", result);
}

static reap_status start(const struct reap__cuda_api *cuda, int *version, int *count)
{
    int result = cuda->cuDriverGetVersion(version);
    if (result != REAP__CUDA_SUCCESS)
        return fail_call(cuda, "cuDriverGetVersion", result);
    if (*version < OLDEST_DRIVER)
        return reap__fail(REAP_ERROR_NO_DEVICE,
                          "cuda: the driver supports CUDA %d.%d: 11.8 or newer is needed",
                          *version / 1000, *version % 1000 / 10);
    result = cuda->cuInit(0);
    if (result == REAP__CUDA_SUCCESS)
        result = cuda->cuDeviceGetCount(count);
    if (result == REAP__CUDA_NO_DEVICE || (result == REAP__CUDA_SUCCESS && *count == 0))
        return reap__fail(REAP_ERROR_NO_DEVICE, "cuda: no NVIDIA card was found");
    return result == REAP__CUDA_SUCCESS ? REAP_OK : fail_call(cuda, "cuInit", result);
}

/* A driver loads machine code of its own major version and older ones. */
static reap_status check_compiler(int driver_version, int *major, int *minor)
{
    REAP_TRY(reap__nvrtc_version(major, minor));
    if (*major <= driver_version / 1000)
        return REAP_OK;
    return reap__fail(REAP_ERROR_NO_DEVICE,
                      "cuda: the driver supports CUDA %d.%d and cannot load the code of NVRTC "
                      "%d.%d: install NVRTC %d or a newer driver",
                      driver_version / 1000, driver_version % 1000 / 10, *major, *minor,
                      driver_version / 1000);
}

static reap_status check_card(const struct reap__cuda_device *device)
{
    int mode;
    REAP_TRY(get_attribute(device, REAP__CUDA_COMPUTE_MODE, &mode));
    if (mode == REAP__CUDA_COMPUTE_MODE_PROHIBITED)
        return reap__fail(REAP_ERROR_NO_DEVICE, "cuda: the card %s's compute mode is 'prohibited'",
                          device->description);
    if (device->major < OLDEST_MAJOR)
        return reap__fail(REAP_ERROR_NO_DEVICE,
                          "cuda: the card %s is too old: its compute capability is %d.%d, and 5.0 "
                          "or higher is needed",
                          device->description, device->major, device->minor);
    return reap__cuda_can_compile(device->major, device->minor);
}

static reap_status find_info(struct reap__cuda_device *device)
{
    reap_device_info *info = &device->accelerator.device.info;
    int multiprocessors;
    int threads;
    int uses_host_pages, has_managed_memory, is_concurrent;
    size_t bytes;
    REAP_TRY(get_attribute(device, REAP__CUDA_MULTIPROCESSOR_COUNT, &multiprocessors));
    REAP_TRY(get_attribute(device, REAP__CUDA_MAX_THREADS_PER_BLOCK, &threads));
    REAP_TRY(
        get_attribute(device, REAP__CUDA_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &device->shared_bytes));
    REAP_TRY(get_attribute(device, REAP__CUDA_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES,
                           &uses_host_pages));
    REAP_TRY(get_attribute(device, REAP__CUDA_MANAGED_MEMORY, &has_managed_memory));
    REAP_TRY(get_attribute(device, REAP__CUDA_CONCURRENT_MANAGED_ACCESS, &is_concurrent));
    const int result = device->cuda->cuDeviceTotalMem(&bytes, device->handle);
    if (result != REAP__CUDA_SUCCESS)
        return fail_call(device->cuda, "cuDeviceTotalMem", result);
    device->copies_without_stage = uses_host_pages != 0;
    /* Otherwise the host must not access managed memory while any kernel runs. */
    device->has_managed_memory = has_managed_memory != 0 && is_concurrent != 0;
    *info = (reap_device_info){
        .name = device->name,
        .description = device->description,
        .backend = reap__cuda_backend.name,
        .instruction_set = device->instruction_set,
        .limits = "",
        .compute_units = (size_t)multiprocessors,
        .global_memory_bytes = bytes,
        .local_memory_bytes = (size_t)(device->shared_bytes - OWN_SHARED_BYTES),
        .max_work_group_size = (size_t)threads,
    };
    return REAP_OK;
}

static const struct reap__accelerator card_in_general = {
    .device = {.backend = &reap__cuda_backend,
               .functions = &reap__accelerator_functions,
               .aspects = REAP__ASPECT_BIT(REAP_ASPECT_GPU) | REAP__ASPECT_BIT(REAP_ASPECT_FP64) |
                          REAP__ASPECT_BIT(REAP_ASPECT_ATOMIC64) |
                          REAP__ASPECT_BIT(REAP_ASPECT_FP32_DENORMALS) |
                          REAP__ASPECT_BIT(REAP_ASPECT_FP32_CORRECT_DIVISION)},
    .driver = &reap__cuda_driver,
    .has_doubles = true,
    .has_wide_atomics = true,
    .orders_groups = true,
    .has_warps = true,
    .max_parameter_bytes = MAX_PARAMETER_BYTES,
};

static reap_status find_card(const struct reap__cuda_api *cuda, int ordinal,
                             struct reap__cuda_device *device)
{
    *device = (struct reap__cuda_device){
        .accelerator = card_in_general,
        .cuda = cuda,
    };
    pthread_mutex_init(&device->accelerator.lock, NULL);
    pthread_cond_init(&device->accelerator.served, NULL);
    snprintf(device->name, sizeof device->name, "cuda:%d", ordinal);
    int result = cuda->cuDeviceGet(&device->handle, ordinal);
    if (result == REAP__CUDA_SUCCESS)
        result =
            cuda->cuDeviceGetName(device->description, sizeof device->description, device->handle);
    if (result != REAP__CUDA_SUCCESS)
        return fail_call(cuda, "cuDeviceGet", result);
    REAP_TRY(get_attribute(device, REAP__CUDA_COMPUTE_CAPABILITY_MAJOR, &device->major));
    REAP_TRY(get_attribute(device, REAP__CUDA_COMPUTE_CAPABILITY_MINOR, &device->minor));
    REAP_TRY(check_card(device));
    snprintf(device->instruction_set, sizeof device->instruction_set, "sm_%d%d", device->major,
             device->minor);
    return find_info(device);
}

static void identify(struct reap__cuda_device *device, const char *versions)
{
    char line[sizeof device->identity]; /* since snprintf may not print a struct into itself */
    snprintf(line, sizeof line, "%s, %s, %s", device->description, device->instruction_set,
             versions);
    memcpy(device->identity, line, sizeof line);
}

/* Keeps the usable cards, and the reason for the last of the others. */
static reap_status find_cards(const struct reap__cuda_api *cuda, int cards, const char *versions)
{
    reap_status status = REAP_OK;
    device_count = 0;
    for (int c = 0; c < cards && device_count < MOST_DEVICES; c++) {
        struct reap__cuda_device *device = &devices[device_count];
        const reap_status card = find_card(cuda, c, device);
        if (card != REAP_OK) {
            status = card;
            continue;
        }
        identify(device, versions);
        list[device_count++] = &device->accelerator.device;
    }
    return device_count > 0 ? REAP_OK : status;
}

static reap_status probe(const struct reap_device *const **found, size_t *count)
{
    const struct reap__cuda_api *cuda;
    int driver;
    int cards = 0;
    int major;
    int minor;
    char versions[64];
    REAP_TRY(reap__cuda_api_get(&cuda));
    REAP_TRY(start(cuda, &driver, &cards));
    REAP_TRY(check_compiler(driver, &major, &minor));
    snprintf(versions, sizeof versions, "driver %d.%d, NVRTC %d.%d", driver / 1000,
             driver % 1000 / 10, major, minor);
    REAP_TRY(find_cards(cuda, cards, versions));
    *found = list;
    *count = device_count;
    return REAP_OK;
}

/* The number in "sm_90"; 0: malformed. */
static int read_architecture(const char *text)
{
    int number = 0;
    if (strncmp(text, "sm_", 3) != 0 || text[3] == '0')
        return 0;
    for (text += 3; *text >= '0' && *text <= '9' && number < 1000; text++)
        number = number * 10 + (*text - '0');
    return *text == '\0' && number >= 10 && number < 1000 ? number : 0;
}

/* Finds the number of the architecture, and of the one that is compiled for it. */
static reap_status find_architecture(const char *architecture, int *number, int *compiled)
{
    *number = read_architecture(architecture);
    if (*number == 0)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "cuda: '%s' is not a card's architecture; sm_90 is one", architecture);
    return reap__cuda_find_architecture(*number, compiled);
}

/* Its properties are those that all cards have. */
reap_status reap__cuda_describe(const char *architecture, struct reap__cuda_device *card)
{
    int number, compiled;
    REAP_TRY(find_architecture(architecture, &number, &compiled));
    *card = (struct reap__cuda_device){
        .accelerator = card_in_general,
        .major = compiled / 10,
        .minor = compiled % 10,
        .is_absent = true,
    };
    snprintf(card->name, sizeof card->name, "cuda:sm_%d", number);
    card->accelerator.device.info.name = card->name;
    card->accelerator.device.info.max_work_group_size = MAX_THREADS;
    return REAP_OK;
}

static reap_status check_architecture(const struct reap_kernel *kernel, const char *architecture)
{
    struct reap__cuda_device card;
    REAP_TRY(reap__cuda_describe(architecture, &card));
    return reap__device_check(&card.accelerator, kernel);
}

static reap_status find_checked(const char *architecture, char checked[REAP_TARGET_BYTES])
{
    int number, compiled;
    REAP_TRY(find_architecture(architecture, &number, &compiled));
    snprintf(checked, REAP_TARGET_BYTES, "cuda:sm_%d", compiled);
    return REAP_OK;
}

const struct reap__backend reap__cuda_backend = {
    .name = "cuda",
    .probe = probe,
    .check = check_architecture,
    .find_checked = find_checked,
};
