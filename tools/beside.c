/* SPDX-License-Identifier: Apache-2.0
 *
 * The folder relative to this program's, which the build defines.
 */
#include "tools/beside.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool cli_find_beside(const char *name, char *path, size_t bytes)
{
    char own[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length < 0)
        return false;
    own[length] = '\0';
    *strrchr(own, '/') = '\0';
    const int written = snprintf(path, bytes, "%s/" CLI_TO_BESIDE "/%s", own, name);
    return written > 0 && (size_t)written < bytes;
}
