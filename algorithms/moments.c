/* SPDX-License-Identifier: Apache-2.0
 *
 * Mean, variance, higher moments, and covariance. Powers or products of differences from an origin
 * are summed; the moments about the mean are computed from these sums. The origin is the mean of
 * the first elements. If that is far from the mean of all, the sums are computed again with the
 * latter. One launch computes the sums of all rows. Where sums or squares of double overflow, all
 * is computed again of a copy whose elements are multiplied by a power of 2, and scaled back.
 */
#include "algorithms/moments.kernels.h"

#include "algorithms/lines.h"
#include "algorithms/order.h"
#include "algorithms/run.h"
#include "src/core/allocate.h"
#include "src/port/fp_environment.h"

#include <math.h>
#include <string.h>

/* ---- Whole arrays, by kernels of their types --------------------------------------------------*/

enum { FIRST_ELEMENTS = 2048 };

/* The moments about the mean, from the sums of powers of differences from the origin. */
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
    if (!isfinite(powers->sum))
        return;
    if (isnan(moments->squares))
        moments->squares = (double)INFINITY;
    if (isnan(moments->fourths))
        moments->fourths = (double)INFINITY;
}

/* Whether the origin is so far from the mean that the subtractions of move_to_mean would cancel
 * digits. */
static bool is_far(double sum, double squares, double count)
{
    return sum * sum / count > 0.75 * squares;
}

/* The moments of contiguous elements. */
static reap_status compute_row(reap_queue *queue, reap_type type, const void *x, size_t length,
                               reap_moments *moments)
{
    reap_status (*const sum_powers)(reap_queue * queue, const void *x, size_t count,
                                    struct reap__powers *powers) = reap__run_of(type)->powers;
    const size_t first = length < FIRST_ELEMENTS ? length : FIRST_ELEMENTS;
    struct reap__powers powers = {.origin = 0};
    REAP_TRY(sum_powers(queue, x, first, &powers));
    powers.origin = isfinite(powers.sum) ? powers.sum / (double)first : 0;
    REAP_TRY(sum_powers(queue, x, length, &powers));
    if (is_far(powers.sum, powers.squares, (double)length)) {
        powers.origin += powers.sum / (double)length;
        REAP_TRY(sum_powers(queue, x, length, &powers));
    }
    move_to_mean(&powers, length, moments);
    return REAP_OK;
}

/* ---- Rows -------------------------------------------------------------------------------------*/

enum { MOST_SUMS = 5, MOST_ORIGINS = 2 };

/* The arrays of a call as rows: one for moments, a pair for covariance. `sums` has those of all
 * rows, one kind after another: of differences, their squares, cubes and fourths; or of differences
 * of x, of y, of the squares of each, and of products. */
struct opened {
    struct reap__rows x, y, where;
    reap_type x_type, y_type;
    bool is_pair, is_masked;
    uint64_t *counts; /* the number of selected elements of each row */
    double *origins;  /* of the rows of x, and then of y */
    double *sums;
    double *scales; /* what elements have been multiplied by, in the same order; NULL: by 1 */
};

static size_t origins_of(const struct opened *it)
{
    return it->is_pair ? 2 : 1;
}

static void close_rows(const struct opened *it)
{
    reap__free(it->scales);
    reap__free(it->counts);
    reap__rows_close(&it->where);
    reap__rows_close(&it->y);
    reap__rows_close(&it->x);
}

/* Counts the elements that the mask selects among the first ones of each row. */
static reap_status count_selected(reap_queue *queue, const struct reap__rows *where, size_t first,
                                  uint64_t *counts)
{
    const size_t shape[] = {where->count, first};
    const ptrdiff_t strides[] = {(ptrdiff_t)where->length, 1};
    const union {
        const void *data;
        void *of_array; /* only read */
    } memory = {where->data};
    const reap_array array = {memory.of_array, REAP_TYPE_UINT8, 2, shape, strides};
    struct reap__rows firsts;
    REAP_TRY(reap__rows_open(queue, &array, 1 << 1, &firsts));
    const reap_status status = reap__count_selected(queue, &firsts, counts);
    reap__rows_close(&firsts);
    return status;
}

/* Counts the selected elements, and allocates memory for origins and sums. */
static reap_status open_sums(reap_queue *queue, const reap_array *where, uint64_t axes,
                             struct opened *it)
{
    enum { WORDS = 1 + MOST_ORIGINS + MOST_SUMS };
    size_t bytes;
    if (!__builtin_mul_overflow(it->x.count, WORDS * sizeof(double), &bytes))
        it->counts = reap__allocate(bytes + 1);
    if (it->counts == NULL)
        return reap__algorithm_fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for %zu results",
                                    it->x.count);
    it->origins = (double *)(void *)(it->counts + it->x.count);
    it->sums = it->origins + MOST_ORIGINS * it->x.count;
    for (size_t r = 0; r < it->x.count; r++)
        it->counts[r] = it->x.length;
    if (where == NULL)
        return REAP_OK;
    it->is_masked = true;
    REAP_TRY(reap__rows_open(queue, where, axes, &it->where));
    return it->x.count * it->x.length > 0
               ? count_selected(queue, &it->where, it->x.length, it->counts)
               : REAP_OK;
}

/* `y` may be NULL. */
static reap_status open_rows(reap_queue *queue, const reap_array *x, const reap_array *y,
                             uint64_t axes, const reap_array *where, struct opened *it)
{
    *it = (struct opened){.x_type = x->type, .is_pair = y != NULL};
    reap_status status = reap__rows_open(queue, x, axes, &it->x);
    if (status == REAP_OK && y != NULL) {
        it->y_type = y->type;
        status = reap__rows_open(queue, y, axes, &it->y);
    }
    if (status == REAP_OK)
        status = open_sums(queue, where, axes, it);
    if (status != REAP_OK)
        close_rows(it);
    return status;
}

/* Converts elements to float or double, for which there are kernels. */
static reap_status convert(reap_queue *queue, struct opened *it)
{
    const bool is_single =
        it->x_type == REAP_TYPE_FLOAT && (!it->is_pair || it->y_type == REAP_TYPE_FLOAT);
    if (is_single)
        return REAP_OK;
    REAP_TRY(reap__rows_convert(queue, it->x_type, REAP_TYPE_DOUBLE, &it->x));
    it->x_type = REAP_TYPE_DOUBLE;
    if (!it->is_pair)
        return REAP_OK;
    REAP_TRY(reap__rows_convert(queue, it->y_type, REAP_TYPE_DOUBLE, &it->y));
    it->y_type = REAP_TYPE_DOUBLE;
    return REAP_OK;
}

/* ---- Sums of rows -----------------------------------------------------------------------------*/

#define OF_MASK                                                                                    \
    .where = (const uint8_t *)(it->is_masked ? it->where.data : it->x.data),                       \
    .is_masked = it->is_masked, .stride = it->x.length,                                            \
    .launch = {.event = reap__event_for(queue, &event)}
#define OF_ROWS(T) .x = (const T *)it->x.data, .origins = it->origins, OF_MASK
#define SUM(k)                                                                                     \
    {                                                                                              \
        .result = it->sums + k * it->x.count, .count = it->x.count                                 \
    }
#define SUM_POWERS(name, T)                                                                        \
    reap_parallel_for(queue, name, reap_range_2d(it->x.count, it->x.length), OF_ROWS(T),           \
                      .sum = SUM(0), .squares = SUM(1), .cubes = SUM(2), .fourths = SUM(3))
#define SUM_PRODUCTS(name, T)                                                                      \
    reap_parallel_for(queue, name, reap_range_2d(it->x.count, it->x.length), OF_ROWS(T),           \
                      .y = (const T *)it->y.data, .x_sum = SUM(0), .y_sum = SUM(1),                \
                      .x_squares = SUM(2), .y_squares = SUM(3), .products = SUM(4))

#define SUM_FIRST(name, T)                                                                         \
    reap_parallel_for(queue, name, reap_range_2d(it->x.count, first), .x = (const T *)rows->data,  \
                      .sum = SUM(k), OF_MASK)

/* Sums the first elements of each row. */
static reap_status sum_first(reap_queue *queue, const struct opened *it, size_t first)
{
    for (size_t k = 0; k < origins_of(it); k++) {
        const struct reap__rows *const rows = k == 0 ? &it->x : &it->y;
        reap_event *event = NULL;
        const reap_status status = it->x_type == REAP_TYPE_FLOAT ? SUM_FIRST(sums_float, float)
                                                                 : SUM_FIRST(sums_double, double);
        REAP_TRY(reap__finish(status, &event));
    }
    return REAP_OK;
}

static reap_status launch_sums(reap_queue *queue, const struct opened *it)
{
    const bool is_single = it->x_type == REAP_TYPE_FLOAT;
    reap_event *event = NULL;
    const reap_status status = it->is_pair ? is_single ? SUM_PRODUCTS(products_float, float)
                                                       : SUM_PRODUCTS(products_double, double)
                               : is_single ? SUM_POWERS(powers_float, float)
                                           : SUM_POWERS(powers_double, double);
    return reap__finish(status, &event);
}

/* Computes the sums of all rows, over all their elements. */
static reap_status sum_rows(reap_queue *queue, const struct opened *it)
{
    reap_buffer *buffer = NULL;
    if (!reap__is_host(queue))
        REAP_TRY(reap_buffer_wrap(it->origins, origins_of(it) * it->x.count * sizeof *it->origins,
                                  &buffer));
    const reap_status status = launch_sums(queue, it);
    const reap_status released = reap_buffer_release(buffer);
    return status == REAP_OK ? released : status;
}

/* Computes origins from the sums of the first elements. */
static reap_status set_origins(reap_queue *queue, const struct opened *it, size_t first)
{
    const size_t rows = it->x.count;
    uint64_t *const counts = it->is_masked ? reap__allocate(rows * sizeof *counts) : NULL;
    reap_status status = REAP_OK;
    if (it->is_masked)
        status = counts != NULL ? count_selected(queue, &it->where, first, counts)
                                : reap__algorithm_fail(REAP_ERROR_OUT_OF_MEMORY,
                                                       "no memory for %zu results", rows);
    for (size_t i = 0; i < origins_of(it) * rows && status == REAP_OK; i++) {
        const uint64_t count = counts != NULL ? counts[i % rows] : first;
        it->origins[i] = count > 0 && isfinite(it->sums[i]) ? it->sums[i] / (double)count : 0;
    }
    reap__free(counts);
    return status;
}

/* Sets origins that are far from the mean to the mean. Returns whether there were any. */
static bool move_origins(const struct opened *it)
{
    const size_t rows = it->x.count;
    const double *const squares = it->sums + origins_of(it) * rows;
    bool any = false;
    for (size_t i = 0; i < origins_of(it) * rows; i++) {
        const double count = (double)it->counts[i % rows];
        if (is_far(it->sums[i], squares[i], count)) {
            it->origins[i] += it->sums[i] / count;
            any = true;
        }
    }
    return any;
}

/* For rows that have elements. */
static reap_status compute_sums(reap_queue *queue, struct opened *it)
{
    const size_t length = it->x.length, first = length < FIRST_ELEMENTS ? length : FIRST_ELEMENTS;
    REAP_TRY(convert(queue, it));
    REAP_TRY(sum_first(queue, it, first));
    REAP_TRY(set_origins(queue, it, first));
    REAP_TRY(sum_rows(queue, it));
    return move_origins(it) ? sum_rows(queue, it) : REAP_OK;
}

/* ---- Overflow ---------------------------------------------------------------------------------*/

/* Scaled elements are less than 2^SCALED_TO: their fourths do not overflow, nor do those of
 * differences in their last digits underflow. */
enum { SCALED_TO = 200 };

static const struct reap__rows *array_of(const struct opened *it, size_t k)
{
    return k == 0 ? &it->x : &it->y;
}

static double *scales_of(const struct opened *it, size_t k)
{
    return it->scales + k * it->x.count;
}

/* The means of rows whose sums overflow, which are those of exact sums; NaN for others. */
static double *means_of(const struct opened *it, size_t k)
{
    return it->scales + (origins_of(it) + k) * it->x.count;
}

/* Whether the mean, or the sum of squares, is infinite or NaN in a row of array k. */
static bool mean_overflows(const struct opened *it, const void *results, size_t k, size_t r)
{
    const reap_moments *const moments = results;
    const reap_comoments *const pairs = results;
    return !isfinite(!it->is_pair ? moments[r].mean : k == 0 ? pairs[r].x_mean : pairs[r].y_mean);
}

static bool squares_overflow(const struct opened *it, const void *results, size_t k, size_t r)
{
    const reap_moments *const moments = results;
    const reap_comoments *const pairs = results;
    return !isfinite(!it->is_pair ? moments[r].squares
                     : k == 0     ? pairs[r].x_squares
                                  : pairs[r].y_squares);
}

static bool overflows(const struct opened *it, const void *results, size_t k, size_t r)
{
    return it->counts[r] > 0 &&
           (mean_overflows(it, results, k, r) || squares_overflow(it, results, k, r));
}

static bool any_overflows(const struct opened *it, const void *results)
{
    const size_t rows = it->x.count;
    size_t i = 0;
    while (i < origins_of(it) * rows && !overflows(it, results, i / rows, i % rows))
        i++;
    return i < origins_of(it) * rows;
}

/* A reduction of each row of an array of double. */
static reap_status reduce_rows(reap_queue *queue, reap_reduction reduction, const struct opened *it,
                               size_t k, double *results)
{
    const size_t shape[] = {it->x.count, it->x.length};
    const ptrdiff_t of_mask[] = {(ptrdiff_t)it->x.length, 1};
    const union {
        const void *data;
        void *of_array; /* only read */
    } elements = {array_of(it, k)->data}, mask = {it->where.data};
    const reap_array x = {elements.of_array, REAP_TYPE_DOUBLE, 2, shape, NULL};
    const reap_array where = {mask.of_array, REAP_TYPE_UINT8, 2, shape, of_mask};
    const reap_array result = {results, REAP_TYPE_DOUBLE, 1, shape, NULL};
    const reap_array_options options = {.axes = 1 << 1, .where = it->is_masked ? &where : NULL};
    reap_buffer *buffer = NULL;
    if (!reap__is_host(queue))
        REAP_TRY(reap_buffer_wrap(results, it->x.count * sizeof *results, &buffer));
    const reap_status status = reap_array_reduce(queue, reduction, &x, &options, &result);
    const reap_status released = reap_buffer_release(buffer);
    return status == REAP_OK ? released : status;
}

/* Computes the scales of an array: 1 for rows that do not overflow, and for those with an element
 * that is infinite or NaN. */
static reap_status find_scales(reap_queue *queue, const struct opened *it, const void *results,
                               size_t k, bool *is_any)
{
    double *const scales = scales_of(it, k);
    REAP_TRY(reduce_rows(queue, REAP_NORM_INFINITY, it, k, scales));
    for (size_t r = 0; r < it->x.count; r++) {
        int exponent = SCALED_TO;
        if (overflows(it, results, k, r) && isfinite(scales[r])) {
            frexp(scales[r], &exponent);
            *is_any = true;
        }
        scales[r] = ldexp(1, SCALED_TO - exponent);
    }
    return REAP_OK;
}

static reap_status launch_scaled(reap_queue *queue, const struct opened *it, size_t k, double *to)
{
    reap_event *event = NULL;
    const reap_status status = reap_parallel_for(
        queue, scaled_rows, reap_range_2d(it->x.count, it->x.length),
        .x = (const double *)array_of(it, k)->data, .scales = scales_of(it, k),
        .stride = it->x.length, .to = to, .launch = {.event = reap__event_for(queue, &event)});
    return reap__finish(status, &event);
}

/* Replaces the rows of an array by scaled ones. */
static reap_status scale_rows(reap_queue *queue, struct opened *it, size_t k)
{
    reap_buffer *buffer, *wrapped = NULL;
    REAP_TRY(reap_buffer_create(it->x.count * it->x.length * sizeof(double), &buffer));
    reap_status status = REAP_OK;
    if (!reap__is_host(queue))
        status = reap_buffer_wrap(scales_of(it, k), it->x.count * sizeof(double), &wrapped);
    if (status == REAP_OK)
        status = launch_scaled(queue, it, k, reap_buffer_data(buffer));
    const reap_status released = reap_buffer_release(wrapped);
    return reap__rows_replace(k == 0 ? &it->x : &it->y, buffer,
                              status == REAP_OK ? released : status);
}

/* Scales an array, and computes means from its exact sums: before it is scaled, for the last
 * digits of small elements, and afterwards, where even the exact sum overflows. */
static reap_status scale_array(reap_queue *queue, struct opened *it, const void *results, size_t k)
{
    const double *const scales = scales_of(it, k);
    double *const means = means_of(it, k);
    REAP_TRY(reduce_rows(queue, REAP_EXACT_SUM, it, k, means));
    REAP_TRY(scale_rows(queue, it, k));
    REAP_TRY(reduce_rows(queue, REAP_EXACT_SUM, it, k, it->sums));
    for (size_t r = 0; r < it->x.count; r++) {
        const double count = (double)it->counts[r];
        means[r] = !mean_overflows(it, results, k, r) ? (double)NAN
                   : isfinite(means[r])               ? means[r] / count
                                                      : it->sums[r] / count / scales[r];
    }
    return REAP_OK;
}

/* Scales rows whose sums or squares have overflowed although all elements are finite. Returns
 * whether there are any in *is_any. */
static reap_status scale_overflow(reap_queue *queue, struct opened *it, const void *results,
                                  bool *is_any)
{
    const size_t arrays = origins_of(it);
    *is_any = false;
    if (it->x_type != REAP_TYPE_DOUBLE || !any_overflows(it, results))
        return REAP_OK;
    it->scales = reap__allocate(2 * arrays * it->x.count * sizeof *it->scales);
    if (it->scales == NULL)
        return reap__algorithm_fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for %zu results",
                                    it->x.count);
    for (size_t k = 0; k < arrays; k++)
        REAP_TRY(find_scales(queue, it, results, k, is_any));
    for (size_t k = 0; k < arrays && *is_any; k++)
        REAP_TRY(scale_array(queue, it, results, k));
    return REAP_OK;
}

/* What the row's results are multiplied by. */
static double unscaled(const struct opened *it, size_t k, size_t r)
{
    return it->scales != NULL ? 1 / scales_of(it, k)[r] : 1;
}

/* The mean from that of scaled elements. If they are all equal the latter is the element, which
 * the quotient of sum and count might not be. */
static double unscaled_mean(const struct opened *it, size_t k, size_t r, double mean,
                            double squares)
{
    const double exact = it->scales != NULL ? means_of(it, k)[r] : (double)NAN;
    return isnan(exact) || squares == 0 ? mean * unscaled(it, k, r) : exact;
}

/* ---- Moments ----------------------------------------------------------------------------------*/

/* Whether each row is a launch of a kernel of its type: a single row, and on the host long rows of
 * types that would be converted otherwise. */
static bool computes_each(const reap_queue *queue, const struct opened *it)
{
    const bool is_converted = it->x_type != REAP_TYPE_FLOAT && it->x_type != REAP_TYPE_DOUBLE;
    return !it->is_masked && (it->x.count == 1 ||
                              (is_converted && it->x.length > REAP__LEAF && reap__is_host(queue)));
}

static reap_status compute_each(reap_queue *queue, struct opened *it, reap_moments *results)
{
    const size_t bytes = it->x.length * reap_type_size(it->x_type);
    for (size_t r = 0; r < it->x.count; r++)
        REAP_TRY(compute_row(queue, it->x_type, (const char *)it->x.data + r * bytes, it->x.length,
                             &results[r]));
    return REAP_OK;
}

/* One after the other, since the powers of the scale may overflow. */
static void scale_moments(const struct opened *it, size_t r, reap_moments *moments)
{
    const double up = unscaled(it, 0, r);
    moments->mean = unscaled_mean(it, 0, r, moments->mean, moments->squares);
    moments->squares = moments->squares * up * up;
    moments->cubes = moments->cubes * up * up * up;
    moments->fourths = moments->fourths * up * up * up * up;
}

static reap_status compute_all(reap_queue *queue, struct opened *it, reap_moments *results)
{
    const size_t rows = it->x.count;
    REAP_TRY(compute_sums(queue, it));
    for (size_t r = 0; r < rows; r++) {
        const double *const of = it->sums + r;
        const struct reap__powers powers = {it->origins[r], of[0], of[rows], of[2 * rows],
                                            of[3 * rows]};
        if (it->counts[r] == 0)
            continue;
        move_to_mean(&powers, it->counts[r], &results[r]);
        scale_moments(it, r, &results[r]);
    }
    return REAP_OK;
}

static reap_status compute_moments(reap_queue *queue, struct opened *it, void *memory)
{
    reap_moments *const results = memory;
    bool is_scaled;
    for (size_t r = 0; r < it->x.count; r++)
        results[r] = (reap_moments){.count = it->counts[r], .mean = (double)NAN};
    if (it->x.length == 0)
        return REAP_OK;
    REAP_TRY((computes_each(queue, it) ? compute_each : compute_all)(queue, it, results));
    REAP_TRY(scale_overflow(queue, it, results, &is_scaled));
    return is_scaled ? compute_all(queue, it, results) : REAP_OK;
}

/* ---- Covariance -------------------------------------------------------------------------------*/

/* The comoments about the means, from the sums of a row of differences from the origins. */
static void move_products(const struct opened *it, size_t row, reap_comoments *result)
{
    const size_t rows = it->x.count;
    const double *const of = it->sums + row, count = (double)it->counts[row];
    const double x_distance = of[0] / count, y_distance = of[rows] / count;
    const double x_squares = of[2 * rows] - x_distance * of[0];
    const double y_squares = of[3 * rows] - y_distance * of[rows];
    result->x_mean = it->origins[row] + x_distance;
    result->y_mean = it->origins[rows + row] + y_distance;
    result->x_squares = x_squares < 0 ? 0 : x_squares;
    result->y_squares = y_squares < 0 ? 0 : y_squares;
    const bool is_finite = isfinite(result->x_mean) && isfinite(result->y_mean);
    /* With an infinity the difference is NaN or infinity, as the other array's signs have it. */
    result->products = is_finite ? of[4 * rows] - x_distance * of[rows] : (double)NAN;
}

static void scale_pairs(const struct opened *it, size_t r, reap_comoments *pairs)
{
    const double up = unscaled(it, 0, r), y_up = unscaled(it, 1, r);
    pairs->x_mean = unscaled_mean(it, 0, r, pairs->x_mean, pairs->x_squares);
    pairs->y_mean = unscaled_mean(it, 1, r, pairs->y_mean, pairs->y_squares);
    pairs->x_squares = pairs->x_squares * up * up;
    pairs->y_squares = pairs->y_squares * y_up * y_up;
    pairs->products = pairs->products * up * y_up;
}

static reap_status compute_pairs(reap_queue *queue, struct opened *it, reap_comoments *results)
{
    REAP_TRY(compute_sums(queue, it));
    for (size_t r = 0; r < it->x.count; r++) {
        if (it->counts[r] == 0)
            continue;
        move_products(it, r, &results[r]);
        scale_pairs(it, r, &results[r]);
    }
    return REAP_OK;
}

static reap_status compute_comoments(reap_queue *queue, struct opened *it, void *memory)
{
    reap_comoments *const results = memory;
    bool is_scaled;
    for (size_t r = 0; r < it->x.count; r++)
        results[r] =
            (reap_comoments){.count = it->counts[r], .x_mean = (double)NAN, .y_mean = (double)NAN};
    if (it->x.length == 0)
        return REAP_OK;
    REAP_TRY(compute_pairs(queue, it, results));
    REAP_TRY(scale_overflow(queue, it, results, &is_scaled));
    return is_scaled ? compute_pairs(queue, it, results) : REAP_OK;
}

/* ---- Results ----------------------------------------------------------------------------------*/

union result {
    reap_moments moments;
    reap_comoments comoments;
};

/* Called through volatile pointers, so compilers do not move their arithmetic out of the library's
 * floating-point environment. */
typedef reap_status compute_function(reap_queue *queue, struct opened *it, void *memory);
static compute_function *volatile const of_array = compute_moments;
static compute_function *volatile const of_pairs = compute_comoments;

/* Computes in separate memory first: results must not change after an error, and may be in a
 * buffer. */
static reap_status compute_results(reap_queue *queue, struct opened *it, void *results)
{
    union result one;
    const size_t rows = it->x.count;
    const size_t bytes = rows * (it->is_pair ? sizeof one.comoments : sizeof one.moments);
    if (rows == 0)
        return REAP_OK;
    void *const all = rows == 1 ? &one : reap__allocate(bytes);
    if (all == NULL)
        return reap__algorithm_fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for %zu results", rows);
    const reap__fp_environment before = reap__fp_enter();
    reap_status status = (it->is_pair ? of_pairs : of_array)(queue, it, all);
    reap__fp_leave(before);
    if (status == REAP_OK)
        status = (rows == 1 ? reap__store_value : reap__copy)(queue, results, all, bytes);
    if (all != &one)
        reap__free(all);
    return status;
}

reap_status reap_array_moments_along(reap_queue *queue, const reap_array *x,
                                     const reap_array_options *options, reap_moments *results)
{
    struct opened opened;
    const reap_array *where;
    uint64_t axes;
    REAP_TRY(reap__check_along(queue, x, options, &axes, &where));
    if (results == NULL)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT, "result is NULL");
    REAP_TRY(open_rows(queue, x, NULL, axes, where, &opened));
    const reap_status status = compute_results(queue, &opened, results);
    close_rows(&opened);
    return status;
}

reap_status reap_array_moments(reap_queue *queue, const reap_array *x, reap_moments *result)
{
    return reap_array_moments_along(queue, x, NULL, result);
}

reap_status reap_array_comoments_along(reap_queue *queue, const reap_array *x, const reap_array *y,
                                       const reap_array_options *options, reap_comoments *results)
{
    struct opened opened;
    const reap_array *where;
    uint64_t axes;
    REAP_TRY(reap__check_along(queue, x, options, &axes, &where));
    REAP_TRY(reap__array_check(y, "y"));
    REAP_TRY(reap__check_same_shape(x, y, "y"));
    if (results == NULL)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT, "result is NULL");
    REAP_TRY(open_rows(queue, x, y, axes, where, &opened));
    const reap_status status = compute_results(queue, &opened, results);
    close_rows(&opened);
    return status;
}

reap_status reap_array_comoments(reap_queue *queue, const reap_array *x, const reap_array *y,
                                 const reap_array_options *options, reap_comoments *result)
{
    if (options != NULL && options->axes != 0)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                    ".axes must be 0: reap_array_comoments has one result "
                                    "(reap_array_comoments_along has more)");
    return reap_array_comoments_along(queue, x, y, options, result);
}
