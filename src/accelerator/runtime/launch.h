/* SPDX-License-Identifier: Apache-2.0
 *
 * A command on a device while it is being made: its layout, its program, where everything lies.
 */
#ifndef REAP_ACCELERATOR_RUNTIME_LAUNCH_H
#define REAP_ACCELERATOR_RUNTIME_LAUNCH_H

#include "src/accelerator/codegen/layout.h"
#include "src/accelerator/runtime/accelerator.h"
#include "src/accelerator/string_builder.h"
#include "src/reduction/tree.h"

/* The scratch memory begins with counters. */
enum {
    REAP__SCRATCH_COUNTER = 0,
    REAP__SCRATCH_RESULTS = REAP__SUMS_COUNTERS + REAP__SUM_BYTES * REAP__MOST_PARAMETERS
};

/* The most words of a block, and memories of a launch. */
enum { REAP__MOST_BLOCK_WORDS = 384, REAP__MOST_MEMORIES = 2 + 2 * REAP__MOST_PARAMETERS };

struct reap__device_launch {
    struct reap__accelerator *accelerator;
    const struct reap__launch *command;
    struct reap__layout layout;
    struct reap__program *program;
    uint64_t block[REAP__MOST_BLOCK_WORDS]; /* the layout's words */
    struct reap__memory memories[REAP__MOST_MEMORIES];
    struct reap__macro_use {
        struct reap__last_access *last_access;
        bool writes;
    } uses[REAP__MOST_MEMORIES]; /* of memory that is tracked */
    size_t use_count;
    struct reap__timeline_value before; /* what it comes after */
    size_t groups;                      /* work-groups, or tiles of the range */
    size_t group_items;                 /* of a work-group */
    size_t local_bytes;

    /* How scalars' nodes are made: of tiles (chunks, where there are any) of so many items, by so
     * many groups, which have so many places for slots; levels of nodes within a tile. */
    size_t tile_items;
    size_t tiles;
    size_t tile_groups;
    size_t places;
    size_t levels;
    size_t teams; /* of a group, lines: that have one at a time */
    size_t nodes; /* of tiles, or of bundles of so many tiles */
    unsigned bundle_log2;

    /* Scratch memory: offsets of each scalar's start (where the block has none), work-groups'
     * values, nodes, slots. */
    size_t start_of[REAP__MOST_PARAMETERS];
    size_t parts_of[REAP__MOST_PARAMETERS];
    size_t nodes_of[REAP__MOST_PARAMETERS];
    size_t slots_of[REAP__MOST_PARAMETERS];
    size_t span_start_of[REAP__MOST_PARAMETERS];
    size_t values_of[REAP__MOST_PARAMETERS];    /* spans: the copies, or the values of logs */
    size_t variables_of[REAP__MOST_PARAMETERS]; /* copies of variables: of committed spans, lines */
    size_t totals_of[REAP__MOST_PARAMETERS];    /* logged spans: what elements have come to, */
    size_t set_of[REAP__MOST_PARAMETERS];       /* whether they have, the identity */
    size_t identity_of[REAP__MOST_PARAMETERS];
    size_t words_bytes_of[REAP__MOST_PARAMETERS]; /* exact spans */
    size_t slots_of_span[REAP__MOST_PARAMETERS];  /* sparse ones; 0: it is not sparse */
    size_t table_of[REAP__MOST_PARAMETERS];
    size_t scratch_bytes;

    /* Shared spans of the host may come with the results, and are finished when those are. */
    bool spans_follow;
    size_t total_of[REAP__MOST_PARAMETERS]; /* where their totals stand, among the results */
    size_t results_bytes;                   /* all of the command's */

    size_t snapshot_at; /* logged spans: in scratch memory; 0: in the host's */
    size_t batch;       /* logged spans: tiles or groups of one launch */
    size_t log_offset;  /* and where plans begin, in scratch memory */

    bool completes_within; /* the launch; known once it is prepared */
};

/* Fills the layout of a launch that has its accelerator and its command, all except the arrays'
 * alignment. */
void reap__device_launch_lay_out(struct reap__device_launch *launch);

/* The work-items: tiles; work-groups, at most REAP__MOST_WORK_GROUPS. */
enum { REAP__MOST_WORK_GROUPS = 1 << 30 };
reap_status reap__device_launch_entry(struct reap__device_launch *launch, size_t first,
                                      size_t count);
reap_status reap__device_launch_groups(struct reap__device_launch *launch, size_t first,
                                       size_t count);

/* So many groups that sort a log, or fold it. */
reap_status reap__device_launch_sort(struct reap__device_launch *launch, size_t groups);
reap_status reap__device_launch_fold_spans(struct reap__device_launch *launch, size_t groups);

/* The words of exact sums of scalars become 0, which a launch that is not completed leaves. */
reap_status reap__device_launch_clear_sums(const struct reap__device_launch *launch);

/* ---- What an entry receives (parameters.c) ----------------------------------------------------*/

/* Scratch memory: offsets of results, starts, parts, copies of spans. */
void reap__kernel_params_plan(struct reap__device_launch *launch);

/* What does not need the device: the range, values, local memory. Fails with
 * REAP_ERROR_INVALID_ARGUMENT where a work-group takes more local memory than there is. */
reap_status reap__kernel_params_set(struct reap__device_launch *launch);

/* Reductions; with the accelerator's lock held, since what has no room in the block is written to
 * scratch memory. */
reap_status reap__kernel_params_set_reductions(struct reap__device_launch *launch);

/* What lanes of a scalar start as; NULL: they have no value. It may lie in `room`. */
const void *reap__lane_start(const struct reap__target *target, void *temporary);

/* Which variables stay on the device: those that lie in buffers. Completes the layout. */
void reap__bind_choose_resident(struct reap__device_launch *launch);

/* Reductions of lines: whether the variable is a copy of the program's memory on the device, since
 * that is in no buffer. */
bool reap__is_copied_line(const struct reap__target *target);

/* Whether a variable that does not stay lies in a buffer all the same, or its identity is the
 * caller's: such a command completes at once. */
bool reap__bind_must_complete(const struct reap__device_launch *launch);

/* Fills the launch's memories and their words; moves buffers. Without the accelerator's lock. Fails
 * as the device does. */
reap_status reap__bind_all(struct reap__device_launch *launch);

/* ---- Parts of reductions (part_delivery.c) ----------------------------------------------------*/

/* With the lock held, after a launch into parts has completed: what it has left in scratch memory
 * goes to its targets' deliveries. Fails with REAP_ERROR_OUT_OF_MEMORY or as the device does. */
reap_status reap__part_deliver(const struct reap__device_launch *launch);

/* ---- Spans (spans.c, span_log.c) --------------------------------------------------------------*/

/* Array reductions (spans.c). Scratch memory. Before the entry runs, with the lock held, shared
 * copies and exact sums start. */
/* The replicas of an exact span's words, as a power of two. */
unsigned reap__spans_exact_replicas(const struct reap__device_launch *launch, size_t s);
void reap__spans_plan(struct reap__device_launch *launch);
reap_status reap__spans_begin(struct reap__device_launch *launch);
reap_status reap__spans_begin_exact(const struct reap__device_launch *launch);

/* With the lock held, where all of the launch is enqueued: what it leaves of its shared copy. */
void reap__spans_note_clean(const struct reap__device_launch *launch);

/* Logged ones (span_log.c): scratch memory, at its end; with the lock held, runs all items, and
 * makes the elements' totals. What runs may begin again, so the arrays must have been saved. */
struct reap__snapshot;
void reap__log_plan(struct reap__device_launch *launch);
reap_status reap__log_run(struct reap__device_launch *launch, const struct reap__snapshot *saved);

/* What the logs of a launch take at most, if it is of several chunks; tests make it less. */
extern size_t reap__most_log_bytes;

/* As in include/reap/detail/device/span_log.h, which describes it. */
struct reap__log_plan {
    uint64_t records, order, offsets, counters;
    uint64_t has_offsets, is_counted;
    uint64_t slots, first_item, first_slot, chunk_size;
    uint64_t slot_bits, index_shift, replicas_log2;
    uint64_t sorted, lengths, heads, firsts;
    uint64_t totals, is_set, identity;
};

/* Brings shared copies to the results, where they are to follow; finishes one from its total there,
 * with the host's floating-point environment. */
reap_status reap__spans_bring(const struct reap__device_launch *launch);
void reap__spans_finish(const struct reap__target *target, unsigned char *total);

/* Reads shared copies, and the copies of committed spans' variables, into `totals`. */
reap_status reap__spans_read(struct reap__device_launch *launch,
                             const struct reap__results *totals);

#endif
