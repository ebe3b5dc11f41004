/* SPDX-License-Identifier: Apache-2.0
 *
 * A pass over the text of some columns of a table, in which the different values of each are
 * counted; a cell without a value counts as an empty text. The file is read on its own.
 */
#ifndef CLI_TEXT_PASS_H
#define CLI_TEXT_PASS_H

#include "tools/describe/dataset_feed.h"
#include "tools/describe/keys.h"

/* Fills keys for each column that wants_text names, in their order; a column that has more than
 * `most` different values is not counted to its end. Fails for a pipe. */
bool cli_text_pass_run(const struct cli_subject *subject, const bool *wants_text, size_t most,
                       struct cli_keys *keys, struct cli_failure *failure);

/* Finds the groups of a table's rows, the different values of its key column, in a pass of its own,
 * sorted. Fails if there are more than can be described. With a job it is collective, and all ranks
 * have the same. */
bool cli_groups_find(const struct cli_subject *subject, struct cli_keys *keys,
                     struct cli_failure *failure);

#endif
