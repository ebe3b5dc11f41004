/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions with a location. A lane holds its best value and the row that it came from; what lanes
 * come to is a result: a value and the number of the work-item that has it. Whatever order pairs
 * are combined in, the answer is the same.
 */
#ifndef REAP_REDUCTION_LOCATED_H
#define REAP_REDUCTION_LOCATED_H

#include <reap/detail/kernel_table.h>

/* Lanes that have nothing yet: what they hold as their value, one of value_size bytes. */
const void *reap__location_start(const struct reap__reduction *reduction, const void *identity);

/* The most rows that lanes can tell apart. */
size_t reap__location_most_rows(const struct reap__reduction *reduction);

/* Combines so many lanes into a result. A row is as long as the reduction's are, and the first item
 * of row 0 has the number `first`. */
void reap__location_fold(const struct reap__reduction *reduction, const struct reap__lanes *lanes,
                         size_t count, uint64_t first, void *result);

/* into[i] = the better of into[i] and from[i], which are results. */
void reap__location_combine(const struct reap__reduction *reduction, void *into, const void *from,
                            size_t count);

#endif
