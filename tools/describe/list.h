/* SPDX-License-Identifier: Apache-2.0
 *
 * What is in a file, without a description: the first line of each array, and the columns of each
 * table with their types.
 */
#ifndef CLI_LIST_H
#define CLI_LIST_H

#include "tools/read/file.h"

/* Prints a data set on standard output. */
void cli_print_list(const struct cli_file *file, const struct cli_dataset *dataset);

#endif
