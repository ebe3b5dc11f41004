/* SPDX-License-Identifier: Apache-2.0
 *
 * The layout of a kernel's entries: how many threads run a row of work-items, the positions in the
 * parameter block, how a reduction's lanes are distributed over threads. Code generation
 * (codegen.c) and launches (runtime/run.c) use it.
 */
#ifndef REAP_ACCELERATOR_CODEGEN_LAYOUT_H
#define REAP_ACCELERATOR_CODEGEN_LAYOUT_H

#include "src/accelerator/driver.h"
#include "src/core/checked_launch.h"

/* The first memories of a launch: the scratch buffer, and the results, which the host can read. The
 * results of a command begin with 32 bytes for an index outside of a span (a flag; from byte 8 on
 * the span's number, from 16 on the index); each scalar's result follows. */
enum { REAP__MEMORY_SCRATCH, REAP__MEMORY_RESULTS, REAP__MEMORIES_FIXED };
enum { REAP__OUTSIDE_BYTES = 32 };

/* If the last group commits spans, such an index is first noted in the scratch buffer, at this
 * offset from the counters; it is 0 between launches. */
enum { REAP__OUTSIDE_COUNTER = 32 };

/* Offset from the counters of those for bundles: the number of finished tiles of each bundle, for
 * each scalar; a kernel with bundles has at most REAP__MOST_BUNDLED scalars. */
enum { REAP__BUNDLE_COUNTERS = 64, REAP__MOST_BUNDLED = 8 };

/* Offset from the counters of the words of exact sums (kernel_table.h), by the number of the
 * scalar; they are 0 between launches. */
enum {
    REAP__SUMS_COUNTERS = REAP__BUNDLE_COUNTERS + 4 * 256 * REAP__MOST_BUNDLED,
    REAP__SUM_BYTES = 576
};
_Static_assert(8 * REAP__EXACT_WORDS(8) <= REAP__SUM_BYTES, "");

/* Words of the parameter block that every entry has. Offsets are in bytes, in the scratch buffer.
 */
enum {
    REAP__WORD_ITEMS,
    REAP__WORD_SIZE,                         /* of the range, three words */
    REAP__WORD_LOCAL = REAP__WORD_SIZE + 3,  /* of a group, three words */
    REAP__WORD_TILES = REAP__WORD_LOCAL + 3, /* how many tiles, or work-groups, this launch runs */
    REAP__WORD_FIRST,                        /* the number of the first one */
    REAP__WORD_TILE_ITEMS,                   /* items of a tile */
    REAP__WORD_NODES,      /* how many nodes the last group combines: of tiles, or of bundles */
    REAP__WORD_NODE_ITEMS, /* items of such a node */
    REAP__WORD_LEVELS,     /* of nodes in a tile, above the largest leaves */
    REAP__WORD_TILE_LOG2,  /* log2 of a tile's largest leaves; without scalars, of its rows */
    REAP__WORD_HAS_BUNDLES,
    REAP__WORD_TILE_NODES, /* index of the first tile's node, after those of bundles */
    REAP__WORD_IS_ROOT,    /* whether there is one tile, whose node is the root */
    REAP__WORD_TEAMS,      /* lines: how many teams of a group have a line at a time */
    REAP__WORD_PARTS,      /* work-groups of the command */
    REAP__WORD_RESULTS,    /* offset of this command's results in their memory */
    REAP__WORD_COUNTER,    /* offset of the counters; the first counts finished groups */
    REAP__WORD_START,  /* the first item, or work-group, of the range that this launch runs. This
                          word and the next one exist if has_start. */
    REAP__WORD_STRIDE, /* from an item to the next one */
    REAP__WORDS_FIXED
};

enum reap__span_mode {
    REAP__NO_SPANS,
    REAP__SPANS_SHARED, /* all items combine into one copy by atomic operations */
    REAP__SPANS_LOGGED  /* values go to a log, which is sorted, in the order of docs/spans.md */
};

/* The words of logs: the offset of the first span's plan; the offset of the pass of a launch that
 * sorts, or the number of the span that is folded; the step. */
enum { REAP__LOG_PLANS, REAP__LOG_PASS, REAP__LOG_STEP, REAP__LOG_WORDS };

/* In these structures, a member `..._word` is the index of a word of the parameter block; its
 * comment says what the word holds. */

/* The start value of lanes, or of a span's elements. */
struct reap__layout_start {
    bool in_block; /* the value is in `words` words of the block; otherwise `word` has its offset */
    size_t word;
    size_t words;
    size_t set_word; /* whether there is a start value */
};

struct reap__layout_scalar {
    size_t parameter;
    const struct reap__reduction *reduction;
    size_t size; /* of a value */
    bool has_flags;
    bool has_location;
    bool is_exact; /* threads have lanes of another form (sums.c); those of the tree stay -0 */
    struct reap__layout_start start;
    size_t parts_word; /* offset in the scratch buffer of work-groups' results, */
    size_t nodes_word; /* of the nodes of tiles, the first of which becomes the root, */
    size_t slots_word; /* and of nodes within a tile that wait for the node to their right */
    size_t delivered;  /* unless is_resident: offset of the result among the command's results */
    bool is_resident;  /* the device stores the result into the variable, in its own memory */
    size_t variable_memory; /* these five: if is_resident */
    size_t location_memory;
    size_t variable_word;   /* offset in variable_memory */
    size_t location_word;   /* offset in location_memory */
    size_t initialize_word; /* whether the variable's old value is left out */
    size_t lanes;
    size_t rows_of_lanes; /* lanes divided by the layout's width */
    size_t leaves_log2;   /* log2 of how many of its leaves make one of the layout's */
};

struct reap__layout_span {
    size_t parameter;
    const struct reap__reduction *reduction;
    bool has_flags;
    bool is_exact; /* has words in scratch memory, whatever the mode */
    struct reap__layout_start start;
    size_t least; /* the count is at least this: 0; or 256, so that 8-bit indices need no check */
    size_t count_word;
    size_t values_word;     /* offset of the copy, or of the log's values */
    size_t replicas_word;   /* log2 of the replicas of a copy */
    unsigned replicas_log2; /* those of a group's own copy */
    size_t local_word;      /* offset of a group's own copy in its local memory */
    size_t variable_memory; /* this and the next two: if spans_are_resident or reap__is_committed */
    size_t variable_word;
    size_t initialize_word;
    size_t identity_word; /* exact spans: the identity, of at most 8 bytes */
    size_t capacity_word; /* exact spans: the number of slots if sparse, otherwise 0 */
    size_t table_word;    /* exact spans: offset of the number of slots taken; the table follows */
};
enum { REAP__TABLE_OFFSET = 64 };

/* Threads that a multiprocessor of a CUDA card must be able to run together: with two groups of
 * 256, each thread of which loads 256 bytes at a time, enough loads are in flight. */
enum { REAP__RESIDENT_THREADS = 512 };

struct reap__layout {
    const struct reap_kernel *kernel;
    bool has_groups;
    bool delivers_rows; /* the root's lanes are delivered, not a result, for parts of reductions */
    bool logs_items;    /* items' values are delivered, one by one (item_log.c) */
    bool has_start;     /* the launch may begin after item 0 of the range */
    bool has_stride; /* consecutive items of the launch are REAP__WORD_STRIDE apart in the range */
    bool has_lines;  /* reductions of rows or columns: a tile is one of them (lines.c) */
    bool has_columns;
    bool folds_at_once; /* the last group combines the nodes to the root, and delivers the result */
    bool has_warps;     /* 32 consecutive threads can read each other's values */
    unsigned dimensions;
    enum reap__span_mode mode;
    bool has_exact_spans;
    bool has_local_spans; /* SPANS_SHARED: a group combines into its own copies first */
    bool has_span_cache;  /* SPANS_SHARED: a group combines some elements in local memory first */
    bool counts_epochs;   /* items count barriers, if the order matters (span_log.h) */
    size_t log_word;      /* SPANS_LOGGED: the first of the words of logs */
    size_t sort_threads;  /* of a group that sorts or folds logs */
    bool spans_are_resident; /* their variables are in the device's memory */
    bool commits_at_once;    /* the last group combines totals with the variables */
    size_t width;            /* items of a row */
    size_t threads;          /* of a group; of a work-group the most, or the exact number; 0: any */
    size_t team_threads;     /* a team takes a leaf, and its threads neighbouring items of a row */
    size_t teams;            /* of a group that runs over a range */
    size_t fold_threads;     /* team_threads * teams; also of groups that combine groups' values, or
                                nodes */
    bool gathers;            /* teams take adjacent leaves, which are combined in local memory */
    bool has_near_places;    /* bodies get locations relative to the leaf, in 32 bits */
    bool bundles;            /* the warp that ends the last tile of a bundle combines its nodes */
    size_t leaf_items;       /* the largest leaf's */
    size_t words;
    size_t max_parameter_bytes;                  /* the device's */
    size_t word_of[REAP__MOST_PARAMETERS + 1];   /* arrays, values, local memory */
    size_t memory_of[REAP__MOST_PARAMETERS + 1]; /* arrays */
    bool is_aligned[REAP__MOST_PARAMETERS + 1];  /* arrays: at 16 bytes */
    size_t memories;
    size_t results_bytes;
    size_t scalar_count;
    size_t span_count;
    struct reap__layout_scalar scalars[REAP__MOST_PARAMETERS];
    struct reap__layout_span spans[REAP__MOST_PARAMETERS];
};

/* Whether the parameters of an entry are too large for the device: then the block is in the scratch
 * buffer, and its offset is passed. The local memory of a group is a parameter, too. */
static inline bool reap__block_is_in_memory(const struct reap__layout *layout)
{
    return (layout->words + layout->memories + 1) * sizeof(uint64_t) > layout->max_parameter_bytes;
}

/* The bytes of a value's tag: its location, its flag, or nothing. */
static inline size_t reap__tag_bytes(const struct reap__layout_scalar *scalar)
{
    return scalar->has_location ? sizeof(uint64_t) : scalar->has_flags ? 1 : 0;
}

/* The offset of the tags of `count` values, and the size of both; multiples of 16. */
static inline size_t reap__tags_offset(size_t size, size_t count)
{
    return (size * count + 15) / 16 * 16;
}
static inline size_t reap__parts_bytes(const struct reap__layout_scalar *scalar, size_t count)
{
    return (reap__tags_offset(scalar->size, count) + reap__tag_bytes(scalar) * count + 15) / 16 *
           16;
}

/* The bytes of a result among the command's results. */
static inline size_t reap__delivered_bytes(const struct reap__layout_scalar *scalar)
{
    return scalar->is_exact ? REAP__SUM_BYTES : reap__parts_bytes(scalar, 1);
}

/* A node's bytes. */
static inline size_t reap__row_bytes(const struct reap__layout_scalar *scalar)
{
    return reap__parts_bytes(scalar, scalar->lanes);
}

/* The most bytes of a group's cache of spans. Devices with little local memory have none. */
enum { REAP__SPAN_CACHE_BYTES = 8 << 10 };

/* The slots of a tile with at most this many levels are in local memory, if a pointer of the
 * dialect can point to local and to global memory. As in the scratch buffer, an unused row precedes
 * the first. */
enum { REAP__SLOTS_BESIDE = 3 };

/* The most tiles of a launch: about as many as groups that a large card runs at a time, each of
 * which has one or two tiles; one group combines that many nodes in a short time. */
enum { REAP__MOST_TILES = 256 };
_Static_assert(REAP__BUNDLE_COUNTERS + 4 * REAP__MOST_TILES * REAP__MOST_BUNDLED <=
                   REAP__SUMS_COUNTERS,
               "");

/* Log2 of the tiles of a bundle, and of the least size of a bundled tile in units of what the teams
 * of a group take at a time. Larger tiles leave groups idle at the end of a launch; smaller ones
 * cost a node, a counter and a barrier more often. */
enum { REAP__BUNDLE_LOG2 = 4, REAP__BUNDLED_TILE_LOG2 = 3 };

/* REAP__MOST_TILES; tests make it less. */
extern size_t reap__most_tiles;

/* How many rows a thread loads before it combines them: a power of two. */
size_t reap__rows_at_once(const struct reap__layout *layout);

/* The items of the smallest tile: the leaves that a group's teams take at a time. Without scalars a
 * tile may have any length; this is its length in long ranges. */
enum { REAP__PLAIN_WIDTH = 1024, REAP__PLAIN_ROWS = 32 };
static inline size_t reap__least_tile(const struct reap__layout *layout)
{
    if (layout->scalar_count == 0)
        return (size_t)REAP__PLAIN_WIDTH * REAP__PLAIN_ROWS;
    return layout->leaf_items * (layout->gathers ? layout->teams : 1);
}

/* Fills a layout for a command on a device, except is_aligned, which the caller sets. */
void reap__layout_make(struct reap__layout *layout, const struct reap__accelerator *accelerator,
                       const struct reap__launch *command);

/* The offset of the node of scalar s among a team's nodes in local memory, in units of 64 bytes;
 * for s = scalar_count, the size of these nodes. */
size_t reap__layout_place(const struct reap__layout *layout, size_t s);

/* The number of nodes, each of all scalars, that a group has in local memory: two for each team,
 * the root, slots. */
size_t reap__layout_rows_beside(const struct reap__layout *layout);

/* Decides whether each group of threads has copies of the command's spans in local memory: if they
 * fit, and the order of combinations does not matter. An element's replicas are adjacent, so
 * threads of a warp seldom wait for the same bank. */
void reap__layout_place_spans(struct reap__layout *layout,
                              const struct reap__accelerator *accelerator,
                              const struct reap__launch *command);

/* The most values of an item that are logged: REAP__MOST_LOGGED in detail/device/operators.h, or 1
 * for a reduction with a location. The bytes of the values of `items` items, which their counts
 * follow. */
static inline size_t reap__most_logged(const struct reap__layout_scalar *scalar)
{
    return scalar->has_location ? 1 : scalar->size <= 16 ? 16 : scalar->size <= 1024 ? 4 : 2;
}
static inline size_t reap__logged_bytes(const struct reap__layout_scalar *scalar, size_t items)
{
    return (items * reap__most_logged(scalar) * scalar->size + 63) / 64 * 64;
}

/* Whether the device combines a span's total with its variable, or with a copy of it. */
static inline bool reap__is_committed(const struct reap__layout *layout, size_t s)
{
    return layout->spans[s].is_exact || layout->mode == REAP__SPANS_LOGGED;
}

/* Whether a separate entry does that (reap_commit). */
static inline bool reap__has_commit(const struct reap__layout *layout)
{
    return (layout->spans_are_resident && !layout->commits_at_once) || layout->has_exact_spans ||
           layout->mode == REAP__SPANS_LOGGED;
}

/* Completes a layout for spans whose variables are all resident. `orders_groups` is struct
 * reap__accelerator's. */
void reap__layout_keep_spans(struct reap__layout *layout, bool orders_groups);

/* Completes it for spans that are not: those that are committed have copies of their variables, in
 * the scratch buffer. */
void reap__layout_copy_spans(struct reap__layout *layout);

/* Completes it for a scalar s whose variable, and its location, are resident. */
void reap__layout_keep(struct reap__layout *layout, size_t s);

#endif
