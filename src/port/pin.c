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

enum owner { OWNER_PROGRAM, OWNER_SHARED_OBJECT, OWNER_NONE };

/* What has the address; of a shared object the name that it was loaded with. */
static enum owner find_owner(const void *address, const char **name)
{
    Dl_info own, program;
    const unsigned long headers = getauxval(AT_PHDR);
    const void *program_headers;
    memcpy(&program_headers, &headers, sizeof program_headers);
    if (dladdr == NULL || dlsym == NULL)
        return OWNER_PROGRAM; /* linked statically */
    if (dladdr(address, &own) == 0)
        return OWNER_NONE;
    *name = own.dli_fname;
    return dladdr(program_headers, &program) == 0 || program.dli_fbase != own.dli_fbase
               ? OWNER_SHARED_OBJECT
               : OWNER_PROGRAM;
}

static void *open_again(const char *name, int flags)
{
    void *(*open)(const char *, int);
    void *const found = dlsym(RTLD_DEFAULT, "dlopen");
    memcpy(&open, &found, sizeof open);
    return open != NULL ? open(name, RTLD_LAZY | RTLD_NOLOAD | flags) : NULL;
}

void reap__pin(void)
{
    const char *name;
    if (atomic_load_explicit(&pinned, memory_order_relaxed))
        return;
    if (find_owner(&pinned, &name) == OWNER_SHARED_OBJECT)
        open_again(name, RTLD_NODELETE);
    atomic_store_explicit(&pinned, true, memory_order_relaxed);
}

bool reap__object_hold(const void *address, void **handle)
{
    const char *name;
    const enum owner owner = find_owner(address, &name);
    *handle = owner == OWNER_SHARED_OBJECT ? open_again(name, 0) : NULL;
    return owner == OWNER_PROGRAM || *handle != NULL;
}

void reap__object_release(void *handle)
{
    int (*close)(void *);
    if (handle == NULL)
        return;
    void *const found = dlsym(RTLD_DEFAULT, "dlclose");
    memcpy(&close, &found, sizeof close);
    if (close != NULL)
        close(handle);
}
