/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums of all rows of an array in one launch, with or without a mask. The functions wait.
 */
#ifndef REAP_ALGORITHMS_LINES_H
#define REAP_ALGORITHMS_LINES_H

#include "algorithms/array.h"

/* Rows of elements of one type, and a mask of the same shape, or NULL. */
struct reap__lines_of {
    struct reap__rows *rows; /* replaced by a converted copy if there are no kernels for the type */
    const struct reap__rows *where;
    reap_type type;
};

/* REAP_SUM, REAP_EXACT_SUM, REAP_NORM_1 or REAP_NORM_2 of each row. Rows have elements. */
reap_status reap__lines_reduce(reap_queue *queue, reap_reduction reduction,
                               const struct reap__lines_of *x, const reap_array *result);

/* The dot product of each row with the row of `others`, of the same shape and type. */
reap_status reap__lines_dot(reap_queue *queue, const struct reap__lines_of *x,
                            struct reap__rows *others, const reap_array *result);

/* Replaces the rows by a copy in type `to`: REAP_TYPE_DOUBLE; or REAP_TYPE_FLOAT, from
 * REAP_TYPE_HALF and REAP_TYPE_BFLOAT16. Does nothing if the types are the same. */
reap_status reap__rows_convert(reap_queue *queue, reap_type from, reap_type to,
                               struct reap__rows *rows);

/* Whether the norm is the root of the sum of squares: no square was a large number, which might
 * have overflowed, and beside the sum those that are not normal numbers are negligible. */
static inline bool reap__norm_is_plain(double squares)
{
    return squares >= 0x1p-900 && squares <= 0x1p+972;
}

/* Otherwise, the norm from the sums of squares of large, other and small numbers, scaled as by
 * norm_2 in elements.kernels_tmpl.h. */
double reap__norm_of(double large, double sum, double small);

#endif
