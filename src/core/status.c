/* SPDX-License-Identifier: Apache-2.0
 *
 * Statuses' names, and each thread's line about its last failure.
 */
#include "src/core/status.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char last_error[REAP__MESSAGE_BYTES];

reap_status reap__fail(reap_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last_error, sizeof last_error, format, arguments);
    va_end(arguments);
    return status;
}

const char *reap_last_error(void)
{
    return last_error;
}

const char *reap_status_name(reap_status status)
{
    static const char *const names[] = {
#define NAME(name, meaning) #name,
        REAP_STATUS_LIST(NAME)
#undef NAME
    };
    if ((unsigned)status >= sizeof names / sizeof *names)
        return "unknown status";
    return names[status];
}
