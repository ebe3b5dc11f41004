/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads numbers. Text after a number is an error.
 */
#include "tools/number.h"

#include "tools/message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool cli_number_read(const char *text, uint64_t *number)
{
    static const char units[] = "KMG";
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    const char *unit = *end != '\0' ? strchr(units, *end) : NULL;
    const unsigned shift = unit != NULL ? 10 * (unsigned)(unit - units + 1) : 0;
    if (text[0] < '0' || text[0] > '9' || end[unit != NULL] != '\0' || errno != 0 ||
        value > UINT64_MAX >> shift)
        return false;
    *number = (uint64_t)value << shift;
    return true;
}

bool cli_number_read_seconds(const char *called, const char *text, uint64_t *seconds)
{
    const uint64_t most = 1000000; /* eleven days */
    if (text[strspn(text, "0123456789")] == '\0' && cli_number_read(text, seconds) &&
        *seconds >= 1 && *seconds <= most)
        return true;
    cli_complain_usage(called, "--timeout: '%s' is not a number of seconds from 1 to 1000000",
                       text);
    return false;
}
