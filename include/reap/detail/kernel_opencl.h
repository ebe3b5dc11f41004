/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel dialect for OpenCL C 1.2 and later: the keywords of kernel_words.h, which documents
 * them, for an OpenCL device's compiler. The library passes the compiler this header, a kernel
 * file's text and a generated entry function as one text; programs do not include it.
 */
#ifndef REAP_DETAIL_KERNEL_OPENCL_H
#define REAP_DETAIL_KERNEL_OPENCL_H

/* Each part needs those before it. */
#include <reap/detail/list.h>

#include <reap/version.h>

#include <reap/detail/opencl/standard.h>

#include <reap/detail/opencl/base.h>

#include <reap/detail/opencl/atomics.h>

#include <reap/detail/device/words.h>

#if defined(REAP__HAS_GROUPS) && defined(REAP__HAS_SUB_GROUPS)
#include <reap/detail/device/sub_groups.h>

#include <reap/detail/opencl/sub_groups.h>
#endif

#ifdef REAP__HAS_ATOMIC_WORDS
#include <reap/detail/atomic_arguments.h>
#include <reap/detail/opencl/atomic_orders.h>
#endif

#include <reap/detail/device/math_names.h>

#endif
