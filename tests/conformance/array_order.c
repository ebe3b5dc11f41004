/* SPDX-License-Identifier: Apache-2.0
 *
 * reap_array_count and reap_array_minmax against naive loops: random arrays of every type, with any
 * strides, along random dimensions, with and without masks; numbers of every kind, near elements,
 * at limits of types, and NaN. Comparisons of the reference are in 113 bits.
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

static wide wide_of_number(const reap_number *number)
{
    return number->type == REAP_TYPE_DOUBLE  ? (wide)number->of_double
           : number->type == REAP_TYPE_INT64 ? (wide)number->of_int64
                                             : (wide)number->of_uint64;
}

static bool satisfies(wide x, const reap_condition *condition)
{
    const wide a = wide_of_number(&condition->a), b = wide_of_number(&condition->b);
    switch (condition->comparison) {
    case REAP_EQUAL:
        return x == a;
    case REAP_NOT_EQUAL:
        return x != a;
    case REAP_LESS:
        return x < a;
    case REAP_AT_MOST:
        return x <= a;
    case REAP_GREATER:
        return x > a;
    case REAP_AT_LEAST:
        return x >= a;
    default:
        return a <= x && x <= b;
    }
}

/* ---- Random conditions ------------------------------------------------------------------------*/

/* Often an element of the array, or a number near it. */
static reap_number draw_number(const struct drawn *drawn, uint64_t *random)
{
    static const double doubles[] = {0, -0.0, 0.1, 1e300, 0x1p63, 0x1p64, -0x1p63, 127.5, -128.5};
    static const int64_t whole[] = {0, 1, -1, 127, 128, -129, 65535, INT64_MIN, INT64_MAX};
    size_t indices[MOST_DIMENSIONS];
    struct number number = {check_random(random), 0};
    const uint64_t kind = check_random(random) % 10;
    if (drawn->count > 0) {
        drawn_set_indices(drawn, UINT64_MAX, true, check_random(random) % drawn->count, indices);
        number = drawn_element(drawn, indices);
    }
    if (kind == 0)
        return reap_number_of_double(check_random(random) % 2 == 0 ? (double)NAN
                                                                   : -(double)INFINITY);
    if (kind == 1)
        return reap_number_of_double(doubles[check_random(random) % 9]);
    if (kind == 2)
        return reap_number_of_int64(whole[check_random(random) % 9]);
    if (kind == 3)
        return reap_number_of_uint64(UINT64_MAX - check_random(random) % 2);
    if (array_types[drawn->array.type].is_floating)
        return reap_number_of_double(kind == 4   ? nextafter(number.real, 1)
                                     : kind == 5 ? floor(number.real)
                                                 : number.real);
    if (kind == 4)
        return reap_number_of_double(wide_of(drawn->array.type, number) + (wide)0.5L);
    if (kind == 5 || array_types[drawn->array.type].is_signed)
        return reap_number_of_int64((int64_t)number.bits);
    return reap_number_of_uint64(number.bits);
}

/* ---- Trials -----------------------------------------------------------------------------------*/

struct trial {
    struct drawn x, mask;
    bool is_masked;
    uint64_t axes;
    size_t shape[MOST_DIMENSIONS], count, length;
    unsigned dimensions;
    reap_array_options options;
};

static void trial_open(struct trial *trial, uint64_t *random)
{
    const reap_type type = REAP_TYPE_BOOL + check_random(random) % REAP_TYPE_DOUBLE;
    *trial = (struct trial){.count = 1, .length = 1};
    drawn_open(&trial->x, type, check_random(random) % 6 == 0 ? MATRIX : ANY, random);
    drawn_open_like(&trial->mask, &trial->x,
                    check_random(random) % 2 == 0 ? REAP_TYPE_BOOL : REAP_TYPE_UINT8, random);
    trial->is_masked = check_random(random) % 2 == 0;
    const uint64_t all = ((uint64_t)1 << trial->x.array.dimensions) - 1;
    const uint64_t axes = check_random(random) & all;
    trial->options.axes = axes;
    trial->options.where = trial->is_masked ? &trial->mask.array : NULL;
    trial->axes = axes != 0 ? axes : all;
    for (unsigned d = 0; d < trial->x.array.dimensions; d++)
        if (trial->axes >> d & 1) {
            trial->length *= trial->x.shape[d];
        } else {
            trial->shape[trial->dimensions++] = trial->x.shape[d];
            trial->count *= trial->x.shape[d];
        }
}

static void trial_close(struct trial *trial)
{
    drawn_release(&trial->x);
    drawn_release(&trial->mask);
}

/* Whether the element of a result has a selected element of this number, and which it is. */
static bool next(const struct trial *trial, size_t result, size_t number, const void **element)
{
    size_t indices[MOST_DIMENSIONS];
    drawn_set_indices(&trial->x, trial->axes, false, result, indices);
    drawn_set_indices(&trial->x, trial->axes, true, number, indices);
    *element = drawn_at(&trial->x, indices);
    return !trial->is_masked || drawn_element(&trial->mask, indices).bits != 0;
}

static void print(const struct trial *trial)
{
    fprintf(stderr, "  %s%s, axes %llx, %zu results of %zu\n",
            array_types[trial->x.array.type].name, trial->is_masked ? ", masked" : "",
            (unsigned long long)trial->axes, trial->count, trial->length);
}

static void try_count(reap_queue *queue, uint64_t *random)
{
    struct trial trial;
    reap_buffer *buffer;
    trial_open(&trial, random);
    const reap_type type = trial.x.array.type;
    const reap_condition condition = {(reap_comparison)(check_random(random) % (REAP_BETWEEN + 1)),
                                      draw_number(&trial.x, random), draw_number(&trial.x, random)};
    uint64_t *counts = test_allocate((trial.count + 1) * sizeof *counts);
    const reap_array result = {counts, REAP_TYPE_UINT64, trial.dimensions, trial.shape, NULL};
    CHECK_STATUS(reap_buffer_wrap(counts, (trial.count + 1) * sizeof *counts, &buffer), REAP_OK);
    CHECK_STATUS(reap_array_count(queue, &trial.x.array, &condition, &trial.options, &result),
                 REAP_OK);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    size_t wrong = 0;
    for (size_t r = 0; r < trial.count; r++) {
        const void *element;
        uint64_t expected = 0;
        for (size_t i = 0; i < trial.length; i++)
            if (next(&trial, r, i, &element))
                expected += satisfies(wide_of(type, number_read(type, element)), &condition);
        wrong += counts[r] != expected;
    }
    if (!check_report(wrong == 0, __FILE__, __LINE__,
                      "comparison %d with %g and %g (types %d, %d): %zu counts are wrong",
                      (int)condition.comparison, (double)wide_of_number(&condition.a),
                      (double)wide_of_number(&condition.b), (int)condition.a.type,
                      (int)condition.b.type, wrong))
        print(&trial);
    free(counts);
    trial_close(&trial);
}

/* The extremes, of which a NaN is each. */
static bool find_extremes(const struct trial *trial, size_t result, wide extremes[2])
{
    bool has = false, has_nan = false;
    const reap_type type = trial->x.array.type;
    for (size_t i = 0; i < trial->length; i++) {
        const void *element;
        if (!next(trial, result, i, &element))
            continue;
        const wide v = wide_of(type, number_read(type, element));
        has_nan |= v != v;
        if (!has || v < extremes[0])
            extremes[0] = v;
        if (!has || v > extremes[1])
            extremes[1] = v;
        has = true;
    }
    if (has_nan)
        extremes[0] = extremes[1] = (wide)NAN;
    return has;
}

/* Of zeros, it is the one without a sign. */
static bool is_extreme(reap_type type, const void *value, wide expected)
{
    const struct number number = number_read(type, value);
    const wide got = wide_of(type, number);
    if (expected != expected)
        return got != got;
    return got == expected && !(array_types[type].is_floating && got == 0 && signbit(number.real));
}

static void try_minmax(reap_queue *queue, uint64_t *random)
{
    struct trial trial;
    reap_buffer *buffer;
    trial_open(&trial, random);
    const reap_type type = trial.x.array.type;
    const size_t size = array_types[type].size, bytes = trial.count * size;
    unsigned char *values = test_allocate(2 * bytes + 8);
    const reap_array smallest = {values, type, trial.dimensions, trial.shape, NULL};
    const reap_array largest = {values + bytes, type, trial.dimensions, trial.shape, NULL};
    CHECK_STATUS(reap_buffer_wrap(values, 2 * bytes + 8, &buffer), REAP_OK);
    const reap_status status =
        reap_array_minmax(queue, &trial.x.array, &trial.options, &smallest, &largest);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    size_t wrong = 0;
    bool is_complete = true;
    for (size_t r = 0; r < trial.count; r++) {
        wide expected[2] = {0, 0};
        if (!find_extremes(&trial, r, expected))
            is_complete = false;
        else if (status == REAP_OK)
            wrong += !is_extreme(type, values + r * size, expected[0]) ||
                     !is_extreme(type, values + bytes + r * size, expected[1]);
    }
    CHECK_STATUS(status, is_complete ? REAP_OK : REAP_ERROR_INVALID_ARGUMENT);
    if (!check_report(wrong == 0, __FILE__, __LINE__, "%zu minima or maxima are wrong", wrong))
        print(&trial);
    free(values);
    trial_close(&trial);
}

int main(void)
{
    uint64_t random = check_seed();
    reap_queue *queues[QUEUES];
    queues_open(queues);
    const unsigned trials = test_on_device() ? TRIALS / 10 : TRIALS;
    for (unsigned trial = 0; trial < trials; trial++) {
        try_count(queues[trial % queue_count], &random);
        if (trial % 3 == 0)
            try_minmax(queues[trial % queue_count], &random);
    }
    queues_close(queues);
    return check_finish();
}
