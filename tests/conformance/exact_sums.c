/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact sums of hard data (exact_data.h) against the reference's fixed-point number
 * (reference_exact.h).
 */
#include "tests/conformance/exact_sums.kernels.h"

#include "tests/conformance/exact_data.h"
#include "tests/conformance/queues.h"
#include "tests/conformance/reference_exact.h"
#include "tests/support/memory.h"

#include <math.h>

enum { MOST_VALUES = 5000 };

/* ---- Checks -----------------------------------------------------------------------------------*/

struct arrays {
    double x[MOST_VALUES];
    float narrow[MOST_VALUES];
};
static struct arrays arrays;

static bool same(const void *value, uint64_t bits, size_t size)
{
    uint64_t found = 0;
    memcpy(&found, value, size);
    check_comparisons++;
    if (found != bits)
        fprintf(stderr, "  %016llx, expected %016llx\n", (unsigned long long)found,
                (unsigned long long)bits);
    return found == bits;
}

static double variable_of(struct exact_source *source, enum exact_data data)
{
    const double value =
        data == ZEROS ? -0.0 : exact_draw(source, data == EQUAL ? UNIFORM : data, 0, NULL);
    return source->is_double ? value : (double)(float)value;
}

/* Sums of floats or doubles, of `count` values and a variable. */
static void check_plain(struct exact_source *source, reap_queue *queue, enum exact_data data,
                        size_t count)
{
    const bool initialize = check_random(&source->state) % 4 == 0;
    const unsigned properties = initialize ? REAP_INITIALIZE_TO_IDENTITY : 0;
    struct reference_sum all = {.has_others = false};
    double wide = variable_of(source, data);
    float narrow = (float)wide;
    exact_fill(source, data, arrays.x, arrays.narrow, count);
    for (size_t i = 0; i < count; i++)
        reference_sum_add(&all, arrays.x[i]);
    if (!initialize)
        reference_sum_add(&all, wide);
    const reap_range range = reap_range_1d(count);
    bool is_right = true;
    if (!source->is_double) {
        CHECK_LAUNCH(reap_parallel_for(queue, exact_float, range, .x = arrays.narrow,
                                       .sum = {.variable = &narrow, .properties = properties}),
                     queue);
        CHECK_LAUNCH(reap_parallel_for(queue, exact_wide, range, .x = arrays.narrow,
                                       .sum = {.variable = &wide, .properties = properties}),
                     queue);
        is_right = same(&narrow, reference_sum_bits(&all, false), sizeof narrow);
    } else {
        CHECK_LAUNCH(reap_parallel_for(queue, exact_double, range, .x = arrays.x,
                                       .sum = {.variable = &wide, .properties = properties}),
                     queue);
    }
    is_right &= same(&wide, reference_sum_bits(&all, true), sizeof wide);
    if (!CHECK(is_right))
        fprintf(stderr, "  data %d, %zu values, %s\n", (int)data, count,
                source->is_double ? "doubles" : "floats");
}

/* Leaves numbers on the stack that would be exponents too large for any double, at every distance
 * at which a structure of five numbers may begin. What a launch does not initialise has them. */
__attribute__((noinline)) static void dirty_stack(size_t distance)
{
    volatile uint32_t words[16384];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        words[i] = (i + distance) % 5 == 0 ? 0x7ffd : 0;
}

static void check_dirty(struct exact_source *source, reap_queue *queue)
{
    for (size_t distance = 0; distance < 5; distance++)
        for (size_t count = 1; count <= 2048; count *= 4) {
            struct reference_sum all = {.has_others = false};
            double sum;
            reap_event *event; /* so that the launch has no plan of an earlier one */
            source->is_double = true;
            exact_fill(source, UNIFORM, arrays.x, arrays.narrow, count);
            for (size_t i = 0; i < count; i++)
                reference_sum_add(&all, arrays.x[i]);
            dirty_stack(distance);
            CHECK_LAUNCH(reap_parallel_for(queue, exact_double, reap_range_1d(count), .x = arrays.x,
                                           .sum = {.result = &sum}, .launch.event = &event),
                         queue);
            reap_event_release(event);
            CHECK(same(&sum, reference_sum_bits(&all, true), sizeof sum));
        }
}

/* The largest doubles: near 2^1022 the sum of a value and a window's constant may overflow. */
static void check_largest(struct exact_source *source, reap_queue *queue)
{
    enum { SETS = 4 };
    static const uint64_t fractions[] = {0, 1, UINT64_MAX, UINT64_MAX - 1, UINT64_MAX - 2};
    source->is_double = true;
    for (uint64_t exponent = 2036; exponent <= 2046; exponent++)
        for (size_t f = 0; f < sizeof fractions / sizeof *fractions; f++)
            for (size_t set = 0; set < SETS; set++) {
                const uint64_t bits = exponent << 52 | fractions[f] >> 12;
                struct reference_sum all = {.has_others = false};
                double v, sum;
                memcpy(&v, &bits, sizeof v);
                const double sets[SETS][3] = {
                    {v, -0.0, -0.0}, {v, v, -1}, {v, -v, 1}, {-v, 0x1p-1000, 0}};
                memcpy(arrays.x, sets[set], sizeof sets[set]);
                for (size_t i = 0; i < 3; i++)
                    reference_sum_add(&all, arrays.x[i]);
                CHECK_LAUNCH(reap_parallel_for(queue, exact_double, reap_range_1d(3), .x = arrays.x,
                                               .sum = {.result = &sum}),
                             queue);
                CHECK(same(&sum, reference_sum_bits(&all, true), sizeof sum));
            }
}

static size_t some_count(struct exact_source *source)
{
    const uint64_t drawn = check_random(&source->state);
    return drawn % 64 == 0  ? drawn / 64 % MOST_VALUES
           : drawn % 8 == 0 ? drawn / 64 % 600
                            : drawn / 64 % 40;
}

static void check_random_cases(struct exact_source *source, reap_queue *const *queues, size_t cases)
{
    for (size_t c = 0; c < cases && check_failures < 5; c++) {
        const uint64_t drawn = check_random(&source->state);
        source->is_double = drawn % 2 > 0;
        check_plain(source, queues[drawn / 2 % queue_count], (enum exact_data)(drawn / 32 % DATA),
                    some_count(source));
    }
}

/* A sum beside other reductions, and one of other lanes. */
static void check_beside(struct exact_source *source, reap_queue *queue, size_t count)
{
    struct reference_sum all = {.has_others = false}, small = {.has_others = false};
    double sum = 0, mixed = 0;
    float narrow = -0.0f;
    uint64_t bits = 0, at = 0;
    uint32_t least = UINT32_MAX;
    floats_32 ones;
    exact_fill(source, LARGE_RANGE, arrays.x, arrays.narrow, count);
    for (size_t i = 0; i < count; i++) {
        reference_sum_add(&all, arrays.x[i]);
        reference_sum_add(&small, (double)((float)(i % 1000) * 0x1p-130f));
    }
    memset(&ones, 0, sizeof ones);
    CHECK_LAUNCH(reap_parallel_for(queue, exact_beside, reap_range_2d(count / 5, 5), .x = arrays.x,
                                   .bits = &bits, .sum = &sum,
                                   .least = {.variable = &least, .location = &at},
                                   .narrow = &narrow),
                 queue);
    CHECK_LAUNCH(reap_parallel_for(queue, exact_mixed, reap_range_1d(count), .x = arrays.x,
                                   .sum = &mixed, .count = &ones),
                 queue);
    reference_sum_add(&all, 0);
    CHECK(same(&sum, reference_sum_bits(&all, true), sizeof sum));
    CHECK(same(&mixed, reference_sum_bits(&all, true), sizeof mixed));
    CHECK(same(&narrow, reference_sum_bits(&small, false), sizeof narrow));
    CHECK_EQ(bits, (uint64_t)count * (count - 1) / 2);
    CHECK_EQ(least, (uint32_t)(at * 2654435761u));
    CHECK_EQ(ones.of[31], (float)count);
}

/* Items that add none or several values, in ranges and work-groups. */
static void check_several(struct exact_source *source, reap_queue *queue, size_t groups)
{
    struct reference_sum all = {.has_others = false}, twice = {.has_others = false};
    const size_t size = 50, count = groups * size;
    double several = -0.0, in_groups = 1, in_phases = 1;
    exact_fill(source, HUGE_RANGE, arrays.x, arrays.narrow, count);
    for (size_t i = 0; i < count; i++) {
        const double x = arrays.x[i];
        for (size_t k = 1; k <= i % 4; k++)
            reference_sum_add(&all, k == 2 ? fabs(x) : x);
        reference_sum_add(&twice, x);
        reference_sum_add(&twice, x);
    }
    reference_sum_add(&twice, 1);
    CHECK_LAUNCH(reap_parallel_for(queue, exact_several, reap_range_1d(count), .x = arrays.x,
                                   .sum = &several),
                 queue);
    CHECK_LAUNCH(reap_parallel_for(queue, exact_in_groups, reap_nd_range_1d(count, size),
                                   .x = arrays.x, .sum = &in_groups, .m = size),
                 queue);
    CHECK_LAUNCH(reap_parallel_for(queue, exact_in_phases, reap_nd_range_1d(count, size),
                                   .x = arrays.x, .sum = &in_phases, .m = size),
                 queue);
    CHECK(same(&several, reference_sum_bits(&all, true), sizeof several));
    CHECK(same(&in_groups, reference_sum_bits(&twice, true), sizeof in_groups));
    CHECK(same(&in_phases, reference_sum_bits(&twice, true), sizeof in_phases));
}

/* Large arrays, whose values many threads add; the sum is 2^-1074 or 2^-149, or it overflows. */
static void check_large(struct exact_source *source, reap_queue *const *queues)
{
    const size_t count = (size_t)1 << 20;
    double *x = test_allocate(count * sizeof *x);
    for (size_t i = 0; i < count; i += 2) {
        x[i] = exact_with_exponents(source, -1074, 1023);
        x[i + 1] = -x[i];
    }
    for (size_t i = count; i > 1; i--) { /* shuffled */
        const size_t other = check_random(&source->state) % i;
        const double kept = x[i - 1];
        x[i - 1] = x[other];
        x[other] = kept;
    }
    for (size_t q = 0; q < queue_count; q++) {
        double sum = 0x1p-1074;
        CHECK_LAUNCH(
            reap_parallel_for(queues[q], exact_double, reap_range_1d(count), .x = x, .sum = &sum),
            queues[q]);
        CHECK_EQ(sum, 0x1p-1074);
    }
    free(x);
}

static void check_nothing(reap_queue *queue)
{
    double x[6] = {1, -1, 2, -2, 3, 0}, sum = -0.0;
    float count = 0;
    TEST_SHARE(x);
    CHECK_LAUNCH(reap_parallel_for(queue, exact_nothing, reap_range_1d(6), .x = x, .sum = &sum,
                                   .count = &count),
                 queue);
    CHECK(sum == 0 && signbit(sum) && count == 3);
    CHECK_LAUNCH(reap_parallel_for(queue, exact_nothing_in_groups, reap_nd_range_1d(6, 3), .x = x,
                                   .sum = &sum, .counts = {.variable = &count, .count = 1}),
                 queue);
    CHECK(sum == 0 && signbit(sum) && count == 6);
}

static void check_refusals(reap_queue *queue)
{
    const double x[2] = {1, 2}, zero = 0;
    double sum = 5;
    CHECK_STATUS(reap_parallel_for(queue, exact_double, reap_range_1d(2), .x = x,
                                   .sum = {.variable = &sum, .identity = &zero}),
                 REAP_ERROR_INVALID_ARGUMENT);
    CHECK_HAS(reap_last_error(), "identity");
    CHECK_EQ(sum, 5);
}

int main(void)
{
    reap_queue *queues[QUEUES];
    struct exact_source source = {.state = check_seed()};
    const bool is_few = test_on_device() || test_few();
    queues_open(queues);
    TEST_SHARE(arrays.x);
    TEST_SHARE(arrays.narrow);
    for (size_t count = 0; count <= 140; count++)
        check_plain(&source, queues[count % queue_count], LARGE_RANGE, count);
    for (size_t q = 0; q < queue_count; q++) {
        check_beside(&source, queues[q], 5);
        check_beside(&source, queues[q], 1000);
        check_beside(&source, queues[q], MOST_VALUES);
        check_several(&source, queues[q], 1);
        check_several(&source, queues[q], 90);
        check_nothing(queues[q]);
    }
    check_dirty(&source, queues[0]);
    for (size_t q = 0; q < queue_count; q++)
        check_largest(&source, queues[q]);
    for (size_t i = 0; i < 40; i++) {
        source.is_double = i % 2 == 0;
        check_plain(&source, queues[i / 2 % queue_count], CHANGING, MOST_VALUES - i % 3);
    }
    check_large(&source, queues);
    check_refusals(queues[0]);
    check_random_cases(&source, queues, (is_few ? 3000 : 100000) / (test_samples() ? 2 : 1));
    queues_close(queues);
    return check_finish();
}
