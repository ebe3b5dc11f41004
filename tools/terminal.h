/* SPDX-License-Identifier: Apache-2.0
 *
 * The abilities of the terminal, and the line of progress on it.
 */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* Whether the character set of the environment's locale is UTF-8. Any thread. */
bool cli_terminal_is_utf8(void);

/* Whether text may be coloured: the stream is a terminal that is not dumb, and NO_COLOR is not set,
 * or empty (https://no-color.org). */
bool cli_terminal_has_colours(FILE *stream);

/* Shows a line on standard error, in place of the previous one, if that is a terminal. The text is
 * ASCII and is truncated to 79 characters. */
void cli_terminal_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Removes the line. Call it before anything else is printed. */
void cli_terminal_clear(void);

#endif
