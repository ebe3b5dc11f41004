/* SPDX-License-Identifier: Apache-2.0
 *
 * Mean, variance, higher moments, and covariance. Powers or products of differences from an origin
 * are summed, and moved to the mean: the origin is the mean of the first elements, and if it proves
 * to be far from the mean of all, the sums are made once more with that.
 */
#include "algorithms/moments.kernels.h"

#include "algorithms/order.h"
#include "algorithms/run.h"
#include "src/core/allocate.h"
#include "src/port/fp_environment.h"

#include <math.h>
#include <string.h>

/* ---- Whole arrays -----------------------------------------------------------------------------*/

enum { FIRST_ELEMENTS = 2048 };

/* The moments about the mean, from the sums of powers of differences from another number. */
static void move_to_mean(const struct reap__powers *powers, size_t count, reap_moments *moments)
{
    const double n = (double)count, d = powers->sum / n;
    moments->mean = powers->origin + d;
    moments->squares = powers->squares - d * powers->sum;
    moments->cubes = powers->cubes - d * (3 * powers->squares - 2 * d * powers->sum);
    moments->fourths =
        powers->fourths - d * (4 * powers->cubes - d * (6 * powers->squares - 3 * d * powers->sum));
    if (moments->squares < 0)
        moments->squares = 0;
}

/* Whether the origin is so far from the mean that differences of the moments would cancel. */
static bool is_far(const struct reap__powers *powers, size_t count)
{
    return powers->sum * powers->sum / (double)count > 0.75 * powers->squares;
}

/* A row, of which a mask selects `selected` elements, `first_selected` of the first ones; without
 * a mask `where` is NULL. With a mask the elements are of type double. */
struct row {
    reap_type type;
    const void *x;
    const uint8_t *where;
    size_t length, selected, first_selected;
};

static reap_status sum_powers(reap_queue *queue, const struct row *row, size_t length,
                              struct reap__powers *powers)
{
    if (row->where == NULL)
        return (reap__run_of(row->type)->powers)(queue, row->x, length, powers);
    reap_event *event = NULL;
    return reap__finish(
        reap_parallel_for(queue, powers_where, reap_range_1d(length), .x = (const double *)row->x,
                          .where = row->where, .origin = powers->origin,
                          .sum = {.result = &powers->sum}, .squares = {.result = &powers->squares},
                          .cubes = {.result = &powers->cubes},
                          .fourths = {.result = &powers->fourths}, .launch = {.event = &event}),
        &event);
}

static reap_status compute_row(reap_queue *queue, const struct row *row, reap_moments *moments)
{
    const size_t first = row->length < FIRST_ELEMENTS ? row->length : FIRST_ELEMENTS;
    struct reap__powers powers = {.origin = 0};
    if (row->selected == 0)
        return REAP_OK;
    REAP_TRY(sum_powers(queue, row, first, &powers));
    powers.origin = isfinite(powers.sum) && row->first_selected > 0
                        ? powers.sum / (double)row->first_selected
                        : 0;
    REAP_TRY(sum_powers(queue, row, row->length, &powers));
    if (is_far(&powers, row->selected)) {
        powers.origin += powers.sum / (double)row->selected;
        REAP_TRY(sum_powers(queue, row, row->length, &powers));
    }
    move_to_mean(&powers, row->selected, moments);
    return REAP_OK;
}

/* ---- Arrays -----------------------------------------------------------------------------------*/

/* Replaces elements by numbers of type double, in memory of their own. */
static reap_status convert(reap_queue *queue, reap_type type, struct reap__rows *rows)
{
    const size_t count = rows->count * rows->length, block = reap__is_host(queue) ? 2048 : 1;
    reap_buffer *buffer;
    reap_event *event = NULL;
    if (type == REAP_TYPE_DOUBLE || count == 0)
        return REAP_OK;
    REAP_TRY(reap_buffer_create(count * sizeof(double), &buffer));
    const reap_status status = reap__finish(
        reap_parallel_for(queue, to_doubles, reap_range_1d((count - 1) / block + 1),
                          .x = (const uint8_t *)rows->data, .type = (uint32_t)type, .count = count,
                          .block = block, .to = (double *)reap_buffer_data(buffer),
                          .launch = {.event = &event}),
        &event);
    if (status != REAP_OK) {
        reap_buffer_release(buffer);
        return status;
    }
    reap__rows_close(rows);
    rows->data = reap_buffer_data(buffer);
    rows->buffer = buffer;
    return REAP_OK;
}

/* How many elements the mask selects of each row, or of the first elements of each. */
static reap_status count_selected(reap_queue *queue, const struct reap__rows *where, size_t row,
                                  size_t rows, size_t length, uint64_t *counts)
{
    const struct reap__interval nonzero =
        reap__interval_of(reap__key_least(REAP_TYPE_UINT8) + 1, reap__key_largest(REAP_TYPE_UINT8));
    const struct reap__rows some = {
        .data = (const char *)where->data + row * where->length, .count = rows, .length = length};
    const struct reap__keyed mask = {&some, NULL, REAP_TYPE_UINT8};
    return reap__keyed_count(queue, &mask, &nonzero, counts);
}

/* The arrays of a call as rows, and the number of elements that each row counts. */
struct opened {
    struct reap__rows x, where;
    reap_type type;
    bool is_masked;
    uint64_t *counts;
};

static void close_rows(const struct opened *opened)
{
    reap__free(opened->counts);
    reap__rows_close(&opened->where);
    reap__rows_close(&opened->x);
}

static reap_status open_mask(reap_queue *queue, const reap_array *where, uint64_t axes,
                             struct opened *opened)
{
    opened->counts = reap__allocate((opened->x.count + 1) * sizeof *opened->counts);
    if (opened->counts == NULL)
        return reap__algorithm_fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for %zu results",
                                    opened->x.count);
    for (size_t r = 0; r < opened->x.count; r++)
        opened->counts[r] = opened->x.length;
    if (where == NULL)
        return REAP_OK;
    opened->is_masked = true;
    REAP_TRY(reap__rows_open(queue, where, axes, &opened->where));
    return count_selected(queue, &opened->where, 0, opened->x.count, opened->x.length,
                          opened->counts);
}

static reap_status open_rows(reap_queue *queue, const reap_array *x, uint64_t axes,
                             const reap_array *where, struct opened *opened)
{
    *opened = (struct opened){.type = x->type};
    REAP_TRY(reap__rows_open(queue, x, axes, &opened->x));
    const reap_status status = open_mask(queue, where, axes, opened);
    if (status != REAP_OK)
        close_rows(opened);
    return status;
}

/* ---- Along axes -------------------------------------------------------------------------------*/

enum { SUMS = 5 }; /* of a row: its origin, and the sums of four powers */

static reap_status launch_rows(reap_queue *queue, const struct opened *opened, double *sums)
{
    const size_t bytes = opened->x.count * SUMS * sizeof(double);
    const void *const where = opened->is_masked ? opened->where.data : opened->x.data;
    reap_buffer *buffer;
    reap_event *event = NULL;
    REAP_TRY(reap_buffer_create(bytes, &buffer));
    double *const results = reap_buffer_data(buffer);
    reap_status status = reap__finish(
        reap_parallel_for(queue, powers_rows, reap_range_1d(opened->x.count),
                          .x = (const double *)opened->x.data, .where = (const uint8_t *)where,
                          .is_masked = opened->is_masked, .length = opened->x.length,
                          .results = results, .launch = {.event = &event}),
        &event);
    event = NULL;
    if (status == REAP_OK)
        status = reap__finish(
            reap_copy(queue, sums, results, bytes, &(reap_launch_options){.event = &event}),
            &event);
    reap_buffer_release(buffer);
    return status;
}

static reap_status compute_short_rows(reap_queue *queue, struct opened *opened,
                                      reap_moments *results)
{
    REAP_TRY(convert(queue, opened->type, &opened->x));
    double *const sums = reap__allocate(opened->x.count * SUMS * sizeof *sums);
    if (sums == NULL)
        return reap__algorithm_fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for %zu results",
                                    opened->x.count);
    const reap_status status = launch_rows(queue, opened, sums);
    for (size_t r = 0; status == REAP_OK && r < opened->x.count; r++) {
        const double *const of = sums + r * SUMS;
        const struct reap__powers powers = {of[0], of[1], of[2], of[3], of[4]};
        if (opened->counts[r] > 0)
            move_to_mean(&powers, opened->counts[r], &results[r]);
    }
    reap__free(sums);
    return status;
}

static reap_status compute_long_rows(reap_queue *queue, struct opened *opened,
                                     reap_moments *results)
{
    const size_t length = opened->x.length;
    const size_t first = length < FIRST_ELEMENTS ? length : FIRST_ELEMENTS;
    if (opened->is_masked)
        REAP_TRY(convert(queue, opened->type, &opened->x));
    const size_t bytes =
        length * (opened->is_masked ? sizeof(double) : reap_type_size(opened->type));
    for (size_t r = 0; r < opened->x.count; r++) {
        struct row row = {
            opened->type, (const char *)opened->x.data + r * bytes, NULL, length, opened->counts[r],
            first};
        if (opened->is_masked) {
            uint64_t selected;
            REAP_TRY(count_selected(queue, &opened->where, r, 1, first, &selected));
            row.where = (const uint8_t *)opened->where.data + r * length;
            row.first_selected = selected;
        }
        REAP_TRY(compute_row(queue, &row, &results[r]));
    }
    return REAP_OK;
}

static reap_status compute_moments(reap_queue *queue, struct opened *opened, reap_moments *results)
{
    for (size_t r = 0; r < opened->x.count; r++)
        results[r] = (reap_moments){.count = opened->counts[r], .mean = (double)NAN};
    if (opened->x.length == 0)
        return REAP_OK;
    if (opened->x.count > 1 && opened->x.length <= REAP__LEAF)
        return compute_short_rows(queue, opened, results);
    return compute_long_rows(queue, opened, results);
}

/* A pointer, so that its arithmetic remains between the calls that set the control. */
static reap_status (*volatile const compute)(reap_queue *queue, struct opened *opened,
                                             reap_moments *results) = compute_moments;

/* Into memory of the library first, since results must not change on errors. */
static reap_status compute_results(reap_queue *queue, struct opened *opened, reap_moments *results)
{
    reap_moments one, *const all = opened->x.count == 1
                                       ? &one
                                       : reap__allocate(opened->x.count * sizeof one);
    if (all == NULL)
        return reap__algorithm_fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for %zu results",
                                    opened->x.count);
    const reap__fp_environment before = reap__fp_enter();
    const reap_status status = (compute)(queue, opened, all);
    reap__fp_leave(before);
    if (status == REAP_OK)
        memcpy(results, all, opened->x.count * sizeof *all);
    if (all != &one)
        reap__free(all);
    return status;
}

reap_status reap_array_moments_along(reap_queue *queue, const reap_array *x,
                                     const reap_array_options *options, reap_moments *results)
{
    struct opened opened;
    REAP_TRY(reap__check_queue(queue));
    REAP_TRY(reap__array_check(x, "x"));
    const uint64_t axes = reap__axes_of(x, options);
    const reap_array *const where = options != NULL ? options->where : NULL;
    REAP_TRY(reap__check_axes(x, axes));
    REAP_TRY(reap__check_where(x, where));
    if (results == NULL)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT, "result is NULL");
    REAP_TRY(open_rows(queue, x, axes, where, &opened));
    const reap_status status =
        opened.x.count > 0 ? compute_results(queue, &opened, results) : REAP_OK;
    close_rows(&opened);
    return status;
}

reap_status reap_array_moments(reap_queue *queue, const reap_array *x, reap_moments *result)
{
    return reap_array_moments_along(queue, x, NULL, result);
}

/* ---- Covariance -------------------------------------------------------------------------------*/

/* Two arrays of float or of double, and a mask. */
struct pairs {
    const void *x, *y, *where;
    bool is_single, is_masked;
    size_t length;
};

struct products {
    double x_origin, y_origin, x_sum, y_sum, x_squares, y_squares, products;
};

#define SUM_PRODUCTS(name, T)                                                                      \
    reap_parallel_for(                                                                             \
        queue, name, reap_range_1d(length), .x = (const T *)pairs->x, .y = (const T *)pairs->y,    \
        .where = (const uint8_t *)pairs->where, .is_masked = pairs->is_masked,                     \
        .x_origin = sums->x_origin, .y_origin = sums->y_origin, .x_sum = {.result = &sums->x_sum}, \
        .y_sum = {.result = &sums->y_sum}, .x_squares = {.result = &sums->x_squares},              \
        .y_squares = {.result = &sums->y_squares}, .products = {.result = &sums->products},        \
        .launch = {.event = &event})

static reap_status sum_products(reap_queue *queue, const struct pairs *pairs, size_t length,
                                struct products *sums)
{
    reap_event *event = NULL;
    const reap_status status = pairs->is_single ? SUM_PRODUCTS(products_float, float)
                                                : SUM_PRODUCTS(products_double, double);
    return reap__finish(status, &event);
}

/* With the sums' origin, in which `origin` receives the mean if it proves to be far from it. */
static bool move_origin(double sum, double squares, double count, double *origin)
{
    if (!(sum * sum / count > 0.75 * squares))
        return false;
    *origin += sum / count;
    return true;
}

static void move_products(const struct products *sums, double count, reap_comoments *result)
{
    const double x_distance = sums->x_sum / count, y_distance = sums->y_sum / count;
    const double x_squares = sums->x_squares - x_distance * sums->x_sum;
    const double y_squares = sums->y_squares - y_distance * sums->y_sum;
    result->x_mean = sums->x_origin + x_distance;
    result->y_mean = sums->y_origin + y_distance;
    result->x_squares = x_squares < 0 ? 0 : x_squares;
    result->y_squares = y_squares < 0 ? 0 : y_squares;
    result->products = sums->products - x_distance * sums->y_sum;
}

static reap_status compute_products(reap_queue *queue, const struct pairs *pairs, size_t selected,
                                    size_t first_selected, reap_comoments *result)
{
    const size_t first = pairs->length < FIRST_ELEMENTS ? pairs->length : FIRST_ELEMENTS;
    const double count = (double)selected;
    struct products sums = {.x_origin = 0};
    REAP_TRY(sum_products(queue, pairs, first, &sums));
    if (first_selected > 0) {
        sums.x_origin = isfinite(sums.x_sum) ? sums.x_sum / (double)first_selected : 0;
        sums.y_origin = isfinite(sums.y_sum) ? sums.y_sum / (double)first_selected : 0;
    }
    REAP_TRY(sum_products(queue, pairs, pairs->length, &sums));
    const bool x_moves = move_origin(sums.x_sum, sums.x_squares, count, &sums.x_origin);
    const bool y_moves = move_origin(sums.y_sum, sums.y_squares, count, &sums.y_origin);
    if (x_moves || y_moves)
        REAP_TRY(sum_products(queue, pairs, pairs->length, &sums));
    move_products(&sums, count, result);
    return REAP_OK;
}

static reap_status (*volatile const compute_pairs)(reap_queue *queue, const struct pairs *pairs,
                                                   size_t selected, size_t first_selected,
                                                   reap_comoments *result) = compute_products;

/* Of opened arrays, which become float or double. */
static reap_status reduce_pairs(reap_queue *queue, struct opened *x, reap_type y_type,
                                struct reap__rows *y, reap_comoments *result)
{
    const bool is_single = x->type == REAP_TYPE_FLOAT && y_type == REAP_TYPE_FLOAT;
    const size_t first = x->x.length < FIRST_ELEMENTS ? x->x.length : FIRST_ELEMENTS;
    uint64_t first_selected = first;
    reap_comoments moments = {.count = x->counts[0], .x_mean = (double)NAN, .y_mean = (double)NAN};
    if (moments.count > 0) {
        if (!is_single)
            REAP_TRY(convert(queue, x->type, &x->x));
        if (!is_single)
            REAP_TRY(convert(queue, y_type, y));
        if (x->is_masked)
            REAP_TRY(count_selected(queue, &x->where, 0, 1, first, &first_selected));
        const void *const where = x->is_masked ? x->where.data : x->x.data;
        const struct pairs pairs = {x->x.data, y->data,      where,
                                    is_single, x->is_masked, x->x.length};
        const reap__fp_environment before = reap__fp_enter();
        const reap_status status =
            (compute_pairs)(queue, &pairs, moments.count, first_selected, &moments);
        reap__fp_leave(before);
        if (status != REAP_OK)
            return status;
    }
    *result = moments;
    return REAP_OK;
}

reap_status reap_array_comoments(reap_queue *queue, const reap_array *x, const reap_array *y,
                                 const reap_array_options *options, reap_comoments *result)
{
    struct opened opened;
    struct reap__rows others;
    REAP_TRY(reap__check_queue(queue));
    REAP_TRY(reap__array_check(x, "x"));
    REAP_TRY(reap__array_check(y, "y"));
    REAP_TRY(reap__check_same_shape(x, y, "y"));
    const reap_array *const where = options != NULL ? options->where : NULL;
    REAP_TRY(reap__check_where(x, where));
    if (options != NULL && options->axes != 0)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                    "comoments along axes are not available");
    if (result == NULL)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT, "result is NULL");
    const uint64_t axes = reap__axes_of(x, NULL);
    REAP_TRY(open_rows(queue, x, axes, where, &opened));
    reap_status status = reap__rows_open(queue, y, axes, &others);
    if (status == REAP_OK) {
        status = reduce_pairs(queue, &opened, y->type, &others, result);
        reap__rows_close(&others);
    }
    close_rows(&opened);
    return status;
}
