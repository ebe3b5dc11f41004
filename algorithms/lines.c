/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of the kernels of lines.kernels.h: sums of the rows of an array, one launch for all of
 * them. Kernels write to the result, except for the norm 2, whose roots the host computes.
 */
#include "algorithms/lines.h"

#include "algorithms/lines.kernels.h"
#include "src/core/allocate.h"

#include <math.h>
#include <string.h>

/* ---- Conversions ------------------------------------------------------------------------------*/

static reap_status convert(reap_queue *queue, reap_type from, reap_type to, const void *x,
                           size_t count, void *results)
{
    const size_t block = reap__is_host(queue) ? 2048 : 1;
    const size_t items = (count - 1) / block + 1;
    reap_event *event = NULL;
    const reap_status status =
        to == REAP_TYPE_FLOAT
            ? reap_parallel_for(queue, to_floats, reap_range_1d(items), .x = (const uint8_t *)x,
                                .type = (uint32_t)from, .count = count, .block = block,
                                .to = (float *)results,
                                .launch = {.event = reap__event_for(queue, &event)})
            : reap_parallel_for(queue, to_doubles, reap_range_1d(items), .x = (const uint8_t *)x,
                                .type = (uint32_t)from, .count = count, .block = block,
                                .to = (double *)results,
                                .launch = {.event = reap__event_for(queue, &event)});
    return reap__finish(status, &event);
}

reap_status reap__rows_convert(reap_queue *queue, reap_type from, reap_type to,
                               struct reap__rows *rows)
{
    const size_t count = rows->count * rows->length;
    reap_buffer *buffer;
    if (from == to || count == 0)
        return REAP_OK;
    REAP_TRY(reap_buffer_create(count * reap_type_size(to), &buffer));
    return reap__rows_replace(
        rows, buffer, convert(queue, from, to, rows->data, count, reap_buffer_data(buffer)));
}

/* ---- Launches ---------------------------------------------------------------------------------*/

/* The arguments of a launch. */
struct launch {
    const void *x, *y;
    const uint8_t *where;
    uint32_t is_masked;
    size_t rows, length;
};

static struct launch launch_of(const struct reap__lines_of *x, const struct reap__rows *others)
{
    const bool is_masked = x->where != NULL;
    return (struct launch){x->rows->data,
                           others != NULL ? others->data : NULL,
                           (const uint8_t *)(is_masked ? x->where->data : x->rows->data),
                           is_masked,
                           x->rows->count,
                           x->rows->length};
}

#define RUN(kernel, T, ...)                                                                        \
    reap__finish(reap_parallel_for(queue, kernel, reap_range_2d(it->rows, it->length),             \
                                   .x = (const T *)it->x, .where = it->where,                      \
                                   .is_masked = it->is_masked, .stride = it->length, __VA_ARGS__,  \
                                   .launch = {.event = reap__event_for(queue, &event)}),           \
                 &event)
#define INTO(T, memory)                                                                            \
    {                                                                                              \
        .result = (T *)(memory), .count = it->rows                                                 \
    }

static reap_status sum_floats(reap_queue *queue, reap_reduction reduction, const struct launch *it,
                              void *results)
{
    reap_event *event = NULL;
    if (reduction == REAP_EXACT_SUM)
        return RUN(exact_lines_float, float, .sum = INTO(float, results));
    return RUN(sum_lines_float, float, .is_norm = reduction == REAP_NORM_1,
               .sum = INTO(float, results));
}

static reap_status sum_doubles(reap_queue *queue, reap_reduction reduction, const struct launch *it,
                               void *results)
{
    reap_event *event = NULL;
    if (reduction == REAP_EXACT_SUM)
        return RUN(exact_lines_double, double, .sum = INTO(double, results));
    return RUN(sum_lines_double, double, .is_norm = reduction == REAP_NORM_1,
               .sum = INTO(double, results));
}

#define WHOLES(kernel, ...)                                                                        \
    reap_parallel_for(queue, kernel, range, .x = (const uint8_t *)it->x, .where = it->where,       \
                      .is_masked = it->is_masked, .type = (uint32_t)type, .length = it->length,    \
                      .blocks = blocks, .block = block, __VA_ARGS__,                               \
                      .sums = INTO(uint64_t, results),                                             \
                      .launch = {.event = reap__event_for(queue, &event)})

/* Parts are long on the host, for vectorised loops, and short on a device, for many work-items. If
 * it->y is not NULL, products are summed. */
static reap_status sum_wholes(reap_queue *queue, reap_type type, bool magnitudes,
                              const struct launch *it, void *results)
{
    const size_t block = reap__is_host(queue) ? 8192 : 128;
    const size_t blocks = (it->length - 1) / block + 1;
    const reap_range range = reap_range_1d(it->rows * blocks);
    reap_event *event = NULL;
    const reap_status status = it->y != NULL
                                   ? WHOLES(whole_product_lines, .y = (const uint8_t *)it->y)
                                   : WHOLES(whole_lines, .magnitudes = magnitudes ? UINT64_MAX : 0);
    return reap__finish(status, &event);
}

/* ---- Norms ------------------------------------------------------------------------------------*/

/* Beside large squares, small ones are negligible. */
double reap__norm_of(double large, double sum, double small)
{
    if (large > 0)
        return sqrt(large + (sum * 0x1p-538) * 0x1p-538) * 0x1p+538;
    if (small == 0)
        return sqrt(sum);
    const double a = sqrt(sum), b = sqrt(small) * 0x1p-537;
    const double less = a < b ? a : b, more = a < b ? b : a;
    return sum > 0 || isnan(sum) ? more * sqrt(1 + (less / more) * (less / more)) : b;
}

/* The sum of squares of each row. */
static reap_status sum_squares(reap_queue *queue, bool is_single, const struct launch *it,
                               double *sums)
{
    reap_event *event = NULL;
    if (is_single)
        return RUN(square_lines_float, float, .sum = INTO(double, sums));
    return RUN(product_lines_double, double, .y = (const double *)it->x, .sum = INTO(double, sums));
}

/* The sums of squares of large, other and small numbers of each row. */
static reap_status sum_scaled_squares(reap_queue *queue, const struct launch *it, double *sums)
{
    reap_event *event = NULL;
    double *const rest = sums + it->rows, *const small = rest + it->rows;
    return RUN(square_lines_double, double, .large = INTO(double, sums), .sum = INTO(double, rest),
               .small = INTO(double, small));
}

static bool are_plain(const double *squares, size_t rows)
{
    bool all = true;
    for (size_t r = 0; r < rows; r++)
        all &= reap__norm_is_plain(squares[r]);
    return all;
}

/* The norms replace the sums of squares in their memory, of which there are four for each row. */
static reap_status find_norms(reap_queue *queue, bool is_single, const struct launch *it,
                              double *sums)
{
    const double *const scaled = sums + it->rows;
    REAP_TRY(sum_squares(queue, is_single, it, sums));
    const bool has_scaled = !is_single && !are_plain(sums, it->rows);
    if (has_scaled)
        REAP_TRY(sum_scaled_squares(queue, it, sums + it->rows));
    for (size_t r = 0; r < it->rows; r++) {
        const float root = (float)sqrt(sums[r]);
        if (is_single)
            memcpy((char *)sums + r * sizeof root, &root, sizeof root);
        else if (!has_scaled || reap__norm_is_plain(sums[r]))
            sums[r] = sqrt(sums[r]);
        else
            sums[r] = reap__norm_of(scaled[r], scaled[r + it->rows], scaled[r + 2 * it->rows]);
    }
    return REAP_OK;
}

static reap_status take_norms(reap_queue *queue, bool is_single, const struct launch *it,
                              const reap_array *result)
{
    size_t bytes;
    double one[4], *sums = one;
    if (__builtin_mul_overflow(it->rows, sizeof one, &bytes))
        sums = NULL;
    else if (it->rows > 1)
        sums = reap__allocate(bytes);
    if (sums == NULL)
        return reap__algorithm_fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for %zu results",
                                    it->rows);
    reap_status status = find_norms(queue, is_single, it, sums);
    if (status == REAP_OK)
        status = reap__store(queue, result, sums, it->rows * reap_type_size(result->type));
    if (sums != one)
        reap__free(sums);
    return status;
}

/* ---- Reductions -------------------------------------------------------------------------------*/

static bool is_whole(reap_type type)
{
    return type < REAP_TYPE_HALF;
}

static bool is_signed(reap_type type)
{
    return type == REAP_TYPE_INT8 || type == REAP_TYPE_INT16 || type == REAP_TYPE_INT32 ||
           type == REAP_TYPE_INT64;
}

/* The type that elements are converted to, for which there are kernels. */
static reap_type type_of_sums(reap_reduction reduction, reap_type type)
{
    if (is_whole(type))
        return reduction == REAP_NORM_2 ? REAP_TYPE_DOUBLE : type;
    return type == REAP_TYPE_DOUBLE ? REAP_TYPE_DOUBLE : REAP_TYPE_FLOAT;
}

reap_status reap__lines_reduce(reap_queue *queue, reap_reduction reduction,
                               const struct reap__lines_of *x, const reap_array *result)
{
    const reap_type type = type_of_sums(reduction, x->type);
    REAP_TRY(reap__rows_convert(queue, x->type, type, x->rows));
    const struct launch it = launch_of(x, NULL);
    if (is_whole(type))
        return sum_wholes(queue, type, reduction == REAP_NORM_1 && is_signed(type), &it,
                          result->data);
    const bool is_single = type == REAP_TYPE_FLOAT;
    if (reduction == REAP_NORM_2)
        return take_norms(queue, is_single, &it, result);
    return (is_single ? sum_floats : sum_doubles)(queue, reduction, &it, result->data);
}

reap_status reap__lines_dot(reap_queue *queue, const struct reap__lines_of *x,
                            struct reap__rows *others, const reap_array *result)
{
    const reap_type type = type_of_sums(REAP_SUM, x->type);
    reap_event *event = NULL;
    REAP_TRY(reap__rows_convert(queue, x->type, type, x->rows));
    REAP_TRY(reap__rows_convert(queue, x->type, type, others));
    const struct launch launch = launch_of(x, others), *const it = &launch;
    if (is_whole(type))
        return sum_wholes(queue, type, false, it, result->data);
    return type == REAP_TYPE_FLOAT ? RUN(product_lines_float, float, .y = (const float *)it->y,
                                         .sum = INTO(float, result->data))
                                   : RUN(product_lines_double, double, .y = (const double *)it->y,
                                         .sum = INTO(double, result->data));
}
