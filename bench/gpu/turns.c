/* SPDX-License-Identifier: Apache-2.0
 *
 * Turns, medians and spreads.
 */
#include "bench/gpu/turns.h"

#include <stdlib.h>
#include <time.h>

enum { MOST_TURNS = 101, MOST_TIMES = 4096, LEAST_TIMES = 3, WARM_TIMES = 3 };

double gpu_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double time_one(gpu_function function, const struct gpu_task *task, long times)
{
    const double begin = gpu_now();
    function(task, times);
    return (gpu_now() - begin) / (double)times;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct gpu_time gpu_median(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, compare);
    const double median = times[count / 2];
    return (struct gpu_time){median, (times[count * 3 / 4] - times[count / 4]) / median};
}

/* How often the function fits into a turn. */
static long find_times(gpu_function function, const struct gpu_task *task, double seconds)
{
    time_one(function, task, WARM_TIMES);
    const double each = time_one(function, task, WARM_TIMES);
    const double times = seconds / each;
    return times < LEAST_TIMES ? LEAST_TIMES : times > MOST_TIMES ? MOST_TIMES : (long)times;
}

void gpu_take_turns(const gpu_function *functions, int sides, const struct gpu_task *task,
                    const struct gpu_turns *turns, struct gpu_time *times, struct gpu_time *device)
{
    static double all[GPU_MOST_SIDES][MOST_TURNS], on_device[MOST_TURNS];
    long fitting[GPU_MOST_SIDES];
    const int count = turns->count < MOST_TURNS ? turns->count : MOST_TURNS;
    for (int s = 0; s < sides; s++)
        fitting[s] = find_times(functions[s], task, turns->seconds);
    for (int turn = 0; turn < count; turn++) {
        for (int s = 0; s < sides; s++)
            all[s][turn] = time_one(functions[s], task, fitting[s]);
        if (device != NULL)
            on_device[turn] = gpu_cub_device_seconds(task, fitting[sides - 1]);
    }
    for (int s = 0; s < sides; s++)
        times[s] = gpu_median(all[s], count);
    if (device != NULL)
        *device = gpu_median(on_device, count);
}
