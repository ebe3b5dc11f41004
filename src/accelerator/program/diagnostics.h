/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device compiler's log means: the one line that tells the user what is wrong and where in
 * the user's file, the whole log with the user's file names, and advice for errors about names
 * that only the program's own compiler knew.
 */
#ifndef REAP_ACCELERATOR_PROGRAM_DIAGNOSTICS_H
#define REAP_ACCELERATOR_PROGRAM_DIAGNOSTICS_H

#include "src/accelerator/string_builder.h"

#include <stddef.h>

/* ---- Advice
 * ------------------------------------------------------------------------------------*/

/* Appends advice to a line that describes an error about `text`, where there is some, and
 * room for it in `size` bytes. */
void reap__diagnostics_add_advice(char *line, size_t size, const char *text);

/* ---- Log
 * ---------------------------------------------------------------------------------------*/

/* Writes the log's first error as "FILE:LINE: error: MESSAGE", cut to `size`, which is not 0. Where
 * the compiler went by its own count of lines, FILE and LINE are those that the #line directives of
 * `text`, which it compiled, give. Where none has a place the first error is written as it is,
 * and of a log without errors the first line; NULL is a log without words. Any thread. */
void reap__diagnostics_first_error(const char *log, const char *text, char *line, size_t size);

/* ---- Log lines
 * ---------------------------------------------------------------------------------*/

/* Appends the lines of a log about `text`; those of errors begin as reap__diagnostics_first_error
 * says. NULL is a log without words. Any thread. */
void reap__diagnostics_add_lines(const char *log, const char *text, struct reap__string *into);

#endif
