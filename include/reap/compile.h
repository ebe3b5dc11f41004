/* SPDX-License-Identifier: Apache-2.0
 *
 * Checking kernels where they will not run: whether compilers for devices take them. `reap compile`
 * does so for files; this is what it is made of.
 *
 * A C file that defines REAP_LIST_KERNELS before it includes kernel files lists their kernels, so
 * that a program finds them without their names.
 */
#ifndef REAP_COMPILE_H
#define REAP_COMPILE_H

#include <reap/api.h>
#include <reap/status.h>
#include <stddef.h>

struct reap_kernel;

/* Compiles a kernel, for ranges of one dimension, for hardware that need not be here, and keeps
 * nothing. The target is "cuda:sm_90", or another architecture of NVIDIA's cards as nvcc calls
 * them, and needs the library NVRTC. For devices that are here there is reap_kernel_compile. Any
 * thread; blocks while the compiler runs. Fails with COMPILATION_FAILED as reap_kernel_compile
 * does, with NO_DEVICE where NVRTC is missing, has no support for the architecture, or
 * REAP_BACKENDS hides "cuda", and with INVALID_ARGUMENT where the target is none, or a pointer is
 * NULL. */
REAP_API reap_status reap_kernel_check(const struct reap_kernel *kernel, const char *target);

extern const struct reap_kernel *const __start_reap_kernels[]
    __attribute__((__weak__, __visibility__("hidden")));
extern const struct reap_kernel *const __stop_reap_kernels[]
    __attribute__((__weak__, __visibility__("hidden")));

/* The kernels of the program or shared library that this is compiled into, as far as they are
 * listed: an array of *count_ entries, some of which may be NULL, that lives as long as it does.
 * count_ must not be NULL. Any thread. */
static inline const struct reap_kernel *const *reap_listed_kernels(size_t *count_)
{
    *count_ = (size_t)(__stop_reap_kernels - __start_reap_kernels);
    return __start_reap_kernels;
}

#endif
