/* SPDX-License-Identifier: Apache-2.0
 *
 * Inputs are drawn by number, so that they are the same on every machine. Sums of floats that are
 * all positive are compared with the sum in double precision.
 */
#include "bench/gpu/reference.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HOT = 77 };

/* SplitMix64 (Steele, Lea and Flood 2014). */
static uint64_t draw(uint64_t number)
{
    uint64_t mixed = (number + 1) * 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return mixed ^ mixed >> 31;
}

size_t gpu_element_bytes(enum gpu_input input)
{
    switch (input) {
    case GPU_DOUBLES:
        return 8;
    case GPU_UNIFORM_8:
    case GPU_HOT_8:
        return 1;
    case GPU_UNIFORM_16:
    case GPU_HOT_16:
        return 2;
    default:
        return 4;
    }
}

static void fill_numbers(enum gpu_input input, void *memory, size_t count)
{
    if (input == GPU_FLOATS)
        for (size_t i = 0; i < count; i++)
            ((float *)memory)[i] = (float)(draw(i) >> 40) * 0x1p-24f;
    else if (input == GPU_DOUBLES)
        for (size_t i = 0; i < count; i++)
            ((double *)memory)[i] = (double)(draw(i) >> 11) * 0x1p-53;
    else
        for (size_t i = 0; i < count; i++)
            ((uint32_t *)memory)[i] = (uint32_t)draw(i);
}

void gpu_fill(enum gpu_input input, void *memory, size_t count)
{
    switch (input) {
    case GPU_FLOATS:
    case GPU_DOUBLES:
    case GPU_INTS:
        fill_numbers(input, memory, count);
        break;
    case GPU_NUMBERS_32:
    case GPU_ONE_KEY_32:
        for (size_t i = 0; i < count; i++)
            ((uint32_t *)memory)[i] = input == GPU_NUMBERS_32
                                          ? (uint32_t)draw(i)
                                          : ((uint32_t)draw(i) & 0xfff00000u) | HOT;
        break;
    case GPU_UNIFORM_8:
    case GPU_HOT_8:
        for (size_t i = 0; i < count; i++)
            ((uint8_t *)memory)[i] = input == GPU_HOT_8 ? HOT : (uint8_t)draw(i);
        break;
    case GPU_UNIFORM_16:
    case GPU_HOT_16:
        for (size_t i = 0; i < count; i++)
            ((uint16_t *)memory)[i] = input == GPU_HOT_16 ? HOT : (uint16_t)(draw(i) % 8192);
        break;
    case GPU_UNIFORM_32:
    case GPU_WIDE_32:
    case GPU_HOT_32:
        for (size_t i = 0; i < count; i++)
            ((uint32_t *)memory)[i] =
                input == GPU_HOT_32 ? HOT
                                    : (uint32_t)(draw(i) % (input == GPU_WIDE_32 ? 8192 : 256));
        break;
    }
}

static double sum_of_floats(const float *x, const float *y, size_t count)
{
    double sums[4] = {0};
    for (size_t i = 0; i < count; i++)
        sums[i % 4] += y != NULL ? (double)(x[i] * y[i]) : (double)x[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

static double sum_of_doubles(const double *x, size_t count)
{
    double sums[4] = {0};
    for (size_t i = 0; i < count; i++)
        sums[i % 4] += x[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

static double sum_of_ints(const uint32_t *x, size_t count)
{
    uint32_t sum = 0;
    int32_t value;
    for (size_t i = 0; i < count; i++)
        sum += x[i];
    memcpy(&value, &sum, sizeof value);
    return value;
}

static void find_largest(const float *x, size_t count, struct gpu_result *result)
{
    size_t place = 0;
    for (size_t i = 1; i < count; i++)
        if (x[i] > x[place])
            place = i;
    result->numbers[0] = (double)x[place];
    result->place = place;
}

static void count_bins(const struct gpu_task *task, const void *memory, struct gpu_result *result)
{
    memset(result->bins, 0, sizeof result->bins);
    for (size_t i = 0; i < task->count; i++)
        result->bins[task->work == GPU_HISTOGRAM_8    ? ((const uint8_t *)memory)[i]
                     : task->work == GPU_HISTOGRAM_16 ? ((const uint16_t *)memory)[i]
                                                      : ((const uint32_t *)memory)[i]]++;
}

/* Keys are the lower bits of the input's words. */
static void count_keys(const struct gpu_task *task, const uint32_t *x, struct gpu_result *result)
{
    static uint32_t counts[1 << 20];
    memset(counts, 0, task->bins * sizeof *counts);
    for (size_t i = 0; i < task->count; i++)
        counts[x[i] & (task->bins - 1)]++;
    result->numbers[0] = (double)task->count;
    result->place = gpu_fingerprint(counts, task->bins);
}

static void add_weights(const struct gpu_task *task, const uint32_t *x, struct gpu_result *result)
{
    result->numbers[0] = 0;
    for (size_t i = 0; i < task->count; i++)
        result->numbers[0] += (x[i] >> 8) * 0x1p-24;
}

/* The last result, and the fingerprint of all. */
static void scan_ints(const uint32_t *x, size_t count, struct gpu_result *result)
{
    uint64_t hash = gpu_fingerprint(NULL, 0);
    uint32_t sum = 0;
    int32_t value;
    for (size_t i = 0; i < count; i++) {
        sum += x[i];
        hash = gpu_fingerprint_add(hash, sum);
    }
    memcpy(&value, &sum, sizeof value);
    result->numbers[0] = value;
    result->place = hash;
}

static void compute(const struct gpu_task *task, const void *memory, struct gpu_result *result)
{
    switch (task->work) {
    case GPU_SUM_FLOAT:
    case GPU_EXACT_FLOAT:
    case GPU_FOUR:
        result->numbers[0] = sum_of_floats(memory, NULL, task->count);
        break;
    case GPU_SUM_DOUBLE:
    case GPU_EXACT_DOUBLE:
        result->numbers[0] = sum_of_doubles(memory, task->count);
        break;
    case GPU_SUM_INT:
        result->numbers[0] = sum_of_ints(memory, task->count);
        break;
    case GPU_DOT:
        result->numbers[0] =
            sum_of_floats(memory, (const float *)memory + task->count, task->count);
        break;
    case GPU_ARGMAX:
        find_largest(memory, task->count, result);
        break;
    case GPU_HISTOGRAM_8:
    case GPU_HISTOGRAM_16:
    case GPU_HISTOGRAM_32:
        count_bins(task, memory, result);
        break;
    case GPU_KEYS_INT:
        count_keys(task, memory, result);
        break;
    case GPU_KEYS_FLOAT:
    case GPU_KEYS_DOUBLE:
    case GPU_KEYS_ORDERED:
        add_weights(task, memory, result);
        break;
    case GPU_SCAN_FLOAT:
        result->numbers[0] = sum_of_floats(memory, NULL, task->count);
        break;
    case GPU_SCAN_DOUBLE:
        result->numbers[0] = sum_of_doubles(memory, task->count);
        break;
    case GPU_SCAN_INT:
        scan_ints(memory, task->count, result);
        break;
    case GPU_SEGMENTS:
        result->numbers[0] =
            sum_of_floats((const float *)memory + task->count - task->bins, NULL, task->bins);
        break;
    }
}

static double tolerance(enum gpu_work work)
{
    switch (work) {
    case GPU_SUM_FLOAT:
    case GPU_EXACT_FLOAT:
    case GPU_DOT:
    case GPU_FOUR:
    case GPU_SCAN_FLOAT:
    case GPU_SEGMENTS:
        return 1e-5;
    case GPU_KEYS_ORDERED:
    case GPU_KEYS_FLOAT: /* of one key, unordered sums of floats are wrong by so much */
        return 0.1;
    case GPU_SUM_DOUBLE:
    case GPU_EXACT_DOUBLE:
    case GPU_KEYS_DOUBLE:
    case GPU_SCAN_DOUBLE:
        return 1e-12;
    default:
        return 0;
    }
}

/* What has a second number, and bins. */
static bool has_place(const struct gpu_task *task)
{
    return task->work == GPU_ARGMAX || gpu_has_keys(task->work) || task->work >= GPU_SCAN_FLOAT;
}

static bool has_exact_place(const struct gpu_task *task)
{
    return task->work == GPU_ARGMAX || task->work == GPU_KEYS_INT || task->work == GPU_SCAN_INT;
}

static bool has_bins(const struct gpu_task *task)
{
    return task->work >= GPU_HISTOGRAM_8 && task->work <= GPU_HISTOGRAM_32;
}

static bool is_near(const char *name, const char *side, const struct gpu_task *task,
                    const struct gpu_result *result, const struct gpu_result *right)
{
    const double difference = fabs(result->numbers[0] - right->numbers[0]);
    if (difference <= tolerance(task->work) * fabs(right->numbers[0]) &&
        (!has_exact_place(task) || result->place == right->place) &&
        (!has_bins(task) ||
         memcmp(result->bins, right->bins, task->bins * sizeof *right->bins) == 0))
        return true;
    fprintf(stderr, "%s: %s has %.17g at %llu, not %.17g at %llu\n", name, side, result->numbers[0],
            (unsigned long long)result->place, right->numbers[0], (unsigned long long)right->place);
    return false;
}

static bool is_same(const char *name, const struct gpu_task *task, const struct gpu_result *reap,
                    const struct gpu_result *host)
{
    const size_t numbers = task->work == GPU_FOUR ? 4 : has_bins(task) ? 0 : 1;
    if (memcmp(reap->numbers, host->numbers, numbers * sizeof *reap->numbers) == 0 &&
        (!has_place(task) || reap->place == host->place) &&
        (!has_bins(task) || memcmp(reap->bins, host->bins, task->bins * sizeof *reap->bins) == 0))
        return true;
    fprintf(stderr, "%s: Reap has %a at %llu on the device and %a at %llu on the host\n", name,
            reap->numbers[0], (unsigned long long)reap->place, host->numbers[0],
            (unsigned long long)host->place);
    return false;
}

bool gpu_check(const char *name, const struct gpu_task *task, const void *memory)
{
    static struct gpu_result right, reap, host, cub, atomic;
    right = (struct gpu_result){0};
    reap = host = cub = atomic = right;
    compute(task, memory, &right);
    gpu_reap_result(task, &reap);
    gpu_reap_host_result(task, &host);
    gpu_cub_result(task, &cub);
    if (has_bins(task))
        reap.numbers[0] = cub.numbers[0] = right.numbers[0] = 0;
    const bool reap_is_near = is_near(name, "Reap", task, &reap, &right);
    const bool cub_is_near = is_near(name, "CUB", task, &cub, &right);
    bool atomic_is_near = true;
    if (gpu_has_keys(task->work)) {
        gpu_atomic_result(task, &atomic);
        atomic_is_near = is_near(name, "atomicAdd", task, &atomic, &right);
    }
    return is_same(name, task, &reap, &host) && reap_is_near && cub_is_near && atomic_is_near;
}

bool gpu_check_kmeans(const char *name, const struct gpu_task *task)
{
    static struct gpu_result reap, host, atomic, shared;
    gpu_reap_kmeans_result(task, &reap);
    gpu_reap_host_kmeans_result(task, &host);
    gpu_atomic_kmeans_result(task, &atomic);
    gpu_shared_kmeans_result(task, &shared);
    const double inertia = host.numbers[0], bound = 1e-5 * inertia;
    if (reap.numbers[0] == inertia && reap.place == host.place && inertia > 0 &&
        fabs(atomic.numbers[0] - inertia) <= bound && fabs(shared.numbers[0] - inertia) <= bound)
        return true;
    fprintf(stderr,
            "%s: Reap has %a and %llx on the device, %a and %llx on the host; CUDA %a, %a\n", name,
            reap.numbers[0], (unsigned long long)reap.place, inertia,
            (unsigned long long)host.place, atomic.numbers[0], shared.numbers[0]);
    return false;
}
