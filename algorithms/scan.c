/* SPDX-License-Identifier: Apache-2.0
 *
 * Scans: checks, arrays as rows, and the launches of scan.kernels.h. On the host the sections of a
 * row are read twice, the second time from a cache; on CUDA devices once; on other devices twice.
 */
#include "algorithms/array.h"

#include "algorithms/scan.kernels.h"

#include "src/port/fp_environment.h"

#include <string.h>

/* Kernels use the numbers of reap_type. */
_Static_assert((int)NUMBER_BOOL == (int)REAP_TYPE_BOOL, "");
_Static_assert((int)NUMBER_INT64 == (int)REAP_TYPE_INT64, "");
_Static_assert((int)NUMBER_HALF == (int)REAP_TYPE_HALF, "");
_Static_assert((int)NUMBER_DOUBLE == (int)REAP_TYPE_DOUBLE, "");

enum {
    SCAN_ITEMS = 256,     /* of the group that combines regions */
    SCAN_MANY = 5,        /* groups with a section that a multiprocessor holds, of 32-bit types */
    OWN_BYTES = 16 << 10, /* of local memory, at least: what reap_device_info leaves out for Reap */
    SHARE_BYTES = 1 << 20 /* of a share, for each thread: as much as its cache holds */
};

/* A group writes elements that are a block apart. */
_Static_assert(SCAN_GROUP == SCAN_BLOCK, "");

struct scan {
    scan_work work;
    size_t element_bytes, result_bytes;
    size_t share; /* on the host: sections that are scanned at a time; 0: an item scans a row */
    size_t units; /* of the device */
    size_t local_bytes; /* of a group, where a scan in one pass is possible; else 0 */
    size_t groups;      /* in one pass */
    bool is_by_few;     /* in one pass: a group scans sections until none is left */
    size_t unused;      /* in one pass: values in local memory that a group only reserves */
    union {
        int32_t of_int32;
        int64_t of_int64;
        float of_float;
        double of_double;
    } initial; /* in the type in which the scan computes */
};

/* In place, `x` is `results`. */
struct arrays {
    const uint8_t *x;
    uint8_t *results;
    void *scratch;
};

#define NAME i32
#define WORK int32_t
#include "algorithms/scan_tmpl.h"

#define NAME i64
#define WORK int64_t
#include "algorithms/scan_tmpl.h"

#define NAME f32
#define WORK float
#include "algorithms/scan_tmpl.h"

#define NAME f64
#define WORK double
#include "algorithms/scan_tmpl.h"

struct functions {
    size_t size; /* of the type in which the scan computes */
    void (*set_initial)(struct scan *scan, const void *initial);
    reap_status (*on_host)(reap_queue *queue, const struct scan *scan, const struct arrays *arrays,
                           reap_event **event);
    reap_status (*on_device)(reap_queue *queue, const struct scan *scan,
                             const struct arrays *arrays, reap_event **event);
};

#define FUNCTIONS(name, work)                                                                      \
    {                                                                                              \
        sizeof(work), set_initial_##name, scan_on_host_##name, scan_on_device_##name               \
    }

/* Integers of at most 32 bits are computed as int32_t if the results are as narrow: modulo 2^32, or
 * as extremes, which of uint32_t are not in that order. */
static const struct functions *functions_of(const scan_work *work)
{
    static const struct functions of_32 = FUNCTIONS(i32, int32_t), of_64 = FUNCTIONS(i64, int64_t),
                                  of_float = FUNCTIONS(f32, float),
                                  of_double = FUNCTIONS(f64, double);
    const bool is_sum = work->operation == OPERATION_SUM || work->operation == OPERATION_PRODUCT;
    if (work->from == NUMBER_DOUBLE)
        return &of_double;
    if (work->from >= NUMBER_HALF && work->from <= NUMBER_FLOAT)
        return &of_float;
    return work->to < NUMBER_UINT32 || (work->to == NUMBER_UINT32 && is_sum) ? &of_32 : &of_64;
}

/* ---- Checks -----------------------------------------------------------------------------------*/

static bool is_extreme(reap_scan scan)
{
    return scan == REAP_SCAN_MINIMUM || scan == REAP_SCAN_MAXIMUM;
}

static reap_status check_types(reap_scan scan, reap_type x, reap_type result)
{
    const reap_type sums = reap_array_reduce_type(REAP_SUM, x);
    if (is_extreme(scan) && result != x)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                    "the result must have elements of type %s, not %s",
                                    reap__type_name(x), reap__type_name(result));
    if (is_extreme(scan) || result == sums || (result == x && x != REAP_TYPE_BOOL))
        return REAP_OK;
    return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                "the result must have elements of type %s%s%s, not %s",
                                x == REAP_TYPE_BOOL || x == sums ? "" : reap__type_name(x),
                                x == REAP_TYPE_BOOL || x == sums ? "" : " or ",
                                reap__type_name(sums), reap__type_name(result));
}

static reap_status check_shapes(const reap_array *x, const reap_array *result)
{
    bool is_same = x->dimensions == result->dimensions;
    for (unsigned d = 0; is_same && d < x->dimensions; d++)
        is_same = x->shape[d] == result->shape[d];
    if (!is_same)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                    "the result does not have the shape of x");
    return reap__check_written(result);
}

static reap_status check(const reap_queue *queue, reap_scan scan, const reap_array *x,
                         unsigned axis, const reap_array *result)
{
    if (queue == NULL)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT, "the queue is NULL");
    if ((unsigned)scan > REAP_SCAN_MAXIMUM)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT, "%d is not a reap_scan",
                                    (int)scan);
    REAP_TRY(reap__array_check(x, "x"));
    if (axis >= x->dimensions)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                    "axis %u is not a dimension of x, which has %u", axis,
                                    x->dimensions);
    REAP_TRY(reap__array_check(result, "result"));
    REAP_TRY(check_types(scan, x->type, result->type));
    return check_shapes(x, result);
}

/* ---- Scans ------------------------------------------------------------------------------------*/

static size_t ratio_above(size_t a, size_t b)
{
    return a / b + (a % b != 0);
}

static int32_t number_of(reap_type type, bool is_ordered)
{
    return type == REAP_TYPE_UINT64 && is_ordered ? NUMBER_ORDERED : (int32_t)type;
}

union element {
    uint8_t of_8;
    uint16_t of_16;
    uint32_t of_32;
    uint64_t of_64;
};

/* The first result of an exclusive scan, in the result's type; NULL: the identity. */
static const void *begin_of(reap_scan scan, reap_type type, union element *begin)
{
    const size_t size = reap_type_size(type);
    const uint64_t ones = type == REAP_TYPE_BOOL ? 1 : UINT64_MAX >> (64 - 8 * size);
    const bool is_signed = type == REAP_TYPE_INT8 || type == REAP_TYPE_INT16 ||
                           type == REAP_TYPE_INT32 || type == REAP_TYPE_INT64;
    const uint64_t largest = is_signed ? ones >> 1 : ones, lowest = is_signed ? ~largest : 0;
    const uint64_t first = scan == REAP_SCAN_MINIMUM   ? largest
                           : scan == REAP_SCAN_MAXIMUM ? lowest
                                                       : 0;
    if (scan == REAP_SCAN_PRODUCT || (is_extreme(scan) && type >= REAP_TYPE_HALF))
        return NULL;
    if (size == 1)
        begin->of_8 = (uint8_t)first;
    else if (size == 2)
        begin->of_16 = (uint16_t)first;
    else if (size == 4)
        begin->of_32 = (uint32_t)first;
    else
        begin->of_64 = first;
    return begin; /* a sum begins with 0, not with its identity, -0 */
}

static struct scan scan_of(reap_scan which, const reap_array *x, const reap_scan_options *options,
                           const reap_array *result, const struct reap__rows *rows)
{
    static const int32_t operations[] = {OPERATION_SUM, OPERATION_PRODUCT, OPERATION_MINIMUM,
                                         OPERATION_MAXIMUM};
    struct scan scan = {.element_bytes = reap_type_size(x->type),
                        .result_bytes = reap_type_size(result->type)};
    scan.work = (scan_work){.rows = rows->count,
                            .length = rows->length,
                            .tiles = ratio_above(rows->length, (size_t)SCAN_TILE),
                            .sections = ratio_above(rows->length, (size_t)SCAN_SECTION),
                            .regions = ratio_above(rows->length, (size_t)SCAN_REGION),
                            .from = number_of(x->type, is_extreme(which)),
                            .to = number_of(result->type, is_extreme(which)),
                            .operation = operations[which],
                            .is_exclusive = options->is_exclusive};
    union element begin;
    const void *initial = options->initial;
    if (initial == NULL && options->is_exclusive)
        initial = begin_of(which, result->type, &begin);
    (functions_of(&scan.work)->set_initial)(&scan, initial);
    return scan;
}

/* The sections of a share. 0 if there are enough rows for all threads, if there is one thread, or
 * if a row is short: then a work-item scans a row in one pass. */
static size_t share_of(const struct scan *scan, size_t threads)
{
    const size_t bytes = scan->element_bytes + scan->result_bytes;
    const size_t sections = SHARE_BYTES / ((size_t)SCAN_SECTION * bytes);
    if (threads <= 1 || scan->work.sections <= 2 || scan->work.rows >= 2 * threads)
        return 0;
    return (sections > 1 ? sections : 1) * threads;
}

/* Local memory of a group that scans sections in one pass, with the gaps between its arrays. */
static size_t local_bytes_of(size_t sections, size_t size)
{
    const size_t gaps = (size_t)SCAN_SECTION / (128 / size);
    const size_t elements = (size_t)SCAN_SECTION + gaps + SCAN_SECTION_RUNS + SCAN_SUMS;
    return sections * elements * size + sizeof(uint32_t) + 64;
}

/* Some cards have too little local memory for 64-bit types. */
static bool has_one_pass(const struct scan *scan)
{
    const size_t size = (functions_of(&scan->work))->size;
    return scan->work.tiles > 1 && local_bytes_of(1, size) <= scan->local_bytes;
}

/* Plans the groups of a scan in one pass.
 *
 * Few groups: where a multiprocessor has local memory for three groups that hold two sections each,
 * and not all sections run at once, these take less time than groups of one section each
 * (docs/gpu.md).
 *
 * A group for each section: if those run in two turns, the second should be nearly full. So if one
 * group less on each multiprocessor makes two turns as well, a group reserves memory so that only
 * so many fit. */
static void plan_groups(struct scan *scan)
{
    const size_t size = (functions_of(&scan->work))->size, units = scan->units;
    const size_t sections = scan->work.rows * scan->work.sections;
    const size_t bytes = scan->local_bytes + OWN_BYTES; /* of a multiprocessor */
    const size_t few = bytes / local_bytes_of(2, size), fit = bytes / local_bytes_of(1, size);
    scan->is_by_few = few >= 3 && sections > SCAN_MANY * units;
    scan->groups = scan->is_by_few ? few * units : sections;
    if (!scan->is_by_few && sections > fit * units && sections <= 2 * (fit - 1) * units)
        scan->unused = (bytes / fit - local_bytes_of(1, size)) / size + 1;
}

static reap_status scan_on_device(reap_queue *queue, const struct functions *functions,
                                  struct scan *scan, struct arrays *arrays)
{
    scan_work *work = &scan->work;
    const size_t tiles = work->rows * work->tiles, sections = work->rows * work->sections;
    const size_t regions = work->rows * work->regions;
    const bool is_one_pass = has_one_pass(scan);
    const size_t sums = work->tiles > 1 ? tiles * SCAN_TILE_BLOCKS + sections + regions : 0;
    const size_t words = is_one_pass ? 2 * (sections + 2 * regions) : sums;
    struct reap__scratch *scratch;
    reap_event *event = NULL;
    REAP_TRY(reap__scratch_take(queue, is_one_pass ? REAP__SCRATCH_FLAGS : REAP__SCRATCH_PLAIN,
                                (1 + words) * sizeof(uint64_t), &scratch));
    if (is_one_pass) {
        plan_groups(scan);
        const struct reap__scratch_turn turn =
            reap__scratch_next(scratch, sections + (scan->is_by_few ? scan->groups : 0));
        work->turn = turn.number;
        work->first_ticket = turn.first_ticket;
    }
    arrays->scratch = reap__scratch_data(scratch);
    const reap_status status = (functions->on_device)(queue, scan, arrays, &event);
    const reap_status ended = reap__finish(status, &event);
    reap__scratch_give(scratch, ended);
    return ended;
}

static reap_status scan_on_host(reap_queue *queue, const struct functions *functions,
                                const struct scan *scan, struct arrays *arrays)
{
    double unread = 0;
    reap_buffer *scratch = NULL;
    reap_event *event = NULL;
    if (scan->share > 0)
        REAP_TRY(reap_buffer_create(2 * (scan->share + 1) * sizeof(double), &scratch));
    arrays->scratch = scratch != NULL ? reap_buffer_data(scratch) : &unread;
    const reap_status status = (functions->on_host)(queue, scan, arrays, &event);
    const reap_status ended = reap__finish(status, &event);
    arrays->scratch = NULL;
    reap_buffer_release(scratch);
    return ended;
}

static reap_status scan_rows(reap_queue *queue, struct scan *scan, const void *data, void *results)
{
    const struct functions *functions = functions_of(&scan->work);
    struct arrays arrays = {data, results, NULL};
    reap_device_info info;
    REAP_TRY(reap_device_get_info(reap_queue_device(queue), &info));
    scan->units = info.compute_units;
    scan->share = share_of(scan, info.compute_units);
    scan->local_bytes = strcmp(info.backend, "cuda") == 0 ? info.local_memory_bytes : 0;
    return strcmp(info.backend, "host") == 0 ? scan_on_host(queue, functions, scan, &arrays)
                                             : scan_on_device(queue, functions, scan, &arrays);
}

/* Whether the axis is the last one that matters: then the rows' elements are in the array's order.
 */
static bool is_last(const reap_array *x, unsigned axis)
{
    size_t count = 1;
    for (unsigned d = axis + 1; d < x->dimensions; d++)
        count *= x->shape[d];
    return count == 1;
}

/* Copies contiguous rows to the positions of their elements in the result. */
static reap_status scatter(reap_queue *queue, const reap_array *result, unsigned axis, void *rows)
{
    ptrdiff_t strides[REAP_ARRAY_MOST_DIMENSIONS];
    ptrdiff_t stride = (ptrdiff_t)reap_type_size(result->type);
    strides[axis] = stride;
    stride *= (ptrdiff_t)result->shape[axis];
    for (unsigned d = result->dimensions; d-- > 0;)
        if (d != axis) {
            strides[d] = stride;
            stride *= (ptrdiff_t)result->shape[d];
        }
    const reap_array view = {rows, result->type, result->dimensions, result->shape, strides};
    return reap__array_copy(queue, &view, result->data);
}

static reap_status scan_apart(reap_queue *queue, struct scan *scan, const void *data, unsigned axis,
                              const reap_array *result)
{
    reap_buffer *buffer = NULL;
    REAP_TRY(reap_buffer_create(reap__array_count(result) * scan->result_bytes, &buffer));
    reap_status status = scan_rows(queue, scan, data, reap_buffer_data(buffer));
    if (status == REAP_OK)
        status = scatter(queue, result, axis, reap_buffer_data(buffer));
    reap_buffer_release(buffer);
    return status;
}

static reap_status scan(reap_queue *queue, reap_scan which, const reap_array *x,
                        const reap_scan_options *options, const reap_array *result)
{
    struct reap__rows rows;
    union element initial;
    reap_scan_options here = *options;
    if (reap__array_count(x) == 0)
        return REAP_OK;
    if (options->initial != NULL) {
        REAP_TRY(reap__load_value(queue, &initial, options->initial, reap_type_size(result->type)));
        here.initial = &initial;
    }
    REAP_TRY(reap__rows_open(queue, x, (uint64_t)1 << options->axis, &rows));
    struct scan scan = scan_of(which, x, &here, result, &rows);
    const reap_status status = is_last(x, options->axis)
                                   ? scan_rows(queue, &scan, rows.data, result->data)
                                   : scan_apart(queue, &scan, rows.data, options->axis, result);
    reap__rows_close(&rows);
    return status;
}

reap_status reap_array_scan(reap_queue *queue, reap_scan which, const reap_array *x,
                            const reap_scan_options *options, const reap_array *result)
{
    static const reap_scan_options none = {.axis = 0};
    options = options != NULL ? options : &none;
    REAP_TRY(check(queue, which, x, options->axis, result));
    const reap__fp_environment before = reap__fp_enter();
    const reap_status status = scan(queue, which, x, options, result);
    reap__fp_leave(before);
    return status;
}
