/* SPDX-License-Identifier: Apache-2.0
 *
 * libnvrtc.so.13 without NVIDIA's compiler: the functions of src/cuda/api.h, and no others; what a
 * text compiles to stands elsewhere (nvrtc.h).
 */
#include "tests/fake/nvrtc.h"
#include "src/cuda/api.h"
#include "tests/fake/work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROTOTYPE(result, name, parameters) result name parameters;
REAP__NVRTC_FUNCTIONS(PROTOTYPE)

enum { OTHER_ERROR = 11 };

struct reap__nvrtc_program {
    char *text;
    struct fake_code code;
};

static int error_of(enum fake_fault fault)
{
    return fault == FAKE_FINE        ? REAP__NVRTC_SUCCESS
           : fault == FAKE_NO_MEMORY ? REAP__NVRTC_OUT_OF_MEMORY
                                     : OTHER_ERROR;
}

static int begin(const char *name)
{
    return error_of(fake_begin(name, FAKE_ASKS));
}

const char *nvrtcGetErrorString(int result)
{
    fake_begin(__func__, FAKE_ASKS);
    return result == REAP__NVRTC_OUT_OF_MEMORY ? "NVRTC_ERROR_OUT_OF_MEMORY"
                                               : "NVRTC_ERROR_INTERNAL_ERROR";
}

int nvrtcVersion(int *major, int *minor)
{
    const int error = begin(__func__);
    if (error != REAP__NVRTC_SUCCESS)
        return error;
    *major = fake_plan()->nvrtc_major != 0 ? fake_plan()->nvrtc_major : 13;
    *minor = 0;
    return REAP__NVRTC_SUCCESS;
}

int nvrtcGetNumSupportedArchs(int *count)
{
    const int error = begin(__func__);
    if (error != REAP__NVRTC_SUCCESS)
        return error;
    *count = 3;
    return REAP__NVRTC_SUCCESS;
}

int nvrtcGetSupportedArchs(int *architectures)
{
    const int error = begin(__func__);
    if (error != REAP__NVRTC_SUCCESS)
        return error;
    architectures[0] = 75;
    architectures[1] = 80;
    architectures[2] = 90;
    return REAP__NVRTC_SUCCESS;
}

int nvrtcCreateProgram(struct reap__nvrtc_program **made, const char *text, const char *name,
                       int headers, const char *const *header_texts,
                       const char *const *header_names)
{
    const int error = begin(__func__);
    if (error != REAP__NVRTC_SUCCESS)
        return error;
    (void)name;
    struct reap__nvrtc_program *program = calloc(1, sizeof *program);
    if (headers != 0 || header_texts != NULL || header_names != NULL)
        fake_misuse("headers beside the text");
    if (program == NULL)
        abort();
    program->text = strdup(text);
    fake_count(FAKE_COMPILATION, 1);
    *made = program;
    return REAP__NVRTC_SUCCESS;
}

int nvrtcDestroyProgram(struct reap__nvrtc_program **destroyed)
{
    const int error = begin(__func__);
    if (error != REAP__NVRTC_SUCCESS)
        return error;
    free((*destroyed)->text);
    free((*destroyed)->code.bytes);
    free((*destroyed)->code.log);
    free(*destroyed);
    *destroyed = NULL;
    fake_count(FAKE_COMPILATION, -1);
    return REAP__NVRTC_SUCCESS;
}

int nvrtcCompileProgram(struct reap__nvrtc_program *program, int count, const char *const *options)
{
    const int error = begin(__func__);
    if (error != REAP__NVRTC_SUCCESS)
        return error;
    if (count < 1 || strcmp(options[0], "--gpu-architecture=sm_90") != 0)
        fake_misuse("another architecture than the card's");
    fake_compile(program->text, &program->code);
    return program->code.bytes != NULL ? REAP__NVRTC_SUCCESS : REAP__NVRTC_COMPILATION;
}

static int get_size(const struct reap__nvrtc_program *program, size_t *bytes)
{
    if (program->code.bytes == NULL)
        fake_misuse("the code of what is not compiled");
    *bytes = program->code.size;
    return REAP__NVRTC_SUCCESS;
}

static int get_code(const struct reap__nvrtc_program *program, char *code)
{
    memcpy(code, program->code.bytes, program->code.size);
    return REAP__NVRTC_SUCCESS;
}

int nvrtcGetPTXSize(struct reap__nvrtc_program *program, size_t *bytes)
{
    const int error = begin(__func__);
    if (error != REAP__NVRTC_SUCCESS)
        return error;
    return get_size(program, bytes);
}

int nvrtcGetPTX(struct reap__nvrtc_program *program, char *ptx)
{
    const int error = begin(__func__);
    if (error != REAP__NVRTC_SUCCESS)
        return error;
    return get_code(program, ptx);
}

int nvrtcGetCUBINSize(struct reap__nvrtc_program *program, size_t *bytes)
{
    const int error = begin(__func__);
    if (error != REAP__NVRTC_SUCCESS)
        return error;
    return get_size(program, bytes);
}

int nvrtcGetCUBIN(struct reap__nvrtc_program *program, char *cubin)
{
    const int error = begin(__func__);
    if (error != REAP__NVRTC_SUCCESS)
        return error;
    return get_code(program, cubin);
}

static const char *log_of(const struct reap__nvrtc_program *program)
{
    return program->code.log != NULL ? program->code.log : "";
}

int nvrtcGetProgramLogSize(struct reap__nvrtc_program *program, size_t *bytes)
{
    const int error = begin(__func__);
    if (error != REAP__NVRTC_SUCCESS)
        return error;
    *bytes = strlen(log_of(program)) + 1;
    return REAP__NVRTC_SUCCESS;
}

int nvrtcGetProgramLog(struct reap__nvrtc_program *program, char *log)
{
    const int error = begin(__func__);
    if (error != REAP__NVRTC_SUCCESS)
        return error;
    memcpy(log, log_of(program), strlen(log_of(program)) + 1);
    return REAP__NVRTC_SUCCESS;
}
