/* SPDX-License-Identifier: Apache-2.0
 *
 * The scope of the system: a device has it, and the result is right; or it lacks the scope, and a
 * launch fails with a message that names the word and says what to use.
 */
#include "tests/work_groups/atomic_refusals.kernels.h"

#include "tests/conformance/queues.h"

enum { ITEMS = 1000 };

static void check(reap_queue *queue)
{
    uint32_t x[1] = {0};
    TEST_SHARE(x);
    reap_status status = reap_parallel_for(queue, count_for_all, reap_range_1d(ITEMS), .x = x);
    if (status == REAP_OK)
        status = reap_queue_wait(queue);
    if (status == REAP_OK) {
        CHECK_EQ(x[0], ITEMS);
        return;
    }
    CHECK_STATUS(status, REAP_ERROR_COMPILATION_FAILED);
    CHECK(test_on_device());
    CHECK(strstr(reap_last_error(), "kernel 'count_for_all'") != NULL);
    CHECK(strstr(reap_last_error(), "Reap: reap_atomic_fetch_add ") != NULL);
    CHECK(strstr(reap_last_error(), "REAP_SCOPE_SYSTEM") != NULL);
    CHECK(strstr(reap_last_error(), "use REAP_SCOPE_DEVICE") != NULL);
    CHECK_EQ(x[0], 0);
}

int main(void)
{
    reap_queue *queues[QUEUES];
    queues_open(queues);
    for (size_t q = 0; q < queue_count; q++)
        check(queues[q]);
    queues_close(queues);
    return check_finish();
}
