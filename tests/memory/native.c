/* SPDX-License-Identifier: Apache-2.0
 *
 * A program that has a stream of its own, and memory, in the vendor's interface: its copies and
 * Reap's commands alternate there, and no thread waits before the end.
 */
#include "tests/memory/memory.kernels.h"
#include "tests/support/check_status.h"

#include "src/accelerator/runtime/streams.h"
#include "src/cuda/api.h"
#include "src/opencl/api.h"

#include <reap/reap.h>

enum { LENGTH = 700, ROUNDS = 40 };
#define BYTES (LENGTH * sizeof(uint32_t))

/* One vendor's: a stream, and what is enqueued there. */
struct vendor {
    void *(*make_stream)(const reap_device *device);
    void (*make_memory)(size_t bytes, reap_native_memory *memory);
    void (*write)(void *stream, const reap_native_memory *to, const void *from, size_t bytes);
    void (*read)(void *stream, const reap_native_memory *from, void *into, size_t bytes);
    void (*wait)(void *stream);
};

static uint64_t seed;

static void expect(int error)
{
    CHECK_EQ(error, 0);
    if (error != 0)
        exit(check_finish());
}

/* ---- CUDA: a stream in the context that Reap uses ---------------------------------------------*/

static const struct reap__cuda_api *cuda;

static void *cuda_make_stream(const reap_device *device)
{
    reap_native_device native;
    struct reap__cuda_stream *stream = NULL;
    CHECK_STATUS(reap__cuda_api_get(&cuda), REAP_OK);
    CHECK_STATUS(reap_device_get_native(device, &native), REAP_OK);
    CHECK(native.device == NULL && native.ordinal >= 0 && native.context != NULL);
    CHECK_STATUS(reap_device_set_context(device, native.context), REAP_OK);
    expect(cuda->cuCtxPushCurrent(native.context));
    expect(cuda->cuStreamCreate(&stream, REAP__CUDA_STREAM_NON_BLOCKING));
    return stream;
}

static void cuda_make_memory(size_t bytes, reap_native_memory *memory)
{
    *memory = (reap_native_memory){.object = NULL};
    expect(cuda->cuMemAlloc(&memory->address, bytes));
}

static void cuda_write(void *stream, const reap_native_memory *to, const void *from, size_t bytes)
{
    expect(cuda->cuMemcpyHtoDAsync(to->address, from, bytes, stream));
}

static void cuda_read(void *stream, const reap_native_memory *from, void *into, size_t bytes)
{
    expect(cuda->cuMemcpyDtoHAsync(into, from->address, bytes, stream));
}

static void cuda_wait(void *stream)
{
    expect(cuda->cuStreamSynchronize(stream));
}

/* ---- OpenCL: a context of the program's, which is there before Reap uses the device -----------*/

static const struct reap__opencl_api *opencl;
static cl_context opencl_context;
static cl_device_id opencl_device;

static cl_device_id find_opencl_device(const char *name)
{
    enum { MOST = 32 };
    cl_platform_id platforms[MOST];
    cl_device_id devices[MOST];
    uint32_t platform_count = 0, wanted = (uint32_t)strtoul(name + strlen("opencl:"), NULL, 10);
    expect(opencl->clGetPlatformIDs(MOST, platforms, &platform_count));
    for (uint32_t p = 0; p < platform_count; p++) {
        uint32_t count = 0;
        if (opencl->clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MOST, devices, &count) !=
            CL_SUCCESS)
            continue;
        if (wanted < count)
            return devices[wanted];
        wanted -= count;
    }
    return NULL;
}

static cl_context make_opencl_context(void)
{
    int32_t error = 0;
    cl_context context = opencl->clCreateContext(NULL, 1, &opencl_device, NULL, NULL, &error);
    expect(error);
    return context;
}

static void *opencl_make_stream(const reap_device *device)
{
    reap_device_info info;
    int32_t error = 0;
    CHECK_STATUS(reap__opencl_api_get(&opencl), REAP_OK);
    CHECK_STATUS(reap_device_get_info(device, &info), REAP_OK);
    opencl_device = find_opencl_device(info.name);
    opencl_context = make_opencl_context();
    void *stream = opencl->clCreateCommandQueue(opencl_context, opencl_device, 0, &error);
    expect(error);
    return stream;
}

static void opencl_make_memory(size_t bytes, reap_native_memory *memory)
{
    int32_t error = 0;
    *memory = (reap_native_memory){
        .object = opencl->clCreateBuffer(opencl_context, CL_MEM_READ_WRITE, bytes, NULL, &error)};
    expect(error);
}

static void opencl_write(void *stream, const reap_native_memory *to, const void *from, size_t bytes)
{
    expect(opencl->clEnqueueWriteBuffer(stream, to->object, CL_FALSE, to->address, bytes, from, 0,
                                        NULL, NULL));
}

static void opencl_read(void *stream, const reap_native_memory *from, void *into, size_t bytes)
{
    expect(opencl->clEnqueueReadBuffer(stream, from->object, CL_FALSE, from->address, bytes, into,
                                       0, NULL, NULL));
}

static void opencl_wait(void *stream)
{
    expect(opencl->clFinish(stream));
}

/* Once Reap has taken the first context. */
static void check_other_context(const reap_device *device)
{
    int32_t error = 0;
    reap_queue *queue = NULL;
    cl_context other = make_opencl_context();
    cl_command_queue stream = opencl->clCreateCommandQueue(other, opencl_device, 0, &error);
    expect(error);
    CHECK_STATUS(reap_device_set_context(device, other), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_queue_create_native(device, NULL, stream, &queue),
                 REAP_ERROR_INVALID_ARGUMENT);
    CHECK_HAS(reap_last_error(), "first use");
}

/* ---- Rounds -----------------------------------------------------------------------------------*/

static const struct vendor vendors[] = {
    {cuda_make_stream, cuda_make_memory, cuda_write, cuda_read, cuda_wait},
    {opencl_make_stream, opencl_make_memory, opencl_write, opencl_read, opencl_wait},
};

/* The program writes x and reads y; Reap makes y from x, copies it, and adds it up. x is the
 * program's memory, y is Reap's. */
static void run_rounds(const struct vendor *vendor, void *stream, reap_queue *queue)
{
    static uint32_t values[ROUNDS][LENGTH], results[ROUNDS][LENGTH];
    static uint32_t found[ROUNDS][LENGTH], copied[ROUNDS][LENGTH], zeros[LENGTH];
    reap_native_memory x_native, y_native;
    void *x = NULL, *y = NULL;
    uint64_t sums[ROUNDS], wanted[ROUNDS];
    vendor->make_memory(BYTES, &x_native);
    CHECK_STATUS(reap_memory_import(reap_queue_device(queue), &x_native, BYTES, &x), REAP_OK);
    CHECK_STATUS(reap_malloc_device(reap_queue_device(queue), BYTES, &y), REAP_OK);
    CHECK_STATUS(reap_copy(queue, y, zeros, BYTES, NULL), REAP_OK);
    CHECK_STATUS(reap_memory_get_native((uint32_t *)y + 1, &y_native), REAP_OK);
    for (size_t r = 0; r < ROUNDS; r++) {
        const uint32_t with = (uint32_t)check_random(&seed);
        sums[r] = wanted[r] = r;
        for (size_t i = 0; i < LENGTH; i++) {
            values[r][i] = (uint32_t)check_random(&seed);
            results[r][i] = 31 * (r > 0 ? results[r - 1][i] : 0) + values[r][i] + with;
            wanted[r] += results[r][i];
        }
        vendor->write(stream, &x_native, values[r], BYTES);
        CHECK_STATUS(
            reap_parallel_for(queue, mix, reap_range_1d(LENGTH), .x = x, .y = y, .with = with),
            REAP_OK);
        vendor->read(stream, &y_native, found[r] + 1, BYTES - sizeof(uint32_t));
        if (r % 3 == 0)
            CHECK_STATUS(reap_copy(queue, copied[r], y, BYTES, NULL), REAP_OK);
        CHECK(reap_parallel_for(queue, add_up, reap_range_1d(LENGTH), .x = y,
                                .sum = {.variable = &sums[r]}) == REAP_OK);
    }
    vendor->wait(stream);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK(check_same(sums, wanted, sizeof sums));
    for (size_t r = 0; r < ROUNDS; r++) {
        CHECK(check_same(found[r] + 1, results[r] + 1, BYTES - sizeof(uint32_t)));
        CHECK(r % 3 != 0 || check_same(copied[r], results[r], BYTES));
    }
    CHECK(reap_free(x) == REAP_OK && reap_free(y) == REAP_OK);
}

/* ---- Mistakes ---------------------------------------------------------------------------------*/

static void check_refusals(const struct vendor *vendor, const reap_device *device, void *stream)
{
    reap_queue *queue = NULL;
    reap_buffer *buffer = NULL;
    reap_native_memory native;
    void *memory = NULL;
    CHECK(reap_queue_create_native(device, &(reap_queue_options){.out_of_order = true}, stream,
                                   &queue) == REAP_ERROR_INVALID_ARGUMENT);
    CHECK(reap_queue_create_native(device, &(reap_queue_options){.asynchronous = true}, stream,
                                   &queue) == REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_queue_create_native(device, NULL, stream, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_device_set_context(device, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_device_get_native(device, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_buffer_create(64, &buffer), REAP_OK);
    CHECK_STATUS(reap_memory_get_native(reap_buffer_data(buffer), &native),
                 REAP_ERROR_INVALID_ARGUMENT);
    CHECK_HAS(reap_last_error(), "buffer");
    CHECK_STATUS(reap_memory_get_native(&native, &native), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_memory_get_native(NULL, &native), REAP_ERROR_INVALID_ARGUMENT);
    vendor->make_memory(BYTES, &native);
    CHECK_STATUS(reap_memory_import(device, &native, BYTES + 1, &memory),
                 REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_memory_import(device, &native, 0, &memory), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_memory_import(device, NULL, BYTES, &memory), REAP_ERROR_INVALID_ARGUMENT);
    native = (reap_native_memory){.object = NULL};
    CHECK_STATUS(reap_memory_import(device, &native, BYTES, &memory), REAP_ERROR_INVALID_ARGUMENT);
    CHECK(memory == NULL && queue == NULL);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
}

static void check_host(const reap_device *host)
{
    reap_native_device native;
    reap_queue *queue = NULL;
    int here;
    CHECK_STATUS(reap_device_get_native(host, &native), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_device_set_context(host, &here), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_queue_create_native(host, NULL, &here, &queue), REAP_ERROR_INVALID_ARGUMENT);
    CHECK(strstr(reap_last_error(), "'host'") != NULL && queue == NULL);
    CHECK_STATUS(reap_device_get_native(NULL, &native), REAP_ERROR_INVALID_ARGUMENT);
}

int main(void)
{
    const reap_device *device;
    reap_device_info info;
    reap_queue *queue = NULL;
    seed = check_seed();
    reap__least_async_copy_bytes = BYTES;
    CHECK_STATUS(reap_device_default(&device), REAP_OK);
    CHECK_STATUS(reap_device_get_info(device, &info), REAP_OK);
    if (strcmp(info.backend, "host") == 0) {
        check_host(device);
        return check_finish();
    }
    const bool is_cuda = strcmp(info.backend, "cuda") == 0;
    const struct vendor *vendor = &vendors[is_cuda ? 0 : 1];
    void *stream = vendor->make_stream(device);
    CHECK_STATUS(reap_queue_create_native(device, NULL, stream, &queue), REAP_OK);
    run_rounds(vendor, stream, queue);
    check_refusals(vendor, device, stream);
    if (!is_cuda)
        check_other_context(device);
    reap_queue_release(queue);
    return check_finish();
}
