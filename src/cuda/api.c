/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens libcuda and NVRTC, each once, and never closes them: they have threads and exit handlers. A
 * failure to open one is returned again by each later call. Of several NVRTCs, that of the driver's
 * major version is chosen, since a driver does not load code of a newer one. CUDA is not
 * initialised here.
 */
#include "src/cuda/api.h"

#include "src/core/status.h"
#include "src/port/library.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct symbol {
    const char *name;
    size_t offset; /* of the member that points to it */
};

static const struct symbol cuda_symbols[] = {
#define SYMBOL(name, symbol, parameters) {symbol, offsetof(struct reap__cuda_api, name)},
    REAP__CUDA_FUNCTIONS(SYMBOL)
#undef SYMBOL
};

static const struct symbol nvrtc_symbols[] = {
#define SYMBOL(result, name, parameters) {#name, offsetof(struct reap__nvrtc_api, name)},
    REAP__NVRTC_FUNCTIONS(SYMBOL)
#undef SYMBOL
};

/* Written within their pthread_once, constant afterwards. A problem is "" if the library is usable.
 */
static pthread_once_t cuda_once = PTHREAD_ONCE_INIT;
static struct reap__cuda_api cuda;
static char cuda_problem[512];
static pthread_once_t nvrtc_once = PTHREAD_ONCE_INIT;
static struct reap__nvrtc_api nvrtc;
static char nvrtc_problem[512];

/* Fills a struct of function pointers; returns the first symbol that the library lacks, or NULL. */
static const char *find_symbols(void *library, const struct symbol *symbols, size_t count,
                                void *api)
{
    for (size_t s = 0; s < count; s++) {
        void *address = reap__library_symbol(library, symbols[s].name);
        if (address == NULL)
            return symbols[s].name;
        memcpy((char *)api + symbols[s].offset, &address, sizeof address);
    }
    return NULL;
}

static void open_cuda(void)
{
    void *library = reap__library_open("libcuda.so.1");
    if (library == NULL) {
        snprintf(cuda_problem, sizeof cuda_problem, "cuda: the NVIDIA driver cannot be loaded: %s",
                 reap__library_problem());
        return;
    }
    const size_t count = sizeof cuda_symbols / sizeof *cuda_symbols;
    const char *missing = find_symbols(library, cuda_symbols, count, &cuda);
    if (missing != NULL)
        snprintf(cuda_problem, sizeof cuda_problem,
                 "cuda: libcuda.so.1 has no %s: the driver is older than CUDA 11.8", missing);
}

static void *open_nvrtc_of_driver(char *broken, size_t size)
{
    int version;
    char name[32];
    pthread_once(&cuda_once, open_cuda);
    if (cuda_problem[0] != '\0' || cuda.cuDriverGetVersion(&version) != REAP__CUDA_SUCCESS)
        return NULL;
    const int major = version / 1000;
    /* 11.2 is the file's name in all of CUDA 11 from then on. */
    snprintf(name, sizeof name, major == 11 ? "libnvrtc.so.%d.2" : "libnvrtc.so.%d", major);
    return reap__library_try(name, broken, size);
}

static void *open_any_nvrtc(char *broken, size_t size)
{
    static const char *const names[] = {
        "libnvrtc.so.13",
        "libnvrtc.so.12",
        "libnvrtc.so.11.2",
        "libnvrtc.so",
        "/usr/local/cuda/lib64/libnvrtc.so",
        "/opt/cuda/lib64/libnvrtc.so",
    };
    void *library = open_nvrtc_of_driver(broken, size);
    for (size_t n = 0; library == NULL && n < sizeof names / sizeof *names; n++)
        library = reap__library_try(names[n], broken, size);
    return library;
}

static void open_nvrtc(void)
{
    char broken[256] = "";
    void *library = open_any_nvrtc(broken, sizeof broken);
    if (library == NULL && broken[0] != '\0') {
        snprintf(nvrtc_problem, sizeof nvrtc_problem, "cuda: libnvrtc.so cannot be used: %s",
                 broken);
        return;
    }
    if (library == NULL) {
        snprintf(
            nvrtc_problem, sizeof nvrtc_problem,
            "cuda: libnvrtc.so, which compiles kernels, was not found: install NVRTC (the package "
            "libnvrtc12, or NVIDIA's cuda-nvrtc-12-* or -13-*) or the CUDA toolkit");
        return;
    }
    const size_t count = sizeof nvrtc_symbols / sizeof *nvrtc_symbols;
    const char *missing = find_symbols(library, nvrtc_symbols, count, &nvrtc);
    if (missing != NULL)
        snprintf(nvrtc_problem, sizeof nvrtc_problem,
                 "cuda: libnvrtc.so has no %s: it is older than CUDA 11.2", missing);
}

reap_status reap__cuda_api_get(const struct reap__cuda_api **api)
{
    pthread_once(&cuda_once, open_cuda);
    if (cuda_problem[0] != '\0')
        return reap__fail(REAP_ERROR_NO_DEVICE, "%s", cuda_problem);
    *api = &cuda;
    return REAP_OK;
}

reap_status reap__nvrtc_api_get(const struct reap__nvrtc_api **api)
{
    pthread_once(&nvrtc_once, open_nvrtc);
    if (nvrtc_problem[0] != '\0')
        return reap__fail(REAP_ERROR_NO_DEVICE, "%s", nvrtc_problem);
    *api = &nvrtc;
    return REAP_OK;
}

const char *reap__cuda_error_name(const struct reap__cuda_api *api, int result)
{
    const char *name = NULL;
    if (api->cuGetErrorName(result, &name) != REAP__CUDA_SUCCESS || name == NULL)
        return "an error without a name";
    return name;
}
