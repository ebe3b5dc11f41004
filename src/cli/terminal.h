/* SPDX-License-Identifier: Apache-2.0
 *
 * What the terminal can show, and the line on it that tells how far a long work is.
 */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* Whether the character set of the environment's locale is UTF-8. Any thread. */
bool cli_terminal_is_utf8(void);

/* Whether text may be coloured: the stream is a terminal which is not dumb, and NO_COLOR is not
 * set, or empty (https://no-color.org). */
bool cli_terminal_has_colours(FILE *stream);

/* Shows a line on standard error in the place of the one before, where that is a terminal. Text of
 * ASCII that is cut off at 79 characters. */
void cli_terminal_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Takes the line away. To be called before anything else is printed. */
void cli_terminal_clear(void);

#endif
