/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses the feed of a data set, and opens it again for further passes.
 */
#include "tools/describe/dataset_feed.h"

#include "tools/describe/table_feed.h"

#include <string.h>
#include <sys/stat.h>

static bool make_feed(struct cli_dataset_feed *feed, const struct cli_subject *subject,
                      struct cli_failure *failure)
{
    const struct cli_dataset *dataset = subject->dataset;
    feed->source = subject->file->source;
    if (dataset->table != NULL && subject->groups != NULL) {
        cli_group_feed_open(&feed->groups, dataset->table, subject->groups);
        feed->feed = &feed->groups.feed;
    } else if (dataset->table != NULL) {
        cli_table_feed_open(&feed->table, dataset->table);
        feed->feed = &feed->table;
    } else if (subject->axis != NULL) {
        feed->feed = &feed->axis.feed;
        return cli_axis_feed_open(&feed->axis, &dataset->array, *subject->axis, failure);
    } else {
        cli_array_feed_open(&feed->array, &dataset->array,
                            subject->block_tasks > 0 ? subject->block_tasks : 1);
        feed->feed = &feed->array.feed;
    }
    return true;
}

bool cli_dataset_feed_open(struct cli_dataset_feed *feed, const struct cli_subject *subject,
                           struct cli_failure *failure)
{
    feed->is_reopened = false;
    return make_feed(feed, subject, failure);
}

/* ---- Again ------------------------------------------------------------------------------------*/

static bool is_random(const struct cli_dataset *dataset)
{
    return dataset->table == NULL && dataset->array.is_random;
}

/* Whatever ranks share can be read repeatedly (shared_file.h). */
bool cli_dataset_feed_can_repeat(const struct cli_subject *subject)
{
    const struct cli_file *file = subject->file;
    struct stat status;
    return subject->job != NULL || is_random(subject->dataset) || file->format->rewind != NULL ||
           (strcmp(file->name, "-") != 0 && stat(file->name, &status) == 0 &&
            S_ISREG(status.st_mode));
}

/* Opens the file again, and finds its data set: a file whose format cannot rewind has only one. */
static bool find_again(struct cli_dataset_feed *feed, const struct cli_dataset *dataset,
                       struct cli_failure *failure)
{
    struct cli_failure changed = {""};
    return (cli_file_next(&feed->file, &feed->dataset, &changed) == CLI_NEXT &&
            (feed->dataset.table != NULL) == (dataset->table != NULL)) ||
           cli_fail(failure, "the file changed while it was read");
}

bool cli_dataset_feed_repeat(struct cli_dataset_feed *feed, const struct cli_subject *subject,
                             struct cli_failure *failure)
{
    const struct cli_subject again = {&feed->file,  &feed->dataset,  subject->axis,
                                      subject->job, subject->groups, 0};
    const struct cli_format *format = subject->file->format;
    if (is_random(subject->dataset))
        return cli_dataset_feed_open(feed, subject, failure);
    if (format->rewind != NULL)
        return format->rewind(subject->file, failure) &&
               cli_dataset_feed_open(feed, subject, failure);
    if (!cli_file_open(&feed->file, subject->file->called, subject->file->options, failure))
        return false;
    feed->is_reopened = true;
    if (find_again(feed, subject->dataset, failure) && make_feed(feed, &again, failure))
        return true;
    cli_dataset_feed_close(feed);
    return false;
}

void cli_dataset_feed_close(struct cli_dataset_feed *feed)
{
    if (feed->is_reopened)
        cli_file_close(&feed->file);
    feed->is_reopened = false;
}
