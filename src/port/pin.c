/* SPDX-License-Identifier: Apache-2.0
 *
 * The object is opened once more, by the name it was loaded with and without loading anything, and
 * never closed. The main program cannot be opened so, and a failure would be left in dlerror.
 *
 * dlopen is looked up, since the linker would warn of it in a program that is linked statically as
 * a whole (and that program is the main one). The others are weak: so nobody needs -ldl before
 * glibc 2.34, where a program that opens plugins has them.
 */
#define _GNU_SOURCE
#include "src/port/pin.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>

#pragma weak dladdr
#pragma weak dlsym

/* Set when it is done, relaxed: to do it twice does no harm. */
static atomic_bool pinned;

/* Whether this code is part of a shared object; if so, the name that it was loaded with. */
static bool is_shared_object(const char **name)
{
    Dl_info own, program;
    const unsigned long address = getauxval(AT_PHDR);
    const void *program_headers;
    memcpy(&program_headers, &address, sizeof program_headers);
    if (dladdr == NULL || dladdr(&pinned, &own) == 0)
        return false;
    *name = own.dli_fname;
    return dladdr(program_headers, &program) == 0 || program.dli_fbase != own.dli_fbase;
}

static void pin(void)
{
    const char *name;
    if (dlsym == NULL || !is_shared_object(&name))
        return;
    void *(*open)(const char *, int);
    void *const found = dlsym(RTLD_DEFAULT, "dlopen");
    memcpy(&open, &found, sizeof open);
    if (open != NULL)
        open(name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

void reap__pin(void)
{
    if (atomic_load_explicit(&pinned, memory_order_relaxed))
        return;
    pin();
    atomic_store_explicit(&pinned, true, memory_order_relaxed);
}
