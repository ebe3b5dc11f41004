/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel dialect for NVRTC, CUDA's run-time compiler: the keywords of kernel_words.h, which
 * documents them, in CUDA C++. The library passes the compiler this header, a kernel file's text
 * and a generated entry function as one text; programs do not include it.
 */
#ifndef REAP_DETAIL_KERNEL_CUDA_H
#define REAP_DETAIL_KERNEL_CUDA_H

/* Each part needs those before it. */
#include <reap/detail/list.h>

#include <reap/version.h>

#include <reap/detail/cuda/standard.h>

#include <reap/detail/cuda/base.h>

#include <reap/detail/cuda/atomics.h>

#include <reap/detail/device/words.h>

#include <reap/detail/cuda/enumerations.h>

#if defined(REAP__HAS_GROUPS) && defined(REAP__HAS_SUB_GROUPS)
#include <reap/detail/device/sub_groups.h>

#include <reap/detail/cuda/sub_groups.h>
#endif

#ifdef REAP__HAS_ATOMIC_WORDS
#include <reap/detail/atomic_arguments.h>
#include <reap/detail/cuda/atomic_orders.h>
#endif

#include <reap/detail/device/math_names.h>

#endif
