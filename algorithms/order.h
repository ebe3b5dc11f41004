/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions that need only the order of the elements: extremes, locations, and counts. The
 * functions wait.
 */
#ifndef REAP_ALGORITHMS_ORDER_H
#define REAP_ALGORITHMS_ORDER_H

#include "algorithms/keys.h"

bool reap__is_order(reap_reduction reduction);

/* Fails with REAP_ERROR_INVALID_ARGUMENT if the reduction needs an element and a row has no
 * selected one. */
reap_status reap__order_check(reap_queue *queue, reap_reduction reduction,
                              const struct reap__keyed *x);

/* Reduces each row to an element of the result. There is at least one row. */
reap_status reap__order_reduce(reap_queue *queue, reap_reduction reduction,
                               const struct reap__keyed *x, const reap_array *result);

/* REAP_MINIMUM or REAP_MAXIMUM of the columns of matrices, on the host. */
reap_status reap__order_reduce_columns(reap_queue *queue, reap_reduction reduction, reap_type type,
                                       const struct reap__columns *columns,
                                       const reap_array *result);

#endif
