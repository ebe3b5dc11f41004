/* SPDX-License-Identifier: Apache-2.0
 *
 * reap-bench-devices LOG2 DEVICE...: how much faster several devices are than the first one. Each
 * device is a name such as "cuda:0" or "cuda:0+cuda:1", and sums 2^LOG2 floats for each of its
 * parts, from a buffer that is there; a time is that of a launch and a wait. Exit status 1 where a
 * sum has other bits than on the host.
 */
#include "bench/devices/scale.kernels.h"
#include "bench/fail.h"
#include "bench/measure.h"

#include <reap/reap.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARM = 6, TURNS = 101, MOST_LOG2 = 40 };

static void expect(reap_status status)
{
    if (status != REAP_OK)
        bench_fail(reap_last_error());
}

static float element(size_t i)
{
    return (float)(i * 2654435761u % 1000003u) * 1e-3f;
}

static size_t count_parts(const char *device)
{
    size_t parts = 1;
    for (const char *at = device; *at != '\0'; at++)
        parts += *at == '+';
    return parts;
}

static float sum_once(reap_queue *queue, const float *x, size_t items)
{
    float sum = 0;
    expect(reap_parallel_for(queue, device_sum, reap_range_1d(items), .x = x, .sum = &sum,
                             .launch.divided = "x"));
    expect(reap_queue_wait(queue));
    return sum;
}

static reap_queue *open_queue(const char *name)
{
    const reap_device *device;
    reap_queue *queue;
    expect(reap_device_find(name, &device));
    expect(reap_queue_create(device, NULL, &queue));
    return queue;
}

static bool are_same(float a, float b)
{
    uint32_t bits[2];
    memcpy(&bits[0], &a, sizeof a);
    memcpy(&bits[1], &b, sizeof b);
    return bits[0] == bits[1];
}

/* Elements a second. */
static double measure(const char *name, size_t items, int *wrong)
{
    double times[TURNS];
    void *data;
    reap_buffer *buffer;
    reap_queue *queue = open_queue(name), *host = open_queue("host");
    expect(reap_buffer_create(items * sizeof(float), &buffer));
    expect(reap_host_access_begin(buffer, REAP_WRITE, &data));
    float *x = data;
    for (size_t i = 0; i < items; i++)
        x[i] = element(i);
    expect(reap_host_access_end(buffer));
    const float expected = sum_once(host, x, items);
    float sum = 0;
    for (int turn = -WARM; turn < TURNS; turn++) {
        const double begin = measure_now();
        sum = sum_once(queue, x, items);
        if (turn >= 0)
            times[turn] = measure_now() - begin;
    }
    *wrong += !are_same(sum, expected);
    const double median = measure_summarize(times, TURNS).seconds;
    printf("%-24s %12zu %10.1f us %8.0f GB/s   %a%s\n", name, items, median * 1e6,
           (double)items * sizeof(float) / median * 1e-9, (double)sum,
           are_same(sum, expected) ? "" : " WRONG");
    expect(reap_buffer_release(buffer));
    reap_queue_release(queue);
    reap_queue_release(host);
    return (double)items / median;
}

int main(int argc, char **argv)
{
    const unsigned long log2 = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    int wrong = 0;
    double first = 0;
    if (argc < 3 || log2 == 0 || log2 > MOST_LOG2) {
        fputs("usage: reap-bench-devices LOG2 DEVICE...\n", stderr);
        return 2;
    }
    for (int a = 2; a < argc; a++) {
        const size_t parts = count_parts(argv[a]);
        const double speed = measure(argv[a], parts << log2, &wrong);
        if (a == 2)
            first = speed;
        else
            printf("%26.3f of %zu times the first one's speed\n", speed / first / (double)parts,
                   parts);
    }
    return wrong > 0;
}
