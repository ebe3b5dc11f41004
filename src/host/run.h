/* SPDX-License-Identifier: Apache-2.0
 *
 * A command while the host runs it. Its work-items are divided into units: nodes of the reduction
 * shape, chunks of spans that are merged in order, or some work-groups, rows or columns. A thread
 * runs units one after the other, in a slot. Each unit leaves a node or a result, and these are
 * combined in order.
 */
#ifndef REAP_HOST_RUN_H
#define REAP_HOST_RUN_H

#include "src/core/checked_launch.h"
#include "src/core/status.h"
#include "src/host/group.h"
#include "src/host/isa.h"
#include "src/host/pool.h"
#include "src/host/scratch.h"
#include "src/reduction/exact.h"
#include "src/reduction/tree.h"

#include <pthread.h>
#include <stdatomic.h>

/* One scalar reduction. */
struct reap__host_scalar {
    const struct reap__target *target;
    const struct reap__reduction *reduction;
    size_t width;      /* lanes */
    int leaf_log2;     /* the items of a leaf are 2^leaf_log2 */
    bool has_flags;    /* the operator has no identity, so a lane may have no value */
    bool has_location; /* one row of lanes serves all leaves */
    bool is_exact;     /* lanes are the values of a leaf's items */
    bool is_unordered; /* has_location or is_exact: a unit has one result, not a row of lanes */
    void *identity;    /* a result; the operator's or the launch's; NULL: neither has one */
    const void *start; /* the value of a lane before the first item; NULL: none */
    void *start_row;   /* a row of such lanes; NULL: not made */
    struct reap__results nodes;  /* for each unit a row, or if is_unordered a result */
    struct reap__results result; /* of the launch */
    void *temporary;             /* memory for another result */

    /* Work-groups: the results of the groups of a batch, and the leaf and the tree of whose items
     * they are. */
    struct reap__results batch;
    struct reap__results leaf;
    struct reap__tree tree;
};

/* One array reduction (span.h). */
struct reap__host_span {
    const struct reap__target *target;
    const struct reap__reduction *reduction;
    bool has_flags;
    bool is_dense;         /* copies have all elements, without pages */
    void *identity;        /* an element; NULL: none */
    void *start;           /* an element before its first value; NULL: none */
    unsigned replica_log2; /* a copy has 2^replica_log2 replicas */
    unsigned page_log2;    /* a page is 2^page_log2 elements */
    size_t pages;
    bool is_exact; /* an exact sum: a copy has planes (exact_span.h) */

    /* The copies that are committed into the variable: the total, or those of all threads, or their
     * planes. */
    struct reap__host_span_copy **sources;
    size_t source_count;
    size_t parts;         /* which different threads can commit */
    size_t part_elements; /* of a part of a dense span */
};

/* A private copy of a span. The kernel's code sees the view, and creates pages through it. */
struct reap__host_span_copy {
    struct reap__host_run *run;
    const struct reap__host_span *span;
    struct reap__span *view;
    uint32_t *page_of;                /* the page in each slot, from slot 1 on */
    size_t used;                      /* slots with pages */
    bool is_begun;                    /* it has values; unused by exact sums */
    struct reap__host_planes *planes; /* exact sums (exact_span.c) */
};

/* The most leaves that one call of the kernel's code runs, as a power of two: their rows of lanes
 * fit in the first-level cache, and are combined at once. */
enum { REAP__CALL_LEAVES_LOG2 = 3 };

/* The items of a leaf in kernels without scalar reductions. */
enum { REAP__PLAIN_LEAF_LOG2 = 11 };

/* Two nodes of the reduction tree that are to be combined. The index is the first unit of the right
 * one. Neighbours share a cache line, since one thread runs neighbouring units. */
struct reap__host_joint {
    _Alignas(16) atomic_bool reached; /* one of the nodes is complete; acq_rel, so the second thread
                                         sees the first one's node */
};

enum reap__slot_state { SLOT_FREE, SLOT_BUSY, SLOT_FULL };

/* Measures whether prefetching what the next items may read is faster (unit.c). */
struct reap__fetch_trial {
    unsigned calls;
    uint64_t begin;
    uint64_t least[2]; /* the least time of some calls without it, and with it, in nanoseconds */
};

enum { REAP__EXACT_GUESSES = 4 };

/* The memory in which one thread at a time runs units; in cache lines of its own. */
struct reap__host_slot {
    _Alignas(REAP__MEMORY_ALIGNMENT) struct reap__host_run *run;
    _Atomic uint64_t share; /* units that the thread is to run: from the lower 32 bits to before the
                               upper ones */
    unsigned char *memory;  /* not yet divided among the members that follow; NULL: it is */
    size_t bytes;
    struct reap__lanes *lanes; /* of the leaves of a call, or the items of a group */
    struct reap__lanes *part;  /* the same from a later lane on, for a part of a row */
    struct reap__tree *trees;  /* of the unit's leaves */
    size_t *rows; /* reductions with a location: rows that have been combined into the lanes */
    struct reap__fetch_trial trial;
    struct reap__exact_guess guesses[REAP__EXACT_GUESSES]; /* of exact sums; some may share one */
    struct reap__span *spans;
    struct reap__host_span_copy *copies; /* the copies that the spans are views of */
    struct reap__host_group *group;      /* kernels with work-groups */
    void *lines;                         /* reductions of rows or columns (lines.c, columns.c) */
    bool is_begun;                       /* spans: the copies have been initialised */
    size_t chunk;                        /* merges_in_order: the chunk that the copies are for */
    enum reap__slot_state state;         /* of the chunk; under the run's merge_lock */
};

struct reap__host_run {
    struct reap__job job; /* first, so that a job's address is its run's */
    const struct reap__launch *command;
    const struct reap_kernel *kernel;
    reap__items_function items;
    enum reap__isa isa;
    const struct reap__compiled *compiled; /* work-groups: code that replaces fibers; NULL: none */
    bool is_checked;                       /* REAP_CHECK */
    bool is_brief;           /* so short, as expected, that the cost of each unit matters */
    double item_nanoseconds; /* the expected cost of a work-item; 0: unknown */

    struct reap__host_scalar *scalars;
    size_t scalar_count;
    struct reap__host_span *spans;
    size_t span_count;
    bool merges_in_order;                /* by chunks; else a slot's copies are for all its units */
    struct reap__host_span_copy *totals; /* into which chunks are merged; one for each span */
    size_t parts;                        /* of all spans, to be committed into their variables */
    atomic_size_t next_part;

    /* The division into units. Leaves are the longest ones of any reduction. */
    bool has_lines;     /* rows or columns are reduced; slots have plans for them (lines.h) */
    bool has_exact;     /* some scalar reduction is an exact sum */
    bool is_ordered;    /* no scalar reduction is an exact sum or has a location */
    bool pairs_leaves;  /* the kernel's code combines pairs of leaves (struct reap__items) */
    bool is_uniform;    /* all scalar reductions have the same width */
    size_t width;       /* the least width of them */
    int leaf_log2;      /* items of a leaf, as a power of two */
    size_t grains;      /* leaves; work-groups; rows; segments of columns */
    size_t unit_grains; /* of a unit; of leaves, a power of two */
    unsigned call_log2; /* leaves of a call, as a power of two */
    size_t strips; /* more than 1: a unit is one strip of the lanes of one leaf; the lanes are in
                      `leaf_lanes`, which threads share */
    struct reap__lanes *leaf_lanes;
    struct reap__host_joint *joints; /* for each unit; NULL: the launching thread combines all */

    /* Reductions of rows or columns: the targets of the command's scalars with copies of their
     * variables; what is known of columns (columns.c). */
    struct reap__target *line_targets;
    struct reap__host_columns *columns;

    /* The current batch: all grains, or some work-groups. */
    size_t batch_grains; /* the most that a batch has */
    size_t first_grain;
    size_t batch_end;
    size_t units;

    struct reap__host_slot *slots;
    size_t slot_count;
    size_t threads; /* that may run units */

    /* Units of all batches; and of those that helpers might have run, how many the launching thread
     * ran, and for how long. In another cache line than what helpers read. */
    _Alignas(REAP__MEMORY_ALIGNMENT) size_t all_units;
    size_t own_units;
    uint64_t own_nanoseconds;
    _Atomic uint64_t helper_nanoseconds; /* of a unit that a helper ran; 0: no helper ran one */

    /* Which chunks have been taken and merged; merge_lock protects the members after it. */
    pthread_mutex_t merge_lock;
    pthread_cond_t slot_freed;
    size_t next_chunk; /* the next to be run */
    size_t next_merge; /* the next to be merged */
    bool merging;

    /* The first index outside a span that was found, written with merge_lock held. */
    atomic_bool outside;
    size_t outside_index;
    const struct reap__target *outside_target;

    /* The first failure (reap__host_run_fail). Work-groups after it are not run. `failure` and
     * `message` are written before `failed`, by the thread that sets `noting`. */
    atomic_bool noting;
    atomic_bool failed;
    reap_status failure;
    char message[REAP__MESSAGE_BYTES];

    atomic_int ran; /* the instruction set that the kernel's code returned */
};

/* ---- Plans (plan.c) ---------------------------------------------------------------------------*/

/* Plans the command for at most `threads` threads, including the caller's. run->command,
 * run->kernel, run->isa and the members that run_by_plan in launch.c sets are set already. Memory
 * is taken from `scratch`. Fails with REAP_ERROR_OUT_OF_MEMORY. */
reap_status reap__host_plan(struct reap__host_run *run, size_t threads,
                            struct reap__scratch *scratch);

/* Divides the memory of a slot, if that is still to be done. A helper calls it before it uses its
 * slot. */
void reap__host_begin_slot(struct reap__host_slot *slot);

/* The same as reap__host_plan, faster, for commands for which reap__host_is_single_call is true:
 * scalar reductions of one width, in so few leaves that one call of the kernel's code runs them.
 * The caller provides the slot. */
bool reap__host_is_single_call(const struct reap__launch *command);

reap_status reap__host_plan_single_call(struct reap__host_run *run, struct reap__host_slot *slot,
                                        struct reap__scratch *scratch);

/* The kernel's code for these items: that of the run's instruction set, if it takes their ids. */
static inline reap__items_function reap__host_items_for(const struct reap__host_run *run,
                                                        const struct reap__items *items)
{
    const unsigned last = items->range_->dimensions - 1;
    const size_t end = last == 0 ? items->first_ + items->count_ : items->range_->size[last];
    const reap__items_function baseline = run->kernel->items[REAP__ISA_PLAIN];
    return end <= REAP__MOST_FITTING || baseline == NULL ? run->items : baseline;
}

/* ---- Units (unit.c) ---------------------------------------------------------------------------*/

/* Runs a unit: into its nodes, the copies of spans, or the results of the batch. */
void reap__host_run_unit(struct reap__host_slot *slot, size_t unit);

/* Runs all items of a plan of reap__host_plan_single_call, into the results. */
void reap__host_run_single_call(struct reap__host_slot *slot);

/* The same for at most a leaf of items, if there is one reduction, by a built-in operator, in
 * REAP__MOST_LANES lanes, which is not an exact sum and has no location. `functions` are those of
 * the operator. */
void reap__host_run_leaf(struct reap__host_slot *slot,
                         const struct reap__operator_functions *functions);

/* Called before and after the units of a command without groups: initialise joints and the lanes of
 * strips; combine the nodes into the results. */
void reap__host_begin_units(const struct reap__host_run *run);
void reap__host_end_units(const struct reap__host_run *run);

/* ---- Work-groups (group_setup.c) --------------------------------------------------------------*/

/* Called before the batches of a command with groups, after each, and after the last: initialise
 * the leaves; combine the results of the batch; make the results. */
void reap__host_begin_groups(const struct reap__host_run *run);
void reap__host_add_groups(const struct reap__host_run *run);
void reap__host_end_groups(const struct reap__host_run *run);

/* Takes what slots need for work-groups, besides lanes. Fails with REAP_ERROR_OUT_OF_MEMORY. */
reap_status reap__host_take_groups(struct reap__host_run *run, struct reap__scratch *scratch);

/* Returns stacks and memory that are not the scratch buffer's. */
void reap__host_return_groups(const struct reap__host_run *run);

/* Runs a group, by its number, into the results of the batch. */
void reap__host_run_group(struct reap__host_slot *slot, size_t number);

/* Initialises `rows` rows of lanes, or the one row of a reduction with a location; of the last row
 * the first `used` lanes. */
void reap__host_fill_lanes(const struct reap__host_run *run, const struct reap__lanes *lanes,
                           size_t rows, size_t used);

/* Sets up the sink of an exact sum: `sum` receives the values that items combine after their
 * first. */
void reap__host_begin_sum(const struct reap__host_scalar *scalar, const struct reap__lanes *lanes,
                          void *sum);

/* Runs items. The caller sets lanes_, first_ (counted from the command's first item), count_, leaf_
 * and skip_. */
void reap__host_call(struct reap__host_run *run, struct reap__items items);

/* Initialises `count` lanes of a scalar without a location. */
void reap__host_fill(const struct reap__host_scalar *scalar, const struct reap__lanes *lanes,
                     size_t count);

/* Finds the id of the item with linear id `item`. */
void reap__host_find_id(const reap_range *range, size_t item, size_t id[3]);

/* Makes the run fail; only the first failure is recorded. Called by any of its threads. */
__attribute__((format(printf, 3, 4))) void
reap__host_run_fail(struct reap__host_run *run, reap_status status, const char *format, ...);

#endif
