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
struct cli_piece {
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

/* Launches the kernels that describe the piece's runs. */
reap_status cli_launch_describe(reap_queue *queue, const struct cli_piece *piece);

/* Launches the kernel that merges the parts of `count` consecutive runs into those of tasks, each
 * of DESCRIBE_TASK_RUNS, except perhaps the last. The runs' parts are overwritten. */
reap_status cli_launch_tasks(reap_queue *queue, describe_part *runs, size_t count,
                             describe_part *tasks);

#endif
