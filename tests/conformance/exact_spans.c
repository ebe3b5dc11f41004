/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact sums in spans, of hard data (exact_data.h), against the reference's fixed-point number for
 * each element: uniform and skewed keys, few and many, more elements than items, variables of any
 * value, an identity of the launch.
 */
#include "tests/conformance/exact_spans.kernels.h"

#include "tests/conformance/exact_data.h"
#include "tests/conformance/queues.h"
#include "tests/conformance/reference_exact.h"
#include "tests/support/memory.h"

#include <math.h>

/* On the host, whole copies of more elements than FAR are larger than the nearer caches. */
enum { MOST_ITEMS = 20000, MOST_LENGTH = 300000, FAR = 131072 };

struct arrays {
    uint32_t at[MOST_ITEMS];
    double x[MOST_ITEMS];
    float narrow[MOST_ITEMS];
    double wide_sums[MOST_LENGTH];
    float narrow_sums[MOST_LENGTH];
    uint32_t counts[MOST_LENGTH], expected_counts[MOST_LENGTH];
    double least[MOST_LENGTH];
    float most[MOST_LENGTH];
    struct reference_sum sums[MOST_LENGTH];
    double before[MOST_LENGTH];
};
static struct arrays *arrays;

struct launch {
    size_t items, length;
    enum exact_data data;
    bool initialize;
    double identity; /* NaN: the operator's */
};

/* ---- Data -------------------------------------------------------------------------------------*/

static size_t some(struct exact_source *source, size_t most)
{
    const uint64_t drawn = check_random(&source->state);
    return drawn % 8 == 0 ? drawn / 8 % most : drawn % 8 < 4 ? drawn / 8 % 3 : drawn / 8 % 300;
}

static void draw_keys(struct exact_source *source, const struct launch *launch)
{
    const uint64_t kind = check_random(&source->state) % 3;
    for (size_t i = 0; i < launch->items; i++) {
        const uint64_t drawn = check_random(&source->state);
        arrays->at[i] = (uint32_t)(kind == 0                      ? drawn % launch->length
                                   : kind == 1 && drawn % 16 != 0 ? launch->length / 2
                                                                  : drawn / 16 % launch->length);
    }
}

/* Variables: ordinary numbers, others of the data, a NaN with a payload, -0. */
static double some_variable(struct exact_source *source, enum exact_data data)
{
    static const uint64_t payload = 0xfff8000000001234u;
    const uint64_t drawn = check_random(&source->state) % 64;
    double value;
    if (drawn == 0) {
        memcpy(&value, &payload, sizeof value);
        return value;
    }
    return drawn < 20   ? -0.0
           : drawn < 40 ? exact_draw(source, data == EQUAL ? UNIFORM : data, 0, NULL)
                        : (double)drawn;
}

static struct launch draw_launch(struct exact_source *source, bool is_double)
{
    const uint64_t drawn = check_random(&source->state);
    struct launch launch = {.length = 1 + some(source, drawn % 4 == 0 ? MOST_LENGTH - 1 : 1000),
                            .items = some(source, MOST_ITEMS),
                            .data = (enum exact_data)(drawn / 16 % DATA),
                            .initialize = drawn / 4 % 4 == 0,
                            .identity = NAN};
    if (drawn / 65536 % 64 < 5) { /* whole copies of which planes are paged; of these, far ones */
        launch.length = 4000 + drawn / (65536 * 64) % 12000;
        launch.items = MOST_ITEMS - drawn % 8;
        if (drawn / 65536 % 64 == 4)
            launch.length += FAR;
    }
    if (drawn / 1024 % 8 == 0)
        launch.identity = drawn / 8192 % 2 == 0 ? -0.0 : 1.5;
    source->is_double = is_double;
    exact_fill(source, launch.data, arrays->x, arrays->narrow, launch.items);
    draw_keys(source, &launch);
    for (size_t i = 0; i < launch.length; i++) {
        const double value = some_variable(source, launch.data);
        arrays->narrow_sums[i] = (float)value;
        arrays->wide_sums[i] = value;
        arrays->before[i] = is_double ? value : (double)arrays->narrow_sums[i];
    }
    return launch;
}

/* ---- Expectations -----------------------------------------------------------------------------*/

static void tally(const struct launch *launch)
{
    memset(arrays->sums, 0, launch->length * sizeof *arrays->sums);
    for (size_t i = 0; i < launch->items; i++)
        reference_sum_add(&arrays->sums[arrays->at[i]], arrays->x[i]);
}

/* The bits of an element after the launch. */
static uint64_t expected(const struct launch *launch, size_t i, bool is_double, const void *before)
{
    struct reference_sum sum = arrays->sums[i];
    const double identity = isnan(launch->identity) ? 0 : launch->identity;
    const float narrow = (float)identity;
    uint64_t bits = 0;
    memcpy(&bits, launch->initialize ? is_double ? (const void *)&identity : &narrow : before,
           is_double ? sizeof(double) : sizeof(float));
    if (!sum.has_others)
        return bits;
    reference_sum_add(&sum, launch->initialize ? identity : arrays->before[i]);
    if (!isnan(launch->identity))
        reference_sum_add(&sum, identity);
    return reference_sum_bits(&sum, is_double);
}

static void check_element(const struct launch *launch, size_t i, bool is_double, const void *found,
                          const void *before)
{
    uint64_t bits = 0;
    memcpy(&bits, found, is_double ? sizeof(double) : sizeof(float));
    const uint64_t right = expected(launch, i, is_double, before);
    check_comparisons++;
    if (bits != right && !CHECK_EQ(bits, right))
        fprintf(stderr, "  element %zu of %zu, %zu items, data %d, %s, variable %a\n", i,
                launch->length, launch->items, (int)launch->data, is_double ? "doubles" : "floats",
                arrays->before[i]);
}

/* ---- Checks -----------------------------------------------------------------------------------*/

static void check_doubles(struct exact_source *source, reap_queue *queue)
{
    const struct launch launch = draw_launch(source, true);
    double *before = test_allocate(launch.length * sizeof *before);
    memcpy(before, arrays->wide_sums, launch.length * sizeof *before);
    tally(&launch);
    CHECK_LAUNCH(reap_parallel_for(
                     queue, exact_span_double, reap_range_1d(launch.items), .at = arrays->at,
                     .x = arrays->x,
                     .sums = {.variable = arrays->wide_sums,
                              .count = launch.length,
                              .properties = launch.initialize ? REAP_INITIALIZE_TO_IDENTITY : 0,
                              .identity = isnan(launch.identity) ? NULL : &launch.identity}),
                 queue);
    for (size_t i = 0; i < launch.length && check_failures < 5; i++)
        check_element(&launch, i, true, &arrays->wide_sums[i], &before[i]);
    free(before);
}

static void check_floats(struct exact_source *source, reap_queue *queue)
{
    const struct launch launch = draw_launch(source, false);
    const float identity = (float)launch.identity;
    float *before = test_allocate(launch.length * sizeof *before);
    memcpy(before, arrays->narrow_sums, launch.length * sizeof *before);
    tally(&launch);
    const reap_range range =
        launch.items % 6 == 0 ? reap_range_2d(launch.items / 6, 6) : reap_range_1d(launch.items);
    CHECK_LAUNCH(reap_parallel_for(
                     queue, exact_span_float, range, .at = arrays->at, .x = arrays->narrow,
                     .sums = {.variable = arrays->narrow_sums,
                              .count = launch.length,
                              .properties = launch.initialize ? REAP_INITIALIZE_TO_IDENTITY : 0,
                              .identity = isnan(launch.identity) ? NULL : &identity}),
                 queue);
    for (size_t i = 0; i < launch.length && check_failures < 5; i++)
        check_element(&launch, i, false, &arrays->narrow_sums[i], &before[i]);
    free(before);
}

static void begin_others(const struct launch *launch)
{
    for (size_t i = 0; i < launch->length; i++) {
        arrays->wide_sums[i] = arrays->before[i] = -0.0;
        arrays->narrow_sums[i] = 0;
        arrays->counts[i] = 0;
        arrays->least[i] = INFINITY;
        arrays->most[i] = -INFINITY;
    }
}

/* The extremes take -0 as +0, and skip NaN. */
static void check_extremes(const struct launch *launch, const double *least, const float *most)
{
    for (size_t i = 0; i < launch->length; i++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t k = 0; k < launch->items; k++) {
            if (arrays->at[k] != i)
                continue;
            const double x = arrays->x[k] + 0.0, narrow = (double)((float)x + 0.0f);
            low = x < low ? x : low;
            high = narrow > high ? narrow : high;
        }
        CHECK_EQ(least[i], low);
        CHECK_EQ(signbit(least[i]) != 0, signbit(low) != 0);
        if (most != NULL) {
            CHECK_EQ((double)most[i], high);
            CHECK_EQ(signbit(most[i]) != 0, signbit(high) != 0);
        }
    }
}

static void check_beside(struct exact_source *source, reap_queue *queue)
{
    struct launch launch = draw_launch(source, true);
    struct reference_sum all = {.has_others = false}, narrow = {.has_others = false};
    double sum = -0.0;
    const double minus_zero = -0.0;
    launch = (struct launch){.items = launch.items % 2000, .length = 3, .identity = NAN};
    for (size_t i = 0; i < launch.items; i++) {
        arrays->at[i] %= 3;
        reference_sum_add(&all, arrays->x[i]);
        if (arrays->at[i] == 1)
            reference_sum_add(&narrow, (double)(float)arrays->x[i]);
    }
    tally(&launch);
    begin_others(&launch);
    CHECK_LAUNCH(reap_parallel_for(queue, exact_span_beside, reap_range_1d(launch.items),
                                   .at = arrays->at, .x = arrays->x,
                                   .sums = {.variable = arrays->wide_sums, .count = 3},
                                   .narrow = {.variable = arrays->narrow_sums, .count = 3},
                                   .counts = {.variable = arrays->counts, .count = 3},
                                   .least = {.variable = arrays->least, .count = 3},
                                   .most = {.variable = arrays->most, .count = 3}, .all = &sum),
                 queue);
    uint64_t bits, found = 0, right = 0;
    memcpy(&bits, &sum, sizeof bits);
    CHECK_EQ(bits, reference_sum_bits(&all, true));
    memcpy(&found, &arrays->narrow_sums[1], sizeof(float));
    reference_sum_add(&narrow, 0);
    if (narrow.has_others)
        right = reference_sum_bits(&narrow, false);
    CHECK_EQ(found, right);
    for (size_t i = 0; i < 3; i++)
        check_element(&launch, i, true, &arrays->wide_sums[i], &minus_zero);
    for (size_t i = 0; i < launch.items; i++)
        arrays->counts[arrays->at[i]]--;
    for (size_t i = 0; i < 3; i++)
        CHECK_EQ(arrays->counts[i], 0u);
    check_extremes(&launch, arrays->least, arrays->most);
}

/* Each element that was combined into has its number and one more, in the user's span. */
static void check_users(const struct launch *launch)
{
    for (size_t i = 0; i < launch->length; i++)
        arrays->expected_counts[i] = 0;
    for (size_t i = 0; i < launch->items; i++)
        arrays->expected_counts[arrays->at[i]] = arrays->at[i] + 1;
    for (size_t i = 0; i < launch->length && check_failures < 5; i++)
        CHECK_EQ(arrays->counts[i], arrays->expected_counts[i]);
}

/* Beside a span that is combined in order; each element has one value at most. */
static void check_ordered(struct exact_source *source, reap_queue *queue)
{
    struct launch launch = draw_launch(source, true);
    const double minus_zero = -0.0;
    launch = (struct launch){.items = launch.items % 500, .length = 700, .identity = NAN};
    for (size_t i = 0; i < launch.items; i++)
        arrays->at[i] = (uint32_t)(699 - i);
    tally(&launch);
    begin_others(&launch);
    CHECK_LAUNCH(reap_parallel_for(queue, exact_span_ordered, reap_range_1d(launch.items),
                                   .at = arrays->at, .x = arrays->x,
                                   .sums = {.variable = arrays->wide_sums, .count = 700},
                                   .users = {.variable = arrays->counts, .count = 700},
                                   .least = {.variable = arrays->least, .count = 700}),
                 queue);
    for (size_t i = 0; i < 700; i++)
        check_element(&launch, i, true, &arrays->wide_sums[i], &minus_zero);
    check_extremes(&launch, arrays->least, NULL);
    check_users(&launch);
}

/* Work-groups: values that pass through local memory, and some that a log would have. */
static void check_groups(struct exact_source *source, reap_queue *queue)
{
    enum { SIZE = 20 };
    struct launch launch = draw_launch(source, true);
    const double minus_zero = -0.0;
    launch.items %= launch.length > FAR ? MOST_ITEMS : 1000;
    launch = (struct launch){
        .items = launch.items / SIZE * SIZE, .length = launch.length, .identity = NAN};
    memset(arrays->sums, 0, launch.length * sizeof *arrays->sums);
    begin_others(&launch);
    for (size_t i = 0; i < launch.items; i++) {
        const size_t first = i / SIZE * SIZE;
        reference_sum_add(&arrays->sums[arrays->at[i]], arrays->x[i]);
        reference_sum_add(&arrays->sums[arrays->at[first]], arrays->x[first + SIZE - 1 - i % SIZE]);
    }
    const reap_range range = reap_nd_range_1d(launch.items, SIZE);
    CHECK_LAUNCH(reap_parallel_for(queue, exact_span_in_groups, range, .at = arrays->at,
                                   .x = arrays->x, .m = SIZE, .copy = SIZE,
                                   .sums = {.variable = arrays->wide_sums, .count = launch.length}),
                 queue);
    for (size_t i = 0; i < launch.length && check_failures < 5; i++)
        check_element(&launch, i, true, &arrays->wide_sums[i], &minus_zero);
    for (size_t i = 0; i < launch.items; i++)
        reference_sum_add(&arrays->sums[arrays->at[i]], arrays->x[i]);
    begin_others(&launch);
    CHECK_LAUNCH(reap_parallel_for(queue, exact_span_logged, range, .at = arrays->at,
                                   .x = arrays->x,
                                   .sums = {.variable = arrays->wide_sums, .count = launch.length},
                                   .users = {.variable = arrays->counts, .count = launch.length}),
                 queue);
    for (size_t i = 0; i < launch.length && check_failures < 5; i++)
        check_element(&launch, i, true, &arrays->wide_sums[i], &minus_zero);
    check_users(&launch);
}

static void add_times(size_t element, double value, unsigned times)
{
    for (unsigned n = 0; n < times; n++)
        reference_sum_add(&arrays->sums[element], value);
}

static void tally_several(const struct launch *launch, bool are_ten)
{
    const size_t length = launch->length;
    memset(arrays->sums, 0, length * sizeof *arrays->sums);
    for (size_t i = 0; i < launch->items; i++) {
        const size_t first = arrays->at[i], second = (first + 1) % length;
        if (are_ten) {
            add_times(first, arrays->x[i], 3);
            add_times(first, -arrays->x[i], 2);
            add_times(second, arrays->x[i], 5);
        } else {
            const double x = (double)arrays->narrow[i];
            add_times(first, x, x < 0 ? 2 : 1);
            for (size_t n = 0; n < first % 5; n++)
                add_times((first + n) % length, x, 1);
        }
    }
}

static void check_several(struct exact_source *source, reap_queue *queue)
{
    struct launch launch = draw_launch(source, false);
    const float zero = 0;
    launch = (struct launch){.items = launch.items, .length = launch.length, .identity = NAN};
    const uint32_t length = (uint32_t)launch.length;
    tally_several(&launch, false);
    begin_others(&launch);
    CHECK_LAUNCH(reap_parallel_for(queue, exact_span_several, reap_range_1d(launch.items),
                                   .at = arrays->at, .x = arrays->narrow, .length = length,
                                   .sums = {.variable = arrays->narrow_sums, .count = length}),
                 queue);
    for (size_t i = 0; i < length && check_failures < 5; i++) {
        arrays->before[i] = 0;
        check_element(&launch, i, false, &arrays->narrow_sums[i], &zero);
    }
}

static void check_ten(struct exact_source *source, reap_queue *queue)
{
    struct launch launch = draw_launch(source, true);
    const double minus_zero = -0.0;
    launch = (struct launch){.items = launch.items, .length = launch.length, .identity = NAN};
    const uint32_t length = (uint32_t)launch.length;
    tally_several(&launch, true);
    begin_others(&launch);
    CHECK_LAUNCH(reap_parallel_for(queue, exact_span_ten, reap_range_1d(launch.items),
                                   .at = arrays->at, .x = arrays->x, .length = length,
                                   .sums = {.variable = arrays->wide_sums, .count = length}),
                 queue);
    for (size_t i = 0; i < length && check_failures < 5; i++)
        check_element(&launch, i, true, &arrays->wide_sums[i], &minus_zero);
}

/* Many values of one element whose digits and planes carry: equal ones, large for their plane, of
 * both signs, which cancel in the end except for one. */
static void check_carries(reap_queue *queue)
{
    static const double values[] = {0x1.fffffffffffffp30, 0x1.fffffffffffffp-34, 0x1p1023,
                                    0x1.fffffffffffffp62, 0x1.fffffffffffffp1};
    static const size_t count = MOST_ITEMS;
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        double sums[2] = {0x1p-1074, 5};
        for (size_t i = 0; i < count; i++) {
            arrays->at[i] = 0;
            arrays->x[i] = i < count / 2 ? values[v] : -values[v];
        }
        CHECK_LAUNCH(reap_parallel_for(queue, exact_span_double, reap_range_1d(count),
                                       .at = arrays->at, .x = arrays->x,
                                       .sums = {.variable = sums, .count = 2}),
                     queue);
        CHECK_EQ(sums[0], 0x1p-1074);
        CHECK_EQ(sums[1], 5);
    }
}

/* One index is outside, that of an item in the middle. */
static void check_index(reap_queue *queue, size_t items, size_t length)
{
    double *sums = arrays->wide_sums;
    char message[80];
    for (size_t i = 0; i < items; i++)
        arrays->at[i] = (uint32_t)(i == items / 2 ? length : i % 2);
    for (size_t i = 0; i < length; i++)
        sums[i] = (double)(i + 1);
    const reap_status status =
        reap_parallel_for(queue, exact_span_double, reap_range_1d(items), .at = arrays->at,
                          .x = arrays->x, .sums = {.variable = sums, .count = length});
    const reap_status waited = reap_queue_wait(queue);
    CHECK_EQ(status == REAP_OK ? waited : status, REAP_ERROR_INDEX_OUT_OF_RANGE);
    snprintf(message, sizeof message, "index %zu is outside span 'sums'", length);
    CHECK_HAS(reap_last_error(), message);
    for (size_t i = 0; i < length && check_failures < 5; i++)
        CHECK_EQ(sums[i], (double)(i + 1));
}

int main(void)
{
    reap_queue *queues[QUEUES];
    struct exact_source source = {.state = check_seed()};
    const bool is_few = test_on_device() || test_few();
    const size_t rounds = (is_few ? 40 : 200) / (test_samples() ? 2 : 1);
    arrays = test_allocate(sizeof *arrays);
    queues_open(queues);
    TEST_SHARE(arrays->at);
    TEST_SHARE(arrays->x);
    TEST_SHARE(arrays->narrow);
    for (size_t round = 0; round < rounds && check_failures < 5; round++) {
        reap_queue *queue = queues[round % queue_count];
        check_doubles(&source, queue);
        check_floats(&source, queue);
        check_beside(&source, queue);
        check_ordered(&source, queue);
        check_groups(&source, queue);
        check_several(&source, queue);
        check_ten(&source, queue);
    }
    for (size_t q = 0; q < queue_count; q++) {
        check_carries(queues[q]);
        check_index(queues[q], 2, 2);
        check_index(queues[q], MOST_ITEMS, FAR + 1);
    }
    queues_close(queues);
    free(arrays);
    return check_finish();
}
