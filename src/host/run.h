/* SPDX-License-Identifier: Apache-2.0
 *
 * A command on the host, as its threads see it. Its work-items are cut into units: nodes of the
 * reduction shape, chunks of spans in order, or some work-groups. A thread runs units one after the
 * other, each into lanes of its own; what a unit comes to is kept, and the launching thread
 * combines it all in order.
 */
#ifndef REAP_HOST_RUN_H
#define REAP_HOST_RUN_H

#include "src/core/checked_launch.h"
#include "src/core/status.h"
#include "src/host/group.h"
#include "src/host/isa.h"
#include "src/host/pool.h"
#include "src/host/scratch.h"
#include "src/reduction/tree.h"

#include <pthread.h>
#include <stdatomic.h>

/* One scalar reduction. */
struct reap__host_scalar {
    const struct reap__target *target;
    const struct reap__reduction *reduction;
    size_t width;                /* lanes */
    int leaf_log2;               /* the items of a leaf are 2^leaf_log2 */
    bool has_flags;              /* the operator has no identity: values may be missing */
    bool has_location;           /* one row of lanes serves all leaves */
    bool is_exact;               /* lanes are the values of a leaf's items */
    bool is_unordered;           /* either: a unit comes to one result, and not to a row of lanes */
    void *identity;              /* a result; the launch may give one; NULL: there is none */
    const void *start;           /* a lane before the first item; NULL: it has no value */
    void *start_row;             /* a row of such lanes; NULL: there is none */
    struct reap__results nodes;  /* a row for each unit; without an order: a result */
    struct reap__results result; /* one */
    void *temporary;             /* for one more */

    /* Work-groups: the results of a batch, and of the leaf that they are items of. */
    struct reap__results batch;
    struct reap__results leaf;
    struct reap__tree tree;
};

/* One array reduction (span.h). */
struct reap__host_span {
    const struct reap__target *target;
    const struct reap__reduction *reduction;
    bool has_flags;
    bool is_dense;         /* copies are whole, without pages */
    void *identity;        /* an element; NULL: there is none */
    void *start;           /* an element before the first item; NULL: it has no value */
    unsigned replica_log2; /* a copy spreads its values over 2^replica_log2 replicas */
    unsigned page_log2;    /* a page is 2^page_log2 elements */
    size_t pages;
    bool is_exact; /* a copy holds the numbers of a plane, and more copies those of other planes */

    /* What is committed into the variable: the total, or all threads' copies or their planes. */
    struct reap__host_span_copy **sources;
    size_t source_count;
    size_t parts;         /* in which it is committed */
    size_t part_elements; /* of a part, if it is dense */
};

/* A private copy of a span. The kernel's code sees the view; pages are made through it. */
struct reap__host_span_copy {
    struct reap__host_run *run;
    const struct reap__host_span *span;
    struct reap__span *view;
    uint32_t *page_of;                /* the page at each place, from 1 */
    size_t used;                      /* places with pages */
    bool is_begun;                    /* it holds something; not of exact sums */
    struct reap__host_planes *planes; /* exact sums (exact_span.c) */
};

/* The most leaves that one call of the kernel's code runs, as a power of two: so many rows of lanes
 * stay in the first-level cache, and combine at once. */
enum { REAP__CALL_LEAVES_LOG2 = 3 };

/* Items of a leaf where no reduction says how many. */
enum { REAP__PLAIN_LEAF_LOG2 = 11 };

/* Where two nodes of the reduction tree combine, by the first unit of the second one. Neighbours
 * are in one cache line, since one thread runs neighbouring units. */
struct reap__host_joint {
    _Alignas(16) atomic_bool reached; /* one of the nodes is complete */
};

enum reap__slot_state { SLOT_FREE, SLOT_BUSY, SLOT_FULL };

/* What one thread at a time works in; in cache lines of its own. */
/* Whether it pays to fetch what the next items may read (unit.c). */
struct reap__fetch_trial {
    unsigned calls;
    uint64_t begin;
    uint64_t least[2]; /* nanoseconds of some calls without it, and with it */
};

struct reap__host_slot {
    _Alignas(REAP__MEMORY_ALIGNMENT) struct reap__host_run *run;
    _Atomic uint64_t share; /* units that it is to run: from the lower 32 bits to the upper ones */
    unsigned char *memory;  /* of the members that follow, not divided yet; NULL: they are set */
    size_t bytes;
    struct reap__lanes *lanes; /* of a call; of a group */
    struct reap__lanes *part;  /* of a part of a row */
    struct reap__tree *trees;  /* of the unit's leaves */
    size_t *rows;              /* without an order: rows that the lanes have seen */
    struct reap__fetch_trial trial;
    struct reap__span *spans;
    struct reap__host_span_copy *copies; /* what the spans are views of */
    struct reap__host_group *group;      /* kernels with work-groups */
    void *lines;                         /* reductions of rows or columns (lines.c, columns.c) */
    bool is_begun;                       /* span kernels: the copies are ready, or hold something */
    size_t chunk;                        /* where they are merged in order: the chunk it holds */
    enum reap__slot_state state;         /* of the chunk; under the run's merge_lock */
};

struct reap__host_run {
    struct reap__job job; /* first, so that a job's address is its run's */
    const struct reap__launch *command;
    const struct reap_kernel *kernel;
    reap__items_function items;
    enum reap__isa isa;
    const struct reap__compiled *compiled; /* work-groups: in place of fibers; NULL: none */
    bool is_checked;                       /* REAP_CHECK */
    bool is_brief;           /* expected to last so short that the cost of a unit shows */
    double item_nanoseconds; /* what a work-item is expected to cost; 0: unknown */

    struct reap__host_scalar *scalars;
    size_t scalar_count;
    struct reap__host_span *spans;
    size_t span_count;
    bool merges_in_order; /* by chunks; else each thread's copies hold all of its units */
    struct reap__host_span_copy *totals; /* of what has been merged in order, one for each span */
    size_t parts;                        /* of what is to be committed to spans' variables */
    atomic_size_t next_part;

    /* How it is cut. Leaves are the longest of any reduction. */
    bool has_lines;     /* a unit is some rows or columns, which slots have plans for (lines.h) */
    bool has_exact;     /* a scalar reduction is an exact sum */
    bool is_ordered;    /* no scalar reduction is one, or has a location */
    bool pairs_leaves;  /* the kernel's code combines pairs of leaves (struct reap__items) */
    bool is_uniform;    /* all scalar reductions have one width */
    size_t width;       /* the least of them */
    int leaf_log2;      /* items of a leaf, as a power of two */
    size_t grains;      /* leaves; work-groups; rows; segments of columns */
    size_t unit_grains; /* of a unit; of leaves, a power of two */
    unsigned call_log2; /* leaves of a call, as a power of two */
    size_t strips; /* more than 1: a unit is one strip of the lanes of one leaf, whose lanes stand
                      in `leaf_lanes` and are shared */
    struct reap__lanes *leaf_lanes;
    struct reap__host_joint *joints; /* of each unit; NULL: the launching thread combines all */

    /* Reductions of rows or columns: the command's scalars, with copies of their variables;
     * columns' units (columns.c). */
    struct reap__target *line_targets;
    struct reap__host_columns *columns;

    /* The batch at hand: all leaves, or some groups. */
    size_t batch_grains; /* the most */
    size_t first_grain;
    size_t batch_end;
    size_t units;

    struct reap__host_slot *slots;
    size_t slot_count;
    size_t threads; /* that may work on it */

    /* Units of all batches, and those that the launching thread ran, where others might have. */
    size_t all_units;
    size_t own_units;
    uint64_t own_nanoseconds;
    _Atomic uint64_t helper_nanoseconds; /* of a unit that a helper ran; 0: none did */

    /* The order in which chunks are merged. */
    pthread_mutex_t merge_lock;
    pthread_cond_t slot_freed;
    size_t next_chunk; /* to be run */
    size_t next_merge; /* to be merged */
    bool merging;

    /* The first index outside a span; the lock is merge_lock. */
    atomic_bool outside;
    size_t outside_index;
    const struct reap__target *outside_target;

    /* The first failure of a group; then the rest is not run. */
    atomic_bool noting;
    atomic_bool failed;
    reap_status failure;
    char message[REAP__MESSAGE_BYTES];

    atomic_int ran; /* the instruction set that the kernel's code says it ran */
};

/* ---- Plans (plan.c) ---------------------------------------------------------------------------*/

/* Plans the command for at most that many threads, one of which is the caller's. run->command,
 * run->kernel and run->isa are set already. The memory is the scratch's. Fails with
 * REAP_ERROR_OUT_OF_MEMORY.
 */
reap_status reap__host_plan(struct reap__host_run *run, size_t threads,
                            struct reap__scratch *scratch);

/* The thread of a slot calls this before it uses the slot. */
void reap__host_begin_slot(struct reap__host_slot *slot);

/* The same as reap__host_plan, in a fraction of the time, for a command for which
 * reap__host_is_single_call is true: items of one dimension that reduce to scalars of one width, in
 * so few leaves that one call runs them. The slot is given. */
bool reap__host_is_single_call(const struct reap__launch *command);
bool reap__host_fits_call(const struct reap__launch *command); /* the same in any dimensions */
reap_status reap__host_plan_single_call(struct reap__host_run *run, struct reap__host_slot *slot,
                                        struct reap__scratch *scratch);

/* ---- Units (unit.c) ---------------------------------------------------------------------------*/

/* Runs a unit: into its nodes, or the spans' copies, or the batch's results. */
void reap__host_run_unit(struct reap__host_slot *slot, size_t unit);

/* Runs all items in one call (plan.h), into the results. */
void reap__host_run_single_call(struct reap__host_slot *slot);

/* Before and after the units of a command without groups. */
void reap__host_begin_units(const struct reap__host_run *run);
void reap__host_end_units(const struct reap__host_run *run);

/* ---- Work-groups (group_setup.c) --------------------------------------------------------------*/

/* Before, between and after the batches of a command with groups. */
void reap__host_begin_groups(const struct reap__host_run *run);
void reap__host_add_groups(const struct reap__host_run *run);
void reap__host_end_groups(const struct reap__host_run *run);

/* Kernels with work-groups: takes what the slots need beside lanes; releases the stacks; runs a
 * group into the batch's results. */
reap_status reap__host_take_groups(struct reap__host_run *run, struct reap__scratch *scratch);
void reap__host_return_groups(const struct reap__host_run *run);
void reap__host_run_group(struct reap__host_slot *slot, size_t number);

/* Makes rows of lanes ready: `rows` of those with a row for each leaf, of which the first `lanes`
 * lanes are used. */
void reap__host_fill_lanes(const struct reap__host_run *run, const struct reap__lanes *lanes,
                           size_t rows, size_t used);

/* The sum takes what is added to an exact sum's sink. */
void reap__host_begin_sum(const struct reap__host_scalar *scalar, const struct reap__lanes *lanes,
                          void *sum);

/* Runs items, of which the caller says where they begin, how many they are and which lanes they
 * have, and those of a row of lanes; unlike in a unit they are counted from the range's begin. */
void reap__host_call(struct reap__host_run *run, struct reap__items items);

/* Lanes that begin: `count` values of a scalar without a location. */
void reap__host_fill(const struct reap__host_scalar *scalar, const struct reap__lanes *lanes,
                     size_t count);

/* The id of the item with that linear id. */
void reap__host_find_id(const reap_range *range, size_t item, size_t id[3]);

/* The run fails; the first to say why is heard. Any of its threads. */
__attribute__((format(printf, 3, 4))) void
reap__host_run_fail(struct reap__host_run *run, reap_status status, const char *format, ...);

#endif
