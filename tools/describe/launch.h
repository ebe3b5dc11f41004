/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches the kernels in tools/kernels/decode.kernels.h and tools/kernels/describe.kernels.h:
 * elements of a file are converted to the processor's numbers, and these are described.
 */
#ifndef CLI_LAUNCH_H
#define CLI_LAUNCH_H

#include "tools/kernels/describe_part.h"
#include "tools/read/element.h"

#include <reap/reap.h>

/* A batch of elements, in memory that the queue's device can access, aligned for numbers. */
struct cli_batch {
    struct cli_element element; /* not complex */
    size_t count;               /* not 0 */
    void *elements;             /* overwritten */
    void *numbers;              /* memory for the numbers, if they are larger than elements */
    describe_part *runs;        /* set to the parts of the runs, the last of which may be shorter */
};

/* The size of a number of a type, which is at least that of an element; the count of numbers in a
 * run. */
size_t cli_number_bytes(enum cli_element_type type);
size_t cli_run_elements(enum cli_element_type type);

/* Launches the kernels that describe the batch's runs. */
reap_status cli_launch_describe(reap_queue *queue, const struct cli_batch *batch);

/* ---- Blocks -----------------------------------------------------------------------------------*/

/* Runs that were described, on the same queue. */
struct cli_runs {
    describe_part *runs; /* overwritten */
    size_t count;
    size_t
        block_runs; /* runs of a block, the last of which may be shorter; DESCRIBE_TASK_RUNS for an
                       array, so that its parts do not depend on the number of runs in a launch */
    describe_part *blocks; /* set to the blocks' parts */
    reap_part *all;        /* the blocks are added to this part, */
    uint64_t first_block;  /* as items from this one on */
};

/* Launches the kernel that merges runs into blocks, and adds these. */
reap_status cli_launch_blocks(reap_queue *queue, const struct cli_runs *runs);

/* Creates a part for the blocks of a series, to which cli_launch_blocks adds; or one from the bytes
 * of another rank's part. */
reap_status cli_part_create(reap_part **part);
reap_status cli_part_read(const void *bytes, size_t count, reap_part **part);

/* Stores the result of a part. Missing blocks between those that were added count as empty. */
reap_status cli_part_finish(reap_part *part, describe_part *result);

#endif
