/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules of the fake libcuda whose code runs: shared objects for this machine, as compile.c makes
 * them. They find the card's functions (card.c) in this library.
 */
#define _GNU_SOURCE /* dladdr */
#include "tests/fake/cuda.h"
#include "tests/fake/emulated/card.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FUNCTIONS = 6 };

struct module;

struct function {
    const struct module *module;
    char name[40];
    void (*call)(void **parameters);
    size_t memory_count;
};

struct module {
    struct function functions[MOST_FUNCTIONS];
    size_t function_count;
    void *library;
    size_t block_bytes;
    unsigned char *shared_begin, *shared_end;
};

const char *fake_cuda_name(void)
{
    return "Emulated card " FAKE_VERSION;
}

/* Few, so that a group has many tiles. */
int fake_cuda_multiprocessors(void)
{
    static int drawn;
    if (drawn == 0)
        drawn = 1 + (int)card_random(2);
    return drawn;
}

static void fail(const char *what)
{
    const char *problem = dlerror();
    fprintf(stderr, "emulated card: %s: %s\n", what, problem != NULL ? problem : "?");
    abort();
}

/* This library was opened with local symbols; modules need them. */
static void show_card(void)
{
    static void *shown;
    Dl_info here;
    if (shown == NULL && dladdr(&shown, &here) != 0)
        shown = dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
    if (shown == NULL)
        fail("this library");
}

static void *symbol_of(const struct module *module, const char *before, const char *name)
{
    char symbol[80];
    snprintf(symbol, sizeof symbol, "%s%s", before, name);
    return dlsym(module->library, symbol);
}

/* The tables of sections are at the end. */
static size_t size_of(const void *image)
{
    Elf64_Ehdr header;
    memcpy(&header, image, sizeof header);
    return header.e_shoff + (size_t)header.e_shnum * header.e_shentsize;
}

static void *open_image(const void *image)
{
    char path[] = "/tmp/reap-emulated-XXXXXX";
    const size_t size = size_of(image);
    const int file = mkstemp(path);
    if (file < 0 || write(file, image, size) != (ssize_t)size || close(file) != 0)
        fail("a module's file");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        fail("a module");
    unlink(path);
    return library;
}

static void run(const struct fake_launch *launch)
{
    const struct function *function = launch->code;
    void *parameters[1 + FAKE_CUDA_MOST_MEMORIES];
    memcpy(&parameters[0], &launch->block, sizeof *parameters);
    for (size_t m = 0; m < launch->memory_count; m++)
        parameters[1 + m] = launch->memories[m];
    card_run(&(struct card_launch){.entry = function->name,
                                   .call = function->call,
                                   .parameters = parameters,
                                   .groups = launch->groups,
                                   .threads = launch->threads,
                                   .dynamic_bytes = launch->local_bytes,
                                   .shared_begin = function->module->shared_begin,
                                   .shared_end = function->module->shared_end});
    fake_memory_check();
}

int cuModuleLoadDataEx(void **made, const void *image, unsigned count, const int *options,
                       uintptr_t *values)
{
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_MAKES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    (void)count, (void)options, (void)values;
    struct module *module = calloc(1, sizeof *module);
    if (module == NULL)
        abort();
    show_card();
    fake_set_stand_in(run);
    module->library = open_image(image);
    module->block_bytes =
        *(const unsigned long *)symbol_of(module, "fake_block_words", "") * sizeof(uint64_t);
    module->shared_begin = *(unsigned char *const *)symbol_of(module, "fake_shared_begin", "");
    module->shared_end = *(unsigned char *const *)symbol_of(module, "fake_shared_end", "");
    fake_count(FAKE_MODULE, 1);
    *made = module;
    return REAP__CUDA_SUCCESS;
}

int cuModuleUnload(void *unloaded)
{
    struct module *module = unloaded;
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_WAITS);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    fake_count(FAKE_MODULE, -1);
    dlclose(module->library);
    free(module);
    return REAP__CUDA_SUCCESS;
}

int cuModuleGetFunction(void **made, void *of, const char *name)
{
    struct module *module = of;
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_MAKES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    void *const call = symbol_of(module, "fake_call_", name);
    if (module->function_count == MOST_FUNCTIONS || call == NULL) {
        fake_misuse("a function that there is not");
        return FAKE_CUDA_OTHER_ERROR;
    }
    struct function *function = &module->functions[module->function_count++];
    snprintf(function->name, sizeof function->name, "%s", name);
    function->module = module;
    memcpy(&function->call, &call, sizeof call);
    function->memory_count = *(const unsigned long *)symbol_of(module, "fake_memories_", name);
    *made = function;
    return REAP__CUDA_SUCCESS;
}

int cuFuncGetAttribute(int *value, int attribute, void *of)
{
    const struct function *function = of;
    FAKE_ALONE;
    const int error = fake_cuda_begin(__func__, FAKE_MAKES);
    if (error != REAP__CUDA_SUCCESS)
        return error;
    *value = attribute == REAP__CUDA_FUNCTION_SHARED_SIZE_BYTES
                 ? (int)(function->module->shared_end - function->module->shared_begin)
                 : 1024;
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
    fake_cuda_look_at_launch(how, parameters, extra, memories, function->memory_count);
    fake_launch(&(struct fake_launch){.code = function,
                                      .entry = function->name,
                                      .groups = how->grid_x,
                                      .threads = how->block_x,
                                      .local_bytes = how->shared_bytes,
                                      .block = parameters[0],
                                      .block_bytes = function->module->block_bytes,
                                      .memories = memories,
                                      .memory_count = function->memory_count});
    return REAP__CUDA_SUCCESS;
}
