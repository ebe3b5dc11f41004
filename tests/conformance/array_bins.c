/* SPDX-License-Identifier: Apache-2.0
 *
 * reap_array_histogram and reap_array_sum_by_key against naive loops: random arrays of every type
 * with any strides, weights of every type, masks; even and other edges, edges that are elements,
 * equal edges, edges that no element reaches. Comparisons and sums of the reference have 113 bits.
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

enum { MOST_BINS = 3000 };

/* ---- References -------------------------------------------------------------------------------*/

static wide wide_of(reap_type type, struct number number)
{
    if (array_types[type].is_floating)
        return number.real;
    return array_types[type].is_signed ? (wide)(int64_t)number.bits : (wide)number.bits;
}

/* A result's elements as they must be: a sum of floating-point weights, or an integer. */
struct expected {
    wide sums[MOST_BINS];
    uint64_t wholes[MOST_BINS], outside;
};

struct trial {
    struct drawn x, weights, mask;
    reap_bin_options options;
    uint64_t outside;
    reap_type result_type;
    size_t bins;
};

static void add(const struct trial *trial, const size_t *indices, bool is_inside, size_t bin,
                struct expected *expected)
{
    if (trial->options.where != NULL && drawn_element(&trial->mask, indices).bits == 0)
        return;
    if (!is_inside) {
        expected->outside++;
        return;
    }
    if (trial->options.weights == NULL) {
        expected->wholes[bin]++;
        return;
    }
    const struct number weight = drawn_element(&trial->weights, indices);
    expected->wholes[bin] += weight.bits;
    expected->sums[bin] += weight.real;
}

static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void check_results(const struct trial *trial, const struct expected *expected,
                          const void *results, const char *what)
{
    const reap_type type = trial->result_type;
    const size_t size = array_types[type].size;
    size_t wrong = 0;
    for (size_t b = 0; b < trial->bins; b++) {
        const struct number got = number_read(type, (const char *)results + b * size);
        if (type == REAP_TYPE_FLOAT)
            wrong += !is_same(got.real, (double)(float)expected->sums[b]);
        else if (type == REAP_TYPE_DOUBLE)
            wrong += !is_same(got.real, (double)expected->sums[b]);
        else
            wrong += got.bits != expected->wholes[b];
    }
    check_report(
        wrong == 0, __FILE__, __LINE__,
        "%s of %s, weights %s%s, %zu elements: %zu of %zu results are wrong", what,
        array_types[trial->x.array.type].name,
        trial->options.weights != NULL ? array_types[trial->weights.array.type].name : "none",
        trial->options.where != NULL ? ", masked" : "", trial->x.count, wrong, trial->bins);
    if (trial->options.outside != NULL)
        CHECK_EQ(trial->outside, expected->outside);
}

/* ---- Trials -----------------------------------------------------------------------------------*/

static void trial_open(struct trial *trial, reap_type type, uint64_t *random)
{
    const reap_type weight = REAP_TYPE_BOOL + check_random(random) % REAP_TYPE_DOUBLE;
    *trial = (struct trial){.outside = 12345, .result_type = REAP_TYPE_UINT64};
    drawn_open(&trial->x, type, ANY, random);
    drawn_open_like(&trial->weights, &trial->x, weight, random);
    drawn_tame(&trial->weights, random);
    drawn_open_like(&trial->mask, &trial->x, REAP_TYPE_BOOL, random);
    if (check_random(random) % 2 == 0) {
        trial->options.weights = &trial->weights.array;
        trial->result_type = reap_array_reduce_type(REAP_EXACT_SUM, weight);
    }
    if (check_random(random) % 3 == 0)
        trial->options.where = &trial->mask.array;
    if (check_random(random) % 2 == 0)
        trial->options.outside = &trial->outside;
}

static void trial_close(struct trial *trial)
{
    drawn_release(&trial->x);
    drawn_release(&trial->weights);
    drawn_release(&trial->mask);
}

/* ---- Histograms -------------------------------------------------------------------------------*/

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

static void draw_edges(const struct trial *trial, double *edges, uint64_t *random)
{
    const struct drawn *const x = &trial->x;
    const uint64_t kind = check_random(random) % 5;
    size_t indices[MOST_DIMENSIONS];
    for (size_t e = 0; e <= trial->bins; e++) {
        double value = ldexp((double)(int64_t)check_random(random), -40);
        if (x->count > 0 && kind != 0) {
            drawn_set_indices(x, UINT64_MAX, true, check_random(random) % x->count, indices);
            value = (double)wide_of(x->array.type, drawn_element(x, indices));
        }
        if (kind == 2 && check_random(random) % 3 == 0)
            value = check_random(random) % 2 == 0 ? value + 0.5 : nextafter(value, 0);
        if (kind == 3 && check_random(random) % 20 == 0)
            value = check_random(random) % 2 == 0 ? (double)INFINITY : -1e30;
        edges[e] = isnan(value) ? 0 : value;
    }
    qsort(edges, trial->bins + 1, sizeof *edges, compare_doubles);
    if (kind == 4 && isfinite(edges[trial->bins] - edges[0]))
        reap_array_even_edges(edges[0], edges[trial->bins], trial->bins, edges);
}

static void expect_histogram(const struct trial *trial, const double *edges,
                             struct expected *expected)
{
    const struct drawn *const x = &trial->x;
    size_t indices[MOST_DIMENSIONS];
    *expected = (struct expected){.outside = 0};
    for (size_t i = 0; i < x->count; i++) {
        drawn_set_indices(x, UINT64_MAX, true, i, indices);
        const wide v = wide_of(x->array.type, drawn_element(x, indices));
        size_t bin = 0;
        while (bin < trial->bins && !(edges[bin] <= v && v < edges[bin + 1]))
            bin++;
        if (bin == trial->bins && v == edges[trial->bins])
            bin--;
        add(trial, indices, bin < trial->bins, bin, expected);
    }
}

/* Of integers that a double does not have, too. */
static void try_wide_edges(reap_queue *queue)
{
    const int64_t x[] = {INT64_MIN, INT64_MIN + 1, 9007199254740993, 9007199254740992, INT64_MAX};
    const int64_t edges[] = {INT64_MIN + 1, 9007199254740993, INT64_MAX};
    const uint64_t unsigned_edges[] = {0, 9007199254740993, UINT64_MAX};
    int64_t *elements = test_allocate(sizeof x);
    uint64_t counts[2], outside = 77;
    reap_buffer *buffer;
    memcpy(elements, x, sizeof x);
    CHECK_STATUS(reap_buffer_wrap(elements, sizeof x, &buffer), REAP_OK);
    const reap_array array = {elements, REAP_TYPE_INT64, 1, (const size_t[]){5}, NULL};
    const reap_array signed_ones = {(void *)(uintptr_t)edges, REAP_TYPE_INT64, 1,
                                    (const size_t[]){3}, NULL};
    const reap_array unsigned_ones = {(void *)(uintptr_t)unsigned_edges, REAP_TYPE_UINT64, 1,
                                      (const size_t[]){3}, NULL};
    const reap_array result = {counts, REAP_TYPE_UINT64, 1, (const size_t[]){2}, NULL};
    const reap_bin_options options = {.outside = &outside};
    CHECK_STATUS(reap_array_histogram(queue, &array, &signed_ones, &options, &result), REAP_OK);
    CHECK(counts[0] == 2 && counts[1] == 2 && outside == 1);
    CHECK_STATUS(reap_array_histogram(queue, &array, &unsigned_ones, &options, &result), REAP_OK);
    CHECK(counts[0] == 1 && counts[1] == 2 && outside == 2);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    free(elements);
}

static void try_histogram(reap_queue *queue, uint64_t *random)
{
    static const size_t many[] = {1, 2, 3, 10, 64, 100};
    struct trial trial;
    struct expected *expected = test_allocate(sizeof *expected);
    double edges[101];
    uint64_t results[100];
    trial_open(&trial, REAP_TYPE_BOOL + check_random(random) % REAP_TYPE_DOUBLE, random);
    trial.bins = many[check_random(random) % 6];
    draw_edges(&trial, edges, random);
    const reap_array result = {results, trial.result_type, 1, &trial.bins, NULL};
    const size_t count = trial.bins + 1;
    const reap_array edge_array = {edges, REAP_TYPE_DOUBLE, 1, &count, NULL};
    trial.options.outside = trial.options.outside != NULL ? &trial.outside : NULL;
    if (CHECK_STATUS(
            reap_array_histogram(queue, &trial.x.array, &edge_array, &trial.options, &result),
            REAP_OK)) {
        expect_histogram(&trial, edges, expected);
        check_results(&trial, expected, results, "histogram");
    }
    free(expected);
    trial_close(&trial);
}

/* ---- Keys -------------------------------------------------------------------------------------*/

static void expect_sums(const struct trial *trial, struct expected *expected)
{
    const struct drawn *const x = &trial->x;
    size_t indices[MOST_DIMENSIONS];
    *expected = (struct expected){.outside = 0};
    for (size_t i = 0; i < x->count; i++) {
        drawn_set_indices(x, UINT64_MAX, true, i, indices);
        const uint64_t key = drawn_element(x, indices).bits;
        add(trial, indices, key < trial->bins, (size_t)key, expected);
    }
}

/* Keys of which most are near 0. */
static void draw_keys(struct trial *trial, uint64_t *random)
{
    const size_t size = array_types[trial->x.array.type].size;
    const bool has_outside = check_random(random) % 2 == 0;
    for (size_t i = 0; i < trial->x.bytes / size; i++) {
        uint64_t key = check_random(random) % (has_outside ? trial->bins + 5 : trial->bins + 1);
        if (!has_outside && key == trial->bins)
            key = 0;
        else if (has_outside && key == trial->bins + 4)
            key = check_random(random);
        if (trial->x.array.type == REAP_TYPE_BOOL)
            key = key % 2;
        else if (!has_outside && size == 1)
            key = trial->bins > 0 ? key % 128 % trial->bins : 0;
        memcpy((char *)trial->x.memory + i * size, &key, size);
    }
}

static void try_keys(reap_queue *queue, uint64_t *random)
{
    static const size_t many[] = {0, 1, 2, 3, 100, 200, MOST_BINS};
    struct trial trial;
    struct expected *expected = test_allocate(sizeof *expected);
    uint64_t *results = test_allocate((MOST_BINS + 1) * sizeof *results);
    trial_open(&trial, REAP_TYPE_BOOL + check_random(random) % REAP_TYPE_UINT64, random);
    trial.bins = many[check_random(random) % 7];
    drawn_close_memory(&trial.x);
    draw_keys(&trial, random);
    drawn_open_memory(&trial.x);
    trial.options.outside = trial.options.outside != NULL ? &trial.outside : NULL;
    memset(results, 0x5a, (MOST_BINS + 1) * sizeof *results);
    const reap_array result = {results, trial.result_type, 1, &trial.bins, NULL};
    const reap_status status =
        reap_array_sum_by_key(queue, &trial.x.array, &trial.options, &result);
    expect_sums(&trial, expected);
    if (trial.options.outside == NULL && expected->outside > 0) {
        CHECK_STATUS(status, REAP_ERROR_INDEX_OUT_OF_RANGE);
        CHECK(results[0] == 0x5a5a5a5a5a5a5a5a);
    } else if (CHECK_STATUS(status, REAP_OK)) {
        check_results(&trial, expected, results, "sums by key");
    }
    CHECK(results[MOST_BINS] == 0x5a5a5a5a5a5a5a5a);
    free(results);
    free(expected);
    trial_close(&trial);
}

int main(void)
{
    uint64_t random = check_seed();
    reap_queue *queues[QUEUES];
    queues_open(queues);
    const unsigned trials = test_on_device() ? TRIALS / 15 : TRIALS / (test_samples() ? 4 : 2);
    for (unsigned trial = 0; trial < trials; trial++) {
        try_histogram(queues[trial % queue_count], &random);
        try_keys(queues[trial % queue_count], &random);
    }
    try_wide_edges(queues[0]);
    queues_close(queues);
    return check_finish();
}
