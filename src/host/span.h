/* SPDX-License-Identifier: Apache-2.0
 *
 * Array reductions on the host (docs/spans.md). Where the order shows in the bits, the work-items
 * are cut into chunks. A chunk combines into a private copy of the span, of which only the pages
 * that it touches are ever made; the chunks' copies are merged in the order of the chunks,
 * whichever thread ran them, and finally the touched pages into the caller's array. Where any
 * order results in the same bits, as with integers, each thread has one copy for all its work.
 */
#ifndef REAP_HOST_SPAN_H
#define REAP_HOST_SPAN_H

#include "src/host/run.h"

/* Fills in the spans' constants, for the command's targets, and whether they are merged in order.
 */
void reap__span_plan(struct reap__host_run *run);

/* The elements of the longest span. */
size_t reap__span_longest(const struct reap__host_run *run);

/* How many of so many threads are worth copies of their own. */
size_t reap__span_threads(const struct reap__host_run *run, size_t threads);

/* Takes the memory of the totals and of the slots' copies. Fails with REAP_ERROR_OUT_OF_MEMORY. */
reap_status reap__span_take(struct reap__host_run *run, struct reap__scratch *scratch);

/* Before the first chunk: what elements start from. */
void reap__span_begin(struct reap__host_run *run);

/* Makes a slot's copies, where they are empty, ready for a chunk, or for all that a thread does. */
void reap__span_begin_slot(struct reap__host_slot *slot);

/* Where the order of the chunks shows: adds a slot's copies of a chunk to the totals, and empties
 * them. One thread at a time, in that order. */
void reap__span_merge(struct reap__host_slot *slot);

/* Once all items have run: their last values are added, and indices outside found. */
void reap__span_flush(const struct reap__host_run *run);

/* Combines what has been gathered in the totals, or in the copies of all threads, into the callers'
 * arrays. It is begun by one thread, which learns how many parts it has; different threads may
 * commit different parts. Nothing of it can fail. */
size_t reap__span_begin_commit(struct reap__host_run *run);
void reap__span_commit(const struct reap__host_run *run, size_t part);

/* Releases what copies have taken while they were in use. */
void reap__span_end(const struct reap__host_run *run);

/* ---- One copy ---------------------------------------------------------------------------------*/

/* Takes its memory, which is so many bytes; makes it ready. */
size_t reap__span_copy_bytes(const struct reap__host_span *span);
void reap__span_copy_take(struct reap__host_run *run, const struct reap__host_span *span,
                          struct reap__scratch *scratch, struct reap__span *view,
                          struct reap__host_span_copy *copy);
void reap__span_copy_begin(struct reap__host_span_copy *copy);

/* Replica 0 of the page at a place: all replicas of a page stand together. */
struct reap__results reap__span_slot_at(const struct reap__host_span_copy *copy, size_t place);

/* Replica 0 of its elements from `first` on, to the end of the page if it is paged. Returns whether
 * there are any. */
bool reap__span_source_at(const struct reap__host_span_copy *copy, size_t first,
                          struct reap__results *results);

/* Members of its view: makes a page, returns its place; reports an index. */
size_t reap__span_make_page(void *owner, size_t page);
size_t reap__span_outside(void *owner, size_t index);

#endif
