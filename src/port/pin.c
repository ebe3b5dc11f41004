/* SPDX-License-Identifier: Apache-2.0
 *
 * The object is opened again, by its name and without loading, and never closed. The main program
 * cannot be opened in this way, and the failure would remain in dlerror.
 *
 * dlopen is looked up, since the linker warns of it in a statically linked program (which is a main
 * program). The other functions are weak: so programs do not need -ldl before glibc 2.34; a program
 * that opens plugins has them.
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

/* Set when it is done; relaxed, since doing it twice is harmless. */
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
