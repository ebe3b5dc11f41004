/* SPDX-License-Identifier: Apache-2.0
 *
 * What to do about an error of a device's compiler that is about a name which only the program's
 * compiler knew: a macro, a variable or a function of the program.
 */
#ifndef REAP_ACCELERATOR_PROGRAM_ADVICE_H
#define REAP_ACCELERATOR_PROGRAM_ADVICE_H

#include <stddef.h>

/* Appends advice to a line that describes an error (log.h) about `text`, where there is some, and
 * room for it in `size` bytes. */
void reap__advise(char *line, size_t size, const char *text);

#endif
