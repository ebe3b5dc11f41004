/* SPDX-License-Identifier: Apache-2.0
 *
 * What scans and reductions of segments refuse, with which words, and that results are unchanged
 * then; offsets that decrease or leave the array; nothing to do; sums that do not decrease; -0;
 * memory that runs out.
 */
#include "src/core/allocate.h"
#include "tests/support/check_status.h"

#include <math.h>
#include <reap/algorithms.h>
#include <reap/reap.h>

static reap_queue *queue;

static void refused(reap_status status, const char *words)
{
    CHECK_STATUS(status, REAP_ERROR_INVALID_ARGUMENT);
    CHECK_HAS(reap_last_error(), words);
}

static void check_scan_arguments(void)
{
    float x[6] = {1, 2, 3, 4, 5, 6}, y[6] = {-1, -1, -1, -1, -1, -1};
    bool flags[6] = {true};
    uint64_t counts[6] = {7};
    const size_t shape[] = {2, 3}, turned[] = {3, 2};
    const ptrdiff_t strides[] = {4, 8};
    const reap_array array = {x, REAP_TYPE_FLOAT, 2, shape, NULL};
    const reap_array to = {y, REAP_TYPE_FLOAT, 2, shape, NULL};
    reap_array wrong = to;
    refused(reap_inclusive_scan(NULL, REAP_SCAN_SUM, x, 6, y), "the queue is NULL");
    refused(reap_inclusive_scan(queue, (reap_scan)4, x, 6, y), "4 is not a reap_scan");
    refused(reap_inclusive_scan(queue, REAP_SCAN_SUM, (float *)NULL, 6, y), "x has no data");
    refused(reap_inclusive_scan(queue, REAP_SCAN_SUM, x, 6, (float *)NULL), "result has no data");
    refused(reap_inclusive_scan(queue, REAP_SCAN_SUM, x, 6, counts),
            "the result must have elements of type float, not uint64_t");
    refused(reap_inclusive_scan(queue, REAP_SCAN_SUM, flags, 6, flags),
            "the result must have elements of type uint64_t, not bool");
    refused(reap_inclusive_scan(queue, REAP_SCAN_MAXIMUM, flags, 6, counts),
            "the result must have elements of type bool, not uint64_t");
    refused(reap_array_scan(queue, REAP_SCAN_SUM, &array, &(reap_scan_options){.axis = 2}, &to),
            "axis 2 is not a dimension of x, which has 2");
    refused(reap_array_scan(queue, REAP_SCAN_SUM, NULL, NULL, &to), "x is NULL");
    refused(reap_array_scan(queue, REAP_SCAN_SUM, &array, NULL, NULL), "result is NULL");
    wrong.shape = turned;
    refused(reap_array_scan(queue, REAP_SCAN_SUM, &array, NULL, &wrong), "the shape of x");
    wrong = to;
    wrong.strides = strides;
    refused(reap_array_scan(queue, REAP_SCAN_SUM, &array, NULL, &wrong), "not in row-major order");
    wrong = array;
    wrong.dimensions = 0;
    refused(reap_array_scan(queue, REAP_SCAN_SUM, &wrong, NULL, &to), "not a dimension of x");
    for (int i = 0; i < 6; i++)
        CHECK(y[i] == -1);
    CHECK_EQ(counts[0], 7);
}

static void check_segment_arguments(void)
{
    float x[6] = {1, 2, 3, 4, 5, 6}, sums[3] = {-1, -1, -1};
    double wide[3] = {-1, -1, -1};
    uint64_t places[3];
    int32_t good[] = {0, 2, 2, 6};
    static const int32_t wrong[][4] = {
        {0, 3, 2, 6}, {0, 2, 3, 7}, {-1, 2, 3, 6}, {5, 4, 4, 4}, {0, INT32_MAX, 4, 6}};
    static const char *const words[] = {"segment 1: its offsets decrease", "segment 2: its offsets",
                                        "segment 0: its offsets", "segment 0: its offsets",
                                        "beyond the 6 elements of x"};
    const int64_t far[] = {0, INT64_MIN, INT64_MAX, 6};
    uint32_t others[4] = {0};
    refused(reap_segmented_reduce(NULL, REAP_SUM, x, 6, good, 3, sums), "the queue is NULL");
    refused(reap_segmented_reduce(queue, REAP_NORM_2, x, 6, good, 3, sums),
            "is not supported for segments");
    refused(reap_segmented_reduce(queue, REAP_ARGMIN, x, 6, good, 3, places),
            "is not supported for segments");
    refused(reap_segmented_reduce(queue, REAP_SUM, x, 6, others, 3, sums),
            "offsets are of type uint32_t: they must be int32_t or int64_t");
    refused(reap_segmented_reduce(queue, REAP_SUM, x, 6, good, 3, wide),
            "the result must have elements of type float, not double");
    refused(reap_segmented_reduce(queue, REAP_SUM, x, 6, (int32_t *)NULL, 3, sums),
            "offsets has no data");
    refused(reap_segmented_reduce(queue, REAP_MINIMUM, x, 6, good, 3, sums),
            "the minimum of no elements is undefined: segment 1 is empty");
    refused(reap_segmented_reduce(queue, REAP_MAXIMUM, x, 6, good, 3, sums),
            "the maximum of no elements is undefined: segment 1 is empty");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        refused(reap_segmented_reduce(queue, REAP_SUM, x, 6, wrong[i], 3, sums), words[i]);
        refused(reap_segmented_reduce(queue, REAP_EXACT_SUM, x, 6, wrong[i], 3, sums), words[i]);
    }
    refused(reap_segmented_reduce(queue, REAP_SUM, x, 6, far, 3, sums), "segment 0: its offsets");
    for (int i = 1; i < 3; i++)
        refused(reap_segmented_reduce(queue, REAP_SUM, x, 6, far + i, 0, sums),
                "is outside the array of 6 elements");
    refused(reap_segmented_reduce(queue, REAP_SUM, x, 6, &wrong[1][3], 0, sums),
            "the offset 7 is outside the array of 6 elements");
    CHECK_STATUS(reap_segmented_reduce(queue, REAP_SUM, x, 6, far, 0, sums), REAP_OK);
    CHECK_STATUS(reap_segmented_reduce(queue, REAP_SUM, x, 6, &good[3], 0, sums), REAP_OK);
    for (int i = 0; i < 3; i++)
        CHECK(sums[i] == -1 && wide[i] == -1);
}

static void check_segment_shapes(void)
{
    float x[6] = {1, 2, 3, 4, 5, 6}, sums[4] = {-1, -1, -1, -1};
    int64_t offsets[] = {0, 2, 2, 6};
    const size_t six[] = {6}, four[] = {4}, two[] = {2, 3};
    const reap_array row = {x, REAP_TYPE_FLOAT, 1, six, NULL};
    const reap_array matrix = {x, REAP_TYPE_FLOAT, 2, two, NULL};
    const reap_array at = {offsets, REAP_TYPE_INT64, 1, four, NULL};
    const reap_array to = {sums, REAP_TYPE_FLOAT, 1, four, NULL};
    const reap_array one = {sums, REAP_TYPE_FLOAT, 0, NULL, NULL};
    refused(reap_array_reduce_segments(queue, REAP_SUM, &row, &at, &to),
            "there are 4 offsets for a result of 4 segments");
    refused(reap_array_reduce_segments(queue, REAP_SUM, &matrix, &at, &to), "x has 2 dimensions");
    refused(reap_array_reduce_segments(queue, REAP_SUM, &row, &at, &one),
            "result has 0 dimensions");
    refused(reap_array_reduce_segments(queue, REAP_SUM, &row, &one, &to), "offsets has 0");
    CHECK_STATUS(reap_segmented_reduce(queue, REAP_SUM, x, 6, offsets, 3, sums), REAP_OK);
    CHECK(sums[0] == 3 && sums[1] == 0 && sums[2] == 18 && sums[3] == -1);
}

/* Nothing to do, and sums of nothing. */
static void check_nothing(void)
{
    float x[1] = {5}, y[2] = {-1, -1};
    const int32_t none[] = {0, 0, 0}, end[] = {1, 1, 1};
    CHECK_STATUS(reap_inclusive_scan(queue, REAP_SCAN_SUM, x, 0, y), REAP_OK);
    CHECK_STATUS(reap_segmented_reduce(queue, REAP_SUM, x, 1, none, 0, y), REAP_OK);
    CHECK(y[0] == -1);
    CHECK_STATUS(reap_segmented_reduce(queue, REAP_SUM, (float *)NULL, 0, none, 2, y), REAP_OK);
    CHECK(y[0] == 0 && y[1] == 0);
    y[0] = y[1] = -1;
    CHECK_STATUS(reap_segmented_reduce(queue, REAP_EXACT_SUM, x, 1, end, 2, y), REAP_OK);
    CHECK(y[0] == 0 && y[1] == 0);
}

/* Rounding does not make sums of numbers that are not negative decrease. */
static void check_order(void)
{
    enum { COUNT = 600000 };
    static float x[COUNT], y[COUNT];
    uint64_t random = check_seed();
    for (size_t i = 0; i < COUNT; i++)
        x[i] = ldexpf((float)(check_random(&random) % 0x1000000),
                      (int)(check_random(&random) % 40) - 44);
    CHECK_STATUS(reap_inclusive_scan(queue, REAP_SCAN_SUM, x, COUNT, y), REAP_OK);
    size_t decreasing = 0;
    for (size_t i = 1; i < COUNT; i++)
        decreasing += y[i] < y[i - 1];
    CHECK_EQ(decreasing, 0);
}

static void check_zeros(void)
{
    const double x[3] = {-0.0, -0.0, 1};
    double y[3], zero = 0;
    CHECK_STATUS(reap_inclusive_scan(queue, REAP_SCAN_SUM, x, 3, y), REAP_OK);
    CHECK(signbit(y[0]) && signbit(y[1]) && y[2] == 1);
    CHECK_STATUS(reap_exclusive_scan(queue, REAP_SCAN_SUM, x, 3, &zero, y), REAP_OK);
    CHECK(!signbit(y[0]) && !signbit(y[1]) && !signbit(y[2]) && y[2] == 0);
}

/* Whatever allocation fails: a status that says so, and nothing is left. */
static reap_status call(size_t number)
{
    static float x[100000], y[100000];
    static const int64_t offsets[] = {0, 1, 90000, 100000};
    static const size_t shape[] = {20, 30};
    const reap_array array = {x, REAP_TYPE_FLOAT, 2, shape, NULL};
    const reap_array to = {y, REAP_TYPE_FLOAT, 2, shape, NULL};
    switch (number) {
    case 0:
        return reap_inclusive_scan(queue, REAP_SCAN_SUM, x, 100000, y);
    case 1:
        return reap_array_scan(queue, REAP_SCAN_MAXIMUM, &array, NULL, &to);
    case 2:
        return reap_segmented_reduce(queue, REAP_SUM, x, 100000, offsets, 3, y);
    default:
        return reap_segmented_reduce(queue, REAP_EXACT_SUM, x, 100000, offsets, 3, y);
    }
}

static void check_no_memory(void)
{
    unsigned failed = 0;
    for (size_t number = 0; number < 4; number++) {
        reap_status status = REAP_ERROR_OUT_OF_MEMORY;
        for (unsigned long at = 1; status != REAP_OK && at < 100; at++) {
            const long alive = reap__allocations_alive();
            reap__fail_allocation(at);
            status = call(number);
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

int main(void)
{
    if (!CHECK_STATUS(reap_queue_create(NULL, NULL, &queue), REAP_OK))
        return check_finish();
    check_scan_arguments();
    check_segment_arguments();
    check_segment_shapes();
    check_nothing();
    check_order();
    check_zeros();
    check_no_memory();
    reap_queue_release(queue);
    return check_finish();
}
