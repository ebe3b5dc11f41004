/* SPDX-License-Identifier: Apache-2.0
 *
 * An array as a source: one series, or two for complex elements. A block has the elements of one
 * task (tools/kernels/describe_part.h), which stay in a core's cache, or of several for a device.
 */
#ifndef CLI_ARRAY_SOURCE_H
#define CLI_ARRAY_SOURCE_H

#include "tools/describe/block_source.h"

#include <stdatomic.h>

/* The first blocks of a large file are alternately copied and mapped; all others as took less
 * time. */
struct cli_array_source {
    struct cli_block_source base;
    const struct cli_array *array; /* borrowed */
    size_t block_elements;
    uint64_t done;  /* the number of elements in the blocks that were taken */
    bool is_at_end; /* of the stream */

    const unsigned char *mapped; /* the elements of a file; NULL: they are copied */
    struct cli_mapping mapping;
    struct cli_array_timing {
        atomic_uint blocks;
        atomic_uint_fast64_t nanoseconds;
    } timings[2]; /* of blocks that were copied, and mapped */
};

/* The number of elements of a task of the type, except perhaps the last one. */
size_t cli_task_elements(enum cli_element_type type);

/* For an array with missing elements: moves the elements that exist to the begin, sets the bits of
 * the others in `missing`, and returns how many exist. */
size_t cli_array_leave_out_missing(const struct cli_array *array, unsigned char *elements,
                                   size_t count, uint64_t *missing);

/* Whether an interrupt ends the reading of an array of which `done` elements were taken. The first
 * block of a stream has what was read before it. */
bool cli_array_is_cut(const struct cli_array *array, uint64_t done);

/* Sets the number of blocks, of about this size, in a stripe. */
void cli_array_source_divide(struct cli_block_source *source, const struct cli_array *array,
                             size_t block_bytes);

/* A block has `block_tasks` tasks, if blocks can be divided into tasks (has_tasks). */
void cli_array_source_open(struct cli_array_source *source, const struct cli_array *array,
                           size_t block_tasks);

#endif
