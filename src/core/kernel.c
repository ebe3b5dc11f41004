/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiling kernels ahead of their launches, for devices that compile them, and for hardware that
 * this machine does not have. What identifies a kernel.
 */
#include "src/core/kernel.h"

#include "src/accelerator/preprocess/preprocess.h"
#include "src/core/arguments.h"
#include "src/core/backend.h"
#include "src/core/status.h"
#include "src/port/cancellation.h"

#include <reap/compile.h>
#include <reap/launch.h>
#include <stdatomic.h>
#include <string.h>

/* A kernel gets its number at its first use. The state of a library that is loaded again, or where
 * another one was, is zero again. */
uint64_t reap__kernel_number(const struct reap_kernel *kernel)
{
    static _Atomic(uint64_t) last; /* relaxed: only its value matters */
    _Atomic(uint64_t) *const number = &kernel->state->number;
    uint64_t found = atomic_load_explicit(number, memory_order_relaxed);
    if (found != 0)
        return found;
    const uint64_t made = atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
    return atomic_compare_exchange_strong_explicit(number, &found, made, memory_order_relaxed,
                                                   memory_order_relaxed)
               ? made
               : found;
}

reap_status reap_kernel_compile(const reap_device *device, const struct reap_kernel *kernel,
                                unsigned dimensions)
{
    if (device == NULL || kernel == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_kernel_compile: the %s is NULL",
                          device == NULL ? "device" : "kernel");
    REAP_TRY(reap__kernel_check_usable(kernel));
    if (dimensions < 1 || dimensions > 3)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "kernel '%s': a range has 1, 2 or 3 dimensions, not %u", kernel->name,
                          dimensions);
    if (device->functions->compile == NULL)
        return reap__sources_check_variables(kernel);
    REAP_TRY(device->functions->compile(device, kernel, dimensions));
    return kernel->of_groups_ == NULL
               ? REAP_OK
               : device->functions->compile(device, kernel->of_groups_, dimensions);
}

const char *reap_kernel_code(const reap_device *device, const struct reap_kernel *kernel,
                             unsigned dimensions)
{
    if (device == NULL || kernel == NULL || dimensions < 1 || dimensions > 3 ||
        reap__kernel_check_usable(kernel) != REAP_OK)
        return "";
    if (kernel->of_groups_ != NULL)
        kernel = kernel->of_groups_;
    return device->functions->code != NULL ? device->functions->code(kernel, dimensions)
                                           : "compiled by the device's compiler";
}

/* Finds the backend of a target, "cuda:sm_90", and its architecture. */
static reap_status find_backend(const char *call, const char *target,
                                const struct reap__backend **backend, const char **architecture)
{
    const size_t length = strcspn(target, ":");
    *backend = reap__backend_find(target, length);
    if (*backend == NULL || (*backend)->check == NULL || target[length] == '\0')
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "%s: '%.80s' is not a target; \"cuda:sm_90\" is one", call, target);
    REAP_TRY(reap__backend_check_shown(*backend));
    *architecture = target + length + 1;
    return REAP_OK;
}

reap_status reap_kernel_check_target(const char *target, char checked[REAP_TARGET_BYTES])
{
    const struct reap__backend *backend;
    const char *architecture = NULL;
    if (target == NULL || checked == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_kernel_check_target: %s is NULL",
                          target == NULL ? "the target" : "checked");
    REAP_TRY(find_backend("reap_kernel_check_target", target, &backend, &architecture));
    reap__cancellation_defer();
    const reap_status status = backend->find_checked(architecture, checked);
    reap__cancellation_allow();
    return status;
}

reap_status reap_kernel_check(const struct reap_kernel *kernel, const char *target)
{
    const struct reap__backend *backend;
    const char *architecture = NULL;
    if (kernel == NULL || target == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_kernel_check: the %s is NULL",
                          kernel == NULL ? "kernel" : "target");
    REAP_TRY(reap__kernel_check_usable(kernel));
    REAP_TRY(find_backend("reap_kernel_check", target, &backend, &architecture));
    reap__cancellation_defer();
    reap_status status = backend->check(kernel, architecture);
    if (status == REAP_OK && kernel->of_groups_ != NULL)
        status = backend->check(kernel->of_groups_, architecture);
    reap__cancellation_allow();
    return status;
}
