/* SPDX-License-Identifier: Apache-2.0
 *
 * What Reap gets for dlopen and dlsym: a library of the build's folder under a vendor's name, or
 * none.
 */
#include "tests/fake/drivers.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The linker's names for the real functions and for those in their place. */
void *__real_dlopen(const char *name, int flags);
void *__wrap_dlopen(const char *name, int flags);
void *__real_dlsym(void *library, const char *name);
void *__wrap_dlsym(void *library, const char *name);

static const char *hidden, *damaged;

void drivers_hide(const char *name)
{
    hidden = name;
}

void drivers_break(const char *name)
{
    damaged = name;
}

static int is_hidden(const char *name)
{
    return hidden != NULL && strncmp(name, hidden, strlen(hidden)) == 0;
}

void *__wrap_dlopen(const char *name, int flags)
{
    static const char *const there[] = {"libcuda.so.1", "libnvrtc.so.13", "libOpenCL.so.1"};
    char path[1024];
    if (damaged != NULL && strncmp(name, damaged, strlen(damaged)) == 0)
        return __real_dlopen(TESTS_NO_LIBRARY, flags);
    snprintf(path, sizeof path, "%s/%s", TESTS_FAKE_FOLDER, name);
    for (size_t l = 0; l < sizeof there / sizeof *there; l++)
        if (strcmp(name, there[l]) == 0 && !is_hidden(name))
            return __real_dlopen(path, flags);
    return NULL;
}

/* Reap finds dlopen itself by name. Sanitizers do so too, among the libraries that follow theirs,
 * and before any function of theirs works, such as strcmp. */
static int is_dlopen(const void *library, const char *name)
{
    static const char wanted[] = "dlopen";
    size_t i = 0;
    while (name[i] != '\0' && name[i] == wanted[i])
        i++;
    return library == NULL && name[i] == wanted[i]; /* RTLD_DEFAULT */
}

void *__wrap_dlsym(void *library, const char *name)
{
    void *(*const open)(const char *, int) = __wrap_dlopen;
    void *found = NULL;
    if (is_dlopen(library, name))
        memcpy(&found, &open, sizeof found);
    else if (!is_hidden(name))
        found = __real_dlsym(library, name);
    return found;
}
