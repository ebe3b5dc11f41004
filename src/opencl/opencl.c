/* SPDX-License-Identifier: Apache-2.0
 *
 * The OpenCL backend: finds the devices and their properties, and names them opencl:0, opencl:1 and
 * so on in the order of the platforms. Contexts and queues are made at a device's first use.
 */
#include "src/accelerator/driver.h"
#include "src/core/backend.h"
#include "src/core/status.h"
#include "src/opencl/api.h"
#include "src/opencl/driver.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_PLATFORMS = 32,
    MOST_DEVICES = 32,
    MOST_DIMENSIONS = 8,
    EXTENSIONS_BYTES = 16384,
    LEAST_PARAMETER_BYTES = 1024 /* what OpenCL 1.2 asks for */
};

/* All under the lock of the list of devices. */
static struct reap__opencl_device devices[MOST_DEVICES];
static const struct reap_device *list[MOST_DEVICES];
static size_t device_count;

static bool is_blank(char character)
{
    return character == ' ' || (character >= '\t' && character <= '\r');
}

/* A text of clGetDeviceInfo, as one line without blanks around it; "" if there is none. */
static void get_text(const struct reap__opencl_api *api, cl_device_id id, uint32_t parameter,
                     char text[REAP__OPENCL_TEXT_BYTES])
{
    char said[REAP__OPENCL_TEXT_BYTES] = "";
    if (api->clGetDeviceInfo(id, parameter, sizeof said - 1, said, NULL) != CL_SUCCESS)
        said[0] = '\0';
    size_t first = 0;
    size_t end = strlen(said);
    while (is_blank(said[first]))
        first++;
    while (end > first && is_blank(said[end - 1]))
        end--;
    for (size_t i = first; i < end; i++)
        text[i - first] = said[i];
    text[end - first] = '\0';
    for (char *c = text; *c != '\0'; c++)
        if (is_blank(*c))
            *c = ' ';
}

/* A number of 32 or 64 bits of clGetDeviceInfo; 0 if the query fails. */
static uint64_t get_number(const struct reap__opencl_api *api, cl_device_id id, uint32_t parameter)
{
    union {
        uint32_t narrow;
        uint64_t wide;
    } number = {.wide = 0};
    size_t bytes = 0;
    if (api->clGetDeviceInfo(id, parameter, sizeof number, &number, &bytes) != CL_SUCCESS)
        return 0;
    return bytes == sizeof number.narrow ? number.narrow : number.wide;
}

/* Whether a version "OpenCL 3.0 PoCL" is 1.2 or later. */
static bool is_recent(const char *version)
{
    static const char word[] = "OpenCL ";
    if (strncmp(version, word, sizeof word - 1) != 0)
        return false;
    const char *const number = version + sizeof word - 1;
    if (number[0] == '1')
        return number[1] == '.' && number[2] >= '2' && number[2] <= '9';
    return number[0] >= '2' && number[0] <= '9';
}

/* Returns why a device cannot be used; NULL: it can be. */
static const char *find_fault(const struct reap__opencl_api *api, cl_device_id id)
{
    char version[REAP__OPENCL_TEXT_BYTES] = "";
    get_text(api, id, CL_DEVICE_VERSION, version);
    if (get_number(api, id, CL_DEVICE_AVAILABLE) == 0)
        return "is not available";
    if (!is_recent(version))
        return "is older than OpenCL 1.2";
    if (get_number(api, id, CL_DEVICE_COMPILER_AVAILABLE) == 0)
        return "has no compiler";
    if (get_number(api, id, CL_DEVICE_ENDIAN_LITTLE) == 0)
        return "is big-endian";
    if (get_number(api, id, CL_DEVICE_ADDRESS_BITS) != 64)
        return "does not have addresses of 64 bits";
    if (get_number(api, id, CL_DEVICE_MAX_PARAMETER_SIZE) < LEAST_PARAMETER_BYTES)
        return "takes less than 1024 bytes of parameters";
    return NULL;
}

/* NVIDIA's compiler has variadic macros unless an option names a version of the language
 * before 3.0; other compilers need that option, or they take a later version. */
static const char *choose_options(bool is_nvidia, bool rounds_division)
{
    if (is_nvidia)
        return rounds_division ? "-w -cl-fp32-correctly-rounded-divide-sqrt" : "-w";
    return rounds_division ? "-w -cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt"
                           : "-w -cl-std=CL1.2";
}

/* The option for texts whose atomic operations have a memory order: the newest language version of
 * the device that has them. NULL: it has none. */
static const char *choose_options_for_orders(const char *version, bool rounds_division)
{
    const char *const number = version + sizeof "OpenCL " - 1;
    if (*number == '1')
        return NULL;
    if (*number == '2')
        return rounds_division ? "-w -cl-std=CL2.0 -cl-fp32-correctly-rounded-divide-sqrt"
                               : "-w -cl-std=CL2.0";
    return rounds_division ? "-w -cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt"
                           : "-w -cl-std=CL3.0";
}

static size_t find_max_group(const struct reap__opencl_api *api, cl_device_id id)
{
    size_t sizes[MOST_DIMENSIONS] = {0}; /* along each dimension; we launch along one */
    const size_t most = (size_t)get_number(api, id, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    const int32_t error =
        api->clGetDeviceInfo(id, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL);
    return error == CL_SUCCESS && sizes[0] > 0 && sizes[0] < most ? sizes[0] : most;
}

static void describe_device(struct reap__opencl_device *device)
{
    const struct reap__opencl_api *const api = device->api;
    cl_device_id id = device->id;
    reap_device_info *const info = &device->accelerator.device.info;
    get_text(api, id, CL_DEVICE_NAME, device->description);
    info->name = device->name;
    info->description = device->description;
    info->backend = reap__opencl_backend.name;
    info->instruction_set = "";
    info->compute_units = (size_t)get_number(api, id, CL_DEVICE_MAX_COMPUTE_UNITS);
    info->global_memory_bytes = get_number(api, id, CL_DEVICE_GLOBAL_MEM_SIZE);
    info->local_memory_bytes = (size_t)get_number(api, id, CL_DEVICE_LOCAL_MEM_SIZE);
    info->max_work_group_size = find_max_group(api, id);
    device->max_allocation_bytes = get_number(api, id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
}

/* Extensions are one text with blanks between them, much longer than other texts. */
static bool has_extension(const struct reap__opencl_api *api, cl_device_id id, const char *name)
{
    char list_of_all[EXTENSIONS_BYTES] = "";
    const size_t length = strlen(name);
    if (api->clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS, sizeof list_of_all - 1, list_of_all, NULL) !=
        CL_SUCCESS)
        return false;
    for (const char *at = list_of_all; (at = strstr(at, name)) != NULL; at += length)
        if ((at == list_of_all || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* The limits for which results may differ from those of other devices. */
static const char *find_limits(const struct reap__accelerator *accelerator, bool rounds_division,
                               bool has_denormals)
{
    static const char *const sentences[] = {
        "",
        "has no doubles",
        "does not round float division and square root correctly",
        "has no doubles, and does not round float division and square root correctly",
        "flushes denormal floats to zero",
        "has no doubles, and flushes denormal floats to zero",
        "does not round float division and square root correctly, and flushes denormal floats to "
        "zero",
        "has no doubles, does not round float division correctly, and flushes denormal floats to "
        "zero",
    };
    return sentences[(accelerator->has_doubles ? 0 : 1) + (rounds_division ? 0 : 2) +
                     (has_denormals ? 0 : 4)];
}

static unsigned find_aspects(const struct reap__opencl_device *device, uint64_t single)
{
    const struct reap__accelerator *accelerator = &device->accelerator;
    const uint64_t type = get_number(device->api, device->id, CL_DEVICE_TYPE);
    const struct {
        bool has;
        reap_aspect aspect;
    } found[] = {
        {(type & CL_DEVICE_TYPE_CPU) != 0, REAP_ASPECT_CPU},
        {(type & CL_DEVICE_TYPE_GPU) != 0, REAP_ASPECT_GPU},
        {accelerator->has_doubles, REAP_ASPECT_FP64},
        {accelerator->has_wide_atomics, REAP_ASPECT_ATOMIC64},
        {(single & CL_FP_DENORM) != 0, REAP_ASPECT_FP32_DENORMALS},
        {(single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0, REAP_ASPECT_FP32_CORRECT_DIVISION},
    };
    unsigned aspects = 0;
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        aspects |= found[i].has ? REAP__ASPECT_BIT(found[i].aspect) : 0;
    return aspects;
}

/* Whether there are doubles is decided by their floating-point configuration alone: from OpenCL 1.2
 * on every device reports one, which is 0 without doubles. */
static void describe_accelerator(struct reap__opencl_device *device)
{
    const struct reap__opencl_api *const api = device->api;
    cl_device_id id = device->id;
    struct reap__accelerator *const accelerator = &device->accelerator;
    char vendor[REAP__OPENCL_TEXT_BYTES];
    char version[REAP__OPENCL_TEXT_BYTES];
    get_text(api, id, CL_DEVICE_VENDOR, vendor);
    get_text(api, id, CL_DEVICE_VERSION, version);
    const bool is_nvidia = strstr(vendor, "NVIDIA") != NULL;
    const uint64_t single = get_number(api, id, CL_DEVICE_SINGLE_FP_CONFIG);
    device->options =
        choose_options(is_nvidia, (single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0);
    device->options_for_orders =
        choose_options_for_orders(version, (single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0);
    accelerator->has_orders = device->options_for_orders != NULL;
    accelerator->has_doubles = get_number(api, id, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
    accelerator->has_wide_atomics = has_extension(api, id, "cl_khr_int64_base_atomics") &&
                                    has_extension(api, id, "cl_khr_int64_extended_atomics");
    accelerator->device.aspects = find_aspects(device, single);
    accelerator->device.info.limits =
        find_limits(accelerator, (single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0,
                    (single & CL_FP_DENORM) != 0);
    accelerator->orders_groups = is_nvidia;
    accelerator->has_warps = is_nvidia;
    accelerator->is_processor = (get_number(api, id, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
    accelerator->max_parameter_bytes = (size_t)get_number(api, id, CL_DEVICE_MAX_PARAMETER_SIZE);
}

static void identify(struct reap__opencl_device *device)
{
    char name[REAP__OPENCL_TEXT_BYTES];
    char version[REAP__OPENCL_TEXT_BYTES];
    char driver[REAP__OPENCL_TEXT_BYTES];
    get_text(device->api, device->id, CL_DEVICE_NAME, name);
    get_text(device->api, device->id, CL_DEVICE_VERSION, version);
    get_text(device->api, device->id, CL_DRIVER_VERSION, driver);
    snprintf(device->identity, sizeof device->identity, "%s, %s, driver %s, options %s", name,
             version, driver, device->options);
}

/* A property that a device does not report is 0. */
static bool knows_its_sizes(const struct reap__opencl_device *device)
{
    const reap_device_info *info = &device->accelerator.device.info;
    return info->max_work_group_size > 0 && info->global_memory_bytes > 0 &&
           info->local_memory_bytes > 0 && device->max_allocation_bytes > 0;
}

/* Adds a device. Returns why it cannot be used; NULL: it was added. */
static const char *add_device(const struct reap__opencl_api *api, cl_platform_id platform,
                              cl_device_id id)
{
    struct reap__opencl_device *const device = &devices[device_count];
    device->api = api;
    device->platform = platform;
    device->id = id;
    snprintf(device->name, sizeof device->name, "opencl:%zu", device_count);
    describe_device(device);
    describe_accelerator(device);
    if (!knows_its_sizes(device))
        return "does not report the sizes of its memory and its work-groups";
    identify(device);
    device->accelerator.device.backend = &reap__opencl_backend;
    device->accelerator.device.functions = &reap__accelerator_functions;
    device->accelerator.driver = &reap__opencl_driver;
    pthread_mutex_init(&device->accelerator.lock, NULL);
    pthread_cond_init(&device->accelerator.served, NULL);
    list[device_count++] = &device->accelerator.device;
    return NULL;
}

/* Adds a platform's devices. If one cannot be used, *fault is the reason and `whose` its name. */
static void add_platform(const struct reap__opencl_api *api, cl_platform_id platform,
                         const char **fault, char whose[REAP__OPENCL_TEXT_BYTES])
{
    cl_device_id ids[MOST_DEVICES];
    uint32_t count = 0;
    if (api->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MOST_DEVICES, ids, &count) != CL_SUCCESS)
        return;
    for (uint32_t i = 0; i < count && i < MOST_DEVICES && device_count < MOST_DEVICES; i++) {
        const char *found = find_fault(api, ids[i]);
        if (found == NULL)
            found = add_device(api, platform, ids[i]);
        if (found == NULL)
            continue;
        *fault = found;
        get_text(api, ids[i], CL_DEVICE_NAME, whose);
    }
}

static reap_status find_devices(const struct reap__opencl_api *api)
{
    cl_platform_id platforms[MOST_PLATFORMS];
    char whose[REAP__OPENCL_TEXT_BYTES] = "";
    const char *fault = NULL;
    uint32_t count = 0;
    const int32_t error = api->clGetPlatformIDs(MOST_PLATFORMS, platforms, &count);
    if (error == CL_PLATFORM_NOT_FOUND_KHR || (error == CL_SUCCESS && count == 0))
        return reap__fail(REAP_ERROR_NO_DEVICE, "opencl: no platform is installed (a device's "
                                                "vendor has one; pocl-opencl-icd is one for "
                                                "processors)");
    if (error != CL_SUCCESS)
        return reap__fail(REAP_ERROR_NO_DEVICE, "opencl: clGetPlatformIDs failed: %s (%d)",
                          reap__opencl_error_name(error), (int)error);
    for (uint32_t i = 0; i < count && i < MOST_PLATFORMS; i++)
        add_platform(api, platforms[i], &fault, whose);
    if (device_count > 0)
        return REAP_OK;
    if (fault != NULL)
        return reap__fail(REAP_ERROR_NO_DEVICE, "opencl: no device can be used: '%s' %s", whose,
                          fault);
    return reap__fail(REAP_ERROR_NO_DEVICE, "opencl: the platforms here have no device");
}

/* Devices that were found earlier are kept, since they may be open. */
static reap_status probe(const struct reap_device *const **found, size_t *count)
{
    const struct reap__opencl_api *api;
    REAP_TRY(reap__opencl_api_get(&api));
    if (device_count == 0)
        REAP_TRY(find_devices(api));
    *found = list;
    *count = device_count;
    return REAP_OK;
}

const struct reap__backend reap__opencl_backend = {
    .name = "opencl",
    .probe = probe,
};
