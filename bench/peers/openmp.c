/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops that people write with OpenMP instead of a Reap kernel. Each compiler and set of flags
 * makes a module of its own. What a compiler lacks (clang 14: halves) is left out.
 */
#include "bench/peers/peer.h"

#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define T float
#define NAME(name) name##_float
#define ROOT sqrtf
#include "bench/peers/openmp_tmpl.h"

#define T double
#define NAME(name) name##_double
#define ROOT sqrt
#include "bench/peers/openmp_tmpl.h"

#define T int
#define NAME(name) name##_int
#define ROOT sqrt
#include "bench/peers/openmp_tmpl.h"

/* ---- Halves: kept as such, added as floats ----------------------------------------------------*/

#ifdef __FLT16_MANT_DIG__
__extension__ typedef _Float16 half;

static void sum_half(const struct bench_task *task, struct bench_result *result)
{
    const half *x = task->x;
    float sum = 0;
#pragma omp parallel for simd reduction(+ : sum) num_threads(task->threads)
    for (size_t i = 0; i < task->count; i++)
        sum += (float)x[i];
    result->values[0] = (double)sum;
}

static void dot_half(const struct bench_task *task, struct bench_result *result)
{
    const half *x = task->x, *y = task->y;
    float sum = 0;
#pragma omp parallel for simd reduction(+ : sum) num_threads(task->threads)
    for (size_t i = 0; i < task->count; i++)
        sum += (float)x[i] * (float)y[i];
    result->values[0] = (double)sum;
}

static void minmax_half(const struct bench_task *task, struct bench_result *result)
{
    const half *x = task->x;
    float least = (float)x[0], most = least;
#pragma omp parallel for simd reduction(min                                                        \
                                        : least) reduction(max                                     \
                                                           : most) num_threads(task->threads)
    for (size_t i = 0; i < task->count; i++) {
        const float v = (float)x[i];
        least = v < least ? v : least;
        most = v > most ? v : most;
    }
    result->values[0] = (double)least;
    result->values[1] = (double)most;
}
#endif

/* ---- bfloat16, the upper half of a float ------------------------------------------------------*/

static inline float wide(uint16_t bits)
{
    const uint32_t word = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static void sum_bfloat16(const struct bench_task *task, struct bench_result *result)
{
    const uint16_t *x = task->x;
    float sum = 0;
#pragma omp parallel for simd reduction(+ : sum) num_threads(task->threads)
    for (size_t i = 0; i < task->count; i++)
        sum += wide(x[i]);
    result->values[0] = (double)sum;
}

/* ---- Others -----------------------------------------------------------------------------------*/

static void histogram(const struct bench_task *task, struct bench_result *result)
{
    const uint32_t *x = task->x;
    uint32_t *bins = result->bins;
    for (size_t b = 0; b < task->extent; b++)
        bins[b] = 0;
#pragma omp parallel for reduction(+ : bins[:task->extent]) num_threads(task->threads)
    for (size_t i = 0; i < task->count; i++)
        bins[x[i]]++;
}

static void by_key_int(const struct bench_task *task, struct bench_result *result)
{
    const uint32_t *keys = task->x, *values = task->y;
    uint32_t *sums = result->bins;
    for (size_t k = 0; k < task->extent; k++)
        sums[k] = 0;
#pragma omp parallel for reduction(+ : sums[:task->extent]) num_threads(task->threads)
    for (size_t i = 0; i < task->count; i++)
        sums[keys[i]] += values[i];
}

static void by_key_float(const struct bench_task *task, struct bench_result *result)
{
    const uint32_t *keys = task->x;
    const float *values = task->y;
    float *sums = (float *)result->bins;
    for (size_t k = 0; k < task->extent; k++)
        sums[k] = 0;
#pragma omp parallel for reduction(+ : sums[:task->extent]) num_threads(task->threads)
    for (size_t i = 0; i < task->count; i++)
        sums[keys[i]] += values[i];
}

/* A step of k-means: points and centres are three arrays after each other. */
static void kmeans(const struct bench_task *task, struct bench_result *result)
{
    enum { CLUSTERS = 64 };
    const size_t count = task->count;
    const float *x = task->x, *y = x + count, *z = y + count;
    float centres[3 * CLUSTERS], sums[3 * CLUSTERS] = {0};
    unsigned sizes[CLUSTERS] = {0};
    double inertia = 0;
    for (uint32_t v = 0; v < 3 * CLUSTERS; v++)
        centres[v] = (float)((v + 1) * 2654435761u >> 16) * 0x1p-15f - 1;
#pragma omp parallel for reduction(+ : inertia, sums[:], sizes[:]) num_threads(task->threads)
    for (size_t i = 0; i < count; i++) {
        float least = INFINITY;
        int nearest = 0;
        for (int c = 0; c < CLUSTERS; c++) {
            const float dx = x[i] - centres[c], dy = y[i] - centres[CLUSTERS + c],
                        dz = z[i] - centres[2 * CLUSTERS + c];
            const float square = dx * dx + dy * dy + dz * dz;
            if (square < least) {
                least = square;
                nearest = c;
            }
        }
        inertia += (double)least;
        sizes[nearest]++;
        sums[nearest] += x[i];
        sums[CLUSTERS + nearest] += y[i];
        sums[2 * CLUSTERS + nearest] += z[i];
    }
    double squares = 0;
    for (int v = 0; v < 3 * CLUSTERS; v++)
        squares +=
            (double)centres[v] * (sizes[v % CLUSTERS] * (double)centres[v] - 2 * (double)sums[v]);
    result->values[0] = inertia / (double)count;
    result->values[1] = squares / (double)count;
}

static void rows(const struct bench_task *task, struct bench_result *result)
{
    const size_t columns = task->extent, count = task->count / columns;
    const float *x = task->x;
    float sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(task->threads)
    for (size_t r = 0; r < count; r++) {
#pragma omp simd reduction(+ : sum)
        for (size_t c = 0; c < columns; c++)
            sum += x[r * columns + c];
    }
    result->values[0] = (double)sum;
}

/* The sums of each row, or of each column (variants 2 and 3), by an array reduction. */
static void lines(const struct bench_task *task, struct bench_result *result)
{
    static float *sums;
    static size_t size;
    const size_t columns = task->extent, rows_count = task->count / columns;
    const bool are_columns = task->variant >= 2;
    const size_t count = are_columns ? columns : rows_count;
    const float *x = task->x;
    if (count > size) {
        free(sums);
        sums = malloc(count * sizeof *sums);
        size = count;
    }
    float *const all = sums;
    if (are_columns) {
        for (size_t c = 0; c < columns; c++)
            all[c] = 0;
#pragma omp parallel for reduction(+ : all[:columns]) num_threads(task->threads)
        for (size_t r = 0; r < rows_count; r++)
            for (size_t c = 0; c < columns; c++)
                all[c] += x[r * columns + c];
    } else {
#pragma omp parallel for num_threads(task->threads)
        for (size_t r = 0; r < rows_count; r++) {
            float sum = 0;
#pragma omp simd reduction(+ : sum)
            for (size_t c = 0; c < columns; c++)
                sum += x[r * columns + c];
            all[r] = sum;
        }
    }
    result->values[0] = (double)all[0];
    result->values[1] = (double)all[count / 2];
    result->values[2] = (double)all[count - 1];
}

static void launch(const struct bench_task *task, struct bench_result *result)
{
    const float *x = task->x;
    float sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(task->threads)
    for (size_t i = 0; i < task->count; i++)
        sum += x[i];
    result->values[0] = (double)sum;
}

static void small(const struct bench_task *task, struct bench_result *result)
{
    double all = 0;
    for (size_t call = 0; call < task->extent; call++) {
        const float *x = (const float *)task->x + call * task->count;
        float sum = 0;
#pragma omp parallel for simd reduction(+ : sum) num_threads(task->threads)
        for (size_t i = 0; i < task->count; i++)
            sum += x[i];
        all += (double)sum;
    }
    result->values[0] = all;
}

/* The loops over a type; what Reap has no kernel for is never asked for. */
#define LOOPS(type, T)                                                                             \
    {"sum", type, sum_##T}, {"dot", type, dot_##T}, {"norm", type, norm_##T},                      \
        {"minmax", type, minmax_##T}, {"argmax", type, argmax_##T},                                \
        {"moments", type, moments_##T}, {"four", type, four_##T}, {"sum-max", type, sum_max_##T},  \
        {"count", type, count_##T},                                                                \
    {                                                                                              \
        "struct", type, bound_##T                                                                  \
    }

static const struct bench_offer offers[] = {
    LOOPS(BENCH_FLOAT, float),
    LOOPS(BENCH_DOUBLE, double),
    LOOPS(BENCH_INT, int),
#ifdef __FLT16_MANT_DIG__
    {"sum", BENCH_HALF, sum_half},
    {"dot", BENCH_HALF, dot_half},
    {"minmax", BENCH_HALF, minmax_half},
#endif
    {"sum", BENCH_BFLOAT16, sum_bfloat16},
    {"histogram", BENCH_UINT32, histogram},
    {"by-key", BENCH_INT, by_key_int},
    {"by-key", BENCH_FLOAT, by_key_float},
    {"kmeans", BENCH_FLOAT, kmeans},
    {"rows", BENCH_FLOAT, rows},
    {"lines", BENCH_FLOAT, lines},
    {"launch", BENCH_FLOAT, launch},
    {"small", BENCH_FLOAT, small},
};

static const struct bench_peer peer = {.version = BENCH_VERSION,
                                       .flags = BENCH_FLAGS,
                                       .offers = offers,
                                       .offer_count = sizeof offers / sizeof *offers};

const struct bench_peer *bench_peer_open(const char **why_not)
{
    (void)why_not;
    return &peer;
}
