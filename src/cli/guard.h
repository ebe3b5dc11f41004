/* SPDX-License-Identifier: Apache-2.0
 *
 * Work on files by compilers that may crash or never end, in a process of its own: drivers have
 * theirs within the process that uses them. Whatever ends this process or that one, both end, with
 * the compilers that were started and the folder for temporary files.
 */
#ifndef CLI_GUARD_H
#define CLI_GUARD_H

#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>

/* What the process that works and the one that waits for it share. */
struct cli_progress {
    int file;                    /* the number of the one at hand; -1: none yet */
    char target[24];             /* what it is compiled for; "": the host */
    atomic_int_least64_t begun;  /* when the compiler at hand was; milliseconds of a clock */
    char folder[PATH_MAX - 512]; /* for temporary files; what is in it need not be removed */
};

/* Works on files from `first` on; gives the exit status. */
typedef int cli_work(int first, int count, char **files, void *data, struct cli_progress *progress);

/* Notes what is compiled now, and for what; to be called by the work. */
void cli_progress_note(struct cli_progress *progress, int file, const char *target);

/* Does the work; where it crashes, or a compiler takes longer than so many seconds, that is said
 * with the file and the target, and it is done from the next file on. Gives the exit status of it
 * all. A signal that ends programs ends this one, once the other process has ended. */
int cli_guard(cli_work *work, int count, char **files, void *data, uint64_t seconds);

#endif
