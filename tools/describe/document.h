/* SPDX-License-Identifier: Apache-2.0
 *
 * The JSON of a data set, for `reap describe --json`. docs/describe.md explains each key.
 */
#ifndef CLI_DOCUMENT_H
#define CLI_DOCUMENT_H

#include "tools/describe/description.h"
#include "tools/rate.h"

/* Prints one line on standard output, an object; rate may be NULL. If memory runs out, complains
 * and returns false. */
bool cli_print_document(const struct cli_description *description, const struct cli_rate *rate);

#endif
