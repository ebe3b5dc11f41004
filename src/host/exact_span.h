/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact sums in spans on the host (docs/spans.md). A copy holds integers (kernel_table.h,
 * reduction/exact_number.h) instead of values, in planes by the exponents of the values; each plane
 * is a copy of span.c, with integers as elements. A plane is created with its first value; values
 * of usual magnitudes need one plane. The memory of a copy's first plane is taken with the run's,
 * that of others when they are created.
 */
#ifndef REAP_HOST_EXACT_SPAN_H
#define REAP_HOST_EXACT_SPAN_H

#include "src/host/span.h"

/* Returns the reduction of integers that is used for the planes of this reduction. */
const struct reap__reduction *reap__exact_span_numbers(const struct reap__reduction *reduction);

/* Takes the memory of a copy, which is then empty. Without memory reap__scratch_check fails. */
void reap__exact_span_take(struct reap__host_run *run, const struct reap__host_span *span,
                           struct reap__scratch *scratch, struct reap__span *view,
                           struct reap__host_span_copy *copy);

/* Adds the values that still wait in a copy. Call it after all items have run. */
void reap__exact_span_flush(struct reap__host_span_copy *copy);

/* Makes the planes of all threads' copies of span number s its sources, in the order of the
 * planes. */
void reap__exact_span_gather(struct reap__host_run *run, size_t s);

/* Adds the sources to `count` elements of the span's variable: of one page if copies are paged. */
void reap__exact_span_commit(const struct reap__host_span *span, size_t first, size_t count);

/* Frees the planes that were allocated. */
void reap__exact_span_end(struct reap__host_span_copy *copy);

#endif
