/* SPDX-License-Identifier: Apache-2.0
 *
 * The other files that an HDF5 file names: those in which the elements of external and virtual data
 * sets are, and those of links to other files. A file can name whatever its user may read. Unless
 * the user allows more, a file counts that is in the folder of the first one, or below it, once
 * symbolic links are followed; and it is always a regular one, since others may not end.
 */
#ifndef CLI_HDF5_FILES_H
#define CLI_HDF5_FILES_H

#include "src/cli/failure.h"

#include <hdf5.h>

struct cli_hdf5_files {
    bool allows_outside;
    char *folders[2]; /* where the file is found, and where it is */
    unsigned depth;   /* of links and sources that are being followed */
    struct cli_failure refused;
};

/* From here on the library follows links to other files as this struct says, which must stay where
 * it is. There is one at a time. Gives false and the failure where there is no memory. */
bool cli_hdf5_files_begin(struct cli_hdf5_files *files, const char *name, bool allows_outside,
                          struct cli_failure *failure);
void cli_hdf5_files_end(struct cli_hdf5_files *files);

/* Opens a file to be read. */
hid_t cli_hdf5_files_open(const char *name);

/* Checks the files that a data set needs, before the library looks for them, which is when its
 * extent is asked for. */
bool cli_hdf5_files_check(struct cli_hdf5_files *files, hid_t set, struct cli_failure *failure);

#endif
