/* SPDX-License-Identifier: Apache-2.0
 *
 * Floating-point exceptions that the caller has unmasked, before the first call of the library,
 * end the caller's own arithmetic only: not kernels, also not on the threads of a driver, nor what
 * the library computes for itself.
 */
#define _GNU_SOURCE /* feenableexcept */
#include "tests/conformance/traps.kernels.h"

#include "tests/conformance/queues.h"

#include <fenv.h>
#include <math.h>

#if defined(__GLIBC__) && defined(__x86_64__)

enum { MOST = 1 << 17, LAUNCHES = 70 }; /* of which the library times some */

static void check_launches(reap_queue *queue, float *x, float *y, size_t count)
{
    float sum = 0, largest = 0;
    for (int launch = 0; launch < LAUNCHES; launch++) {
        CHECK_STATUS(reap_parallel_for(queue, invert, reap_range_1d(count), .x = x, .y = y),
                     REAP_OK);
        CHECK_STATUS(reap_parallel_for(queue, invert_and_sum, reap_range_1d(count), .x = x,
                                       .sum = {.result = &sum}, .largest = {.result = &largest}),
                     REAP_OK);
        CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    }
    CHECK(sum >= 0 && isinf(largest));
}

static void check_options(const reap_queue_options *options, float *x, float *y)
{
    static const size_t counts[] = {1, 100, 5000, MOST};
    reap_queue *queue;
    CHECK_STATUS(reap_queue_create(NULL, options, &queue), REAP_OK);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        check_launches(queue, x, y, counts[c]);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    reap_queue_release(queue);
}

int main(void)
{
    static float x[MOST], y[MOST];
    reap_buffer *buffers[2];
    for (size_t i = 0; i < MOST; i++)
        x[i] = i % 7 == 0 ? 0 : (float)i;
    x[0] = 0;
    x[1] = 1;
    feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | (test_on_device() ? 0 : FE_INEXACT));
    CHECK_STATUS(reap_buffer_wrap(x, sizeof x, &buffers[0]), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(y, sizeof y, &buffers[1]), REAP_OK);
    check_options(NULL, x, y);
    check_options(&(const reap_queue_options){.asynchronous = true}, x, y);
    CHECK_STATUS(reap_buffer_release(buffers[1]), REAP_OK);
    CHECK_STATUS(reap_buffer_release(buffers[0]), REAP_OK);
    const int unmasked = fedisableexcept(FE_ALL_EXCEPT);
    CHECK((unmasked & FE_DIVBYZERO) != 0 && isinf(y[0]) && y[1] == 1);
    return check_finish();
}

#else

int main(void)
{
    puts("skipped: exceptions cannot be unmasked here");
    return 0;
}

#endif
