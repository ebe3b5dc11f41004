/* SPDX-License-Identifier: Apache-2.0
 *
 * Array reductions on the host (docs/spans.md). The work-items are cut into chunks. A chunk
 * combines into a private copy of the span, of which only the pages that it touches are ever made;
 * the chunks' copies are merged in the order of the chunks, whichever thread ran them, and the
 * touched pages at last into the caller's array.
 */
#ifndef REAP_HOST_SPAN_H
#define REAP_HOST_SPAN_H

#include "src/host/run.h"

/* Fills the span's constants for its target. */
void reap__span_plan(struct reap__host_span *span, const struct reap__target *target);

/* Takes the memory of the totals and of the slots' copies. Fails with OUT_OF_MEMORY. */
reap_status reap__span_take(struct reap__host_run *run, struct reap__scratch *scratch);

/* Before the first chunk: what elements start from. */
void reap__span_begin(struct reap__host_run *run);

/* Makes a slot's copies, which are empty, ready for a chunk. */
void reap__span_begin_chunk(struct reap__host_slot *slot);

/* Adds a slot's copies to the totals, and empties them. One thread at a time, in the order of the
 * chunks. */
void reap__span_merge(struct reap__host_slot *slot);

/* Combines the total of span number s into the caller's array. */
void reap__span_commit(const struct reap__host_run *run, size_t s);

#endif
