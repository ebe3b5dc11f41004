/* SPDX-License-Identifier: Apache-2.0
 *
 * A pass over a data set: its blocks are taken in their order, described on several threads or on a
 * device, and what was found is added up in their order again. So neither the number of threads nor
 * the place shows in the result, and memory is needed for the blocks under way alone.
 */
#ifndef CLI_PASS_H
#define CLI_PASS_H

#include "src/cli/describe/feed.h"
#include "src/cli/describe/series.h"
#include "src/cli/place.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cli_slot;
struct cli_meter;

/* What may be done with each block's values besides describing them, or instead: numbers are
 * counted, by each thread on its own, and then added up. */
struct cli_counting {
    void *data; /* of the functions */

    /* Sees the first block once it is loaded, and before any is counted. NULL: need not. */
    void (*begin)(struct cli_counting *counting, const struct cli_feed *feed,
                  const struct cli_block *block);

    /* A thread's own counts; NULL: there is no memory. */
    void *(*make_tally)(const struct cli_counting *counting);
    void (*free_tally)(const struct cli_counting *counting, void *tally);

    /* Counts a block's values of a series. They are native (numbers.h). */
    bool (*count)(const struct cli_counting *counting, void *tally, size_t series,
                  const struct cli_values *values);

    /* Adds what a thread has counted, one thread at a time. */
    bool (*add)(struct cli_counting *counting, const void *tally);
};

struct cli_pass {
    struct cli_feed *feed;
    const struct cli_place *place;
    struct cli_series *series;     /* feed->series_count of them; NULL: only count */
    struct cli_meter *meter;       /* told of the progress; or NULL */
    struct cli_counting *counting; /* or NULL */

    pthread_mutex_t reading; /* of feed->take; taken before the other */
    pthread_mutex_t lock;    /* of all below, and of the series */
    pthread_cond_t moved;    /* `added` did, or it is over */
    uint64_t taken, added;   /* blocks */
    bool is_over;            /* no more are to be taken */
    bool has_begun;          /* the counting has seen the first block */
    uint64_t rows, lines;    /* of the blocks that were added */
    struct cli_slot *slots;  /* of the blocks under way: block b's is b % slot_count */
    size_t slot_count;
    struct cli_failure failure; /* the first one, in the order of the blocks */
};

/* Adds up all blocks of the feed, which is the array's where that is not NULL; gives false and a
 * failure in the pass, or true. */
bool cli_pass_run(struct cli_pass *pass, const struct cli_array *array);

/* ---- For the places ---------------------------------------------------------------------------*/

/* Takes the next block, once there is a slot for it; false: there is none left. */
bool cli_pass_take(struct cli_pass *pass, struct cli_block *block);

/* Has the counting, which is there, see the block if it is the first, or else waits until it has
 * seen that; false: it never will. */
bool cli_pass_begin_counting(struct cli_pass *pass, const struct cli_block *block);

/* Adds a thread's counts. */
void cli_pass_add_counts(struct cli_pass *pass, const void *tally);

/* Where to put what is found in a block that was taken: an element for each of its series. */
struct cli_found *cli_pass_found(struct cli_pass *pass, const struct cli_block *block);

/* Whether an extreme of the block is worth looking for (cli_series_wants). */
bool cli_pass_wants(struct cli_pass *pass, size_t series, enum cli_element_type type, int extreme,
                    uint64_t key, uint64_t block);

/* The block has been described, or, where there is a failure, will not be. */
void cli_pass_give(struct cli_pass *pass, const struct cli_block *block,
                   const struct cli_failure *failure);

/* Ends the pass where no block is at fault. */
void cli_pass_stop(struct cli_pass *pass, const char *failure);

/* Looks for the value with the key from the first element of a run on. */
void cli_find_extreme(const struct cli_values *values, uint64_t run, uint64_t key,
                      struct cli_extreme *extreme);

/* Adds what was found in the next block, for who describes all of them in order. */
bool cli_pass_add(struct cli_pass *pass, const struct cli_found *found,
                  const struct cli_block *block);

/* Describe all blocks: on the host, or with a thread's block at a time on a device; or an array of
 * real numbers on a device, in batches as large as its memory allows. */
void cli_pass_on_threads(struct cli_pass *pass);
void cli_pass_in_batches(struct cli_pass *pass, const struct cli_array *array);

#endif
