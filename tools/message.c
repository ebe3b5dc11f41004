/* SPDX-License-Identifier: Apache-2.0
 *
 * Complaints on standard error, and flushing standard output.
 */
#include "tools/message.h"

#include "tools/escape.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

enum { LINE_BYTES = 4096 };

static struct cli_failure *recorded; /* NULL: complaints are printed */

void cli_record_complaints(struct cli_failure *failure)
{
    recorded = failure;
}

void cli_print_name(FILE *stream, const char *name)
{
    cli_print_escaped(stream, name, "");
}

/* Escapes the text, since it may contain names of columns and arguments of the command line. */
static void print_line(const char *format, va_list arguments)
{
    char line[LINE_BYTES];
    vsnprintf(line, sizeof line, format, arguments);
    if (recorded != NULL) {
        cli_fail(recorded, "%.500s", line);
        return;
    }
    cli_print_name(stderr, line);
    putc('\n', stderr);
}

void cli_complain(const char *name, const char *format, ...)
{
    va_list arguments;
    if (recorded == NULL)
        fputs("reap: ", stderr);
    if (name != NULL && recorded == NULL) {
        cli_print_name(stderr, name);
        fputs(": ", stderr);
    }
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
}

void cli_complain_usage(const char *called, const char *format, ...)
{
    va_list arguments;
    if (recorded == NULL)
        fprintf(stderr, "%s: ", called);
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
}

/* Whether the reader of standard output has gone, as in `reap describe x | head`. */
static bool has_no_reader(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

bool cli_flush(void)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    const int error = errno;
    if (error == EPIPE || (error == 0 && has_no_reader()))
        return false;
    errno = error;
    cli_complain("standard output", "%s", errno != 0 ? strerror(errno) : "cannot be written");
    return false;
}

int cli_print_help(const char *text)
{
    if (recorded != NULL)
        return CLI_FINE;
    fputs(text, stdout);
    return cli_flush() ? CLI_FINE : CLI_BAD_INPUT;
}
