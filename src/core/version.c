/* SPDX-License-Identifier: Apache-2.0
 *
 * The library's version as text.
 */
#include <reap/version.h>

#define TEXT_(number) #number
#define TEXT(number) TEXT_(number)

const char *reap_version(void)
{
    return TEXT(REAP_VERSION_MAJOR) "." TEXT(REAP_VERSION_MINOR) "." TEXT(REAP_VERSION_PATCH);
}
