/* SPDX-License-Identifier: Apache-2.0
 *
 * Statuses' names, and each thread's line about its last failure.
 */
#include "src/core/status.h"

#include "src/port/pages.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

/* Thread-local memory is scarce in a program that loads many plugins, so the line has pages of its
 * own from the thread's first failure on. */
static _Thread_local char *last_error;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void release(void *line)
{
    reap__pages_unmap(line, REAP__MESSAGE_BYTES);
}

static void make_key(void)
{
    pthread_key_create(&key, release);
}

static char *find_line(void)
{
    if (last_error == NULL) {
        pthread_once(&once, make_key);
        last_error = (char *)reap__pages_map(REAP__MESSAGE_BYTES);
        if (last_error != NULL)
            pthread_setspecific(key, last_error);
    }
    return last_error;
}

reap_status reap__fail(reap_status status, const char *format, ...)
{
    va_list arguments;
    char *line = find_line();
    va_start(arguments, format);
    if (line != NULL)
        vsnprintf(line, REAP__MESSAGE_BYTES, format, arguments);
    va_end(arguments);
    return status;
}

const char *reap_last_error(void)
{
    return last_error != NULL ? last_error : "";
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
