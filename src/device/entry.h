/* SPDX-License-Identifier: Apache-2.0
 *
 * The entry functions that a device runs a kernel by, generated from the kernel's parameters in the
 * words of the dialect headers (include/reap/opencl/base.h, cuda/base.h).
 */
#ifndef REAP_DEVICE_ENTRY_H
#define REAP_DEVICE_ENTRY_H

#include "src/device/layout.h"
#include "src/device/text.h"

/* Their names, ending in NULL: the entry; reap_commit where spans stay on the device; reap_fold and
 * reap_deliver where the entry does not fold at once. */
void reap__entry_names(const struct reap__layout *layout,
                       const char *names[REAP__MOST_ENTRIES + 1]);

/* What stands before the dialect's header: which parts of it the text needs. */
void reap__entry_add_prologue(const struct reap__layout *layout,
                              const struct reap__accelerator *accelerator, struct reap__text *into);

/* What stands behind the kernel's file: reap_entry, which runs the work-items and leaves a part for
 * each block of each reduction, and reap_fold, which makes fewer parts of them. */
void reap__entry_generate(const struct reap__layout *layout, struct reap__text *into);

/* Pieces of them (entry_parts.c, entry_joint.c, entry_warps.c, entry_results.c, entry_groups.c,
 * entry_range.c, entry_spans.c). */
enum {
    REAP__MOST_BYTES_AT_ONCE = 16,  /* of a value, of which a thread folds eight at a time */
    REAP__MOST_BYTES_OF_ROWS = 128, /* of a value, of which several rows are combined at a time;
                                       beyond, REAP__IS_LARGE in the dialects */
};
bool reap__entry_is_joint(const struct reap__layout *layout);
size_t reap__entry_joint_words(const struct reap__layout *layout);
/* In units of 64 bytes: where the lanes of scalar s stand; for their number, the end. */
size_t reap__entry_place(const struct reap__layout *layout, size_t s);
bool reap__entry_has_warp_folds(const struct reap__layout *layout);
/* How many groups a multiprocessor has at a time that stay and take tile after tile; 0: there are
 * as many as tiles, or as the launch says. */
size_t reap__entry_groups_beside(const struct reap__layout *layout);
/* How many tiles' lanes wait in local memory to be folded together. */
size_t reap__entry_waiting_tiles(const struct reap__layout *layout);
void reap__entry_begin_tiles(const struct reap__layout *layout, struct reap__text *into);
void reap__entry_add_warp_folds(const struct reap__layout *layout, struct reap__text *into);
void reap__entry_add_warp_ends(const struct reap__layout *layout, struct reap__text *into);
void reap__entry_add_warp_results(const struct reap__layout *layout, struct reap__text *into);
void reap__entry_add_joint(const struct reap__layout *layout, struct reap__text *into);
void reap__entry_add_joint_fold(const struct reap__layout *layout, struct reap__text *into);
void reap__entry_add_joint_end(const struct reap__layout *layout, struct reap__text *into);
void reap__entry_add_deliveries(const struct reap__layout *layout, struct reap__text *into);
void reap__entry_add_olds(const struct reap__layout *layout, struct reap__text *into);
void reap__entry_add_delivery(const struct reap__layout *layout, size_t s, const char *value,
                              const char *tag, struct reap__text *into);
void reap__entry_add_all_deliveries(const struct reap__layout *layout, struct reap__text *into);
void reap__entry_add_parts(const struct reap__layout *layout, struct reap__text *into);
void reap__entry_add_range(const struct reap__layout *layout, struct reap__text *into);
void reap__entry_add_groups(const struct reap__layout *layout, struct reap__text *into);
void reap__entry_add_span(const struct reap__layout *layout, size_t s, struct reap__text *into);
/* Whether an item's last combination into a span waits for those of other items; declarations of
 * those that so many rows have; what combines them. */
bool reap__entry_spans_wait(const struct reap__layout *layout);
void reap__entry_add_waiting(const struct reap__layout *layout, const char *rows,
                             struct reap__text *into);
void reap__entry_add_combinations(const struct reap__layout *layout, const char *rows,
                                  struct reap__text *into);
void reap__entry_add_own_copies(const struct reap__layout *layout, struct reap__text *into);
void reap__entry_add_merges(const struct reap__layout *layout, struct reap__text *into);
void reap__entry_add_commit(const struct reap__layout *layout, struct reap__text *into);
void reap__entry_add_chunks(const struct reap__layout *layout, struct reap__text *into);

/* Whether a lane of the scalar is made where it becomes a part, on cards where that is memory as
 * any other (REAP__VALUE_AT in the dialects): a thread has no room for several large values. */
bool reap__entry_is_in_place(const struct reap__layout *layout, size_t s);

/* Each memory's number behind what stands `before` it: parameters or arguments. */
void reap__entry_add_each_memory(const struct reap__layout *layout, const char *before,
                                 struct reap__text *into);

/* The memories' formal parameters; declarations of arguments and of the lanes' starts; the call of
 * the body for reap_it, with lane reap_sN of scalar N. The parameters' names are never used, only
 * their numbers. */
void reap__entry_add_memories(const struct reap__layout *layout, struct reap__text *into);
void reap__entry_add_arguments(const struct reap__layout *layout, struct reap__text *into);
void reap__entry_add_lanes(const struct reap__layout *layout, const char *indent,
                           struct reap__text *into);
void reap__entry_add_starts(const struct reap__layout *layout, size_t s, const char *indent,
                            struct reap__text *into);
void reap__entry_add_start(const struct reap__layout_start *start, const char *type,
                           struct reap__text *into);
void reap__entry_add_item(const struct reap__layout *layout, const char *indent,
                          struct reap__text *into);
void reap__entry_add_call(const struct reap__layout *layout, const char *indent,
                          struct reap__text *into);

/* A reduction's type, its tag's, and how many lanes a thread has of it. */
const char *reap__entry_type(const struct reap__layout *layout, size_t s);
void reap__entry_add_tag_type(const struct reap__layout *layout, size_t s, struct reap__text *into);
size_t reap__entry_lanes(const struct reap__layout *layout, size_t s);

#endif
