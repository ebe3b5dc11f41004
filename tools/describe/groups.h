/* SPDX-License-Identifier: Apache-2.0
 *
 * The groups of a table's rows: the different values of its key column.
 */
#ifndef CLI_GROUPS_H
#define CLI_GROUPS_H

#include "tools/describe/dataset_feed.h"

/* Finds them in a pass of its own, sorted. Fails if there are more than can be described. With a
 * job it is collective, and all ranks have the same. */
bool cli_groups_find(const struct cli_subject *subject, struct cli_keys *keys,
                     struct cli_failure *failure);

#endif
