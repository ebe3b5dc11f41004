/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions of the segments of an array: checks, and the launches of segments.kernels.h. A segment
 * that is so long that one group would take much longer than the others is reduced by
 * reap_array_reduce().
 */
#include "algorithms/array.h"

#include "algorithms/segments.kernels.h"

#include "src/core/allocate.h"
#include "src/port/fp_environment.h"

#include <string.h>

enum { SHARES_PER_THREAD = 32, LEAST_SHARE = 4096, MOST_GROUP = 512 };

struct segments {
    segments_work work;
    const void *x, *offsets;
    void *results;
    uint64_t begin, end;      /* of all segments, among the elements */
    size_t most_group, group; /* on a device: the most items of a group, and how many it has */
    size_t middle_count, huge_count;
    uint64_t *middle; /* on a device: the list of segments_list */
    uint64_t *found;  /* on a device: the results of segments_find; */
    uint64_t *report; /* host memory for them, or NULL; */
    void
        *old; /* and memory for the elements that results replace; NULL: checked by segments_find */
};

_Static_assert(FOUND * sizeof(uint64_t) <= REAP__REPORT_BYTES, "");

/* A segment with a launch of its own, as segments_list writes it. */
struct huge {
    uint64_t segment, begin, length;
};

#define NAME i64
#define WORK int64_t
#include "algorithms/segments_tmpl.h"

#define HAS_EXACT
#define NAME f32
#define WORK float
#include "algorithms/segments_tmpl.h"

#define NAME f64
#define WORK double
#include "algorithms/segments_tmpl.h"

struct functions {
    reap_status (*on_host)(reap_queue *queue, const struct segments *segments);
    reap_status (*on_device)(reap_queue *queue, const struct segments *segments);
    reap_status (*by_groups)(reap_queue *queue, const struct segments *segments);
    reap_status (*checked)(reap_queue *queue, const struct segments *segments, size_t count,
                           bool takes_empty);
    reap_status (*exactly)(reap_queue *queue, const struct segments *segments);
};

static const struct functions *functions_of(reap_type type)
{
    static const struct functions all[] = {
        {reduce_on_host_i64, reduce_on_device_i64, reduce_by_groups_i64, reduce_checked_i64, NULL},
        {reduce_on_host_f32, reduce_on_device_f32, reduce_by_groups_f32, reduce_checked_f32,
         add_exactly_f32},
        {reduce_on_host_f64, reduce_on_device_f64, reduce_by_groups_f64, reduce_checked_f64,
         add_exactly_f64},
    };
    return &all[type == REAP_TYPE_DOUBLE ? 2 : type >= REAP_TYPE_HALF ? 1 : 0];
}

static bool is_extreme(reap_reduction reduction)
{
    return reduction == REAP_MINIMUM || reduction == REAP_MAXIMUM;
}

/* ---- Checks -----------------------------------------------------------------------------------*/

static reap_status check_row(const reap_array *array, const char *name)
{
    REAP_TRY(reap__array_check(array, name));
    if (array->dimensions == 1)
        return REAP_OK;
    return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                "%s has %u dimensions: for segments it must have 1", name,
                                array->dimensions);
}

static reap_status check_result(reap_reduction reduction, reap_type type, const reap_array *offsets,
                                const reap_array *result)
{
    const reap_type expected = reap_array_reduce_type(reduction, type);
    if (result->type != expected)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                    "the result must have elements of type %s, not %s",
                                    reap__type_name(expected), reap__type_name(result->type));
    if (offsets->shape[0] != result->shape[0] + 1)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                    "there are %zu offsets for a result of %zu segments: there "
                                    "must be one offset more than segments",
                                    offsets->shape[0], result->shape[0]);
    return reap__check_written(result);
}

static reap_status check(const reap_queue *queue, reap_reduction reduction, const reap_array *x,
                         const reap_array *offsets, const reap_array *result)
{
    if (queue == NULL)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT, "the queue is NULL");
    if (reduction != REAP_SUM && reduction != REAP_EXACT_SUM && !is_extreme(reduction))
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                    "reduction %d is not supported for segments: REAP_SUM, "
                                    "REAP_EXACT_SUM, REAP_MINIMUM and REAP_MAXIMUM are",
                                    (int)reduction);
    REAP_TRY(check_row(x, "x"));
    REAP_TRY(check_row(offsets, "offsets"));
    if (offsets->type != REAP_TYPE_INT32 && offsets->type != REAP_TYPE_INT64)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                    "the offsets are of type %s: they must be int32_t or int64_t",
                                    reap__type_name(offsets->type));
    REAP_TRY(check_row(result, "result"));
    return check_result(reduction, x->type, offsets, result);
}

/* Reports wrong offsets, and empty segments if the reduction needs elements. UINT64_MAX: none. */
static reap_status check_found(reap_reduction reduction, size_t count, uint64_t first_wrong,
                               uint64_t first_empty)
{
    if (first_wrong != UINT64_MAX)
        return reap__algorithm_fail(
            REAP_ERROR_INVALID_ARGUMENT,
            "segment %llu: its offsets decrease, or are beyond the %zu elements of x",
            (unsigned long long)first_wrong, count);
    if (first_empty != UINT64_MAX && is_extreme(reduction))
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                    "the %s of no elements is undefined: segment %llu is empty",
                                    reduction == REAP_MINIMUM ? "minimum" : "maximum",
                                    (unsigned long long)first_empty);
    return REAP_OK;
}

static reap_status check_on_host(reap_queue *queue, reap_reduction reduction, size_t count,
                                 struct segments *segments)
{
    uint64_t first_wrong, first_empty, middle, huge;
    reap_event *event = NULL;
    REAP_TRY(reap__finish(
        reap_parallel_for(
            queue, segments_check, reap_range_1d(segments->work.segments),
            .offsets = segments->offsets, .is_wide = segments->work.is_wide, .count = count,
            .longest = segments->work.longest, .first_wrong = {.result = &first_wrong},
            .first_empty = {.result = &first_empty}, .middle = {.result = &middle},
            .huge = {.result = &huge}, .launch = {.event = reap__event_for(queue, &event)}),
        &event));
    segments->middle_count = middle;
    segments->huge_count = huge;
    return check_found(reduction, count, first_wrong, first_empty);
}

static reap_status launch_find(reap_queue *queue, reap_reduction reduction, size_t count,
                               bool counts_middle, const struct segments *segments)
{
    const uint64_t nothing = 0;
    REAP_TRY(reap_fill(queue, segments->found, &nothing, sizeof nothing, FOUND, NULL));
    return reap_parallel_for(queue, segments_find, reap_range_1d(segments->work.segments),
                             .offsets = segments->offsets, .is_wide = segments->work.is_wide,
                             .count = count, .longest = segments->work.longest,
                             .takes_empty = !is_extreme(reduction), .counts_middle = counts_middle,
                             .found = segments->found);
}

static reap_status use_found(reap_reduction reduction, size_t count, const uint64_t *found,
                             struct segments *segments)
{
    segments->middle_count = found[FOUND_MIDDLE];
    segments->huge_count = found[FOUND_HUGE];
    return check_found(reduction, count, UINT64_MAX - found[FOUND_WRONG],
                       UINT64_MAX - found[FOUND_EMPTY]);
}

static reap_status take_found(reap_queue *queue, reap_reduction reduction, size_t count,
                              struct segments *segments)
{
    uint64_t found[FOUND];
    REAP_TRY(reap__copy(queue, found, segments->found, sizeof found));
    return use_found(reduction, count, found, segments);
}

/* ---- Long segments ----------------------------------------------------------------------------*/

static reap_status reduce_huge(reap_queue *queue, reap_reduction reduction, const reap_array *x,
                               const struct segments *segments, const struct huge *huge)
{
    uint64_t value;
    const reap_type type = reap_array_reduce_type(reduction, x->type);
    const size_t size = reap_type_size(type), length = huge->length;
    const char *const begin = (const char *)segments->x + huge->begin * reap_type_size(x->type);
    const reap_array row = {reap__array_data(begin), x->type, 1, &length, NULL};
    const reap_array one = {&value, type, 0, NULL, NULL};
    REAP_TRY(reap_array_reduce(queue, reduction, &row, NULL, &one));
    return reap__copy(queue, (char *)segments->results + huge->segment * size, &value, size);
}

/* Launches segments_list. `lists` receives the huge segments, and then the middle ones. */
static reap_status list(reap_queue *queue, struct segments *segments, reap_buffer *counts,
                        uint64_t *lists)
{
    void *data;
    uint64_t *const huge = lists, *const middle = lists + 3 * segments->huge_count + 1;
    REAP_TRY(reap_host_access_begin(counts, REAP_WRITE, &data));
    memset(data, 0, 2 * sizeof(uint64_t));
    REAP_TRY(reap_host_access_end(counts));
    segments->middle = middle;
    return reap_parallel_for(queue, segments_list, reap_range_1d(segments->work.segments),
                             .offsets = segments->offsets, .counts = reap_buffer_data(counts),
                             .middle = middle, .huge = huge, .work = segments->work,
                             .has_middle = segments->middle_count > 0);
}

static reap_status reduce_all_huge(reap_queue *queue, reap_reduction reduction, const reap_array *x,
                                   const struct segments *segments, const uint64_t *list)
{
    const size_t bytes = segments->huge_count * sizeof(struct huge);
    struct huge *const all = reap__allocate(bytes);
    if (all == NULL)
        return reap__algorithm_fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for %zu segments",
                                    segments->huge_count);
    reap_status status = reap__copy(queue, all, list, bytes);
    for (size_t i = 0; i < segments->huge_count && status == REAP_OK; i++)
        status = reduce_huge(queue, reduction, x, segments, &all[i]);
    reap__free(all);
    return status;
}

static reap_status reduce_with_lists(reap_queue *queue, reap_reduction reduction,
                                     const reap_array *x, struct segments *segments,
                                     reap_status (*others)(reap_queue *queue,
                                                           const struct segments *segments))
{
    reap_buffer *counts = NULL, *lists = NULL;
    const size_t words = segments->middle_count + 3 * segments->huge_count +
                         2; /* + 2, since `middle` and `huge` must not be empty */
    reap_status status = reap_buffer_create(2 * sizeof(uint64_t), &counts);
    if (status == REAP_OK)
        status = reap_buffer_create(words * sizeof(uint64_t), &lists);
    if (status == REAP_OK)
        status = list(queue, segments, counts, reap_buffer_data(lists));
    if (status == REAP_OK)
        status = (others)(queue, segments);
    if (status == REAP_OK && segments->huge_count > 0)
        status = reduce_all_huge(queue, reduction, x, segments, reap_buffer_data(lists));
    reap_buffer_release(lists);
    reap_buffer_release(counts);
    return status;
}

/* ---- Segments ---------------------------------------------------------------------------------*/

static size_t shares(const struct segments *segments, size_t count, size_t threads)
{
    const size_t work = count + segments->work.segments, most = threads * SHARES_PER_THREAD;
    const size_t all = work / LEAST_SHARE + 1;
    return all < most ? all : most;
}

/* Reads an offset, which may be in device memory. */
static reap_status read_offset(reap_queue *queue, const struct segments *segments, size_t s,
                               uint64_t *offset)
{
    int32_t narrow;
    int64_t wide;
    const int32_t *const all_narrow = segments->offsets;
    const int64_t *const all_wide = segments->offsets;
    if (segments->work.is_wide) {
        REAP_TRY(reap__copy(queue, &wide, all_wide + s, sizeof wide));
        *offset = (uint64_t)wide;
    } else {
        REAP_TRY(reap__copy(queue, &narrow, all_narrow + s, sizeof narrow));
        *offset = (uint64_t)narrow;
    }
    return REAP_OK;
}

/* Reads the begin of the first and the end of the last segment. */
static reap_status read_ends(reap_queue *queue, struct segments *segments)
{
    REAP_TRY(read_offset(queue, segments, 0, &segments->begin));
    return read_offset(queue, segments, segments->work.segments, &segments->end);
}

/* Whether a group for each segment is faster on a device: on average they have enough elements. */
static bool suits_groups(const struct segments *segments, reap_reduction reduction, size_t count)
{
    return reduction != REAP_EXACT_SUM && count / segments->work.segments >= LANES / 2;
}

/* The items of a group for segments of so many elements: as many times LANES as they have leaves.
 */
static size_t group_for(const struct segments *segments, size_t elements)
{
    size_t group = LANES;
    while (2 * group <= segments->most_group && group / LANES * LEAF < elements)
        group *= 2;
    return group;
}

/* Whether a kernel may read the memory, and so leave its contents. */
static bool has_contents(const void *memory)
{
    reap_pointer_info info;
    return reap_pointer_get_info(memory, &info) == REAP_OK && !info.is_unwritten;
}

static reap_status nothing_more(reap_queue *queue, const struct segments *segments)
{
    (void)queue;
    (void)segments;
    return REAP_OK;
}

static reap_status restore(reap_queue *queue, size_t count, const struct segments *segments)
{
    reap_event *event = NULL;
    return reap__finish(
        reap_parallel_for(queue, segments_restore, reap_range_1d(segments->work.segments),
                          .offsets = segments->offsets, .old = segments->old,
                          .results = segments->results, .work = segments->work, .count = count,
                          .launch = {.event = reap__event_for(queue, &event)}),
        &event);
}

/* By groups, which check their segments themselves: one command. After an error the results are
 * restored. The exact numbers of what was found come from segments_find. */
static reap_status reduce_checked(reap_queue *queue, reap_reduction reduction, const reap_array *x,
                                  struct segments *segments)
{
    const size_t count = x->shape[0];
    const uint64_t *const found = segments->report;
    memset(segments->report, 0, FOUND * sizeof(uint64_t));
    REAP_TRY((functions_of(x->type)->checked)(queue, segments, count, !is_extreme(reduction)));
    const bool is_wrong = found[FOUND_WRONG] != 0 || found[FOUND_EMPTY] != 0;
    if (is_wrong)
        REAP_TRY(restore(queue, count, segments));
    if (!is_wrong && found[FOUND_HUGE] == 0)
        return REAP_OK;
    REAP_TRY(launch_find(queue, reduction, count, false, segments));
    REAP_TRY(take_found(queue, reduction, count, segments));
    return reduce_with_lists(queue, reduction, x, segments, nothing_more);
}

static reap_status reduce_exactly(reap_queue *queue, const struct functions *functions,
                                  struct segments *segments)
{
    REAP_TRY(read_ends(queue, segments));
    return (functions->exactly)(queue, segments);
}

static reap_status reduce_on_device(reap_queue *queue, reap_reduction reduction,
                                    const reap_array *x, struct segments *segments)
{
    const struct functions *functions = functions_of(x->type);
    const bool by_groups = suits_groups(segments, reduction, x->shape[0]);
    segments->group = group_for(segments, x->shape[0] / segments->work.segments);
    if (segments->old != NULL)
        return reduce_checked(queue, reduction, x, segments);
    REAP_TRY(launch_find(queue, reduction, x->shape[0], !by_groups, segments));
    REAP_TRY(take_found(queue, reduction, x->shape[0], segments));
    if (reduction == REAP_EXACT_SUM && functions->exactly != NULL)
        return reduce_exactly(queue, functions, segments);
    reap_status (*const others)(reap_queue *, const struct segments *) =
        by_groups ? functions->by_groups : functions->on_device;
    if (segments->huge_count == 0 && segments->middle_count == 0)
        return (others)(queue, segments);
    if (segments->middle_count > 0)
        segments->group = group_for(segments, x->shape[0] / segments->middle_count);
    return reduce_with_lists(queue, reduction, x, segments, others);
}

static reap_status reduce_on_host(reap_queue *queue, reap_reduction reduction, const reap_array *x,
                                  struct segments *segments)
{
    const struct functions *functions = functions_of(x->type);
    REAP_TRY(check_on_host(queue, reduction, x->shape[0], segments));
    if (reduction == REAP_EXACT_SUM && functions->exactly != NULL)
        return reduce_exactly(queue, functions, segments);
    if (segments->huge_count == 0)
        return (functions->on_host)(queue, segments);
    return reduce_with_lists(queue, reduction, x, segments, functions->on_host);
}

static reap_status reduce(reap_queue *queue, reap_reduction reduction, const reap_array *x,
                          struct segments *segments)
{
    struct reap__scratch *scratch;
    reap_device_info info;
    REAP_TRY(reap_device_get_info(reap_queue_device(queue), &info));
    const bool is_host = strcmp(info.backend, "host") == 0;
    segments->work.longest = (uint64_t)1 << (is_host ? HOST_LONGEST_LOG2 : DEVICE_LONGEST_LOG2);
    segments->work.items = shares(segments, x->shape[0], info.compute_units);
    segments->most_group =
        info.max_work_group_size < MOST_GROUP ? info.max_work_group_size : MOST_GROUP;
    if (is_host)
        return reduce_on_host(queue, reduction, x, segments);
    const bool is_checked = suits_groups(segments, reduction, x->shape[0]) &&
                            has_contents(segments->results) &&
                            strcmp(info.backend, "combined") != 0;
    const size_t old_bytes = is_checked ? segments->work.segments * segments->work.result_bytes : 0;
    REAP_TRY(reap__scratch_take(queue, REAP__SCRATCH_PLAIN, FOUND * sizeof(uint64_t) + old_bytes,
                                &scratch));
    void *report = NULL;
    segments->found = reap__scratch_data(scratch);
    segments->old = is_checked ? segments->found + FOUND : NULL;
    reap_status status = is_checked ? reap__scratch_report(queue, scratch, &report) : REAP_OK;
    segments->report = report;
    if (status == REAP_OK)
        status = reduce_on_device(queue, reduction, x, segments);
    reap__scratch_give(scratch, status);
    return status;
}

static int32_t number_of(reap_type type, bool is_ordered)
{
    return type == REAP_TYPE_UINT64 && is_ordered ? NUMBER_ORDERED : (int32_t)type;
}

static segments_work work_of(reap_reduction reduction, const reap_array *x,
                             const reap_array *offsets, const reap_array *result)
{
    return (segments_work){.segments = result->shape[0],
                           .from = number_of(x->type, is_extreme(reduction)),
                           .to = number_of(result->type, is_extreme(reduction)),
                           .operation = reduction == REAP_MINIMUM   ? OPERATION_MINIMUM
                                        : reduction == REAP_MAXIMUM ? OPERATION_MAXIMUM
                                                                    : OPERATION_SUM,
                           .is_wide = offsets->type == REAP_TYPE_INT64,
                           .result_bytes = reap_type_size(result->type)};
}

/* The offset of no segments, which nothing else reads. */
static reap_status check_lone_offset(reap_queue *queue, const reap_array *x,
                                     const reap_array *offsets)
{
    union {
        int32_t narrow;
        int64_t wide;
    } offset;
    const size_t bytes = reap_type_size(offsets->type);
    REAP_TRY(reap__load_value(queue, &offset, offsets->data, bytes));
    const int64_t start = offsets->type == REAP_TYPE_INT32 ? offset.narrow : offset.wide;
    if (start >= 0 && (uint64_t)start <= x->shape[0])
        return REAP_OK;
    return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                "the offset %lld is outside the array of %zu elements",
                                (long long)start, x->shape[0]);
}

static reap_status open_and_reduce(reap_queue *queue, reap_reduction reduction, const reap_array *x,
                                   const reap_array *offsets, const reap_array *result)
{
    struct reap__rows elements, starts;
    REAP_TRY(reap__rows_open(queue, offsets, 1, &starts));
    reap_status status = reap__rows_open(queue, x, 1, &elements);
    if (status == REAP_OK) {
        /* Without elements a kernel reads none, but its parameter needs an array. */
        struct segments segments = {.work = work_of(reduction, x, offsets, result),
                                    .x = x->shape[0] > 0 ? elements.data : starts.data,
                                    .offsets = starts.data,
                                    .results = result->data};
        status = reduce(queue, reduction, x, &segments);
        reap__rows_close(&elements);
    }
    reap__rows_close(&starts);
    return status;
}

reap_status reap_array_reduce_segments(reap_queue *queue, reap_reduction reduction,
                                       const reap_array *x, const reap_array *offsets,
                                       const reap_array *result)
{
    REAP_TRY(check(queue, reduction, x, offsets, result));
    if (result->shape[0] == 0)
        return check_lone_offset(queue, x, offsets);
    const reap__fp_environment before = reap__fp_enter();
    const reap_status status = open_and_reduce(queue, reduction, x, offsets, result);
    reap__fp_leave(before);
    return status;
}
