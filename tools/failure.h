/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of a failure, for functions that any thread may call. The caller that knows the file's
 * name prints it, once.
 */
#ifndef CLI_FAILURE_H
#define CLI_FAILURE_H

#include <stdbool.h>

enum { CLI_FAILURE_BYTES = 512 };

struct cli_failure {
    char text[CLI_FAILURE_BYTES]; /* one line without a newline; "" if nothing has failed */
};

/* Records a failure, unless one is recorded already, and returns false, for the caller to return.
 */
bool cli_fail(struct cli_failure *failure, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
