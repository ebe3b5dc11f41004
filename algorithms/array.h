/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that those of reap/algorithms.h share: errors, checks of arrays, and arrays as
 * contiguous rows. Each may be called by any thread. Functions that return reap_status fail with
 * REAP_ERROR_INVALID_ARGUMENT if a check fails, with REAP_ERROR_OUT_OF_MEMORY, or as the launches
 * that they make.
 */
#ifndef REAP_ALGORITHMS_ARRAY_H
#define REAP_ALGORITHMS_ARRAY_H

#include <reap/algorithms.h>
#include <reap/reap.h>

/* Sets the last error, and returns the status. */
reap_status reap__algorithm_fail(reap_status status, const char *format, ...)
    __attribute__((cold, format(printf, 2, 3)));

const char *reap__type_name(reap_type type);

/* Checks that the array is well formed. `name` is its name in messages. */
reap_status reap__array_check(const reap_array *array, const char *name);

/* Whether the array has one dimension and at least one element, and is well formed and contiguous.
 */
bool reap__array_is_row(const reap_array *array);

/* Whether it is one value of the type, and well formed. */
bool reap__array_is_value(const reap_array *array, reap_type type);

/* The number of elements of a checked array. */
size_t reap__array_count(const reap_array *array);

/* Whether its elements are contiguous, in row-major order. */
bool reap__array_is_contiguous(const reap_array *array);

reap_status reap__check_queue(const reap_queue *queue);

/* The axes of options, as a bit mask; NULL, or no axes: all. */
uint64_t reap__axes_of(const reap_array *x, const reap_array_options *options);

/* Checks the arguments of all reductions along axes: the queue, the array x, the axes and the mask
 * of the options. Sets *axes and *where (NULL: no mask). */
reap_status reap__check_along(const reap_queue *queue, const reap_array *x,
                              const reap_array_options *options, uint64_t *axes,
                              const reap_array **where);

/* Checks that so many bytes lie within the buffer or allocation that `memory` points into, if any,
 * before anything is written. */
reap_status reap__check_extent(const void *memory, size_t bytes, const char *name);

/* Checks that a result has row-major order, and lies within its memory. */
reap_status reap__check_written(const reap_array *result);

/* Checks also that the result of a reduction along the axes has this type and the right shape. */
reap_status reap__check_result(const reap_array *x, uint64_t axes, reap_type type,
                               const reap_array *result);
reap_status reap__check_same_shape(const reap_array *x, const reap_array *other, const char *name);
reap_status reap__check_where(const reap_array *x, const reap_array *where);

/* Whether it is memory of the program that is in no buffer: the host may read and write it
 * directly. Other memory is used by commands only, which find its contents and wait for others. */
bool reap__is_variable(const void *memory);

/* Copies bytes of any memory by a command, and waits. */
reap_status reap__copy(reap_queue *queue, void *to, const void *from, size_t bytes);

/* Copies one value to any memory, or from it: a variable's without a command, after earlier ones
 * that store to it. */
reap_status reap__store_value(reap_queue *queue, void *to, const void *value, size_t bytes);
reap_status reap__load_value(reap_queue *queue, void *value, const void *from, size_t bytes);

/* Copies values to a result, in any memory; waits. */
reap_status reap__store(reap_queue *queue, const reap_array *result, const void *values,
                        size_t bytes);

bool reap__is_host(const reap_queue *queue);

/* The elements of a checked array, contiguous: a row has those along the dimensions of `axes`, in
 * row-major order; the rows are in row-major order of the other dimensions. */
struct reap__rows {
    const void *data;
    size_t count;        /* of rows */
    size_t length;       /* of a row */
    reap_buffer *buffer; /* the memory of a copy; NULL: the array itself */
};

reap_status reap__rows_open(reap_queue *queue, const reap_array *array, uint64_t axes,
                            struct reap__rows *rows);
/* Replaces the rows by a copy, in which elements that the mask does not select have the bits of
 * `others`. */
reap_status reap__rows_select(reap_queue *queue, reap_type type, const struct reap__rows *where,
                              uint64_t others, struct reap__rows *rows);

/* Replaces the elements by those in `buffer` if `status`, the result of writing them, is REAP_OK;
 * otherwise releases the buffer. Returns the status. */
reap_status reap__rows_replace(struct reap__rows *rows, reap_buffer *buffer, reap_status status);

void reap__rows_close(const struct reap__rows *rows);

/* Copies the elements of a checked array, at least one, to contiguous memory, in row-major order.
 */
reap_status reap__array_copy(reap_queue *queue, const reap_array *array, void *to);

/* Matrices whose columns are reduced. A row is contiguous; strides, in elements, are the distances
 * of rows and of matrices. There is at least one matrix, row and column. */
struct reap__columns {
    const void *data;
    size_t matrices, rows, count, stride;
    ptrdiff_t matrix_stride;
};

/* Describes a checked array as such matrices. Returns false if it has another structure. */
bool reap__array_as_columns(const reap_array *array, uint64_t axes, struct reap__columns *columns);

/* Where a launch is to store its event; NULL: it needs none, since it returns after its command. */
static inline reap_event **reap__event_for(const reap_queue *queue, reap_event **event)
{
    return reap_queue_is_blocking(queue) ? NULL : event;
}

/* Waits for the command of a launch that returned `launched`, and releases its event. Returns the
 * first failure. `finish` does so if there is an event. */
reap_status reap__finish_event(reap_status launched, reap_event *event);
static inline reap_status reap__finish(reap_status launched, reap_event *const *event)
{
    return *event == NULL ? launched : reap__finish_event(launched, *event);
}

/* A scratch buffer for the kernels of a call, with at least `bytes` bytes. `take` returns that of
 * an earlier call if it is large enough, since allocating device memory takes as long as a short
 * call. Its first bytes are initialised, so it can be an argument of a kernel that does not read
 * it. `give` gives it back once the commands that use it have ended with the status `ended`; after
 * a failure it is released. Any thread may call these.
 *
 * One for flags is made of 64-bit words: first a counter of tickets, which work-groups take, then
 * words with the number of a turn in the upper half. It is 0 when it is made, and nothing but turns
 * write it: so a launch with the next turn's number begins without flags and does not wait for a
 * command that clears them.
 */
struct reap__scratch;
enum reap__scratch_kind { REAP__SCRATCH_PLAIN, REAP__SCRATCH_FLAGS, REAP__SCRATCH_KINDS };
reap_status reap__scratch_take(reap_queue *queue, enum reap__scratch_kind kind, size_t bytes,
                               struct reap__scratch **scratch);
void *reap__scratch_data(const struct reap__scratch *scratch);

/* The next turn, whose launch takes so many tickets. */
struct reap__scratch_turn {
    uint32_t number; /* from 1 on */
    uint64_t first_ticket;
};
struct reap__scratch_turn reap__scratch_next(struct reap__scratch *scratch, uint64_t tickets);

/* Sets *report to REAP__REPORT_BYTES bytes of host memory of the scratch buffer, to which kernels
 * on the queue's device may write what the program reads after it has waited. */
enum { REAP__REPORT_BYTES = 256 };
reap_status reap__scratch_report(reap_queue *queue, struct reap__scratch *scratch, void **report);
void reap__scratch_give(struct reap__scratch *scratch, reap_status ended);

#endif
