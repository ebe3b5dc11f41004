/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The version of these headers, and of the library at run time.
 *
 * Results keep their bits within a major version. While the major version is 0, a minor version may
 * change them; its entry in CHANGELOG.md says so.
 */
#ifndef REAP_VERSION_H
#define REAP_VERSION_H

#include <reap/api.h>

/** A part of the version of these headers, as a number. */
/**@{*/
#define REAP_VERSION_MAJOR 0
#define REAP_VERSION_MINOR 1
#define REAP_VERSION_PATCH 0
/**@}*/

/** The library's version.
 *
 * @return a static string, such as "0.1.0"
 * @note Any thread may call it. */
REAP_API const char *reap_version(void);

#endif
