/* SPDX-License-Identifier: Apache-2.0
 *
 * Complaints, and the end of standard output.
 */
#include "src/cli/message.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

enum { LINE_BYTES = 4096 };

void cli_print_name(FILE *stream, const char *name)
{
    for (const unsigned char *at = (const unsigned char *)name; *at != '\0'; at++)
        if (*at < ' ' || *at == 0x7f)
            fprintf(stream, "\\%03o", *at);
        else
            putc(*at, stream);
}

void cli_complain(const char *name, const char *format, ...)
{
    char line[LINE_BYTES];
    va_list arguments;
    fputs("reap: ", stderr);
    if (name != NULL) {
        cli_print_name(stderr, name);
        fputs(": ", stderr);
    }
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    cli_print_name(stderr, line); /* names of columns may be in it */
    putc('\n', stderr);
}

bool cli_flush(void)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    cli_complain("standard output", "%s", errno != 0 ? strerror(errno) : "cannot be written");
    return false;
}

int cli_print_help(const char *text)
{
    fputs(text, stdout);
    return cli_flush() ? CLI_FINE : CLI_BAD_INPUT;
}
