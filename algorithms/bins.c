/* SPDX-License-Identifier: Apache-2.0
 *
 * Histograms, and counts and sums by key: checks, edges as keys, and launches of the kernels of
 * bins.kernels.h. A histogram with weights is a launch that finds the bins, and then sums with the
 * bins as keys.
 */
#include "algorithms/bins.kernels.h"

#include "algorithms/keys.h"
#include "src/core/allocate.h"
#include "src/port/fp_environment.h"

#include <math.h>
#include <string.h>

_Static_assert(BINS_BOOL == REAP_TYPE_BOOL && BINS_INT8 == REAP_TYPE_INT8 &&
                   BINS_UINT8 == REAP_TYPE_UINT8 && BINS_INT16 == REAP_TYPE_INT16 &&
                   BINS_UINT16 == REAP_TYPE_UINT16 && BINS_INT32 == REAP_TYPE_INT32 &&
                   BINS_UINT32 == REAP_TYPE_UINT32 && BINS_INT64 == REAP_TYPE_INT64 &&
                   BINS_UINT64 == REAP_TYPE_UINT64 && BINS_HALF == REAP_TYPE_HALF &&
                   BINS_BFLOAT16 == REAP_TYPE_BFLOAT16 && BINS_FLOAT == REAP_TYPE_FLOAT &&
                   BINS_DOUBLE == REAP_TYPE_DOUBLE,
               "bins.kernels.h has the values of reap_type");

/* ---- Arrays -----------------------------------------------------------------------------------*/

/* The arrays of a call as rows. `where` and `weights` are empty if the options have none. */
struct bins {
    struct reap__rows x, where, weights;
    reap_type type, weight_type;
    bool is_masked, is_weighted;
};

static void bins_close(const struct bins *bins)
{
    reap__rows_close(&bins->x);
    reap__rows_close(&bins->where);
    reap__rows_close(&bins->weights);
}

static reap_status bins_open(reap_queue *queue, const reap_array *x,
                             const reap_bin_options *options, struct bins *bins)
{
    const uint64_t axes = reap__axes_of(x, NULL);
    *bins = (struct bins){.type = x->type,
                          .weight_type = REAP_TYPE_NONE,
                          .is_masked = options->where != NULL,
                          .is_weighted = options->weights != NULL};
    reap_status status = reap__rows_open(queue, x, axes, &bins->x);
    if (status != REAP_OK)
        return status;
    if (bins->is_masked)
        status = reap__rows_open(queue, options->where, axes, &bins->where);
    if (status == REAP_OK && options->weights != NULL) {
        bins->weight_type = options->weights->type;
        status = reap__rows_open(queue, options->weights, axes, &bins->weights);
    }
    if (status != REAP_OK)
        bins_close(bins);
    return status;
}

static reap_status check_bins(const reap_queue *queue, const reap_array *x, const char *name,
                              const reap_bin_options *options, const reap_array *result)
{
    REAP_TRY(reap__check_queue(queue));
    REAP_TRY(reap__array_check(x, name));
    REAP_TRY(reap__check_where(x, options->where));
    if (options->outside != NULL)
        REAP_TRY(reap__check_extent(options->outside, sizeof *options->outside, "'outside'"));
    reap_type type = REAP_TYPE_UINT64;
    if (options->weights != NULL) {
        REAP_TRY(reap__array_check(options->weights, "weights"));
        REAP_TRY(reap__check_same_shape(x, options->weights, "weights"));
        type = reap_array_reduce_type(REAP_EXACT_SUM, options->weights->type);
    }
    REAP_TRY(reap__array_check(result, "result"));
    if (result->dimensions != 1)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                    "the result has %u dimensions: it must have 1",
                                    result->dimensions);
    /* A result along no axes has the shape of an array. */
    return reap__check_result(result, 0, type, result);
}

/* ---- By key -----------------------------------------------------------------------------------*/

/* The mask; without one, any array of the device, since the kernel has the parameter. */
static const void *where_of(const struct bins *bins)
{
    return bins->is_masked ? bins->where.data : bins->x.data;
}

/* Stores the results for an array without elements. */
static reap_status store_zeros(reap_queue *queue, const reap_array *result, uint64_t *outside)
{
    const size_t bytes = result->shape[0] * reap_type_size(result->type);
    void *const zeros = reap__allocate(bytes + 1);
    if (zeros == NULL)
        return reap__algorithm_fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for %zu results",
                                    result->shape[0]);
    memset(zeros, 0, bytes);
    reap_status status = bytes > 0 ? reap__store(queue, result, zeros, bytes) : REAP_OK;
    reap__free(zeros);
    if (status == REAP_OK && outside != NULL)
        status = reap__store_value(queue, outside, &(uint64_t){0}, sizeof *outside);
    return status;
}

/* The arguments that all launches by key have. `results` has memory for at least one result. */
#define BY_KEY(word, T, ...)                                                                       \
    reap_parallel_for(queue, word, reap_range_1d(bins->x.length),                                  \
                      .x = (const uint8_t *)bins->x.data,                                          \
                      .where = (const uint8_t *)where_of(bins), .type = (uint32_t)bins->type,      \
                      .is_masked = bins->is_masked,                                                \
                      .results = {.result = (T *)results, .count = count > 0 ? count : 1},         \
                      .outside = {.result = outside},                                              \
                      .launch = {.event = reap__event_for(queue, &event)}, __VA_ARGS__)

static reap_status launch_by_key(reap_queue *queue, const struct bins *bins, size_t count,
                                 void *results, uint64_t *outside)
{
    const void *const weights = bins->weights.data;
    reap_event *event = NULL;
    reap_status status;
    if (!bins->is_weighted)
        status = BY_KEY(count_by_key, uint64_t, .bins = count);
    else if (bins->weight_type == REAP_TYPE_DOUBLE)
        status =
            BY_KEY(sum_doubles_by_key, double, .bins = count, .weights = (const double *)weights);
    else if (bins->weight_type >= REAP_TYPE_HALF)
        status =
            BY_KEY(sum_singles_by_key, float, .bins = count, .weights = (const uint8_t *)weights,
                   .weight_type = (uint32_t)bins->weight_type);
    else
        status =
            BY_KEY(sum_wholes_by_key, uint64_t, .bins = count, .weights = (const uint8_t *)weights,
                   .weight_type = (uint32_t)bins->weight_type);
    return reap__finish(status, &event);
}

/* Sums in separate memory first, since the result must not change if a key is outside. */
static reap_status sum_all_keys(reap_queue *queue, const struct bins *bins,
                                const reap_array *result)
{
    const size_t count = result->shape[0], bytes = count * reap_type_size(result->type);
    void *const values = reap__allocate(bytes + sizeof(uint64_t));
    uint64_t outside = 0;
    if (values == NULL)
        return reap__algorithm_fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for %zu sums", count);
    reap_status status = launch_by_key(queue, bins, count, values, &outside);
    if (status == REAP_OK && outside > 0)
        status = reap__algorithm_fail(REAP_ERROR_INDEX_OUT_OF_RANGE,
                                      "%llu keys are negative, or not less than %zu, the length "
                                      "of the result",
                                      (unsigned long long)outside, count);
    if (status == REAP_OK && count > 0)
        status = reap__store(queue, result, values, bytes);
    reap__free(values);
    return status;
}

reap_status reap_array_sum_by_key(reap_queue *queue, const reap_array *keys,
                                  const reap_bin_options *options, const reap_array *result)
{
    static const reap_bin_options none;
    struct bins bins;
    uint64_t value;
    const reap_bin_options *const given = options != NULL ? options : &none;
    REAP_TRY(check_bins(queue, keys, "keys", given, result));
    if (keys->type >= REAP_TYPE_HALF)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                    "the keys are of type %s: they must be integers",
                                    reap__type_name(keys->type));
    if (reap__array_count(keys) == 0)
        return store_zeros(queue, result, given->outside);
    REAP_TRY(bins_open(queue, keys, given, &bins));
    const reap_status status =
        given->outside == NULL
            ? sum_all_keys(queue, &bins, result)
            : launch_by_key(queue, &bins, result->shape[0],
                            result->shape[0] > 0 ? result->data : &value, given->outside);
    bins_close(&bins);
    return status;
}

/* ---- Edges ------------------------------------------------------------------------------------*/

/* Edges for the kernels: the keys of the first edges of those bins that elements of the type can be
 * in, and the largest key of the last bin. */
struct edges {
    int64_t *keys, last;
    size_t count;
    double origin, scale;
    reap_buffer *buffer;
};

static void edges_close(const struct edges *edges)
{
    if (edges->buffer != NULL)
        reap_buffer_release(edges->buffer);
    reap__free(edges->keys);
}

/* The type in which elements are compared; it represents all values of the elements' type. */
static reap_type key_type(reap_type type)
{
    return type == REAP_TYPE_INT64 || type == REAP_TYPE_UINT64 ? type : REAP_TYPE_DOUBLE;
}

static reap_number edge_at(const reap_array *edges, size_t i)
{
    const size_t size = reap_type_size(edges->type);
    const ptrdiff_t stride = edges->strides != NULL ? edges->strides[0] : (ptrdiff_t)size;
    return reap__number_of(edges->type, (const char *)edges->data + (ptrdiff_t)i * stride);
}

static double real_of(const reap_number *number)
{
    return number->type == REAP_TYPE_DOUBLE  ? number->of_double
           : number->type == REAP_TYPE_INT64 ? (double)number->of_int64
                                             : (double)number->of_uint64;
}

static reap_status check_edges(const reap_array *edges, const reap_array *result)
{
    REAP_TRY(reap__array_check(edges, "edges"));
    if (edges->dimensions != 1 || edges->shape[0] < 2)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                    "edges is not a one-dimensional array of at least two numbers");
    if (result->shape[0] == edges->shape[0] - 1)
        return REAP_OK;
    return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                "the result has %zu elements, but there are %zu bins",
                                result->shape[0], edges->shape[0] - 1);
}

/* Waits for reductions that store to edges, which are in variables. */
static reap_status wait_for_edges(reap_queue *queue, const reap_array *edges)
{
    const ptrdiff_t size = (ptrdiff_t)reap_type_size(edges->type);
    const ptrdiff_t stride = edges->strides != NULL ? edges->strides[0] : size;
    const ptrdiff_t last =
        ((ptrdiff_t)edges->shape[0] - 1) * stride; /* there is one edge at least */
    const char *const begin = (const char *)edges->data + (last < 0 ? last : 0);
    return reap_queue_wait_for_variable(queue, begin, (size_t)((last < 0 ? -last : last) + size));
}

/* Copies edges that are not in a variable to *copy, memory that the caller frees. */
static reap_status fetch_edges(reap_queue *queue, reap_array *edges, void **copy)
{
    struct reap__rows rows;
    const size_t bytes = edges->shape[0] * reap_type_size(edges->type);
    if (reap__is_variable(edges->data))
        return wait_for_edges(queue, edges);
    *copy = reap__allocate(bytes);
    if (*copy == NULL)
        return reap__algorithm_fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for %zu edges",
                                    edges->shape[0]);
    REAP_TRY(reap__rows_open(queue, edges, 1, &rows));
    const reap_status status = reap__copy(queue, *copy, rows.data, bytes);
    reap__rows_close(&rows);
    edges->data = *copy;
    edges->strides = NULL;
    return status;
}

static reap_status check_order(const reap_array *edges)
{
    for (size_t i = 0; i < edges->shape[0]; i++) {
        const reap_number edge = edge_at(edges, i);
        if (isnan(real_of(&edge)))
            return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT, "edge %zu is NaN", i);
        const reap_number before = edge_at(edges, i > 0 ? i - 1 : 0);
        if (reap__compare_numbers(&edge, &before) < 0)
            return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                        "edge %zu is less than the edge before it", i);
    }
    return REAP_OK;
}

/* The number of bins per unit, if the bin computed from it is off by at most one at each edge;
 * otherwise 0. */
static double scale_of(const reap_array *edges)
{
    const size_t bins = edges->shape[0] - 1;
    const reap_number first = edge_at(edges, 0), last = edge_at(edges, bins);
    const double origin = real_of(&first), scale = (double)bins / (real_of(&last) - origin);
    if (!isfinite(scale))
        return 0;
    for (size_t i = 0; i <= bins; i++) {
        const reap_number edge = edge_at(edges, i);
        if (!(fabs((real_of(&edge) - origin) * scale - (double)i) <= 1))
            return 0;
    }
    return scale;
}

static reap_status edges_open(const reap_array *array, reap_type type, struct edges *edges)
{
    const size_t bins = array->shape[0] - 1;
    const reap_number first = edge_at(array, 0), last = edge_at(array, bins);
    int64_t after;
    *edges = (struct edges){.keys = reap__allocate(bins * sizeof(int64_t)),
                            .last = reap__key_largest(type),
                            .origin = real_of(&first),
                            .scale = scale_of(array)};
    if (edges->keys == NULL)
        return reap__algorithm_fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for %zu edges", bins);
    for (; edges->count < bins; edges->count++) {
        const reap_number edge = edge_at(array, edges->count);
        if (!reap__key_from(type, &edge, false, &edges->keys[edges->count]))
            break;
    }
    const bool ends = reap__key_from(type, &last, true, &after);
    if (ends && after > reap__key_least(type))
        edges->last = after - 1;
    if (edges->count == 0 || (ends && after == reap__key_least(type))) {
        /* No element is inside. */
        edges->keys[0] = INT64_MAX;
        edges->last = INT64_MIN;
        edges->count = 1;
    }
    const reap_status status =
        reap_buffer_wrap(edges->keys, bins * sizeof(int64_t), &edges->buffer);
    if (status != REAP_OK)
        edges_close(edges);
    return status;
}

/* ---- Histograms -------------------------------------------------------------------------------*/

#define OF_EDGES                                                                                   \
    .x = (const uint8_t *)bins->x.data, .type = (uint32_t)bins->type, .edges = edges->keys,        \
    .bins = edges->count, .last = edges->last, .origin = edges->origin, .scale = edges->scale,     \
    .launch = {.event = reap__event_for(queue, &event)}

static reap_status count_bins(reap_queue *queue, const struct bins *bins, const struct edges *edges,
                              const reap_array *result, uint64_t *outside)
{
    reap_event *event = NULL;
    return reap__finish(
        reap_parallel_for(queue, histogram, reap_range_1d(bins->x.length), OF_EDGES,
                          .where = (const uint8_t *)where_of(bins), .is_masked = bins->is_masked,
                          .counts = {.result = (uint64_t *)result->data, .count = result->shape[0]},
                          .outside = {.result = outside}),
        &event);
}

/* Sums weights with the numbers of bins as keys. */
static reap_status sum_bins(reap_queue *queue, const struct bins *bins, const struct edges *edges,
                            const reap_array *result, uint64_t *outside)
{
    struct bins keyed = *bins;
    reap_buffer *buffer;
    reap_event *event = NULL;
    REAP_TRY(reap_buffer_create(bins->x.length * sizeof(uint64_t), &buffer));
    uint64_t *const keys = reap_buffer_data(buffer);
    reap_status status = reap__finish(
        reap_parallel_for(queue, find_bins, reap_range_1d(bins->x.length), OF_EDGES, .keys = keys),
        &event);
    keyed.type = REAP_TYPE_UINT64;
    keyed.x.data = keys;
    if (status == REAP_OK)
        status = launch_by_key(queue, &keyed, result->shape[0], result->data, outside);
    reap_buffer_release(buffer);
    return status;
}

static reap_status histogram(reap_queue *queue, const reap_array *x, const reap_array *edges,
                             const reap_bin_options *options, const reap_array *result)
{
    struct bins bins;
    struct edges keys;
    uint64_t outside = 0;
    REAP_TRY(check_order(edges));
    if (reap__array_count(x) == 0)
        return store_zeros(queue, result, options->outside);
    REAP_TRY(bins_open(queue, x, options, &bins));
    reap_status status = edges_open(edges, key_type(x->type), &keys);
    if (status == REAP_OK) {
        status = bins.is_weighted ? sum_bins(queue, &bins, &keys, result, &outside)
                                  : count_bins(queue, &bins, &keys, result, &outside);
        edges_close(&keys);
    }
    bins_close(&bins);
    if (status == REAP_OK && options->outside != NULL)
        status = reap__store_value(queue, options->outside, &outside, sizeof outside);
    return status;
}

/* Called through volatile pointers, so compilers do not move their arithmetic out of the library's
 * floating-point environment. */
static reap_status (*volatile const sum_histogram)(reap_queue *queue, const reap_array *x,
                                                   const reap_array *edges,
                                                   const reap_bin_options *options,
                                                   const reap_array *result) = histogram;

reap_status reap_array_histogram(reap_queue *queue, const reap_array *x, const reap_array *edges,
                                 const reap_bin_options *options, const reap_array *result)
{
    static const reap_bin_options none;
    const reap_bin_options *const given = options != NULL ? options : &none;
    void *copy = NULL;
    REAP_TRY(check_bins(queue, x, "x", given, result));
    REAP_TRY(check_edges(edges, result));
    reap_array read = *edges;
    reap_status status = fetch_edges(queue, &read, &copy);
    const reap__fp_environment before = reap__fp_enter();
    if (status == REAP_OK)
        status = (sum_histogram)(queue, x, &read, given, result);
    reap__fp_leave(before);
    reap__free(copy);
    return status;
}

static void fill_even_edges(double first, double last, size_t bins, double *edges)
{
    const double width = (last - first) / (double)bins;
    for (size_t i = 0; i < bins; i++) {
        /* Volatile, so it is not contracted to a fused multiply-add. */
        const volatile double distance = (double)i * width;
        edges[i] = first + distance;
    }
    edges[bins] = last;
}

static void (*volatile const fill)(double first, double last, size_t bins,
                                   double *edges) = fill_even_edges;

void reap_array_even_edges(double first, double last, size_t bins, double *edges)
{
    const reap__fp_environment before = reap__fp_enter();
    (fill)(first, last, bins, edges);
    reap__fp_leave(before);
}
