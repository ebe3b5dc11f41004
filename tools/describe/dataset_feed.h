/* SPDX-License-Identifier: Apache-2.0
 *
 * A data set as a feed, also for further passes: data that can be read at any position are read
 * again; data that the format can rewind are rewound; any other regular file is opened again; a
 * pipe has only one pass.
 */
#ifndef CLI_DATASET_FEED_H
#define CLI_DATASET_FEED_H

#include "tools/describe/array_feed.h"
#include "tools/describe/axis_feed.h"
#include "tools/describe/feed.h"
#include "tools/describe/group_feed.h"
#include "tools/job/job.h"

/* A data set, its file, the axis along which it is described, and the job whose ranks describe it
 * together; NULL: none. */
struct cli_subject {
    struct cli_file *file;
    const struct cli_dataset *dataset;
    const long *axis;
    struct cli_job *job;
    const struct cli_keys *groups; /* of a table with a key; NULL: it is described as a whole */
    size_t block_tasks;            /* of an array, on a device; 0: one */
};

struct cli_dataset_feed {
    struct cli_feed *feed; /* one of the following four */
    struct cli_feed table;
    struct cli_group_feed groups;
    struct cli_axis_feed axis;
    struct cli_array_feed array;
    const struct cli_source *source; /* whose progress a meter can show; or NULL */
    bool is_reopened;
    struct cli_file file; /* if it was opened again */
    struct cli_dataset dataset;
};

/* The subject is borrowed. */
bool cli_dataset_feed_open(struct cli_dataset_feed *feed, const struct cli_subject *subject,
                           struct cli_failure *failure);

/* Whether a further pass is possible; the feed of one. */
bool cli_dataset_feed_can_repeat(const struct cli_subject *subject);
bool cli_dataset_feed_repeat(struct cli_dataset_feed *feed, const struct cli_subject *subject,
                             struct cli_failure *failure);
void cli_dataset_feed_close(struct cli_dataset_feed *feed);

#endif
