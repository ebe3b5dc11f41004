/* SPDX-License-Identifier: Apache-2.0
 *
 * The second translation unit of first.c's program. It has counters of its own for its checks.
 */
#include "tests/dialect/embedding/check_text.h"

#include "both.kernels.h"
#include "other/sum.kernels.h"

void check_second(reap_queue *queue, const char *folder);

void check_second(reap_queue *queue, const char *folder)
{
    int total = 0, scaled_total = 0;
    CHECK(reap_parallel_for(queue, sum, reap_range_1d(VALUE_COUNT), .values = values_of_one(),
                            .total = {.variable = &total}) == REAP_OK);
    CHECK(reap_parallel_for(queue, scaled_sum, reap_range_1d(VALUE_COUNT),
                            .values = values_of_one(),
                            .total = {.variable = &scaled_total}) == REAP_OK);
    CHECK(total == 10 * VALUE_COUNT && scaled_total == 3 * VALUE_COUNT);
    CHECK(is_text_of(reap_kernel_sum.text(), folder, "other/sum.kernels.h"));
    CHECK(is_text_of(reap_kernel_scaled_sum.text(), folder, "both.kernels.h"));
    CHECK(is_text_of(reap_kernel_count_letters.text(), folder, "both.kernels.h"));
    if (check_finish() != 0)
        exit(1);
}
