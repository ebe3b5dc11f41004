/* SPDX-License-Identifier: Apache-2.0
 *
 * What reap/algorithms.h refuses, with which words, and that the result is unchanged then; arrays
 * without elements; NaN, infinities, -0, and numbers whose squares overflow or vanish; a caller
 * that rounds in another way; memory that runs out.
 */
#include "src/core/allocate.h"
#include "tests/support/check_status.h"

#include <fenv.h>
#include <math.h>
#include <reap/algorithms.h>
#include <reap/reap.h>

static reap_queue *queue;

static void refused(reap_status status, const char *words)
{
    CHECK_STATUS(status, REAP_ERROR_INVALID_ARGUMENT);
    CHECK_HAS(reap_last_error(), words);
}

static void check_arguments(void)
{
    float x[6] = {1, 2, 3, 4, 5, 6}, sum = -1, sums[3] = {-1, -1, -1};
    int64_t whole = -1;
    const size_t shape[] = {2, 3}, three[] = {3}, huge[] = {SIZE_MAX / 2, 3};
    const ptrdiff_t odd[] = {12, 3};
    const reap_array array = {x, REAP_TYPE_FLOAT, 2, shape, NULL};
    const reap_array one = {&sum, REAP_TYPE_FLOAT, 0, NULL, NULL};
    const reap_array row = {sums, REAP_TYPE_FLOAT, 1, three, NULL};
    reap_array wrong = array;
    refused(reap_sum(NULL, x, 6, &sum), "the queue is NULL");
    refused(reap_sum(queue, (float *)NULL, 6, &sum), "x has no data");
    refused(reap_sum(queue, x, 6, (float *)NULL), "result has no data");
    refused(reap_sum(queue, x, 6, &whole),
            "the result must have elements of type float, not int64_t");
    refused(reap_sum(queue, (float *)((char *)x + 1), 5, &sum), "x is misaligned for float");
    refused(reap_array_reduce(queue, REAP_SUM, NULL, NULL, &one), "x is NULL");
    refused(reap_array_reduce(queue, REAP_SUM, &array, NULL, NULL), "result is NULL");
    refused(reap_array_reduce(queue, (reap_reduction)77, &array, NULL, &one), "77 is not");
    refused(reap_array_reduce(queue, REAP_SUM, &array, &(reap_array_options){.axes = 4}, &row),
            ".axes has a bit for a dimension that x does not have: x has 2");
    refused(reap_array_reduce(queue, REAP_SUM, &array, &(reap_array_options){.axes = 2}, &row),
            "the shape of x without the axes");
    refused(reap_array_reduce(queue, REAP_SUM, &array, NULL, &row),
            "it has 1 dimensions, and 0 are needed");
    wrong.type = (reap_type)99;
    refused(reap_array_reduce(queue, REAP_SUM, &wrong, NULL, &one), "x: 99 is not a reap_type");
    wrong = array;
    wrong.dimensions = REAP_ARRAY_MOST_DIMENSIONS + 1;
    refused(reap_array_reduce(queue, REAP_SUM, &wrong, NULL, &one), "65 dimensions");
    wrong = array;
    wrong.shape = NULL;
    refused(reap_array_reduce(queue, REAP_SUM, &wrong, NULL, &one), "x has no shape");
    wrong.shape = huge;
    refused(reap_array_reduce(queue, REAP_SUM, &wrong, NULL, &one), "more elements than fit");
    wrong = array;
    wrong.strides = odd;
    refused(reap_array_reduce(queue, REAP_SUM, &wrong, NULL, &one),
            "the stride of dimension 1, 3 bytes, is not a multiple");
    wrong = row;
    wrong.strides = (const ptrdiff_t[]){8};
    refused(reap_array_reduce(queue, REAP_SUM, &array, &(reap_array_options){.axes = 1}, &wrong),
            "not in row-major order");
    refused(reap_array_dot(queue, &array, &row, &one), "x and y have different shapes");
    reap_buffer *small;
    CHECK_STATUS(reap_buffer_create(20, &small), REAP_OK);
    wrong = row;
    wrong.data = (char *)reap_buffer_data(small) + 12;
    refused(reap_array_minmax(queue, &array, &(reap_array_options){.axes = 1}, &row, &wrong),
            "the result extends beyond its memory of 20 bytes");
    CHECK_STATUS(reap_buffer_release(small), REAP_OK);
    refused(reap_array_moments(queue, &array, NULL), "result is NULL");
    CHECK(sum == -1);
    CHECK(sums[0] == -1 && sums[2] == -1);
    CHECK_EQ(whole, -1);
}

static void check_arguments_of_bins(void)
{
    const float x[4] = {1, 2, 3, 4}, edges[3] = {0, 2, 4}, falling[3] = {0, 2, 1};
    const float with_nan[3] = {0, NAN, 1};
    const int32_t keys[4] = {0, 1, -1, 5};
    uint64_t counts[2] = {7, 7}, outside = 0;
    const size_t four[] = {4}, two[] = {2}, one[] = {1};
    const reap_array values = {(void *)(uintptr_t)x, REAP_TYPE_FLOAT, 1, four, NULL};
    const reap_array few = {(void *)(uintptr_t)x, REAP_TYPE_FLOAT, 1, two, NULL};
    const reap_array one_edge = {(void *)(uintptr_t)x, REAP_TYPE_FLOAT, 1, one, NULL};
    const reap_array key_array = {(void *)(uintptr_t)keys, REAP_TYPE_INT32, 1, four, NULL};
    const reap_array result = {counts, REAP_TYPE_UINT64, 1, two, NULL};
    refused(reap_histogram(queue, x, 4, falling, 2, counts), "edge 2 is less than the edge before");
    refused(reap_histogram(queue, x, 4, with_nan, 2, counts), "edge 1 is NaN");
    refused(reap_array_histogram(queue, &values, &one_edge, NULL, &result), "at least two numbers");
    refused(reap_array_histogram(queue, &values, &values, NULL, &result), "there are 3 bins");
    refused(
        reap_array_histogram(queue, &values, &few, &(reap_bin_options){.weights = &few}, &result),
        "x and weights have different shapes");
    refused(reap_array_sum_by_key(queue, &values, NULL, &result), "the keys are of type float");
    refused(
        reap_array_sum_by_key(queue, &key_array, &(reap_bin_options){.weights = &values}, &result),
        "the result must have elements of type float, not uint64_t");
    CHECK_STATUS(reap_bincount(queue, keys, 4, 2, counts), REAP_ERROR_INDEX_OUT_OF_RANGE);
    CHECK_HAS(reap_last_error(), "2 keys are negative, or not less than 2");
    CHECK(counts[0] == 7 && counts[1] == 7);
    CHECK_STATUS(
        reap_array_sum_by_key(queue, &key_array, &(reap_bin_options){.outside = &outside}, &result),
        REAP_OK);
    CHECK(counts[0] == 1 && counts[1] == 1 && outside == 2);
    reap_buffer *small;
    CHECK_STATUS(reap_buffer_create(12, &small), REAP_OK);
    uint64_t *const beyond = (uint64_t *)(void *)((char *)reap_buffer_data(small) + 8);
    refused(
        reap_array_sum_by_key(queue, &key_array, &(reap_bin_options){.outside = beyond}, &result),
        "'outside' extends beyond its memory of 12 bytes");
    CHECK(counts[0] == 1 && counts[1] == 1);
    CHECK_STATUS(reap_buffer_release(small), REAP_OK);
    CHECK_STATUS(reap_histogram(queue, x, 4, edges, 2, counts), REAP_OK);
    CHECK(counts[0] == 1 && counts[1] == 3);
}

/* The numbers of REAP_NUMBER() from values of every type that it takes. */
static void numbers(void)
{
    enum { SIZE = 12 };
    enum colour { RED = 3 } const colour = RED;
    const uint64_t large = UINT64_MAX;
    const reap_number whole[] = {
        REAP_NUMBER((signed char)-3),
        REAP_NUMBER((short)-3),
        REAP_NUMBER(-3),
        REAP_NUMBER(-3L),
        REAP_NUMBER(-3LL),
    };
    const reap_number natural[] = {
        REAP_NUMBER((char)3),
        REAP_NUMBER((unsigned char)3),
        REAP_NUMBER((unsigned short)3),
        REAP_NUMBER(3u),
        REAP_NUMBER(3uL),
        REAP_NUMBER(3uLL),
        REAP_NUMBER(colour),
        REAP_NUMBER((int8_t)3),
        REAP_NUMBER((size_t)3),
    };
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        CHECK(whole[i].type == REAP_TYPE_INT64 && whole[i].of_int64 == -3);
    for (size_t i = 0; i < sizeof natural / sizeof *natural; i++)
        CHECK_EQ(natural[i].of_int64 + (int64_t)natural[i].of_uint64, 3);
    CHECK_EQ(REAP_NUMBER(large).of_uint64, large);
    struct {
        unsigned narrow : 12;
        int negative : 5;
        bool flag : 1;
    } const fields = {3, -3, true};
    CHECK_EQ(REAP_NUMBER(fields.narrow).of_int64, 3);
    CHECK_EQ(REAP_NUMBER(fields.negative).of_int64, -3);
    CHECK_EQ(REAP_NUMBER(fields.flag).of_int64, 1);
    CHECK_EQ(REAP_NUMBER((bool)true).of_int64, 1);
    CHECK_EQ(REAP_NUMBER(SIZE).of_int64, 12);
    CHECK(REAP_NUMBER(2.5f).of_double == 2.5 && REAP_NUMBER(0.1).of_double == 0.1);
}

static void check_arguments_of_masks(void)
{
    const float x[4] = {1, 2, 3, 4};
    const bool selected[4] = {false, false, true, true}, none[4] = {false};
    float smallest = 7, largest = 7;
    uint64_t count = 7;
    reap_comoments moments;
    const size_t four[] = {4}, two[] = {2};
    const reap_array values = {(void *)(uintptr_t)x, REAP_TYPE_FLOAT, 1, four, NULL};
    const reap_array few = {(void *)(uintptr_t)x, REAP_TYPE_FLOAT, 1, two, NULL};
    const reap_array mask = {(void *)(uintptr_t)selected, REAP_TYPE_BOOL, 1, four, NULL};
    const reap_array empty = {(void *)(uintptr_t)none, REAP_TYPE_BOOL, 1, four, NULL};
    const reap_array short_mask = {(void *)(uintptr_t)selected, REAP_TYPE_BOOL, 1, two, NULL};
    const reap_array low = {&smallest, REAP_TYPE_FLOAT, 0, NULL, NULL};
    const reap_array high = {&largest, REAP_TYPE_FLOAT, 0, NULL, NULL};
    const reap_array counts = {&count, REAP_TYPE_UINT64, 0, NULL, NULL};
    reap_condition condition = {REAP_LESS, reap_number_of_double(2.5), {REAP_TYPE_NONE, 0, 0, 0}};
    reap_array_options options = {.where = &values};
    refused(reap_array_reduce(queue, REAP_MINIMUM, &values, &options, &low),
            "'where' is an array of float: it must be of bool or uint8_t");
    options.where = &short_mask;
    refused(reap_array_minmax(queue, &values, &options, &low, &high),
            "x and where have different shapes");
    options.where = &empty;
    refused(reap_array_minmax(queue, &values, &options, &low, &high), "'where' selects none");
    refused(reap_array_minmax(queue, &values, NULL, &low, &counts),
            "the result must have elements of type float");
    CHECK(smallest == 7 && largest == 7);
    options.where = &mask;
    CHECK_STATUS(reap_array_minmax(queue, &values, &options, &low, &high), REAP_OK);
    CHECK(smallest == 3 && largest == 4);
    refused(reap_array_count(queue, &values, NULL, NULL, &counts), "the condition is NULL");
    condition.comparison = REAP_BETWEEN;
    refused(reap_array_count(queue, &values, &condition, NULL, &counts),
            "it must be REAP_TYPE_INT64");
    condition.comparison = (reap_comparison)7;
    refused(reap_array_count(queue, &values, &condition, NULL, &counts), "not a reap_comparison");
    CHECK_EQ(count, 7);
    CHECK_STATUS(reap_count(queue, x, 4, REAP_LESS, 2.5, &count), REAP_OK);
    CHECK_EQ(count, 2);
    CHECK_STATUS(reap_count_between(queue, x, 4, 2, 4u, &count), REAP_OK);
    CHECK_EQ(count, 3);
    numbers();
    CHECK_STATUS(reap_minmax(queue, x, 4, &smallest, &largest), REAP_OK);
    CHECK(smallest == 1 && largest == 4);
    refused(reap_array_comoments(queue, &values, &few, NULL, &moments), "x and y have different");
    refused(
        reap_array_comoments(queue, &values, &values, &(reap_array_options){.axes = 1}, &moments),
        ".axes must be 0");
    options = (reap_array_options){.axes = 2};
    refused(reap_array_comoments_along(queue, &values, &values, &options, &moments),
            ".axes has a bit for a dimension that x does not have");
    refused(reap_array_comoments_along(queue, &values, &values, NULL, NULL), "result is NULL");
    refused(reap_array_dot_along(queue, &values, &values, &options, &low),
            ".axes has a bit for a dimension that x does not have");
    options = (reap_array_options){.where = &short_mask};
    refused(reap_array_dot_along(queue, &values, &values, &options, &low),
            "x and where have different shapes");
    refused(reap_array_dot_along(queue, &values, &values, NULL, &counts),
            "the result must have elements of type float");
    CHECK(smallest == 1 && largest == 4);
}

static void check_no_elements(void)
{
    float sum = -1, sums[3] = {-1, -1, -1};
    uint64_t place = 5;
    reap_moments moments;
    const size_t shape[] = {0, 3}, three[] = {3};
    const reap_array array = {NULL, REAP_TYPE_FLOAT, 2, shape, NULL};
    const reap_array row = {sums, REAP_TYPE_FLOAT, 1, three, NULL};
    CHECK_STATUS(reap_sum(queue, (float *)NULL, 0, &sum), REAP_OK);
    CHECK(sum == 0 && !signbit(sum));
    sum = -1;
    CHECK_STATUS(reap_exact_sum(queue, (float *)NULL, 0, &sum), REAP_OK);
    CHECK(sum == 0 && !signbit(sum));
    refused(reap_minimum(queue, (float *)NULL, 0, &sum), "the minimum of no elements");
    refused(reap_argmax(queue, (float *)NULL, 0, &place), "the argmax of no elements");
    CHECK_EQ(place, 5);
    CHECK_STATUS(reap_array_reduce(queue, REAP_SUM, &array, &(reap_array_options){.axes = 1}, &row),
                 REAP_OK);
    CHECK(sums[0] == 0 && sums[1] == 0 && sums[2] == 0);
    refused(reap_array_reduce(queue, REAP_MAXIMUM, &array, &(reap_array_options){.axes = 1}, &row),
            "the maximum of no elements");
    CHECK_STATUS(reap_statistics(queue, (double *)NULL, 0, &moments), REAP_OK);
    CHECK_EQ(moments.count, 0);
    CHECK(isnan(moments.mean));
}

/* Strides of a result without elements mean nothing. */
static void check_no_results(void)
{
    double x[1];
    const size_t shape[] = {7, 0, 3}, kept[] = {7, 0};
    const ptrdiff_t strides[] = {800, 88};
    const reap_array array = {x, REAP_TYPE_DOUBLE, 3, shape, NULL};
    const reap_array result = {x, REAP_TYPE_DOUBLE, 2, kept, strides};
    CHECK_STATUS(
        reap_array_reduce(queue, REAP_SUM, &array, &(reap_array_options){.axes = 4}, &result),
        REAP_OK);
}

/* More results than fit into memory, of rows without elements: refused before anything is written.
 * The last shape's results are more than size_t has. */
static void check_too_many_results(void)
{
    const size_t shapes[][3] = {{SIZE_MAX, 1, 0}, {SIZE_MAX / 2, 1, 0}, {SIZE_MAX / 4 + 2, 4, 0}};
    const reap_array_options options = {.axes = 1 << 2};
    double number = 7;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const reap_array array = {NULL, REAP_TYPE_FLOAT, 3, shapes[s], NULL};
        const reap_array mask = {NULL, REAP_TYPE_BOOL, 3, shapes[s], NULL};
        const reap_array_options masked = {.axes = 1 << 2, .where = &mask};
        const reap_array result = {&number, REAP_TYPE_FLOAT, 2, shapes[s], NULL};
        reap_moments moments = {.count = 5};
        reap_comoments comoments = {.count = 5};
        CHECK_STATUS(reap_array_moments_along(queue, &array, &options, &moments),
                     REAP_ERROR_OUT_OF_MEMORY);
        CHECK_STATUS(reap_array_moments_along(queue, &array, &masked, &moments),
                     REAP_ERROR_OUT_OF_MEMORY);
        CHECK_STATUS(reap_array_comoments_along(queue, &array, &array, &options, &comoments),
                     REAP_ERROR_OUT_OF_MEMORY);
        CHECK(moments.count == 5 && comoments.count == 5);
        for (reap_reduction r = REAP_SUM; r <= REAP_COUNT_NONZERO; r++) {
            const reap_type type = reap_array_reduce_type(r, REAP_TYPE_FLOAT);
            const reap_array of = {&number, type, 2, shapes[s], NULL};
            refused(reap_array_reduce(queue, r, &array, &options, &of), "more elements than fit");
        }
        refused(reap_array_dot_along(queue, &array, &array, &options, &result),
                "more elements than fit into memory");
        CHECK(number == 7);
    }
}

/* Whatever allocation fails: a status that says so, and nothing is left. */
static void check_no_memory(void)
{
    float x[64] = {0}, sums[8], sum;
    const size_t shape[] = {8, 8}, kept[] = {8};
    const ptrdiff_t strides[] = {4, 32};
    const reap_array array = {x, REAP_TYPE_FLOAT, 2, shape, NULL};
    const reap_array turned = {x, REAP_TYPE_FLOAT, 2, shape, strides};
    const reap_array results = {sums, REAP_TYPE_FLOAT, 1, kept, NULL};
    const reap_array one = {&sum, REAP_TYPE_FLOAT, 0, NULL, NULL};
    const struct {
        const reap_array *x, *result;
        reap_reduction reduction;
        uint64_t axes;
    } calls[] = {{&array, &results, REAP_SUM, 1},
                 {&array, &results, REAP_SUM, 2},
                 {&array, &results, REAP_NORM_1, 2},
                 {&turned, &results, REAP_MINIMUM, 2},
                 {&turned, &one, REAP_EXACT_SUM, 0}};
    unsigned failed = 0;
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        const reap_array_options options = {.axes = calls[c].axes};
        reap_status status = REAP_ERROR_OUT_OF_MEMORY;
        for (unsigned long number = 1; status != REAP_OK && number < 100; number++) {
            const long alive = reap__allocations_alive();
            reap__fail_allocation(number);
            status =
                reap_array_reduce(queue, calls[c].reduction, calls[c].x, &options, calls[c].result);
            reap__fail_allocation(0);
            failed += status != REAP_OK;
            if (status != REAP_OK) {
                CHECK_STATUS(status, REAP_ERROR_OUT_OF_MEMORY);
                CHECK_EQ(reap__allocations_alive(), alive);
            }
        }
        CHECK_STATUS(status, REAP_OK);
    }
    CHECK(failed >= 4);
}

/* Calls with arrays of 8 by 8, which are masked and turned round where that is possible. */
struct call {
    reap_array x, large, mask, row, edges;
    double of_large[64]; /* whose sums overflow */
    float values[64], sums[8], more[8];
    uint64_t counts[8];
    bool selected[64];
    reap_moments moments[8];
};

enum { EXACT_SUM_OF_NONE = 9, CALLS = 13 };

static reap_status make_call(struct call *of, unsigned number)
{
    static bool selects_none[64];
    reap_array empty = of->mask;
    const reap_array_options options = {.axes = 2, .where = &of->mask};
    const reap_array_options none = {.axes = 2, .where = &empty};
    const reap_array_options all = {.where = &of->mask};
    const reap_bin_options bins = {.weights = &of->x, .where = &of->mask};
    const reap_condition less = {REAP_LESS, reap_number_of_int64(3), reap_number_of_int64(0)};
    reap_array largest = of->row, counts = of->row, keys = of->mask;
    reap_comoments comoments[8];
    empty.data = selects_none;
    largest.data = of->more;
    counts.data = of->counts;
    counts.type = REAP_TYPE_UINT64;
    keys.type = REAP_TYPE_UINT8;
    switch (number) {
    case 0:
        return reap_array_minmax(queue, &of->x, &options, &of->row, &largest);
    case 1:
        return reap_array_count(queue, &of->x, &less, &options, &counts);
    case 2:
        return reap_array_histogram(queue, &of->x, &of->edges, &bins, &of->row);
    case 3:
        return reap_array_sum_by_key(queue, &keys, &bins, &of->row);
    case 4:
        return reap_array_moments_along(queue, &of->x, &options, of->moments);
    case 5:
        return reap_array_comoments_along(queue, &of->x, &of->x, &options, comoments);
    case 6:
        return reap_array_dot_along(queue, &of->x, &of->x, &options, &of->row);
    case 7:
        return reap_array_reduce(queue, REAP_NORM_2, &of->x, &options, &of->row);
    case 8:
        return reap_array_reduce(queue, REAP_SUM, &of->x, &options, &of->row);
    case EXACT_SUM_OF_NONE:
        return reap_array_reduce(queue, REAP_EXACT_SUM, &of->x, &none, &of->row);
    case 10:
        return reap_array_moments_along(queue, &of->large, &options, of->moments);
    case 11:
        return reap_array_comoments_along(queue, &of->x, &of->large, &options, comoments);
    default:
        return reap_array_comoments(queue, &of->x, &of->x, &all, comoments);
    }
}

/* The same for the functions that have memory of their own. */
static void check_no_memory_of_calls(void)
{
    const size_t shape[] = {8, 8}, eight[] = {8}, nine[] = {9};
    const ptrdiff_t strides[] = {4, 32};
    float edges[9];
    static struct call of;
    of.x = (reap_array){of.values, REAP_TYPE_FLOAT, 2, shape, strides};
    of.large = (reap_array){of.of_large, REAP_TYPE_DOUBLE, 2, shape, NULL};
    of.mask = (reap_array){of.selected, REAP_TYPE_BOOL, 2, shape, NULL};
    of.row = (reap_array){of.sums, REAP_TYPE_FLOAT, 1, eight, NULL};
    of.edges = (reap_array){edges, REAP_TYPE_FLOAT, 1, nine, NULL};
    for (int i = 0; i < 64; i++) {
        of.values[i] = (float)(i % 9);
        of.of_large[i] = 1e308;
        of.selected[i] = i % 3 != 0;
        edges[i % 9] = (float)(i % 9);
    }
    unsigned failed = 0;
    for (unsigned c = 0; c < CALLS; c++) {
        reap_status status = REAP_ERROR_OUT_OF_MEMORY;
        for (unsigned long number = 1; status != REAP_OK && number < 100; number++) {
            const long alive = reap__allocations_alive();
            for (int i = 0; i < 8; i++)
                of.sums[i] = -7;
            reap__fail_allocation(number);
            status = make_call(&of, c);
            reap__fail_allocation(0);
            failed += status != REAP_OK;
            for (int i = 0; i < 8 && c == EXACT_SUM_OF_NONE; i++)
                CHECK(of.sums[i] == -7 || (of.sums[i] == 0 && !signbit(of.sums[i])));
            if (status != REAP_OK) {
                CHECK_STATUS(status, REAP_ERROR_OUT_OF_MEMORY);
                CHECK_EQ(reap__allocations_alive(), alive);
            }
        }
        CHECK_STATUS(status, REAP_OK);
    }
    CHECK(failed >= CALLS);
    CHECK(of.moments[7].mean == 1e308 && of.moments[7].squares == 0);
}

static double norm(const double *x, size_t count)
{
    double result = -1;
    CHECK_STATUS(reap_norm(queue, x, count, &result), REAP_OK);
    return result;
}

static void check_special_values(void)
{
    const double large[] = {3e200, 4e200, 1}, small[] = {3e-200, 4e-200, 0}, one[] = {5e-324};
    const double mixed[] = {1e-170, 1e-150}, infinite[] = {1, (double)INFINITY, 1e300};
    const double with_nan[] = {1, (double)NAN, -7, (double)NAN};
    uint64_t at = 77;
    double extreme = 0;
    CHECK(fabs(norm(large, 3) / 5e200 - 1) < 1e-15);
    CHECK(fabs(norm(small, 3) / 5e-200 - 1) < 1e-15);
    CHECK(norm(one, 1) == 5e-324);
    CHECK(norm(mixed, 2) == 1e-150);
    CHECK(isinf(norm(infinite, 3)));
    CHECK(isnan(norm(with_nan, 4)));
    CHECK_STATUS(reap_argmin(queue, with_nan, 4, &at), REAP_OK);
    CHECK_EQ(at, 1);
    CHECK_STATUS(reap_minimum(queue, with_nan, 4, &extreme), REAP_OK);
    CHECK(isnan(extreme));
    CHECK_STATUS(reap_argmax(queue, infinite, 3, &at), REAP_OK);
    CHECK_EQ(at, 1);
    CHECK_STATUS(reap_argmin(queue, &infinite[1], 1, &at), REAP_OK);
    CHECK_EQ(at, 0);
    extreme = -1;
    CHECK_STATUS(reap_reduce(queue, REAP_NORM_INFINITY, &(double){-0.0}, 1, &extreme), REAP_OK);
    CHECK(extreme == 0 && !signbit(extreme));
}

/* Rows of very different numbers: each norm has the bits of that of the row alone, and is near the
 * root of the sum of squares in long double, whose exponents suffice. */
static void check_norms_of_rows(void)
{
    enum { ROWS = 9, COLUMNS = 200 };
    static const double factors[ROWS][2] = {{1, 1},
                                            {0, 0},
                                            {1e-320, 1e-320},
                                            {0x1p-451, 0x1p-512},
                                            {0x1p-450, 1e-310},
                                            {0x1p+485, 1e10},
                                            {1e300, 1e-300},
                                            {0x1p+480, 1},
                                            {1, 1e-200}};
    static double x[ROWS][COLUMNS], norms[ROWS];
    for (int r = 0; r < ROWS; r++) {
        long double squares = 0;
        for (int c = 0; c < COLUMNS; c++) {
            x[r][c] = factors[r][c % 2] * (c % 13 - 6);
            squares += (long double)x[r][c] * x[r][c];
        }
        const double expected = (double)sqrtl(squares), got = norm(x[r], COLUMNS);
        CHECK(fabs(got - expected) <= expected * 1e-14 + 5e-324);
    }
    const size_t shape[] = {ROWS, COLUMNS}, rows[] = {ROWS};
    const reap_array all = {x, REAP_TYPE_DOUBLE, 2, shape, NULL};
    const reap_array result = {norms, REAP_TYPE_DOUBLE, 1, rows, NULL};
    const reap_array_options along = {.axes = 2};
    CHECK_STATUS(reap_array_reduce(queue, REAP_NORM_2, &all, &along, &result), REAP_OK);
    for (int r = 0; r < ROWS; r++)
        CHECK_EQ(norms[r], norm(x[r], COLUMNS));
}

/* The caller's rounding is not that of results, and remains. */
static void check_rounding(void)
{
    enum { COUNT = 100, NORMS = 10 };
    double x[COUNT], norms[2][NORMS];
    float singles[COUNT], single_norms[2][NORMS];
    reap_moments moments[2];
    for (int i = 0; i < COUNT; i++) {
        x[i] = 0.1 * (i * i % 37) - 1;
        singles[i] = (float)x[i];
    }
    for (int is_upward = 0; is_upward < 2; is_upward++) {
        if (is_upward)
            fesetround(FE_UPWARD);
        CHECK_STATUS(reap_statistics(queue, x, COUNT, &moments[is_upward]), REAP_OK);
        for (int n = 0; n < NORMS; n++) {
            CHECK_STATUS(reap_norm(queue, x, COUNT - n, &norms[is_upward][n]), REAP_OK);
            CHECK_STATUS(reap_norm(queue, singles, COUNT - n, &single_norms[is_upward][n]),
                         REAP_OK);
        }
        CHECK_EQ(fegetround(), is_upward ? FE_UPWARD : FE_TONEAREST);
    }
    fesetround(FE_TONEAREST);
    CHECK(memcmp(norms[0], norms[1], sizeof norms[0]) == 0);
    CHECK(memcmp(single_norms[0], single_norms[1], sizeof single_norms[0]) == 0);
    CHECK(memcmp(&moments[0], &moments[1], sizeof *moments) == 0);
}

int main(void)
{
    if (!CHECK_STATUS(reap_queue_create(NULL, NULL, &queue), REAP_OK))
        return check_finish();
    check_arguments();
    check_arguments_of_bins();
    check_arguments_of_masks();
    check_no_elements();
    check_no_results();
    check_too_many_results();
    check_no_memory();
    check_no_memory_of_calls();
    check_special_values();
    check_norms_of_rows();
    check_rounding();
    reap_queue_release(queue);
    return check_finish();
}
