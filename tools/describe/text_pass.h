/* SPDX-License-Identifier: Apache-2.0
 *
 * A pass over the text of some columns of a table, which counts the distinct values of each; a cell
 * without a value counts as an empty text. It opens the file separately.
 */
#ifndef CLI_TEXT_PASS_H
#define CLI_TEXT_PASS_H

#include "tools/describe/dataset_source.h"
#include "tools/describe/keys.h"

/* Fills `keys`, one for each column in wants_text, in the table's order. A column with more than
 * `most` distinct values, or CLI_MOST_KEY_BYTES of them, is not counted to its end. Adds the number
 * of all rows to *rows, unless that is NULL. Fails for a pipe. */
bool cli_text_pass_run(const struct cli_subject *subject, const bool *wants_text, size_t most,
                       struct cli_keys *keys, uint64_t *rows, struct cli_failure *failure);

/* Finds the groups of a table's rows, that is, the distinct values of its key column, in a pass of
 * its own; sorts them. Fails if there are too many to describe. With a job it is collective, and
 * all ranks get the same groups. */
bool cli_groups_find(const struct cli_subject *subject, struct cli_keys *keys,
                     struct cli_failure *failure);

#endif
