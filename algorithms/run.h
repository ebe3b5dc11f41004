/* SPDX-License-Identifier: Apache-2.0
 *
 * The reductions of elements that follow each other, for each type of elements: what a launch of a
 * kernel of elements.kernels.h leaves in its variables becomes one value.
 */
#ifndef REAP_ALGORITHMS_RUN_H
#define REAP_ALGORITHMS_RUN_H

#include "algorithms/array.h"

/* One value of a result. */
union reap__value {
    int64_t of_int64;
    uint64_t of_uint64;
    float of_float;
    double of_double;
    unsigned char bytes[8]; /* of a minimum or maximum of another type */
};

/* The sums of powers of the differences from `origin`. */
struct reap__powers {
    double origin, sum, squares, cubes, fourths;
};

/* Of each type. There is at least one element where the reduction needs one. */
struct reap__run {
    reap_status (*reduce)(reap_queue *queue, reap_reduction reduction, const void *x, size_t count,
                          union reap__value *value);
    reap_status (*sum_rows)(reap_queue *queue, const struct reap__rows *rows, void *sums);
    reap_status (*sum_columns)(reap_queue *queue, const struct reap__columns *columns, void *sums);
    reap_status (*dot)(reap_queue *queue, const void *x, const void *y, size_t count,
                       union reap__value *value);
    reap_status (*powers)(reap_queue *queue, const void *x, size_t count,
                          struct reap__powers *powers);
};

const struct reap__run *reap__run_of(reap_type type);

#endif
