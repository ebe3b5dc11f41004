/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver of a card. It uses the primary context, as other CUDA libraries of the program do, and
 * streams of its own. Each function makes the context current and restores the previous one when it
 * returns. Only modules and memory are ever freed: devices live as long as the program.
 */
#include "src/cuda/driver.h"

#include "src/core/status.h"
#include "src/cuda/compile.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ---- Calls in the device's context ------------------------------------------------------------*/

reap_status reap__cuda_check(const struct reap__cuda_device *device, const char *call, int result)
{
    if (result == REAP__CUDA_SUCCESS)
        return REAP_OK;
    return reap__fail(result == REAP__CUDA_OUT_OF_MEMORY ? REAP_ERROR_OUT_OF_MEMORY
                                                         : REAP_ERROR_DEVICE_FAILED,
                      "device '%s': %s failed: %s (%d)", device->name, call,
                      reap__cuda_error_name(device->cuda, result), result);
}

reap_status reap__cuda_enter(const struct reap__cuda_device *device)
{
    return reap__cuda_check(device, "cuCtxPushCurrent",
                            device->cuda->cuCtxPushCurrent(device->context));
}

void reap__cuda_leave(const struct reap__cuda_device *device)
{
    struct reap__cuda_context *ours;
    device->cuda->cuCtxPopCurrent(&ours);
}

reap_status reap__cuda_leave_with(const struct reap__cuda_device *device, const char *call,
                                  int result)
{
    reap__cuda_leave(device);
    return reap__cuda_check(device, call, result);
}

/* ---- Opening ----------------------------------------------------------------------------------*/

/* Flags of cuMemHostAlloc: for all contexts, accessible to kernels. */
enum { PORTABLE_AND_MAPPED = 1 | 2 };

/* As many as launches have (REAP__MOST_MEMORIES in accelerator/runtime/launch.h). */
enum { MOST_MEMORIES = 128 };

static const char *identity(struct reap__accelerator *accelerator)
{
    return reap__cuda_device_of(accelerator)->identity;
}

/* Streams that an earlier attempt has made are kept. */
static reap_status make_streams(struct reap__cuda_device *device)
{
    int result = REAP__CUDA_SUCCESS;
    REAP_TRY(reap__cuda_enter(device));
    for (size_t s = 0; s < REAP__STREAM_COUNT && result == REAP__CUDA_SUCCESS; s++)
        if (device->streams[s] == NULL)
            result =
                device->cuda->cuStreamCreate(&device->streams[s], REAP__CUDA_STREAM_NON_BLOCKING);
    return reap__cuda_leave_with(device, "cuStreamCreate", result);
}

static reap_status open_device(struct reap__accelerator *accelerator)
{
    struct reap__cuda_device *device = reap__cuda_device_of(accelerator);
    if (device->context == NULL)
        REAP_TRY(reap__cuda_check(
            device, "cuDevicePrimaryCtxRetain",
            device->cuda->cuDevicePrimaryCtxRetain(&device->context, device->handle)));
    return make_streams(device);
}

static reap_status compile(struct reap__accelerator *accelerator, const char *text,
                           struct reap__binary *binary, char **log)
{
    const struct reap__cuda_device *device = reap__cuda_device_of(accelerator);
    const reap_status status = reap__cuda_compile(
        device->major, device->minor, text,
        device->is_absent ? REAP__CUDA_CODE_OF_A_CHECK : REAP__CUDA_MACHINE_CODE, binary, log);
    if (status == REAP_OK || status == REAP_ERROR_COMPILATION_FAILED)
        return status;
    char line[REAP__MESSAGE_BYTES]; /* the message, which does not name the card */
    snprintf(line, sizeof line, "%s", reap_last_error());
    return reap__fail(status, "device '%s': %s", device->name, line);
}

static reap_status load_module(const struct reap__cuda_device *device, const void *image,
                               void **module)
{
    char log[512] = "";
    const int options[] = {REAP__CUDA_JIT_ERROR_LOG_BUFFER,
                           REAP__CUDA_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    uintptr_t values[] = {(uintptr_t)log, sizeof log - 1};
    const int result = device->cuda->cuModuleLoadDataEx(module, image, 2, options, values);
    if (result == REAP__CUDA_SUCCESS || result == REAP__CUDA_OUT_OF_MEMORY || log[0] == '\0')
        return reap__cuda_check(device, "cuModuleLoadDataEx", result);
    log[strcspn(log, "\n")] = '\0';
    return reap__fail(REAP_ERROR_DEVICE_FAILED,
                      "device '%s': cuModuleLoadDataEx failed: %s (%d): %s", device->name,
                      reap__cuda_error_name(device->cuda, result), result, log);
}

/* Lets an entry use as much dynamic local memory as its static memory leaves. */
static reap_status find_entry(const struct reap__cuda_device *device, const char *name,
                              struct reap__program *program, size_t entry)
{
    const struct reap__cuda_api *cuda = device->cuda;
    void *function;
    int threads;
    int static_bytes;
    REAP_TRY(reap__cuda_check(device, "cuModuleGetFunction",
                              cuda->cuModuleGetFunction(&function, program->module, name)));
    REAP_TRY(reap__cuda_check(
        device, "cuFuncGetAttribute",
        cuda->cuFuncGetAttribute(&threads, REAP__CUDA_FUNCTION_MAX_THREADS_PER_BLOCK, function)));
    REAP_TRY(reap__cuda_check(
        device, "cuFuncGetAttribute",
        cuda->cuFuncGetAttribute(&static_bytes, REAP__CUDA_FUNCTION_SHARED_SIZE_BYTES, function)));
    REAP_TRY(reap__cuda_check(
        device, "cuFuncSetAttribute",
        cuda->cuFuncSetAttribute(function, REAP__CUDA_FUNCTION_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                 device->shared_bytes - static_bytes)));
    program->entries[entry] = function;
    program->most_threads[entry] = (size_t)threads;
    return REAP_OK;
}

static reap_status load_entries(const struct reap__cuda_device *device,
                                const struct reap__binary *binary, const char *const *names,
                                struct reap__program *program)
{
    struct reap__program loaded = {0};
    reap_status status = load_module(device, binary->bytes, &loaded.module);
    if (status != REAP_OK)
        return status;
    for (size_t n = 0; status == REAP_OK && names[n] != NULL; n++) {
        assert(n < REAP__MOST_ENTRIES);
        status = find_entry(device, names[n], &loaded, n);
    }
    if (status == REAP_OK)
        *program = loaded;
    else
        device->cuda->cuModuleUnload(loaded.module);
    return status;
}

static reap_status load(struct reap__accelerator *accelerator, const struct reap__binary *binary,
                        const char *const *names, struct reap__program *program)
{
    const struct reap__cuda_device *device = reap__cuda_device_of(accelerator);
    if (!reap__cuda_image_is_whole(binary->bytes, binary->size))
        return reap__fail(REAP_ERROR_DEVICE_FAILED,
                          "device '%s': %zu bytes are not code that can be loaded", device->name,
                          binary->size);
    REAP_TRY(reap__cuda_enter(device));
    const reap_status status = load_entries(device, binary, names, program);
    reap__cuda_leave(device);
    return status;
}

static void unload(struct reap__accelerator *accelerator, struct reap__program *program)
{
    const struct reap__cuda_device *device = reap__cuda_device_of(accelerator);
    if (reap__cuda_enter(device) != REAP_OK)
        return;
    device->cuda->cuModuleUnload(program->module);
    reap__cuda_leave(device);
}

static reap_status allocate(struct reap__accelerator *accelerator, size_t bytes,
                            struct reap__memory *memory)
{
    const struct reap__cuda_device *device = reap__cuda_device_of(accelerator);
    uint64_t address;
    REAP_TRY(reap__cuda_enter(device));
    const int result = device->cuda->cuMemAlloc(&address, bytes > 0 ? bytes : 1);
    if (result == REAP__CUDA_OUT_OF_MEMORY) {
        reap__cuda_leave(device);
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "device '%s': no memory for %zu bytes",
                          device->name, bytes);
    }
    if (result == REAP__CUDA_SUCCESS)
        *memory = (struct reap__memory){.address = address};
    return reap__cuda_leave_with(device, "cuMemAlloc", result);
}

/* Pinned memory has its address in `object`, too: another function frees it, and cuMemcpyAsync
 * copies it, which finds out where an address is. */
static void release(struct reap__accelerator *accelerator, struct reap__memory *memory)
{
    const struct reap__cuda_device *device = reap__cuda_device_of(accelerator);
    if (memory->address == 0 || memory->is_borrowed || reap__cuda_enter(device) != REAP_OK)
        return;
    if (memory->object != NULL)
        device->cuda->cuMemFreeHost(memory->object);
    else
        device->cuda->cuMemFree(memory->address);
    reap__cuda_leave(device);
    *memory = (struct reap__memory){.address = 0};
}

static reap_status allocate_pinned(const struct reap__cuda_device *device, size_t bytes,
                                   struct reap__memory *memory)
{
    void *host;
    REAP_TRY(reap__cuda_enter(device));
    const int result = device->cuda->cuMemHostAlloc(&host, bytes, PORTABLE_AND_MAPPED);
    REAP_TRY(reap__cuda_leave_with(device, "cuMemHostAlloc", result));
    *memory = (struct reap__memory){.object = host, .address = (uintptr_t)host, .is_hosts = true};
    return REAP_OK;
}

/* If a card has no managed memory, memory of kind shared is pinned, as that of kind host. */
static reap_status allocate_common(struct reap__accelerator *accelerator, reap_memory_kind kind,
                                   size_t bytes, struct reap__memory *memory)
{
    const struct reap__cuda_device *device = reap__cuda_device_of(accelerator);
    uint64_t address;
    if (kind == REAP_MEMORY_HOST || !device->has_managed_memory)
        return allocate_pinned(device, bytes, memory);
    REAP_TRY(reap__cuda_enter(device));
    const int result = device->cuda->cuMemAllocManaged(&address, bytes, REAP__CUDA_ATTACH_GLOBAL);
    REAP_TRY(reap__cuda_leave_with(device, "cuMemAllocManaged", result));
    *memory = (struct reap__memory){.address = address};
    return REAP_OK;
}

static reap_status prefetch(struct reap__accelerator *accelerator,
                            const struct reap__memory *memory, size_t offset, size_t bytes,
                            bool to_host)
{
    const struct reap__cuda_device *device = reap__cuda_device_of(accelerator);
    const int to = to_host ? REAP__CUDA_DEVICE_CPU : device->handle;
    if (memory->object != NULL) /* pinned; only managed memory migrates */
        return REAP_OK;
    REAP_TRY(reap__cuda_enter(device));
    const int result = device->cuda->cuMemPrefetchAsync(memory->address + offset, bytes, to,
                                                        device->streams[REAP__STREAM_COMPUTE]);
    return reap__cuda_leave_with(device, "cuMemPrefetchAsync", result);
}

/* Whether a copy from this memory reads it after the call: pageable memory is copied to a staging
 * buffer before the call returns ("API synchronization behavior" in the documentation), other
 * memory is not. Memory that CUDA does not know has no type; a query of this attribute alone would
 * fail. */
static bool is_read_later(const struct reap__cuda_device *device, const void *from)
{
    const int attribute = REAP__CUDA_POINTER_MEMORY_TYPE;
    unsigned type = 0;
    void *value = &type;
    return device->copies_without_stage ||
           device->cuda->cuPointerGetAttributes(1, &attribute, &value, (uintptr_t)from) !=
               REAP__CUDA_SUCCESS ||
           type != 0;
}

/* Waits again after a failure: the caller frees memory that a copy might still write. */
static int wait_for_copy(const struct reap__cuda_device *device, enum reap__stream stream)
{
    const int result = device->cuda->cuStreamSynchronize(device->streams[stream]);
    if (result != REAP__CUDA_SUCCESS)
        device->cuda->cuStreamSynchronize(device->streams[stream]);
    return result;
}

static reap_status write_memory(struct reap__accelerator *accelerator, enum reap__stream stream,
                                const struct reap__device_address *spot, const void *from,
                                size_t bytes)
{
    const struct reap__cuda_device *device = reap__cuda_device_of(accelerator);
    struct reap__cuda_stream *const on = device->streams[stream];
    REAP_TRY(reap__cuda_enter(device));
    const uint64_t to = spot->memory->address + spot->offset;
    int result = spot->memory->object != NULL
                     ? device->cuda->cuMemcpyAsync(to, (uintptr_t)from, bytes, on)
                     : device->cuda->cuMemcpyHtoDAsync(to, from, bytes, on);
    if (result == REAP__CUDA_SUCCESS && is_read_later(device, from))
        result = wait_for_copy(device, stream);
    return reap__cuda_leave_with(device, "a copy to the device", result);
}

static reap_status read_memory(struct reap__accelerator *accelerator, enum reap__stream stream,
                               const struct reap__device_address *spot, void *into, size_t bytes)
{
    const struct reap__cuda_device *device = reap__cuda_device_of(accelerator);
    struct reap__cuda_stream *const on = device->streams[stream];
    REAP_TRY(reap__cuda_enter(device));
    const uint64_t from = spot->memory->address + spot->offset;
    int result = spot->memory->object != NULL
                     ? device->cuda->cuMemcpyAsync((uintptr_t)into, from, bytes, on)
                     : device->cuda->cuMemcpyDtoHAsync(into, from, bytes, on);
    if (result == REAP__CUDA_SUCCESS)
        result = wait_for_copy(device, stream);
    return reap__cuda_leave_with(device, "a copy from the device", result);
}

/* Pinned memory of the host has one address for both (unified addressing). */
static reap_status share(struct reap__accelerator *accelerator, size_t bytes,
                         struct reap__memory *memory, void **host)
{
    const struct reap__cuda_device *device = reap__cuda_device_of(accelerator);
    REAP_TRY(reap__cuda_enter(device));
    const int result = device->cuda->cuMemHostAlloc(host, bytes, PORTABLE_AND_MAPPED);
    REAP_TRY(reap__cuda_leave_with(device, "cuMemHostAlloc", result));
    *memory = (struct reap__memory){.address = (uintptr_t)*host};
    return REAP_OK;
}

static reap_status fetch(struct reap__accelerator *accelerator, const struct reap__memory *memory,
                         size_t offset, size_t bytes, void *host)
{
    (void)accelerator, (void)memory, (void)offset, (void)bytes, (void)host;
    return REAP_OK; /* kernels wrote the host's memory */
}

static reap_status fill(struct reap__accelerator *accelerator, const struct reap__memory *memory,
                        size_t offset, unsigned char value, size_t bytes)
{
    const struct reap__cuda_device *device = reap__cuda_device_of(accelerator);
    REAP_TRY(reap__cuda_enter(device));
    const int result = device->cuda->cuMemsetD8Async(memory->address + offset, value, bytes,
                                                     device->streams[REAP__STREAM_COMPUTE]);
    return reap__cuda_leave_with(device, "cuMemsetD8Async", result);
}

static reap_status copy(struct reap__accelerator *accelerator, enum reap__stream stream,
                        const struct reap__device_address *to,
                        const struct reap__device_address *from, size_t bytes)
{
    const struct reap__cuda_device *device = reap__cuda_device_of(accelerator);
    REAP_TRY(reap__cuda_enter(device));
    const int result = device->cuda->cuMemcpyAsync(to->memory->address + to->offset,
                                                   from->memory->address + from->offset, bytes,
                                                   device->streams[stream]);
    return reap__cuda_leave_with(device, "cuMemcpyAsync", result);
}

/* Programmatic dependent launch, on cards that have it: a kernel starts while the one before it in
 * the stream ends, and waits for its end (reap__begin in include/reap/detail/cuda/base.h). */
static const struct reap__cuda_attribute starts_early = {
    .id = REAP__CUDA_LAUNCH_PROGRAMMATIC_SERIALIZATION, .value = {.number = 1}};

static reap_status launch(struct reap__accelerator *accelerator, const struct reap__grid *grid)
{
    const struct reap__cuda_device *device = reap__cuda_device_of(accelerator);
    const void *parameters[1 + MOST_MEMORIES] = {grid->block};
    const struct reap__cuda_launch how = {
        .grid_x = (unsigned)grid->groups,
        .grid_y = 1,
        .grid_z = 1,
        .block_x = (unsigned)grid->threads,
        .block_y = 1,
        .block_z = 1,
        .shared_bytes = (unsigned)grid->local_bytes,
        .stream = device->streams[REAP__STREAM_COMPUTE],
        .attributes = &starts_early,
        .attribute_count = device->major >= 9 ? 1 : 0,
    };
    assert(grid->groups <= INT_MAX && grid->threads <= INT_MAX && grid->local_bytes <= INT_MAX);
    if (grid->memory_count > MOST_MEMORIES)
        return reap__fail(REAP_ERROR_DEVICE_FAILED,
                          "device '%s': a launch uses %zu allocations, more than %d", device->name,
                          grid->memory_count, MOST_MEMORIES);
    for (size_t m = 0; m < grid->memory_count; m++)
        parameters[1 + m] = &grid->memories[m].address;
    REAP_TRY(reap__cuda_enter(device));
    const int result =
        device->cuda->cuLaunchKernelEx(&how, grid->program->entries[grid->entry], parameters, NULL);
    return reap__cuda_leave_with(device, "cuLaunchKernelEx", result);
}

/* After these every call on the context fails, until the program ends. */
static bool loses_context(int result)
{
    switch (result) {
    case REAP__CUDA_ECC_UNCORRECTABLE:
    case REAP__CUDA_NVLINK_UNCORRECTABLE:
    case REAP__CUDA_CONTAINED:
    case REAP__CUDA_ILLEGAL_ADDRESS:
    case REAP__CUDA_LAUNCH_TIMEOUT:
    case REAP__CUDA_CONTEXT_IS_DESTROYED:
    case REAP__CUDA_ASSERT:
    case REAP__CUDA_HARDWARE_STACK_ERROR:
    case REAP__CUDA_ILLEGAL_INSTRUCTION:
    case REAP__CUDA_MISALIGNED_ADDRESS:
    case REAP__CUDA_INVALID_ADDRESS_SPACE:
    case REAP__CUDA_INVALID_PC:
    case REAP__CUDA_LAUNCH_FAILED:
        return true;
    default:
        return false;
    }
}

static reap_status finish(struct reap__accelerator *accelerator, enum reap__stream stream,
                          bool *lost)
{
    const struct reap__cuda_device *device = reap__cuda_device_of(accelerator);
    *lost = false;
    REAP_TRY(reap__cuda_enter(device));
    const int result = device->cuda->cuStreamSynchronize(device->streams[stream]);
    *lost = loses_context(result);
    return reap__cuda_leave_with(device, "cuStreamSynchronize", result);
}

const struct reap__driver reap__cuda_driver = {
    .dialect = REAP__DIALECT_CUDA,
    .shares_results = true,
    .identity = identity,
    .open = open_device,
    .compile = compile,
    .load = load,
    .unload = unload,
    .allocate = allocate,
    .release = release,
    .write = write_memory,
    .read = read_memory,
    .allocate_results = share,
    .fetch_results = fetch,
    .fill = fill,
    .copy = copy,
    .allocate_usm = allocate_common,
    .prefetch = prefetch,
    .launch = launch,
    .record_event = reap__cuda_record_event,
    .query_event = reap__cuda_query_event,
    .wait_event = reap__cuda_stream_wait_event,
    .event_times = reap__cuda_event_times,
    .destroy_event = reap__cuda_destroy_event,
    .finish = finish,
    .native = &reap__cuda_native,
};
