/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The version of these headers, and of the library at run time.
 *
 * Results keep their bits within a major version. While the major version is 0, a minor version may
 * change them; its entry in CHANGELOG.md says so. Kernels have the numbers on every device.
 */
#ifndef REAP_VERSION_H
#define REAP_VERSION_H

/** A part of the version of these headers, as a number. */
/**@{*/
#define REAP_VERSION_MAJOR 0
#define REAP_VERSION_MINOR 1
#define REAP_VERSION_PATCH 0
/**@}*/

/* Devices have no functions of the library. */
#if !defined(REAP_DETAIL_KERNEL_OPENCL_H) && !defined(REAP_DETAIL_KERNEL_CUDA_H)
#include <reap/api.h>

/** The library's version.
 *
 * @return a static string, such as "0.1.0"
 * @note Any thread may call it. */
REAP_API const char *reap_version(void);
#endif

#endif
