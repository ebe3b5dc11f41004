/* SPDX-License-Identifier: Apache-2.0
 *
 * A command on the host, as its threads see it. The work-items are cut into tiles, which hold whole
 * blocks of every reduction; a thread runs tiles one after the other, each into lanes of its own.
 * A tile's results go to a batch, which the launching thread folds in order.
 */
#ifndef REAP_HOST_RUN_H
#define REAP_HOST_RUN_H

#include "src/core/command.h"
#include "src/core/shape.h"
#include "src/core/status.h"
#include "src/host/group.h"
#include "src/host/isa.h"
#include "src/host/pool.h"
#include "src/host/scratch.h"

#include <pthread.h>
#include <stdatomic.h>

/* One scalar reduction. */
struct reap__host_scalar {
    const struct reap__target *target;
    const struct reap__reduction *reduction;
    size_t width;          /* lanes */
    int block_log2;        /* the items of a block are 2^block_log2 */
    bool has_flags;        /* the operator has no identity: values may be missing */
    void *identity;        /* a result; the launch may give one; NULL: there is none */
    const void *start;     /* a lane before the first item; NULL: it has no value */
    void *start_row;       /* a row of such lanes, where several tiles need one; else NULL */
    bool is_begun_by_code; /* the kernel's code makes its lanes start: nobody fills them */
    size_t blocks;         /* of the whole command */
    struct reap__results batch;
    struct reap__fold fold;      /* of the batches; only made where there are several blocks */
    struct reap__results result; /* one */
    void *room;                  /* for one more */
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
};

/* A private copy of a span. The kernel's code sees the view; pages are made through it. */
struct reap__host_copy {
    struct reap__host_run *run;
    const struct reap__host_span *span;
    struct reap__span *view;
    uint32_t *page_of; /* the page at each place, from 1 */
    size_t used;       /* places with pages */
    bool is_begun;     /* a total: some copy has been merged into it */
};

/* The most lanes, and what a row has where no reduction says. */
enum { REAP__PLAIN_LANES_LOG2 = 10 };

enum reap__slot_state { SLOT_FREE, SLOT_BUSY, SLOT_FULL };

/* What one thread at a time works in. */
struct reap__host_slot {
    struct reap__host_run *run;
    struct reap__lanes *lanes; /* of the tile: its first lanes */
    struct reap__lanes *row;   /* of the row at hand */
    struct reap__span *spans;
    struct reap__host_copy *copies; /* what the spans are views of */
    struct reap__host_group *group; /* kernels with work-groups */
    bool is_begun;                  /* span kernels: the copies are ready, or hold something */
    size_t chunk;                   /* where they are merged in order: the chunk it holds */
    enum reap__slot_state state;    /* of the chunk; under the run's merge_lock */
};

struct reap__host_run {
    struct reap__job job; /* first, so that a job's address is its run's */
    const struct reap__command *command;
    const struct reap_kernel *kernel;
    reap__rows_function rows;
    enum reap__isa isa;
    size_t threads; /* that may work on it */
    size_t helpers; /* the most that have come to a batch */

    /* Units of all batches, and those that the launching thread ran, where others might have. */
    size_t all_units;
    size_t own_units;
    uint64_t own_nanoseconds;

    struct reap__host_scalar *scalars;
    size_t scalar_count;
    struct reap__host_span *spans;
    size_t span_count;
    bool merges_in_order;           /* by chunks; else each thread's copies hold all of its tiles */
    struct reap__host_copy *totals; /* of what has been merged, one for each span; where there is no
                                       order, the first slot's */

    size_t width; /* items of a row: the least width of a reduction */
    int width_log2;
    bool is_uniform;     /* all scalar reductions have that width */
    bool begins_in_code; /* the kernel's code makes lanes start, where they can */
    bool is_large;       /* its arrays are larger than most caches */
    int tile_log2;       /* a tile's items are 2^tile_log2: whole blocks of each reduction */
    size_t tiles;
    size_t batch_tiles; /* tiles between two folds */

    /* The batch at hand. Units of work are taken in order from next_unit: some tiles, or, where
     * there are few, one strip of a tile's lanes; then each tile has lanes of its own. */
    size_t first_tile;
    size_t batch_end;
    size_t strips; /* of a tile; 1: a unit is tiles_per_unit whole tiles */
    size_t tiles_per_unit;
    size_t units;
    atomic_size_t next_unit; /* relaxed: what is worked on was written before the invitation */
    struct reap__lanes *tile_lanes;

    struct reap__host_slot *slots;
    size_t slot_count;

    /* The order in which chunks are merged. */
    size_t chunk_tiles;
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

    bool is_checked; /* REAP_CHECK */

    atomic_int ran; /* the instruction set that the kernel's code says it ran */
};

/* Runs a whole tile, or one strip of its lanes (tiles of uniform width), into the slot's lanes. */
void reap__host_run_tile(struct reap__host_slot *slot, size_t tile);
void reap__host_run_strip(struct reap__host_slot *slot, size_t tile, size_t strip);

/* Kernels with work-groups, whose tiles are groups: takes what the slots need beside lanes; gives
 * the stacks back; runs a group into the batch's results. */
reap_status reap__host_take_groups(struct reap__host_run *run, struct reap__scratch *scratch);
void reap__host_return_groups(const struct reap__host_run *run);
void reap__host_run_group(struct reap__host_slot *slot, size_t number);

/* Makes lanes ready for a tile, and folds them into the batch's results. */
void reap__host_fill_lanes(const struct reap__host_run *run, const struct reap__lanes *lanes,
                           size_t items);
void reap__host_fold_lanes(const struct reap__host_run *run, const struct reap__lanes *lanes,
                           size_t tile);

/* The run fails; the first to say why is heard. Any of its threads. */
__attribute__((format(printf, 3, 4))) void
reap__host_note(struct reap__host_run *run, reap_status status, const char *format, ...);

/* How many items a tile has. */
size_t reap__host_tile_size(const struct reap__host_run *run, size_t tile);

#endif
