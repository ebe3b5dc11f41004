/* SPDX-License-Identifier: Apache-2.0
 *
 * The line is removed by overwriting it with blanks, since some terminals have no control
 * sequences.
 */
#include "tools/terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int shown; /* the length of the line */

static bool is_utf8;

/* Sets is_utf8. The program's own locale remains "C", in which numbers and words of files are read.
 */
static void find_character_set(void)
{
    const locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (locale == (locale_t)0)
        return;
    is_utf8 = strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
    freelocale(locale);
}

bool cli_terminal_is_utf8(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_character_set);
    return is_utf8;
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
    fprintf(stderr, "\r%-*s", shown, line);
    fflush(stderr);
    shown = shown > length ? shown : length;
}

void cli_terminal_clear(void)
{
    if (shown > 0)
        fprintf(stderr, "\r%*s\r", shown, "");
    shown = 0;
}
