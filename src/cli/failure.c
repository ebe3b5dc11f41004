/* SPDX-License-Identifier: Apache-2.0
 *
 * Notes the first failure.
 */
#include "src/cli/failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool cli_fail(struct cli_failure *failure, const char *format, ...)
{
    char text[CLI_FAILURE_BYTES] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (failure->text[0] == '\0')
        memcpy(failure->text, text, sizeof text);
    return false;
}
