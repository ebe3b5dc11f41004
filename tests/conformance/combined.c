/* SPDX-License-Identifier: Apache-2.0
 *
 * Combined devices: launches that are divided have the bits of one launch on the host, whatever the
 * shares; arrays hold what the last launch wrote, wherever its shares were. Combines the devices
 * that there are: with the host alone, little is divided.
 */
#include "tests/conformance/combined.kernels.h"
#include "tests/support/check_status.h"
#include "tests/support/memory.h"

#include "src/memory/coherence.h"

#include <locale.h>
#include <pthread.h>
#include <reap/algorithms.h>
#include <reap/reap.h>
#include <string.h>

enum { MOST = 200000, TABLE = 97, KEYS = 61, MOST_DEVICES = 4, ROUNDS = 12, STEPS = 12 };

static const reap_device *devices[MOST_DEVICES];
static size_t device_count;
static uint64_t state;
static reap_queue *host;

static void find_devices(void)
{
    const reap_device *const *all;
    size_t count;
    CHECK_STATUS(reap_device_list(&all, &count), REAP_OK);
    for (size_t d = 0; d < count && device_count < MOST_DEVICES; d++)
        devices[device_count++] = all[d];
}

static bool says(const char *text)
{
    return strstr(reap_last_error(), text) != NULL;
}

/* Some of the devices in a random order, with random speeds. */
static const reap_device *combine_some(void)
{
    const reap_device *some[MOST_DEVICES], *combined = NULL;
    double speeds[MOST_DEVICES];
    memcpy(some, devices, sizeof some);
    for (size_t d = device_count - 1; d > 0; d--) {
        const size_t other = check_random(&state) % (d + 1);
        const reap_device *const moved = some[d];
        some[d] = some[other];
        some[other] = moved;
    }
    const size_t count =
        device_count < 2 ? device_count : 2 + check_random(&state) % (device_count - 1);
    for (size_t d = 0; d < count; d++)
        speeds[d] = (double)(check_random(&state) % 5) + (d == 0 ? 1 : 0);
    CHECK_STATUS(reap_device_combine(some, speeds, count, &combined), REAP_OK);
    return combined;
}

/* ---- What one launch gives --------------------------------------------------------------------*/

struct results {
    float sum, least;
    double exact;
    uint64_t place, number;
    uint32_t counts[KEYS];
    float sums[KEYS];
};

struct arrays {
    reap_buffer *buffers[4];
    float *x, *y;
    uint32_t *table, *z;
};

static void open_arrays(struct arrays *arrays, const float *x, const uint32_t *table, size_t items)
{
    const size_t bytes[] = {items * sizeof *x, TABLE * sizeof *table, items * sizeof *x,
                            3 * items * sizeof *table};
    void *data[4];
    for (size_t b = 0; b < 4; b++) {
        CHECK_STATUS(reap_buffer_create(bytes[b], &arrays->buffers[b]), REAP_OK);
        CHECK_STATUS(reap_host_access_begin(arrays->buffers[b], REAP_WRITE, &data[b]), REAP_OK);
        memset(data[b], 0x11, bytes[b]);
    }
    memcpy(data[0], x, bytes[0]);
    memcpy(data[1], table, bytes[1]);
    for (size_t b = 0; b < 4; b++)
        CHECK_STATUS(reap_host_access_end(arrays->buffers[b]), REAP_OK);
    arrays->x = data[0];
    arrays->table = data[1];
    arrays->y = data[2];
    arrays->z = data[3];
}

static void close_arrays(const struct arrays *arrays)
{
    for (size_t b = 0; b < 4; b++)
        CHECK_STATUS(reap_buffer_release(arrays->buffers[b]), REAP_OK);
}

static void run_all(reap_queue *queue, const struct arrays *arrays, size_t items,
                    const char *divided, struct results *results)
{
    memset(results, 0, sizeof *results);
    results->least = 1e30f;
    results->place = UINT64_MAX;
    results->sums[3] = 0.1f;
    CHECK_STATUS(
        reap_parallel_for(
            queue, combined_all, reap_range_1d(items), .x = arrays->x, .table = arrays->table,
            .y = arrays->y, .z = arrays->z, .sum = &results->sum, .exact = &results->exact,
            .least = {.variable = &results->least, .location = &results->place},
            .number = &results->number, .counts = {.variable = results->counts, .count = KEYS},
            .sums = {.variable = results->sums, .count = KEYS}, .launch.divided = divided),
        REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
}

static void check_equal(reap_buffer *one, reap_buffer *other, size_t bytes)
{
    void *a = NULL, *b = NULL;
    CHECK_STATUS(reap_host_access_begin(one, REAP_READ, &a), REAP_OK);
    CHECK_STATUS(reap_host_access_begin(other, REAP_READ, &b), REAP_OK);
    CHECK(memcmp(a, b, bytes) == 0);
    check_comparisons++;
    CHECK_STATUS(reap_host_access_end(one), REAP_OK);
    CHECK_STATUS(reap_host_access_end(other), REAP_OK);
}

static float *x;
static uint32_t table[TABLE];

static void make_inputs(void)
{
    x = test_allocate(MOST * sizeof *x);
    for (size_t i = 0; i < MOST; i++)
        x[i] = (float)((double)(check_random(&state) >> 11) * 0x1p-53 - 0.25) *
               (check_random(&state) % 8 == 0 ? 1e4f : 1.0f);
    for (size_t i = 0; i < TABLE; i++)
        table[i] = (uint32_t)(check_random(&state) % 1000);
}

/* ---- Divided launches -------------------------------------------------------------------------*/

/* One after the other, on the same arrays, with other shares each time; some run on one device. */
static void run_steps(size_t items)
{
    struct arrays alone, divided;
    struct results expected, results;
    open_arrays(&alone, x, table, items);
    open_arrays(&divided, x, table, items);
    for (size_t step = 0; step < STEPS; step++) {
        reap_queue *queue;
        const bool is_whole = check_random(&state) % 4 == 0;
        const reap_device *device =
            is_whole ? devices[check_random(&state) % device_count] : combine_some();
        CHECK_STATUS(reap_queue_create(device, NULL, &queue), REAP_OK);
        run_all(host, &alone, items, NULL, &expected);
        run_all(queue, &divided, items, step % 3 == 0 ? "z*3 x y" : " y, z*3 ", &results);
        CHECK(check_same(&expected, &results, sizeof results));
        check_comparisons++;
        if (step % 3 == 0 || step + 1 == STEPS) {
            check_equal(alone.buffers[2], divided.buffers[2], items * sizeof(float));
            check_equal(alone.buffers[3], divided.buffers[3], 3 * items * sizeof(uint32_t));
        }
        reap_queue_release(queue);
    }
    close_arrays(&alone);
    close_arrays(&divided);
}

/* What slices have is read by launches that use any element, on any device. */
static void read_elsewhere(size_t items)
{
    struct arrays arrays;
    double sums[2] = {0, 0};
    float *y = test_allocate(items * sizeof *y);
    reap_queue *queue;
    open_arrays(&arrays, x, table, items);
    for (size_t i = 0; i < items; i++)
        y[i] = x[i] + (float)(i % 1000u);
    for (size_t step = 0; step < 4; step++) {
        CHECK_STATUS(reap_queue_create(combine_some(), NULL, &queue), REAP_OK);
        CHECK_STATUS(reap_parallel_for(queue, combined_plain, reap_range_1d(items), .x = arrays.x,
                                       .y = arrays.y, .launch.divided = "x y"),
                     REAP_OK);
        reap_queue_release(queue);
        CHECK_STATUS(
            reap_queue_create(step % 2 == 0 ? combine_some() : devices[step % device_count], NULL,
                              &queue),
            REAP_OK);
        sums[0] = sums[1] = 0;
        CHECK_STATUS(reap_parallel_for(queue, combined_far, reap_range_1d(items), .x = arrays.y,
                                       .count = items, .sum = &sums[0]),
                     REAP_OK);
        CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
        CHECK_STATUS(reap_parallel_for(host, combined_far, reap_range_1d(items), .x = y,
                                       .count = items, .sum = &sums[1]),
                     REAP_OK);
        CHECK(check_same(&sums[0], &sums[1], sizeof sums[0]));
        reap_queue_release(queue);
    }
    free(y);
    close_arrays(&arrays);
}

/* Arrays that are in one buffer: halves of it, or elements of which every other one is the other
 * array's. */
static void share_a_buffer(size_t items, size_t distance, const char *divided)
{
    reap_buffer *buffers[2];
    reap_queue *queue;
    float *pairs[2];
    const size_t count = 2 * items + 1 + distance;
    for (size_t b = 0; b < 2; b++) {
        pairs[b] = test_allocate(count * sizeof **pairs);
        for (size_t i = 0; i < count; i++)
            pairs[b][i] = x[i % MOST];
        CHECK_STATUS(reap_buffer_wrap(pairs[b], count * sizeof **pairs, &buffers[b]), REAP_OK);
    }
    for (size_t step = 0; step < 3; step++) {
        CHECK_STATUS(reap_queue_create(combine_some(), NULL, &queue), REAP_OK);
        for (size_t b = 0; b < 2; b++)
            CHECK_STATUS(reap_parallel_for(b == 0 ? host : queue, combined_after,
                                           reap_range_1d(items), .x = pairs[b],
                                           .y = pairs[b] + distance,
                                           .launch.divided = b == 0 ? NULL : divided),
                         REAP_OK);
        reap_queue_release(queue);
    }
    check_equal(buffers[0], buffers[1], count * sizeof **pairs);
    for (size_t b = 0; b < 2; b++) {
        CHECK_STATUS(reap_buffer_release(buffers[b]), REAP_OK);
        free(pairs[b]);
    }
}

static void share_buffers(size_t items)
{
    const char *const divided[] = {"y*2", "x*2 y*2"};
    for (size_t d = 0; d < 2; d++) {
        share_a_buffer(items, 2 * items, divided[d]);
        share_a_buffer(items, 1, divided[d]);
    }
}

/* An item has more values than a device keeps where a share ends in the middle of a leaf. */
static void run_unlike_leaves(size_t items)
{
    struct {
        combined_wide wide;
        float sum;
        uint8_t counts[8];
    } results[2];
    reap_buffer *buffer;
    reap_queue *queue;
    memset(results, 0, sizeof results);
    CHECK_STATUS(reap_buffer_wrap(x, MOST * sizeof *x, &buffer), REAP_OK);
    CHECK_STATUS(reap_queue_create(combine_some(), NULL, &queue), REAP_OK);
    for (int k = 0; k < 2; k++)
        CHECK_STATUS(reap_parallel_for(k == 0 ? host : queue, combined_leaves, reap_range_1d(items),
                                       .x = x, .sum = &results[k].sum, .wide = &results[k].wide,
                                       .counts = {.variable = results[k].counts, .count = 7}),
                     REAP_OK);
    reap_queue_release(queue);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    CHECK(check_same(&results[0], &results[1], sizeof results[0]));
}

static void run_2d(size_t rows, size_t columns)
{
    reap_buffer *buffer;
    reap_queue *queue;
    float sums[2] = {0, 0}, most[2] = {-1e30f, -1e30f};
    uint64_t places[2] = {UINT64_MAX, UINT64_MAX};
    CHECK_STATUS(reap_buffer_wrap(x, MOST * sizeof *x, &buffer), REAP_OK);
    CHECK_STATUS(reap_queue_create(combine_some(), NULL, &queue), REAP_OK);
    for (int k = 0; k < 2; k++) {
        CHECK_STATUS(reap_parallel_for(k == 0 ? host : queue, combined_2d,
                                       reap_range_2d(rows, columns), .x = x, .sum = &sums[k],
                                       .most = {.variable = &most[k], .location = &places[k]},
                                       .launch.divided = k == 0 ? NULL : "x"),
                     REAP_OK);
        CHECK_STATUS(reap_queue_wait(k == 0 ? host : queue), REAP_OK);
    }
    CHECK(check_same(&sums[0], &sums[1], sizeof sums[0]));
    CHECK(check_same(&most[0], &most[1], sizeof most[0]) && places[0] == places[1]);
    reap_queue_release(queue);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
}

struct group_results {
    float sum, most;
    uint64_t place, number;
    uint32_t counts[KEYS];
};

/* Reductions of rows run whole on one of the devices. */
static void run_rows(size_t rows, size_t columns)
{
    const reap_device *combined = combine_some();
    float *sums[2], *exact[2];
    reap_queue *queues[2] = {host, NULL};
    reap_buffer *buffer;
    CHECK_STATUS(reap_queue_create(combined, NULL, &queues[1]), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(x, rows * columns * sizeof *x, &buffer), REAP_OK);
    for (size_t q = 0; q < 2; q++) {
        sums[q] = test_allocate(rows * sizeof(float));
        exact[q] = test_allocate(rows * sizeof(float));
        CHECK_STATUS(reap_parallel_for(queues[q], combined_rows, reap_range_2d(rows, columns),
                                       .x = x, .sum = {.result = sums[q], .count = rows},
                                       .exact = {.result = exact[q], .count = rows}),
                     REAP_OK);
        CHECK_STATUS(reap_queue_wait(queues[q]), REAP_OK);
    }
    CHECK_EQ(memcmp(sums[0], sums[1], rows * sizeof(float)), 0);
    CHECK_EQ(memcmp(exact[0], exact[1], rows * sizeof(float)), 0);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    for (size_t q = 0; q < 2; q++) {
        free(sums[q]);
        free(exact[q]);
    }
    reap_queue_release(queues[1]);
}

static void launch_groups(reap_queue *queue, reap_range range, size_t local, uint32_t *who,
                          const char *divided, struct group_results *results)
{
    memset(results, 0, sizeof *results);
    results->most = -1e30f;
    CHECK_STATUS(
        reap_parallel_for(
            queue, combined_groups, range, .x = x, .who = who, .near = local, .sum = &results->sum,
            .most = {.variable = &results->most, .location = &results->place},
            .number = &results->number, .counts = {.variable = results->counts, .count = KEYS},
            .launch.divided = divided),
        REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
}

/* Groups of one dimension, and of two, where arrays are not divided. */
static void run_groups(bool is_flat)
{
    const size_t groups = 1 + check_random(&state) % 500;
    const size_t local = is_flat ? 1 + check_random(&state) % 64 : 24, items = groups * local;
    const reap_range range =
        is_flat ? reap_nd_range_1d(items, local) : reap_nd_range_2d(4 * groups, 6, 4, 6);
    reap_buffer *buffers[2];
    reap_queue *queue;
    struct group_results results[2];
    uint32_t *who[2] = {test_allocate(items * sizeof **who), test_allocate(items * sizeof **who)};
    memset(who[0], 0, items * sizeof **who);
    memset(who[1], 0, items * sizeof **who);
    launch_groups(host, range, local, who[0], NULL, &results[0]);
    CHECK_STATUS(reap_buffer_wrap(x, MOST * sizeof *x, &buffers[0]), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(who[1], items * sizeof **who, &buffers[1]), REAP_OK);
    CHECK_STATUS(reap_queue_create(combine_some(), NULL, &queue), REAP_OK);
    launch_groups(queue, range, local, who[1], "x who", &results[1]);
    reap_queue_release(queue);
    CHECK_STATUS(reap_buffer_release(buffers[0]), REAP_OK);
    CHECK_STATUS(reap_buffer_release(buffers[1]), REAP_OK);
    CHECK(check_same(&results[0], &results[1], sizeof results[0]));
    CHECK(memcmp(who[0], who[1], items * sizeof **who) == 0);
    check_comparisons += 2;
    free(who[0]);
    free(who[1]);
}

/* Into a part, in two launches; from queues that are asynchronous. */
static void run_into_parts(size_t items)
{
    const reap_queue_options options = {.asynchronous = true};
    const size_t cut = check_random(&state) % items;
    reap_buffer *buffer;
    reap_queue *queue;
    reap_part *parts[2];
    float sums[2] = {0.5f, 0.5f}, most[2] = {0, 0};
    uint64_t places[2] = {0, 0};
    CHECK_STATUS(reap_buffer_wrap(x, MOST * sizeof *x, &buffer), REAP_OK);
    CHECK_STATUS(reap_queue_create(combine_some(), &options, &queue), REAP_OK);
    CHECK_STATUS(reap_part_create(&reap_kernel_combined_2d, "sum", &parts[0]), REAP_OK);
    CHECK_STATUS(reap_part_create(&reap_kernel_combined_2d, "most", &parts[1]), REAP_OK);
    for (int k = 0; k < 2; k++)
        CHECK_STATUS(reap_parallel_for(queue, combined_2d,
                                       reap_range_2d(k == 0 ? cut : items - cut, 1),
                                       .x = x + (k == 0 ? 0 : cut), .sum = {.part = parts[0]},
                                       .most = {.part = parts[1]},
                                       .launch = {.first_item = k == 0 ? 0 : cut, .divided = "x"}),
                     REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK_STATUS(reap_part_finish(parts[0], &sums[0], NULL), REAP_OK);
    CHECK_STATUS(reap_part_finish(parts[1], &most[0],
                                  &(const reap_part_finish_options){.location = &places[0]}),
                 REAP_OK);
    CHECK_STATUS(reap_parallel_for(host, combined_2d, reap_range_2d(items, 1), .x = x,
                                   .sum = &sums[1],
                                   .most = {.variable = &most[1], .location = &places[1]}),
                 REAP_OK);
    CHECK(check_same(&sums[0], &sums[1], sizeof sums[0]));
    CHECK(check_same(&most[0], &most[1], sizeof most[0]) && places[0] == places[1]);
    reap_part_release(parts[0]);
    reap_part_release(parts[1]);
    reap_queue_release(queue);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
}

/* ---- Measured speeds, threads -----------------------------------------------------------------*/

static void *launch_often(void *data)
{
    const reap_device *device = data;
    reap_queue *queue;
    float sums[2] = {0, 0};
    if (reap_queue_create(device, NULL, &queue) != REAP_OK)
        return NULL;
    bool is_right =
        reap_parallel_for(host, combined_2d, reap_range_2d(MOST, 1), .x = x, .sum = &sums[0],
                          .most = {.variable = &(float){0}, .location = &(uint64_t){0}}) == REAP_OK;
    for (int k = 0; k < 6 && is_right; k++) {
        sums[1] = 0;
        is_right =
            reap_parallel_for(queue, combined_2d, reap_range_2d(MOST, 1), .x = x, .sum = &sums[1],
                              .most = {.variable = &(float){0}, .location = &(uint64_t){0}},
                              .launch.divided = "x") == REAP_OK &&
            check_same(&sums[0], &sums[1], sizeof sums[0]);
    }
    reap_queue_release(queue);
    return is_right ? data : NULL;
}

static void launch_from_threads(void)
{
    pthread_t threads[3];
    const reap_device *combined;
    reap_buffer *buffer;
    CHECK_STATUS(reap_device_combine(devices, NULL, device_count, &combined), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(x, MOST * sizeof *x, &buffer), REAP_OK);
    for (size_t t = 0; t < 3; t++)
        CHECK(pthread_create(&threads[t], NULL, launch_often,
                             (void *)(t == 0 ? combine_some() : combined)) == 0);
    for (size_t t = 0; t < 3; t++) {
        void *result = NULL;
        CHECK(pthread_join(threads[t], &result) == 0 && result != NULL);
    }
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
}

/* ---- Memory of combined devices ---------------------------------------------------------------*/

typedef reap_status allocate_function(const reap_device *device, size_t bytes, void **memory);
static allocate_function *const allocate_functions[] = {reap_malloc_device, reap_malloc_host,
                                                        reap_malloc_shared};

/* Arrays and variables in memory that was allocated for `owner`, which is the host's. */
static void use_memory_of(const reap_device *owner, reap_queue *queue, allocate_function *allocate)
{
    const size_t bytes = 10000 * sizeof(float);
    const float two = 2;
    float *all[4] = {NULL, NULL, NULL, NULL}, sum = 2, most = 2;
    uint64_t place = 0;
    for (size_t a = 0; a < 4; a++) {
        void *memory = NULL;
        CHECK_STATUS(allocate(owner, bytes, &memory), REAP_OK);
        all[a] = memory;
    }
    for (size_t a = 0; a < 4; a++)
        CHECK_STATUS(reap_fill(queue, all[a], &two, sizeof two, 10000, NULL), REAP_OK);
    CHECK_STATUS(reap_copy(queue, all[1], all[0], bytes, NULL), REAP_OK);
    CHECK_STATUS(reap_parallel_for(queue, combined_plain, reap_range_1d(10000), .x = all[1],
                                   .y = all[0], .launch.divided = "x y"),
                 REAP_OK);
    CHECK_EQ(all[0][9999], 2 + 999);
    CHECK_STATUS(
        reap_parallel_for(queue, combined_2d, reap_range_2d(10000, 1), .x = x, .sum = &all[2][0],
                          .most = {.variable = &all[2][1], .location = (uint64_t *)(void *)all[3]}),
        REAP_OK);
    CHECK_STATUS(reap_parallel_for(host, combined_2d, reap_range_2d(10000, 1), .x = x, .sum = &sum,
                                   .most = {.variable = &most, .location = &place}),
                 REAP_OK);
    CHECK_EQ(all[2][0], sum);
    CHECK_EQ(all[2][1], most);
    CHECK_EQ(*(uint64_t *)(void *)all[3], place);
    for (size_t a = 0; a < 4; a++)
        CHECK_STATUS(reap_free(all[a]), REAP_OK);
}

static void use_memory(void)
{
    const reap_device *const both[] = {devices[device_count - 1], devices[0]};
    const reap_device *combined = NULL;
    const double speeds[] = {4, 1};
    reap_buffer *buffer;
    reap_queue *queue;
    void *memory = NULL;
    CHECK_STATUS(reap_device_combine(both, speeds, device_count > 1 ? 2 : 1, &combined), REAP_OK);
    CHECK_STATUS(reap_queue_create(combined, NULL, &queue), REAP_OK);
    CHECK(reap_queue_is_blocking(queue));
    CHECK_STATUS(reap_buffer_wrap(x, MOST * sizeof *x, &buffer), REAP_OK);
    for (size_t f = 0; f < 3; f++) {
        use_memory_of(combined, queue, allocate_functions[f]);
        use_memory_of(combined, host, allocate_functions[f]);
        use_memory_of(devices[0], queue, allocate_functions[f]);
    }
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    reap_queue_release(queue);
    if (device_count < 2)
        return;
    CHECK_STATUS(reap_device_combine(&both[0], NULL, 1, &combined), REAP_OK);
    for (size_t f = 0; f < 3; f++) {
        CHECK_STATUS(allocate_functions[f](combined, 100, &memory), REAP_ERROR_INVALID_ARGUMENT);
        CHECK(says("combines devices without the host") && says("use a buffer"));
    }
    CHECK(memory == NULL);
}

/* The program writes the owner's memory after another device's queue has prefetched it. A prefetch
 * takes no memory of a device that cannot access the allocation. */
static void prefetch_from(const reap_device *owner, const reap_device *device,
                          allocate_function *allocate)
{
    enum { ITEMS = 1000 };
    static uint32_t seen[ITEMS];
    void *memory = NULL;
    reap_queue *queue;
    CHECK_STATUS(reap_queue_create(device, NULL, &queue), REAP_OK);
    CHECK_STATUS(allocate(owner, sizeof seen, &memory), REAP_OK);
    const size_t copies = reap__coherence_copies();
    for (uint32_t round = 1; round <= 2; round++) {
        for (size_t i = 0; i < ITEMS; i++)
            ((uint32_t *)memory)[i] = round;
        CHECK_STATUS(reap_prefetch(queue, memory, sizeof seen, NULL), REAP_OK);
        CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
        CHECK(owner == device || reap__coherence_copies() == copies);
        for (size_t i = 0; i < ITEMS; i++)
            ((uint32_t *)memory)[i] += 10;
        CHECK_STATUS(reap_copy(queue, seen, memory, sizeof seen, NULL), REAP_OK);
        CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
        CHECK_EQ(seen[0], round + 10);
        CHECK_EQ(seen[ITEMS - 1], round + 10);
    }
    CHECK_STATUS(reap_free(memory), REAP_OK);
    reap_queue_release(queue);
}

static void prefetch_elsewhere(void)
{
    const reap_device *all[MOST_DEVICES + 1];
    memcpy(all, devices, sizeof devices);
    CHECK_STATUS(reap_device_combine(devices, NULL, device_count, &all[device_count]), REAP_OK);
    for (size_t owner = 0; owner <= device_count; owner++)
        for (size_t device = 0; device <= device_count; device++)
            for (size_t f = 0; f < 3; f++)
                if (f > 0 || owner == 0) /* memory of kind device, of the host alone */
                    prefetch_from(all[owner], all[device], allocate_functions[f]);
}

/* A copy to a part of a buffer whose bytes are on another device has times, which begin with the
 * bytes' way here. */
static void time_copy_from(reap_queue *there, reap_queue *here)
{
    static float y[1000], seen;
    const float one = 1, two = 2;
    reap_event_times times = {0};
    reap_event *event = NULL;
    reap_buffer *buffer;
    CHECK_STATUS(reap_buffer_wrap(y, sizeof y, &buffer), REAP_OK);
    CHECK_STATUS(reap_fill(there, y, &one, sizeof one, 1000, NULL), REAP_OK);
    CHECK_STATUS(reap_copy(here, &y[7], &two, sizeof two, &(reap_launch_options){.event = &event}),
                 REAP_OK);
    CHECK_STATUS(reap_copy(here, &seen, &y[8], sizeof seen, NULL), REAP_OK);
    CHECK_STATUS(reap_event_wait(event), REAP_OK);
    CHECK_STATUS(reap_queue_wait(here), REAP_OK);
    CHECK_STATUS(reap_event_get_times(event, &times), REAP_OK);
    CHECK_LE(times.submitted, times.started);
    CHECK_LE(times.started, times.ended);
    CHECK_EQ(seen, 1);
    reap_event_release(event);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    CHECK(y[7] == 2 && y[8] == 1);
}

static void time_copies(void)
{
    const reap_queue_options timed = {.profiling = true};
    reap_queue *queues[MOST_DEVICES];
    for (size_t d = 0; d < device_count; d++)
        CHECK_STATUS(reap_queue_create(devices[d], &timed, &queues[d]), REAP_OK);
    for (size_t there = 0; there < device_count; there++)
        for (size_t here = 0; here < device_count; here++)
            time_copy_from(queues[there], queues[here]);
    for (size_t d = 0; d < device_count; d++)
        reap_queue_release(queues[d]);
}

/* An algorithm whose kernels write memory of the host, on a device that can. */
static void reduce_segments(void)
{
    enum { SEGMENTS = 100, LENGTH = 64 };
    const double speeds[] = {4, 1};
    const reap_device *const both[] = {devices[device_count - 1], devices[0]};
    const reap_device *combined = NULL;
    const size_t sizes[] = {SEGMENTS * LENGTH, SEGMENTS + 1, SEGMENTS};
    static float values[SEGMENTS * LENGTH], results[SEGMENTS];
    static int64_t offsets[SEGMENTS + 1];
    void *const memory[] = {values, offsets, results};
    reap_array arrays[] = {{values, REAP_TYPE_FLOAT, 1, &sizes[0], NULL},
                           {offsets, REAP_TYPE_INT64, 1, &sizes[1], NULL},
                           {results, REAP_TYPE_FLOAT, 1, &sizes[2], NULL}};
    reap_buffer *buffers[3];
    reap_queue *queue;
    for (size_t i = 0; i < SEGMENTS * LENGTH; i++)
        values[i] = (float)(i % 8);
    for (size_t s = 0; s <= SEGMENTS; s++)
        offsets[s] = (int64_t)(s * LENGTH);
    for (size_t b = 0; b < 3; b++)
        CHECK_STATUS(
            reap_buffer_wrap(memory[b], sizes[b] * reap_type_size(arrays[b].type), &buffers[b]),
            REAP_OK);
    CHECK_STATUS(reap_device_combine(both, speeds, device_count > 1 ? 2 : 1, &combined), REAP_OK);
    CHECK_STATUS(reap_queue_create(combined, NULL, &queue), REAP_OK);
    CHECK_STATUS(reap_array_reduce_segments(queue, REAP_SUM, &arrays[0], &arrays[1], &arrays[2]),
                 REAP_OK);
    reap_queue_release(queue);
    for (size_t b = 0; b < 3; b++)
        CHECK_STATUS(reap_buffer_release(buffers[b]), REAP_OK);
    for (size_t s = 0; s < SEGMENTS; s++)
        CHECK_EQ(results[s], 28 * LENGTH / 8);
}

/* ---- Names ------------------------------------------------------------------------------------*/

static void find_again(const double *speeds, size_t count, const char *expected)
{
    const reap_device *combined = NULL, *found = NULL;
    reap_device_info info = {.name = ""};
    CHECK_STATUS(reap_device_combine(devices, speeds, count, &combined), REAP_OK);
    CHECK_STATUS(reap_device_get_info(combined, &info), REAP_OK);
    if (expected != NULL)
        CHECK_STR(info.name, expected);
    CHECK_STATUS(reap_device_find(info.name, &found), REAP_OK);
    CHECK(found == combined);
}

/* The name of a combined device finds that device, whatever its speeds. */
static void find_by_names(void)
{
    static const struct {
        double speed;
        const char *name;
    } speeds[] = {
        {1, "host*1"},           {20, "host*20"},
        {0.1, "host*0.1"},       {0.1 + 0.2, "host*0.30000000000000004"},
        {12.5, "host*12.5"},     {2e-5, "host*0.00002"},
        {2e-6, "host*2e-6"},     {1.25e300, "host*1.25e300"},
        {5e-324, "host*5e-324"}, {123456789012345, "host*123456789012345"},
        {1e15, "host*1e15"},     {0x1.fffffffffffffp1023, "host*1.7976931348623157e308"},
    };
    static const char *const others[] = {"host*.5", "host*0.50", "host*5e-1", "host*0005.e-1"};
    const double none_of_second[] = {3, -0.0}, half = 0.5;
    const reap_device *combined = NULL, *found = NULL;
    for (size_t s = 0; s < sizeof speeds / sizeof *speeds; s++)
        find_again(&speeds[s].speed, 1, speeds[s].name);
    find_again(NULL, 1, "host*1");
    find_again(NULL, device_count, device_count > 1 ? NULL : "host*1");
    for (int round = 0; round < 200; round++) {
        const uint64_t bits = check_random(&state) & INT64_MAX;
        double some[2];
        memcpy(&some[0], &bits, sizeof bits);
        some[1] = (double)(check_random(&state) % 1000) / 100;
        if (some[0] > 0 && some[0] < 1e308)
            find_again(some, device_count > 1 ? 2 : 1, NULL);
    }
    CHECK_STATUS(reap_device_combine(devices, &half, 1, &combined), REAP_OK);
    for (size_t o = 0; o < sizeof others / sizeof *others; o++)
        CHECK(reap_device_find(others[o], &found) == REAP_OK && found == combined);
    if (device_count > 1)
        find_again(none_of_second, 2, NULL);
}

/* In a locale whose numbers have a comma, too, where there is one. */
static void find_in_locales(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
    find_by_names();
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        if (setlocale(LC_NUMERIC, names[n]) != NULL) {
            find_by_names();
            break;
        }
    setlocale(LC_NUMERIC, "C");
}

/* ---- What is refused --------------------------------------------------------------------------*/

static void refuse_devices(void)
{
    const reap_device *combined = NULL, *found = NULL, *twice[2] = {devices[0], devices[0]};
    const double wrong[][1] = {{-1}, {0}, {1e308 * 10}, {0.0 / 1e-300 - 1}};
    CHECK_STATUS(reap_device_combine(NULL, NULL, 1, &combined), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_device_combine(devices, NULL, 1, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_device_combine(devices, NULL, 0, &combined), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_device_combine(devices, NULL, 17, &combined), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_device_combine(twice, NULL, 2, &combined), REAP_ERROR_INVALID_ARGUMENT);
    CHECK(says("device 'host' is given twice"));
    for (size_t w = 0; w < 4; w++)
        CHECK_STATUS(reap_device_combine(devices, wrong[w], 1, &combined),
                     REAP_ERROR_INVALID_ARGUMENT);
    CHECK(combined == NULL);
    CHECK_STATUS(reap_device_combine(devices, NULL, device_count, &combined), REAP_OK);
    CHECK_STATUS(reap_device_combine(devices, NULL, device_count, &found), REAP_OK);
    CHECK(found == combined);
    CHECK_STATUS(reap_device_combine(&combined, NULL, 1, &found), REAP_ERROR_INVALID_ARGUMENT);
    CHECK(says("is a combined device itself"));
}

static void refuse_names(void)
{
    static const struct {
        const char *name, *message;
    } wrong[] = {
        {"host+", "which is not a device"},      {"+host", "which is not a device"},
        {"host+host", "names a device twice"},   {"host+nothing:7", "'nothing:7'"},
        {"host*x", "'x' is not a number"},       {"host*", "'' is not a number"},
        {"host*-1", "'-1' is not a number"},     {"host*0", "is 0: it must be finite and more"},
        {"host*1e400", "is inf: it must be"},    {"host*1e+3", "'1e' is not a number"},
        {"host*.", "'.' is not a number"},       {"host*1.5.", "'1.5.' is not a number"},
        {"host*e3", "'e3' is not a number"},     {"host*1e99999", "is not a number"},
        {"host*0x10", "'0x10' is not a number"}, {"host*nan", "'nan' is not a number"},
        {"host*1,5", "'1,5' is not a number"},   {"host* 2", "' 2' is not a number"},
    };
    const reap_device *device = NULL;
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        CHECK_STATUS(reap_device_find(wrong[w].name, &device), REAP_ERROR_NO_DEVICE);
        if (!CHECK(says(wrong[w].message)))
            fprintf(stderr, "  %s: %s\n", wrong[w].name, reap_last_error());
    }
    CHECK(device == NULL);
    CHECK_STATUS(reap_device_find("host*3", &device), REAP_OK);
    reap_device_info info;
    CHECK_STATUS(reap_device_get_info(device, &info), REAP_OK);
    CHECK_STR(info.backend, "combined");
}

static void refuse_arrays(void)
{
    static const struct {
        const char *divided, *message;
    } wrong[] = {
        {"x w", "'w', which is not the name of an array"},
        {"x sum", "'sum', which is not the name of an array"},
        {"x y x", "'x', which is there twice"},
        {"x*0", "has no number from 1 to 1048576 after '*'"},
        {"x*", "has no number"},
        {"x*2x", "has no number"},
        {"x*1048577", "has no number"},
    };
    float y[4];
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        CHECK_STATUS(reap_parallel_for(host, combined_plain, reap_range_1d(4), .x = x, .y = y,
                                       .launch.divided = wrong[w].divided),
                     REAP_ERROR_INVALID_ARGUMENT);
        if (!CHECK(says(wrong[w].message)))
            fprintf(stderr, "  %s: %s\n", wrong[w].divided, reap_last_error());
    }
    CHECK_STATUS(reap_parallel_for(host, combined_plain, reap_range_1d(4), .x = x, .y = y,
                                   .launch.divided = ""),
                 REAP_OK);
}

/* Variables are as they were, wherever the launch fails. */
static void fail_in_a_share(void)
{
    reap_buffer *buffer;
    reap_queue *queue;
    uint32_t *index, counts[KEYS] = {5}, sum = 7;
    void *data;
    CHECK_STATUS(reap_buffer_create(MOST * sizeof *index, &buffer), REAP_OK);
    CHECK_STATUS(reap_host_access_begin(buffer, REAP_WRITE, &data), REAP_OK);
    index = data;
    for (size_t i = 0; i < MOST; i++)
        index[i] = (uint32_t)(i % KEYS);
    index[check_random(&state) % MOST] = KEYS + 2;
    CHECK_STATUS(reap_host_access_end(buffer), REAP_OK);
    CHECK_STATUS(reap_queue_create(combine_some(), NULL, &queue), REAP_OK);
    reap_status status =
        reap_parallel_for(queue, combined_index, reap_range_1d(MOST), .index = index, .sum = &sum,
                          .counts = {.variable = counts, .count = KEYS}, .launch.divided = "index");
    const reap_status waited = reap_queue_wait(queue);
    CHECK(status == REAP_ERROR_INDEX_OUT_OF_RANGE || waited == REAP_ERROR_INDEX_OUT_OF_RANGE);
    CHECK(says("index 63 is outside span 'counts', which has 61 elements"));
    CHECK(sum == 7 && counts[0] == 5 && counts[1] == 0);
    reap_queue_release(queue);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
}

/* A divided array's buffer must have the elements of all items. */
static void refuse_short_buffers(void)
{
    struct arrays arrays;
    reap_queue *queue;
    const reap_device *combined;
    const double speeds[] = {1, 1};
    if (device_count < 2)
        return;
    open_arrays(&arrays, x, table, 10000);
    CHECK_STATUS(reap_device_combine(devices, speeds, 2, &combined), REAP_OK);
    CHECK_STATUS(reap_queue_create(combined, NULL, &queue), REAP_OK);
    CHECK_STATUS(reap_parallel_for(queue, combined_plain, reap_range_1d(10000), .x = arrays.x,
                                   .y = arrays.y, .launch.divided = "x*2 y"),
                 REAP_ERROR_INVALID_ARGUMENT);
    CHECK(says("argument 'x' has elements for 5000 work-items"));
    reap_queue_wait(queue);
    reap_queue_release(queue);
    close_arrays(&arrays);
}

/* Where one device cannot reach an array, the others do not run either. */
static void refuse_memory(void)
{
    static float y[10000];
    const double speeds[] = {1, 1};
    const reap_device *combined;
    reap_queue *queue;
    void *shared = NULL;
    if (device_count < 2)
        return;
    CHECK_STATUS(reap_device_combine(devices, speeds, 2, &combined), REAP_OK);
    CHECK_STATUS(reap_queue_create(combined, NULL, &queue), REAP_OK);
    for (size_t i = 0; i < 10000; i++)
        y[i] = 5;
    CHECK_STATUS(reap_parallel_for(queue, combined_plain, reap_range_1d(10000), .x = x, .y = y,
                                   .launch.divided = "x y"),
                 REAP_ERROR_INVALID_ARGUMENT);
    CHECK(says("memory of the host that device"));
    CHECK(y[0] == 5 && y[9999] == 5);
    reap_queue_wait(queue);
    /* Shared memory of a device that copies it would stay there when the queue is waited for. */
    CHECK_STATUS(reap_malloc_shared(devices[1], sizeof y, &shared), REAP_OK);
    memset(shared, 0, sizeof y);
    const reap_status other = reap_parallel_for(
        queue, combined_2d, reap_range_2d(100, 100), .x = shared, .sum = &(float){0},
        .most = {.variable = &(float){0}, .location = &(uint64_t){0}});
    CHECK(other == REAP_OK ||
          (other == REAP_ERROR_INVALID_ARGUMENT && says("which combined devices cannot use")));
    reap_queue_wait(queue);
    reap_free(shared);
    reap_queue_release(queue);
}

int main(void)
{
    state = check_seed();
    find_devices();
    CHECK_STATUS(reap_queue_create(devices[0], NULL, &host), REAP_OK);
    make_inputs();
    refuse_devices();
    refuse_names();
    find_in_locales();
    refuse_arrays();
    for (size_t round = 0; round < ROUNDS; round++) {
        const size_t items = 1 + check_random(&state) % (round % 2 == 0 ? MOST : 20000);
        if (round % 3 == 0)
            run_steps(items);
        read_elsewhere(items);
        if (round % 4 == 0)
            share_buffers(items);
        run_unlike_leaves(items);
        run_2d(1 + check_random(&state) % 300, 1 + check_random(&state) % 600);
        run_rows(1 + check_random(&state) % 300, 1 + check_random(&state) % 600);
        run_groups(round % 4 != 3);
        run_into_parts(items);
        fail_in_a_share();
    }
    refuse_short_buffers();
    refuse_memory();
    use_memory();
    prefetch_elsewhere();
    time_copies();
    reduce_segments();
    launch_from_threads();
    printf("devices: %zu\n", device_count);
    free(x);
    reap_queue_release(host);
    return check_finish();
}
