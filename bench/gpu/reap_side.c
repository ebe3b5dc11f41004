/* SPDX-License-Identifier: Apache-2.0
 *
 * Reap's side, as a user writes it.
 */
#include "bench/gpu/side.h"

#include "bench/gpu/gpu.kernels.h"
#include "examples/07_kmeans.kernels.h"

#include <reap/algorithms.h>
#include <reap/reap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VARIABLE_BYTES = 64, VARIABLES = 4 };

static reap_queue *queue, *host_queue;
static reap_buffer *input, *variables[VARIABLES], *place, *bins, *elements;
static const void *loaded;

/* Where a task's results go: buffers' memory, or plain variables. */
struct targets {
    void *variables[VARIABLES];
    uint64_t *place;
    uint32_t *bins;
    void *elements;
};

void gpu_fail(const char *side, const char *what)
{
    fprintf(stderr, "reap-bench-gpu: %s: %s\n", side, what);
    exit(1);
}

static void check(reap_status status)
{
    if (status != REAP_OK)
        gpu_fail("Reap", reap_last_error());
}

static const reap_device *find_device(void)
{
    const reap_device *const *devices, *chosen = NULL;
    reap_device_info info;
    size_t count;
    if (getenv("REAP_DEVICE") != NULL) {
        check(reap_device_default(&chosen));
        return chosen;
    }
    check(reap_device_list(&devices, &count));
    for (size_t d = 0; d < count && chosen == NULL; d++) {
        check(reap_device_get_info(devices[d], &info));
        if (strcmp(info.backend, "cuda") == 0)
            chosen = devices[d];
    }
    if (chosen == NULL)
        gpu_fail("Reap", "CUDA has no device; 'reap devices' prints the reason");
    return chosen;
}

static const reap_device *find_host(void)
{
    const reap_device *const *devices;
    reap_device_info info;
    size_t count;
    check(reap_device_list(&devices, &count));
    for (size_t d = 0; d < count; d++) {
        check(reap_device_get_info(devices[d], &info));
        if (strcmp(info.backend, "host") == 0)
            return devices[d];
    }
    gpu_fail("Reap", "the host is hidden");
    return NULL;
}

void gpu_reap_open(void)
{
    check(reap_queue_create(find_device(), NULL, &queue));
    check(reap_queue_create(find_host(), NULL, &host_queue));
    for (int v = 0; v < VARIABLES; v++)
        check(reap_buffer_create(VARIABLE_BYTES, &variables[v]));
    check(reap_buffer_create(sizeof(uint64_t), &place));
    check(reap_buffer_create(GPU_MOST_BINS * sizeof(uint32_t), &bins));
    check(reap_buffer_create(GPU_MOST_KEYS * sizeof(double), &elements));
}

const char *gpu_reap_device(void)
{
    static char line[256];
    reap_device_info info;
    check(reap_device_get_info(reap_queue_device(queue), &info));
    snprintf(line, sizeof line, "Reap %s on %s (%s, %s)", reap_version(), info.description,
             info.name, info.instruction_set);
    return line;
}

void gpu_reap_describe(struct gpu_machine *machine)
{
    reap_device_info info;
    check(reap_device_get_info(reap_queue_device(queue), &info));
    *machine = (struct gpu_machine){.version = reap_version(),
                                    .name = info.name,
                                    .description = info.description,
                                    .instruction_set = info.instruction_set,
                                    .units = (double)info.compute_units,
                                    .memory_bytes = (double)info.global_memory_bytes};
}

void gpu_reap_load(const void *host, size_t bytes)
{
    check(reap_buffer_wrap(host, bytes, &input));
    loaded = host;
}

void gpu_reap_unload(void)
{
    check(reap_buffer_release(input));
    input = NULL;
}

static reap_status launch_sums(reap_queue *on, const struct gpu_task *task,
                               const struct targets *to)
{
    const reap_range range = reap_range_1d(task->count);
    const float *x = loaded;
    if (task->work == GPU_SUM_FLOAT)
        return reap_parallel_for(
            on, sum_float, range, .x = x,
            .sum = {.variable = to->variables[0], .properties = REAP_INITIALIZE_TO_IDENTITY});
    if (task->work == GPU_SUM_DOUBLE)
        return reap_parallel_for(
            on, sum_double, range, .x = loaded,
            .sum = {.variable = to->variables[0], .properties = REAP_INITIALIZE_TO_IDENTITY});
    if (task->work == GPU_EXACT_FLOAT)
        return reap_parallel_for(
            on, exact_sum_float, range, .x = x,
            .sum = {.variable = to->variables[0], .properties = REAP_INITIALIZE_TO_IDENTITY});
    if (task->work == GPU_EXACT_DOUBLE)
        return reap_parallel_for(
            on, exact_sum_double, range, .x = loaded,
            .sum = {.variable = to->variables[0], .properties = REAP_INITIALIZE_TO_IDENTITY});
    if (task->work == GPU_SUM_INT)
        return reap_parallel_for(
            on, sum_int, range, .x = loaded,
            .sum = {.variable = to->variables[0], .properties = REAP_INITIALIZE_TO_IDENTITY});
    return reap_parallel_for(
        on, dot, range, .x = x, .y = x + task->count,
        .sum = {.variable = to->variables[0], .properties = REAP_INITIALIZE_TO_IDENTITY});
}

static reap_status launch_histogram(reap_queue *on, const struct gpu_task *task,
                                    const struct targets *to)
{
    const reap_range range = reap_range_1d(task->count);
    if (task->work == GPU_HISTOGRAM_8)
        return reap_parallel_for(on, histogram_8, range, .x = loaded,
                                 .bins = {.variable = to->bins,
                                          .count = task->bins,
                                          .properties = REAP_INITIALIZE_TO_IDENTITY});
    if (task->work == GPU_HISTOGRAM_16)
        return reap_parallel_for(on, histogram_16, range, .x = loaded,
                                 .bins = {.variable = to->bins,
                                          .count = task->bins,
                                          .properties = REAP_INITIALIZE_TO_IDENTITY});
    return reap_parallel_for(on, histogram_32, range, .x = loaded,
                             .bins = {.variable = to->bins,
                                      .count = task->bins,
                                      .properties = REAP_INITIALIZE_TO_IDENTITY});
}

static reap_status launch_other(reap_queue *on, const struct gpu_task *task,
                                const struct targets *to)
{
    const reap_range range = reap_range_1d(task->count);
    const unsigned fresh = REAP_INITIALIZE_TO_IDENTITY;
    if (task->work == GPU_ARGMAX)
        return reap_parallel_for(
            on, argmax, range, .x = loaded,
            .most = {.variable = to->variables[0], .location = to->place, .properties = fresh});
    return reap_parallel_for(on, four, range, .x = loaded,
                             .sum = {.variable = to->variables[0], .properties = fresh},
                             .most = {.variable = to->variables[1], .properties = fresh},
                             .least = {.variable = to->variables[2], .properties = fresh},
                             .squares = {.variable = to->variables[3], .properties = fresh});
}

static reap_status launch_keys(reap_queue *on, const struct gpu_task *task,
                               const struct targets *to)
{
    const reap_range range = reap_range_1d(task->count);
    const uint32_t mask = (uint32_t)task->bins - 1;
    const unsigned fresh = REAP_INITIALIZE_TO_IDENTITY;
    if (task->work == GPU_KEYS_INT)
        return reap_parallel_for(
            on, keys_int, range, .x = loaded, .mask = mask,
            .elements = {.variable = to->elements, .count = task->bins, .properties = fresh});
    if (task->work == GPU_KEYS_FLOAT)
        return reap_parallel_for(
            on, keys_float, range, .x = loaded, .mask = mask,
            .elements = {.variable = to->elements, .count = task->bins, .properties = fresh});
    if (task->work == GPU_KEYS_ORDERED)
        return reap_parallel_for(
            on, keys_ordered, range, .x = loaded, .mask = mask,
            .elements = {.variable = to->elements, .count = task->bins, .properties = fresh});
    return reap_parallel_for(
        on, keys_double, range, .x = loaded, .mask = mask,
        .elements = {.variable = to->elements, .count = task->bins, .properties = fresh});
}

/* Begins of segments, and the end of the last one. */
static int32_t *offsets;
static reap_buffer *offsets_buffer;
static reap_buffer *results;
static size_t results_bytes;

static void run_algorithm(reap_queue *on, const struct gpu_task *task, void *to)
{
    const float *x = loaded;
    if (task->work == GPU_SCAN_FLOAT)
        check(reap_inclusive_scan(on, REAP_SCAN_SUM, x, task->count, (float *)to));
    else if (task->work == GPU_SCAN_DOUBLE)
        check(reap_inclusive_scan(on, REAP_SCAN_SUM, (const double *)loaded, task->count,
                                  (double *)to));
    else if (task->work == GPU_SCAN_INT)
        check(reap_inclusive_scan(on, REAP_SCAN_SUM, (const int32_t *)loaded, task->count,
                                  (int32_t *)to));
    else
        check(reap_segmented_reduce(on, REAP_SUM, x, task->count, offsets, task->count / task->bins,
                                    (float *)to));
}

static void *find_results(const struct gpu_task *task)
{
    const size_t count = gpu_results(task->work, task->count, task->bins);
    const size_t bytes = count * gpu_result_bytes(task->work);
    if (bytes != results_bytes) {
        check(reap_buffer_release(results));
        check(reap_buffer_create(bytes, &results));
        results_bytes = bytes;
        check(reap_buffer_release(offsets_buffer));
        free(offsets);
        offsets = malloc((count + 1) * sizeof *offsets);
        if (offsets == NULL)
            gpu_fail("Reap", "not enough memory");
        for (size_t s = 0; s <= count; s++)
            offsets[s] = (int32_t)(s * task->bins);
        check(reap_buffer_wrap(offsets, (count + 1) * sizeof *offsets, &offsets_buffer));
    }
    return reap_buffer_data(results);
}

static double last_of(const struct gpu_task *task, const void *all, size_t count)
{
    if (task->work == GPU_SCAN_DOUBLE)
        return ((const double *)all)[count - 1];
    if (task->work == GPU_SCAN_INT)
        return ((const int32_t *)all)[count - 1];
    return (double)((const float *)all)[count - 1];
}

static void take_results(const struct gpu_task *task, const void *all, struct gpu_result *result)
{
    const size_t count = gpu_results(task->work, task->count, task->bins);
    const size_t bytes = count * gpu_result_bytes(task->work);
    result->numbers[0] = last_of(task, all, count);
    result->place = gpu_fingerprint(all, bytes / sizeof(uint32_t));
}

static void algorithm_result(const struct gpu_task *task, struct gpu_result *result)
{
    void *data;
    check(reap_host_access_begin(results, REAP_READ, &data));
    take_results(task, data, result);
    check(reap_host_access_end(results));
}

static void algorithm_host_result(const struct gpu_task *task, struct gpu_result *result)
{
    void *to = malloc(results_bytes);
    if (to == NULL)
        gpu_fail("Reap", "not enough memory");
    run_algorithm(host_queue, task, to);
    take_results(task, to, result);
    free(to);
}

static void launch(reap_queue *on, const struct gpu_task *task, const struct targets *to)
{
    switch (task->work) {
    case GPU_SUM_FLOAT:
    case GPU_SUM_DOUBLE:
    case GPU_SUM_INT:
    case GPU_EXACT_FLOAT:
    case GPU_EXACT_DOUBLE:
    case GPU_DOT:
        check(launch_sums(on, task, to));
        break;
    case GPU_HISTOGRAM_8:
    case GPU_HISTOGRAM_16:
    case GPU_HISTOGRAM_32:
        check(launch_histogram(on, task, to));
        break;
    case GPU_KEYS_INT:
    case GPU_KEYS_FLOAT:
    case GPU_KEYS_DOUBLE:
    case GPU_KEYS_ORDERED:
        check(launch_keys(on, task, to));
        break;
    case GPU_ARGMAX:
    case GPU_FOUR:
        check(launch_other(on, task, to));
        break;
    default:
        break;
    }
}

void gpu_reap_run(const struct gpu_task *task, long times)
{
    struct targets to = {.place = reap_buffer_data(place),
                         .bins = reap_buffer_data(bins),
                         .elements = reap_buffer_data(elements)};
    for (int v = 0; v < VARIABLES; v++)
        to.variables[v] = reap_buffer_data(variables[v]);
    if (gpu_results(task->work, task->count, task->bins) > 0) {
        void *y = find_results(task);
        for (long t = 0; t < times; t++)
            run_algorithm(queue, task, y);
        return;
    }
    for (long t = 0; t < times; t++)
        launch(queue, task, &to);
    check(reap_queue_wait(queue));
}

void gpu_reap_run_plain(const struct gpu_task *task, long times)
{
    struct gpu_task plain = *task;
    plain.work = task->work == GPU_EXACT_DOUBLE ? GPU_SUM_DOUBLE : GPU_SUM_FLOAT;
    gpu_reap_run(&plain, times);
}

/* A variable's value, whatever its type. */
static double number(enum gpu_work work, const void *variable)
{
    if (work == GPU_SUM_DOUBLE || work == GPU_EXACT_DOUBLE)
        return *(const double *)variable;
    if (work == GPU_SUM_INT)
        return *(const int *)variable;
    return (double)*(const float *)variable;
}

static void summarise(const struct gpu_task *task, const void *data, struct gpu_result *result)
{
    const uint32_t *words = data;
    const size_t words_of_element = task->work == GPU_KEYS_DOUBLE ? 2 : 1;
    result->place = gpu_fingerprint(words, task->bins * words_of_element);
    result->numbers[0] = 0;
    for (size_t e = 0; e < task->bins; e++)
        result->numbers[0] += task->work == GPU_KEYS_INT      ? (double)words[e]
                              : task->work == GPU_KEYS_DOUBLE ? ((const double *)data)[e]
                                                              : (double)((const float *)data)[e];
}

static void keys_result(const struct gpu_task *task, struct gpu_result *result)
{
    void *data;
    check(reap_host_access_begin(elements, REAP_READ, &data));
    summarise(task, data, result);
    check(reap_host_access_end(elements));
}

void gpu_reap_result(const struct gpu_task *task, struct gpu_result *result)
{
    void *data;
    gpu_reap_run(task, 1);
    if (gpu_has_keys(task->work)) {
        keys_result(task, result);
        return;
    }
    if (gpu_results(task->work, task->count, task->bins) > 0) {
        algorithm_result(task, result);
        return;
    }
    for (int v = 0; v < (task->work == GPU_FOUR ? VARIABLES : 1); v++) {
        check(reap_host_access_begin(variables[v], REAP_READ, &data));
        result->numbers[v] = number(task->work, data);
        check(reap_host_access_end(variables[v]));
    }
    check(reap_host_access_begin(place, REAP_READ, &data));
    result->place = *(const uint64_t *)data;
    check(reap_host_access_end(place));
    check(reap_host_access_begin(bins, REAP_READ, &data));
    memcpy(result->bins, data, task->bins * sizeof *result->bins);
    check(reap_host_access_end(bins));
}

void gpu_reap_host_result(const struct gpu_task *task, struct gpu_result *result)
{
    double room[VARIABLES] = {0};
    struct targets to = {.place = &result->place, .bins = result->bins};
    if (gpu_results(task->work, task->count, task->bins) > 0) {
        algorithm_host_result(task, result);
        return;
    }
    for (int v = 0; v < VARIABLES; v++)
        to.variables[v] = &room[v];
    to.elements = gpu_has_keys(task->work) ? malloc(task->bins * sizeof(double)) : NULL;
    if (gpu_has_keys(task->work) && to.elements == NULL)
        gpu_fail("Reap", "not enough memory");
    launch(host_queue, task, &to);
    check(reap_queue_wait(host_queue));
    if (gpu_has_keys(task->work))
        summarise(task, to.elements, result);
    free(to.elements);
    if (gpu_has_keys(task->work))
        return;
    for (int v = 0; v < VARIABLES; v++)
        result->numbers[v] = number(task->work, &room[v]);
}

/* ---- k-means ----------------------------------------------------------------------------------*/

/* Where a step's results go: buffers' memory, or plain variables. */
struct step_targets {
    const float *centres;
    unsigned char *nearest;
    double *inertia;
    float *sums;
    uint32_t *sizes;
};

/* Sums, and after them sizes. */
enum { STEP_WORDS = GPU_CENTRES + GPU_CLUSTERS };

static void launch_step(reap_queue *on, size_t count, const struct step_targets *to)
{
    check(reap_parallel_for(on, assign, reap_range_1d((count + BLOCK - 1) / BLOCK),
                            .points = loaded, .count = count, .centres = to->centres,
                            .nearest = to->nearest, .inertia = {.result = to->inertia}));
    check(reap_parallel_for(on, add_up, reap_range_1d(count), .points = loaded, .count = count,
                            .nearest = to->nearest,
                            .sums = {.result = to->sums, .count = GPU_CENTRES},
                            .sizes = {.result = to->sizes, .count = GPU_CLUSTERS}));
}

/* The first variable is the inertia; the elements are the sums, the bins the sizes. */
static struct step_targets find_step_targets(size_t count)
{
    static reap_buffer *centres, *nearest;
    if (centres == NULL) {
        void *data;
        check(reap_buffer_create(GPU_CENTRES * sizeof(float), &centres));
        check(reap_buffer_create(count, &nearest));
        check(reap_host_access_begin(centres, REAP_WRITE, &data));
        for (uint32_t v = 0; v < GPU_CENTRES; v++)
            ((float *)data)[v] = gpu_centre(v);
        check(reap_host_access_end(centres));
    }
    return (struct step_targets){.centres = reap_buffer_data(centres),
                                 .nearest = reap_buffer_data(nearest),
                                 .inertia = reap_buffer_data(variables[0]),
                                 .sums = reap_buffer_data(elements),
                                 .sizes = reap_buffer_data(bins)};
}

void gpu_reap_run_kmeans(const struct gpu_task *task, long times)
{
    const struct step_targets to = find_step_targets(task->count);
    for (long t = 0; t < times; t++)
        launch_step(queue, task->count, &to);
    check(reap_queue_wait(queue));
}

static void copy_from(reap_buffer *buffer, void *to, size_t bytes)
{
    void *data;
    check(reap_host_access_begin(buffer, REAP_READ, &data));
    memcpy(to, data, bytes);
    check(reap_host_access_end(buffer));
}

void gpu_reap_kmeans_result(const struct gpu_task *task, struct gpu_result *result)
{
    uint32_t words[STEP_WORDS];
    gpu_reap_run_kmeans(task, 1);
    copy_from(variables[0], result->numbers, sizeof(double));
    copy_from(elements, words, GPU_CENTRES * sizeof *words);
    copy_from(bins, words + GPU_CENTRES, GPU_CLUSTERS * sizeof *words);
    result->place = gpu_fingerprint(words, STEP_WORDS);
}

void gpu_reap_host_kmeans_result(const struct gpu_task *task, struct gpu_result *result)
{
    float centres[GPU_CENTRES], sums[GPU_CENTRES];
    uint32_t words[STEP_WORDS];
    const struct step_targets to = {.centres = centres,
                                    .nearest = malloc(task->count),
                                    .inertia = result->numbers,
                                    .sums = sums,
                                    .sizes = words + GPU_CENTRES};
    if (to.nearest == NULL)
        gpu_fail("Reap", "not enough memory");
    for (uint32_t v = 0; v < GPU_CENTRES; v++)
        centres[v] = gpu_centre(v);
    launch_step(host_queue, task->count, &to);
    check(reap_queue_wait(host_queue));
    memcpy(words, sums, sizeof sums);
    result->place = gpu_fingerprint(words, STEP_WORDS);
    free(to.nearest);
}

/* ---- To a value -------------------------------------------------------------------------------*/

static double sum_to_value(const struct gpu_task *task)
{
    double sum = 0;
    check(reap_parallel_for(queue, sum_double, reap_range_1d(task->count), .x = loaded,
                            .sum = {.variable = &sum}));
    check(reap_queue_wait(queue));
    return sum;
}

void gpu_reap_run_to_value(const struct gpu_task *task, long times)
{
    for (long t = 0; t < times; t++)
        sum_to_value(task);
}

void gpu_reap_value_result(const struct gpu_task *task, struct gpu_result *result)
{
    result->numbers[0] = sum_to_value(task);
}

/* ---- A chain ----------------------------------------------------------------------------------*/

void gpu_reap_run_chain(const struct gpu_task *task, long times)
{
    uint32_t *x = reap_buffer_data(bins);
    (void)task;
    for (long t = 0; t < times; t++)
        check(reap_parallel_for(queue, step_series, reap_range_1d(1), .x = x));
    check(reap_queue_wait(queue));
}

uint32_t gpu_reap_chain_result(long times)
{
    void *data;
    check(reap_fill(queue, reap_buffer_data(bins), &(uint32_t){1}, sizeof(uint32_t), 1, NULL));
    gpu_reap_run_chain(NULL, times);
    check(reap_host_access_begin(bins, REAP_READ, &data));
    const uint32_t x = *(const uint32_t *)data;
    check(reap_host_access_end(bins));
    return x;
}
