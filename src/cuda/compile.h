/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiling by NVRTC, for which no card is needed.
 */
#ifndef REAP_CUDA_COMPILE_H
#define REAP_CUDA_COMPILE_H

#include "src/accelerator/driver.h"

#include <reap/status.h>
#include <stdbool.h>
#include <stddef.h>

/* Fails with REAP_ERROR_NO_DEVICE without NVRTC. Any thread, as all functions here. */
reap_status reap__nvrtc_version(int *major, int *minor);

/* Fails with REAP_ERROR_NO_DEVICE where NVRTC has forgotten cards as old as of this compute
 * capability. */
reap_status reap__cuda_can_compile(int major, int minor);

/* What a text is compiled to. Code that is not run is PTX, made in the least time. */
enum reap__cuda_code { REAP__CUDA_MACHINE_CODE, REAP__CUDA_PTX, REAP__CUDA_CODE_OF_A_CHECK };

/* Compiles a text for cards of a compute capability. Where NVRTC does not know cards as new, it is
 * to PTX, which ends in a zero byte. The rest is as for struct reap__driver's `compile`. */
reap_status reap__cuda_compile(int major, int minor, const char *text, enum reap__cuda_code code,
                               struct reap__binary *binary, char **log);

/* Whether compiled code is whole: all that the section and program tables of an ELF file (a cubin)
 * refer to lies within it, or a text (PTX) ends in a zero byte. CUDA's loader takes no size. Does
 * not check the contents. Any thread. */
bool reap__cuda_image_is_whole(const void *bytes, size_t size);

#endif
