/* SPDX-License-Identifier: Apache-2.0
 *
 * How a kernel's generated entry functions are laid out: how many threads run a row of work-items,
 * which word of the launch's block means what, how a reduction's lanes are spread over threads. The
 * generator (entry.c) and the launch (run.c) both go by this and nothing else.
 */
#ifndef REAP_DEVICE_LAYOUT_H
#define REAP_DEVICE_LAYOUT_H

#include "src/core/command.h"
#include "src/device/driver.h"

/* The first memories of a launch: scratch memory, and where results go, which the host sees. There
 * a command has some bytes: 32 for an index that was outside of a span (a flag; from byte 8 on the
 * span's number, from 16 on the index), then each scalar's result. */
enum { REAP__MEMORY_SCRATCH, REAP__MEMORY_RESULTS, REAP__MEMORIES_FIXED };
enum { REAP__OUTSIDE_BYTES = 32 };

/* Where the last group commits spans, such an index is noted in scratch memory first, so far behind
 * the counters' begin; what stands there is 0 between launches. */
enum { REAP__OUTSIDE_COUNTER = 32 };

/* Words of the block that every entry has. Offsets are bytes in the scratch memory, the first of
 * the launch's memories. */
enum {
    REAP__WORD_ITEMS,
    REAP__WORD_SIZE,                         /* of the range, three words */
    REAP__WORD_LOCAL = REAP__WORD_SIZE + 3,  /* of a group, three words */
    REAP__WORD_TILES = REAP__WORD_LOCAL + 3, /* or groups, or chunks: what this launch runs */
    REAP__WORD_FIRST,                        /* the first of them */
    REAP__WORD_CHUNK,                        /* items of a chunk (spans) */
    REAP__WORD_RESULTS,                      /* where this command's results go, in their memory */
    REAP__WORD_COUNTER,                      /* where the groups that have finished are counted */
    REAP__WORDS_FIXED
};

enum reap__span_mode {
    REAP__NO_SPANS,
    REAP__SPANS_SHARED, /* all items combine into one copy by atomic operations */
    REAP__SPANS_EXACT,  /* each chunk into replicas of its own, in the order of docs/spans.md */
    REAP__SPANS_LOGGED  /* work-groups: values go to a log, and the host combines in that order */
};

/* The words of a log: offsets of its counters and of its keys, how many values it takes, and the
 * bytes from one to the next. */
enum {
    REAP__LOG_COUNTERS,
    REAP__LOG_KEYS,
    REAP__LOG_CAPACITY,
    REAP__LOG_VALUE_BYTES,
    REAP__LOG_WORDS
};

/* What lanes, or elements, start as. */
struct reap__layout_start {
    bool in_block; /* the block has it, in so many words; else its offset in one */
    size_t word;
    size_t words;
    size_t set_word; /* whether there is a value before the first item */
};

struct reap__layout_scalar {
    size_t parameter;
    const struct reap__reduction *reduction;
    size_t size; /* of a value */
    bool has_flags;
    bool has_location;
    struct reap__layout_start start;
    size_t from_word; /* parts that a fold reads */
    size_t count_word;
    size_t to_word;     /* where this launch's parts go */
    size_t parts_word;  /* how many they are */
    size_t result_word; /* where the last one goes, in scratch memory */
    size_t delivered;   /* and then: at this place among the command's results, or */
    bool stays;         /* into the variable, which lies on the device: */
    size_t variable_memory;
    size_t location_memory;
    size_t variable_word; /* its offset, that of its location, whether it is not included */
    size_t location_word;
    size_t initialize_word;
    size_t lanes;
    size_t rows_of_lanes; /* lanes, in rows of the layout's width */
};

struct reap__layout_span {
    size_t parameter;
    const struct reap__reduction *reduction;
    bool has_flags;
    struct reap__layout_start start;
    size_t least; /* elements, or there are more; 0 or 256: bytes as indices need no look then */
    size_t count_word;
    size_t values_word;     /* offset of the copies, or of the log's values */
    size_t set_word;        /* offset of their flags */
    size_t replicas_word;   /* log2 of the replicas of a copy */
    unsigned replicas_log2; /* those of a group's own copy */
    size_t local_word;      /* offset of a group's own copy in its local memory */
    size_t variable_memory; /* where spans stay: */
    size_t variable_word;
    size_t initialize_word;
};

/* Threads that are to have room on a multiprocessor of a CUDA card together. Most kernels run there
 * in groups of the wider kind, a thread of which has two neighbouring lanes: with two such groups
 * enough loads are under way (measured on an H200 beside 256 and 1024 threads). Where several
 * reductions are folded, groups of the other kind are as fast, and each load is twice as wide. */
enum { REAP__RESIDENT_THREADS = 1024, REAP__WIDE_THREADS = 512 };

struct reap__layout {
    const struct reap_kernel *kernel;
    bool has_groups;
    bool folds_at_once; /* the last group folds the parts */
    bool has_warps;     /* 32 threads run in step, and can look at each other's values */
    unsigned dimensions;
    enum reap__span_mode mode;
    bool has_local_spans; /* shared ones: a group combines into its own copies first */
    size_t log_word;      /* logged ones: the first word of the log */
    bool spans_stay;      /* shared ones: their variables lie on the device */
    bool commits_at_once; /* the last group brings them there */
    size_t width;         /* items of a row */
    size_t threads;       /* of a group; with work-groups the most, or exactly; 0: any */
    size_t fold_threads;
    size_t words;
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

/* The bytes of a tag beside a value. */
static inline size_t reap__tag_bytes(const struct reap__layout_scalar *scalar)
{
    return scalar->has_location ? sizeof(uint64_t) : scalar->has_flags ? 1 : 0;
}

/* Where the tags of `count` values stand behind them, and what both take; multiples of 16. */
static inline size_t reap__tags_offset(size_t size, size_t count)
{
    return (size * count + 15) / 16 * 16;
}
static inline size_t reap__parts_bytes(const struct reap__layout_scalar *scalar, size_t count)
{
    return (reap__tags_offset(scalar->size, count) + reap__tag_bytes(scalar) * count + 15) / 16 *
           16;
}

/* How many parts `count` items, or parts, make. */
static inline size_t reap__blocks(const struct reap__layout_scalar *scalar, size_t count)
{
    const size_t block = scalar->lanes * REAP__ROWS_OF_A_BLOCK;
    return count / block + (count % block != 0);
}

/* Items of a tile: whole blocks of every reduction. Where there is none, a row may be any number of
 * items, and a tile is as long as elsewhere. */
static inline size_t reap__tile_items(const struct reap__layout *layout)
{
    size_t lanes = layout->width;
    if (layout->scalar_count == 0)
        return (size_t)REAP__ROWS_OF_A_BLOCK << REAP__LANES_LOG2(1);
    for (size_t s = 0; s < layout->scalar_count; s++)
        if (layout->scalars[s].lanes > lanes)
            lanes = layout->scalars[s].lanes;
    return lanes * REAP__ROWS_OF_A_BLOCK;
}

/* Fills a layout for a command on a device. The arrays' alignment is the caller's to say. */
void reap__layout_make(struct reap__layout *layout, const struct reap__accelerator *accelerator,
                       const struct reap__command *command);

/* One small scalar of one or two arrays, which leaves registers for many loads at a time. */
bool reap__layout_is_light(const struct reap__layout *layout);

/* Each group of threads has copies of the spans, of these lengths, in local memory, where there is
 * room and several items combine; and replicas of them, one beside the other, so that threads of a
 * warp seldom wait for the same bank. */
void reap__layout_place_spans(struct reap__layout *layout,
                              const struct reap__accelerator *accelerator,
                              const struct reap__command *command);

/* All spans end in their variables on the device, which may order what its groups write. */
void reap__layout_keep_spans(struct reap__layout *layout, bool orders_groups);

/* Scalar s ends in its variable, and a location, on the device. */
void reap__layout_keep(struct reap__layout *layout, size_t s);

#endif
