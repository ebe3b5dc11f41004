/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that the ranks of a job read together. Each rank opens a file itself, and must find the
 * same data sets in it. What only one process can read (a pipe, standard input), or one that
 * decompresses it reads as fast as several (a compressed file), is rank 0's work alone.
 */
#ifndef CLI_SHARED_FILE_H
#define CLI_SHARED_FILE_H

#include "tools/job/job.h"
#include "tools/read/file.h"

enum cli_sharing {
    CLI_SHARED,     /* all ranks take part */
    CLI_UNSHARED,   /* it is this rank's work; always without a job */
    CLI_NOT_WANTED, /* it is that of another rank: the file is not open */
};

/* Opens a file, as cli_file_open. Collective: either all ranks fail, and rank 0 has the failure, or
 * all go on. */
bool cli_shared_file_open(struct cli_job *job, struct cli_file *file, const char *called,
                          const struct cli_file_options *options, enum cli_sharing *sharing,
                          struct cli_failure *failure);

/* The next data set of a file that is shared or unshared, as cli_file_next. Collective if the file
 * is shared; then *sharing is that of the data set. */
enum cli_next cli_shared_file_next(struct cli_job *job, struct cli_file *file,
                                   struct cli_dataset *dataset, enum cli_sharing *sharing,
                                   struct cli_failure *failure);

#endif
