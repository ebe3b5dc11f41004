/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of columns in a text file, read block by block: rows in order, under the reader's lock;
 * what is in them, by any thread.
 */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "src/cli/failure.h"
#include "src/cli/read/element.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cli_source;
struct cli_table;

/* As the command line has them. */
struct cli_table_options {
    const char *columns; /* names or numbers from 1, with commas; NULL: every numeric one */
    char separator;      /* '\0': recognised */
    char quote;          /* '\0': recognised */
    char decimal;        /* '\0': recognised */
    enum cli_table_header { CLI_HEADER_RECOGNISED, CLI_HEADER_IS, CLI_HEADER_IS_NOT } header;
};

#endif
