/* SPDX-License-Identifier: Apache-2.0
 *
 * reap/algorithms.h against naive loops: random arrays of every type, of up to five dimensions with
 * strides of every sign and order, reduced along random dimensions. An element of the result is
 * compared with a loop over its elements in row-major order: sums with the reference of the
 * reduction shape, exact sums in 113 bits. The signs of exact sums that are 0.
 */
#include "tests/conformance/queues.h"
#include "tests/conformance/random_arrays.h"
#include "tests/conformance/reference_builtin.h"
#include "tests/support/memory.h"

#include <float.h>
#include <math.h>
#include <reap/algorithms.h>

/* ---- Naive loops ------------------------------------------------------------------------------*/

/* The elements that one element of a result is made of. */
struct list {
    reap_type type;
    size_t count;
    const struct number *numbers;
    const unsigned char *selected; /* NULL, or 0 for those that are left out */
    float *singles;                /* memory for them as floats */
    double *reals;
};

static bool is_selected(const struct list *list, size_t i)
{
    return list->selected == NULL || list->selected[i] != 0;
}

static size_t next_float(void *context, size_t item, const void **first)
{
    const struct list *list = context;
    *first = list->singles + item;
    return is_selected(list, item) ? 1 : 0;
}

static size_t next_double(void *context, size_t item, const void **first)
{
    const struct list *list = context;
    *first = list->reals + item;
    return is_selected(list, item) ? 1 : 0;
}

/* In the reduction shape, of functions of the elements in the type of the sum. */
static void add_up(struct list *list, double (*of)(double), void *sum)
{
    static const struct reference_launch launch = {NULL, true};
    const bool is_double = list->type == REAP_TYPE_DOUBLE;
    const struct reference_items items = {list->count, is_double ? next_double : next_float, list};
    for (size_t i = 0; i < list->count; i++) {
        list->reals[i] = (of)(list->numbers[i].real);
        list->singles[i] = (float)list->reals[i];
    }
    memset(sum, 0, sizeof(double));
    if (list->count > 0)
        reference_reduce(is_double ? &reference_double[REFERENCE_PLUS]
                                   : &reference_float[REFERENCE_PLUS],
                         &items, &launch, sum);
}

static double same(double v)
{
    return v;
}

static void add_integers(const struct list *list, bool magnitudes, uint64_t *sum)
{
    *sum = 0;
    for (size_t i = 0; i < list->count; i++) {
        const uint64_t v = list->numbers[i].bits;
        if (!is_selected(list, i))
            continue;
        *sum += magnitudes && array_types[list->type].is_signed && (int64_t)v < 0 ? 0 - v : v;
    }
}

#if LDBL_MANT_DIG >= 113
typedef long double wide;
#else
__extension__ typedef __float128 wide;
#endif

/* Inputs are such that the sum fits (tame()). */
static void add_exactly(const struct list *list, void *sum)
{
    wide total = 0;
    for (size_t i = 0; i < list->count; i++)
        total += is_selected(list, i) ? list->numbers[i].real : 0;
    if (list->type == REAP_TYPE_DOUBLE)
        memcpy(sum, &(double){(double)total}, sizeof(double));
    else
        memcpy(sum, &(float){(float)total}, sizeof(float));
}

static bool is_less(reap_type type, const struct number *a, const struct number *b)
{
    if (array_types[type].is_floating)
        return a->real < b->real;
    return array_types[type].is_signed ? (int64_t)a->bits < (int64_t)b->bits : a->bits < b->bits;
}

/* The place of the first smallest or largest, or of the first NaN; there is a selected element. */
static size_t find(const struct list *list, bool largest)
{
    size_t at = 0;
    while (!is_selected(list, at))
        at++;
    for (size_t i = at; i < list->count; i++) {
        if (!is_selected(list, i))
            continue;
        const struct number *v = &list->numbers[i], *best = &list->numbers[at];
        if (isnan(v->real) && array_types[list->type].is_floating)
            return i;
        if (largest ? is_less(list->type, best, v) : is_less(list->type, v, best))
            at = i;
    }
    return at;
}

static void find_largest_magnitude(const struct list *list, void *result)
{
    double largest = 0;
    uint64_t whole = 0;
    bool has_nan = false;
    for (size_t i = 0; i < list->count; i++) {
        const struct number v = list->numbers[i];
        if (!is_selected(list, i))
            continue;
        const uint64_t magnitude =
            array_types[list->type].is_signed && (int64_t)v.bits < 0 ? 0 - v.bits : v.bits;
        has_nan |= isnan(v.real);
        largest = fabs(v.real) > largest ? fabs(v.real) : largest;
        whole = magnitude > whole ? magnitude : whole;
    }
    if (!array_types[list->type].is_floating)
        memcpy(result, &whole, sizeof whole);
    else if (list->type == REAP_TYPE_DOUBLE)
        memcpy(result, &(double){has_nan ? (double)NAN : largest}, sizeof(double));
    else
        memcpy(result, &(float){has_nan ? NAN : (float)largest}, sizeof(float));
}

/* ---- Comparisons ------------------------------------------------------------------------------*/

static double real_of(reap_type type, const void *value)
{
    return number_read(type, value).real;
}

static bool are_equal(reap_type type, const void *a, const void *b)
{
    const double x = real_of(type, a), y = real_of(type, b);
    if (array_types[type].is_floating)
        return x == y || (isnan(x) && isnan(y));
    return memcmp(a, b, array_types[type].size) == 0;
}

/* The root of a sum of squares is not specified to the bit. */
static bool is_norm(const struct list *list, reap_type type, const void *value)
{
    long double sum = 0;
    for (size_t i = 0; i < list->count; i++)
        if (is_selected(list, i))
            sum += (long double)list->numbers[i].real * list->numbers[i].real;
    const long double norm = sqrtl(sum), got = real_of(type, value);
    if (isnan(norm) || isinf(norm))
        return isnan(norm) == isnan(got) && isinf(norm) == isinf(got);
    const long double largest = type == REAP_TYPE_FLOAT ? FLT_MAX : DBL_MAX;
    if (isinf(got))
        return norm > largest * (1 - 0x1p-23L);
    if (type == REAP_TYPE_FLOAT)
        return (float)got == (float)norm || fabsl(got - norm) <= norm * 0x1p-23L + 0x1p-149L;
    return fabsl(got - norm) <= norm * 0x1p-46L + 0x1p-1073L;
}

static bool is_right(struct list *list, reap_reduction reduction, const void *value)
{
    const reap_type type = reap_array_reduce_type(reduction, list->type);
    const bool is_floating = array_types[list->type].is_floating;
    unsigned char expected[8] = {0};
    uint64_t *const whole = (uint64_t *)(void *)expected;
    size_t nonzero = 0;
    switch (reduction) {
    case REAP_SUM:
    case REAP_NORM_1:
        if (is_floating)
            add_up(list, reduction == REAP_SUM ? same : fabs, expected);
        else
            add_integers(list, reduction == REAP_NORM_1, whole);
        return check_same(value, expected, array_types[type].size);
    case REAP_EXACT_SUM:
        if (is_floating)
            add_exactly(list, expected);
        else
            add_integers(list, false, whole);
        break;
    case REAP_MINIMUM:
    case REAP_MAXIMUM:
        return are_equal(type, value, &list->numbers[find(list, reduction == REAP_MAXIMUM)].bits);
    case REAP_ARGMIN:
    case REAP_ARGMAX:
        *whole = find(list, reduction == REAP_ARGMAX);
        break;
    case REAP_NORM_2:
        return is_norm(list, type, value);
    case REAP_NORM_INFINITY:
        find_largest_magnitude(list, expected);
        break;
    case REAP_COUNT_NONZERO:
        for (size_t i = 0; i < list->count; i++)
            nonzero += !is_selected(list, i) ? 0
                       : is_floating         ? list->numbers[i].real != 0
                                             : list->numbers[i].bits != 0;
        *whole = nonzero;
        break;
    }
    return are_equal(type, value, expected);
}

/* ---- Trials -----------------------------------------------------------------------------------*/

struct outcome {
    size_t shape[MOST_DIMENSIONS], count, length;
    unsigned dimensions;
    unsigned char *values;
};

static void check_values(const struct drawn *drawn, const struct drawn *where,
                         reap_reduction reduction, uint64_t axes, const struct outcome *outcome)
{
    const reap_type type = reap_array_reduce_type(reduction, drawn->array.type);
    struct number *numbers = test_allocate(outcome->length * sizeof *numbers);
    unsigned char *selected = test_allocate(outcome->length);
    struct list list = {drawn->array.type,
                        outcome->length,
                        numbers,
                        where != NULL ? selected : NULL,
                        test_allocate(outcome->length * sizeof(float)),
                        test_allocate(outcome->length * sizeof(double))};
    size_t wrong = 0, indices[MOST_DIMENSIONS];
    for (size_t r = 0; r < outcome->count; r++) {
        drawn_set_indices(drawn, axes, false, r, indices);
        for (size_t i = 0; i < outcome->length; i++) {
            drawn_set_indices(drawn, axes, true, i, indices);
            numbers[i] = drawn_element(drawn, indices);
            if (where != NULL)
                selected[i] = drawn_element(where, indices).bits != 0;
        }
        wrong += !is_right(&list, reduction, outcome->values + r * array_types[type].size);
    }
    if (!check_report(wrong == 0, __FILE__, __LINE__,
                      "reduction %d of %s%s, %u dimensions, axes %llx: %zu of %zu results of %zu "
                      "elements are wrong",
                      (int)reduction, array_types[drawn->array.type].name,
                      where != NULL ? ", masked" : "", drawn->array.dimensions,
                      (unsigned long long)axes, wrong, outcome->count, outcome->length))
        for (unsigned d = 0; d < drawn->array.dimensions; d++)
            fprintf(stderr, "  %zu, stride %td\n", drawn->shape[d], drawn->strides[d]);
    free(list.singles);
    free(list.reals);
    free(selected);
    free(numbers);
}

/* Each element of a result has the bits of a reduction of its elements alone, which have been
 * copied to memory of their own; on the host, where that may be anywhere. */
static void check_alone(reap_queue *queue, const struct drawn *drawn, const struct drawn *where,
                        reap_reduction reduction, uint64_t axes, const struct outcome *outcome)
{
    const reap_type type = drawn->array.type;
    const reap_type result_type = reap_array_reduce_type(reduction, type);
    const size_t size = array_types[type].size;
    unsigned char *elements = test_allocate(outcome->length * size), value[8];
    unsigned char *selected = test_allocate(outcome->length);
    size_t wrong = 0, indices[MOST_DIMENSIONS];
    for (size_t r = 0; r < outcome->count; r++) {
        drawn_set_indices(drawn, axes, false, r, indices);
        for (size_t i = 0; i < outcome->length; i++) {
            drawn_set_indices(drawn, axes, true, i, indices);
            memcpy(elements + i * size, drawn_at(drawn, indices), size);
            if (where != NULL)
                selected[i] = (unsigned char)drawn_element(where, indices).bits;
        }
        const reap_array array = {elements, type, 1, &outcome->length, NULL};
        const reap_array result = {value, result_type, 0, NULL, NULL};
        const reap_array mask = {selected, REAP_TYPE_UINT8, 1, &outcome->length, NULL};
        const reap_array_options options = {.where = where != NULL ? &mask : NULL};
        CHECK_STATUS(reap_array_reduce(queue, reduction, &array, &options, &result), REAP_OK);
        wrong += !check_same(value, outcome->values + r * array_types[result_type].size,
                             array_types[result_type].size);
    }
    check_report(
        wrong == 0, __FILE__, __LINE__,
        "reduction %d of %s along axes %llx: %zu of %zu results of %zu elements have other "
        "bits than alone",
        (int)reduction, array_types[type].name, (unsigned long long)axes, wrong, outcome->count,
        outcome->length);
    free(elements);
    free(selected);
}

static bool needs_elements(reap_reduction reduction)
{
    return reduction >= REAP_MINIMUM && reduction <= REAP_ARGMAX;
}

/* Whether each result has a selected element. */
static bool has_selected(const struct drawn *drawn, const struct drawn *where, uint64_t axes,
                         const struct outcome *outcome)
{
    size_t indices[MOST_DIMENSIONS];
    for (size_t r = 0; r < outcome->count; r++) {
        bool has = where == NULL && outcome->length > 0;
        drawn_set_indices(drawn, axes, false, r, indices);
        for (size_t i = 0; where != NULL && i < outcome->length && !has; i++) {
            drawn_set_indices(drawn, axes, true, i, indices);
            has = drawn_element(where, indices).bits != 0;
        }
        if (!has)
            return false;
    }
    return true;
}

static void try(reap_queue *queue, reap_type type, reap_reduction reduction, enum drawn_kind kind,
                uint64_t *random)
{
    struct drawn drawn, mask;
    drawn_open(&drawn, type, kind, random);
    drawn_open_like(&mask, &drawn, check_random(random) % 2 == 0 ? REAP_TYPE_BOOL : REAP_TYPE_UINT8,
                    random);
    const struct drawn *const where = check_random(random) % 3 == 0 ? &mask : NULL;
    const unsigned dimensions = drawn.array.dimensions;
    const uint64_t all = ((uint64_t)1 << dimensions) - 1;
    const uint64_t axes =
        kind == MATRIX ? 1 + check_random(random) % 6 : check_random(random) & all;
    const reap_array_options options = {.axes = axes, .where = where != NULL ? &mask.array : NULL};
    const uint64_t reduced = axes != 0 ? axes : all;
    struct outcome outcome = {.count = 1, .length = 1};
    for (unsigned d = 0; d < dimensions; d++)
        if (reduced >> d & 1) {
            outcome.length *= drawn.shape[d];
        } else {
            outcome.shape[outcome.dimensions++] = drawn.shape[d];
            outcome.count *= drawn.shape[d];
        }
    const reap_type result_type = reap_array_reduce_type(reduction, type);
    const size_t bytes = outcome.count * array_types[result_type].size;
    reap_buffer *buffer;
    outcome.values = test_allocate(bytes + 8);
    CHECK_STATUS(reap_buffer_wrap(outcome.values, bytes + 8, &buffer), REAP_OK);
    const reap_array result = {outcome.values, result_type, outcome.dimensions, outcome.shape,
                               NULL};
    const reap_status status = reap_array_reduce(queue, reduction, &drawn.array, &options, &result);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    if (needs_elements(reduction) && !has_selected(&drawn, where, reduced, &outcome))
        CHECK_STATUS(status, REAP_ERROR_INVALID_ARGUMENT);
    else if (CHECK_STATUS(status, REAP_OK))
        check_values(&drawn, where, reduction, reduced, &outcome);
    if (status == REAP_OK && outcome.length > 0 && outcome.count < 200 && !test_on_device())
        check_alone(queue, &drawn, where, reduction, reduced, &outcome);
    free(outcome.values);
    drawn_release(&mask);
    drawn_release(&drawn);
}

/* ---- Sums of products -------------------------------------------------------------------------*/

struct dot_trial {
    struct drawn x, y, mask;
    const struct drawn *where;
    uint64_t axes; /* 0: all */
    struct outcome outcome;
};

static void dot_open(struct dot_trial *trial, reap_type type, uint64_t *random)
{
    drawn_open(&trial->x, type, TAME, random);
    drawn_open_like(&trial->y, &trial->x, type, random);
    drawn_tame(&trial->y, random);
    drawn_open_like(&trial->mask, &trial->x, REAP_TYPE_BOOL, random);
    trial->where = check_random(random) % 3 == 0 ? &trial->mask : NULL;
    const uint64_t all = ((uint64_t)1 << trial->x.array.dimensions) - 1;
    trial->axes = check_random(random) % 2 == 0 ? 0 : check_random(random) & all;
    trial->outcome = (struct outcome){.count = 1, .length = 1};
    struct outcome *const outcome = &trial->outcome;
    for (unsigned d = 0; d < trial->x.array.dimensions; d++)
        if ((trial->axes != 0 ? trial->axes : all) >> d & 1) {
            outcome->length *= trial->x.shape[d];
        } else {
            outcome->shape[outcome->dimensions++] = trial->x.shape[d];
            outcome->count *= trial->x.shape[d];
        }
}

/* The products of a result's elements, to `list`, and their sum as integers. */
static uint64_t take_products(const struct dot_trial *trial, size_t result, struct number *products,
                              unsigned char *selected)
{
    const reap_type type = trial->x.array.type;
    const uint64_t axes = trial->axes != 0 ? trial->axes : UINT64_MAX;
    size_t indices[MOST_DIMENSIONS];
    uint64_t whole = 0;
    drawn_set_indices(&trial->x, axes, false, result, indices);
    for (size_t i = 0; i < trial->outcome.length; i++) {
        drawn_set_indices(&trial->x, axes, true, i, indices);
        const struct number a = drawn_element(&trial->x, indices);
        const struct number b = drawn_element(&trial->y, indices);
        selected[i] = trial->where == NULL || drawn_element(trial->where, indices).bits != 0;
        whole += selected[i] ? a.bits * b.bits : 0;
        products[i].real =
            type == REAP_TYPE_DOUBLE ? a.real * b.real : (float)a.real * (float)b.real;
    }
    return whole;
}

static void check_products(const struct dot_trial *trial)
{
    const reap_type type = trial->x.array.type;
    const size_t length = trial->outcome.length;
    const size_t size = array_types[reap_array_reduce_type(REAP_SUM, type)].size;
    struct number *const numbers = test_allocate(length * sizeof *numbers);
    unsigned char *const selected = test_allocate(length);
    struct list list = {type,
                        length,
                        numbers,
                        selected,
                        test_allocate(length * sizeof(float)),
                        test_allocate(length * sizeof(double))};
    size_t wrong = 0;
    for (size_t r = 0; r < trial->outcome.count; r++) {
        unsigned char expected[8] = {0};
        const uint64_t whole = take_products(trial, r, numbers, selected);
        if (array_types[type].is_floating)
            add_up(&list, same, expected);
        else
            memcpy(expected, &whole, sizeof whole);
        wrong += !check_same(trial->outcome.values + r * size, expected, size);
    }
    check_report(wrong == 0, __FILE__, __LINE__,
                 "dot of %s%s along axes %llx: %zu of %zu results of %zu products are wrong",
                 array_types[type].name, trial->where != NULL ? ", masked" : "",
                 (unsigned long long)trial->axes, wrong, trial->outcome.count, length);
    free(list.singles);
    free(list.reals);
    free(selected);
    free(numbers);
}

static void try_dot(reap_queue *queue, reap_type type, uint64_t *random)
{
    struct dot_trial trial;
    reap_buffer *buffer;
    dot_open(&trial, type, random);
    const reap_type sum = reap_array_reduce_type(REAP_SUM, type);
    const size_t bytes = trial.outcome.count * array_types[sum].size + 8;
    trial.outcome.values = test_allocate(bytes);
    CHECK_STATUS(reap_buffer_wrap(trial.outcome.values, bytes, &buffer), REAP_OK);
    const reap_array result = {trial.outcome.values, sum, trial.outcome.dimensions,
                               trial.outcome.shape, NULL};
    const reap_array_options options = {.axes = trial.axes,
                                        .where = trial.where != NULL ? &trial.mask.array : NULL};
    const bool is_plain = trial.axes == 0 && trial.where == NULL;
    CHECK_STATUS(
        is_plain ? reap_array_dot(queue, &trial.x.array, &trial.y.array, &result)
                 : reap_array_dot_along(queue, &trial.x.array, &trial.y.array, &options, &result),
        REAP_OK);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    check_products(&trial);
    free(trial.outcome.values);
    drawn_release(&trial.mask);
    drawn_release(&trial.y);
    drawn_release(&trial.x);
}

/* ---- Moments ----------------------------------------------------------------------------------*/

static bool is_near(double got, wide expected, wide scale)
{
    const wide difference = got - expected;
    return (difference < 0 ? -difference : difference) <= 1e-11L * scale;
}

/* Data for which the one-pass formula of the squares' sum fails, or the first elements mislead. */
static void try_moments(reap_queue *queue, unsigned kind, size_t count, uint64_t *random)
{
    double *x = test_allocate(count * sizeof *x);
    reap_buffer *buffer;
    reap_moments moments;
    wide mean = 0, powers[5] = {0}, sizes[5] = {0};
    for (size_t i = 0; i < count; i++) {
        const double uniform = (double)(check_random(random) >> 11) * 0x1p-53;
        x[i] = kind == 0   ? 1e9 + uniform
               : kind == 1 ? (double)i
               : kind == 2 ? (i == 7 ? 1e12 : uniform)
               : kind == 3 ? (i < 2048 ? 1e10 : uniform)
                           : -5;
    }
    for (size_t i = 0; i < count; i++)
        mean += x[i];
    mean /= count;
    for (size_t i = 0; i < count; i++) {
        const wide difference = x[i] - mean, size = difference < 0 ? -difference : difference;
        wide power = difference, magnitude = size;
        for (int p = 2; p < 5; p++) {
            powers[p] += power *= difference;
            sizes[p] += magnitude *= size;
        }
    }
    CHECK_STATUS(reap_buffer_wrap(x, count * sizeof *x, &buffer), REAP_OK);
    CHECK_STATUS(reap_statistics(queue, x, count, &moments), REAP_OK);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    CHECK_EQ(moments.count, count);
    CHECK(is_near(moments.mean, mean, mean < 0 ? -mean : mean));
    if (!CHECK(is_near(moments.squares, powers[2], sizes[2])) ||
        !CHECK(is_near(moments.cubes, powers[3], sizes[3])) ||
        !CHECK(is_near(moments.fourths, powers[4], sizes[4])))
        fprintf(stderr, "  kind %u, %zu elements: %.17g of %.17g, %.17g of %.17g, %.17g of %.17g\n",
                kind, count, moments.squares, (double)powers[2], moments.cubes, (double)powers[3],
                moments.fourths, (double)powers[4]);
    free(x);
}

/* ---- Zeros ------------------------------------------------------------------------------------*/

enum { ZERO_ROWS = 4, ZERO_COLUMNS = 4 };

/* Of the rows' exact sums only the first is -0: all selected elements of it are. Of the second none
 * is selected. */
static const float zeros[ZERO_ROWS][ZERO_COLUMNS] = {
    {-0.0f, 5, -0.0f, -0.0f}, {5, -0.0f, -5, -0.0f}, {-0.0f, 0, 5, -0.0f}, {5, -5, -0.0f, 7}};
static const uint8_t zeros_selected[ZERO_ROWS][ZERO_COLUMNS] = {
    {1, 0, 1, 1}, {0, 0, 0, 0}, {1, 1, 0, 1}, {1, 1, 1, 0}};

/* The sign of the zero in an element of the type; -1: it is not 0. */
static int sign_of_zero(reap_type type, const void *element)
{
    const struct number number = number_read(type, element);
    return number.real != 0 ? -1 : signbit(number.real) != 0;
}

static void store_number(reap_type type, float value, void *element)
{
    const reap_half half = reap_half_from_float(value);
    const reap_bfloat16 bfloat16 = reap_bfloat16_from_float(value);
    if (type == REAP_TYPE_HALF)
        memcpy(element, &half, sizeof half);
    else if (type == REAP_TYPE_BFLOAT16)
        memcpy(element, &bfloat16, sizeof bfloat16);
    else if (type == REAP_TYPE_FLOAT)
        memcpy(element, &value, sizeof value);
    else
        memcpy(element, &(double){(double)value}, sizeof(double));
}

/* All rows in one call, and each alone; or in sums that are not exact, which begin at 0. */
static void try_zeros(reap_queue *queue, reap_type type, reap_reduction reduction)
{
    static double x[ZERO_ROWS * ZERO_COLUMNS], sums[ZERO_ROWS + 1];
    static uint8_t mask[ZERO_ROWS][ZERO_COLUMNS];
    const size_t shape[] = {ZERO_ROWS, ZERO_COLUMNS}, size = array_types[type].size;
    const reap_type sum_type = reap_array_reduce_type(reduction, type);
    const size_t sum_size = array_types[sum_type].size;
    reap_buffer *buffers[3];
    for (size_t i = 0; i < ZERO_ROWS * ZERO_COLUMNS; i++)
        store_number(type, zeros[i / ZERO_COLUMNS][i % ZERO_COLUMNS], (char *)x + i * size);
    memcpy(mask, zeros_selected, sizeof mask);
    CHECK_STATUS(reap_buffer_wrap(x, sizeof x, &buffers[0]), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(mask, sizeof mask, &buffers[1]), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(sums, sizeof sums, &buffers[2]), REAP_OK);
    const reap_array all = {x, type, 2, shape, NULL};
    const reap_array where = {mask, REAP_TYPE_BOOL, 2, shape, NULL};
    const reap_array results = {sums, sum_type, 1, shape, NULL};
    const reap_array_options options = {.axes = 1 << 1, .where = &where};
    CHECK_STATUS(reap_array_reduce(queue, reduction, &all, &options, &results), REAP_OK);
    unsigned char alone[ZERO_ROWS][sizeof(double)];
    for (size_t r = 0; r < ZERO_ROWS; r++) {
        const reap_array row = {(char *)x + r * ZERO_COLUMNS * size, type, 1, &shape[1], NULL};
        const reap_array selected = {mask[r], REAP_TYPE_BOOL, 1, &shape[1], NULL};
        CHECK_STATUS(reap_array_reduce(queue, reduction, &row,
                                       &(reap_array_options){.where = &selected},
                                       &(reap_array){alone[r], sum_type, 0, NULL, NULL}),
                     REAP_OK);
    }
    for (size_t b = 0; b < 3; b++)
        CHECK_STATUS(reap_buffer_release(buffers[b]), REAP_OK);
    for (size_t r = 0; r < ZERO_ROWS; r++) {
        const int sign = reduction == REAP_EXACT_SUM && r == 0;
        CHECK_EQ(sign_of_zero(sum_type, (const char *)sums + r * sum_size), sign);
        CHECK_EQ(sign_of_zero(sum_type, alone[r]), sign);
        check_comparisons += 2;
    }
}

int main(void)
{
    uint64_t random = check_seed();
    reap_queue *queues[QUEUES];
    queues_open(queues);
    const unsigned trials = test_on_device() ? TRIALS / 10 : TRIALS;
    for (unsigned trial = 0; trial < trials; trial++) {
        reap_queue *queue = queues[trial % queue_count];
        const reap_type type = REAP_TYPE_BOOL + check_random(&random) % REAP_TYPE_DOUBLE;
        const reap_reduction reduction =
            (reap_reduction)(check_random(&random) % (REAP_COUNT_NONZERO + 1));
        try(queue, type, reduction, reduction == REAP_EXACT_SUM ? TAME : ANY, &random);
        const reap_reduction along[] = {REAP_SUM, REAP_MINIMUM, REAP_MAXIMUM};
        if (trial % 4 == 1)
            try(queue, type, along[check_random(&random) % 3], MATRIX, &random);
        if (trial % 2 == 0)
            try_dot(queue, type, &random);
    }
    for (reap_type type = REAP_TYPE_HALF; type <= REAP_TYPE_DOUBLE; type++) {
        try_zeros(queues[0], type, REAP_EXACT_SUM);
        try_zeros(queues[0], type, REAP_SUM);
    }
    for (unsigned kind = 0; kind < 5; kind++)
        for (size_t count = 1; count < 100000; count = 7 * count + 3)
            try_moments(queues[kind % queue_count], kind, count, &random);
    queues_close(queues);
    return check_finish();
}
