/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tool says on standard error, one line for each complaint, and how it ends.
 */
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include <stdbool.h>
#include <stdio.h>

/* The tool's exit statuses. */
enum cli_status {
    CLI_FINE = 0,
    CLI_BAD_INPUT = 1, /* also output that could not be written, and no device */
    CLI_USAGE = 2,
};

/* Prints "reap: NAME: " and the text as one line on standard error. NULL: no name. Any thread. */
void cli_complain(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints "CALLED: " and the text as one line on standard error: what is wrong with the command line
 * of a command that is called so. */
void cli_complain_usage(const char *called, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints a name without what would disturb a line or a terminal (escape.h). */
void cli_print_name(FILE *stream, const char *name);

/* Writes out what standard output still holds; complains and gives false where that fails, now or
 * earlier. Once it has failed, nothing more is to be printed. */
bool cli_flush(void);

/* Prints the text and gives the exit status. */
int cli_print_help(const char *text);

#endif
