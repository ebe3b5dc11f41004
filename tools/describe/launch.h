/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches the kernels in tools/kernels/decode.kernels.h and tools/kernels/describe.kernels.h:
 * elements as they are in a file become numbers as the processor has them, and those are described.
 */
#ifndef CLI_LAUNCH_H
#define CLI_LAUNCH_H

#include "tools/kernels/describe_part.h"
#include "tools/read/element.h"

#include <reap/reap.h>

/* Elements in memory that the queue's device reaches, aligned for numbers. */
struct cli_batch {
    struct cli_element element; /* not complex */
    size_t count;               /* not 0 */
    void *elements;             /* overwritten */
    void *numbers;              /* memory for the numbers, if they are larger than elements */
    describe_part *runs;        /* set to the parts of the runs, the last of which may be shorter */
};

/* The size of a number of a type, which is at least that of an element, and the number of numbers
 * in a run, the kernels' unit. */
size_t cli_number_bytes(enum cli_element_type type);
size_t cli_run_elements(enum cli_element_type type);

/* Launches the kernels that describe the batch's runs. */
reap_status cli_launch_describe(reap_queue *queue, const struct cli_batch *batch);

/* ---- Blocks -----------------------------------------------------------------------------------*/

/* Runs that were described, on the same queue. */
struct cli_runs {
    describe_part *runs; /* overwritten */
    size_t count;
    size_t block_runs;     /* of a block, the last of which may be shorter; DESCRIBE_TASK_RUNS of an
                            * array, so that its parts do not depend on how many are launched */
    describe_part *blocks; /* set to the blocks' parts */
    reap_part *all;        /* the blocks are added to it, */
    uint64_t first_block;  /* as items from this one on */
};

/* Launches the kernel that merges runs into blocks, and adds these. */
reap_status cli_launch_blocks(reap_queue *queue, const struct cli_runs *runs);

/* What all blocks of a series come to, as a part that cli_launch_blocks adds to; with those of
 * another rank. */
reap_status cli_part_create(reap_part **part);
reap_status cli_part_read(const void *bytes, size_t count, reap_part **part);

/* Stores its result. Blocks between those that were added count as empty. */
reap_status cli_part_finish(reap_part *part, describe_part *result);

#endif
