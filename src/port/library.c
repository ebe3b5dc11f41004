/* SPDX-License-Identifier: Apache-2.0
 *
 * dlopen and its like as weak symbols, so that a static program is not made to have them for our
 * sake. Where it has them all the same (parts of glibc ask for them), they are not called: what
 * they opened would bring a second C library along, and drivers crash on that. A static program is
 * one that names no interpreter, which is what the dynamic linker is to the system.
 */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "src/port/library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>

#pragma weak dlopen
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
    return dlopen != NULL && is_dynamic;
}

/* glibc has both in libc.so, or in a libdl.so that comes with it: one is not there without others.
 */
void *reap__library_open(const char *name)
{
    return can_open() ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL;
}

void *reap__library_symbol(void *library, const char *name)
{
    return dlsym != NULL ? dlsym(library, name) : NULL;
}

const char *reap__library_problem(void)
{
    if (!can_open())
        return "the program is linked statically, and cannot load it";
    const char *problem = dlerror != NULL ? dlerror() : NULL;
    return problem != NULL ? problem : "it cannot be loaded";
}
