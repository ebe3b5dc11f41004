/* SPDX-License-Identifier: Apache-2.0
 *
 * What `reap describe` prints about a file. docs/describe.md explains each line.
 */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "src/cli/read/array.h"
#include "src/cli/rate.h"
#include "src/cli/describe/summary.h"

/* Prints a file's block on standard output; rate may be NULL. */
void cli_report(const struct cli_array *array, const struct cli_summary *summary,
                const struct cli_rate *rate);

#endif
