/* SPDX-License-Identifier: Apache-2.0
 *
 * A data set as a source, also for further passes: data that can be read at any position are read
 * again; data that the format can rewind are rewound; any other regular file is opened again; a
 * pipe has only one pass.
 */
#ifndef CLI_DATASET_SOURCE_H
#define CLI_DATASET_SOURCE_H

#include "tools/describe/array_source.h"
#include "tools/describe/axis_source.h"
#include "tools/describe/block_source.h"
#include "tools/describe/group_source.h"
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

struct cli_dataset_source {
    struct cli_block_source *blocks; /* one of the following four */
    struct cli_block_source table;
    struct cli_group_source groups;
    struct cli_axis_source axis;
    struct cli_array_source array;
    const struct cli_source *file_source; /* whose progress a meter can show; or NULL */
    bool is_reopened;
    struct cli_file file; /* if it was opened again */
    struct cli_dataset dataset;
};

/* The subject is borrowed. */
bool cli_dataset_source_open(struct cli_dataset_source *source, const struct cli_subject *subject,
                             struct cli_failure *failure);

/* Whether a further pass is possible; the source of one. */
bool cli_dataset_source_can_repeat(const struct cli_subject *subject);
bool cli_dataset_source_repeat(struct cli_dataset_source *source, const struct cli_subject *subject,
                               struct cli_failure *failure);
void cli_dataset_source_close(struct cli_dataset_source *source);

#endif
