/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches the kernels in kernels/decode.kernels.h and kernels/describe.kernels.h: elements as a
 * file has them become numbers as the processor has them, and those are described.
 */
#ifndef CLI_LAUNCH_H
#define CLI_LAUNCH_H

#include "kernels/describe_part.h"
#include "src/cli/read/element.h"

#include <reap/reap.h>

/* Consecutive elements of an array, in memory that the queue's device reaches, aligned for numbers.
 */
struct cli_piece {
    struct cli_element element;
    uint64_t first;      /* index in the array of the first: a multiple of cli_run_elements */
    size_t count;        /* not 0 */
    void *elements;      /* overwritten */
    void *room;          /* for the numbers, where they are larger than their elements */
    describe_part *runs; /* become the parts of the runs, the last of which may be shorter */
};

/* The size of a number of a type, which is that of an element or more, and how many numbers a run
 * has, the kernels' unit. */
size_t cli_number_bytes(enum cli_element_type type);
size_t cli_run_elements(enum cli_element_type type);

/* Launches what describes the piece's runs. */
reap_status cli_launch_describe(reap_queue *queue, const struct cli_piece *piece);

/* Launches what merges the parts of `count` consecutive runs, from a task's first on, into those of
 * the tasks. The runs' are overwritten. */
reap_status cli_launch_tasks(reap_queue *queue, describe_part *runs, size_t count,
                             describe_part *tasks);

/* Merges the parts of all tasks, in an order that depends on the count alone, into *part, and waits
 * for it. */
reap_status cli_launch_array(reap_queue *queue, const describe_part *tasks, size_t count,
                             describe_part *part);

#endif
