/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenBLAS, as it is packaged: opened at run time, so that this builds without it. Its sums are
 * left out: cblas_ssum of OpenBLAS 0.3.21 gives wrong ones with AVX-512.
 */
#include "bench/peers/peer.h"

#include <dlfcn.h>
#include <string.h>

/* X(name, result, parameters) */
#define FUNCTIONS(X)                                                                               \
    X(openblas_set_num_threads, void, (int))                                                       \
    X(openblas_get_config, char *, (void))                                                         \
    X(cblas_sdot, float, (int, const float *, int, const float *, int))                            \
    X(cblas_ddot, double, (int, const double *, int, const double *, int))                         \
    X(cblas_snrm2, float, (int, const float *, int))                                               \
    X(cblas_dnrm2, double, (int, const double *, int))

static struct {
#define MEMBER(name, result, parameters) result(*name) parameters;
    FUNCTIONS(MEMBER)
#undef MEMBER
} blas;

static void use_threads(const struct bench_task *task)
{
    static int used;
    if (task->threads != used)
        blas.openblas_set_num_threads(task->threads);
    used = task->threads;
}

static void dot_float(const struct bench_task *task, struct bench_result *result)
{
    use_threads(task);
    result->values[0] = (double)blas.cblas_sdot((int)task->count, task->x, 1, task->y, 1);
}

static void dot_double(const struct bench_task *task, struct bench_result *result)
{
    use_threads(task);
    result->values[0] = blas.cblas_ddot((int)task->count, task->x, 1, task->y, 1);
}

static void norm_float(const struct bench_task *task, struct bench_result *result)
{
    use_threads(task);
    result->values[0] = (double)blas.cblas_snrm2((int)task->count, task->x, 1);
}

static void norm_double(const struct bench_task *task, struct bench_result *result)
{
    use_threads(task);
    result->values[0] = blas.cblas_dnrm2((int)task->count, task->x, 1);
}

static const struct bench_offer offers[] = {
    {"dot", BENCH_FLOAT, dot_float},
    {"dot", BENCH_DOUBLE, dot_double},
    {"norm", BENCH_FLOAT, norm_float},
    {"norm", BENCH_DOUBLE, norm_double},
};

static bool find_functions(void *library)
{
#define FIND(name, result, parameters)                                                             \
    {                                                                                              \
        void *address = dlsym(library, #name);                                                     \
        memcpy(&blas.name, &address, sizeof address);                                              \
    }
    FUNCTIONS(FIND)
#undef FIND
    return blas.openblas_set_num_threads != NULL && blas.openblas_get_config != NULL &&
           blas.cblas_sdot != NULL && blas.cblas_ddot != NULL && blas.cblas_snrm2 != NULL &&
           blas.cblas_dnrm2 != NULL;
}

const struct bench_peer *bench_peer_open(const char **why_not)
{
    static struct bench_peer peer = {.is_library = true,
                                     .flags = "as packaged",
                                     .offers = offers,
                                     .offer_count = sizeof offers / sizeof *offers};
    void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL || !find_functions(library)) {
        *why_not = library == NULL ? "libopenblas.so.0 is not installed"
                                   : "libopenblas.so.0 lacks some functions";
        return NULL;
    }
    peer.version = blas.openblas_get_config();
    return &peer;
}
