/* SPDX-License-Identifier: Apache-2.0
 *
 * libOpenCL.so.1 with one platform and one device: the functions of src/opencl/api.h, and no
 * others. A program's binary is its text. Only what Reap does is possible here: anything else is a
 * misuse.
 */
#include "tests/fake/opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MEMORIES = 128, MOST_BLOCK_BYTES = 4096 };

struct reap__cl_platform {
    int unused;
};
struct reap__cl_device {
    int unused;
};
struct reap__cl_context {
    int unused;
};
struct reap__cl_program {
    int users; /* the program's and its kernels' */
    char *text;
    bool is_built;
};
struct reap__cl_kernel {
    struct reap__cl_program *program;
    char name[40];
    unsigned char block[MOST_BLOCK_BYTES];
    size_t block_bytes;
    unsigned char *memories[MOST_MEMORIES];
    size_t memory_count;
    size_t local_bytes;
};

static struct reap__cl_platform platform;
static struct reap__cl_device device;
static struct reap__cl_context context;

static int32_t error_of(enum fake_fault fault)
{
    switch (fault) {
    case FAKE_FINE:
        return CL_SUCCESS;
    case FAKE_NO_MEMORY:
        return CL_OUT_OF_HOST_MEMORY;
    case FAKE_LOST:
    case FAKE_LOST_LATER:
        return CL_INVALID_COMMAND_QUEUE;
    default:
        return CL_OUT_OF_RESOURCES;
    }
}

int32_t fake_opencl_begin(const char *name, enum fake_call call)
{
    return error_of(fake_begin(name, call));
}

void fake_opencl_check(bool are_right)
{
    if (!are_right)
        fake_misuse("a handle or a value that there is not");
}

bool fake_opencl_is_device(cl_context in, cl_device_id on)
{
    return in == &context && on == &device;
}

/* ---- What there is ----------------------------------------------------------------------------*/

static int32_t answer(const void *value, size_t bytes, size_t size, void *into, size_t *needed)
{
    if (needed != NULL)
        *needed = bytes;
    if (into == NULL)
        return CL_SUCCESS;
    if (size < bytes)
        return CL_INVALID_VALUE;
    memcpy(into, value, bytes);
    return CL_SUCCESS;
}

int32_t clGetPlatformIDs(uint32_t most, cl_platform_id *platforms, uint32_t *count)
{
    FAKE_ALONE;
    const int32_t error = fake_opencl_begin(__func__, FAKE_ASKS);
    if (error != CL_SUCCESS)
        return error;
    fake_opencl_check(most > 0);
    if (fake_plan()->has_no_platform)
        return CL_PLATFORM_NOT_FOUND_KHR;
    *platforms = &platform;
    *count = 1;
    return CL_SUCCESS;
}

int32_t clGetDeviceIDs(cl_platform_id of, uint64_t type, uint32_t most, cl_device_id *devices,
                       uint32_t *count)
{
    FAKE_ALONE;
    const int32_t error = fake_opencl_begin(__func__, FAKE_ASKS);
    if (error != CL_SUCCESS)
        return error;
    fake_opencl_check(of == &platform && type == CL_DEVICE_TYPE_ALL && most > 0);
    if (fake_plan()->has_no_device)
        return CL_DEVICE_NOT_FOUND;
    *devices = &device;
    *count = 1;
    return CL_SUCCESS;
}

static const char *text_about(uint32_t parameter)
{
    switch (parameter) {
    case CL_DEVICE_NAME:
        return "Fake device";
    case CL_DEVICE_VENDOR:
        return getenv("FAKE_VENDOR") != NULL ? getenv("FAKE_VENDOR") : "Unknown";
    case CL_DRIVER_VERSION:
        return "1.0";
    case CL_DEVICE_VERSION:
        return fake_plan()->opencl_version != NULL ? fake_plan()->opencl_version
                                                   : "OpenCL 3.0 Fake";
    case CL_DEVICE_EXTENSIONS:
        return "cl_khr_int64_base_atomics cl_khr_int64_extended_atomics";
    default:
        return NULL;
    }
}

static uint64_t local_bytes(void)
{
    const char *given = getenv("FAKE_SHARED_MEMORY");
    return given != NULL ? strtoull(given, NULL, 10) : 65536;
}

static uint64_t number_about(uint32_t parameter)
{
    switch (parameter) {
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
        return 1024;
    case CL_DEVICE_ADDRESS_BITS:
        return 64;
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
    case CL_DEVICE_GLOBAL_MEM_SIZE:
        return (uint64_t)1 << 32;
    case CL_DEVICE_MAX_PARAMETER_SIZE:
        return 4096;
    case CL_DEVICE_LOCAL_MEM_SIZE:
        return local_bytes();
    case CL_DEVICE_SINGLE_FP_CONFIG:
    case CL_DEVICE_DOUBLE_FP_CONFIG:
        return CL_FP_DENORM | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
    default:
        return 1; /* CL_TRUE, among others */
    }
}

int32_t clGetDeviceInfo(cl_device_id of, uint32_t parameter, size_t size, void *value,
                        size_t *needed)
{
    static const size_t sizes[3] = {1024, 1024, 64};
    FAKE_ALONE;
    const int32_t error = fake_opencl_begin(__func__, FAKE_ASKS);
    if (error != CL_SUCCESS)
        return error;
    fake_opencl_check(of == &device);
    const char *text = text_about(parameter);
    const uint64_t number = number_about(parameter);
    if (text != NULL)
        return answer(text, strlen(text) + 1, size, value, needed);
    if (parameter == CL_DEVICE_MAX_WORK_ITEM_SIZES)
        return answer(sizes, sizeof sizes, size, value, needed);
    return answer(&number, sizeof number, size, value, needed);
}

/* ---- Contexts, queues, memory -----------------------------------------------------------------*/

cl_context clCreateContext(const intptr_t *properties, uint32_t count, const cl_device_id *devices,
                           reap__cl_context_notice *notice, void *owner, int32_t *error)
{
    FAKE_ALONE;
    *error = fake_opencl_begin(__func__, FAKE_MAKES);
    if (*error != CL_SUCCESS)
        return NULL;
    fake_opencl_check(properties[0] == CL_CONTEXT_PLATFORM &&
                      properties[1] == (intptr_t)&platform && properties[2] == 0 && count == 1 &&
                      *devices == &device && notice == NULL && owner == NULL);
    fake_count(FAKE_CONTEXT, 1);
    return &context;
}

cl_mem clCreateBuffer(cl_context in, uint64_t flags, size_t bytes, void *host, int32_t *error)
{
    FAKE_ALONE;
    *error = fake_opencl_begin(__func__, FAKE_MAKES);
    if (*error != CL_SUCCESS)
        return NULL;
    fake_opencl_check(in == &context && flags == CL_MEM_READ_WRITE && bytes > 0 && host == NULL);
    return (cl_mem)(void *)fake_memory_make(bytes);
}

/* OpenCL keeps memory until the queue needs it no more; Reap counts on nothing of the kind. */
int32_t clReleaseMemObject(cl_mem memory)
{
    FAKE_ALONE;
    const int32_t error = fake_opencl_begin(__func__, FAKE_WAITS);
    if (error != CL_SUCCESS)
        return error;
    fake_memory_release((unsigned char *)memory);
    return CL_SUCCESS;
}

static unsigned char *place(cl_command_queue in, cl_mem memory, size_t offset, size_t bytes,
                            bool waits_for_none)
{
    unsigned char *at = (unsigned char *)memory + offset;
    fake_opencl_check(fake_opencl_is_queue(in) && bytes > 0 && waits_for_none &&
                      fake_memory_has(at, bytes));
    return at;
}

static void finish_where(cl_command_queue in, bool is_blocking)
{
    const struct fake_mark end = fake_mark(fake_opencl_stream(in));
    if (is_blocking)
        fake_work_until(&end);
}

int32_t clEnqueueReadBuffer(cl_command_queue in, cl_mem memory, uint32_t is_blocking, size_t offset,
                            size_t bytes, void *into, uint32_t events, const cl_event *wait_for,
                            cl_event *event)
{
    FAKE_ALONE;
    const int32_t error = fake_opencl_begin(__func__, is_blocking ? FAKE_REACHES : FAKE_ENQUEUES);
    if (error != CL_SUCCESS)
        return error;
    const unsigned char *at =
        place(in, memory, offset, bytes, events == 0 && wait_for == NULL && event == NULL);
    fake_copy(fake_opencl_stream(in), into, at, bytes, false);
    finish_where(in, is_blocking);
    return CL_SUCCESS;
}

int32_t clEnqueueWriteBuffer(cl_command_queue in, cl_mem memory, uint32_t is_blocking,
                             size_t offset, size_t bytes, const void *from, uint32_t events,
                             const cl_event *wait_for, cl_event *event)
{
    FAKE_ALONE;
    const int32_t error = fake_opencl_begin(__func__, is_blocking ? FAKE_REACHES : FAKE_ENQUEUES);
    if (error != CL_SUCCESS)
        return error;
    unsigned char *at =
        place(in, memory, offset, bytes, events == 0 && wait_for == NULL && event == NULL);
    fake_copy(fake_opencl_stream(in), at, from, bytes, false);
    finish_where(in, is_blocking);
    return CL_SUCCESS;
}

int32_t clEnqueueFillBuffer(cl_command_queue in, cl_mem memory, const void *pattern, size_t size,
                            size_t offset, size_t bytes, uint32_t events, const cl_event *wait_for,
                            cl_event *event)
{
    FAKE_ALONE;
    const int32_t error = fake_opencl_begin(__func__, FAKE_ENQUEUES);
    if (error != CL_SUCCESS)
        return error;
    unsigned char *at =
        place(in, memory, offset, bytes, events == 0 && wait_for == NULL && event == NULL);
    fake_opencl_check(size > 0 && size <= 128 && (size & (size - 1)) == 0 && offset % size == 0 &&
                      bytes % size == 0);
    fake_opencl_check(memcmp(pattern, (const char *)pattern + 1, size - 1) == 0); /* one byte */
    fake_fill(fake_opencl_stream(in), at, *(const unsigned char *)pattern, bytes);
    return CL_SUCCESS;
}

int32_t clEnqueueCopyBuffer(cl_command_queue in, cl_mem from, cl_mem to, size_t from_offset,
                            size_t to_offset, size_t bytes, uint32_t events,
                            const cl_event *wait_for, cl_event *event)
{
    FAKE_ALONE;
    const int32_t error = fake_opencl_begin(__func__, FAKE_ENQUEUES);
    if (error != CL_SUCCESS)
        return error;
    const bool waits_for_none = events == 0 && wait_for == NULL && event == NULL;
    unsigned char *at = place(in, to, to_offset, bytes, waits_for_none);
    fake_copy(fake_opencl_stream(in), at, place(in, from, from_offset, bytes, waits_for_none),
              bytes, false);
    return CL_SUCCESS;
}

/* ---- Programs ---------------------------------------------------------------------------------*/

static cl_program make_program(const void *text, size_t bytes)
{
    cl_program program = calloc(1, sizeof *program);
    char *copy = calloc(bytes + 1, 1);
    if (program == NULL || copy == NULL)
        abort();
    memcpy(copy, text, bytes);
    *program = (struct reap__cl_program){.users = 1, .text = copy};
    fake_count(FAKE_MODULE, 1);
    return program;
}

cl_program clCreateProgramWithSource(cl_context in, uint32_t count, const char **texts,
                                     const size_t *sizes, int32_t *error)
{
    FAKE_ALONE;
    *error = fake_opencl_begin(__func__, FAKE_ASKS);
    if (*error != CL_SUCCESS)
        return NULL;
    fake_opencl_check(in == &context && count == 1 && sizes == NULL);
    return make_program(*texts, strlen(*texts));
}

cl_program clCreateProgramWithBinary(cl_context in, uint32_t count, const cl_device_id *devices,
                                     const size_t *sizes, const unsigned char **binaries,
                                     int32_t *are_valid, int32_t *error)
{
    FAKE_ALONE;
    *error = fake_opencl_begin(__func__, FAKE_MAKES);
    if (*error != CL_SUCCESS)
        return NULL;
    fake_opencl_check(in == &context && count == 1 && *devices == &device);
    *are_valid = CL_SUCCESS;
    return make_program(*binaries, *sizes);
}

static void release_program(cl_program program)
{
    if (--program->users > 0)
        return;
    free(program->text);
    free(program);
    fake_count(FAKE_MODULE, -1);
}

int32_t clReleaseProgram(cl_program program)
{
    FAKE_ALONE;
    const int32_t error = fake_opencl_begin(__func__, FAKE_ASKS);
    if (error != CL_SUCCESS)
        return error;
    release_program(program);
    return CL_SUCCESS;
}

int32_t clBuildProgram(cl_program program, uint32_t count, const cl_device_id *devices,
                       const char *options, reap__cl_build_notice *notice, void *owner)
{
    FAKE_ALONE;
    const int32_t error = fake_opencl_begin(__func__, FAKE_ASKS);
    if (error != CL_SUCCESS)
        return error;
    fake_opencl_check(count == 1 && *devices == &device && options != NULL && notice == NULL &&
                      owner == NULL);
    program->is_built = fake_plan()->compiler_log == NULL;
    return program->is_built ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE;
}

int32_t clGetProgramInfo(cl_program program, uint32_t parameter, size_t size, void *value,
                         size_t *needed)
{
    FAKE_ALONE;
    const int32_t error = fake_opencl_begin(__func__, FAKE_ASKS);
    if (error != CL_SUCCESS)
        return error;
    const size_t bytes = strlen(program->text);
    fake_opencl_check(program->is_built);
    if (parameter == CL_PROGRAM_BINARY_SIZES)
        return answer(&bytes, sizeof bytes, size, value, needed);
    unsigned char *into;
    fake_opencl_check(parameter == CL_PROGRAM_BINARIES && size == sizeof into);
    memcpy(&into, value, sizeof into);
    memcpy(into, program->text, bytes);
    return CL_SUCCESS;
}

int32_t clGetProgramBuildInfo(cl_program program, cl_device_id on, uint32_t parameter, size_t size,
                              void *value, size_t *needed)
{
    const char *log = fake_plan()->compiler_log != NULL ? fake_plan()->compiler_log : "";
    FAKE_ALONE;
    const int32_t error = fake_opencl_begin(__func__, FAKE_ASKS);
    if (error != CL_SUCCESS)
        return error;
    fake_opencl_check(program != NULL && on == &device && parameter == CL_PROGRAM_BUILD_LOG);
    return answer(log, strlen(log) + 1, size, value, needed);
}

cl_kernel clCreateKernel(cl_program program, const char *name, int32_t *error)
{
    FAKE_ALONE;
    *error = fake_opencl_begin(__func__, FAKE_MAKES);
    if (*error != CL_SUCCESS)
        return NULL;
    fake_opencl_check(program->is_built);
    cl_kernel kernel = calloc(1, sizeof *kernel);
    if (kernel == NULL)
        abort();
    kernel->program = program;
    program->users++;
    snprintf(kernel->name, sizeof kernel->name, "%s", name);
    kernel->memory_count = fake_memories(program->text, name);
    fake_opencl_check(kernel->memory_count > 0);
    return kernel;
}

int32_t clReleaseKernel(cl_kernel kernel)
{
    FAKE_ALONE;
    const int32_t error = fake_opencl_begin(__func__, FAKE_ASKS);
    if (error != CL_SUCCESS)
        return error;
    release_program(kernel->program);
    free(kernel);
    return CL_SUCCESS;
}

int32_t clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id on, uint32_t parameter, size_t size,
                                 void *value, size_t *needed)
{
    const size_t most = 1024;
    FAKE_ALONE;
    const int32_t error = fake_opencl_begin(__func__, FAKE_ASKS);
    if (error != CL_SUCCESS)
        return error;
    fake_opencl_check(kernel != NULL && on == &device && parameter == CL_KERNEL_WORK_GROUP_SIZE);
    return answer(&most, sizeof most, size, value, needed);
}

/* ---- Launches ---------------------------------------------------------------------------------*/

int32_t clSetKernelArg(cl_kernel kernel, uint32_t index, size_t size, const void *value)
{
    FAKE_ALONE;
    const int32_t error = fake_opencl_begin(__func__, FAKE_ASKS);
    if (error != CL_SUCCESS)
        return error;
    if (index == 0) {
        kernel->block_bytes = size;
        kernel->local_bytes = 0;
        if (size != fake_words(kernel->program->text) * sizeof(uint64_t) || size > MOST_BLOCK_BYTES)
            return CL_INVALID_ARG_SIZE;
        memcpy(kernel->block, value, size);
    } else if (index <= kernel->memory_count) {
        if (size != sizeof(cl_mem))
            return CL_INVALID_ARG_SIZE;
        memcpy(&kernel->memories[index - 1], value, size);
    } else {
        if (index > kernel->memory_count + 1 || value != NULL)
            return CL_INVALID_ARG_INDEX;
        kernel->local_bytes = size;
    }
    return CL_SUCCESS;
}

int32_t clEnqueueNDRangeKernel(cl_command_queue in, cl_kernel kernel, uint32_t dimensions,
                               const size_t *offset, const size_t *items, const size_t *group,
                               uint32_t events, const cl_event *wait_for, cl_event *event)
{
    FAKE_ALONE;
    const int32_t error = fake_opencl_begin(__func__, FAKE_ENQUEUES);
    if (error != CL_SUCCESS)
        return error;
    if (kernel->local_bytes == 0 && fake_has_local(kernel->program->text, kernel->name))
        return CL_INVALID_KERNEL_ARGS;
    fake_opencl_check(fake_opencl_is_queue(in) && dimensions == 1 && offset == NULL && *group > 0 &&
                      *group <= 1024 && *items > 0 && *items % *group == 0 && events == 0 &&
                      wait_for == NULL && event == NULL);
    for (size_t m = 0; m < kernel->memory_count; m++)
        if (kernel->memories[m] != NULL)
            fake_memory_has(kernel->memories[m], 1);
    fake_launch(&(const struct fake_launch){.text = kernel->program->text,
                                            .entry = kernel->name,
                                            .groups = *group > 0 ? *items / *group : 0,
                                            .threads = *group,
                                            .local_bytes = kernel->local_bytes,
                                            .block = kernel->block,
                                            .block_bytes = kernel->block_bytes,
                                            .memories = kernel->memories,
                                            .memory_count = kernel->memory_count});
    return CL_SUCCESS;
}
