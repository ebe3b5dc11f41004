/* SPDX-License-Identifier: Apache-2.0
 *
 * reap_array_moments_along and reap_array_comoments_along against naive loops in 113 bits: random
 * arrays of every type with any strides, along random dimensions, with and without masks. Results
 * along dimensions have the bits of those of each row alone.
 */
#include "tests/conformance/queues.h"
#include "tests/conformance/random_arrays.h"
#include "tests/support/memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#if LDBL_MANT_DIG >= 113
typedef long double wide;
#else
__extension__ typedef __float128 wide;
#endif

/* ---- References -------------------------------------------------------------------------------*/

static wide wide_of(reap_type type, struct number number)
{
    if (array_types[type].is_floating)
        return number.real;
    return array_types[type].is_signed ? (wide)(int64_t)number.bits : (wide)number.bits;
}

static wide magnitude(wide v)
{
    return v < 0 ? -v : v;
}

/* The differences of a one-pass formula in double, which begins near the mean: `scale` is a sum of
 * magnitudes. NaN and infinities are not near anything, and not expected here. */
static bool is_near(double got, wide expected, wide scale)
{
    return magnitude(got - expected) <= 1e-10L * scale + 1e-300L;
}

/* The selected elements of a row, in order. */
struct row {
    size_t count;
    wide *values;
};

static bool is_finite(const struct row *row)
{
    for (size_t i = 0; i < row->count; i++)
        if (!(magnitude(row->values[i]) < 1e60L))
            return false;
    return true;
}

static wide mean_of(const struct row *row)
{
    wide sum = 0;
    for (size_t i = 0; i < row->count; i++)
        sum += row->values[i];
    return sum / row->count;
}

static bool are_right(const struct row *row, const reap_moments *got)
{
    const wide mean = mean_of(row);
    wide powers[5] = {0}, scales[5] = {0}, sum = 0;
    for (size_t i = 0; i < row->count; i++) {
        const wide d = row->values[i] - mean;
        wide power = d;
        sum += magnitude(row->values[i]);
        for (int p = 2; p < 5; p++) {
            power *= d;
            powers[p] += power;
            scales[p] += magnitude(power);
        }
    }
    /* Elements that all are near a large mean differ from it by less than it is rounded. */
    const wide unit = sum / row->count * 1e-15L;
    wide error = row->count;
    for (int p = 2; p < 5; p++)
        scales[p] += (error *= unit);
    return is_near(got->mean, mean, sum / row->count) &&
           is_near(got->squares, powers[2], scales[2]) &&
           is_near(got->cubes, powers[3], scales[3] + unit * scales[2] * 1e10L) &&
           is_near(got->fourths, powers[4], scales[4]);
}

/* ---- Trials -----------------------------------------------------------------------------------*/

struct trial {
    struct drawn x, y, mask;
    bool is_masked;
    uint64_t axes;
    size_t count, length;
    reap_array_options options;
};

static void trial_open(struct trial *trial, uint64_t *random)
{
    *trial = (struct trial){.count = 1, .length = 1};
    drawn_open(&trial->x, REAP_TYPE_BOOL + check_random(random) % REAP_TYPE_DOUBLE,
               check_random(random) % 3 == 0 ? ANY : TAME, random);
    const reap_type other = check_random(random) % 2 == 0
                                ? trial->x.array.type
                                : REAP_TYPE_BOOL + check_random(random) % REAP_TYPE_DOUBLE;
    drawn_open_like(&trial->y, &trial->x, other, random);
    drawn_tame(&trial->y, random);
    drawn_open_like(&trial->mask, &trial->x, REAP_TYPE_BOOL, random);
    trial->is_masked = check_random(random) % 2 == 0;
    const uint64_t all = ((uint64_t)1 << trial->x.array.dimensions) - 1;
    trial->options.axes = check_random(random) & all;
    trial->options.where = trial->is_masked ? &trial->mask.array : NULL;
    trial->axes = trial->options.axes != 0 ? trial->options.axes : all;
    for (unsigned d = 0; d < trial->x.array.dimensions; d++)
        *(trial->axes >> d & 1 ? &trial->length : &trial->count) *= trial->x.shape[d];
}

static void trial_close(struct trial *trial)
{
    drawn_release(&trial->x);
    drawn_release(&trial->y);
    drawn_release(&trial->mask);
}

/* The elements of a row of an array, of which `row` receives the selected ones, and memory all, and
 * the mask. */
static void read_row(const struct trial *trial, const struct drawn *from, size_t result,
                     struct row *row, unsigned char *elements, unsigned char *selected)
{
    const size_t size = array_types[from->array.type].size;
    size_t indices[MOST_DIMENSIONS];
    row->count = 0;
    drawn_set_indices(from, trial->axes, false, result, indices);
    for (size_t i = 0; i < trial->length; i++) {
        drawn_set_indices(from, trial->axes, true, i, indices);
        memcpy(elements + i * size, drawn_at(from, indices), size);
        selected[i] = !trial->is_masked || drawn_element(&trial->mask, indices).bits != 0;
        if (selected[i])
            row->values[row->count++] = wide_of(from->array.type, drawn_element(from, indices));
    }
}

static bool are_as_alone(reap_queue *queue, const struct trial *trial, unsigned char *elements,
                         unsigned char *selected, const reap_moments *got)
{
    reap_moments alone;
    const reap_array array = {elements, trial->x.array.type, 1, &trial->length, NULL};
    const reap_array mask = {selected, REAP_TYPE_BOOL, 1, &trial->length, NULL};
    const reap_array_options options = {.where = trial->is_masked ? &mask : NULL};
    CHECK_STATUS(reap_array_moments_along(queue, &array, &options, &alone), REAP_OK);
    return check_same(&alone, got, sizeof alone);
}

static void try_moments(reap_queue *queue, uint64_t *random)
{
    struct trial trial;
    trial_open(&trial, random);
    reap_moments *results = test_allocate((trial.count + 1) * sizeof *results);
    unsigned char *elements = test_allocate(trial.length * sizeof(double));
    unsigned char *selected = test_allocate(trial.length);
    struct row row = {0, test_allocate(trial.length * sizeof(wide))};
    size_t wrong = 0, unlike = 0;
    CHECK_STATUS(reap_array_moments_along(queue, &trial.x.array, &trial.options, results), REAP_OK);
    for (size_t r = 0; r < trial.count; r++) {
        read_row(&trial, &trial.x, r, &row, elements, selected);
        wrong += results[r].count != row.count;
        if (row.count == 0)
            wrong += !isnan(results[r].mean) || results[r].squares != 0;
        else if (is_finite(&row))
            wrong += !are_right(&row, &results[r]);
        if (!test_on_device() && trial.length > 0 && trial.count < 200)
            unlike += !are_as_alone(queue, &trial, elements, selected, &results[r]);
    }
    check_report(wrong == 0 && unlike == 0, __FILE__, __LINE__,
                 "moments of %s%s, axes %llx: %zu of %zu results of %zu elements are wrong, %zu "
                 "not as alone",
                 array_types[trial.x.array.type].name, trial.is_masked ? ", masked" : "",
                 (unsigned long long)trial.axes, wrong, trial.count, trial.length, unlike);
    free(row.values);
    free(selected);
    free(elements);
    free(results);
    trial_close(&trial);
}

static bool are_right_pairs(const struct row *x, const struct row *y, const reap_comoments *got)
{
    const wide x_mean = mean_of(x), y_mean = mean_of(y);
    wide squares[2] = {0}, products = 0, sums[2] = {0}, scale = 0;
    for (size_t i = 0; i < x->count; i++) {
        const wide a = x->values[i] - x_mean, b = y->values[i] - y_mean;
        squares[0] += a * a;
        squares[1] += b * b;
        products += a * b;
        scale += magnitude(a * b);
        sums[0] += magnitude(x->values[i]) / x->count;
        sums[1] += magnitude(y->values[i]) / x->count;
    }
    const wide units[2] = {sums[0] * 1e-15L, sums[1] * 1e-15L};
    scale += x->count * units[0] * units[1] * 1e10L;
    return got->count == x->count && is_near(got->x_mean, x_mean, sums[0]) &&
           is_near(got->y_mean, y_mean, sums[1]) &&
           is_near(got->x_squares, squares[0], squares[0] + x->count * units[0] * units[0]) &&
           is_near(got->y_squares, squares[1], squares[1] + x->count * units[1] * units[1]) &&
           is_near(got->products, products,
                   scale + magnitude(squares[0]) * 1e-5L + magnitude(squares[1]) * 1e-5L);
}

/* Rows of two arrays, in memory of their own. */
struct pair {
    struct row x, y;
    unsigned char *x_elements, *y_elements, *selected;
};

static struct pair pair_open(size_t length)
{
    return (struct pair){{0, test_allocate(length * sizeof(wide))},
                         {0, test_allocate(length * sizeof(wide))},
                         test_allocate(length * sizeof(double)),
                         test_allocate(length * sizeof(double)),
                         test_allocate(length)};
}

static void pair_close(struct pair *pair)
{
    free(pair->x.values);
    free(pair->y.values);
    free(pair->x_elements);
    free(pair->y_elements);
    free(pair->selected);
}

static bool is_pair_right(const struct pair *pair, const reap_comoments *got)
{
    if (pair->x.count == 0)
        return got->count == 0 && isnan(got->x_mean) && isnan(got->y_mean) && got->products == 0;
    if (is_finite(&pair->x) && is_finite(&pair->y))
        return are_right_pairs(&pair->x, &pair->y, got);
    return got->count == pair->x.count;
}

static bool is_pair_as_alone(reap_queue *queue, const struct trial *trial, const struct pair *pair,
                             const reap_comoments *got)
{
    reap_comoments alone;
    const reap_array x = {pair->x_elements, trial->x.array.type, 1, &trial->length, NULL};
    const reap_array y = {pair->y_elements, trial->y.array.type, 1, &trial->length, NULL};
    const reap_array mask = {pair->selected, REAP_TYPE_BOOL, 1, &trial->length, NULL};
    const reap_array_options options = {.where = trial->is_masked ? &mask : NULL};
    CHECK_STATUS(reap_array_comoments(queue, &x, &y, &options, &alone), REAP_OK);
    return check_same(&alone, got, sizeof alone);
}

static void try_pairs(reap_queue *queue, uint64_t *random)
{
    struct trial trial;
    trial_open(&trial, random);
    struct pair pair = pair_open(trial.length);
    reap_comoments *results = test_allocate((trial.count + 1) * sizeof *results);
    size_t wrong = 0, unlike = 0;
    CHECK_STATUS(
        reap_array_comoments_along(queue, &trial.x.array, &trial.y.array, &trial.options, results),
        REAP_OK);
    for (size_t r = 0; r < trial.count; r++) {
        read_row(&trial, &trial.x, r, &pair.x, pair.x_elements, pair.selected);
        read_row(&trial, &trial.y, r, &pair.y, pair.y_elements, pair.selected);
        wrong += !is_pair_right(&pair, &results[r]);
        if (!test_on_device() && trial.length > 0 && trial.count < 200)
            unlike += !is_pair_as_alone(queue, &trial, &pair, &results[r]);
    }
    check_report(wrong == 0 && unlike == 0, __FILE__, __LINE__,
                 "covariance of %s and %s%s, axes %llx: %zu of %zu results of %zu pairs are wrong, "
                 "%zu not as alone",
                 array_types[trial.x.array.type].name, array_types[trial.y.array.type].name,
                 trial.is_masked ? ", masked" : "", (unsigned long long)trial.axes, wrong,
                 trial.count, trial.length, unlike);
    free(results);
    pair_close(&pair);
    trial_close(&trial);
}

/* Data for which formulas of sums of squares and products fail: y = 3 x, far from 0. */
static void try_far(reap_queue *queue)
{
    enum { COUNT = 10000 };
    double *x = test_allocate(2 * sizeof *x * COUNT), *y = x + COUNT;
    reap_buffer *buffer;
    reap_comoments got;
    for (int i = 0; i < COUNT; i++) {
        x[i] = (i < 2048 ? -1e9 : 1e9) + i % 7;
        y[i] = 3 * x[i];
    }
    CHECK_STATUS(reap_buffer_wrap(x, 2 * sizeof *x * COUNT, &buffer), REAP_OK);
    CHECK_STATUS(reap_costatistics(queue, x, y, COUNT, &got), REAP_OK);
    CHECK(fabs(got.products / got.x_squares - 3) < 1e-12);
    CHECK(fabs(got.y_squares / got.x_squares - 9) < 1e-12);
    for (int i = 0; i < COUNT; i++) {
        x[i] = 1e9 + i % 7;
        y[i] = -1e9 - i % 7;
    }
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(x, 2 * sizeof *x * COUNT, &buffer), REAP_OK);
    CHECK_STATUS(reap_costatistics(queue, x, y, COUNT, &got), REAP_OK);
    CHECK(fabs(got.products / got.x_squares + 1) < 1e-12);
    CHECK(fabs(got.x_squares / COUNT - 4) < 1e-3);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    free(x);
}

static bool is_same(double got, double expected)
{
    return isnan(expected) ? isnan(got) : got == expected;
}

/* Pairs of `large`, whose row 1 overflows, and of 0, 1, ... of any type. */
static void try_pairs_with_large(reap_queue *queue, const reap_array *large,
                                 const reap_array_options *options, double mean)
{
    static float floats[12];
    static uint32_t integers[12];
    static int8_t bytes[12];
    const reap_array others[] = {{floats, REAP_TYPE_FLOAT, 2, large->shape, NULL},
                                 {integers, REAP_TYPE_UINT32, 2, large->shape, NULL},
                                 {bytes, REAP_TYPE_INT8, 2, large->shape, NULL}};
    reap_buffer *buffers[3];
    reap_comoments pairs[3];
    for (int i = 0; i < 12; i++) {
        floats[i] = (float)i;
        integers[i] = (uint32_t)i;
        bytes[i] = (int8_t)i;
    }
    for (size_t i = 0; i < 3; i++)
        CHECK_STATUS(
            reap_buffer_wrap(others[i].data, 12 * reap_type_size(others[i].type), &buffers[i]),
            REAP_OK);
    for (size_t i = 0; i < 3; i++) {
        CHECK_STATUS(reap_array_comoments_along(queue, large, &others[i], options, pairs), REAP_OK);
        CHECK(is_same(pairs[1].x_mean, mean));
        CHECK_EQ(pairs[1].y_mean, 5.5);
        CHECK_EQ(pairs[1].y_squares, 5.0);
        CHECK_EQ(pairs[0].products, options->where != NULL ? 2.0 : 5.0);
        CHECK_EQ(pairs[2].y_mean, options->where != NULL ? 9.0 : 9.5);
    }
    for (size_t i = 0; i < 3; i++)
        CHECK_STATUS(reap_buffer_release(buffers[i]), REAP_OK);
}

/* Where elements are infinite or NaN, powers are NaN; where sums of large numbers overflow, those
 * of even powers are infinite or 0, and the mean is that of the exact sum. */
static void try_large(reap_queue *queue, const double *x, double squares, double mean)
{
    enum { ROWS = 3, LENGTH = 4 };
    static const size_t shape[] = {ROWS, LENGTH};
    static bool where[ROWS * LENGTH];
    static double elements[ROWS * LENGTH], others[ROWS * LENGTH];
    reap_buffer *buffers[3];
    reap_moments got[ROWS], alone;
    reap_comoments pairs[ROWS];
    for (int i = 0; i < ROWS * LENGTH; i++) {
        elements[i] = i / LENGTH == 1 ? x[i % LENGTH] : i;
        others[i] = i;
        where[i] = i / LENGTH == 1 || i % 2 == 0;
    }
    CHECK_STATUS(reap_buffer_wrap(elements, sizeof elements, &buffers[0]), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(where, sizeof where, &buffers[1]), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(others, sizeof others, &buffers[2]), REAP_OK);
    const reap_array array = {elements, REAP_TYPE_DOUBLE, 2, shape, NULL};
    const reap_array other = {others, REAP_TYPE_DOUBLE, 2, shape, NULL};
    const reap_array row = {&elements[LENGTH], REAP_TYPE_DOUBLE, 1, &shape[1], NULL};
    const reap_array mask = {where, REAP_TYPE_BOOL, 2, shape, NULL};
    CHECK_STATUS(reap_array_moments(queue, &row, &alone), REAP_OK);
    for (int is_masked = 0; is_masked < 2; is_masked++) {
        const reap_array_options options = {.axes = 1 << 1, .where = is_masked ? &mask : NULL};
        CHECK_STATUS(reap_array_moments_along(queue, &array, &options, got), REAP_OK);
        for (int i = 0; i < 2; i++) {
            const reap_moments *const one = i == 0 ? &got[1] : &alone;
            CHECK(is_same(one->mean, mean));
            CHECK(is_same(one->squares, squares) && is_same(one->fourths, squares));
            CHECK(squares != 0 || one->cubes == 0);
        }
        CHECK_EQ(got[0].squares, is_masked ? 2.0 : 5.0);
        CHECK_EQ(got[2].mean, is_masked ? 9.0 : 9.5);
        CHECK_STATUS(reap_array_comoments_along(queue, &other, &array, &options, pairs), REAP_OK);
        CHECK(is_same(pairs[1].y_mean, mean) && is_same(pairs[1].y_squares, squares));
        CHECK(squares != 0 || pairs[1].products == 0);
        CHECK(pairs[1].x_mean == 5.5 && pairs[1].x_squares == 5);
        CHECK_EQ(pairs[0].products, is_masked ? 2.0 : 5.0);
        try_pairs_with_large(queue, &array, &options, mean);
    }
    for (size_t i = 0; i < 3; i++)
        CHECK_STATUS(reap_buffer_release(buffers[i]), REAP_OK);
}

static void try_special(reap_queue *queue)
{
    const double all = (double)INFINITY, none = (double)NAN, max = DBL_MAX;
    try_large(queue, (const double[]){max, max, max, -max}, all, max / 2);
    try_large(queue, (const double[]){max / 2, max, max / 2, -max}, all, max / 4);
    try_large(queue, (const double[]){-max, -max, -max, 1}, all, -max / 4 * 3);
    try_large(queue, (const double[]){max, -max, max, -max}, all, 0);
    try_large(queue, (const double[]){max, max, -max, -max}, all, 0);
    try_large(queue, (const double[]){-max, max, max, 0}, all, max / 4);
    try_large(queue, (const double[]){max, max, max, max}, 0, max);
    try_large(queue, (const double[]){-1e308, -1e308, -1e308, -1e308}, 0, -1e308);
    try_large(queue, (const double[]){max, max, max, nextafter(max, 0)}, all, max);
    try_large(queue, (const double[]){0x1p700, -0x1p700, 0x3p700, 0x1p700}, all, 0x1p700);
    try_large(queue, (const double[]){1, all, 2, 3}, none, all);
    try_large(queue, (const double[]){1, all, -all, 3}, none, none);
    try_large(queue, (const double[]){1, 2, none, 3}, none, none);
    try_large(queue, (const double[]){max, max, -max, -all}, none, -all);
}

/* Elements whose squares overflow, but not those of their differences, of which a mask selects none
 * of the first ones and `selected` others: as of the others alone. */
static void try_late(reap_queue *queue, double value, double step, size_t selected)
{
    enum { FIRST = 2500, COUNT = 2 * FIRST };
    static double x[COUNT], y[COUNT];
    static bool where[COUNT];
    static const size_t count = COUNT;
    const double *const arrays[] = {x, y};
    reap_buffer *buffers[3];
    reap_moments got, alone;
    reap_comoments pairs, pairs_alone;
    for (size_t i = 0; i < COUNT; i++) {
        x[i] = value + step * (double)(i % 7);
        y[i] = (double)(i * i % 11);
        where[i] = i >= FIRST && i < FIRST + selected;
    }
    for (size_t i = 0; i < 2; i++)
        CHECK_STATUS(reap_buffer_wrap(arrays[i], sizeof x, &buffers[i]), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(where, sizeof where, &buffers[2]), REAP_OK);
    const reap_array array = {x, REAP_TYPE_DOUBLE, 1, &count, NULL};
    const reap_array other = {y, REAP_TYPE_DOUBLE, 1, &count, NULL};
    const reap_array mask = {where, REAP_TYPE_BOOL, 1, &count, NULL};
    const reap_array_options options = {.where = &mask};
    CHECK_STATUS(reap_array_moments_along(queue, &array, &options, &got), REAP_OK);
    CHECK_STATUS(reap_statistics(queue, x + FIRST, selected, &alone), REAP_OK);
    CHECK(fabs(got.mean / alone.mean - 1) < 1e-15);
    CHECK(fabs(got.squares - alone.squares) <= 1e-10 * alone.squares);
    CHECK_STATUS(reap_array_comoments(queue, &array, &other, &options, &pairs), REAP_OK);
    CHECK_STATUS(reap_costatistics(queue, x + FIRST, y + FIRST, selected, &pairs_alone), REAP_OK);
    CHECK(fabs(pairs.x_squares - alone.squares) <= 1e-10 * alone.squares);
    CHECK(fabs(pairs.products - pairs_alone.products) <= 1e-10 * fabs(pairs_alone.products));
    for (size_t i = 0; i < 3; i++)
        CHECK_STATUS(reap_buffer_release(buffers[i]), REAP_OK);
}

int main(void)
{
    uint64_t random = check_seed();
    reap_queue *queues[QUEUES];
    queues_open(queues);
    const unsigned trials = test_on_device() ? TRIALS / 15 : TRIALS / (test_samples() ? 6 : 3);
    for (unsigned trial = 0; trial < trials; trial++) {
        try_moments(queues[trial % queue_count], &random);
        try_pairs(queues[trial % queue_count], &random);
    }
    try_far(queues[0]);
    for (size_t q = 0; q < queue_count; q++) {
        try_special(queues[q]);
        try_late(queues[q], 1e160, 1e148, 2000);
        try_late(queues[q], 1e200, 0, 1000);
        try_late(queues[q], 3e307, 0, 1001);
    }
    queues_close(queues);
    return check_finish();
}
