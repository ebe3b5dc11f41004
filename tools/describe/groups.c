/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds groups.
 */
#include "tools/describe/groups.h"

#include "tools/describe/text_pass.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool find(const struct cli_subject *subject, struct cli_keys *keys,
                 struct cli_failure *failure)
{
    const struct cli_table *table = subject->dataset->table;
    const size_t most = CLI_MOST_GROUP_SERIES / (table->column_count > 0 ? table->column_count : 1);
    bool *wants_text = calloc(table->csv.columns, sizeof *wants_text);
    if (wants_text == NULL)
        return cli_fail(failure, "%s", strerror(ENOMEM));
    wants_text[table->key] = true;
    const bool is_fine = cli_text_pass_run(subject, wants_text, most, keys, failure);
    free(wants_text);
    if (!is_fine)
        return false;
    if (keys->count > most)
        return cli_fail(failure, "column '%s' has more than %zu different values",
                        table->csv.names[table->key], most);
    if (keys->count == 0)
        return cli_fail(failure, "has no rows");
    return cli_keys_sort(keys, &table->csv) || cli_fail(failure, "%s", strerror(ENOMEM));
}

bool cli_groups_find(const struct cli_subject *subject, struct cli_keys *keys,
                     struct cli_failure *failure)
{
    struct cli_packet packet = {.bytes = NULL};
    *keys = (struct cli_keys){.count = 0};
    bool is_fine = cli_job_agree(subject->job, find(subject, keys, failure), failure);
    for (size_t k = 0; k < keys->count && is_fine && subject->job != NULL; k++)
        cli_packet_put(&packet, keys->keys[k].text, keys->keys[k].length + 1);
    if (is_fine && subject->job != NULL)
        is_fine = cli_job_agree_on(subject->job, &packet, "it is not the file that rank 0 reads",
                                   failure);
    cli_packet_free(&packet);
    if (!is_fine)
        cli_keys_free(keys);
    return is_fine;
}
