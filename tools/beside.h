/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs and libraries that belong to the tool, in libexec/reap. It finds them by its own
 * position, so that an installed tree can be moved.
 */
#ifndef CLI_BESIDE_H
#define CLI_BESIDE_H

#include <stdbool.h>
#include <stddef.h>

/* The path of a file there, whether it exists or not; false: the tool's own path is unknown, or too
 * long. */
bool cli_find_beside(const char *name, char *path, size_t bytes);

#endif
