/* SPDX-License-Identifier: Apache-2.0
 *
 * By AT_SECURE of the kernel's auxiliary vector.
 */
#include "src/port/rights.h"

#include <sys/auxv.h>
#include <unistd.h>

bool reap__rights_are_raised(void)
{
    return getauxval(AT_SECURE) != 0 || geteuid() != getuid() || getegid() != getgid();
}
