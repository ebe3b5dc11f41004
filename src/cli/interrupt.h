/* SPDX-License-Identifier: Apache-2.0
 *
 * An interrupt (control-C) ends the reading, not the tool: what was read so far is printed, and
 * the exit status says that it was not all. A second one ends the tool at once.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

enum { CLI_INTERRUPTED = 130 }; /* the exit status, as of a program that the signal ended */

/* Catches the signal from here on, unless it is ignored. A blocking read then ends with EINTR. */
void cli_catch_interrupt(void);

/* Waits until the file has something to read (or, is_output, room to write), or ended, or the
 * interrupt came: the signal may go to another thread than the one that reads. Gives false where
 * none of these is so after as many seconds (0: any number). Any thread. */
bool cli_wait_for(int file, bool is_output, uint64_t seconds);

/* Whether it came. Any thread. */
bool cli_is_interrupted(void);

#endif
