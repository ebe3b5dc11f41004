/* SPDX-License-Identifier: Apache-2.0
 *
 * A program of one kernel file, wherever the options say it lies. Its arguments are the file's
 * folder and name.
 */
#include "tests/dialect/embedding/check_text.h"

#include <sum.kernels.h>

int main(int argc, char **argv)
{
    reap_queue *queue;
    int total = 0;
    if (argc != 3 || reap_queue_create(NULL, NULL, &queue) != REAP_OK)
        return 1;
    CHECK(reap_parallel_for(queue, sum, reap_range_1d(VALUE_COUNT), .values = values_of_one(),
                            .total = {.variable = &total}) == REAP_OK);
    CHECK(total == VALUE_COUNT);
    CHECK(is_text_of(reap_kernel_sum.text(), argv[1], argv[2]));
    reap_queue_release(queue);
    return check_finish();
}
