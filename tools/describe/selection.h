/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the numbers of requested ranks in series, exactly, by further passes (the keys that order
 * numbers are in tools/kernels/describe_part.h). A rank's span is the range of keys of its number;
 * a pass over the data divides each span into cells and counts them, or collects its numbers if
 * they are few. Spans for which a pass has no memory wait for the next one.
 */
#ifndef CLI_SELECTION_H
#define CLI_SELECTION_H

#include "tools/describe/block_source.h"
#include "tools/describe/series.h"
#include "tools/describe/sketch.h"
#include "tools/job/packet.h"

/* A range of keys from lowest to highest, which are equal once the number is found; how many
 * numbers are below the range, and in it. */
struct cli_span {
    uint64_t lowest, highest;
    uint64_t below, count;
};

struct cli_rank {
    uint64_t rank; /* from 0 */
    struct cli_span span;
};

struct cli_ranks {
    enum cli_element_type type; /* of the keys: f64 represents all floating-point types */
    size_t count;
    struct cli_rank *ranks; /* ascending */
};

struct cli_target;

struct cli_selection {
    size_t series_count;
    struct cli_ranks *series;
    size_t target_count, refined_count;
    struct cli_target *targets; /* of the pass, in the order of series and keys */
    size_t *firsts;             /* each series' first target, and the end of the last one's */
    uint64_t *lowest, *highest; /* the targets' */
};

/* Finds the initial spans of ranks from the series' sketch. */
void cli_ranks_begin(struct cli_ranks *ranks, const struct cli_summary *summary,
                     const struct cli_sketch *sketch);

/* Whether spans remain to be narrowed. */
bool cli_selection_is_open(const struct cli_selection *selection);

/* A pass: `plan` chooses the spans to narrow; `count` counts numbers in a tally; `add` adds a
 * tally; `narrow` replaces the spans, and fails if the counts show that the data have changed. */
bool cli_selection_plan(struct cli_selection *selection);
void *cli_selection_make_tally(const struct cli_selection *selection);
void cli_selection_count(const struct cli_selection *selection, void *tally, size_t series,
                         const struct cli_values *values);
void cli_selection_add(struct cli_selection *selection, const void *tally);
bool cli_selection_narrow(struct cli_selection *selection);

/* Between ranks: the spans, before `plan`. `get` replaces those of a selection with the same number
 * of series; returns false if memory runs out. */
void cli_selection_put_spans(const struct cli_selection *selection, struct cli_packet *packet);
bool cli_selection_get_spans(struct cli_selection *selection, struct cli_packet *packet);

/* Between ranks: `put` puts the results of target *at, and increments *at; returns false after the
 * last target. `get` adds results to a target. */
bool cli_selection_put_target(const struct cli_selection *selection, size_t *at,
                              struct cli_packet *packet);
void cli_selection_get_target(struct cli_selection *selection, size_t at,
                              struct cli_packet *packet);
void cli_selection_free_pass(struct cli_selection *selection);

#endif
