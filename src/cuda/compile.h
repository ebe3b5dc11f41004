/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiling by NVRTC, which needs no card. Any thread may call all functions here.
 */
#ifndef REAP_CUDA_COMPILE_H
#define REAP_CUDA_COMPILE_H

#include "src/accelerator/driver.h"

#include <reap/status.h>
#include <stdbool.h>
#include <stddef.h>

/* Fails with REAP_ERROR_NO_DEVICE if NVRTC cannot be opened. */
reap_status reap__nvrtc_version(int *major, int *minor);

/* Fails with REAP_ERROR_NO_DEVICE if NVRTC no longer supports this compute capability. A card that
 * NVRTC does not know runs the PTX of an older one. */
reap_status reap__cuda_can_compile(int major, int minor);

/* Finds the architecture to compile for where a user has named one and no card is present: that
 * one, or the newest that NVRTC knows if it is newer. Fails with REAP_ERROR_NO_DEVICE if it is
 * older than the newest, and unknown. */
reap_status reap__cuda_find_architecture(int wanted, int *found);

/* What a text is compiled to. The code of a check is PTX without optimisation, and is not run. */
enum reap__cuda_code { REAP__CUDA_MACHINE_CODE, REAP__CUDA_PTX, REAP__CUDA_CODE_OF_A_CHECK };

/* Compiles a text for cards of a compute capability: to PTX, which ends in a zero byte, if NVRTC
 * does not know cards that are so new. Otherwise as `compile` of struct reap__driver. */
reap_status reap__cuda_compile(int major, int minor, const char *text, enum reap__cuda_code code,
                               struct reap__binary *binary, char **log);

/* Whether compiled code is complete: everything that the section and program tables of an ELF file
 * (a cubin) refer to is within it, or a text (PTX) ends in a zero byte. CUDA's loader takes no
 * size, so it would read beyond the end. Does not check the contents. */
bool reap__cuda_image_is_whole(const void *bytes, size_t size);

#endif
