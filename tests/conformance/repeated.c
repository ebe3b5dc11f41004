/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches that follow others of the same kernel, which run by the plan that their thread has kept.
 * Each is made with random arguments, right and wrong ones, on an in-order queue and, to compare,
 * on an out-of-order queue, where no plans are used: the status, the message, and all that a launch
 * can write must be the same. Several threads do so, one after the other.
 */
#include "tests/conformance/repeated.kernels.h"

#include "src/host/prepared.h"
#include "tests/conformance/queues.h"

#include <math.h>
#include <pthread.h>

enum {
    MOST_ITEMS = 20000, /* of most launches, */
    MANY_ITEMS = 40000, /* and of those that threads share */
    THREADS = 3,
    WARM = 200,
    WRITTEN = 128,
    MANY = 4000,
    SHARED = 600,
    CHEAP = 1 << 20 /* items of a short launch */
};

/* What a launch writes, and where its variables normally are. */
struct written {
    _Alignas(16) unsigned char bytes[WRITTEN];
};
enum { SUM_AT = 0, LEAST_AT = 16, LAST_AT = 32, PEAK_AT = 48, PLACE_AT = 64 };

struct trial {
    reap_queue *kept, *planned;
    uint64_t random;
    float x[MANY_ITEMS + 1];
    int16_t y[MANY_ITEMS + 1];
    struct written written;
    bool was_shared; /* a plan for several threads was kept */
};

static bool is_one_in(struct trial *trial, unsigned n)
{
    return check_random(&trial->random) % n == 0;
}

/* The variable's own memory; seldom other memory that launches write, aligned or not, an element of
 * an array, or NULL. */
static void *draw_memory(struct trial *trial, size_t at)
{
    if (is_one_in(trial, 30))
        return trial->written.bytes + check_random(&trial->random) % (WRITTEN - 16);
    if (is_one_in(trial, 60))
        return trial->x + check_random(&trial->random) % 2;
    return is_one_in(trial, 90) ? NULL : trial->written.bytes + at;
}

static const void *draw_array(struct trial *trial, const void *array)
{
    if (is_one_in(trial, 60))
        return NULL;
    return is_one_in(trial, 60) ? (const char *)array + 1 : array;
}

static reap_range draw_range(struct trial *trial)
{
    static const size_t most[] = {2, 65, 2049, MOST_ITEMS};
    const size_t items = check_random(&trial->random) % most[check_random(&trial->random) % 4];
    const size_t columns = 1 + check_random(&trial->random) % 70;
    reap_range range = reap_range_1d(items);
    if (is_one_in(trial, 3))
        range = reap_range_2d(items / columns, columns);
    else if (is_one_in(trial, 4))
        range = reap_range_3d(items / columns / 3, columns, 3);
    if (is_one_in(trial, 60))
        range.size[range.dimensions - 1] = 0;
    if (is_one_in(trial, 40))
        range.dimensions = (unsigned)(check_random(&trial->random) % 5);
    if (is_one_in(trial, 60)) /* too many, though their number modulo 2^64 is small */
        range = reap_range_2d(SIZE_MAX / 2 + 1 + items / 2, 2);
    if (is_one_in(trial, 40))
        range.group[0] = 4;
    return range;
}

#define DRAW_REDUCTION(reduction, at)                                                              \
    do {                                                                                           \
        const bool is_result = is_one_in(trial, 3);                                                \
        if (!is_result || is_one_in(trial, 60))                                                    \
            (reduction)->variable = draw_memory(trial, at);                                        \
        if (is_result)                                                                             \
            (reduction)->result = draw_memory(trial, at);                                          \
        if (is_one_in(trial, 20))                                                                  \
            (reduction)->identity = draw_memory(trial, at);                                        \
        if (is_one_in(trial, 10))                                                                  \
            (reduction)->properties = (unsigned)(check_random(&trial->random) % 4);                \
    } while (0)

static struct reap_arguments_repeated draw_arguments(struct trial *trial)
{
    struct reap_arguments_repeated arguments = {.reap_range_ = draw_range(trial),
                                                .x = draw_array(trial, trial->x),
                                                .y = draw_array(trial, trial->y),
                                                .factor =
                                                    (float)(check_random(&trial->random) % 5)};
    DRAW_REDUCTION(&arguments.sum, SUM_AT);
    DRAW_REDUCTION(&arguments.least, LEAST_AT);
    DRAW_REDUCTION(&arguments.last, LAST_AT);
    DRAW_REDUCTION(&arguments.peak, PEAK_AT);
    arguments.peak.location = draw_memory(trial, PLACE_AT);
    if (arguments.last.result != NULL && !is_one_in(trial, 20)) { /* it has no identity */
        arguments.last.variable = arguments.last.result;
        arguments.last.result = NULL;
    }
    if (is_one_in(trial, 40))
        arguments.launch.wait_for_count = 1;
    if (is_one_in(trial, 40))
        arguments.launch.first_item = 7;
    return arguments;
}

static void draw_written(struct trial *trial)
{
    for (size_t i = 0; i < WRITTEN; i++)
        trial->written.bytes[i] = (unsigned char)check_random(&trial->random);
    const float values[] = {1.5f, -0.0f, 1e30f, NAN};
    memcpy(trial->written.bytes + PEAK_AT, &values[check_random(&trial->random) % 4],
           sizeof *values);
}

static bool is_same(const void *a, const void *b, size_t bytes)
{
    return memcmp(a, b, bytes) == 0;
}

static void check_alike(struct trial *trial)
{
    const struct reap_arguments_repeated arguments = draw_arguments(trial);
    char message[1024] = "";
    float first[2], expected_first[2];
    draw_written(trial);
    memcpy(first, trial->x, sizeof first);
    const struct written before = trial->written;
    const reap_status planned = reap_launch(trial->planned, &reap_kernel_repeated, &arguments);
    if (planned != REAP_OK)
        snprintf(message, sizeof message, "%s", reap_last_error());
    const struct written expected = trial->written;
    memcpy(expected_first, trial->x, sizeof first);
    trial->written = before;
    memcpy(trial->x, first, sizeof first);
    const reap_status kept = reap_launch(trial->kept, &reap_kernel_repeated, &arguments);
    CHECK_EQ(kept, planned);
    if (planned != REAP_OK)
        CHECK_STR(reap_last_error(), message);
    CHECK(is_same(&trial->written, &expected, sizeof expected));
    CHECK(is_same(expected_first, trial->x, sizeof first));
    memcpy(trial->x, first, sizeof first);
    CHECK_STATUS(reap_queue_wait(trial->kept), REAP_OK);
}

/* Makes the library expect that so many items take as long as a short launch at most: what it would
 * measure depends on the machine and on how the kernel is compiled. */
static void set_cost(const struct reap_kernel *kernel, unsigned short_items)
{
    atomic_store(&kernel->state->short_items, short_items * REAP__PARTS_OF_ITEM);
    atomic_store(&kernel->state->backoff, 0);
}

/* Whether the thread has a plan for the kernel. Kernels whose addresses fall on one place of the
 * table take turns there, so that one of them may have none. */
static bool has_plan(const struct reap_kernel *kernel)
{
    const struct reap_kernel *const all[] = {&reap_kernel_repeated,
                                             reap_kernel_repeated.of_1d_,
                                             reap_kernel_repeated_exact.of_1d_,
                                             reap_kernel_repeated_sum.of_1d_,
                                             reap_kernel_repeated_product.of_1d_,
                                             reap_kernel_repeated_least.of_1d_};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k] != kernel &&
            reap__host_prepared_place(all[k]) == reap__host_prepared_place(kernel))
            return true;
    return reap__host_prepared_find(kernel, REAP__PREPARED_CALL) != NULL;
}

static void warm(struct trial *trial)
{
    double sum;
    int16_t least = 0, last = 0;
    float peak = 0;
    uint64_t place = 0;
    for (int i = 0; i < WARM; i++) {
        set_cost(reap_kernel_repeated.of_1d_, CHEAP);
        CHECK_STATUS(reap_parallel_for(trial->kept, repeated, reap_range_1d(100), .x = trial->x,
                                       .y = trial->y, .factor = 2, .sum = {.result = &sum},
                                       .least = {.variable = &least}, .last = {.variable = &last},
                                       .peak = {.variable = &peak, .location = &place}),
                     REAP_OK);
    }
    CHECK(has_plan(reap_kernel_repeated.of_1d_));
}

struct outcome {
    double sum;
    uint64_t place;
    float peak;
    int16_t least, last;
};

static void launch_many(struct trial *trial, reap_queue *queue, size_t items,
                        struct outcome *outcome)
{
    CHECK_LAUNCH(reap_parallel_for(
                     queue, repeated, reap_range_1d(items), .x = trial->x, .y = trial->y,
                     .factor = 2, .sum = {.result = &outcome->sum},
                     .least = {.variable = &outcome->least}, .last = {.variable = &outcome->last},
                     .peak = {.variable = &outcome->peak, .location = &outcome->place}),
                 queue);
}

/* Launches of a kernel with one reduction over all lengths, some of which are more than one leaf,
 * or more than one call: the value of the variable is included or not. */
#define CHECK_LENGTHS(trial, kernel, array, T, result_, begin)                                     \
    do {                                                                                           \
        for (size_t items = 1; items < 5000;                                                       \
             items += 1 + check_random(&(trial)->random) % (test_samples() ? 240 : 60)) {          \
            T kept = (begin), planned = (begin);                                                   \
            const bool includes = is_one_in(trial, 2);                                             \
            T *const values[] = {&kept, &planned};                                                 \
            reap_queue *const queues[] = {(trial)->kept, (trial)->planned};                        \
            set_cost(reap_kernel_##kernel.of_1d_, CHEAP);                                          \
            for (int i = 0; i < 2; i++)                                                            \
                CHECK_STATUS(reap_parallel_for(                                                    \
                                 queues[i], kernel, reap_range_1d(items), .array = (trial)->array, \
                                 .result_ = {.variable = includes ? values[i] : NULL,              \
                                             .result = includes ? NULL : values[i]}),              \
                             REAP_OK);                                                             \
            CHECK(is_same(&kept, &planned, sizeof kept));                                          \
        }                                                                                          \
        CHECK(has_plan(reap_kernel_##kernel.of_1d_));                                              \
    } while (0)

static void check_lengths(struct trial *trial)
{
    CHECK_LENGTHS(trial, repeated_exact, x, float, sum, 0.5f);
    CHECK_LENGTHS(trial, repeated_sum, x, float, sum, 0.5f);
    CHECK_LENGTHS(trial, repeated_product, x, double, product, 3);
    CHECK_LENGTHS(trial, repeated_least, y, int16_t, least, -32000);
    trial->x[150] = NAN;
    CHECK_LENGTHS(trial, repeated_sum, x, float, sum, 0.5f);
    trial->x[150] = 1;
}

/* The same with the arguments elsewhere on the stack. */
__attribute__((noinline)) static void launch_deeper(struct trial *trial, reap_queue *queue,
                                                    size_t items, struct outcome *outcome)
{
    struct outcome own;
    memset(&own, 0, sizeof own);
    launch_many(trial, queue, items, &own);
    *outcome = own;
}

/* Launches that threads share, one after the other: of one length until a plan is kept, and then of
 * two in turns, into several variables. On one thread nothing is kept. */
static void check_shared(struct trial *trial)
{
    const reap_queue_options alone = {.max_threads = 1};
    const size_t lengths[] = {MANY_ITEMS, MANY_ITEMS - 5000};
    struct outcome expected[2], got[3];
    reap_queue *of_one, *of_all;
    const reap_device *const host = reap_queue_device(trial->kept);
    CHECK_STATUS(reap_queue_create(host, &alone, &of_one), REAP_OK);
    CHECK_STATUS(reap_queue_create(host, NULL, &of_all), REAP_OK);
    for (size_t length = 0; length < 2; length++) {
        memset(&expected[length], 0, sizeof *expected);
        launch_many(trial, of_one, lengths[length], &expected[length]);
    }
    const size_t launches = test_samples() ? SHARED / 4 : SHARED;
    for (size_t i = 0; i < launches; i++) {
        const size_t length = i < launches / 2 ? 0 : i / 8 % 2;
        struct outcome *const outcome = &got[i % 3];
        memset(outcome, 0, sizeof *outcome);
        set_cost(reap_kernel_repeated.of_1d_, MANY_ITEMS / 8);
        (i % 2 == 0 ? launch_many : launch_deeper)(trial, of_all, lengths[length], outcome);
        CHECK(is_same(outcome, &expected[length], sizeof *outcome));
        trial->was_shared |=
            reap__host_prepared_find(reap_kernel_repeated.of_1d_, REAP__PREPARED_SHARED) != NULL;
    }
    reap_queue_release(of_all);
    reap_queue_release(of_one);
}

/* The kernel object of any dimensions, launched over as many items in one, two and three, one after
 * the other, by several threads. */
static void check_shapes(struct trial *trial)
{
    enum { ROWS = 256, COLUMNS = 512, LAUNCHES = 400 };
    static float x[ROWS * COLUMNS];
    const reap_range ranges[] = {reap_range_1d(ROWS * COLUMNS), reap_range_2d(ROWS, COLUMNS),
                                 reap_range_3d(ROWS / 4, 4, COLUMNS)};
    const reap_queue_options alone = {.max_threads = 1};
    float sum, expected;
    struct reap_arguments_repeated_sum arguments = {
        .reap_range_ = ranges[0], .x = x, .sum = {.result = &expected}};
    reap_queue *of_one, *of_all;
    const reap_device *const host = reap_queue_device(trial->kept);
    for (size_t i = 0; i < ROWS * COLUMNS; i++)
        x[i] = trial->x[i % MANY_ITEMS];
    CHECK_STATUS(reap_queue_create(host, &alone, &of_one), REAP_OK);
    CHECK_STATUS(reap_queue_create(host, NULL, &of_all), REAP_OK);
    CHECK_STATUS(reap_launch(of_one, &reap_kernel_repeated_sum, &arguments), REAP_OK);
    arguments.sum.result = &sum;
    const size_t launches = test_samples() ? LAUNCHES / 4 : LAUNCHES;
    for (size_t i = 0; i < launches; i++) {
        arguments.reap_range_ = ranges[i < launches / 2 || i % 8 < 5 ? 0 : 1 + i % 2];
        set_cost(&reap_kernel_repeated_sum, ROWS * COLUMNS / 8);
        CHECK_STATUS(reap_launch(of_all, &reap_kernel_repeated_sum, &arguments), REAP_OK);
        CHECK(is_same(&sum, &expected, sizeof sum));
    }
    reap_queue_release(of_all);
    reap_queue_release(of_one);
}

static void *run_trials(void *data)
{
    struct trial *const trial = data;
    const reap_queue_options out_of_order = {.out_of_order = true};
    trial->kept = queue_of_the_host();
    CHECK_STATUS(reap_queue_create(reap_queue_device(trial->kept), &out_of_order, &trial->planned),
                 REAP_OK);
    for (size_t i = 0; i <= MANY_ITEMS; i++) {
        trial->x[i] = (float)(int64_t)check_random(&trial->random) * 0x1p-60f;
        trial->y[i] = (int16_t)check_random(&trial->random);
    }
    warm(trial);
    for (int t = 0; t < (test_samples() ? MANY / 4 : MANY); t++) {
        set_cost(&reap_kernel_repeated, CHEAP);
        check_alike(trial);
    }
    CHECK(has_plan(&reap_kernel_repeated));
    check_lengths(trial);
    check_shared(trial);
    check_shapes(trial);
    reap_queue_release(trial->planned);
    reap_queue_release(trial->kept);
    return NULL;
}

int main(void)
{
    static struct trial trials[THREADS];
    uint64_t random = check_seed();
    for (size_t t = 0; t < THREADS; t++)
        trials[t].random = check_random(&random);
    run_trials(&trials[0]);
    for (size_t t = 1; t < THREADS; t++) {
        pthread_t thread;
        const int created = pthread_create(&thread, NULL, run_trials, &trials[t]);
        pthread_join(thread, NULL);
        CHECK_EQ(created, 0);
    }
    if (!trials[0].was_shared)
        puts("no launch was shared");
    return check_finish();
}
