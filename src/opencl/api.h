/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of OpenCL 1.2 that Reap uses, under the specification's names: handles, constants,
 * functions. The library that has the functions is opened at run time, so neither a vendor's header
 * nor a vendor's library is needed to build Reap. Not to be included beside CL/cl.h.
 */
#ifndef REAP_OPENCL_API_H
#define REAP_OPENCL_API_H

#include <reap/status.h>
#include <stddef.h>
#include <stdint.h>

typedef struct reap__cl_platform *cl_platform_id;
typedef struct reap__cl_device *cl_device_id;
typedef struct reap__cl_context *cl_context;
typedef struct reap__cl_queue *cl_command_queue;
typedef struct reap__cl_memory *cl_mem;
typedef struct reap__cl_program *cl_program;
typedef struct reap__cl_kernel *cl_kernel;
typedef struct reap__cl_event *cl_event;

/* A later notification; we never ask for it and pass NULL. */
typedef void reap__cl_context_notice(const char *, const void *, size_t, void *);
typedef void reap__cl_build_notice(cl_program, void *);

enum {
    CL_FALSE = 0,
    CL_TRUE = 1,
    CL_MEM_READ_WRITE = 1,
    CL_FP_DENORM = 1 << 0,
    CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT = 1 << 7,

    CL_DEVICE_TYPE = 0x1000,
    CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
    CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
    CL_DEVICE_MAX_WORK_ITEM_SIZES = 0x1005,
    CL_DEVICE_ADDRESS_BITS = 0x100D,
    CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,
    CL_DEVICE_MAX_PARAMETER_SIZE = 0x1017,
    CL_DEVICE_SINGLE_FP_CONFIG = 0x101B,
    CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F,
    CL_DEVICE_LOCAL_MEM_SIZE = 0x1023,
    CL_DEVICE_ENDIAN_LITTLE = 0x1026,
    CL_DEVICE_AVAILABLE = 0x1027,
    CL_DEVICE_COMPILER_AVAILABLE = 0x1028,
    CL_DEVICE_NAME = 0x102B,
    CL_DEVICE_VENDOR = 0x102C,
    CL_DRIVER_VERSION = 0x102D,
    CL_DEVICE_EXTENSIONS = 0x1030,
    CL_DEVICE_VERSION = 0x102F,
    CL_DEVICE_DOUBLE_FP_CONFIG = 0x1032,

    CL_CONTEXT_DEVICES = 0x1081,
    CL_CONTEXT_PLATFORM = 0x1084,
    CL_QUEUE_CONTEXT = 0x1090,
    CL_QUEUE_DEVICE = 0x1091,
    CL_MEM_SIZE = 0x1102,
    CL_MEM_CONTEXT = 0x1106,
    CL_PROGRAM_BINARY_SIZES = 0x1165,
    CL_PROGRAM_BINARIES = 0x1166,
    CL_PROGRAM_BUILD_LOG = 0x1183,
    CL_KERNEL_WORK_GROUP_SIZE = 0x11B0,
    CL_EVENT_COMMAND_EXECUTION_STATUS = 0x11D3,
    CL_QUEUE_PROFILING_ENABLE = 2,
    CL_PROFILING_COMMAND_END = 0x1283,

    CL_COMPLETE = 0 /* an execution status; negative ones are errors */
};

/* The types of device, a set of 64 bits: all of them but custom ones. */
#define CL_DEVICE_TYPE_CPU UINT64_C(2)
#define CL_DEVICE_TYPE_GPU UINT64_C(4)
#define CL_DEVICE_TYPE_ALL UINT64_C(0xFFFFFFFF)

#define REAP__OPENCL_ERRORS(X)                                                                     \
    X(CL_SUCCESS, 0)                                                                               \
    X(CL_DEVICE_NOT_FOUND, -1)                                                                     \
    X(CL_DEVICE_NOT_AVAILABLE, -2)                                                                 \
    X(CL_COMPILER_NOT_AVAILABLE, -3)                                                               \
    X(CL_MEM_OBJECT_ALLOCATION_FAILURE, -4)                                                        \
    X(CL_OUT_OF_RESOURCES, -5)                                                                     \
    X(CL_OUT_OF_HOST_MEMORY, -6)                                                                   \
    X(CL_PROFILING_INFO_NOT_AVAILABLE, -7)                                                         \
    X(CL_MEM_COPY_OVERLAP, -8)                                                                     \
    X(CL_IMAGE_FORMAT_MISMATCH, -9)                                                                \
    X(CL_IMAGE_FORMAT_NOT_SUPPORTED, -10)                                                          \
    X(CL_BUILD_PROGRAM_FAILURE, -11)                                                               \
    X(CL_MAP_FAILURE, -12)                                                                         \
    X(CL_MISALIGNED_SUB_BUFFER_OFFSET, -13)                                                        \
    X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, -14)                                           \
    X(CL_COMPILE_PROGRAM_FAILURE, -15)                                                             \
    X(CL_LINKER_NOT_AVAILABLE, -16)                                                                \
    X(CL_LINK_PROGRAM_FAILURE, -17)                                                                \
    X(CL_DEVICE_PARTITION_FAILED, -18)                                                             \
    X(CL_KERNEL_ARG_INFO_NOT_AVAILABLE, -19)                                                       \
    X(CL_INVALID_VALUE, -30)                                                                       \
    X(CL_INVALID_DEVICE_TYPE, -31)                                                                 \
    X(CL_INVALID_PLATFORM, -32)                                                                    \
    X(CL_INVALID_DEVICE, -33)                                                                      \
    X(CL_INVALID_CONTEXT, -34)                                                                     \
    X(CL_INVALID_QUEUE_PROPERTIES, -35)                                                            \
    X(CL_INVALID_COMMAND_QUEUE, -36)                                                               \
    X(CL_INVALID_HOST_PTR, -37)                                                                    \
    X(CL_INVALID_MEM_OBJECT, -38)                                                                  \
    X(CL_INVALID_BINARY, -42)                                                                      \
    X(CL_INVALID_BUILD_OPTIONS, -43)                                                               \
    X(CL_INVALID_PROGRAM, -44)                                                                     \
    X(CL_INVALID_PROGRAM_EXECUTABLE, -45)                                                          \
    X(CL_INVALID_KERNEL_NAME, -46)                                                                 \
    X(CL_INVALID_KERNEL_DEFINITION, -47)                                                           \
    X(CL_INVALID_KERNEL, -48)                                                                      \
    X(CL_INVALID_ARG_INDEX, -49)                                                                   \
    X(CL_INVALID_ARG_VALUE, -50)                                                                   \
    X(CL_INVALID_ARG_SIZE, -51)                                                                    \
    X(CL_INVALID_KERNEL_ARGS, -52)                                                                 \
    X(CL_INVALID_WORK_DIMENSION, -53)                                                              \
    X(CL_INVALID_WORK_GROUP_SIZE, -54)                                                             \
    X(CL_INVALID_WORK_ITEM_SIZE, -55)                                                              \
    X(CL_INVALID_GLOBAL_OFFSET, -56)                                                               \
    X(CL_INVALID_EVENT_WAIT_LIST, -57)                                                             \
    X(CL_INVALID_EVENT, -58)                                                                       \
    X(CL_INVALID_OPERATION, -59)                                                                   \
    X(CL_INVALID_BUFFER_SIZE, -61)                                                                 \
    X(CL_INVALID_GLOBAL_WORK_SIZE, -63)                                                            \
    X(CL_INVALID_PROPERTY, -64)                                                                    \
    X(CL_INVALID_COMPILER_OPTIONS, -66)                                                            \
    X(CL_INVALID_LINKER_OPTIONS, -67)                                                              \
    X(CL_PLATFORM_NOT_FOUND_KHR, -1001)

enum {
#define REAP__OPENCL_ERROR(name, number) name = number,
    REAP__OPENCL_ERRORS(REAP__OPENCL_ERROR)
#undef REAP__OPENCL_ERROR
};

/* Each function with what it returns and takes; those that return an int32_t return an error. */
#define REAP__OPENCL_FUNCTIONS(X)                                                                  \
    X(clGetPlatformIDs, int32_t, (uint32_t, cl_platform_id *, uint32_t *))                         \
    X(clGetDeviceIDs, int32_t, (cl_platform_id, uint64_t, uint32_t, cl_device_id *, uint32_t *))   \
    X(clGetDeviceInfo, int32_t, (cl_device_id, uint32_t, size_t, void *, size_t *))                \
    X(clCreateContext, cl_context,                                                                 \
      (const intptr_t *, uint32_t, const cl_device_id *, reap__cl_context_notice *, void *,        \
       int32_t *))                                                                                 \
    X(clGetContextInfo, int32_t, (cl_context, uint32_t, size_t, void *, size_t *))                 \
    X(clGetCommandQueueInfo, int32_t, (cl_command_queue, uint32_t, size_t, void *, size_t *))      \
    X(clGetMemObjectInfo, int32_t, (cl_mem, uint32_t, size_t, void *, size_t *))                   \
    X(clCreateCommandQueue, cl_command_queue, (cl_context, cl_device_id, uint64_t, int32_t *))     \
    X(clFlush, int32_t, (cl_command_queue))                                                        \
    X(clFinish, int32_t, (cl_command_queue))                                                       \
    X(clCreateBuffer, cl_mem, (cl_context, uint64_t, size_t, void *, int32_t *))                   \
    X(clReleaseMemObject, int32_t, (cl_mem))                                                       \
    X(clEnqueueReadBuffer, int32_t,                                                                \
      (cl_command_queue, cl_mem, uint32_t, size_t, size_t, void *, uint32_t, const cl_event *,     \
       cl_event *))                                                                                \
    X(clEnqueueWriteBuffer, int32_t,                                                               \
      (cl_command_queue, cl_mem, uint32_t, size_t, size_t, const void *, uint32_t,                 \
       const cl_event *, cl_event *))                                                              \
    X(clEnqueueCopyBuffer, int32_t,                                                                \
      (cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t, uint32_t, const cl_event *,       \
       cl_event *))                                                                                \
    X(clEnqueueFillBuffer, int32_t,                                                                \
      (cl_command_queue, cl_mem, const void *, size_t, size_t, size_t, uint32_t, const cl_event *, \
       cl_event *))                                                                                \
    X(clEnqueueMarkerWithWaitList, int32_t,                                                        \
      (cl_command_queue, uint32_t, const cl_event *, cl_event *))                                  \
    X(clEnqueueBarrierWithWaitList, int32_t,                                                       \
      (cl_command_queue, uint32_t, const cl_event *, cl_event *))                                  \
    X(clWaitForEvents, int32_t, (uint32_t, const cl_event *))                                      \
    X(clGetEventInfo, int32_t, (cl_event, uint32_t, size_t, void *, size_t *))                     \
    X(clGetEventProfilingInfo, int32_t, (cl_event, uint32_t, size_t, void *, size_t *))            \
    X(clReleaseEvent, int32_t, (cl_event))                                                         \
    X(clEnqueueNDRangeKernel, int32_t,                                                             \
      (cl_command_queue, cl_kernel, uint32_t, const size_t *, const size_t *, const size_t *,      \
       uint32_t, const cl_event *, cl_event *))                                                    \
    X(clCreateProgramWithSource, cl_program,                                                       \
      (cl_context, uint32_t, const char **, const size_t *, int32_t *))                            \
    X(clCreateProgramWithBinary, cl_program,                                                       \
      (cl_context, uint32_t, const cl_device_id *, const size_t *, const unsigned char **,         \
       int32_t *, int32_t *))                                                                      \
    X(clReleaseProgram, int32_t, (cl_program))                                                     \
    X(clBuildProgram, int32_t,                                                                     \
      (cl_program, uint32_t, const cl_device_id *, const char *, reap__cl_build_notice *, void *)) \
    X(clGetProgramInfo, int32_t, (cl_program, uint32_t, size_t, void *, size_t *))                 \
    X(clGetProgramBuildInfo, int32_t,                                                              \
      (cl_program, cl_device_id, uint32_t, size_t, void *, size_t *))                              \
    X(clCreateKernel, cl_kernel, (cl_program, const char *, int32_t *))                            \
    X(clReleaseKernel, int32_t, (cl_kernel))                                                       \
    X(clSetKernelArg, int32_t, (cl_kernel, uint32_t, size_t, const void *))                        \
    X(clGetKernelWorkGroupInfo, int32_t,                                                           \
      (cl_kernel, cl_device_id, uint32_t, size_t, void *, size_t *))

struct reap__opencl_api {
#define REAP__OPENCL_MEMBER(name, result, parameters) result(*name) parameters;
    REAP__OPENCL_FUNCTIONS(REAP__OPENCL_MEMBER)
#undef REAP__OPENCL_MEMBER
};

/* Sets *api to the functions, which are never freed. The first call opens the library, which is
 * never closed. Each call fails with REAP_ERROR_NO_DEVICE if it is missing or too old. Any thread.
 */
reap_status reap__opencl_api_get(const struct reap__opencl_api **api);

/* "CL_OUT_OF_RESOURCES"; "unknown error" for a number that the specification does not have. */
const char *reap__opencl_error_name(int32_t error);

#endif
