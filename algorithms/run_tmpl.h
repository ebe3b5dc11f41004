/* SPDX-License-Identifier: Apache-2.0
 *
 * The reductions of one type of elements: included by run.c with NAME and ELEMENT as in
 * elements.kernels.h; SUM_TYPE, the type of sums; and, if they apply, IS_FLOATING, IS_DOUBLE,
 * HAS_NEGATIVES and IS_WIDE.
 */
#define SUM_OF(word)                                                                               \
    SUM_TYPE sum = 0;                                                                              \
    status = RUN(word, .sum = {.result = &sum});                                                   \
    memcpy(value, &sum, sizeof sum)

static reap_status JOIN(norm_of, NAME)(reap_queue *queue, const ELEMENT *x, size_t count,
                                       union reap__value *value)
{
    reap_event *event = NULL;
    double sum = 0;
#ifdef IS_DOUBLE
    double large = 0, small = 0;
    reap_status status = RUN(sum_products, .y = x, .sum = {.result = &sum});
    value->of_double = sqrt(sum);
    if (status != REAP_OK || reap__norm_is_plain(sum))
        return status;
    event = NULL;
    status = RUN(norm_2, .large = {.result = &large}, .sum = {.result = &sum},
                 .small = {.result = &small});
    value->of_double = reap__norm_of(large, sum, small);
#else
    const reap_status status = RUN(norm_2, .sum = {.result = &sum});
#ifdef IS_FLOATING
    value->of_float = (float)sqrt(sum);
#else
    value->of_double = sqrt(sum);
#endif
#endif
    return status;
}

static reap_status JOIN(reduce, NAME)(reap_queue *queue, reap_reduction reduction, const void *data,
                                      size_t count, union reap__value *value)
{
    const ELEMENT *const x = (const ELEMENT *)data;
    reap_event *event = NULL;
    reap_status status;
    if (reduction == REAP_NORM_2)
        return JOIN(norm_of, NAME)(queue, x, count, value);
#ifdef HAS_NEGATIVES
    if (reduction == REAP_NORM_1) {
        SUM_OF(norm_1);
        return status;
    }
#endif
#ifdef IS_FLOATING
    if (reduction == REAP_EXACT_SUM) {
        SUM_OF(exact_sum);
        return status;
    }
#endif
    SUM_OF(sum);
    return status;
}

#ifdef IS_WIDE
static reap_status JOIN(order_of, NAME)(reap_queue *queue, reap_reduction reduction,
                                        const void *data, size_t count, union reap__value *value)
{
    const ELEMENT *const x = (const ELEMENT *)data;
    reap_event *event = NULL;
    reap_status status;
    ELEMENT extreme = 0;
    uint64_t *const position = &value->of_uint64;
    if (reduction == REAP_ARGMIN)
        status = RUN(argmin, .smallest = {.result = &extreme, .location = position});
    else if (reduction == REAP_ARGMAX)
        status = RUN(argmax, .largest = {.result = &extreme, .location = position});
    if (reduction == REAP_ARGMIN || reduction == REAP_ARGMAX) {
#ifdef IS_FLOATING
        if (extreme - extreme != 0) /* infinite */
            *position = REAP__UNDECIDED;
#endif
        return status;
    }
#ifdef IS_FLOATING
    uint32_t has_nan = 0;
    if (reduction == REAP_COUNT_NONZERO)
        return RUN(count_nonzero, .count = {.result = &value->of_uint64});
    if (reduction == REAP_MINIMUM)
        status = RUN(minimum, .smallest = {.result = &extreme}, .has_nan = {.result = &has_nan});
    else
        status = RUN(maximum, .largest = {.result = &extreme}, .has_nan = {.result = &has_nan});
    extreme = has_nan != 0 ? (ELEMENT)NAN : extreme == 0 ? 0 : extreme;
#else
    if (reduction == REAP_MINIMUM)
        status = RUN(minimum, .smallest = {.result = &extreme});
    else
        status = RUN(maximum, .largest = {.result = &extreme});
#endif
    memcpy(value, &extreme, sizeof extreme);
    return status;
}
#endif

static reap_status JOIN(rows_of, NAME)(reap_queue *queue, const struct reap__rows *rows,
                                       void *results)
{
    reap_event *event = NULL;
    return reap__finish(LAUNCH(JOIN(sum_rows, NAME), reap_range_1d(rows->count),
                               .x = (const ELEMENT *)rows->data, .results = (SUM_TYPE *)results,
                               .length = rows->length,
                               .launch = {.event = reap__event_for(queue, &event)}),
                        &event);
}

static reap_status JOIN(columns_of, NAME)(reap_queue *queue, const struct reap__columns *columns,
                                          void *nodes, void *results)
{
    reap_event *event = NULL;
    return reap__finish(
        LAUNCH(JOIN(sum_columns, NAME), reap_range_1d(reap__blocks(columns, sizeof(SUM_TYPE))),
               .x = (const ELEMENT *)columns->data, .results = (SUM_TYPE *)results,
               .nodes = (SUM_TYPE *)nodes, .rows = columns->rows, .columns = columns->count,
               .stride = columns->stride, .levels = reap__levels(columns),
               .launch = {.event = reap__event_for(queue, &event)}),
        &event);
}

static reap_status JOIN(dot, NAME)(reap_queue *queue, const void *data, const void *other,
                                   size_t count, union reap__value *value)
{
    const ELEMENT *const x = (const ELEMENT *)data, *const y = (const ELEMENT *)other;
    reap_event *event = NULL;
    SUM_TYPE sum = 0;
    const reap_status status = RUN(sum_products, .y = y, .sum = {.result = &sum});
    memcpy(value, &sum, sizeof sum);
    return status;
}

static reap_status JOIN(powers, NAME)(reap_queue *queue, const void *data, size_t count,
                                      struct reap__powers *powers)
{
    const ELEMENT *const x = (const ELEMENT *)data;
    reap_event *event = NULL;
    return RUN(powers, .origin = powers->origin, .sum = {.result = &powers->sum},
               .squares = {.result = &powers->squares}, .cubes = {.result = &powers->cubes},
               .fourths = {.result = &powers->fourths});
}

#undef NAME
#undef IS_WIDE
#undef ELEMENT
#undef SUM_OF
