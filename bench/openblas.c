/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens OpenBLAS at run time, so that the benchmarks build without it.
 */
#include "bench/openblas.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

static float (*dot)(int, const float *, int, const float *, int);
static char *(*configuration)(void);

static bool find(void *library, const char *name, void *function)
{
    void *address = dlsym(library, name);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

bool openblas_open(void)
{
    void (*set_threads)(int);
    void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL || !find(library, "cblas_sdot", &dot) ||
        !find(library, "openblas_get_config", &configuration) ||
        !find(library, "openblas_set_num_threads", &set_threads))
        return false;
    set_threads(1);
    return true;
}

const char *openblas_configuration(void)
{
    return configuration();
}

float openblas_dot(int count, const float *x, const float *y)
{
    return dot(count, x, 1, y, 1);
}
