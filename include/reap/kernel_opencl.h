/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel dialect for OpenCL C 1.2 and later: the words of kernel_host.h, which documents them,
 * as an OpenCL device's compiler takes them. The library hands such a compiler this header, a
 * kernel file's text and a generated entry function as one text; programs do not include it.
 */
#ifndef REAP_KERNEL_OPENCL_H
#define REAP_KERNEL_OPENCL_H

/* Each part needs those before it. */
#include <reap/host/list.h>

#include <reap/opencl/standard.h>

#include <reap/opencl/base.h>

#include <reap/opencl/atomics.h>

#include <reap/device/words.h>

#include <reap/opencl/names.h>

#endif
