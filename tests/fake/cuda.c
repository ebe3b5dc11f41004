/* SPDX-License-Identifier: Apache-2.0
 *
 * libcuda.so.1 without a card: the functions of src/cuda/api.h, and no others. Compiled code is the
 * text that nvrtc.c was given. Only what Reap does is possible here: anything else is a misuse.
 */
#include "src/cuda/api.h"
#include "tests/fake/work.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the library's functions, each with the name that is looked up. */
#define PROTOTYPE(name, symbol, parameters) int name parameters __asm__(symbol);
REAP__CUDA_FUNCTIONS(PROTOTYPE)

enum { MOST_FUNCTIONS = 4, MOST_MEMORIES = 128, OTHER_ERROR = 801, SHARED_BYTES = 232448 };

struct function {
    char name[40];
    const char *text;
};

struct module {
    struct function functions[MOST_FUNCTIONS];
    size_t function_count;
    char *text;
};

struct reap__cuda_context {
    int retained;
};

struct reap__cuda_stream {
    int unused;
};

static struct reap__cuda_context context;
static struct reap__cuda_stream stream;
static int current; /* how often the context was made current */

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
        return OTHER_ERROR;
    }
}

static int begin(const char *name, enum fake_call call)
{
    if (call != FAKE_ASKS && current == 0)
        fake_misuse("no context is current");
    return error_of(fake_begin(name, call));
}

static unsigned char *pointer(uint64_t address)
{
    unsigned char *memory;
    memcpy(&memory, &address, sizeof memory);
    return memory;
}

/* ---- The driver and its card ------------------------------------------------------------------*/

int cuInit(unsigned flags)
{
    const int error = begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    (void)flags;
    return fake_plan()->has_no_device ? REAP__CUDA_NO_DEVICE : REAP__CUDA_SUCCESS;
}

int cuDriverGetVersion(int *version)
{
    const int error = begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    *version = fake_plan()->cuda_version != 0 ? fake_plan()->cuda_version : 13000;
    return REAP__CUDA_SUCCESS;
}

int cuGetErrorName(int result, const char **name)
{
    const int error = begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    *name = result == REAP__CUDA_OUT_OF_MEMORY   ? "CUDA_ERROR_OUT_OF_MEMORY"
            : result == REAP__CUDA_LAUNCH_FAILED ? "CUDA_ERROR_LAUNCH_FAILED"
            : result == OTHER_ERROR              ? "CUDA_ERROR_NOT_SUPPORTED"
                                                 : NULL;
    return *name != NULL ? REAP__CUDA_SUCCESS : 1;
}

int cuDeviceGetCount(int *count)
{
    const int error = begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    *count = 1;
    return REAP__CUDA_SUCCESS;
}

int cuDeviceGet(int *device, int ordinal)
{
    const int error = begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    *device = ordinal;
    return REAP__CUDA_SUCCESS;
}

int cuDeviceGetName(char *name, int bytes, int device)
{
    const int error = begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    (void)device;
    snprintf(name, (size_t)bytes, "Fake card");
    return REAP__CUDA_SUCCESS;
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    const int error = begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    (void)device;
    switch (attribute) {
    case REAP__CUDA_MAX_THREADS_PER_BLOCK:
        *value = 1024;
        break;
    case REAP__CUDA_MULTIPROCESSOR_COUNT:
        *value = 132;
        break;
    case REAP__CUDA_COMPUTE_CAPABILITY_MAJOR:
        *value = 9;
        break;
    case REAP__CUDA_MANAGED_MEMORY:
    case REAP__CUDA_CONCURRENT_MANAGED_ACCESS:
        *value = 1;
        break;
    case REAP__CUDA_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
        *value = SHARED_BYTES;
        break;
    default:
        *value = 0;
        break;
    }
    return REAP__CUDA_SUCCESS;
}

int cuDeviceTotalMem(size_t *bytes, int device)
{
    const int error = begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    (void)device;
    *bytes = (size_t)80 << 30;
    return REAP__CUDA_SUCCESS;
}

/* ---- Contexts and streams ---------------------------------------------------------------------*/

int cuDevicePrimaryCtxRetain(struct reap__cuda_context **made, int device)
{
    const int error = begin(__func__, FAKE_ASKS);
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
    const int error = begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    (void)device;
    context.retained--;
    fake_count(FAKE_CONTEXT, -1);
    return REAP__CUDA_SUCCESS;
}

int cuCtxPushCurrent(struct reap__cuda_context *pushed)
{
    const int error = begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    if (pushed != &context || context.retained == 0)
        fake_misuse("a context that there is not");
    current++;
    return REAP__CUDA_SUCCESS;
}

int cuCtxPopCurrent(struct reap__cuda_context **popped)
{
    const int error = begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    if (current == 0)
        fake_misuse("popped more contexts than were pushed");
    current--;
    *popped = &context;
    return REAP__CUDA_SUCCESS;
}

int cuStreamCreate(struct reap__cuda_stream **made, unsigned flags)
{
    const int error = begin(__func__, FAKE_MAKES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    if (flags != REAP__CUDA_STREAM_NON_BLOCKING)
        fake_misuse("a stream that waits for others");
    fake_count(FAKE_STREAM, 1);
    *made = &stream;
    return REAP__CUDA_SUCCESS;
}

static void check_stream(const struct reap__cuda_stream *used)
{
    if (used != &stream || fake_alive(FAKE_STREAM) == 0)
        fake_misuse("a stream that there is not");
}

int cuStreamSynchronize(struct reap__cuda_stream *used)
{
    check_stream(used);
    const int error = begin(__func__, FAKE_WAITS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    return REAP__CUDA_SUCCESS;
}

/* ---- Modules ----------------------------------------------------------------------------------*/

int cuModuleLoadDataEx(void **made, const void *image, unsigned count, const int *options,
                       uintptr_t *values)
{
    const int error = begin(__func__, FAKE_MAKES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    if (count != 2 || options[0] != REAP__CUDA_JIT_ERROR_LOG_BUFFER ||
        options[1] != REAP__CUDA_JIT_ERROR_LOG_BUFFER_SIZE_BYTES || values[1] == 0)
        fake_misuse("options that there are not");
    struct module *module = calloc(1, sizeof *module);
    if (module == NULL)
        abort();
    module->text = strdup(image);
    fake_count(FAKE_MODULE, 1);
    *made = module;
    return REAP__CUDA_SUCCESS;
}

int cuModuleUnload(void *unloaded)
{
    struct module *module = unloaded;
    const int error = begin(__func__, FAKE_MAKES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    fake_count(FAKE_MODULE, -1);
    free(module->text);
    free(module);
    return REAP__CUDA_SUCCESS;
}

int cuModuleGetFunction(void **function, void *of, const char *name)
{
    struct module *module = of;
    const int error = begin(__func__, FAKE_MAKES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    if (module->function_count == MOST_FUNCTIONS || fake_memories(module->text, name) == 0) {
        fake_misuse("a function that there is not");
        return OTHER_ERROR;
    }
    struct function *found = &module->functions[module->function_count++];
    snprintf(found->name, sizeof found->name, "%s", name);
    found->text = module->text;
    *function = found;
    return REAP__CUDA_SUCCESS;
}

int cuFuncGetAttribute(int *value, int attribute, void *function)
{
    const int error = begin(__func__, FAKE_MAKES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    (void)function;
    *value = attribute == REAP__CUDA_FUNCTION_SHARED_SIZE_BYTES ? 0 : 1024;
    return REAP__CUDA_SUCCESS;
}

int cuFuncSetAttribute(void *function, int attribute, int value)
{
    const int error = begin(__func__, FAKE_MAKES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    (void)function;
    if (attribute != REAP__CUDA_FUNCTION_MAX_DYNAMIC_SHARED_SIZE_BYTES || value > SHARED_BYTES)
        fake_misuse("an attribute that there is not");
    return REAP__CUDA_SUCCESS;
}

/* ---- Memory and launches ----------------------------------------------------------------------*/

int cuMemAlloc(uint64_t *address, size_t bytes)
{
    const int error = begin(__func__, FAKE_MAKES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    *address = (uintptr_t)fake_memory_make(bytes);
    return REAP__CUDA_SUCCESS;
}

/* Of the host. */
int cuMemHostAlloc(void **host, size_t bytes, unsigned flags)
{
    const int error = begin(__func__, FAKE_MAKES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    if (flags != (1 | 2))
        fake_misuse("memory that not all contexts and kernels see");
    *host = fake_memory_make(bytes);
    return REAP__CUDA_SUCCESS;
}

int cuMemAllocManaged(uint64_t *address, size_t bytes, unsigned flags)
{
    const int error = begin(__func__, FAKE_MAKES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    if (flags != REAP__CUDA_ATTACH_GLOBAL || bytes == 0)
        fake_misuse("managed memory that there cannot be");
    *address = (uintptr_t)fake_memory_make(bytes);
    return REAP__CUDA_SUCCESS;
}

int cuMemFreeHost(void *host)
{
    const int error = begin(__func__, FAKE_WAITS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    fake_memory_release(host);
    return REAP__CUDA_SUCCESS;
}

int cuMemPrefetchAsync(uint64_t address, size_t bytes, int device, struct reap__cuda_stream *used)
{
    const int error = begin(__func__, FAKE_ENQUEUES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    check_stream(used);
    if (device != 0 && device != REAP__CUDA_DEVICE_CPU)
        fake_misuse("a device that there is not");
    fake_memory_has(pointer(address), bytes);
    return REAP__CUDA_SUCCESS;
}

/* CUDA itself waits here; whoever relies on that waits without knowing it. */
int cuMemFree(uint64_t address)
{
    const int error = begin(__func__, FAKE_WAITS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    fake_memory_release(pointer(address));
    return REAP__CUDA_SUCCESS;
}

int cuMemcpyHtoDAsync(uint64_t to, const void *from, size_t bytes, struct reap__cuda_stream *used)
{
    const int error = begin(__func__, FAKE_ENQUEUES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    check_stream(used);
    if (fake_memory_has(pointer(to), bytes))
        fake_copy(pointer(to), from, bytes, true);
    return REAP__CUDA_SUCCESS;
}

int cuMemcpyDtoHAsync(void *to, uint64_t from, size_t bytes, struct reap__cuda_stream *used)
{
    const int error = begin(__func__, FAKE_ENQUEUES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    check_stream(used);
    if (fake_memory_has(pointer(from), bytes))
        fake_copy(to, pointer(from), bytes, false);
    return REAP__CUDA_SUCCESS;
}

/* Between memories, or one and the program's own. */
int cuMemcpyAsync(uint64_t to, uint64_t from, size_t bytes, struct reap__cuda_stream *used)
{
    const int error = begin(__func__, FAKE_ENQUEUES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    check_stream(used);
    const bool is_ours = fake_memory_is(pointer(from), bytes);
    if (is_ours || fake_memory_has(pointer(to), bytes))
        fake_copy(pointer(to), pointer(from), bytes, !is_ours);
    return REAP__CUDA_SUCCESS;
}

int cuMemsetD8Async(uint64_t to, unsigned char value, size_t bytes, struct reap__cuda_stream *used)
{
    const int error = begin(__func__, FAKE_ENQUEUES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    check_stream(used);
    if (fake_memory_has(pointer(to), bytes))
        fake_fill(pointer(to), value, bytes);
    return REAP__CUDA_SUCCESS;
}

/* The host's own memory is unknown to the driver, which is an error and not a failure. */
int cuPointerGetAttributes(unsigned count, const int *attributes, void **values, uint64_t address)
{
    const int error = begin(__func__, FAKE_ASKS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    (void)address;
    if (count != 1 || attributes[0] != REAP__CUDA_POINTER_MEMORY_TYPE)
        fake_misuse("an attribute that there is not");
    *(unsigned *)values[0] = 0;
    return REAP__CUDA_SUCCESS;
}

int cuLaunchKernelEx(const struct reap__cuda_launch *how, void *launched, const void **parameters,
                     void **extra)
{
    const struct function *function = launched;
    unsigned char *memories[MOST_MEMORIES];
    const int error = begin(__func__, FAKE_ENQUEUES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    check_stream(how->stream);
    const struct fake_launch launch = {.text = function->text,
                                       .entry = function->name,
                                       .groups = how->grid_x,
                                       .threads = how->block_x,
                                       .local_bytes = how->shared_bytes,
                                       .block = parameters[0],
                                       .block_bytes = fake_words(function->text) * sizeof(uint64_t),
                                       .memories = memories,
                                       .memory_count =
                                           fake_memories(function->text, function->name)};
    if (how->grid_x == 0 || how->grid_y != 1 || how->grid_z != 1 || how->block_x == 0 ||
        how->block_x > 1024 || how->block_y != 1 || how->block_z != 1 || extra != NULL ||
        how->shared_bytes > SHARED_BYTES)
        fake_misuse("a launch that there cannot be");
    for (size_t m = 0; m < launch.memory_count; m++) {
        uint64_t address;
        memcpy(&address, parameters[1 + m], sizeof address);
        memories[m] = pointer(address);
        if (address != 0)
            fake_memory_has(memories[m], 1);
    }
    fake_launch(&launch);
    return REAP__CUDA_SUCCESS;
}
