/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches the kernels in kernels/decode.kernels.h and kernels/describe.kernels.h: elements as a
 * file has them become numbers as the processor has them, and those are described.
 */
#ifndef CLI_LAUNCH_H
#define CLI_LAUNCH_H

#include "kernels/describe_part.h"
#include "src/cli/element.h"

#include <reap/reap.h>

enum {
    /* Of a chunk, as numbers: whole runs, and surely within a core's second-level cache. */
    CLI_CHUNK_BYTES = 256 * 1024,
};

/* Consecutive elements of an array, in memory that is aligned for numbers. */
struct cli_chunk {
    struct cli_element element;
    uint64_t first; /* index in the array of the first: a multiple of cli_chunk_elements */
    size_t count;   /* at most cli_chunk_elements */
    void *elements; /* overwritten */
    void *room;     /* CLI_CHUNK_BYTES more, for numbers that are larger than their elements */
};

/* How many elements of a type a chunk has, and how many a run, the kernels' unit. */
size_t cli_chunk_elements(enum cli_element_type type);
size_t cli_run_elements(enum cli_element_type type);

/* Merges a description of the chunk into *part, and waits for it. */
reap_status cli_launch_describe(reap_queue *queue, const struct cli_chunk *chunk,
                                describe_part *part);

/* Merges `count` parts, in an order that depends on the count alone, into *part, and waits. */
reap_status cli_launch_merge(reap_queue *queue, const describe_part *parts, size_t count,
                             describe_part *part);

#endif
