/* SPDX-License-Identifier: Apache-2.0
 *
 * A compiler's whole log as people read it.
 */
#ifndef REAP_ACCELERATOR_PROGRAM_LOG_LINES_H
#define REAP_ACCELERATOR_PROGRAM_LOG_LINES_H

#include "src/accelerator/string_builder.h"

/* Appends the lines of a log about `text`; those of errors begin as reap__log_describe (log.h)
 * says. NULL is a log without words. Any thread. */
void reap__log_add_lines(const char *log, const char *text, struct reap__text *into);

#endif
