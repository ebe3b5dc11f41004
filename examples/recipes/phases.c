/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/reap.h>
#include <stdio.h>
#include <string.h>

#include "phases.kernels.h"

enum { COUNT = 1 << 18, GROUP = 256, REPEATS = 20 };

static float x[COUNT], y[2][COUNT];

/* The least time of some launches, in milliseconds. */
static reap_status launch(reap_queue *queue, int in_phases, double *least)
{
    const reap_range range = reap_nd_range_1d(COUNT, GROUP);
    for (int i = 0; i < REPEATS; i++) {
        reap_event *event;
        reap_event_times times;
        if (in_phases)
            REAP_TRY(reap_parallel_for(queue, mean_in_phases, range, .x = x, .y = y[1],
                                       .tile = GROUP, .launch = {.event = &event}));
        else
            REAP_TRY(reap_parallel_for(queue, mean_with_barrier, range, .x = x, .y = y[0],
                                       .tile = GROUP, .launch = {.event = &event}));
        REAP_TRY(reap_event_wait(event));
        REAP_TRY(reap_event_get_times(event, &times));
        reap_event_release(event);
        const double took = (double)(times.ended - times.started) * 1e-6;
        *least = i == 0 || took < *least ? took : *least;
    }
    return REAP_OK;
}

static reap_status run(double least[2])
{
    const reap_queue_options options = {.profiling = true};
    reap_queue *queue;
    reap_buffer *from, *to;
    REAP_TRY(reap_queue_create(NULL, &options, &queue));
    REAP_TRY(reap_buffer_wrap(x, sizeof x, &from));
    REAP_TRY(reap_buffer_wrap(y, sizeof y, &to));
    for (int in_phases = 0; in_phases < 2; in_phases++)
        REAP_TRY(launch(queue, in_phases, &least[in_phases]));
    REAP_TRY(reap_buffer_release(to));
    REAP_TRY(reap_buffer_release(from));
    reap_queue_release(queue);
    return REAP_OK;
}

/* The number of means that differ from those of a plain loop. */
static int count_wrong(void)
{
    int wrong = 0;
    for (int i = 0; i < COUNT; i++) {
        float left = x[i % GROUP > 0 ? i - 1 : i], right = x[i % GROUP < GROUP - 1 ? i + 1 : i];
        wrong += y[0][i] != (left + x[i] + right) / 3;
    }
    return wrong;
}

int main(void)
{
    double least[2];
    for (int i = 0; i < COUNT; i++)
        x[i] = (float)(i % 1001);
    if (run(least) != REAP_OK) {
        fprintf(stderr, "%s\n", reap_last_error());
        return 1;
    }
    int wrong = count_wrong(), differ = memcmp(y[0], y[1], sizeof y[0]) != 0;
    printf("%d wrong, %s; with a barrier %.3f ms, in phases %.3f ms\n", wrong,
           differ ? "DIFFERENT" : "the same", least[0], least[1]);
    return wrong != 0 || differ;
}
