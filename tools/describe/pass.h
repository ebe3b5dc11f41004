/* SPDX-License-Identifier: Apache-2.0
 *
 * A pass over a data set: its blocks are read in order by several threads, which describe a block
 * each, on the host or on a device, and add what they find to the series in any order. Sums are
 * reduced in parts (series.h), whose bits do not depend on the order, so the result does not depend
 * on the number of threads or on the device, and memory is needed only for the blocks in progress.
 * The blocks may be divided among ranks (exchange.h), whose series rank 0 adds to its own.
 */
#ifndef CLI_PASS_H
#define CLI_PASS_H

#include "tools/chosen_device.h"
#include "tools/describe/block_source.h"
#include "tools/describe/series.h"
#include "tools/job/job.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cli_meter;

/* A counting of each block's values, besides their description or instead of it: each thread counts
 * separately, and the counts are then added. */
struct cli_counting {
    void *data; /* of the functions */

    /* Called with the first block, before any block is counted, on one thread. NULL: not needed. */
    void (*begin)(struct cli_counting *counting, const struct cli_block_source *source,
                  const struct cli_block *block);

    /* A thread's own counts; NULL: out of memory. */
    void *(*make_tally)(const struct cli_counting *counting);
    void (*free_tally)(const struct cli_counting *counting, void *tally);

    /* Counts a block's values of a series. They are native (numbers.h). */
    bool (*count)(const struct cli_counting *counting, void *tally, size_t series,
                  const struct cli_values *values);

    /* Adds a thread's counts, one thread at a time. */
    bool (*add)(struct cli_counting *counting, const void *tally);

    /* Between ranks: the result of `begin`, from rank 0 to the others. NULL if `begin` is NULL. */
    void (*put_start)(const struct cli_counting *counting, struct cli_packet *packet);
    void (*get_start)(struct cli_counting *counting, struct cli_packet *packet);

    /* Between ranks: the counts of all threads of a rank, in packets of some megabytes. *at,
     * initially 0, is the position in the counts. put returns whether more are left; get adds them,
     * and returns false if memory runs out. */
    bool (*put_counts)(const struct cli_counting *counting, size_t *at, struct cli_packet *packet);
    bool (*get_counts)(struct cli_counting *counting, struct cli_packet *packet);
};

struct cli_pass {
    struct cli_block_source *source;
    const struct cli_chosen_device *chosen;
    struct cli_series *series;     /* source->series_count of them; NULL: only count */
    struct cli_meter *meter;       /* shows the progress; or NULL */
    struct cli_counting *counting; /* or NULL */
    struct cli_job *job;           /* whose ranks the blocks are divided among; NULL: none */
    uint64_t stripe;               /* with a job: the blocks of a stripe */

    pthread_mutex_t reading;    /* guards source->take; locked before `lock` */
    pthread_mutex_t lock;       /* guards all members below, and the series */
    uint64_t taken;             /* the number of blocks taken, with those of other ranks */
    bool is_over;               /* no further block is taken */
    uint64_t rows;              /* of the described blocks; at the end of all ranks */
    uint64_t comment_lines;     /* the same */
    struct cli_extent *extents; /* of a table's blocks */
    size_t extent_count;

    struct cli_failure failure; /* of the earliest block that failed */
    uint64_t failed_block;      /* the number of that block; 0: the failure is not of a block */
    size_t bad_line;            /* in that block; 0: none */
};

/* Describes all blocks of the block source; returns false and a failure in the pass, or true.
 * Collective: all ranks get the same, and rank 0 has the results. */
bool cli_pass_run(struct cli_pass *pass);

/* Computes the number of threads of a pass, and of tasks in a block of an array of this type.
 * Returns false if the host is not found; the message is reap_last_error(). */
bool cli_pass_measure(const struct cli_chosen_device *chosen, enum cli_element_type type,
                      size_t *threads, size_t *block_tasks);

/* ---- For the pass's threads: any thread may call these ----------------------------------------*/

/* Adds a thread's counts. */
void cli_pass_add_counts(struct cli_pass *pass, const void *tally);

/* Returns the part of a series for blocks of a type; NULL and a failure. */
reap_part *cli_pass_part(struct cli_pass *pass, size_t series, enum cli_element_type type,
                         struct cli_failure *failure);

/* Adds a small block of a series (cli_series_wait). */
bool cli_pass_wait(struct cli_pass *pass, size_t series, enum cli_element_type type,
                   const struct cli_waiting_block *block, struct cli_full *full,
                   struct cli_failure *failure);

/* Determines which extremes of the block must be located (cli_series_wants). Adds a located one. */
void cli_pass_wants(struct cli_pass *pass, size_t series, enum cli_element_type type,
                    const uint64_t keys[CLI_EXTREME_COUNT], uint64_t block,
                    bool wants[CLI_EXTREME_COUNT]);
void cli_pass_add_extreme(struct cli_pass *pass, size_t series, enum cli_element_type type,
                          int extreme, const struct cli_extreme *found);

/* Adds the other results of a block for a series. */
void cli_pass_add(struct cli_pass *pass, size_t series, const struct cli_found *found,
                  const struct cli_block *block);

/* Ends the pass with a failure; the failure of the earliest block is kept. */
void cli_pass_fail(struct cli_pass *pass, uint64_t block, size_t bad_line, const char *failure);

/* Reserves memory for the extents of `count` blocks. With the lock held. */
bool cli_pass_reserve_extents(struct cli_pass *pass, uint64_t count);

#endif
