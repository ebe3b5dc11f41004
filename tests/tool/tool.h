/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the tool and keeps what it said.
 */
#ifndef TESTS_CLI_TOOL_H
#define TESTS_CLI_TOOL_H

enum { TOOL_MOST_ARGUMENTS = 64, TOOL_TEXT_BYTES = 65536 };

struct tool_run {
    int status;                   /* the exit status; 128 and more: the signal that ended it */
    char output[TOOL_TEXT_BYTES]; /* standard output and error, cut off where they are longer */
    char errors[TOOL_TEXT_BYTES];
};

/* Runs `tool` with the arguments, the last of which is followed by NULL, and waits for it. Ends the
 * test where that is impossible. */
void tool_run(const char *tool, const char *const *arguments, struct tool_run *run);

#endif
