/* SPDX-License-Identifier: Apache-2.0
 *
 * Work on files by compilers that may crash, in a process of its own: drivers have theirs within
 * the process that uses them.
 */
#ifndef CLI_GUARD_H
#define CLI_GUARD_H

/* What the work has come to, in memory that it shares with who waits for it. */
struct cli_progress {
    int file;        /* the number of the one at hand; -1: none yet */
    char target[24]; /* what it is compiled for; "": nothing is being compiled */
};

/* Works on files from `first` on; gives the exit status. */
typedef int cli_work(int first, int count, char **files, void *data, struct cli_progress *progress);

/* Does the work; where it crashes, that is said with the file and the target, and it is done from
 * the next file on. Gives the exit status of it all. */
int cli_guard(cli_work *work, int count, char **files, void *data);

#endif
