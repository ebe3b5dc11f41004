/* SPDX-License-Identifier: Apache-2.0
 *
 * What `reap describe --json` prints of a data set. docs/describe.md explains each key.
 */
#ifndef CLI_DOCUMENT_H
#define CLI_DOCUMENT_H

#include "src/cli/describe/description.h"
#include "src/cli/rate.h"

/* Prints one line on standard output, an object; rate may be NULL. Gives false where there is no
 * memory, and complains. */
bool cli_print_document(const struct cli_description *description, const struct cli_rate *rate);

#endif
