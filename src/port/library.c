/* SPDX-License-Identifier: Apache-2.0
 *
 * dlopen and its like as weak symbols: a linker that makes a static program leaves them out, since
 * nothing else asks for them, and they are NULL.
 */
#include "src/port/library.h"

#include <dlfcn.h>
#include <stddef.h>

#pragma weak dlopen
#pragma weak dlsym
#pragma weak dlerror

/* glibc has both in libc.so, or in a libdl.so that comes with it: one is not there without others.
 */
void *reap__library_open(const char *name)
{
    return dlopen != NULL ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL;
}

void *reap__library_symbol(void *library, const char *name)
{
    return dlsym != NULL ? dlsym(library, name) : NULL;
}

const char *reap__library_problem(void)
{
    const char *problem = dlerror != NULL ? dlerror() : NULL;
    return problem != NULL  ? problem
           : dlopen == NULL ? "the program is linked statically, and cannot load it"
                            : "it cannot be loaded";
}
