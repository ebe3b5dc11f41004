/* SPDX-License-Identifier: Apache-2.0
 *
 * Array reductions on the host (docs/spans.md). If the order of the values determines the bits of
 * the result, work-items are divided into chunks. A chunk combines into a private copy of the span,
 * of which only the pages that it uses are created. The copies are merged in the order of the
 * chunks, whichever threads ran them, and finally their pages are combined with the caller's array.
 * If every order has the same result, as with integers, each thread has one copy for all its work.
 */
#ifndef REAP_HOST_SPAN_H
#define REAP_HOST_SPAN_H

#include "src/host/run.h"

/* Plans the spans: sets their constants by the command's targets, and whether they are merged in
 * order. */
void reap__span_plan(struct reap__host_run *run);

/* Returns the number of elements of the longest span. */
size_t reap__span_longest(const struct reap__host_run *run);

/* Returns how many of `threads` threads are faster with copies of their own. */
size_t reap__span_threads(const struct reap__host_run *run, size_t threads);

/* Takes the memory of the totals and of the slots' copies. Fails with REAP_ERROR_OUT_OF_MEMORY. */
reap_status reap__span_take(struct reap__host_run *run, struct reap__scratch *scratch);

/* Computes the values that elements start with. Call it before the first unit. */
void reap__span_begin(struct reap__host_run *run);

/* Initialises a slot's copies, unless they are: for a chunk, or for all units of a thread. */
void reap__span_begin_slot(struct reap__host_slot *slot);

/* Spans that are merged in order: merges a slot's copies into the totals, and empties them. One
 * thread at a time, in the order of the chunks. */
void reap__span_merge(struct reap__host_slot *slot);

/* Adds the values that still wait in copies of exact sums, which also finds indices outside. Call
 * it after all items have run. */
void reap__span_flush(const struct reap__host_run *run);

/* Commit: combine the totals, or the copies of all threads, with the callers' arrays. One thread
 * begins it; this returns the number of parts. Different threads may commit different parts. Cannot
 * fail. */
size_t reap__span_begin_commit(struct reap__host_run *run);
void reap__span_commit(const struct reap__host_run *run, size_t part);

/* Frees the planes of exact sums that were allocated while items ran. */
void reap__span_end(const struct reap__host_run *run);

/* ---- One copy ---------------------------------------------------------------------------------*/

/* Returns the bytes of a copy; takes them from `scratch`; initialises the copy. */
size_t reap__span_copy_bytes(const struct reap__host_span *span);
void reap__span_copy_take(struct reap__host_run *run, const struct reap__host_span *span,
                          struct reap__scratch *scratch, struct reap__span *view,
                          struct reap__host_span_copy *copy);
void reap__span_copy_begin(struct reap__host_span_copy *copy);

/* Returns replica 0 of the page in a slot. The replicas of a page are contiguous. */
struct reap__results reap__span_slot_at(const struct reap__host_span_copy *copy, size_t slot);

/* Sets *results to replica 0 of the elements from `first` on; in a paged copy they end with the
 * page. Returns false if the page does not exist. */
bool reap__span_source_at(const struct reap__host_span_copy *copy, size_t first,
                          struct reap__results *results);

/* Members of a copy's view: creates a page and returns its slot; reports an index that is outside
 * the span. */
size_t reap__span_make_page(void *owner, size_t page);
size_t reap__span_outside(void *owner, size_t index);

#endif
