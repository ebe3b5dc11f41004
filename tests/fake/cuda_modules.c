/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules of the fake libcuda whose code is the text that nvrtc.c was given: a launch calls the
 * test's stand-in.
 */
#include "tests/fake/cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FUNCTIONS = 6 };

struct function {
    char name[40];
    const char *text;
};

struct module {
    struct function functions[MOST_FUNCTIONS];
    size_t function_count;
    char *text;
};

const char *fake_cuda_name(void)
{
    return "Fake card";
}

int fake_cuda_multiprocessors(void)
{
    return 132;
}

int cuModuleLoadDataEx(void **made, const void *image, unsigned count, const int *options,
                       uintptr_t *values)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_MAKES);
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
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_MAKES);
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
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_MAKES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    if (module->function_count == MOST_FUNCTIONS || fake_memories(module->text, name) == 0) {
        fake_misuse("a function that there is not");
        return FAKE_CUDA_OTHER_ERROR;
    }
    struct function *found = &module->functions[module->function_count++];
    snprintf(found->name, sizeof found->name, "%s", name);
    found->text = module->text;
    *function = found;
    return REAP__CUDA_SUCCESS;
}

int cuFuncGetAttribute(int *value, int attribute, void *function)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_MAKES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    (void)function;
    *value = attribute == REAP__CUDA_FUNCTION_SHARED_SIZE_BYTES ? 0 : 1024;
    return REAP__CUDA_SUCCESS;
}

int cuLaunchKernelEx(const struct reap__cuda_launch *how, void *launched, const void **parameters,
                     void **extra)
{
    const struct function *function = launched;
    unsigned char *memories[FAKE_CUDA_MOST_MEMORIES];
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_ENQUEUES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
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
    fake_cuda_look_at_launch(how, parameters, extra, memories, launch.memory_count);
    fake_launch(&launch);
    return REAP__CUDA_SUCCESS;
}
