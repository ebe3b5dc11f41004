/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of CUDA's driver API (libcuda) and of its run-time compiler (NVRTC) that Reap
 * calls, declared from their public documentation. Neither library is needed to build; each is
 * opened at its first use, independently of the other, and never closed. Of a function with several
 * versions this is the one that CUDA 12 and 13 use for the plain name, except cuMemPrefetchAsync,
 * which is CUDA 12's: drivers of CUDA 11 do not have that of CUDA 13.
 */
#ifndef REAP_CUDA_API_H
#define REAP_CUDA_API_H

#include <reap/status.h>
#include <stddef.h>
#include <stdint.h>

/* Results: CUresult and nvrtcResult. */
enum {
    REAP__CUDA_SUCCESS = 0,
    REAP__CUDA_OUT_OF_MEMORY = 2,
    REAP__CUDA_NO_DEVICE = 100,
    REAP__CUDA_ECC_UNCORRECTABLE = 214,
    REAP__CUDA_NVLINK_UNCORRECTABLE = 220,
    REAP__CUDA_CONTAINED = 226,
    REAP__CUDA_NOT_READY = 600,
    REAP__CUDA_ILLEGAL_ADDRESS = 700,
    REAP__CUDA_LAUNCH_TIMEOUT = 702,
    REAP__CUDA_CONTEXT_IS_DESTROYED = 709,
    REAP__CUDA_ASSERT = 710,
    REAP__CUDA_HARDWARE_STACK_ERROR = 714,
    REAP__CUDA_ILLEGAL_INSTRUCTION = 715,
    REAP__CUDA_MISALIGNED_ADDRESS = 716,
    REAP__CUDA_INVALID_ADDRESS_SPACE = 717,
    REAP__CUDA_INVALID_PC = 718,
    REAP__CUDA_LAUNCH_FAILED = 719,
    REAP__NVRTC_SUCCESS = 0,
    REAP__NVRTC_OUT_OF_MEMORY = 1,
    REAP__NVRTC_COMPILATION = 6,
};

/* CUdevice_attribute. */
enum {
    REAP__CUDA_MAX_THREADS_PER_BLOCK = 1,
    REAP__CUDA_MULTIPROCESSOR_COUNT = 16,
    REAP__CUDA_COMPUTE_MODE = 20,
    REAP__CUDA_COMPUTE_CAPABILITY_MAJOR = 75,
    REAP__CUDA_COMPUTE_CAPABILITY_MINOR = 76,
    REAP__CUDA_MANAGED_MEMORY = 83,
    REAP__CUDA_CONCURRENT_MANAGED_ACCESS = 89,
    REAP__CUDA_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
    REAP__CUDA_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES = 100,
};

/* CUfunction_attribute, CUpointer_attribute, CUjit_option, CUcomputemode, CUstream_flags,
 * CUevent_flags, CUlaunchAttributeID, CUmemAttach_flags, and the device that represents the host.
 */
enum {
    REAP__CUDA_FUNCTION_MAX_THREADS_PER_BLOCK = 0,
    REAP__CUDA_FUNCTION_SHARED_SIZE_BYTES = 1,
    REAP__CUDA_FUNCTION_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
    REAP__CUDA_POINTER_MEMORY_TYPE = 2,
    REAP__CUDA_JIT_ERROR_LOG_BUFFER = 5,
    REAP__CUDA_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
    REAP__CUDA_COMPUTE_MODE_PROHIBITED = 2,
    REAP__CUDA_STREAM_NON_BLOCKING = 1,
    REAP__CUDA_EVENT_DEFAULT = 0,
    REAP__CUDA_EVENT_DISABLE_TIMING = 2,
    REAP__CUDA_LAUNCH_PROGRAMMATIC_SERIALIZATION = 6,
    REAP__CUDA_ATTACH_GLOBAL = 1,
    REAP__CUDA_DEVICE_CPU = -1,
};

/* CUlaunchConfig, and a CUlaunchAttribute whose value is a number. */
struct reap__cuda_attribute {
    int id;
    char padding[4];
    union {
        int number;
        char bytes[64];
    } value;
};

struct reap__cuda_launch {
    unsigned grid_x, grid_y, grid_z;
    unsigned block_x, block_y, block_z;
    unsigned shared_bytes;
    struct reap__cuda_stream *stream;
    const struct reap__cuda_attribute *attributes;
    unsigned attribute_count;
};

struct reap__cuda_context;
struct reap__cuda_stream;
struct reap__cuda_event;
struct reap__nvrtc_program;

/* X(name, symbol, parameters). All return a CUresult; an address is a CUdeviceptr. Some parameters
 * are const or integers here and not in CUDA's headers, but are passed in the same way: the value
 * of a JIT option is a pointer, or a number passed as one. */
#define REAP__CUDA_FUNCTIONS(X)                                                                    \
    X(cuInit, "cuInit", (unsigned flags))                                                          \
    X(cuDriverGetVersion, "cuDriverGetVersion", (int *version))                                    \
    X(cuGetErrorName, "cuGetErrorName", (int result, const char **name))                           \
    X(cuDeviceGetCount, "cuDeviceGetCount", (int *count))                                          \
    X(cuDeviceGet, "cuDeviceGet", (int *device, int ordinal))                                      \
    X(cuDeviceGetName, "cuDeviceGetName", (char *name, int bytes, int device))                     \
    X(cuDeviceGetAttribute, "cuDeviceGetAttribute", (int *value, int attribute, int device))       \
    X(cuDeviceTotalMem, "cuDeviceTotalMem_v2", (size_t * bytes, int device))                       \
    X(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain",                                        \
      (struct reap__cuda_context * *context, int device))                                          \
    X(cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", (int device))                     \
    X(cuCtxPushCurrent, "cuCtxPushCurrent_v2", (struct reap__cuda_context * context))              \
    X(cuCtxPopCurrent, "cuCtxPopCurrent_v2", (struct reap__cuda_context * *context))               \
    X(cuCtxGetDevice, "cuCtxGetDevice", (int *device))                                             \
    X(cuStreamGetCtx, "cuStreamGetCtx",                                                            \
      (struct reap__cuda_stream * stream, struct reap__cuda_context * *context))                   \
    X(cuMemGetAddressRange, "cuMemGetAddressRange_v2",                                             \
      (uint64_t * begin, size_t * bytes, uint64_t address))                                        \
    X(cuStreamCreate, "cuStreamCreate", (struct reap__cuda_stream * *stream, unsigned flags))      \
    X(cuStreamSynchronize, "cuStreamSynchronize", (struct reap__cuda_stream * stream))             \
    X(cuEventCreate, "cuEventCreate", (struct reap__cuda_event * *event, unsigned flags))          \
    X(cuEventRecord, "cuEventRecord",                                                              \
      (struct reap__cuda_event * event, struct reap__cuda_stream * stream))                        \
    X(cuStreamWaitEvent, "cuStreamWaitEvent",                                                      \
      (struct reap__cuda_stream * stream, struct reap__cuda_event * event, unsigned flags))        \
    X(cuEventQuery, "cuEventQuery", (struct reap__cuda_event * event))                             \
    X(cuEventSynchronize, "cuEventSynchronize", (struct reap__cuda_event * event))                 \
    X(cuEventDestroy, "cuEventDestroy_v2", (struct reap__cuda_event * event))                      \
    X(cuEventElapsedTime, "cuEventElapsedTime",                                                    \
      (float *milliseconds, struct reap__cuda_event *first, struct reap__cuda_event *second))      \
    X(cuModuleLoadDataEx, "cuModuleLoadDataEx",                                                    \
      (void **module, const void *image, unsigned count, const int *options, uintptr_t *values))   \
    X(cuModuleUnload, "cuModuleUnload", (void *module))                                            \
    X(cuModuleGetFunction, "cuModuleGetFunction",                                                  \
      (void **function, void *module, const char *name))                                           \
    X(cuFuncGetAttribute, "cuFuncGetAttribute", (int *value, int attribute, void *function))       \
    X(cuFuncSetAttribute, "cuFuncSetAttribute", (void *function, int attribute, int value))        \
    X(cuMemAlloc, "cuMemAlloc_v2", (uint64_t * address, size_t bytes))                             \
    X(cuMemHostAlloc, "cuMemHostAlloc", (void **host, size_t bytes, unsigned flags))               \
    X(cuMemAllocManaged, "cuMemAllocManaged", (uint64_t * address, size_t bytes, unsigned flags))  \
    X(cuMemPrefetchAsync, "cuMemPrefetchAsync",                                                    \
      (uint64_t address, size_t bytes, int device, struct reap__cuda_stream *stream))              \
    X(cuMemFree, "cuMemFree_v2", (uint64_t address))                                               \
    X(cuMemFreeHost, "cuMemFreeHost", (void *host))                                                \
    X(cuMemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2",                                                   \
      (uint64_t to, const void *from, size_t bytes, struct reap__cuda_stream *stream))             \
    X(cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2",                                                   \
      (void *to, uint64_t from, size_t bytes, struct reap__cuda_stream *stream))                   \
    X(cuMemcpyAsync, "cuMemcpyAsync",                                                              \
      (uint64_t to, uint64_t from, size_t bytes, struct reap__cuda_stream * stream))               \
    X(cuMemsetD8Async, "cuMemsetD8Async",                                                          \
      (uint64_t to, unsigned char value, size_t bytes, struct reap__cuda_stream *stream))          \
    X(cuPointerGetAttributes, "cuPointerGetAttributes",                                            \
      (unsigned count, const int *attributes, void **values, uint64_t address))                    \
    X(cuLaunchKernelEx, "cuLaunchKernelEx",                                                        \
      (const struct reap__cuda_launch *launch, void *function, const void **parameters,            \
       void **extra))

/* X(result, name, parameters). An int is an nvrtcResult. */
#define REAP__NVRTC_FUNCTIONS(X)                                                                   \
    X(const char *, nvrtcGetErrorString, (int result))                                             \
    X(int, nvrtcVersion, (int *major, int *minor))                                                 \
    X(int, nvrtcGetNumSupportedArchs, (int *count))                                                \
    X(int, nvrtcGetSupportedArchs, (int *architectures))                                           \
    X(int, nvrtcCreateProgram,                                                                     \
      (struct reap__nvrtc_program * *program, const char *text, const char *name, int headers,     \
       const char *const *header_texts, const char *const *header_names))                          \
    X(int, nvrtcDestroyProgram, (struct reap__nvrtc_program * *program))                           \
    X(int, nvrtcCompileProgram,                                                                    \
      (struct reap__nvrtc_program * program, int count, const char *const *options))               \
    X(int, nvrtcGetPTXSize, (struct reap__nvrtc_program * program, size_t * bytes))                \
    X(int, nvrtcGetPTX, (struct reap__nvrtc_program * program, char *ptx))                         \
    X(int, nvrtcGetCUBINSize, (struct reap__nvrtc_program * program, size_t * bytes))              \
    X(int, nvrtcGetCUBIN, (struct reap__nvrtc_program * program, char *cubin))                     \
    X(int, nvrtcGetProgramLogSize, (struct reap__nvrtc_program * program, size_t * bytes))         \
    X(int, nvrtcGetProgramLog, (struct reap__nvrtc_program * program, char *log))

struct reap__cuda_api {
#define REAP__API_MEMBER(name, symbol, parameters) int(*name) parameters;
    REAP__CUDA_FUNCTIONS(REAP__API_MEMBER)
#undef REAP__API_MEMBER
};

struct reap__nvrtc_api {
#define REAP__API_MEMBER(result, name, parameters) result(*name) parameters;
    REAP__NVRTC_FUNCTIONS(REAP__API_MEMBER)
#undef REAP__API_MEMBER
};

/* Set *api to the functions, which are never freed. Fail with REAP_ERROR_NO_DEVICE and a sentence
 * that says what to install. Any thread. */
reap_status reap__cuda_api_get(const struct reap__cuda_api **api);
reap_status reap__nvrtc_api_get(const struct reap__nvrtc_api **api);

/* Returns "CUDA_ERROR_INVALID_VALUE", for example; never NULL. The string is never freed. */
const char *reap__cuda_error_name(const struct reap__cuda_api *api, int result);

#endif
