/* SPDX-License-Identifier: Apache-2.0
 *
 * An interrupt (control-C) ends the reading, not the tool: the results so far are printed, and the
 * exit status shows that they are incomplete. A second interrupt ends the tool at once.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

enum { CLI_INTERRUPTED = 130 }; /* the exit status, that of a program ended by the signal */

/* Handles the signal from here on, unless it is ignored. A blocking read then ends with EINTR. */
void cli_catch_interrupt(void);

/* Waits until the file is readable (is_output: writable), at its end, or an interrupt came, on any
 * thread. Returns false after `seconds` (0: no limit) without any of these. Any thread. */
bool cli_wait_for(int file, bool is_output, uint64_t seconds);

/* Whether the interrupt came. Any thread. */
bool cli_is_interrupted(void);

#endif
