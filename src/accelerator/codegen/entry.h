/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of an entry, by which the files of this folder call each other.
 */
#ifndef REAP_ACCELERATOR_CODEGEN_ENTRY_H
#define REAP_ACCELERATOR_CODEGEN_ENTRY_H

#include "src/accelerator/codegen/codegen.h"

enum {
    REAP__MOST_BYTES_OF_ROWS = 128, /* of a value, of which several rows are combined at a time;
                                       beyond, REAP__IS_LARGE in the dialects */
};

/* The word of the block that counts the items of what reductions' leaves are of. */
int reap__entry_items_word(const struct reap__layout *layout);

void reap__entry_add_lanes_functions(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_add_team(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_begin_tiles(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_end_tiles(const struct reap__layout *layout, struct reap__string *into);
/* The leaf of reduction s that begins at item `first` ends, and climbs in its tile. */
void reap__entry_add_climb(const struct reap__layout *layout, size_t s, const char *first,
                           const char *indent, struct reap__string *into);
void reap__entry_add_finish(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_add_last_group(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_add_deliveries(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_add_range(const struct reap__layout *layout, struct reap__string *into);

/* Reductions of rows or columns (lines.c): the entry; reap_it becomes item reap_i of line
 * reap_line; whether a team has the lanes of scalar s in registers, in the end, and folds them
 * there. And from range.c, the rows of lanes of the leaf that begins at item reap_first, and
 * what the entry function begins with. */
void reap__entry_add_lines(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_add_item_of_line(const struct reap__layout *layout, const char *indent,
                                  struct reap__string *into);
bool reap__entry_folds_in_warp(const struct reap__layout *layout, size_t s);
void reap__entry_add_rows(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_begin_function(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_add_item_log(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_add_types(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_add_groups(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_add_fold(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_add_span(const struct reap__layout *layout, size_t s, struct reap__string *into);
/* Whether an item's last combination into a span waits for those of other items, in any span and in
 * that one; declarations of those that so many rows have; what combines them. */
bool reap__entry_spans_wait(const struct reap__layout *layout);
bool reap__entry_span_waits(const struct reap__layout *layout, size_t s);
void reap__entry_add_waiting(const struct reap__layout *layout, const char *rows,
                             struct reap__string *into);
void reap__entry_add_combinations(const struct reap__layout *layout, const char *rows,
                                  struct reap__string *into);
void reap__entry_add_own_copies(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_add_merges(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_add_commit(const struct reap__layout *layout, struct reap__string *into);

/* Logs of spans (span_logs.c): an item's begin and end; the entries that sort and fold; in the
 * entry that commits, what becomes of an element reap_e. */
bool reap__entry_is_logged(const struct reap__layout *layout, size_t s);
void reap__entry_begin_item_logs(const struct reap__layout *layout, const char *indent,
                                 struct reap__string *into);
void reap__entry_end_item_logs(const struct reap__layout *layout, const char *indent,
                               struct reap__string *into);
void reap__entry_add_logs(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_store_logged(const struct reap__layout *layout, size_t s,
                              struct reap__string *into);

/* Whether a lane of the scalar is made in scratch memory, on cards where that is memory as any
 * other (REAP__VALUE_AT in the dialects): a thread has no room for several large values. */
bool reap__entry_is_in_place(const struct reap__layout *layout, size_t s);

/* Each memory's number after the text `before`: parameters or arguments. */
void reap__entry_add_each_memory(const struct reap__layout *layout, const char *before,
                                 struct reap__string *into);

/* The memories' formal parameters; declarations of arguments and of the lanes' starts; the call of
 * the body for reap_it, with lane reap_sN of scalar N. The parameters' names are never used, only
 * their numbers. */
void reap__entry_add_memories(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_add_arguments(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_add_lanes(const struct reap__layout *layout, const char *indent,
                           struct reap__string *into);
void reap__entry_add_starts(const struct reap__layout *layout, size_t s, size_t lanes,
                            const char *indent, struct reap__string *into);
void reap__entry_add_start(const struct reap__layout_start *start, const char *type,
                           struct reap__string *into);
void reap__entry_add_item(const struct reap__layout *layout, const char *indent,
                          struct reap__string *into);
/* Places within a leaf, which begins at reap_first: their declaration before its rows, and their
 * conversion to numbers of work-items after them. */
void reap__entry_add_near_places(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_end_near_places(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_add_call(const struct reap__layout *layout, const char *indent,
                          struct reap__string *into);

/* Exact sums (sums.c): the lanes of threads, and the words of their group; places for the values of
 * so many rows, which a macro says; what an item begins with; a sum as an argument of the body; the
 * rows' values are added to the lanes; what lanes have come to goes to the words of the launch; and
 * from there, in the end, to the variable or the host, in the function reap__deliver_S. */
void reap__entry_add_words(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_begin_sums(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_add_values(const struct reap__layout *layout, const char *rows,
                            struct reap__string *into);
void reap__entry_begin_item_sums(const struct reap__layout *layout, const char *indent,
                                 struct reap__string *into);
void reap__entry_add_sum(const struct reap__layout *layout, size_t s, struct reap__string *into);
void reap__entry_add_row_sums(const struct reap__layout *layout, const char *rows,
                              struct reap__string *into);
void reap__entry_end_sums(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_deliver_sum(const struct reap__layout *layout, size_t s,
                             struct reap__string *into);
/* The same of a line: lanes go to the words of the team; these to the variable, by one thread. */
void reap__entry_flush_sums(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_store_sum(const struct reap__layout *layout, size_t s, struct reap__string *into);

/* A reduction's type, its tag's, and how many lanes a thread has of it while it runs over a range.
 */
const char *reap__entry_type(const struct reap__layout *layout, size_t s);
void reap__entry_add_tag_type(const struct reap__layout *layout, size_t s,
                              struct reap__string *into);
size_t reap__entry_lanes(const struct reap__layout *layout, size_t s);

#endif
