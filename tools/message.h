/* SPDX-License-Identifier: Apache-2.0
 *
 * The tool's messages on standard error, one line each, and its exit statuses.
 */
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include "tools/failure.h"

#include <stdbool.h>
#include <stdio.h>

/* The tool's exit statuses. */
enum cli_status {
    CLI_FINE = 0,
    CLI_BAD_INPUT = 1, /* also: output could not be written; unknown device */
    CLI_USAGE = 2,
};

/* Prints "reap: NAME: " and the text as one line on standard error. NULL: no name. Any thread. */
void cli_complain(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* From now on the first complaint is recorded, without the name, and none is printed: another
 * process prints one. */
void cli_record_complaints(struct cli_failure *failure);

/* Prints "CALLED: " and the text as one line on standard error: an error in the command line of the
 * command of that name. */
void cli_complain_usage(const char *called, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints a name without characters that disturb a line or a terminal (escape.h). */
void cli_print_name(FILE *stream, const char *name);

/* Flushes standard output. If that fails, or an earlier write has failed, complains and returns
 * false; does not complain if it is a pipe that nothing reads any more. After a failure nothing
 * more should be printed. */
bool cli_flush(void);

/* Prints the text and returns the exit status. */
int cli_print_help(const char *text);

#endif
