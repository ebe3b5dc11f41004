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

reap_status reap__check_queue(const reap_queue *queue);

/* The axes that options mean, NULL: all. */
uint64_t reap__axes_of(const reap_array *x, const reap_array_options *options);

/* Checks what all reductions along axes take: the queue, the array x, the axes and the mask of the
 * options, which it returns (NULL: no mask). */
reap_status reap__check_along(const reap_queue *queue, const reap_array *x,
                              const reap_array_options *options, uint64_t *axes,
                              const reap_array **where);

/* Whether the result of a reduction along the axes has this type, its shape, and row-major order.
 */
reap_status reap__check_result(const reap_array *x, uint64_t axes, reap_type type,
                               const reap_array *result);
reap_status reap__check_same_shape(const reap_array *x, const reap_array *other, const char *name);
reap_status reap__check_where(const reap_array *x, const reap_array *where);

/* Stores values in a result: in memory that a device may have, and the program not. */
reap_status reap__store(reap_queue *queue, const reap_array *result, const void *values,
                        size_t bytes);

bool reap__is_host(const reap_queue *queue);

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
/* Replaces elements that the mask does not select by 0, in a copy. */
reap_status reap__rows_select(reap_queue *queue, reap_type type, const struct reap__rows *where,
                              struct reap__rows *rows);

/* After work on a buffer that is to hold the rows' elements: where it succeeded, it does; else it
 * is released. Returns the status. */
reap_status reap__rows_replace(struct reap__rows *rows, reap_buffer *buffer, reap_status status);

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

/* A buffer for what kernels of a call leave for each other, with at least so many bytes, of which
 * some are written, so that a kernel may be given it and not read it. It is that of an earlier
 * call, if that one was large enough: a device's memory takes as long as a short call. It is given
 * back when all that uses it has ended, and released if that has failed. Any thread may call these.
 */
struct reap__scratch;
reap_status reap__scratch_take(reap_queue *queue, size_t bytes, struct reap__scratch **scratch);
void *reap__scratch_data(const struct reap__scratch *scratch);
void reap__scratch_give(struct reap__scratch *scratch, reap_status ended);

#endif
