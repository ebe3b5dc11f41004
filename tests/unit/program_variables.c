/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel file with a variable of the program, and one that asks for contraction: every device,
 * the host too, refuses it, compiled ahead and in a launch, with the line and the remedy. Kernels
 * of other files are not concerned.
 */
#include "tests/support/check_status.h"
#include "tests/unit/compile_ahead.kernels.h"
#include "tests/unit/inexact_text.kernels.h"
#include "tests/unit/program_variables.kernels.h"

#include <reap/reap.h>

int program_factor = 3;

static void check_refusal(reap_status status)
{
    static const char words[] =
        "tests/unit/program_variables.kernels.h:7: devices cannot access variable "
        "'program_factor' of the program: make it a parameter of the kernel, or static "
        "REAP_CONSTANT const";
    CHECK_STATUS(status, REAP_ERROR_COMPILATION_FAILED);
    CHECK_HAS(reap_last_error(), "'scale_by_program'");
    CHECK_HAS(reap_last_error(), words);
}

static void check_inexact(reap_status status)
{
    CHECK_STATUS(status, REAP_ERROR_INEXACT_BUILD);
    CHECK_HAS(reap_last_error(), "kernel 'find_rests': ");
    CHECK_HAS(reap_last_error(), "tests/unit/inexact_text.kernels.h:10: 'FP_CONTRACT' asks for");
}

static void check_device(const reap_device *device)
{
    reap_queue *queue;
    reap_buffer *buffer;
    int x[2] = {1, 2};
    float y[2] = {3, 4};
    double sum = 0;
    CHECK_STATUS(reap_queue_create(device, NULL, &queue), REAP_OK);
    for (int times = 0; times < 2; times++) {
        check_refusal(reap_kernel_compile(device, &reap_kernel_scale_by_program, 1));
        check_refusal(reap_parallel_for(queue, scale_by_program, reap_range_1d(2), .x = x));
        CHECK(x[0] == 1 && x[1] == 2);
        check_inexact(reap_kernel_compile(device, &reap_kernel_find_rests, 1));
        check_inexact(reap_parallel_for(queue, find_rests, reap_range_1d(2), .x = y));
        CHECK(y[0] == 3 && y[1] == 4);
    }
    CHECK_STATUS(reap_buffer_wrap(y, sizeof y, &buffer), REAP_OK);
    CHECK_STATUS(reap_kernel_compile(device, &reap_kernel_sum_rows, 1), REAP_OK);
    CHECK(reap_parallel_for(queue, sum_rows, reap_range_1d(2), .x = y, .sum = {.variable = &sum}) ==
          REAP_OK);
    CHECK(reap_queue_wait(queue) == REAP_OK && sum == 7);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    reap_queue_release(queue);
}

int main(void)
{
    const reap_device *const *devices;
    size_t count;
    CHECK(reap_device_list(&devices, &count) == REAP_OK && count > 0);
    for (size_t d = 0; d < count; d++)
        check_device(devices[d]);
    return check_finish();
}
