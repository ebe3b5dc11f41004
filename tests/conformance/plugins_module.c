/* SPDX-License-Identifier: Apache-2.0
 *
 * A plugin: launches its kernels, whose results depend on its FACTOR.
 */
#include "tests/conformance/plugins.h"

#include <reap/reap.h>
#include <stdio.h>

#ifdef HAS_VARIABLE
#include "tests/conformance/plugins_variable.kernels.h"
#else
#include "tests/conformance/plugins.kernels.h"
#endif

enum { COUNT = 4096, GROUP = 64 };
static float x[COUNT], y[COUNT];

static reap_status launch(reap_queue *queue, double *sum)
{
    REAP_TRY(reap_parallel_for(queue, plugin_sum, reap_range_1d(COUNT), .x = x,
                               .sum = {.variable = sum}));
    REAP_TRY(reap_parallel_for(queue, plugin_reverse, reap_nd_range_1d(COUNT, GROUP), .x = x,
                               .y = y, .shared = GROUP));
    return reap_queue_wait(queue);
}

static reap_status launch_with_buffers(reap_queue *queue, double *sum)
{
    reap_buffer *of_x, *of_y;
    REAP_TRY(reap_buffer_wrap(x, sizeof x, &of_x));
    REAP_TRY(reap_buffer_wrap(y, sizeof y, &of_y));
    reap_status status = launch(queue, sum);
    const reap_status released = reap_buffer_release(of_y);
    if (status == REAP_OK)
        status = released;
    reap_buffer_release(of_x);
    return status;
}

static int count_wrong(double sum, double expected)
{
    int wrong = sum != expected;
    for (int i = 0; i < COUNT; i++)
        wrong += y[i] != x[i / GROUP * GROUP + GROUP - 1 - i % GROUP] * FACTOR;
    return wrong;
}

__attribute__((visibility("default"))) void plugin_run(struct plugin_run *run);
void plugin_run(struct plugin_run *run)
{
    reap_queue *queue;
    double sum = 0, expected = 0;
    for (int i = 0; i < COUNT; i++) {
        x[i] = (float)(i % 100);
        expected += x[i] * FACTOR;
    }
    *run = (struct plugin_run){.kernel = &reap_kernel_plugin_sum};
    run->status = reap_queue_create(NULL, NULL, &queue);
    if (run->status == REAP_OK) {
        run->status = launch_with_buffers(queue, &sum);
        snprintf(run->code, sizeof run->code, "%s",
                 reap_kernel_code(reap_queue_device(queue), &reap_kernel_plugin_reverse, 1));
        reap_queue_release(queue);
    }
    if (run->status == REAP_OK)
        run->wrong = count_wrong(sum, expected);
    else
        snprintf(run->problem, sizeof run->problem, "%s", reap_last_error());
}
