/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel says so in the auxiliary vector.
 */
#include "src/port/rights.h"

#include <sys/auxv.h>
#include <unistd.h>

bool reap__rights_are_raised(void)
{
    return getauxval(AT_SECURE) != 0 || geteuid() != getuid() || getegid() != getgid();
}
