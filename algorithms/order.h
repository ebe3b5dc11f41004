/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions that need only the order of the elements: extremes, places, and counts.
 */
#ifndef REAP_ALGORITHMS_ORDER_H
#define REAP_ALGORITHMS_ORDER_H

#include "algorithms/keys.h"

bool reap__is_order(reap_reduction reduction);

/* Whether each row has an element that the reduction needs. */
reap_status reap__order_check(reap_queue *queue, reap_reduction reduction,
                              const struct reap__keyed *x);

/* Of rows to a result. There is at least one row. */
reap_status reap__order_reduce(reap_queue *queue, reap_reduction reduction,
                               const struct reap__keyed *x, const reap_array *result);

/* REAP_MINIMUM or REAP_MAXIMUM of the columns of matrices, on the host. */
reap_status reap__order_reduce_columns(reap_queue *queue, reap_reduction reduction, reap_type type,
                                       const struct reap__columns *columns,
                                       const reap_array *result);

#endif
