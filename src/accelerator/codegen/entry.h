/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that the files of this folder share. Most append a part of an entry's text to `into`,
 * indented by `indent`. reap_NAME in a comment is a name in the generated text.
 */
#ifndef REAP_ACCELERATOR_CODEGEN_ENTRY_H
#define REAP_ACCELERATOR_CODEGEN_ENTRY_H

#include "src/accelerator/codegen/codegen.h"

enum {
    REAP__MOST_BYTES_OF_ROWS = 128, /* the largest values of which several rows are loaded at a
                                       time; larger ones are REAP__IS_LARGE in the dialects */
};

/* The word of the parameter block with the number of items that leaves consist of: work-items, or
 * work-groups. */
int reap__entry_items_word(const struct reap__layout *layout);

void reap__entry_add_lanes_functions(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_add_team(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_begin_tiles(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_end_tiles(const struct reap__layout *layout, struct reap__string *into);
/* At the end of the leaf of reduction s that begins at item `first`: combines it with finished
 * nodes of its tile. */
void reap__entry_add_climb(const struct reap__layout *layout, size_t s, const char *first,
                           const char *indent, struct reap__string *into);
void reap__entry_add_finish(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_add_last_group(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_add_deliveries(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_add_range(const struct reap__layout *layout, struct reap__string *into);

/* Reductions of rows or columns. lines.c: the entry; setting reap_it to item reap_i of line
 * reap_line; whether a team finally has the lanes of scalar s in registers, and folds them there.
 * range.c: the rows of the leaf that begins at item reap_first; the begin of the entry function. */
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
/* Whether an item's last combination into a span is deferred until those of other items are made,
 * for any span, or for span s; the declarations of the deferred values of `rows` rows; the code
 * that combines them. */
bool reap__entry_spans_defer(const struct reap__layout *layout);
bool reap__entry_span_defers(const struct reap__layout *layout, size_t s);
void reap__entry_add_deferred(const struct reap__layout *layout, const char *rows,
                              struct reap__string *into);
void reap__entry_add_combinations(const struct reap__layout *layout, const char *rows,
                                  struct reap__string *into);
void reap__entry_add_own_copies(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_add_merges(const struct reap__layout *layout, struct reap__string *into);
/* A group's cache of elements: how many it has of each span; its declarations, and the code that
 * combines its elements into the launch's copies. */
size_t reap__entry_cached(const struct reap__layout *layout);
void reap__entry_add_cache(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_empty_cache(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_add_commit(const struct reap__layout *layout, struct reap__string *into);

/* Logs of spans (span_logs.c): the code before and after an item; the entries that sort and fold;
 * in the entry that commits, the code that stores element reap_e. */
bool reap__entry_is_logged(const struct reap__layout *layout, size_t s);
void reap__entry_begin_item_logs(const struct reap__layout *layout, const char *indent,
                                 struct reap__string *into);
void reap__entry_end_item_logs(const struct reap__layout *layout, const char *indent,
                               struct reap__string *into);
void reap__entry_add_logs(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_store_logged(const struct reap__layout *layout, size_t s,
                              struct reap__string *into);

/* Whether lanes of the scalar are in scratch memory instead of registers, on cards (REAP__VALUE_AT
 * in the dialects): a thread has not enough registers for several large values. */
bool reap__entry_is_in_place(const struct reap__layout *layout, size_t s);

/* A list of the memories, each as the text `before` and its number: parameters or arguments. */
void reap__entry_add_each_memory(const struct reap__layout *layout, const char *before,
                                 struct reap__string *into);

/* The begin of the formal parameters: the block, or its offset, and the memories; declarations of
 * arguments and of the lanes' start values; the call of the body for reap_it, with lane reap_sN of
 * scalar N. Parameters have numbers in the text, since their names could be macros. */
void reap__entry_add_parameters(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_add_arguments(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_add_lanes(const struct reap__layout *layout, const char *indent,
                           struct reap__string *into);
void reap__entry_add_starts(const struct reap__layout *layout, size_t s, size_t lanes,
                            const char *indent, struct reap__string *into);
void reap__entry_add_start(const struct reap__layout_start *start, const char *type,
                           struct reap__string *into);
void reap__entry_add_item(const struct reap__layout *layout, const char *indent,
                          struct reap__string *into);
/* Locations relative to the leaf, which begins at reap_first: their declaration before its rows,
 * and after them their conversion to numbers of work-items. */
void reap__entry_add_near_places(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_end_near_places(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_add_call(const struct reap__layout *layout, const char *indent,
                          struct reap__string *into);

/* Exact sums (sums.c), in the order of the text: the words of a group; the lanes of threads;
 * variables for the values of `rows` rows (a macro's name); the begin of an item; a sum as an
 * argument of the body; adding the rows' values to the lanes; adding the lanes to the words of the
 * launch; the function reap__deliver_S, which brings these to the variable or to the host. */
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
/* For a line: adding the lanes to the words of the team; storing these, by one thread. */
void reap__entry_flush_sums(const struct reap__layout *layout, struct reap__string *into);
void reap__entry_store_sum(const struct reap__layout *layout, size_t s, struct reap__string *into);

/* A reduction's type, its tag's type, and the number of its lanes that a thread has while it runs
 * over a range. */
const char *reap__entry_type(const struct reap__layout *layout, size_t s);
void reap__entry_add_tag_type(const struct reap__layout *layout, size_t s,
                              struct reap__string *into);
size_t reap__entry_lanes(const struct reap__layout *layout, size_t s);

#endif
