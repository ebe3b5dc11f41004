/* SPDX-License-Identifier: Apache-2.0
 *
 * What a kernel file includes: the kernel dialect, for the compiler that reads it. The host's C
 * compiler gets kernel_host.h, where every word is documented; a device's compiler gets the same
 * words from kernel_opencl.h or kernel_cuda.h, which the library puts in this file's place.
 */
#ifndef REAP_KERNEL_H
#define REAP_KERNEL_H

#include <reap/api.h>

#ifdef __cplusplus
#error "Reap: kernel files are C; compile the file that includes this as C"
#else
#include <reap/kernel_host.h>
#endif

#endif
