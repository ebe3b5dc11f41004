/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs work on files in a separate process, since it calls compilers that may crash or never end
 * (drivers contain compilers that run in the calling process). If either process ends, for any
 * reason, the other one ends, too, as do the compilers that were started; the folder for temporary
 * files is removed.
 */
#ifndef CLI_GUARD_H
#define CLI_GUARD_H

#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>

/* Memory that the working process and the waiting process share. */
struct cli_progress {
    int file;                    /* the index of the current one; -1: none yet */
    char target[24];             /* the target; "": the host */
    atomic_int_least64_t begun;  /* the start time of the current compiler, in milliseconds */
    char folder[PATH_MAX - 512]; /* for temporary files; the work need not remove them */
};

/* Works on files from `first` on; returns the exit status. */
typedef int cli_work(int first, int count, char **files, void *data, struct cli_progress *progress);

/* Records the current file and target; the work calls it. */
void cli_progress_note(struct cli_progress *progress, int file, const char *target);

/* Runs the work. If it crashes, or a compiler takes longer than `seconds`, reports the file and the
 * target, and continues with the next file. Returns the exit status. A signal that ends programs
 * ends this one, once the other process has ended. */
int cli_guard(cli_work *work, int count, char **files, void *data, uint64_t seconds);

#endif
