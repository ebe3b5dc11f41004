/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels written by hand in OpenCL C (opencl.cl, beside the module) on an OpenCL device that is
 * the machine's processor: PoCL. The library is opened at run time. Buffers wrap the arrays
 * where they are.
 */
#include "bench/peers/peer.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* X(member, function) */
#define FUNCTIONS(X)                                                                               \
    X(get_platforms, clGetPlatformIDs)                                                             \
    X(get_devices, clGetDeviceIDs)                                                                 \
    X(get_device_info, clGetDeviceInfo)                                                            \
    X(create_context, clCreateContext)                                                             \
    X(create_queue, clCreateCommandQueue)                                                          \
    X(create_program, clCreateProgramWithSource)                                                   \
    X(build_program, clBuildProgram)                                                               \
    X(create_kernel, clCreateKernel)                                                               \
    X(create_buffer, clCreateBuffer)                                                               \
    X(release_buffer, clReleaseMemObject)                                                          \
    X(set_argument, clSetKernelArg)                                                                \
    X(launch, clEnqueueNDRangeKernel)                                                              \
    X(read, clEnqueueReadBuffer)

static struct {
#define MEMBER(member, function) __typeof__(&function) member;
    FUNCTIONS(MEMBER)
#undef MEMBER
} cl;

enum { GROUP_SIZE = 256, MOST_SHARES = 512, SHARES_OF_THREAD = 2 };

static struct {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_kernel sum_float, dot_float, sum_double, dot_double, add_groups;
    size_t shares; /* of a sum */
    uint64_t data; /* what the buffers are of */
    size_t bytes;
    cl_mem x, y, partial[2];
} state;

/* ---- Work -------------------------------------------------------------------------------------*/

static cl_mem wrap(const void *array, size_t bytes)
{
    cl_int status;
    return cl.create_buffer(state.context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, bytes,
                            (void *)(uintptr_t)array, &status);
}

static cl_mem create(size_t bytes)
{
    cl_int status;
    return cl.create_buffer(state.context, CL_MEM_READ_WRITE, bytes, NULL, &status);
}

/* Makes buffers where the arrays are others, or longer. */
static void take_arrays(const struct bench_task *task)
{
    cl_mem *const buffers[] = {&state.x, &state.y, &state.partial[0], &state.partial[1]};
    if (task->data == state.data && task->bytes <= state.bytes && (task->y == NULL || state.y))
        return;
    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++) {
        if (*buffers[b] != NULL)
            cl.release_buffer(*buffers[b]);
        *buffers[b] = NULL;
    }
    state.data = task->data;
    state.bytes = task->bytes;
    state.x = wrap(task->x, task->bytes);
    if (task->y != NULL)
        state.y = wrap(task->y, task->bytes);
    for (int p = 0; p < 2; p++)
        state.partial[p] = create(task->bytes / GROUP_SIZE + 4096);
}

/* Leaves the shares' sums, each so many bytes. */
static void sum_shares(const struct bench_task *task, cl_kernel kernel, size_t bytes, void *sums)
{
    const cl_ulong count = task->count;
    const size_t group = 1, items = state.shares;
    take_arrays(task);
    const cl_mem *second = task->y != NULL ? &state.y : &state.x;
    cl.set_argument(kernel, 0, sizeof state.x, &state.x);
    cl.set_argument(kernel, 1, sizeof *second, second);
    cl.set_argument(kernel, 2, sizeof count, &count);
    cl.set_argument(kernel, 3, sizeof state.partial[0], &state.partial[0]);
    cl.launch(state.queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL);
    cl.read(state.queue, state.partial[0], CL_TRUE, 0, state.shares * bytes, sums, 0, NULL, NULL);
}

static void sum_floats(const struct bench_task *task, struct bench_result *result)
{
    float sums[MOST_SHARES] = {0}, sum = 0;
    sum_shares(task, task->y != NULL ? state.dot_float : state.sum_float, sizeof *sums, sums);
    for (size_t s = 0; s < state.shares; s++)
        sum += sums[s];
    result->values[0] = (double)sum;
}

static void sum_doubles(const struct bench_task *task, struct bench_result *result)
{
    double sums[MOST_SHARES] = {0}, sum = 0;
    sum_shares(task, task->y != NULL ? state.dot_double : state.sum_double, sizeof *sums, sums);
    for (size_t s = 0; s < state.shares; s++)
        sum += sums[s];
    result->values[0] = sum;
}

static void step(cl_mem input, cl_mem partial, size_t count, size_t groups)
{
    const cl_ulong length = count;
    const size_t group = GROUP_SIZE, items = groups * group;
    cl.set_argument(state.add_groups, 0, sizeof input, &input);
    cl.set_argument(state.add_groups, 1, sizeof partial, &partial);
    cl.set_argument(state.add_groups, 2, sizeof length, &length);
    cl.set_argument(state.add_groups, 3, GROUP_SIZE * sizeof(uint32_t), NULL);
    cl.launch(state.queue, state.add_groups, 1, NULL, &items, &group, 0, NULL, NULL);
}

static void tree(const struct bench_task *task, struct bench_result *result)
{
    size_t count = task->count;
    uint32_t sum = 0;
    int to = 0;
    take_arrays(task);
    cl_mem from = state.x;
    do {
        const size_t groups = (count + 2 * GROUP_SIZE - 1) / (2 * GROUP_SIZE);
        step(from, state.partial[to], count, groups);
        from = state.partial[to];
        to = !to;
        count = groups;
    } while (count > 1);
    cl.read(state.queue, from, CL_TRUE, 0, sizeof sum, &sum, 0, NULL, NULL);
    result->values[0] = sum;
}

/* ---- Opening ----------------------------------------------------------------------------------*/

static bool find_functions(void)
{
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    bool found = library != NULL;
#define FIND(member, function)                                                                     \
    if (found) {                                                                                   \
        void *address = dlsym(library, #function);                                                 \
        memcpy(&cl.member, &address, sizeof address);                                              \
        found = address != NULL;                                                                   \
    }
    FUNCTIONS(FIND)
#undef FIND
    return found;
}

/* The first device that is a processor. */
static bool find_device(void)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    if (cl.get_platforms(16, platforms, &count) != CL_SUCCESS)
        return false;
    for (cl_uint p = 0; p < count && p < 16; p++)
        if (cl.get_devices(platforms[p], CL_DEVICE_TYPE_CPU, 1, &state.device, NULL) == CL_SUCCESS)
            return true;
    return false;
}

/* The text of opencl.cl; the caller's, NULL where it cannot be read. */
static char *read_text(void)
{
    char path[1200] = "";
    Dl_info place;
    char *text = calloc(1, 1 << 16);
    if (dladdr(&state, &place) != 0 && strlen(place.dli_fname) < sizeof path)
        strcpy(path, place.dli_fname);
    const size_t length = strlen(path);
    if (length > 3)
        strcpy(path + length - 3, ".cl"); /* in place of ".so" */
    FILE *file = fopen(path, "r");
    if (text != NULL && (file == NULL || fread(text, 1, (1 << 16) - 1, file) == 0)) {
        free(text);
        text = NULL;
    }
    if (file != NULL)
        fclose(file);
    return text;
}

static bool make_kernels(const char *text)
{
    cl_int status = CL_SUCCESS;
    state.context = cl.create_context(NULL, 1, &state.device, NULL, NULL, &status);
    if (status == CL_SUCCESS)
        state.queue = cl.create_queue(state.context, state.device, 0, &status);
    if (status != CL_SUCCESS)
        return false;
    cl_program program = cl.create_program(state.context, 1, &text, NULL, &status);
    if (status != CL_SUCCESS ||
        cl.build_program(program, 1, &state.device, NULL, NULL, NULL) != CL_SUCCESS)
        return false;
    state.sum_float = cl.create_kernel(program, "sum_float", &status);
    state.dot_float = cl.create_kernel(program, "dot_float", &status);
    state.sum_double = cl.create_kernel(program, "sum_double", &status);
    state.dot_double = cl.create_kernel(program, "dot_double", &status);
    state.add_groups = cl.create_kernel(program, "add_groups", &status);
    return state.sum_float != NULL && state.dot_float != NULL && state.add_groups != NULL;
}

static const char *describe(void)
{
    static char description[256];
    char name[100] = "", version[100] = "";
    cl_uint units = 1;
    cl.get_device_info(state.device, CL_DEVICE_NAME, sizeof name, name, NULL);
    cl.get_device_info(state.device, CL_DEVICE_VERSION, sizeof version, version, NULL);
    cl.get_device_info(state.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    state.shares = SHARES_OF_THREAD * (size_t)units;
    state.shares = state.shares < MOST_SHARES ? state.shares : MOST_SHARES;
    snprintf(description, sizeof description, "%s, %s", version, name);
    return description;
}

const struct bench_peer *bench_peer_open(const char **why_not)
{
    static const struct bench_offer offers[] = {
        {"sum", BENCH_FLOAT, sum_floats},    {"dot", BENCH_FLOAT, sum_floats},
        {"launch", BENCH_FLOAT, sum_floats}, {"tree", BENCH_UINT32, tree},
        {"sum", BENCH_DOUBLE, sum_doubles},  {"dot", BENCH_DOUBLE, sum_doubles},
    };
    static struct bench_peer peer = {
        .flags = "as built by it", .offers = offers, .only_all_threads = true};
    *why_not = "no OpenCL device here is a processor";
    if (!find_functions() || !find_device())
        return NULL;
    char *text = read_text();
    const bool works = text != NULL && make_kernels(text);
    free(text);
    *why_not = "its kernels cannot be built";
    if (!works)
        return NULL;
    peer.version = describe();
    peer.offer_count = sizeof offers / sizeof *offers;
    if (state.sum_double == NULL || state.dot_double == NULL) /* a device without doubles */
        peer.offer_count -= 2;
    return &peer;
}
