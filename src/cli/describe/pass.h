/* SPDX-License-Identifier: Apache-2.0
 *
 * A pass over an array describes its tasks, some chunks in a row, each by one part. The shape of
 * the computation, and so its bits, are fixed by the array's size; how many tasks are under way,
 * and where, does not show. On the host a thread a core takes the next task, whose chunks stay in
 * its cache; on another device the tasks go there in batches as large as the memory allows.
 */
#ifndef CLI_PASS_H
#define CLI_PASS_H

#include "kernels/describe_part.h"
#include "src/cli/read/array.h"
#include "src/cli/place.h"

#include <stddef.h>
#include <stdint.h>

enum { CLI_FAILURE_BYTES = 512 };

struct cli_pass {
    const struct cli_array *array;
    const struct cli_place *place;
    uint64_t task_elements; /* of a task, but perhaps of the last */
    uint64_t task_count;
    describe_part *parts;            /* of the tasks */
    char failure[CLI_FAILURE_BYTES]; /* the first one; "" while there is none */
};

/* How many elements the tasks have from this one on, `count` of them. */
uint64_t cli_pass_elements(const struct cli_pass *pass, uint64_t first_task, uint64_t count);

/* Notes a failure, the first one only. One thread at a time. */
void cli_pass_fail(struct cli_pass *pass, const char *failure);

/* Make the parts, of one task at least, or leave a failure. */
void cli_pass_on_host(struct cli_pass *pass);
void cli_pass_on_device(struct cli_pass *pass);

#endif
