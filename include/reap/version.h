/* SPDX-License-Identifier: Apache-2.0
 *
 * The version of these headers and of the library at run time. Results keep their bits within a
 * major version; while that is 0, a minor version may change them and says so in its notes.
 */
#ifndef REAP_VERSION_H
#define REAP_VERSION_H

#include <reap/api.h>

/* The version of these headers, as numbers. */
#define REAP_VERSION_MAJOR 0
#define REAP_VERSION_MINOR 1
#define REAP_VERSION_PATCH 0

/* The library's version, "0.1.0". The string lives for ever. Any thread. */
REAP_API const char *reap_version(void);

#endif
