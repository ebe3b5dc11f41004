/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of arrays and results, and arrays as rows. Elements that are not contiguous are copied by
 * the kernels of pack.kernels.h. Adjacent dimensions are merged where possible; a launch copies the
 * last three of those that remain.
 */
#include "algorithms/array.h"

#include "algorithms/pack.kernels.h"
#include "src/core/allocate.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* ---- Errors -----------------------------------------------------------------------------------*/

reap_status reap__algorithm_fail(reap_status status, const char *format, ...)
{
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return reap_set_last_error(status, message);
}

reap_status reap__finish_event(reap_status launched, reap_event *event)
{
    const reap_status ended = reap_event_wait(event);
    reap_event_release(event);
    return launched != REAP_OK ? launched : ended;
}

/* ---- Scratch memory ---------------------------------------------------------------------------*/

enum { LEAST_SCRATCH = 1 << 16, MOST_IDLE_SCRATCH = 1 << 24 };

struct reap__scratch {
    enum reap__scratch_kind kind;
    size_t bytes;
    reap_buffer *buffer;
    void *report; /* host memory that kernels on `device` can write; NULL: not allocated yet */
    const reap_device *device;
    struct reap__scratch_turn turn; /* of flags: number of the last one, first ticket of the next */
};

/* The scratch buffer of each kind that a call has given back, at most one; exchanged atomically. */
static _Atomic(struct reap__scratch *) idle_scratch[REAP__SCRATCH_KINDS];

static void release_scratch(struct reap__scratch *scratch)
{
    if (scratch == NULL)
        return;
    reap_buffer_release(scratch->buffer);
    (void)reap_free(scratch->report);
    reap__free(scratch);
}

static reap_status make_scratch(reap_queue *queue, size_t bytes, struct reap__scratch *made)
{
    const uint8_t zero = 0;
    reap_event *event = NULL;
    made->bytes = bytes > LEAST_SCRATCH ? bytes : LEAST_SCRATCH;
    REAP_TRY(reap_buffer_create(made->bytes, &made->buffer));
    return reap__finish(reap_fill(queue, reap_buffer_data(made->buffer), &zero, sizeof zero,
                                  made->kind == REAP__SCRATCH_FLAGS ? made->bytes : LEAST_SCRATCH,
                                  &(reap_launch_options){.event = reap__event_for(queue, &event)}),
                        &event);
}

reap_status reap__scratch_take(reap_queue *queue, enum reap__scratch_kind kind, size_t bytes,
                               struct reap__scratch **scratch)
{
    struct reap__scratch *taken = atomic_exchange(&idle_scratch[kind], NULL);
    if (taken == NULL || taken->bytes < bytes || taken->turn.number == UINT32_MAX) {
        release_scratch(taken);
        taken = reap__allocate(sizeof *taken);
        if (taken == NULL)
            return reap__algorithm_fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for a call");
        *taken = (struct reap__scratch){.kind = kind};
        const reap_status status = make_scratch(queue, bytes, taken);
        if (status != REAP_OK) {
            release_scratch(taken);
            return status;
        }
    }
    *scratch = taken;
    return REAP_OK;
}

void *reap__scratch_data(const struct reap__scratch *scratch)
{
    return reap_buffer_data(scratch->buffer);
}

struct reap__scratch_turn reap__scratch_next(struct reap__scratch *scratch, uint64_t tickets)
{
    const uint64_t first = scratch->turn.first_ticket;
    scratch->turn.number++;
    scratch->turn.first_ticket = first + tickets;
    return (struct reap__scratch_turn){scratch->turn.number, first};
}

reap_status reap__scratch_report(reap_queue *queue, struct reap__scratch *scratch, void **report)
{
    const reap_device *const device = reap_queue_device(queue);
    if (scratch->report == NULL || scratch->device != device) {
        (void)reap_free(scratch->report);
        scratch->report = NULL;
        scratch->device = device;
        REAP_TRY(reap_malloc_host(device, REAP__REPORT_BYTES, &scratch->report));
    }
    *report = scratch->report;
    return REAP_OK;
}

void reap__scratch_give(struct reap__scratch *scratch, reap_status ended)
{
    if (ended == REAP_OK && scratch->bytes <= MOST_IDLE_SCRATCH)
        scratch = atomic_exchange(&idle_scratch[scratch->kind], scratch);
    release_scratch(scratch);
}

/* ---- Types ------------------------------------------------------------------------------------*/

static const struct {
    const char *name;
    size_t size;
} types[] = {[REAP_TYPE_BOOL] = {"bool", sizeof(bool)},
             [REAP_TYPE_INT8] = {"int8_t", 1},
             [REAP_TYPE_UINT8] = {"uint8_t", 1},
             [REAP_TYPE_INT16] = {"int16_t", 2},
             [REAP_TYPE_UINT16] = {"uint16_t", 2},
             [REAP_TYPE_INT32] = {"int32_t", 4},
             [REAP_TYPE_UINT32] = {"uint32_t", 4},
             [REAP_TYPE_INT64] = {"int64_t", 8},
             [REAP_TYPE_UINT64] = {"uint64_t", 8},
             [REAP_TYPE_HALF] = {"reap_half", 2},
             [REAP_TYPE_BFLOAT16] = {"reap_bfloat16", 2},
             [REAP_TYPE_FLOAT] = {"float", 4},
             [REAP_TYPE_DOUBLE] = {"double", sizeof(double)}};

static bool is_type(reap_type type)
{
    return (size_t)type > REAP_TYPE_NONE && (size_t)type < sizeof types / sizeof *types;
}

size_t reap_type_size(reap_type type)
{
    return is_type(type) ? types[type].size : 0;
}

const char *reap__type_name(reap_type type)
{
    return is_type(type) ? types[type].name : "no type";
}

/* ---- Checks -----------------------------------------------------------------------------------*/

static reap_status check_strides(const reap_array *array, const char *name)
{
    const ptrdiff_t size = (ptrdiff_t)types[array->type].size;
    for (unsigned d = 0; array->strides != NULL && d < array->dimensions; d++)
        if (array->shape[d] > 1 && array->strides[d] % size != 0)
            return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                        "%s: the stride of dimension %u, %td bytes, is not a "
                                        "multiple of the size of its elements, %td",
                                        name, d, array->strides[d], size);
    return REAP_OK;
}

reap_status reap__array_check(const reap_array *array, const char *name)
{
    if (array == NULL)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT, "%s is NULL", name);
    if (!is_type(array->type))
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT, "%s: %d is not a reap_type", name,
                                    (int)array->type);
    if (array->dimensions > REAP_ARRAY_MOST_DIMENSIONS)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                    "%s has %u dimensions, but an array may have at most %d", name,
                                    array->dimensions, REAP_ARRAY_MOST_DIMENSIONS);
    if (array->dimensions > 0 && array->shape == NULL)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT, "%s has no shape", name);
    size_t bytes = types[array->type].size;
    bool is_empty = false, is_too_large = false;
    for (unsigned d = 0; d < array->dimensions; d++) {
        is_empty |= array->shape[d] == 0;
        is_too_large |= __builtin_mul_overflow(bytes, array->shape[d], &bytes);
    }
    if (is_empty)
        return REAP_OK;
    if (is_too_large || bytes > PTRDIFF_MAX)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                    "%s has more elements than fit into memory", name);
    if (array->data == NULL)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT, "%s has no data", name);
    if (((uintptr_t)array->data & (types[array->type].size - 1)) != 0) /* a power of two */
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT, "%s is misaligned for %s", name,
                                    types[array->type].name);
    return check_strides(array, name);
}

/* Whether there are data, aligned for the type. */
static bool has_data(const reap_array *array)
{
    return array->data != NULL && ((uintptr_t)array->data & (types[array->type].size - 1)) == 0;
}

bool reap__array_is_row(const reap_array *array)
{
    if (array == NULL || !is_type(array->type) || array->dimensions != 1 || array->shape == NULL)
        return false;
    const size_t size = types[array->type].size;
    size_t bytes;
    return has_data(array) && !__builtin_mul_overflow(array->shape[0], size, &bytes) && bytes > 0 &&
           bytes <= PTRDIFF_MAX && (array->strides == NULL || array->strides[0] == (ptrdiff_t)size);
}

bool reap__array_is_value(const reap_array *array, reap_type type)
{
    return array != NULL && array->type == type && array->dimensions == 0 && is_type(type) &&
           has_data(array);
}

size_t reap__array_count(const reap_array *array)
{
    size_t count = 1;
    for (unsigned d = 0; d < array->dimensions; d++)
        if (array->shape[d] == 0)
            return 0;
    for (unsigned d = 0; d < array->dimensions; d++)
        count *= array->shape[d];
    return count;
}

/* ---- Dimensions -------------------------------------------------------------------------------*/

/* A dimension that has more than one index; the stride is in elements. */
struct dimension {
    size_t length;
    ptrdiff_t stride;
};

/* Only `count` is initialised: to clear the array takes longer than to sum a short array. */
struct dimensions {
    struct dimension of[REAP_ARRAY_MOST_DIMENSIONS];
    unsigned count;
};

/* Appends a dimension, or merges it with the last one if their elements have one stride. */
static void add_dimension(struct dimensions *all, size_t length, ptrdiff_t stride)
{
    struct dimension *last = all->count > 0 ? &all->of[all->count - 1] : NULL;
    ptrdiff_t row;
    if (length == 1)
        return;
    if (last != NULL && !__builtin_mul_overflow((ptrdiff_t)length, stride, &row) &&
        last->stride == row)
        *last = (struct dimension){last->length * length, stride};
    else
        all->of[all->count++] = (struct dimension){length, stride};
}

static ptrdiff_t stride_of(const reap_array *array, unsigned dimension)
{
    if (array->strides != NULL)
        return array->strides[dimension] / (ptrdiff_t)types[array->type].size;
    size_t stride = 1;
    for (unsigned d = dimension + 1; d < array->dimensions; d++)
        stride *= array->shape[d];
    return (ptrdiff_t)stride;
}

/* Appends the dimensions that are, or are not, among the axes, and returns the product of their
 * lengths; SIZE_MAX if it is larger, which an array without elements may have. */
static size_t add_dimensions(struct dimensions *all, const reap_array *array, uint64_t axes,
                             bool among)
{
    size_t count = 1;
    for (unsigned d = 0; d < array->dimensions; d++)
        if ((axes >> d & 1) == (among ? 1 : 0)) {
            add_dimension(all, array->shape[d], stride_of(array, d));
            if (__builtin_mul_overflow(count, array->shape[d], &count))
                count = SIZE_MAX;
        }
    return count;
}

static bool is_contiguous(const struct dimensions *all)
{
    return all->count == 0 || (all->count == 1 && all->of[0].stride == 1);
}

bool reap__array_is_contiguous(const reap_array *array)
{
    struct dimensions all;
    all.count = 0;
    return add_dimensions(&all, array, 0, false) == 0 || is_contiguous(&all);
}

bool reap__array_as_columns(const reap_array *array, uint64_t axes, struct reap__columns *columns)
{
    struct dimensions kept, reduced;
    kept.count = reduced.count = 0;
    if (array->dimensions < 2)
        return false;
    const bool is_empty = add_dimensions(&kept, array, axes, false) == 0 ||
                          add_dimensions(&reduced, array, axes, true) == 0;
    if (is_empty || kept.count < 1 || kept.count > 2 || reduced.count != 1)
        return false;
    const struct dimension row = kept.of[kept.count - 1], column = reduced.of[0];
    if (row.stride != 1 || column.stride < (ptrdiff_t)row.length)
        return false;
    *columns =
        (struct reap__columns){array->data, 1, column.length, row.length, (size_t)column.stride, 0};
    if (kept.count == 2) {
        columns->matrices = kept.of[0].length;
        columns->matrix_stride = kept.of[0].stride;
    }
    return true;
}

/* ---- Results ----------------------------------------------------------------------------------*/

reap_status reap__check_queue(const reap_queue *queue)
{
    return queue != NULL ? REAP_OK
                         : reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT, "the queue is NULL");
}

uint64_t reap__axes_of(const reap_array *x, const reap_array_options *options)
{
    if (options != NULL && options->axes != 0)
        return options->axes;
    return x->dimensions < 64 ? ((uint64_t)1 << x->dimensions) - 1 : UINT64_MAX;
}

static reap_status check_axes(const reap_array *x, uint64_t axes)
{
    if (x->dimensions >= 64 || axes >> x->dimensions == 0)
        return REAP_OK;
    return reap__algorithm_fail(
        REAP_ERROR_INVALID_ARGUMENT,
        ".axes has a bit for a dimension that x does not have: x has %u dimensions", x->dimensions);
}

static reap_status check_type(const reap_array *result, reap_type expected)
{
    if (result->type == expected)
        return REAP_OK;
    return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                "the result must have elements of type %s, not %s",
                                reap__type_name(expected), reap__type_name(result->type));
}

/* Checks that the result has the shape of `x` without the dimensions of `axes`. */
static reap_status check_shape(const reap_array *x, uint64_t axes, const reap_array *result)
{
    unsigned kept = 0;
    bool is_same = true;
    for (unsigned d = 0; d < x->dimensions; d++)
        if ((axes >> d & 1) == 0) {
            is_same &= kept < result->dimensions && result->shape[kept] == x->shape[d];
            kept++;
        }
    if (is_same && kept == result->dimensions)
        return REAP_OK;
    if (kept == result->dimensions)
        return reap__algorithm_fail(
            REAP_ERROR_INVALID_ARGUMENT,
            "the result must have the shape of x without the axes: a dimension has another size");
    return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                "the result must have the shape of x without the axes: it has %u "
                                "dimensions, and %u are needed",
                                result->dimensions, kept);
}

reap_status reap__check_extent(const void *memory, size_t bytes, const char *name)
{
    reap_pointer_info info;
    if (bytes == 0)
        return REAP_OK;
    REAP_TRY(reap_pointer_get_info(memory, &info));
    if (info.kind == REAP_MEMORY_UNKNOWN ||
        bytes <= info.bytes - (size_t)((const char *)memory - (const char *)info.base))
        return REAP_OK;
    return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                "%s extends beyond its memory of %zu bytes", name, info.bytes);
}

reap_status reap__check_written(const reap_array *result)
{
    if (!reap__array_is_contiguous(result))
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                    "the result's elements are not in row-major order");
    return reap__check_extent(
        result->data, reap__array_count(result) * reap_type_size(result->type), "the result");
}

reap_status reap__check_result(const reap_array *x, uint64_t axes, reap_type type,
                               const reap_array *result)
{
    REAP_TRY(reap__array_check(result, "result"));
    REAP_TRY(check_type(result, type));
    REAP_TRY(check_shape(x, axes, result));
    return reap__check_written(result);
}

reap_status reap__check_same_shape(const reap_array *x, const reap_array *other, const char *name)
{
    bool is_same = x->dimensions == other->dimensions;
    for (unsigned d = 0; is_same && d < x->dimensions; d++)
        is_same = x->shape[d] == other->shape[d];
    return is_same ? REAP_OK
                   : reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                          "x and %s have different shapes", name);
}

reap_status reap__check_where(const reap_array *x, const reap_array *where)
{
    if (where == NULL)
        return REAP_OK;
    REAP_TRY(reap__array_check(where, "where"));
    if (where->type != REAP_TYPE_BOOL && where->type != REAP_TYPE_UINT8)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                    "'where' is an array of %s: it must be of bool or uint8_t",
                                    reap__type_name(where->type));
    return reap__check_same_shape(x, where, "where");
}

reap_status reap__check_along(const reap_queue *queue, const reap_array *x,
                              const reap_array_options *options, uint64_t *axes,
                              const reap_array **where)
{
    REAP_TRY(reap__check_queue(queue));
    REAP_TRY(reap__array_check(x, "x"));
    *axes = reap__axes_of(x, options);
    *where = options != NULL ? options->where : NULL;
    REAP_TRY(check_axes(x, *axes));
    return reap__check_where(x, *where);
}

/* Devices are never released, so the host's device is recognised by its address. */
bool reap__is_host(const reap_queue *queue)
{
    static _Atomic(const reap_device *) host;
    const reap_device *const device = reap_queue_device(queue);
    reap_device_info info;
    if (atomic_load_explicit(&host, memory_order_relaxed) == device)
        return true;
    if (reap_device_get_info(device, &info) != REAP_OK || strcmp(info.backend, "host") != 0)
        return false;
    atomic_store_explicit(&host, device, memory_order_relaxed);
    return true;
}

/* ---- Memory of the program --------------------------------------------------------------------*/

/* Takes a few comparisons where no buffer or allocation is at higher addresses. */
bool reap__is_variable(const void *memory)
{
    reap_pointer_info info;
    return reap_pointer_get_info(memory, &info) == REAP_OK && info.kind == REAP_MEMORY_UNKNOWN;
}

reap_status reap__copy(reap_queue *queue, void *to, const void *from, size_t bytes)
{
    reap_event *event = NULL;
    return reap__finish(reap_copy(queue, to, from, bytes,
                                  &(reap_launch_options){.event = reap__event_for(queue, &event)}),
                        &event);
}

reap_status reap__store_value(reap_queue *queue, void *to, const void *value, size_t bytes)
{
    if (!reap__is_variable(to))
        return reap__copy(queue, to, value, bytes);
    REAP_TRY(reap_queue_wait_for_variable(queue, to, bytes));
    memcpy(to, value, bytes);
    return REAP_OK;
}

reap_status reap__load_value(reap_queue *queue, void *value, const void *from, size_t bytes)
{
    if (!reap__is_variable(from))
        return reap__copy(queue, value, from, bytes);
    REAP_TRY(reap_queue_wait_for_variable(queue, from, bytes));
    memcpy(value, from, bytes);
    return REAP_OK;
}

reap_status reap__store(reap_queue *queue, const reap_array *result, const void *values,
                        size_t bytes)
{
    return (result->dimensions == 0 ? reap__store_value : reap__copy)(queue, result->data, values,
                                                                      bytes);
}

/* ---- Copies -----------------------------------------------------------------------------------*/

/* The last three dimensions, which one launch copies. */
struct block {
    size_t length[3];
    ptrdiff_t stride[3];
};

static struct block block_of(const struct dimensions *all)
{
    struct block block = {{1, 1, 1}, {0, 0, 0}};
    for (unsigned i = 0; i < 3 && i < all->count; i++) {
        block.length[2 - i] = all->of[all->count - 1 - i].length;
        block.stride[2 - i] = all->of[all->count - 1 - i].stride;
    }
    return block;
}

#define PACK(bits)                                                                                 \
    reap_parallel_for(                                                                             \
        queue, pack_##bits, reap_range_3d(block->length[0], block->length[1], block->length[2]),   \
        .from = from, .to = to, .stride_0 = block->stride[0], .stride_1 = block->stride[1],        \
        .stride_2 = block->stride[2], .launch = {.event = reap__event_for(queue, event)})

static reap_status pack(reap_queue *queue, const struct block *block, const void *from, void *to,
                        size_t size, reap_event **event)
{
    switch (size) {
    case 1:
        return PACK(8);
    case 2:
        return PACK(16);
    case 4:
        return PACK(32);
    default:
        return PACK(64);
    }
}

/* The begin of the block with this number, in elements. */
static ptrdiff_t begin_of(const struct dimensions *all, size_t number)
{
    ptrdiff_t begin = 0;
    for (unsigned d = all->count > 3 ? all->count - 3 : 0; d-- > 0;) {
        begin += (ptrdiff_t)(number % all->of[d].length) * all->of[d].stride;
        number /= all->of[d].length;
    }
    return begin;
}

static reap_status copy(reap_queue *queue, const struct dimensions *all, const void *from,
                        size_t size, size_t count, void *to)
{
    const struct block block = block_of(all);
    const size_t items = block.length[0] * block.length[1] * block.length[2];
    for (size_t b = 0; b < count / items; b++) {
        reap_event *event = NULL;
        const char *source = (const char *)from + begin_of(all, b) * (ptrdiff_t)size;
        reap_status status =
            pack(queue, &block, source, (char *)to + b * items * size, size, &event);
        status = reap__finish(status, &event);
        if (status != REAP_OK)
            return status;
    }
    return REAP_OK;
}

reap_status reap__array_copy(reap_queue *queue, const reap_array *array, void *to)
{
    struct dimensions all;
    all.count = 0;
    const size_t count = add_dimensions(&all, array, 0, false);
    return copy(queue, &all, array->data, types[array->type].size, count, to);
}

#define SELECT(bits)                                                                               \
    reap_parallel_for(queue, select_##bits, reap_range_1d(count),                                  \
                      .from = (const uint##bits##_t *)it->from, .where = it->where,                \
                      .others = (uint##bits##_t)it->others, .to = (uint##bits##_t *)it->to,        \
                      .launch = {.event = reap__event_for(queue, event)})

/* A copy of the elements whose mask is not 0; the others get the bits of `others`. */
struct selection {
    const void *from;
    const uint8_t *where;
    uint64_t others;
    void *to;
};

static reap_status select_elements(reap_queue *queue, const struct selection *it, size_t count,
                                   size_t size, reap_event **event)
{
    switch (size) {
    case 1:
        return SELECT(8);
    case 2:
        return SELECT(16);
    case 4:
        return SELECT(32);
    default:
        return SELECT(64);
    }
}

reap_status reap__rows_open(reap_queue *queue, const reap_array *array, uint64_t axes,
                            struct reap__rows *rows)
{
    struct dimensions all;
    all.count = 0;
    const size_t size = types[array->type].size;
    *rows = (struct reap__rows){.data = array->data};
    rows->count = add_dimensions(&all, array, axes, false);
    rows->length = add_dimensions(&all, array, axes, true);
    const size_t count = reap__array_count(array);
    if (count == 0 || is_contiguous(&all))
        return REAP_OK;
    reap_status status = reap_buffer_create(count * size, &rows->buffer);
    if (status != REAP_OK)
        return status;
    rows->data = reap_buffer_data(rows->buffer);
    status = copy(queue, &all, array->data, size, count, reap_buffer_data(rows->buffer));
    if (status != REAP_OK) {
        reap__rows_close(rows);
        rows->buffer = NULL;
    }
    return status;
}

reap_status reap__rows_select(reap_queue *queue, reap_type type, const struct reap__rows *where,
                              uint64_t others, struct reap__rows *rows)
{
    const size_t size = types[type].size, count = rows->count * rows->length;
    reap_buffer *buffer;
    reap_event *event = NULL;
    if (count == 0)
        return REAP_OK;
    REAP_TRY(reap_buffer_create(count * size, &buffer));
    const reap_status status = select_elements(
        queue, &(struct selection){rows->data, where->data, others, reap_buffer_data(buffer)},
        count, size, &event);
    return reap__rows_replace(rows, buffer, reap__finish(status, &event));
}

reap_status reap__rows_replace(struct reap__rows *rows, reap_buffer *buffer, reap_status status)
{
    if (status != REAP_OK) {
        reap_buffer_release(buffer);
        return status;
    }
    reap__rows_close(rows);
    rows->data = reap_buffer_data(buffer);
    rows->buffer = buffer;
    return REAP_OK;
}

void reap__rows_close(const struct reap__rows *rows)
{
    if (rows->buffer != NULL)
        reap_buffer_release(rows->buffer);
}
