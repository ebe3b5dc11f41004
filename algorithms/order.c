/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions that need only the order of the elements: converts the results of keys.c, keys and
 * counts, to values.
 */
#include "algorithms/order.h"

#include "algorithms/run.h"
#include "src/core/allocate.h"
#include "src/port/fp_environment.h"

#include <math.h>
#include <string.h>

bool reap__is_order(reap_reduction reduction)
{
    return reduction == REAP_MINIMUM || reduction == REAP_MAXIMUM || reduction == REAP_ARGMIN ||
           reduction == REAP_ARGMAX || reduction == REAP_NORM_INFINITY ||
           reduction == REAP_COUNT_NONZERO;
}

/* ---- Memory -----------------------------------------------------------------------------------*/

/* Two words for each row; the memory of the second ones is also used for the values of the result.
 */
struct words {
    int64_t one[2], *first, *second;
};

static bool words_open(struct words *words, size_t rows)
{
    size_t bytes;
    words->first = words->one;
    if (rows > 1 && __builtin_mul_overflow(rows, 2 * sizeof(int64_t), &bytes))
        words->first = NULL;
    else if (rows > 1)
        words->first = reap__allocate(bytes);
    if (words->first == NULL)
        return false;
    words->second = words->first + rows;
    return true;
}

static reap_status refuse_words(size_t rows)
{
    return reap__algorithm_fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for %zu results", rows);
}

static void words_close(struct words *words)
{
    if (words->first != words->one)
        reap__free(words->first);
}

/* ---- Checks -----------------------------------------------------------------------------------*/

static reap_status check_selected(reap_queue *queue, const struct reap__keyed *x, const char *name)
{
    struct words words;
    if (!words_open(&words, x->rows->count))
        return refuse_words(x->rows->count);
    reap_status status = reap__count_selected(queue, x->where, (uint64_t *)(void *)words.first);
    for (size_t r = 0; status == REAP_OK && r < x->rows->count; r++)
        if (words.first[r] == 0)
            status = reap__algorithm_fail(
                REAP_ERROR_INVALID_ARGUMENT,
                "the %s of no elements is undefined: 'where' selects none along the axes", name);
    words_close(&words);
    return status;
}

reap_status reap__order_check(reap_queue *queue, reap_reduction reduction,
                              const struct reap__keyed *x)
{
    static const char *const names[] = {[REAP_MINIMUM] = "minimum",
                                        [REAP_MAXIMUM] = "maximum",
                                        [REAP_ARGMIN] = "argmin",
                                        [REAP_ARGMAX] = "argmax"};
    if (!reap__is_order(reduction) || reduction == REAP_NORM_INFINITY ||
        reduction == REAP_COUNT_NONZERO)
        return REAP_OK;
    if (x->rows->length == 0)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                    "the %s of no elements is undefined: x has none along the axes",
                                    names[reduction]);
    return x->where != NULL ? check_selected(queue, x, names[reduction]) : REAP_OK;
}

/* ---- Conditions -------------------------------------------------------------------------------*/

static reap_status check_number(const reap_number *number)
{
    if (number->type == REAP_TYPE_INT64 || number->type == REAP_TYPE_UINT64 ||
        number->type == REAP_TYPE_DOUBLE)
        return REAP_OK;
    return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT,
                                "the condition: a reap_number has type %d: it must be "
                                "REAP_TYPE_INT64, REAP_TYPE_UINT64 or REAP_TYPE_DOUBLE",
                                (int)number->type);
}

static bool is_nan(const reap_number *number)
{
    return number->type == REAP_TYPE_DOUBLE && isnan(number->of_double);
}

static reap_status check_condition(const reap_condition *condition)
{
    if (condition == NULL)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT, "the condition is NULL");
    if ((unsigned)condition->comparison > REAP_BETWEEN)
        return reap__algorithm_fail(REAP_ERROR_INVALID_ARGUMENT, "%d is not a reap_comparison",
                                    (int)condition->comparison);
    REAP_TRY(check_number(&condition->a));
    return condition->comparison == REAP_BETWEEN ? check_number(&condition->b) : REAP_OK;
}

/* The keys of numbers from `a` to `b`, with or without a and b themselves; NULL: no limit. Returns
 * false if there are none. */
static bool interval_between(reap_type type, const reap_number *a, bool more_than_a,
                             const reap_number *b, bool less_than_b,
                             struct reap__interval *interval)
{
    int64_t first = reap__key_least(type), last = reap__key_largest(type), after;
    if (a != NULL && (is_nan(a) || !reap__key_from(type, a, more_than_a, &first)))
        return false;
    if (b != NULL && is_nan(b))
        return false;
    if (b != NULL && reap__key_from(type, b, !less_than_b, &after)) {
        if (after == reap__key_least(type))
            return false;
        last = after - 1;
    }
    *interval = reap__interval_of(first, last);
    return first <= last;
}

/* The keys of the numbers that satisfy the condition; for REAP_NOT_EQUAL, those that do not.
 * Returns false if there are none.
 */
static bool interval_of(reap_type type, const reap_condition *condition,
                        struct reap__interval *interval)
{
    const reap_number *const a = &condition->a;
    switch (condition->comparison) {
    case REAP_LESS:
        return interval_between(type, NULL, false, a, true, interval);
    case REAP_AT_MOST:
        return interval_between(type, NULL, false, a, false, interval);
    case REAP_GREATER:
        return interval_between(type, a, true, NULL, false, interval);
    case REAP_AT_LEAST:
        return interval_between(type, a, false, NULL, false, interval);
    case REAP_BETWEEN:
        return interval_between(type, a, false, &condition->b, false, interval);
    default:
        return interval_between(type, a, false, a, false, interval);
    }
}

/* The keys that are not in an interval. There are some. */
static struct reap__interval complement_of(const struct reap__interval *interval)
{
    return (struct reap__interval){(int64_t)((uint64_t)interval->lowest + interval->more + 1),
                                   ~interval->more - 1};
}

static reap_status count(reap_queue *queue, const struct reap__keyed *x,
                         const reap_condition *condition, uint64_t *counts)
{
    struct reap__interval interval;
    const bool is_any = interval_of(x->type, condition, &interval);
    if (condition->comparison == REAP_NOT_EQUAL)
        interval = is_any ? complement_of(&interval) : (struct reap__interval){0, UINT64_MAX};
    else if (!is_any) {
        memset(counts, 0, x->rows->count * sizeof *counts);
        return REAP_OK;
    }
    return reap__keyed_count(queue, x, &interval, counts);
}

/* ---- Values -----------------------------------------------------------------------------------*/

/* The key of the extreme, or of a NaN. */
static int64_t extreme_of(reap_type type, reap_reduction reduction, int64_t smallest,
                          int64_t largest)
{
    if (smallest > largest) /* no element is selected */
        return 0;
    if (type >= REAP_TYPE_HALF && reap__key_is_nan(type, smallest))
        return smallest;
    if (type >= REAP_TYPE_HALF && reap__key_is_nan(type, largest))
        return largest;
    if (reduction != REAP_NORM_INFINITY)
        return reduction == REAP_MINIMUM ? smallest : largest;
    const int64_t below = smallest < 0 ? -smallest - 1 : smallest;
    const int64_t above = largest < 0 ? -largest - 1 : largest;
    return below > above ? below : above;
}

static uint64_t magnitude_of(const reap_number *whole)
{
    if (whole->type == REAP_TYPE_UINT64)
        return whole->of_uint64;
    return whole->of_int64 < 0 ? 0 - (uint64_t)whole->of_int64 : (uint64_t)whole->of_int64;
}

/* Stores the largest magnitude. */
static void store_magnitude(reap_type type, int64_t smallest, int64_t largest, void *value)
{
    unsigned char low[sizeof(uint64_t)], high[sizeof(uint64_t)];
    if (type >= REAP_TYPE_HALF) {
        reap__key_store(type, extreme_of(type, REAP_NORM_INFINITY, smallest, largest), high);
        const double real = reap__number_of(type, high).of_double;
        if (type == REAP_TYPE_DOUBLE)
            memcpy(value, &real, sizeof real);
        else
            memcpy(value, &(float){(float)real}, sizeof(float));
        return;
    }
    reap__key_store(type, smallest, low);
    reap__key_store(type, largest, high);
    const reap_number a = reap__number_of(type, low), b = reap__number_of(type, high);
    const uint64_t below = magnitude_of(&a), above = magnitude_of(&b);
    const uint64_t most = smallest > largest ? 0 : below > above ? below : above;
    memcpy(value, &most, sizeof most);
}

/* Computes values from extremes, in the memory of the largest ones. */
static const void *values_of_extremes(reap_type type, reap_reduction reduction, size_t rows,
                                      struct words *words)
{
    const size_t size = reap_type_size(reap_array_reduce_type(reduction, type));
    char *const values = (char *)words->second;
    for (size_t r = 0; r < rows; r++) {
        const int64_t smallest = words->first[r], largest = words->second[r];
        if (reduction == REAP_NORM_INFINITY)
            store_magnitude(type, smallest, largest, values + r * size);
        else
            reap__key_store(type, extreme_of(type, reduction, smallest, largest),
                            values + r * size);
    }
    return values;
}

static reap_status compute(reap_queue *queue, reap_reduction reduction, const struct reap__keyed *x,
                           struct words *words, const void **values)
{
    uint64_t *const counts = (uint64_t *)(void *)words->second;
    *values = counts;
    if (x->rows->length == 0) {
        memset(counts, 0, x->rows->count * sizeof *counts);
        return REAP_OK;
    }
    if (reduction == REAP_ARGMIN || reduction == REAP_ARGMAX)
        return reap__keyed_positions(queue, x, reduction == REAP_ARGMAX, counts);
    if (reduction == REAP_COUNT_NONZERO) {
        const reap_condition nonzero = {REAP_NOT_EQUAL, reap_number_of_int64(0),
                                        reap_number_of_int64(0)};
        return count(queue, x, &nonzero, counts);
    }
    REAP_TRY(reap__keyed_extremes(queue, x, words->first, words->second));
    *values = values_of_extremes(x->type, reduction, x->rows->count, words);
    return REAP_OK;
}

/* One row, by a kernel for its type. Returns false if the result is undecided. */
static bool reduce_one(reap_queue *queue, reap_reduction reduction, const struct reap__keyed *x,
                       const reap_array *result, reap_status *status)
{
    const bool is_position = reduction == REAP_ARGMIN || reduction == REAP_ARGMAX;
    union reap__value value = {.of_uint64 = 0};
    *status =
        (reap__run_of(x->type)->order)(queue, reduction, x->rows->data, x->rows->length, &value);
    if (*status == REAP_OK && is_position && value.of_uint64 == REAP__UNDECIDED)
        return false;
    if (*status == REAP_OK)
        *status = reap__store(queue, result, &value, reap_type_size(result->type));
    return true;
}

reap_status reap__order_reduce(reap_queue *queue, reap_reduction reduction,
                               const struct reap__keyed *x, const reap_array *result)
{
    struct words words;
    const void *values;
    reap_status status;
    REAP_TRY(reap__order_check(queue, reduction, x));
    if (x->rows->count == 1 && x->where == NULL && x->rows->length > 0 &&
        reap__run_has_order(reduction, x->type) && reduce_one(queue, reduction, x, result, &status))
        return status;
    if (!words_open(&words, x->rows->count))
        return refuse_words(x->rows->count);
    status = compute(queue, reduction, x, &words, &values);
    if (status == REAP_OK)
        status = reap__store(queue, result, values, x->rows->count * reap_type_size(result->type));
    words_close(&words);
    return status;
}

reap_status reap__order_reduce_columns(reap_queue *queue, reap_reduction reduction, reap_type type,
                                       const struct reap__columns *columns,
                                       const reap_array *result)
{
    struct words words;
    struct reap__columns matrix = *columns;
    const size_t size = reap_type_size(type), results = columns->matrices * columns->count;
    reap_status status = REAP_OK;
    if (!words_open(&words, results))
        return refuse_words(results);
    for (size_t m = 0; m < columns->matrices && status == REAP_OK; m++) {
        const size_t first = m * columns->count;
        matrix.data =
            (const char *)columns->data + (ptrdiff_t)m * columns->matrix_stride * (ptrdiff_t)size;
        status = reap__keyed_extremes_of_columns(queue, type, &matrix, words.first + first,
                                                 words.second + first);
    }
    if (status == REAP_OK)
        status = reap__store(queue, result, values_of_extremes(type, reduction, results, &words),
                             results * size);
    words_close(&words);
    return status;
}

/* ---- Minimum and maximum ----------------------------------------------------------------------*/

/* Arrays as rows. */
struct opened {
    struct reap__rows rows, where;
    struct reap__keyed keyed;
};

static reap_status open_rows(reap_queue *queue, const reap_array *x, uint64_t axes,
                             const reap_array *where, struct opened *opened)
{
    opened->keyed = (struct reap__keyed){&opened->rows, NULL, x->type};
    opened->where.buffer = NULL;
    REAP_TRY(reap__rows_open(queue, x, axes, &opened->rows));
    if (where == NULL)
        return REAP_OK;
    const reap_status status = reap__rows_open(queue, where, axes, &opened->where);
    if (status != REAP_OK)
        reap__rows_close(&opened->rows);
    opened->keyed.where = &opened->where;
    return status;
}

static void close_rows(const struct opened *opened)
{
    reap__rows_close(&opened->rows);
    reap__rows_close(&opened->where);
}

static reap_status minmax(reap_queue *queue, const struct reap__keyed *x,
                          const reap_array *smallest, const reap_array *largest)
{
    struct words words, copy;
    const size_t rows = x->rows->count, bytes = rows * reap_type_size(x->type);
    REAP_TRY(reap__order_check(queue, REAP_MINIMUM, x));
    if (!words_open(&words, rows))
        return refuse_words(rows);
    if (!words_open(&copy, rows)) {
        words_close(&words);
        return refuse_words(rows);
    }
    reap_status status = reap__keyed_extremes(queue, x, words.first, words.second);
    if (status == REAP_OK) {
        memcpy(copy.first, words.first, 2 * rows * sizeof *words.first);
        status = reap__store(queue, smallest,
                             values_of_extremes(x->type, REAP_MINIMUM, rows, &words), bytes);
    }
    if (status == REAP_OK)
        status = reap__store(queue, largest, values_of_extremes(x->type, REAP_MAXIMUM, rows, &copy),
                             bytes);
    words_close(&copy);
    words_close(&words);
    return status;
}

reap_status reap_array_minmax(reap_queue *queue, const reap_array *x,
                              const reap_array_options *options, const reap_array *smallest,
                              const reap_array *largest)
{
    struct opened opened;
    const reap_array *where;
    uint64_t axes;
    REAP_TRY(reap__check_along(queue, x, options, &axes, &where));
    REAP_TRY(reap__check_result(x, axes, x->type, smallest));
    REAP_TRY(reap__check_result(x, axes, x->type, largest));
    if (reap__array_count(smallest) == 0)
        return REAP_OK;
    REAP_TRY(open_rows(queue, x, axes, where, &opened));
    const reap_status status = minmax(queue, &opened.keyed, smallest, largest);
    close_rows(&opened);
    return status;
}

/* ---- Counts -----------------------------------------------------------------------------------*/

static reap_status count_rows(reap_queue *queue, const struct reap__keyed *x,
                              const reap_condition *condition, const reap_array *result)
{
    struct words words;
    if (!words_open(&words, x->rows->count))
        return refuse_words(x->rows->count);
    uint64_t *const counts = (uint64_t *)(void *)words.first;
    reap_status status = count(queue, x, condition, counts);
    if (status == REAP_OK)
        status = reap__store(queue, result, counts, x->rows->count * sizeof *counts);
    words_close(&words);
    return status;
}

/* Called through a volatile pointer, so compilers do not move its comparisons out of the library's
 * floating-point environment. */
static reap_status (*volatile const count_in_rows)(reap_queue *queue, const struct reap__keyed *x,
                                                   const reap_condition *condition,
                                                   const reap_array *result) = count_rows;

reap_status reap_array_count(reap_queue *queue, const reap_array *x,
                             const reap_condition *condition, const reap_array_options *options,
                             const reap_array *result)
{
    struct opened opened;
    const reap_array *where;
    uint64_t axes;
    REAP_TRY(reap__check_along(queue, x, options, &axes, &where));
    REAP_TRY(check_condition(condition));
    REAP_TRY(reap__check_result(x, axes, REAP_TYPE_UINT64, result));
    if (reap__array_count(result) == 0)
        return REAP_OK;
    REAP_TRY(open_rows(queue, x, axes, where, &opened));
    const reap__fp_environment before = reap__fp_enter();
    const reap_status status = (count_in_rows)(queue, &opened.keyed, condition, result);
    reap__fp_leave(before);
    close_rows(&opened);
    return status;
}
