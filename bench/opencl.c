/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens OpenCL at run time. The kernel is the text of bench.kernels.h in OpenCL C.
 */
#include "bench/opencl.h"

#ifdef __has_include
#if __has_include(<CL/cl.h>)
#define HAS_HEADERS 1
#endif
#endif

#ifdef HAS_HEADERS
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const char *const text =
    "__kernel void add_groups(__global const uint *input, __global uint *partial, ulong length,\n"
    "                         __local uint *scratch)\n"
    "{\n"
    "    size_t item = get_local_id(0);\n"
    "    size_t size = get_local_size(0);\n"
    "    size_t at = 2 * get_global_id(0);\n"
    "    scratch[item] = 0;\n"
    "    if (at < length)\n"
    "        scratch[item] = input[at] + (at + 1 < length ? input[at + 1] : 0);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (size_t stride = 1; stride < size; stride *= 2) {\n"
    "        size_t left = 2 * stride * item;\n"
    "        if (left + stride < size)\n"
    "            scratch[left] += scratch[left + stride];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    if (item == 0)\n"
    "        partial[get_group_id(0)] = scratch[0];\n"
    "}\n";

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
    X(set_argument, clSetKernelArg)                                                                \
    X(launch, clEnqueueNDRangeKernel)                                                              \
    X(read, clEnqueueReadBuffer)

static struct {
#define MEMBER(member, function) __typeof__(&function) member;
    FUNCTIONS(MEMBER)
#undef MEMBER
} cl;

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;
static char description[256];

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
        if (cl.get_devices(platforms[p], CL_DEVICE_TYPE_CPU, 1, &device, NULL) == CL_SUCCESS)
            return true;
    return false;
}

static bool make_kernel(void)
{
    cl_int status;
    const char *source = text;
    context = cl.create_context(NULL, 1, &device, NULL, NULL, &status);
    if (status != CL_SUCCESS)
        return false;
    queue = cl.create_queue(context, device, 0, &status);
    if (status != CL_SUCCESS)
        return false;
    cl_program program = cl.create_program(context, 1, &source, NULL, &status);
    if (status != CL_SUCCESS ||
        cl.build_program(program, 1, &device, NULL, NULL, NULL) != CL_SUCCESS)
        return false;
    kernel = cl.create_kernel(program, "add_groups", &status);
    return status == CL_SUCCESS;
}

bool opencl_open(void)
{
    static bool tried, opened;
    if (tried)
        return opened;
    tried = true;
    opened = find_functions() && find_device() && make_kernel();
    char name[100] = "", version[100] = "";
    if (opened) {
        cl.get_device_info(device, CL_DEVICE_NAME, sizeof name, name, NULL);
        cl.get_device_info(device, CL_DEVICE_VERSION, sizeof version, version, NULL);
        snprintf(description, sizeof description, "%s, %s", version, name);
    }
    return opened;
}

const char *opencl_description(void)
{
    return description;
}

static void step(cl_mem input, cl_mem partial, size_t length, size_t group_size, size_t groups)
{
    const cl_ulong length_argument = length;
    const size_t items = groups * group_size;
    cl.set_argument(kernel, 0, sizeof input, &input);
    cl.set_argument(kernel, 1, sizeof partial, &partial);
    cl.set_argument(kernel, 2, sizeof length_argument, &length_argument);
    cl.set_argument(kernel, 3, group_size * sizeof(uint32_t), NULL);
    cl.launch(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
}

/* The buffers are made once, for one array. */
uint32_t opencl_tree_sum(const uint32_t *x, size_t count, size_t group_size)
{
    static const uint32_t *made_for;
    static cl_mem input, partial[2];
    cl_int status;
    if (made_for != x) {
        const size_t bytes = (count / group_size + 1) * sizeof *x;
        input = cl.create_buffer(context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, count * sizeof *x,
                                 (void *)(uintptr_t)x, &status);
        partial[0] = cl.create_buffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);
        partial[1] = cl.create_buffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);
        made_for = x;
    }
    cl_mem from = input;
    int to = 0;
    do {
        const size_t groups = (count + 2 * group_size - 1) / (2 * group_size);
        step(from, partial[to], count, group_size, groups);
        from = partial[to];
        to = !to;
        count = groups;
    } while (count > 1);
    uint32_t sum = 0;
    cl.read(queue, from, CL_TRUE, 0, sizeof sum, &sum, 0, NULL, NULL);
    return sum;
}

#else

bool opencl_open(void)
{
    return false;
}

const char *opencl_description(void)
{
    return "";
}

uint32_t opencl_tree_sum(const uint32_t *x, size_t count, size_t group_size)
{
    (void)x, (void)count, (void)group_size;
    return 0;
}

#endif
