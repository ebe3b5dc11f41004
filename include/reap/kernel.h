/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The kernel dialect, for the compiler that reads it: the header that kernel files include.
 *
 * The host's C compiler gets kernel_words.h, which documents every keyword. The library gives a
 * device's compiler kernel_opencl.h or kernel_cuda.h in place of this file; they define the same
 * keywords.
 */
#ifndef REAP_KERNEL_H
#define REAP_KERNEL_H

#include <reap/api.h>

#ifdef __cplusplus
#error "Reap: kernel files are C; compile the file that includes this as C"
#else
#include <reap/detail/kernel_host.h>
#endif

#endif

/* For each kernel file. */
#include <reap/detail/host/replaced_names.h>
