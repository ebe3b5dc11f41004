/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that the ranks of a job read together. Each rank opens a file itself, and must find the
 * same data sets in it. Rank 0 alone describes files that only one process can read (a pipe,
 * standard input), and compressed files, which several processes would not decompress faster than
 * one.
 */
#ifndef CLI_SHARED_FILE_H
#define CLI_SHARED_FILE_H

#include "tools/job/job.h"
#include "tools/read/file.h"

enum cli_sharing {
    CLI_SHARED,     /* all ranks take part */
    CLI_UNSHARED,   /* this rank describes it alone; always so without a job */
    CLI_NOT_WANTED, /* another rank describes it; the file is not open here */
};

/* Opens a file, as cli_file_open does. Collective: it fails on all ranks or on none; rank 0 has the
 * failure. */
bool cli_shared_file_open(struct cli_job *job, struct cli_file *file, const char *called,
                          const struct cli_file_options *options, enum cli_sharing *sharing,
                          struct cli_failure *failure);

/* Finds the next data set of an open file, as cli_file_next does. Collective if the file is shared;
 * sets *sharing for the data set. */
enum cli_next cli_shared_file_next(struct cli_job *job, struct cli_file *file,
                                   struct cli_dataset *dataset, enum cli_sharing *sharing,
                                   struct cli_failure *failure);

#endif
