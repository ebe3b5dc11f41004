/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact sums in spans on the host (docs/spans.md). A copy holds integers (kernel_table.h,
 * reduction/exact_number.h) instead of values, in planes by the values' exponents; each plane is a
 * copy of span.c's, of integers. A plane is made with its first value; values of usual magnitudes
 * have one plane. The memory of a copy's first plane is taken with the run's, that of others when
 * they are made.
 */
#ifndef REAP_HOST_EXACT_SPAN_H
#define REAP_HOST_EXACT_SPAN_H

#include "src/host/span.h"

/* The integers of a plane of this reduction's sums. */
const struct reap__reduction *reap__exact_span_numbers(const struct reap__reduction *reduction);

/* Takes a copy's memory; makes it empty. Fails with reap__scratch_check. */
void reap__exact_span_take(struct reap__host_run *run, const struct reap__host_span *span,
                           struct reap__scratch *scratch, struct reap__span *view,
                           struct reap__host_span_copy *copy);

/* Adds what still waits in a copy, once all items have run. */
void reap__exact_span_flush(struct reap__host_span_copy *copy);

/* The planes of all threads' copies of span number s become its sources, in the planes' order. */
void reap__exact_span_gather(struct reap__host_run *run, size_t s);

/* Adds what is in the sources to elements of the span's variable: of a page if copies are paged. */
void reap__exact_span_commit(const struct reap__host_span *span, size_t first, size_t count);

/* Frees the planes that were made later. */
void reap__exact_span_end(struct reap__host_span_copy *copy);

#endif
