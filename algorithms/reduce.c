/* SPDX-License-Identifier: Apache-2.0
 *
 * reap_array_reduce and dot products: checks, arrays as rows, and the choice of the kernels.
 */
#include "algorithms/keys.h"
#include "algorithms/lines.h"
#include "algorithms/order.h"
#include "algorithms/run.h"
#include "src/core/allocate.h"
#include "src/port/fp_environment.h"

#include <string.h>

/* ---- Types of results -------------------------------------------------------------------------*/

enum kind { SIGNED, UNSIGNED, SINGLE, DOUBLE };

static enum kind kind_of(reap_type type)
{
    switch (type) {
    case REAP_TYPE_INT8:
    case REAP_TYPE_INT16:
    case REAP_TYPE_INT32:
    case REAP_TYPE_INT64:
        return SIGNED;
    case REAP_TYPE_HALF:
    case REAP_TYPE_BFLOAT16:
    case REAP_TYPE_FLOAT:
        return SINGLE;
    case REAP_TYPE_DOUBLE:
        return DOUBLE;
    default:
        return UNSIGNED;
    }
}

static reap_type sum_type(reap_type type)
{
    static const reap_type sums[] = {[SIGNED] = REAP_TYPE_INT64,
                                     [UNSIGNED] = REAP_TYPE_UINT64,
                                     [SINGLE] = REAP_TYPE_FLOAT,
                                     [DOUBLE] = REAP_TYPE_DOUBLE};
    return sums[kind_of(type)];
}

reap_type reap_array_reduce_type(reap_reduction reduction, reap_type type)
{
    if (reap_type_size(type) == 0)
        return REAP_TYPE_NONE;
    switch (reduction) {
    case REAP_SUM:
    case REAP_EXACT_SUM:
    case REAP_NORM_1:
        return sum_type(type);
    case REAP_MINIMUM:
    case REAP_MAXIMUM:
        return type;
    case REAP_ARGMIN:
    case REAP_ARGMAX:
    case REAP_COUNT_NONZERO:
        return REAP_TYPE_UINT64;
    case REAP_NORM_2:
        return kind_of(type) == SINGLE ? REAP_TYPE_FLOAT : REAP_TYPE_DOUBLE;
    case REAP_NORM_INFINITY:
        return kind_of(type) == SIGNED ? REAP_TYPE_UINT64 : sum_type(type);
    }
    return REAP_TYPE_NONE;
}

/* ---- Reductions -------------------------------------------------------------------------------*/

static reap_status reduce_row(reap_queue *queue, reap_reduction reduction, reap_type type,
                              const void *row, size_t length, union reap__value *value)
{
    *value = (union reap__value){.of_uint64 = 0};
    if (length == 0)
        return REAP_OK;
    return (reap__run_of(type)->reduce)(queue, reduction, row, length, value);
}

static reap_status reduce_rows(reap_queue *queue, reap_reduction reduction, reap_type type,
                               const struct reap__rows *rows, size_t size, void *values)
{
    const size_t bytes = rows->length * reap_type_size(type);
    for (size_t r = 0; r < rows->count; r++) {
        union reap__value value;
        const void *row = bytes > 0 ? (const char *)rows->data + r * bytes : NULL;
        REAP_TRY(reduce_row(queue, reduction, type, row, rows->length, &value));
        memcpy((char *)values + r * size, &value, size);
    }
    return REAP_OK;
}

/* The size of `nodes` is an upper bound for all types; the system provides only pages that are
 * written. */
static reap_status reduce_columns(reap_queue *queue, reap_type type,
                                  const struct reap__columns *columns, const reap_array *result)
{
    const size_t matrix_bytes = columns->count * reap_type_size(result->type);
    size_t bytes = reap__levels(columns) * REAP__LANES * REAP__COLUMNS_BYTES;
    void *nodes = NULL;
    if (!__builtin_mul_overflow(bytes, reap__blocks(columns, sizeof(uint64_t)), &bytes))
        nodes = reap__allocate(bytes + 1);
    if (nodes == NULL)
        return reap__algorithm_fail(REAP_ERROR_OUT_OF_MEMORY, "no memory to reduce %zu columns",
                                    columns->count);
    reap_status status = REAP_OK;
    for (size_t m = 0; m < columns->matrices && status == REAP_OK; m++) {
        struct reap__columns matrix = *columns;
        matrix.data = (const char *)columns->data +
                      (ptrdiff_t)m * columns->matrix_stride * (ptrdiff_t)reap_type_size(type);
        status = (reap__run_of(type)->columns)(queue, &matrix, nodes,
                                               (char *)result->data + m * matrix_bytes);
    }
    reap__free(nodes);
    return status;
}

/* A launch for each row. */
static reap_status reduce_each(reap_queue *queue, reap_reduction reduction, reap_type type,
                               const struct reap__rows *rows, const reap_array *result)
{
    union reap__value one;
    const size_t size = reap_type_size(result->type), bytes = rows->count * size;
    void *const values = rows->count == 1 ? &one : reap__allocate(bytes);
    if (values == NULL)
        return reap__algorithm_fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for %zu results",
                                    rows->count);
    reap_status status = reduce_rows(queue, reduction, type, rows, size, values);
    if (status == REAP_OK)
        status = reap__store(queue, result, values, bytes);
    if (values != &one)
        reap__free(values);
    return status;
}

/* Whether kernels of lines.h would need a converted copy of the elements. */
static bool is_converted(reap_type type)
{
    return type != REAP_TYPE_FLOAT && type != REAP_TYPE_DOUBLE;
}

/* Whether each row is a launch of a kernel of its type: a single row, and on the host long rows of
 * types that would be converted otherwise. */
static bool reduces_each(const reap_queue *queue, reap_type type, const struct reap__rows *rows)
{
    return rows->count == 1 ||
           (is_converted(type) && rows->length > REAP__LEAF && reap__is_host(queue));
}

/* Whether the sum is -0 if all its elements are. */
static bool may_be_minus_zero(reap_reduction reduction, reap_type type)
{
    return reduction == REAP_EXACT_SUM && type >= REAP_TYPE_HALF;
}

/* The bits of an element that leaves any sum unchanged: of 0 or -0. */
static uint64_t neutral_bits(reap_reduction reduction, reap_type type)
{
    return may_be_minus_zero(reduction, type) ? (uint64_t)1 << (8 * reap_type_size(type) - 1) : 0;
}

/* Whether a copy to which the mask has been applied, and a sum of it, are faster than a sum with a
 * mask: on the host, for types other than float. */
static bool selects_first(const reap_queue *queue, reap_type type)
{
    return type != REAP_TYPE_FLOAT && reap__is_host(queue);
}

/* Reduces rows with elements, with a mask or NULL. May replace the rows by a copy. */
static reap_status reduce_selected(reap_queue *queue, reap_reduction reduction, reap_type type,
                                   struct reap__rows *rows, const struct reap__rows *where,
                                   const reap_array *result)
{
    if (where != NULL && selects_first(queue, type)) {
        REAP_TRY(reap__rows_select(queue, type, where, neutral_bits(reduction, type), rows));
        where = NULL;
    }
    if (where == NULL && reduces_each(queue, type, rows))
        return reduce_each(queue, reduction, type, rows, result);
    if (where == NULL && reduction == REAP_SUM && rows->length <= REAP__LEAF &&
        reap__is_host(queue))
        return (reap__run_of(type)->rows)(queue, rows, result->data);
    return reap__lines_reduce(queue, reduction, &(struct reap__lines_of){rows, where, type},
                              result);
}

/* Replaces -0, the exact sum of the rows without a selected element, by 0. */
static reap_status clear_unselected(reap_queue *queue, const uint64_t *counts, size_t rows,
                                    char *values, const reap_array *result)
{
    const size_t size = reap_type_size(result->type);
    size_t full = 0;
    while (full < rows && counts[full] > 0)
        full++;
    if (full == rows)
        return REAP_OK;
    REAP_TRY(reap__copy(queue, values, result->data, rows * size));
    for (size_t r = full; r < rows; r++)
        if (counts[r] == 0)
            memset(values + r * size, 0, size);
    return reap__store(queue, result, values, rows * size);
}

/* The exact sum of no elements is 0, although -0 is the identity of the operator. What may fail for
 * lack of memory comes before the results change. */
static reap_status reduce_and_clear(reap_queue *queue, reap_reduction reduction, reap_type type,
                                    struct reap__rows *rows, const struct reap__rows *where,
                                    const reap_array *result)
{
    const size_t count = where->count;
    uint64_t *const counts =
        reap__allocate(count * (sizeof *counts + reap_type_size(result->type)));
    if (counts == NULL)
        return reap__algorithm_fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for %zu results", count);
    reap_status status = reap__count_selected(queue, where, counts);
    if (status == REAP_OK)
        status = reduce_selected(queue, reduction, type, rows, where, result);
    if (status == REAP_OK)
        status = clear_unselected(queue, counts, count, (char *)(counts + count), result);
    reap__free(counts);
    return status;
}

static reap_status reduce_opened(reap_queue *queue, reap_reduction reduction, reap_type type,
                                 struct reap__rows *rows, const struct reap__rows *where,
                                 const reap_array *result)
{
    if (reap__is_order(reduction))
        return reap__order_reduce(queue, reduction, &(struct reap__keyed){rows, where, type},
                                  result);
    if (rows->length == 0)
        return reduce_each(queue, reduction, type, rows, result);
    return (where != NULL && may_be_minus_zero(reduction, type)
                ? reduce_and_clear
                : reduce_selected)(queue, reduction, type, rows, where, result);
}

/* Whether columns are reduced without a copy: on the host. */
static bool reduces_columns(const reap_queue *queue, reap_reduction reduction)
{
    return (reduction == REAP_SUM || reduction == REAP_MINIMUM || reduction == REAP_MAXIMUM) &&
           reap__is_host(queue);
}

static reap_status reduce(reap_queue *queue, reap_reduction reduction, const reap_array *x,
                          const reap_array_options *options, const reap_array *result)
{
    const uint64_t axes = reap__axes_of(x, options);
    const reap_array *const mask = options != NULL ? options->where : NULL;
    struct reap__rows rows, where = {.buffer = NULL};
    struct reap__columns columns;
    if (reap__array_count(result) == 0)
        return REAP_OK;
    if (mask == NULL && reduces_columns(queue, reduction) &&
        reap__array_as_columns(x, axes, &columns))
        return reduction == REAP_SUM
                   ? reduce_columns(queue, x->type, &columns, result)
                   : reap__order_reduce_columns(queue, reduction, x->type, &columns, result);
    REAP_TRY(reap__rows_open(queue, x, axes, &rows));
    reap_status status = mask != NULL ? reap__rows_open(queue, mask, axes, &where) : REAP_OK;
    if (status == REAP_OK)
        status =
            reduce_opened(queue, reduction, x->type, &rows, mask != NULL ? &where : NULL, result);
    reap__rows_close(&where);
    reap__rows_close(&rows);
    return status;
}

static reap_status check(const reap_queue *queue, reap_reduction reduction, const reap_array *x,
                         const reap_array_options *options, const reap_array *result)
{
    const reap_array *where;
    uint64_t axes;
    REAP_TRY(reap__check_along(queue, x, options, &axes, &where));
    if ((unsigned)reduction > REAP_COUNT_NONZERO)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT, "%d is not a reap_reduction",
                                    (int)reduction);
    return reap__check_result(x, axes, reap_array_reduce_type(reduction, x->type), result);
}

/* A row that is reduced to one value needs no further checks, and no copy. */
static bool is_row_to_value(const reap_queue *queue, reap_reduction reduction, const reap_array *x,
                            const reap_array_options *options, const reap_array *result)
{
    return queue != NULL && options == NULL && (unsigned)reduction <= REAP_COUNT_NONZERO &&
           reap__array_is_row(x) &&
           reap__array_is_value(result, reap_array_reduce_type(reduction, x->type));
}

reap_status reap_array_reduce(reap_queue *queue, reap_reduction reduction, const reap_array *x,
                              const reap_array_options *options, const reap_array *result)
{
    const bool is_row = is_row_to_value(queue, reduction, x, options, result);
    if (!is_row)
        REAP_TRY(check(queue, reduction, x, options, result));
    const reap__fp_environment before = reap__fp_enter();
    const reap_status status =
        is_row ? reduce_opened(queue, reduction, x->type,
                               &(struct reap__rows){x->data, 1, x->shape[0], NULL}, NULL, result)
               : reduce(queue, reduction, x, options, result);
    reap__fp_leave(before);
    return status;
}

/* ---- Sums of products -------------------------------------------------------------------------*/

static reap_status check_same(const reap_array *x, const reap_array *y)
{
    if (x->type != y->type)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT, "x and y have different types");
    return reap__check_same_shape(x, y, "y");
}

/* The dot product of two rows with elements. */
static reap_status dot_row(reap_queue *queue, reap_type type, const void *x, const void *y,
                           size_t length, const reap_array *result)
{
    union reap__value value = {.of_uint64 = 0};
    REAP_TRY((reap__run_of(type)->dot)(queue, x, y, length, &value));
    return reap__store(queue, result, &value, reap_type_size(result->type));
}

/* Dot products of rows. May replace the rows by a copy. */
static reap_status dot_rows(reap_queue *queue, reap_type type, struct reap__rows *rows,
                            struct reap__rows *others, const struct reap__rows *where,
                            const reap_array *result)
{
    if (rows->length == 0)
        return reduce_each(queue, REAP_SUM, type, rows, result);
    if (where != NULL && selects_first(queue, type)) {
        REAP_TRY(reap__rows_select(queue, type, where, 0, rows));
        REAP_TRY(reap__rows_select(queue, type, where, 0, others));
        where = NULL;
    }
    if (rows->count > 1 || where != NULL)
        return reap__lines_dot(queue, &(struct reap__lines_of){rows, where, type}, others, result);
    return dot_row(queue, type, rows->data, others->data, rows->length, result);
}

static reap_status dot(reap_queue *queue, const reap_array *x, const reap_array *y, uint64_t axes,
                       const reap_array *mask, const reap_array *result)
{
    struct reap__rows rows, others = {.buffer = NULL}, where = {.buffer = NULL};
    REAP_TRY(reap__rows_open(queue, x, axes, &rows));
    reap_status status = reap__rows_open(queue, y, axes, &others);
    if (status == REAP_OK && mask != NULL)
        status = reap__rows_open(queue, mask, axes, &where);
    if (status == REAP_OK)
        status = dot_rows(queue, x->type, &rows, &others, mask != NULL ? &where : NULL, result);
    reap__rows_close(&where);
    reap__rows_close(&others);
    reap__rows_close(&rows);
    return status;
}

reap_status reap_array_dot_along(reap_queue *queue, const reap_array *x, const reap_array *y,
                                 const reap_array_options *options, const reap_array *result)
{
    const reap_array *where;
    uint64_t axes;
    if (is_row_to_value(queue, REAP_SUM, x, options, result) && reap__array_is_row(y) &&
        x->type == y->type && x->shape[0] == y->shape[0])
        return dot_row(queue, x->type, x->data, y->data, x->shape[0], result);
    REAP_TRY(reap__check_along(queue, x, options, &axes, &where));
    REAP_TRY(reap__array_check(y, "y"));
    REAP_TRY(check_same(x, y));
    REAP_TRY(reap__check_result(x, axes, sum_type(x->type), result));
    return reap__array_count(result) > 0 ? dot(queue, x, y, axes, where, result) : REAP_OK;
}

reap_status reap_array_dot(reap_queue *queue, const reap_array *x, const reap_array *y,
                           const reap_array *result)
{
    return reap_array_dot_along(queue, x, y, NULL, result);
}
