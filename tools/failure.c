/* SPDX-License-Identifier: Apache-2.0
 *
 * Records the first failure.
 */
#include "tools/failure.h"

#include <stdarg.h>
#include <stdio.h>

bool cli_fail(struct cli_failure *failure, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (failure->text[0] == '\0')
        vsnprintf(failure->text, sizeof failure->text, format, arguments);
    va_end(arguments);
    return false;
}
