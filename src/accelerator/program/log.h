/* SPDX-License-Identifier: Apache-2.0
 *
 * The one line of a compiler's log that tells a user what is wrong, and where in the user's file.
 */
#ifndef REAP_ACCELERATOR_PROGRAM_LOG_H
#define REAP_ACCELERATOR_PROGRAM_LOG_H

#include <stddef.h>

/* Writes the log's first error as "FILE:LINE: error: MESSAGE", cut to `size`, which is not 0. Where
 * the compiler went by its own count of lines, FILE and LINE are those that the #line directives of
 * `text`, which it compiled, give. Where none has a place the first error is written as it is,
 * and of a log without errors the first line; NULL is a log without words. Any thread. */
void reap__log_describe(const char *log, const char *text, char *line, size_t size);

#endif
