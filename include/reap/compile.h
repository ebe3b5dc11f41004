/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Checking that kernels compile for hardware that is not present. `reap compile` does this for
 * files.
 *
 * A C file that defines REAP_LIST_KERNELS before it includes kernel files lists their kernels. A
 * program can then find them without knowing their names.
 */
#ifndef REAP_COMPILE_H
#define REAP_COMPILE_H

#include <reap/api.h>
#include <reap/status.h>
#include <stddef.h>

struct reap_kernel;

/** The most bytes of a target's name, with the zero at its end. */
#define REAP_TARGET_BYTES 32

/** Compiles a kernel for ranges of one dimension, for hardware that need not be present, and
 * discards the result.
 *
 * For a device that is present use reap_kernel_compile().
 *
 * @param kernel  the kernel, such as &reap_kernel_sum_and_max
 * @param target  "cuda:" and an architecture of NVIDIA's cards as nvcc names it, such as
 *                "cuda:sm_90"; needs the library NVRTC
 * @retval REAP_ERROR_COMPILATION_FAILED  as for reap_kernel_compile()
 * @retval REAP_ERROR_NO_DEVICE           NVRTC is missing or does not know the architecture, or
 *                                        REAP_BACKENDS hides "cuda"
 * @retval REAP_ERROR_INVALID_ARGUMENT    a pointer is NULL, or `target` is not a target
 * @note For an architecture that is newer than all that NVRTC knows, the PTX of the newest one is
 *       compiled, which the driver of such a card takes; reap_kernel_check_target() has its name.
 * @note Blocks while the compiler runs. Any thread may call it. */
REAP_API reap_status reap_kernel_check(const struct reap_kernel *kernel, const char *target);

/** Finds what reap_kernel_check() compiles for a target: the target, or the newest architecture
 * that NVRTC knows if the target's is newer.
 *
 * @param target        as for reap_kernel_check()
 * @param[out] checked  receives the name, such as "cuda:sm_90"
 * @retval REAP_ERROR_NO_DEVICE         as for reap_kernel_check()
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL, or `target` is not a target
 * @note Any thread may call it. */
REAP_API reap_status reap_kernel_check_target(const char *target, char checked[REAP_TARGET_BYTES]);

extern const struct reap_kernel *const __start_reap_kernels[]
    __attribute__((__weak__, __visibility__("hidden")));
extern const struct reap_kernel *const __stop_reap_kernels[]
    __attribute__((__weak__, __visibility__("hidden")));

/** Lists the kernels that REAP_LIST_KERNELS has listed in the program or shared library into which
 * the caller is compiled.
 *
 * @param[out] count_  the number of elements; not NULL
 * @return an array, in which elements may be NULL; valid as long as that program or library is
 * loaded
 * @note Any thread may call it.
 * @note The linker gold leaves the list out with --gc-sections, so there are 0 kernels; ld and lld
 * do not. */
static inline const struct reap_kernel *const *reap_listed_kernels(size_t *count_)
{
    *count_ = (size_t)(__stop_reap_kernels - __start_reap_kernels);
    return __start_reap_kernels;
}

#endif
