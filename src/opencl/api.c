/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens the OpenCL loader, which loads the vendors' drivers, and finds its functions by name.
 */
#include "src/opencl/api.h"

#include "src/core/status.h"
#include "src/port/library.h"

#include <pthread.h>
#include <string.h>

static const struct {
    const char *name;
    size_t offset; /* of the struct's member */
} functions[] = {
#define FUNCTION(name, result, parameters) {#name, offsetof(struct reap__opencl_api, name)},
    REAP__OPENCL_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

static const struct {
    const char *name;
    int32_t error;
} errors[] = {
#define ERROR(name, number) {#name, number},
    REAP__OPENCL_ERRORS(ERROR)
#undef ERROR
};

/* Written under `once`, constant afterwards. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct reap__opencl_api functions_found;
static void *library;       /* NULL: missing or unusable */
static char broken[256];    /* why it is unusable */
static const char *missing; /* a function that the library lacks; NULL: none */

static void open_library(void)
{
    library = reap__library_try("libOpenCL.so.1", broken, sizeof broken);
    if (library == NULL)
        library = reap__library_try("libOpenCL.so", broken, sizeof broken);
    if (library == NULL)
        return;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *const address = reap__library_symbol(library, functions[i].name);
        if (address == NULL) {
            missing = functions[i].name;
            return;
        }
        /* POSIX lets dlsym's pointer be a function's; C has no such conversion. */
        memcpy((char *)&functions_found + functions[i].offset, &address, sizeof address);
    }
}

reap_status reap__opencl_api_get(const struct reap__opencl_api **api)
{
    pthread_once(&once, open_library);
    if (library == NULL && broken[0] != '\0')
        return reap__fail(REAP_ERROR_NO_DEVICE, "opencl: libOpenCL.so.1 cannot be used: %s",
                          broken);
    if (library == NULL)
        return reap__fail(REAP_ERROR_NO_DEVICE, "opencl: libOpenCL.so.1 is not installed (package "
                                                "ocl-icd-libopencl1 or a vendor's driver has it)");
    if (missing != NULL)
        return reap__fail(REAP_ERROR_NO_DEVICE,
                          "opencl: libOpenCL.so.1 lacks %s, so it is older than OpenCL 1.2",
                          missing);
    *api = &functions_found;
    return REAP_OK;
}

const char *reap__opencl_error_name(int32_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].error == error)
            return errors[i].name;
    return "unknown error";
}
