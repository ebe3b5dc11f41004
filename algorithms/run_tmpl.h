/* SPDX-License-Identifier: Apache-2.0
 *
 * The reductions of one type of elements: included by run.c with NAME and ELEMENT as in
 * elements.kernels.h; SUM_TYPE and LARGEST_TYPE, the types of sums and of the largest magnitude;
 * and, for such types, IS_FLOATING and IS_DOUBLE.
 */
#ifdef IS_FLOATING
/* A NaN among the elements is the result. */
#define EXTREME(word, variable, T, nan)                                                            \
    T extreme = {0};                                                                               \
    uint32_t has_nan = 0;                                                                          \
    status = RUN(word, .variable = {.result = &extreme}, .has_nan = {.result = &has_nan});         \
    if (has_nan != 0)                                                                              \
        extreme = nan;                                                                             \
    memcpy(value, &extreme, sizeof extreme)
#define PLACE(word, variable)                                                                      \
    ELEMENT extreme;                                                                               \
    uint64_t first_nan = UINT64_MAX;                                                               \
    status = RUN(word, .variable = {.result = &extreme, .location = &value->of_uint64},            \
                 .first_nan = {.result = &first_nan});                                             \
    if (first_nan != UINT64_MAX)                                                                   \
    value->of_uint64 = first_nan
#else
#define EXTREME(word, variable, T, nan)                                                            \
    T extreme = 0;                                                                                 \
    status = RUN(word, .variable = {.result = &extreme});                                          \
    memcpy(value, &extreme, sizeof extreme)
#define PLACE(word, variable)                                                                      \
    ELEMENT extreme;                                                                               \
    status = RUN(word, .variable = {.result = &extreme, .location = &value->of_uint64})
#endif
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
    const reap_status status = RUN(norm_2, .large = {.result = &large}, .sum = {.result = &sum},
                                   .small = {.result = &small});
    value->of_double = norm_of(large, sum, small);
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

static reap_status JOIN(extreme_of, NAME)(reap_queue *queue, reap_reduction reduction,
                                          const ELEMENT *x, size_t count, union reap__value *value)
{
    reap_event *event = NULL;
    reap_status status;
    if (reduction == REAP_MINIMUM) {
        EXTREME(minimum, smallest, ELEMENT, NOT_A_NUMBER);
    } else if (reduction == REAP_MAXIMUM) {
        EXTREME(maximum, largest, ELEMENT, NOT_A_NUMBER);
    } else if (reduction == REAP_NORM_INFINITY) {
        EXTREME(norm_infinity, largest, LARGEST_TYPE, (LARGEST_TYPE)NAN);
    } else if (reduction == REAP_ARGMIN) {
        PLACE(argmin, smallest);
    } else {
        PLACE(argmax, largest);
    }
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
    if (reduction == REAP_NORM_1) {
        SUM_OF(norm_1);
    } else if (reduction == REAP_COUNT_NONZERO) {
        status = RUN(count_nonzero, .count = {.result = &value->of_uint64});
#ifdef IS_FLOATING
    } else if (reduction == REAP_EXACT_SUM) {
        SUM_OF(exact_sum);
#endif
    } else if (reduction == REAP_SUM || reduction == REAP_EXACT_SUM) {
        SUM_OF(sum);
    } else {
        return JOIN(extreme_of, NAME)(queue, reduction, x, count, value);
    }
    return status;
}

static reap_status JOIN(sum_rows_of, NAME)(reap_queue *queue, const struct reap__rows *rows,
                                           void *sums)
{
    reap_event *event = NULL;
    const reap_status status =
        LAUNCH(JOIN(sum_rows, NAME), reap_range_1d(rows->count), .x = (const ELEMENT *)rows->data,
               .sums = (SUM_TYPE *)sums, .length = rows->length, .launch = {.event = &event});
    return reap__finish(status, &event);
}

static reap_status JOIN(sum_columns_of, NAME)(reap_queue *queue,
                                              const struct reap__columns *columns, void *sums)
{
    reap_event *event = NULL;
    const size_t width = 256 / sizeof(SUM_TYPE); /* COLUMNS of the kernel */
    const size_t blocks = (columns->count + width - 1) / width;
    size_t levels = 0; /* of nodes that wait: none if all rows are one leaf */
    while ((columns->rows - 1) / LEAF_ROWS >> levels > 0)
        levels++;
    SUM_TYPE *const nodes = malloc((blocks * levels * LANES * width + 1) * sizeof *nodes);
    if (nodes == NULL)
        return reap__algorithm_fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for sums of columns");
    reap_status status = LAUNCH(
        JOIN(sum_columns, NAME), reap_range_1d(blocks), .x = (const ELEMENT *)columns->data,
        .sums = (SUM_TYPE *)sums, .nodes = nodes, .rows = columns->rows, .columns = columns->count,
        .stride = columns->stride, .levels = levels, .launch = {.event = &event});
    status = reap__finish(status, &event);
    free(nodes);
    return status;
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
#undef ELEMENT
#undef EXTREME
#undef PLACE
#undef SUM_OF
