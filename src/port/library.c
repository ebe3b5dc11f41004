/* SPDX-License-Identifier: Apache-2.0
 *
 * dlopen is found through dlsym, a weak symbol, since the linker warns of dlopen in a program that
 * is linked statically. If such a program contains them nevertheless (parts of glibc need them),
 * they are not called: a library would load a second C library, and drivers crash on that. A static
 * program is one without an interpreter, which is the dynamic linker.
 */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "src/port/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#pragma weak dlsym
#pragma weak dlerror

/* The first object is the program itself. */
static int look_at_program(struct dl_phdr_info *program, size_t size, void *is_dynamic)
{
    (void)size;
    for (size_t h = 0; h < program->dlpi_phnum; h++)
        if (program->dlpi_phdr[h].p_type == PT_INTERP)
            *(bool *)is_dynamic = true;
    return 1;
}

static bool can_open(void)
{
    bool is_dynamic = false;
    dl_iterate_phdr(look_at_program, &is_dynamic);
    return dlsym != NULL && is_dynamic;
}

void *reap__library_open(const char *name)
{
    void *(*open_library)(const char *, int);
    void *const found = can_open() ? dlsym(RTLD_DEFAULT, "dlopen") : NULL;
    if (found == NULL)
        return NULL;
    memcpy(&open_library, &found, sizeof open_library); /* POSIX: it represents a function */
    return open_library(name, RTLD_NOW | RTLD_LOCAL);
}

/* Whether the library itself is missing, not one that it needs. The message is in the user's
 * language. */
static bool is_missing(const char *name, const char *problem)
{
    char text[128];
    return strncmp(problem, name, strlen(name)) == 0 &&
           strstr(problem, strerror_r(ENOENT, text, sizeof text)) != NULL;
}

void *reap__library_try(const char *name, char *broken, size_t size)
{
    void *const library = reap__library_open(name);
    const char *problem = library == NULL && dlerror != NULL ? dlerror() : NULL;
    if (problem != NULL && !is_missing(name, problem) && broken[0] == '\0')
        snprintf(broken, size, "%s", problem);
    return library;
}

void *reap__library_symbol(void *library, const char *name)
{
    return dlsym != NULL ? dlsym(library, name) : NULL;
}

/* The count is the same in each object's record. */
static int take_unloads(struct dl_phdr_info *object, size_t size, void *unloads)
{
    if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof object->dlpi_subs)
        *(uint64_t *)unloads = object->dlpi_subs;
    return 1;
}

uint64_t reap__library_unloads(void)
{
    uint64_t unloads = 0;
    dl_iterate_phdr(take_unloads, &unloads);
    return unloads;
}

const char *reap__library_problem(void)
{
    if (!can_open())
        return "the program is linked statically, and cannot load it";
    const char *problem = dlerror != NULL ? dlerror() : NULL;
    return problem != NULL ? problem : "it cannot be loaded";
}
