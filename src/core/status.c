/* SPDX-License-Identifier: Apache-2.0
 *
 * The names of statuses; each thread's message of its last failure, and the compiler's log.
 */
#include "src/core/status.h"

#include "src/port/pages.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Thread-local memory is scarce in a program that loads many plugins, so a thread's message and log
 * are in pages that are allocated at its first failure. */
struct words {
    char line[REAP__MESSAGE_BYTES];
    char *log; /* in pages of its own; NULL: no log */
    size_t log_bytes;
};

static _Thread_local struct words *last;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void release_log(struct words *words)
{
    if (words->log != NULL)
        reap__pages_unmap((unsigned char *)words->log, words->log_bytes);
    words->log = NULL;
}

static void release(void *words)
{
    release_log(words);
    reap__pages_unmap(words, sizeof(struct words));
}

static void make_key(void)
{
    pthread_key_create(&key, release);
}

static struct words *find_words(void)
{
    if (last == NULL) {
        pthread_once(&once, make_key);
        last = (struct words *)(void *)reap__pages_map(sizeof *last);
        if (last != NULL)
            pthread_setspecific(key, last);
    }
    return last;
}

/* Makes one line of a message, which may contain a name with newlines: each control character
 * becomes a backslash and three octal digits. What has no room is cut off. */
static void escape(char line[REAP__MESSAGE_BYTES])
{
    enum { DIGITS = 3, DELETE = 0x7f };
    for (size_t at = 0; line[at] != '\0'; at++) {
        const unsigned char byte = (unsigned char)line[at];
        if (byte >= ' ' && byte != DELETE)
            continue;
        if (at + DIGITS + 1 >= REAP__MESSAGE_BYTES) {
            line[at] = '\0';
            return;
        }
        memmove(line + at + DIGITS, line + at, REAP__MESSAGE_BYTES - DIGITS - at);
        line[REAP__MESSAGE_BYTES - 1] = '\0';
        line[at++] = '\\';
        for (int digit = DIGITS - 1; digit >= 0; digit--)
            line[at++] = (char)('0' + (byte >> 3 * digit & 7));
        at--;
    }
}

reap_status reap__fail(reap_status status, const char *format, ...)
{
    va_list arguments;
    struct words *words = find_words();
    va_start(arguments, format);
    if (words != NULL) {
        vsnprintf(words->line, sizeof words->line, format, arguments);
        escape(words->line);
    }
    va_end(arguments);
    return status;
}

const char *reap_last_error(void)
{
    return last != NULL ? last->line : "";
}

reap_status reap_set_last_error(reap_status status, const char *message)
{
    return reap__fail(status, "%s", message != NULL ? message : "");
}

void reap__set_last_log(const char *log)
{
    struct words *words = log[0] != '\0' ? find_words() : last;
    if (words == NULL)
        return;
    release_log(words);
    words->log_bytes = strlen(log) + 1;
    words->log = words->log_bytes > 1 ? (char *)reap__pages_map(words->log_bytes) : NULL;
    if (words->log != NULL)
        memcpy(words->log, log, words->log_bytes);
}

const char *reap_last_log(void)
{
    return last != NULL && last->log != NULL ? last->log : "";
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
