/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch on an accelerator: its layout, program, parameter block and memories, and the functions
 * of this folder that prepare it. "With the lock held" means the accelerator's.
 */
#ifndef REAP_ACCELERATOR_RUNTIME_LAUNCH_H
#define REAP_ACCELERATOR_RUNTIME_LAUNCH_H

#include "src/accelerator/codegen/layout.h"
#include "src/accelerator/runtime/accelerator.h"
#include "src/accelerator/string_builder.h"
#include "src/reduction/tree.h"

/* Offsets in the scratch buffer, which begins with counters. */
enum {
    REAP__SCRATCH_COUNTER = 0,
    REAP__SCRATCH_RESULTS = REAP__SUMS_COUNTERS + REAP__SUM_BYTES * REAP__MOST_PARAMETERS
};

/* The most words of a parameter block, in which any reductions fit, and several thousand bytes of
 * values; and the most memories of a launch. */
enum { REAP__MOST_BLOCK_WORDS = 1024, REAP__MOST_MEMORIES = 2 + 2 * REAP__MOST_PARAMETERS };

struct reap__device_launch {
    struct reap__accelerator *accelerator;
    const struct reap__launch *command;
    struct reap__layout layout;
    struct reap__program *program;
    uint64_t block[REAP__MOST_BLOCK_WORDS]; /* the parameter block: layout.words words */
    struct reap__memory memories[REAP__MOST_MEMORIES];
    struct reap__memory_access {
        struct reap__last_access *last_access;
        bool writes;
    } accesses[REAP__MOST_MEMORIES]; /* to memory with hazard tracking */
    size_t access_count;
    struct reap__timeline_value before; /* the launch waits for it */
    size_t groups;                      /* work-groups, or tiles of the range */
    size_t group_items;                 /* of a work-group */
    size_t local_bytes;

    /* The tiles of the scalars' nodes. */
    size_t tile_items; /* of a tile: some leaves, a chunk or a line */
    size_t tiles;
    size_t tile_groups; /* groups of threads that the tiles are divided among */
    size_t places;      /* teams that have slots */
    size_t levels;      /* of nodes within a tile */
    size_t teams;       /* of a group that have a line at a time */
    size_t nodes;       /* of tiles, or of bundles of 2^bundle_log2 tiles */
    unsigned bundle_log2;

    size_t block_at; /* offset of the block in the scratch buffer, if it is there */

    /* Offsets in the scratch buffer. Of each scalar: its start value (if the block does not have
     * it), work-groups' values, nodes, slots. Of each span: its start value, and the following. */
    size_t start_of[REAP__MOST_PARAMETERS];
    size_t parts_of[REAP__MOST_PARAMETERS];
    size_t nodes_of[REAP__MOST_PARAMETERS];
    size_t slots_of[REAP__MOST_PARAMETERS];
    size_t span_start_of[REAP__MOST_PARAMETERS];
    size_t values_of[REAP__MOST_PARAMETERS];      /* the copies, or the values of logs */
    size_t variables_of[REAP__MOST_PARAMETERS];   /* copies of variables, of committed spans and of
                                                     lines */
    size_t totals_of[REAP__MOST_PARAMETERS];      /* logged spans: the elements' totals, */
    size_t set_of[REAP__MOST_PARAMETERS];         /* whether they have a value, */
    size_t identity_of[REAP__MOST_PARAMETERS];    /* the identity */
    size_t words_bytes_of[REAP__MOST_PARAMETERS]; /* exact spans: size of the words */
    size_t slots_of_span[REAP__MOST_PARAMETERS];  /* number of slots; 0: not sparse */
    size_t table_of[REAP__MOST_PARAMETERS];       /* sparse spans */
    size_t scratch_bytes;

    /* Totals of short shared spans in host memory are copied with the results, and stored when the
     * command is finished. */
    bool spans_follow;
    size_t total_of[REAP__MOST_PARAMETERS]; /* offsets of these totals among the results */
    size_t results_bytes;                   /* all of the command's */

    size_t snapshot_at; /* logged spans: the snapshot's offset in the scratch buffer; 0: it is in
                           host memory */
    size_t batch;       /* logged spans: tiles or groups of one launch of the entry */
    size_t log_offset;  /* logged spans: offset of the plans in the scratch buffer */

    bool completes_within; /* the command completes before the call returns; set by `prepare`
                              (run.c) */
};

/* Fills launch->layout, except the arrays' alignment, from its accelerator and its command. */
void reap__device_launch_lay_out(struct reap__device_launch *launch);

/* The functions reap__device_launch_... enqueue with the lock held, and fail as the driver. These
 * two run `count` tiles, or at most REAP__MOST_WORK_GROUPS work-groups, from number `first` on. */
enum { REAP__MOST_WORK_GROUPS = 1 << 30 };
reap_status reap__device_launch_entry(struct reap__device_launch *launch, size_t first,
                                      size_t count);
reap_status reap__device_launch_groups(struct reap__device_launch *launch, size_t first,
                                       size_t count);

/* Sort a log, and fold it, with `groups` groups of threads. */
reap_status reap__device_launch_sort(struct reap__device_launch *launch, size_t groups);
reap_status reap__device_launch_fold_spans(struct reap__device_launch *launch, size_t groups);

/* Sets the words of scalars' exact sums to 0, which an earlier launch that stopped may have left.
 */
reap_status reap__device_launch_clear_sums(const struct reap__device_launch *launch);

/* ---- Parameters of an entry (parameters.c) ----------------------------------------------------*/

/* Plans tiles and the scratch buffer: sets the members above from tile_items to scratch_bytes. */
void reap__kernel_params_plan(struct reap__device_launch *launch);

/* Fills the words of the range, values and local memory. Fails with REAP_ERROR_INVALID_ARGUMENT if
 * a work-group needs more local memory than the device has. */
reap_status reap__kernel_params_set(struct reap__device_launch *launch);

/* Fills the words of reductions; writes start values and identities that are not in the block to
 * the scratch buffer. With the lock held. Fails with REAP_ERROR_OUT_OF_MEMORY or as the device. */
reap_status reap__kernel_params_set_reductions(struct reap__device_launch *launch);

/* Returns the start value of a scalar's lanes, which may be written to `temporary`; NULL: they
 * start without a value. */
const void *reap__lane_start(const struct reap__target *target, void *temporary);

/* Makes variables in buffers resident, and completes the layout accordingly. */
void reap__bind_choose_resident(struct reap__device_launch *launch);

/* For a reduction of lines: whether the variable is not in a buffer, so the device uses a copy. */
bool reap__is_copied_line(const struct reap__target *target);

/* Whether the call must complete the command: a line's variable is a copy, a variable that is not
 * resident is in a buffer, or its identity is the caller's. */
bool reap__bind_must_complete(const struct reap__device_launch *launch);

/* Makes the buffers of arrays and of resident variables valid on the device; fills the launch's
 * memories, their words and accesses. Without the lock. Fails as the device. */
reap_status reap__bind_all(struct reap__device_launch *launch);

/* ---- Parts of reductions (part_delivery.c) ----------------------------------------------------*/

/* With the lock held, after a launch into parts has completed: copies its results from the scratch
 * buffer to its targets' deliveries. Fails with REAP_ERROR_OUT_OF_MEMORY or as the device. */
reap_status reap__part_deliver(const struct reap__device_launch *launch);

/* ---- Spans (spans.c, span_log.c) --------------------------------------------------------------*/

/* The log2 of the replicas of an exact span's words. */
unsigned reap__spans_exact_replicas(const struct reap__device_launch *launch, size_t s);

/* Plans the spans' part of the scratch buffer. */
void reap__spans_plan(struct reap__device_launch *launch);

/* With the lock held, before the entry runs: initialises shared copies and exact sums, or only
 * exact sums. Both fail with REAP_ERROR_OUT_OF_MEMORY or as the device. */
reap_status reap__spans_begin(struct reap__device_launch *launch);
reap_status reap__spans_begin_exact(const struct reap__device_launch *launch);

/* With the lock held, once all of the launch is enqueued: notes that its shared copy is initialised
 * for the next launch (struct reap__clean). */
void reap__spans_note_clean(const struct reap__device_launch *launch);

/* Logged spans (span_log.c). `plan` plans their memory at the end of the scratch buffer. `run`,
 * with the lock held, runs all work-items and computes the elements' totals. If a log was too
 * short, it restores the snapshot of the arrays and runs the items again. */
struct reap__snapshot;
void reap__log_plan(struct reap__device_launch *launch);
reap_status reap__log_run(struct reap__device_launch *launch, const struct reap__snapshot *saved);

/* The most bytes of logs of a launch over several chunks; tests make it less. */
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

/* `bring` enqueues a copy of shared spans' totals to the results, if launch->spans_follow. `finish`
 * stores one of these totals into the span's variable, in the library's floating-point environment.
 */
reap_status reap__spans_bring(const struct reap__device_launch *launch);
void reap__spans_finish(const struct reap__target *target, unsigned char *total);

/* Reads shared copies, and the copies of committed spans' variables, into `totals`. Blocks. Fails
 * as the device. */
reap_status reap__spans_read(struct reap__device_launch *launch,
                             const struct reap__results *totals);

#endif
