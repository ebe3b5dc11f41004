/* SPDX-License-Identifier: Apache-2.0
 *
 * An array in the .npy format in a source, which may be a file or a member of an archive.
 */
#ifndef CLI_NPY_FILE_H
#define CLI_NPY_FILE_H

#include "tools/read/plain.h"

/* Reads the header from the source, and makes the array. plain->source is set. */
bool cli_npy_open(struct cli_plain *plain, struct cli_array *array, struct cli_failure *failure);

#endif
