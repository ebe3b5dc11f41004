/* SPDX-License-Identifier: Apache-2.0
 *
 * The line is overwritten with blanks: that needs no control sequences, which some terminals lack.
 */
#include "src/cli/terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int told; /* how long the line is */

bool cli_terminal_is_utf8(void)
{
    setlocale(LC_CTYPE, "");
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

bool cli_terminal_has_colours(FILE *stream)
{
    const char *refused = getenv("NO_COLOR"), *kind = getenv("TERM");
    return isatty(fileno(stream)) && (refused == NULL || refused[0] == '\0') &&
           (kind == NULL || strcmp(kind, "dumb") != 0);
}

void cli_terminal_tell(const char *format, ...)
{
    char line[80];
    va_list arguments;
    if (!isatty(STDERR_FILENO))
        return;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    const int length = (int)strlen(line);
    fprintf(stderr, "\r%-*s", told, line);
    fflush(stderr);
    told = told > length ? told : length;
}

void cli_terminal_clear(void)
{
    if (told > 0)
        fprintf(stderr, "\r%*s\r", told, "");
    told = 0;
}
