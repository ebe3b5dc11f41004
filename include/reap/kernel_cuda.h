/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel dialect for NVRTC, CUDA's compiler at run time: the words of kernel_host.h, which
 * documents them, in CUDA C++. The library hands the compiler this header, a kernel file's text and
 * a generated entry function as one text; programs do not include it.
 */
#ifndef REAP_KERNEL_CUDA_H
#define REAP_KERNEL_CUDA_H

/* Each part needs those before it. */
#include <reap/host/list.h>

#include <reap/cuda/standard.h>

#include <reap/cuda/base.h>

#include <reap/cuda/atomics.h>

#include <reap/device/words.h>

#include <reap/cuda/enumerations.h>

#include <reap/cuda/names.h>

#endif
