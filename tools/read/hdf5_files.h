/* SPDX-License-Identifier: Apache-2.0
 *
 * The other files that an HDF5 file names: those with the elements of external and virtual data
 * sets, and those of links to other files. A file can name any file that the user may read. Unless
 * the user allows more, a file is accepted only in the folder of the first one, or below it, after
 * symbolic links are resolved. It must be a regular file, since others may be endless.
 */
#ifndef CLI_HDF5_FILES_H
#define CLI_HDF5_FILES_H

#include "tools/failure.h"

#include <hdf5.h>

struct cli_hdf5_files {
    bool allows_outside;
    char *folders[2]; /* the name by which the file is found, and its real path */
    unsigned depth;   /* the nesting of links and sources */
    struct cli_failure refused;
};

/* From here on the library follows links to other files by the rules of this struct, whose address
 * must not change. One at a time. Returns false and the failure if memory runs out. */
bool cli_hdf5_files_begin(struct cli_hdf5_files *files, const char *name, bool allows_outside,
                          struct cli_failure *failure);
void cli_hdf5_files_end(struct cli_hdf5_files *files);

/* Opens a file to be read. */
hid_t cli_hdf5_files_open(const char *name);

/* Checks the files that a data set needs. Must be called before the extent is read, which makes the
 * library open them. */
bool cli_hdf5_files_check(struct cli_hdf5_files *files, hid_t set, struct cli_failure *failure);

#endif
