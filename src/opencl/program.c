/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiles and loads programs through OpenCL. `compile` returns the vendor's binary after a seal
 * with a checksum: drivers trust binaries (PoCL 3.1 crashes on half of one), so `load` does not
 * pass on one that is damaged or was made for another device.
 */
#include "src/core/allocate.h"
#include "src/core/status.h"
#include "src/opencl/driver.h"

#include <string.h>

enum { MAGIC_BYTES = 8 };
static const char magic[MAGIC_BYTES] = {'R', 'e', 'a', 'p', 'O', 'C', 'L', '1'};

/* Precedes the vendor's binary. */
struct seal {
    char magic[MAGIC_BYTES];
    uint64_t size;     /* of the vendor's bytes */
    uint64_t checksum; /* of them */
    uint64_t identity; /* the checksum of the device's */
};

/* FNV-1a of 64 bits (draft-eastlake-fnv): it finds accidents, not forgery. */
static uint64_t find_checksum(const unsigned char *bytes, size_t size)
{
    uint64_t checksum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        checksum = (checksum ^ bytes[i]) * UINT64_C(0x100000001b3);
    return checksum;
}

static struct seal make_seal(const struct reap__opencl_device *device, const unsigned char *bytes,
                             size_t size)
{
    struct seal seal = {
        .size = size,
        .checksum = find_checksum(bytes, size),
        .identity =
            find_checksum((const unsigned char *)device->identity, strlen(device->identity)),
    };
    memcpy(seal.magic, magic, sizeof magic);
    return seal;
}

static bool is_sealed(const struct reap__opencl_device *device, const struct reap__binary *binary)
{
    if (binary->size <= sizeof(struct seal))
        return false;
    const struct seal expected =
        make_seal(device, (const unsigned char *)binary->bytes + sizeof(struct seal),
                  binary->size - sizeof(struct seal));
    return memcmp(binary->bytes, &expected, sizeof expected) == 0;
}

/* Returns the compiler's log of a program; NULL: it is empty, or memory ran out. */
static char *get_log(const struct reap__opencl_device *device, cl_program program)
{
    const struct reap__opencl_api *const api = device->api;
    size_t bytes = 0;
    if (api->clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes) !=
            CL_SUCCESS ||
        bytes < 2)
        return NULL;
    char *const log = (char *)reap__allocate(bytes + 1);
    if (log == NULL)
        return NULL;
    memset(log, 0, bytes + 1);
    api->clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, bytes, log, NULL);
    return log;
}

/* Whether this error of a build is the text's. NVIDIA's assembler, which runs after the compiler
 * and has limits of its own, reports its input as an invalid binary. */
static bool is_fault_of_text(int32_t error)
{
    return error == CL_BUILD_PROGRAM_FAILURE || error == CL_COMPILE_PROGRAM_FAILURE ||
           error == CL_LINK_PROGRAM_FAILURE || error == CL_INVALID_BINARY;
}

static reap_status build(const struct reap__opencl_device *device, const char *text,
                         cl_program program, char **log)
{
    const char *const options = strstr(text, "#define " REAP__HAS_ORDERS) != NULL
                                    ? device->options_for_orders
                                    : device->options;
    const int32_t error = device->api->clBuildProgram(program, 1, &device->id, options, NULL, NULL);
    if (!is_fault_of_text(error))
        return reap__opencl_check(device, "clBuildProgram", error);
    *log = get_log(device, program);
    return reap__fail(REAP_ERROR_COMPILATION_FAILED, "device '%s': clBuildProgram failed: %s (%d)",
                      device->name, reap__opencl_error_name(error), (int)error);
}

static reap_status get_binary(const struct reap__opencl_device *device, cl_program program,
                              struct reap__binary *binary)
{
    const struct reap__opencl_api *const api = device->api;
    size_t size = 0;
    int32_t error =
        api->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
    REAP_TRY(reap__opencl_check(device, "clGetProgramInfo", error));
    unsigned char *const bytes = (unsigned char *)reap__allocate(sizeof(struct seal) + size);
    if (bytes == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY,
                          "device '%s': no memory for a program of %zu bytes", device->name, size);
    unsigned char *code = bytes + sizeof(struct seal);
    error = api->clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof code, &code, NULL);
    if (error != CL_SUCCESS) {
        reap__free(bytes);
        return reap__opencl_check(device, "clGetProgramInfo", error);
    }
    const struct seal seal = make_seal(device, code, size);
    memcpy(bytes, &seal, sizeof seal);
    *binary = (struct reap__binary){.bytes = bytes, .size = sizeof seal + size};
    return REAP_OK;
}

reap_status reap__opencl_compile(struct reap__accelerator *accelerator, const char *text,
                                 struct reap__binary *binary, char **log)
{
    struct reap__opencl_device *const device = reap__opencl_device_of(accelerator);
    const struct reap__opencl_api *const api = device->api;
    int32_t error = CL_SUCCESS;
    *log = NULL;
    cl_program program = api->clCreateProgramWithSource(device->context, 1, &text, NULL, &error);
    REAP_TRY(reap__opencl_check(device, "clCreateProgramWithSource", error));
    reap_status status = build(device, text, program, log);
    if (status == REAP_OK)
        status = get_binary(device, program, binary);
    api->clReleaseProgram(program);
    return status;
}

/* Adds an entry to a program that has the ones before it. */
static reap_status load_entry(const struct reap__opencl_device *device, const char *name,
                              size_t entry, struct reap__program *program)
{
    const struct reap__opencl_api *const api = device->api;
    int32_t error = CL_SUCCESS;
    cl_kernel kernel = api->clCreateKernel((cl_program)program->module, name, &error);
    REAP_TRY(reap__opencl_check(device, "clCreateKernel", error));
    program->entries[entry] = kernel;
    error = api->clGetKernelWorkGroupInfo(kernel, device->id, CL_KERNEL_WORK_GROUP_SIZE,
                                          sizeof program->most_threads[entry],
                                          &program->most_threads[entry], NULL);
    return reap__opencl_check(device, "clGetKernelWorkGroupInfo", error);
}

static reap_status load_module(const struct reap__opencl_device *device,
                               const struct reap__binary *binary, struct reap__program *program)
{
    const struct reap__opencl_api *const api = device->api;
    if (!is_sealed(device, binary))
        return reap__fail(REAP_ERROR_DEVICE_FAILED,
                          "device '%s': a compiled program is damaged or another device's: %s (%d)",
                          device->name, reap__opencl_error_name(CL_INVALID_BINARY),
                          (int)CL_INVALID_BINARY);
    const unsigned char *code = (const unsigned char *)binary->bytes + sizeof(struct seal);
    const size_t size = binary->size - sizeof(struct seal);
    int32_t is_valid = CL_SUCCESS;
    int32_t error = CL_SUCCESS;
    program->module = api->clCreateProgramWithBinary(device->context, 1, &device->id, &size, &code,
                                                     &is_valid, &error);
    REAP_TRY(reap__opencl_check(device, "clCreateProgramWithBinary",
                                error != CL_SUCCESS ? error : is_valid));
    error = api->clBuildProgram((cl_program)program->module, 1, &device->id, device->options, NULL,
                                NULL);
    return reap__opencl_check(device, "clBuildProgram", error);
}

reap_status reap__opencl_load(struct reap__accelerator *accelerator,
                              const struct reap__binary *binary, const char *const *names,
                              struct reap__program *program)
{
    struct reap__opencl_device *const device = reap__opencl_device_of(accelerator);
    struct reap__program loaded = {.module = NULL};
    reap_status status = load_module(device, binary, &loaded);
    for (size_t i = 0; i < REAP__MOST_ENTRIES && names[i] != NULL && status == REAP_OK; i++)
        status = load_entry(device, names[i], i, &loaded);
    if (status == REAP_OK)
        *program = loaded;
    else
        reap__opencl_unload(accelerator, &loaded);
    return status;
}

void reap__opencl_unload(struct reap__accelerator *accelerator, struct reap__program *program)
{
    const struct reap__opencl_api *const api = reap__opencl_device_of(accelerator)->api;
    for (size_t i = 0; i < REAP__MOST_ENTRIES; i++)
        if (program->entries[i] != NULL)
            api->clReleaseKernel((cl_kernel)program->entries[i]);
    if (program->module != NULL)
        api->clReleaseProgram((cl_program)program->module);
    *program = (struct reap__program){.module = NULL};
}
