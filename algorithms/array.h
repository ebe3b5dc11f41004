/* SPDX-License-Identifier: Apache-2.0
 *
 * What the functions of reap/algorithms.h have in common: errors, the checks of arrays, and arrays
 * as rows that lie one after the other.
 */
#ifndef REAP_ALGORITHMS_ARRAY_H
#define REAP_ALGORITHMS_ARRAY_H

#include <reap/algorithms.h>
#include <reap/reap.h>

/* Sets the last error, and returns the status. */
reap_status reap__algorithm_fail(reap_status status, const char *format, ...)
    __attribute__((cold, format(printf, 2, 3)));

const char *reap__type_name(reap_type type);

/* Whether the array is well formed: `name` is what errors call it. */
reap_status reap__array_check(const reap_array *array, const char *name);

/* The number of its elements; it has been checked. */
size_t reap__array_count(const reap_array *array);

/* Whether its elements lie one after the other, in row-major order. */
bool reap__array_is_contiguous(const reap_array *array);

/* The elements of a checked array, one after the other: those of the dimensions of `axes` as rows,
 * in row-major order, the rows in row-major order of the other dimensions. */
struct reap__rows {
    const void *data;
    size_t count;        /* of rows */
    size_t length;       /* of a row */
    reap_buffer *buffer; /* NULL, or the memory of a copy */
};

reap_status reap__rows_open(reap_queue *queue, const reap_array *array, uint64_t axes,
                            struct reap__rows *rows);
void reap__rows_close(const struct reap__rows *rows);

/* Copies the elements of a checked array that has some to where they follow each other. */
reap_status reap__array_copy(reap_queue *queue, const reap_array *array, void *to);

/* Matrices whose columns are reduced. The elements of a row follow each other; strides are those of
 * rows and of matrices, in elements. There is at least one of each. */
struct reap__columns {
    const void *data;
    size_t matrices, rows, count, stride;
    ptrdiff_t matrix_stride;
};

/* The checked array as such matrices; false: it does not consist of them. */
bool reap__array_as_columns(const reap_array *array, uint64_t axes, struct reap__columns *columns);

/* Waits for what the launch has begun, whose event is there once the launch has returned. */
reap_status reap__finish(reap_status launched, reap_event *const *event);

#endif
