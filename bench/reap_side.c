/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of the benchmarks' kernels, as a user writes them. A failure shows as a wrong result,
 * which the row that asked for it reports.
 */
#include "bench/side.h"

#include "bench/bench.kernels.h"

#include <stdatomic.h>

float side_sum_float(reap_queue *queue, const float *x, size_t count)
{
    float sum = 0;
    reap_parallel_for(queue, sum_float, reap_range_1d(count), .x = x, .sum = {.variable = &sum});
    reap_queue_wait(queue);
    return sum;
}

double side_sum_double(reap_queue *queue, const double *x, size_t count)
{
    double sum = 0;
    reap_parallel_for(queue, sum_double, reap_range_1d(count), .x = x, .sum = {.variable = &sum});
    reap_queue_wait(queue);
    return sum;
}

int side_sum_int(reap_queue *queue, const int *x, size_t count)
{
    int sum = 0;
    reap_parallel_for(queue, sum_int, reap_range_1d(count), .x = x, .sum = {.variable = &sum});
    reap_queue_wait(queue);
    return sum;
}

float side_dot(reap_queue *queue, const float *x, const float *y, size_t count)
{
    float sum = 0;
    reap_parallel_for(queue, dot, reap_range_1d(count), .x = x, .y = y, .sum = {.variable = &sum});
    reap_queue_wait(queue);
    return sum;
}

void side_four(reap_queue *queue, const float *x, size_t count, float out[4])
{
    out[0] = out[3] = 0;
    out[1] = out[2] = x[0];
    reap_parallel_for(queue, four, reap_range_1d(count), .x = x, .sum = {.variable = &out[0]},
                      .most = {.variable = &out[1]}, .least = {.variable = &out[2]},
                      .squares = {.variable = &out[3]});
    reap_queue_wait(queue);
}

void side_sum_max(reap_queue *queue, const float *x, size_t count, float out[2])
{
    out[0] = 0;
    out[1] = x[0];
    reap_parallel_for(queue, sum_max, reap_range_1d(count), .x = x, .sum = {.variable = &out[0]},
                      .most = {.variable = &out[1]});
    reap_queue_wait(queue);
}

float side_sum_matrix(reap_queue *queue, const float *x, size_t rows, size_t columns)
{
    float sum = 0;
    reap_parallel_for(queue, sum_matrix, reap_range_2d(rows, columns), .x = x, .columns = columns,
                      .sum = {.variable = &sum});
    reap_queue_wait(queue);
    return sum;
}

uint64_t side_argmax(reap_queue *queue, const float *x, size_t count)
{
    float most;
    uint64_t at;
    reap_parallel_for(
        queue, argmax, reap_range_1d(count), .x = x,
        .most = {.variable = &most, .location = &at, .properties = REAP_INITIALIZE_TO_IDENTITY});
    reap_queue_wait(queue);
    return at;
}

void side_histogram(reap_queue *queue, const uint32_t *x, size_t count, uint32_t *bins,
                    size_t bin_count)
{
    reap_parallel_for(
        queue, histogram, reap_range_1d(count), .x = x,
        .bins = {.variable = bins, .count = bin_count, .properties = REAP_INITIALIZE_TO_IDENTITY});
    reap_queue_wait(queue);
}

/* A loop of launches, each of which leaves one number for two groups' worth of them. */
uint32_t side_tree_sum(reap_queue *queue, const uint32_t *x, size_t count, size_t group_size,
                       bool in_phases, uint32_t *const partial[2])
{
    const uint32_t *from = x;
    int to = 0;
    do {
        const size_t groups = (count + 2 * group_size - 1) / (2 * group_size);
        const reap_range range = reap_nd_range_1d(groups * group_size, group_size);
        if (in_phases)
            reap_parallel_for(queue, add_groups_in_phases, range, .input = from,
                              .partial = partial[to], .length = count, .scratch = group_size);
        else
            reap_parallel_for(queue, add_groups, range, .input = from, .partial = partial[to],
                              .length = count, .scratch = group_size);
        from = partial[to];
        to = !to;
        count = groups;
    } while (count > 1);
    reap_queue_wait(queue);
    return *from;
}

uint32_t side_chain(reap_queue *queue, size_t launches)
{
    uint32_t x = 1;
    for (size_t l = 0; l < launches; l++)
        reap_parallel_for(queue, step_series, reap_range_1d(1), .x = &x);
    reap_queue_wait(queue);
    return x;
}

static void step(uint32_t *x)
{
    *x = 31 * *x + 7;
}

uint32_t side_call_chain(size_t calls)
{
    static void (*volatile call)(uint32_t * x) = step;
    static atomic_ulong count;
    uint32_t x = 1;
    for (size_t c = 0; c < calls; c++) {
        call(&x);
        atomic_fetch_add(&count, 1);
    }
    return x;
}
