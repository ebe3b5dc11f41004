/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums of rows, all in one launch, with or without a mask.
 */
#ifndef REAP_ALGORITHMS_LINES_H
#define REAP_ALGORITHMS_LINES_H

#include "algorithms/array.h"

/* Rows of elements of one type, and a mask of their shape, or NULL. */
struct reap__lines_of {
    struct reap__rows *rows; /* of another type than float and double these become a copy */
    const struct reap__rows *where;
    reap_type type;
};

/* REAP_SUM, REAP_EXACT_SUM, REAP_NORM_1 or REAP_NORM_2 of each row, which has elements. */
reap_status reap__lines_reduce(reap_queue *queue, reap_reduction reduction,
                               const struct reap__lines_of *x, const reap_array *result);

/* The sum of products of each row with that of other rows of the same shape and type. */
reap_status reap__lines_dot(reap_queue *queue, const struct reap__lines_of *x,
                            struct reap__rows *others, const reap_array *result);

/* Replaces elements by numbers of type float, from REAP_TYPE_HALF and REAP_TYPE_BFLOAT16, or of
 * type double, from any, in memory of their own. */
reap_status reap__rows_convert(reap_queue *queue, reap_type from, reap_type to,
                               struct reap__rows *rows);

/* The root of the sum of three sums of squares, of large, other and small numbers. */
double reap__norm_of(double large, double sum, double small);

#endif
