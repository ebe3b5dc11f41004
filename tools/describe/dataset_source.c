/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses the source of a data set, and opens it again for further passes.
 */
#include "tools/describe/dataset_source.h"

#include "tools/describe/table_source.h"

#include <string.h>
#include <sys/stat.h>

static bool make_source(struct cli_dataset_source *source, const struct cli_subject *subject,
                        struct cli_failure *failure)
{
    const struct cli_dataset *dataset = subject->dataset;
    source->file_source = subject->file->source;
    if (dataset->table != NULL && subject->groups != NULL) {
        cli_group_source_open(&source->groups, dataset->table, subject->groups);
        source->blocks = &source->groups.base;
    } else if (dataset->table != NULL) {
        cli_table_source_open(&source->table, dataset->table);
        source->blocks = &source->table;
    } else if (subject->axis != NULL) {
        source->blocks = &source->axis.base;
        return cli_axis_source_open(&source->axis, &dataset->array, *subject->axis, failure);
    } else {
        cli_array_source_open(&source->array, &dataset->array,
                              subject->block_tasks > 0 ? subject->block_tasks : 1);
        source->blocks = &source->array.base;
    }
    return true;
}

bool cli_dataset_source_open(struct cli_dataset_source *source, const struct cli_subject *subject,
                             struct cli_failure *failure)
{
    source->is_reopened = false;
    return make_source(source, subject, failure);
}

/* ---- Again ------------------------------------------------------------------------------------*/

static bool is_random(const struct cli_dataset *dataset)
{
    return dataset->table == NULL && dataset->array.is_random;
}

/* Whatever ranks share can be read repeatedly (shared_file.h). */
bool cli_dataset_source_can_repeat(const struct cli_subject *subject)
{
    const struct cli_file *file = subject->file;
    struct stat status;
    return subject->job != NULL || is_random(subject->dataset) || file->format->rewind != NULL ||
           (strcmp(file->name, "-") != 0 && stat(file->name, &status) == 0 &&
            S_ISREG(status.st_mode));
}

/* Opens the file again, and finds its data set: a file whose format cannot rewind has only one. */
static bool find_again(struct cli_dataset_source *source, const struct cli_dataset *dataset,
                       struct cli_failure *failure)
{
    struct cli_failure changed = {""};
    return (cli_file_next(&source->file, &source->dataset, &changed) == CLI_NEXT &&
            (source->dataset.table != NULL) == (dataset->table != NULL)) ||
           cli_fail(failure, "the file changed while it was read");
}

bool cli_dataset_source_repeat(struct cli_dataset_source *source, const struct cli_subject *subject,
                               struct cli_failure *failure)
{
    const struct cli_subject again = {&source->file, &source->dataset, subject->axis,
                                      subject->job,  subject->groups,  0};
    const struct cli_format *format = subject->file->format;
    if (is_random(subject->dataset))
        return cli_dataset_source_open(source, subject, failure);
    if (format->rewind != NULL)
        return format->rewind(subject->file, failure) &&
               cli_dataset_source_open(source, subject, failure);
    if (!cli_file_open(&source->file, subject->file->called, subject->file->options, failure))
        return false;
    source->is_reopened = true;
    if (find_again(source, subject->dataset, failure) && make_source(source, &again, failure))
        return true;
    cli_dataset_source_close(source);
    return false;
}

void cli_dataset_source_close(struct cli_dataset_source *source)
{
    if (source->is_reopened)
        cli_file_close(&source->file);
    source->is_reopened = false;
}
