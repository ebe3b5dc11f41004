/* SPDX-License-Identifier: Apache-2.0
 *
 * A worker is a thread of a pass, with memory for a block, and a queue. It reads a block at a time
 * and launches the kernels that describe it: on the host in the block's memory, while it is in the
 * core's cache, on a device in a copy there. If numbers are also counted, it counts them in the
 * block, on the host.
 */
#ifndef CLI_WORKER_H
#define CLI_WORKER_H

#include "tools/describe/pass.h"

/* Memory that grows on demand. */
struct cli_buffer {
    void *memory;
    size_t bytes;
};

/* The numbers and parts are in device memory if there is a device. */
struct cli_worker {
    struct cli_pass *pass;
    const reap_device *device; /* NULL: the host */
    reap_queue *queue;
    struct cli_block block;
    struct cli_buffer elements; /* the device's; the host describes the block in place */
    struct cli_buffer numbers;  /* converted from smaller elements */
    struct cli_buffer runs, blocks;
    struct cli_buffer parts; /* the blocks', in host memory */
    void *tally;             /* of the pass's counting */
};

/* Opens a worker; it must be closed also after a failure. */
bool cli_worker_open(struct cli_worker *worker, struct cli_pass *pass, struct cli_failure *failure);
void cli_worker_close(struct cli_worker *worker); /* adds its counts to the pass */

/* `load` finds the values of the block that was taken; `describe` describes them, which overwrites
 * them. */
bool cli_worker_load(struct cli_worker *worker, struct cli_failure *failure);
bool cli_worker_describe(struct cli_worker *worker, struct cli_failure *failure);

#endif
