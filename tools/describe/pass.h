/* SPDX-License-Identifier: Apache-2.0
 *
 * A pass over a data set: its blocks are read in order, described on several threads or on a
 * device, and the results are added in order again. So the result does not depend on the number of
 * threads or on the device, and memory is needed only for the blocks in progress. The blocks may be
 * divided among ranks (exchange.h): each describes its own, and rank 0 adds those of all.
 */
#ifndef CLI_PASS_H
#define CLI_PASS_H

#include "tools/describe/feed.h"
#include "tools/describe/series.h"
#include "tools/job/job.h"
#include "tools/place.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cli_meter;
struct cli_exchange;

/* The results for a block. */
struct cli_slot {
    bool is_given;
    struct cli_block block;
    struct cli_failure failure;
    struct cli_found *found; /* of each series */
};

/* Further work on each block's values, besides describing them, or instead: numbers are counted, by
 * each thread separately, and then added. */
struct cli_counting {
    void *data; /* of the functions */

    /* Receives the first block once it is loaded, before any is counted. NULL: not needed. */
    void (*begin)(struct cli_counting *counting, const struct cli_feed *feed,
                  const struct cli_block *block);

    /* A thread's own counts; NULL: out of memory. */
    void *(*make_tally)(const struct cli_counting *counting);
    void (*free_tally)(const struct cli_counting *counting, void *tally);

    /* Counts a block's values of a series. They are native (numbers.h). */
    bool (*count)(const struct cli_counting *counting, void *tally, size_t series,
                  const struct cli_values *values);

    /* Adds a thread's counts, one thread at a time. */
    bool (*add)(struct cli_counting *counting, const void *tally);

    /* Between ranks: what begin has found out, from rank 0 to the others. NULL where begin is. */
    void (*put_start)(const struct cli_counting *counting, struct cli_packet *packet);
    void (*get_start)(struct cli_counting *counting, struct cli_packet *packet);

    /* The counts of all threads of a rank, in packets of some megabytes: *at, initially 0, is the
     * position in them. put returns whether more are left, get, which adds them, false if memory
     * runs out. */
    bool (*put_counts)(const struct cli_counting *counting, size_t *at, struct cli_packet *packet);
    bool (*get_counts)(struct cli_counting *counting, struct cli_packet *packet);
};

struct cli_pass {
    struct cli_feed *feed;
    const struct cli_place *place;
    struct cli_series *series;     /* feed->series_count of them; NULL: only count */
    struct cli_meter *meter;       /* shows the progress; or NULL */
    struct cli_counting *counting; /* or NULL */
    struct cli_job *job;           /* among which the blocks are divided; NULL: they are not */

    pthread_mutex_t reading;       /* of feed->take; locked before the other */
    pthread_mutex_t lock;          /* of all members below, and of the series */
    pthread_cond_t moved;          /* `added` has changed, or the pass has ended */
    uint64_t taken, added;         /* blocks */
    uint64_t own_taken, own_added; /* of these, the rank's own */
    bool is_over;                  /* the pass has ended */
    bool has_begun;                /* the counting has received the first block */
    uint64_t rows, lines;          /* of the blocks that were added */
    uint64_t comment_lines;        /* the same */
    struct cli_slot *slots;        /* of the blocks in progress: own block b's is b % slot_count */
    size_t slot_count, thread_count;
    struct cli_slot end;           /* of a block that could not be taken */
    struct cli_exchange *exchange; /* with the other ranks; NULL: none */
    struct cli_failure failure;    /* the first one, in the order of the blocks */
};

/* Adds all blocks of the feed, which is the array's if that is not NULL; returns false and a
 * failure in the pass, or true. Collective: all ranks get the same, and rank 0 has the results. */
bool cli_pass_run(struct cli_pass *pass, const struct cli_array *array);

/* ---- For the places ---------------------------------------------------------------------------*/

/* Takes the next block, once it has a slot; false: all were taken. */
bool cli_pass_take(struct cli_pass *pass, struct cli_block *block);

/* Passes the block to the counting if it is the first, or else waits until the first one was
 * passed; false: it never will be. */
bool cli_pass_begin_counting(struct cli_pass *pass, const struct cli_block *block);

/* Adds a thread's counts. */
void cli_pass_add_counts(struct cli_pass *pass, const void *tally);

/* The memory for the results of a block that was taken: an element for each of its series. */
struct cli_found *cli_pass_found(struct cli_pass *pass, const struct cli_block *block);

/* Whether an extreme of the block must be located (cli_series_wants). */
bool cli_pass_wants(struct cli_pass *pass, size_t series, enum cli_element_type type, int extreme,
                    uint64_t key, uint64_t block);

/* The block has been described, or, after a failure, will not be. */
void cli_pass_give(struct cli_pass *pass, const struct cli_block *block,
                   const struct cli_failure *failure);

/* Ends the pass without a failure of a block. */
void cli_pass_stop(struct cli_pass *pass, const char *failure);

/* Adds blocks of other ranks that have arrived, and own ones after them; with the lock held. */
void cli_pass_add_given(struct cli_pass *pass);

/* Finds the value with the key from the first element of a run on. */
void cli_find_extreme(const struct cli_values *values, uint64_t run, uint64_t key,
                      struct cli_extreme *extreme);

/* Adds the results of the next block, for a pass that describes all of them in order. */
bool cli_pass_add(struct cli_pass *pass, const struct cli_found *found,
                  const struct cli_block *block);

/* Describe all blocks: on the host, or a thread's block at a time on a device; or an array of real
 * numbers on a device, in batches as large as its memory allows. */
void cli_pass_on_threads(struct cli_pass *pass);
void cli_pass_in_batches(struct cli_pass *pass, const struct cli_array *array);

#endif
