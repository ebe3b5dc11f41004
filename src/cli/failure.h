/* SPDX-License-Identifier: Apache-2.0
 *
 * What went wrong, in words, for functions that any thread may call: whoever has the file's name
 * prints it, once.
 */
#ifndef CLI_FAILURE_H
#define CLI_FAILURE_H

#include <stdbool.h>

enum { CLI_FAILURE_BYTES = 512 };

struct cli_failure {
    char text[CLI_FAILURE_BYTES]; /* one line without a newline; "" while nothing went wrong */
};

/* Notes what went wrong, where nothing was noted before, and gives false, for the caller to give.
 */
bool cli_fail(struct cli_failure *failure, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
