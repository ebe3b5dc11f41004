/* SPDX-License-Identifier: Apache-2.0
 *
 * libcuda.so.1 without a card: the functions of src/cuda/api.h, and no others; what compiled code
 * is and what a launch does stands elsewhere (cuda.h). Only what Reap does is possible here:
 * anything else is a misuse.
 */
#include "tests/fake/cuda.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reap__cuda_context {
    int retained;
};

static struct reap__cuda_context context;
static _Thread_local int current; /* how often the context was made current */

static int error_of(enum fake_fault fault)
{
    switch (fault) {
    case FAKE_FINE:
        return REAP__CUDA_SUCCESS;
    case FAKE_NO_MEMORY:
        return REAP__CUDA_OUT_OF_MEMORY;
    case FAKE_LOST:
    case FAKE_LOST_LATER:
        return REAP__CUDA_LAUNCH_FAILED;
    default:
        return FAKE_CUDA_OTHER_ERROR;
    }
}

int fake_cuda_begin(const char *name, enum fake_call call)
{
    if (call != FAKE_ASKS && current == 0)
        fake_misuse("no context is current");
    return error_of(fake_begin(name, call));
}

bool fake_cuda_has_context(void)
{
    return current > 0;
}

unsigned char *fake_cuda_pointer(uint64_t address)
{
    unsigned char *memory;
    memcpy(&memory, &address, sizeof memory);
    return memory;
}

/* ---- The driver and its card ------------------------------------------------------------------*/

int cuInit(unsigned flags)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    (void)flags;
    return fake_plan()->has_no_device ? REAP__CUDA_NO_DEVICE : REAP__CUDA_SUCCESS;
}

int cuDriverGetVersion(int *version)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    *version = fake_plan()->cuda_version != 0 ? fake_plan()->cuda_version : 13000;
    return REAP__CUDA_SUCCESS;
}

int cuGetErrorName(int result, const char **name)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    *name = result == REAP__CUDA_OUT_OF_MEMORY   ? "CUDA_ERROR_OUT_OF_MEMORY"
            : result == REAP__CUDA_LAUNCH_FAILED ? "CUDA_ERROR_LAUNCH_FAILED"
            : result == FAKE_CUDA_OTHER_ERROR    ? "CUDA_ERROR_NOT_SUPPORTED"
                                                 : NULL;
    return *name != NULL ? REAP__CUDA_SUCCESS : 1;
}

int cuDeviceGetCount(int *count)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    *count = 1;
    return REAP__CUDA_SUCCESS;
}

int cuDeviceGet(int *device, int ordinal)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    *device = ordinal;
    return REAP__CUDA_SUCCESS;
}

int cuDeviceGetName(char *name, int bytes, int device)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    (void)device;
    snprintf(name, (size_t)bytes, "%s", fake_cuda_name());
    return REAP__CUDA_SUCCESS;
}

/* Of a group. */
static size_t shared_bytes(void)
{
    const char *given = getenv("FAKE_SHARED_MEMORY");
    return given != NULL ? strtoull(given, NULL, 10) : FAKE_CUDA_SHARED_BYTES;
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    (void)device;
    switch (attribute) {
    case REAP__CUDA_MAX_THREADS_PER_BLOCK:
        *value = 1024;
        break;
    case REAP__CUDA_MULTIPROCESSOR_COUNT:
        *value = fake_cuda_multiprocessors();
        break;
    case REAP__CUDA_COMPUTE_CAPABILITY_MAJOR:
        *value = 9;
        break;
    case REAP__CUDA_MANAGED_MEMORY:
    case REAP__CUDA_CONCURRENT_MANAGED_ACCESS:
        *value = 1;
        break;
    case REAP__CUDA_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
        *value = (int)shared_bytes();
        break;
    default:
        *value = 0;
        break;
    }
    return REAP__CUDA_SUCCESS;
}

int cuDeviceTotalMem(size_t *bytes, int device)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    (void)device;
    *bytes = (size_t)80 << 30;
    return REAP__CUDA_SUCCESS;
}

/* ---- Contexts ---------------------------------------------------------------------------------*/

int cuDevicePrimaryCtxRetain(struct reap__cuda_context **made, int device)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    (void)device;
    context.retained++;
    fake_count(FAKE_CONTEXT, 1);
    *made = &context;
    return REAP__CUDA_SUCCESS;
}

int cuDevicePrimaryCtxRelease(int device)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    (void)device;
    context.retained--;
    fake_count(FAKE_CONTEXT, -1);
    return REAP__CUDA_SUCCESS;
}

struct reap__cuda_context *fake_cuda_context(void)
{
    return &context;
}

int cuCtxGetDevice(int *device)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    if (current == 0)
        fake_misuse("no context is current");
    *device = 0;
    return REAP__CUDA_SUCCESS;
}

int cuCtxPushCurrent(struct reap__cuda_context *pushed)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    if (pushed != &context || context.retained == 0)
        fake_misuse("a context that there is not");
    current++;
    return REAP__CUDA_SUCCESS;
}

int cuCtxPopCurrent(struct reap__cuda_context **popped)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    if (current == 0)
        fake_misuse("popped more contexts than were pushed");
    current--;
    *popped = &context;
    return REAP__CUDA_SUCCESS;
}

/* ---- Memory -----------------------------------------------------------------------------------*/

int cuFuncSetAttribute(void *function, int attribute, int value)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_MAKES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    (void)function;
    if (attribute != REAP__CUDA_FUNCTION_MAX_DYNAMIC_SHARED_SIZE_BYTES ||
        (size_t)value > shared_bytes())
        fake_misuse("an attribute that there is not");
    return REAP__CUDA_SUCCESS;
}

int cuMemAlloc(uint64_t *address, size_t bytes)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_MAKES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    if (fake_memory_is_short(bytes))
        return REAP__CUDA_OUT_OF_MEMORY;
    *address = (uintptr_t)fake_memory_make(bytes);
    return REAP__CUDA_SUCCESS;
}

/* Of the host. */
int cuMemHostAlloc(void **host, size_t bytes, unsigned flags)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_MAKES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    if (flags != (1 | 2))
        fake_misuse("memory that not all contexts and kernels see");
    *host = fake_memory_make(bytes);
    return REAP__CUDA_SUCCESS;
}

int cuMemAllocManaged(uint64_t *address, size_t bytes, unsigned flags)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_MAKES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    if (flags != REAP__CUDA_ATTACH_GLOBAL || bytes == 0)
        fake_misuse("managed memory that there cannot be");
    *address = (uintptr_t)fake_memory_make(bytes);
    return REAP__CUDA_SUCCESS;
}

int cuMemFreeHost(void *host)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_WAITS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    fake_memory_release(host);
    return REAP__CUDA_SUCCESS;
}

int cuMemPrefetchAsync(uint64_t address, size_t bytes, int device, struct reap__cuda_stream *used)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_ENQUEUES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    fake_cuda_stream(used);
    if (device != 0 && device != REAP__CUDA_DEVICE_CPU)
        fake_misuse("a device that there is not");
    fake_memory_has(fake_cuda_pointer(address), bytes);
    return REAP__CUDA_SUCCESS;
}

int cuMemGetAddressRange(uint64_t *begin, size_t *bytes, uint64_t address)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    if (!fake_memory_is(fake_cuda_pointer(address), 1))
        return FAKE_CUDA_OTHER_ERROR;
    *begin = address;
    for (*bytes = 0; fake_memory_is(fake_cuda_pointer(address), *bytes + 1);)
        ++*bytes;
    return REAP__CUDA_SUCCESS;
}

/* CUDA itself waits here; a program that relies on that waits unintentionally. */
int cuMemFree(uint64_t address)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_WAITS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    fake_memory_release(fake_cuda_pointer(address));
    return REAP__CUDA_SUCCESS;
}

int cuMemcpyHtoDAsync(uint64_t to, const void *from, size_t bytes, struct reap__cuda_stream *used)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_ENQUEUES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    const size_t on = fake_cuda_stream(used);
    if (fake_memory_has(fake_cuda_pointer(to), bytes))
        fake_copy(on, fake_cuda_pointer(to), from, bytes, !fake_memory_is(from, bytes));
    return REAP__CUDA_SUCCESS;
}

int cuMemcpyDtoHAsync(void *to, uint64_t from, size_t bytes, struct reap__cuda_stream *used)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_ENQUEUES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    const size_t on = fake_cuda_stream(used);
    if (fake_memory_has(fake_cuda_pointer(from), bytes))
        fake_copy(on, to, fake_cuda_pointer(from), bytes, false);
    return REAP__CUDA_SUCCESS;
}

/* Between memories, or one and the program's own. */
int cuMemcpyAsync(uint64_t to, uint64_t from, size_t bytes, struct reap__cuda_stream *used)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_ENQUEUES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    const size_t on = fake_cuda_stream(used);
    const bool is_ours = fake_memory_is(fake_cuda_pointer(from), bytes);
    if (is_ours || fake_memory_has(fake_cuda_pointer(to), bytes))
        fake_copy(on, fake_cuda_pointer(to), fake_cuda_pointer(from), bytes, !is_ours);
    return REAP__CUDA_SUCCESS;
}

int cuMemsetD8Async(uint64_t to, unsigned char value, size_t bytes, struct reap__cuda_stream *used)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_ENQUEUES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    const size_t on = fake_cuda_stream(used);
    if (fake_memory_has(fake_cuda_pointer(to), bytes))
        fake_fill(on, fake_cuda_pointer(to), value, bytes);
    return REAP__CUDA_SUCCESS;
}

/* The host's own memory is unknown to the driver, which is an error and not a failure. */
int cuPointerGetAttributes(unsigned count, const int *attributes, void **values, uint64_t address)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    if (count != 1 || attributes[0] != REAP__CUDA_POINTER_MEMORY_TYPE)
        fake_misuse("an attribute that there is not");
    *(unsigned *)values[0] = fake_memory_is(fake_cuda_pointer(address), 1) ? 1 : 0;
    return REAP__CUDA_SUCCESS;
}

void fake_cuda_look_at_launch(const struct reap__cuda_launch *how, const void **parameters,
                              void **extra, unsigned char **memories, size_t memory_count)
{
    if (fake_cuda_stream(how->stream) != 0)
        fake_misuse("a launch on another stream than that of work");
    if (how->grid_x == 0 || how->grid_y != 1 || how->grid_z != 1 || how->block_x == 0 ||
        how->block_x > 1024 || how->block_y != 1 || how->block_z != 1 || extra != NULL ||
        how->shared_bytes > shared_bytes())
        fake_misuse("a launch that there cannot be");
    for (size_t m = 0; m < memory_count; m++) {
        uint64_t address;
        memcpy(&address, parameters[1 + m], sizeof address);
        memories[m] = fake_cuda_pointer(address);
        if (address != 0)
            fake_memory_has(memories[m], 1);
    }
}
