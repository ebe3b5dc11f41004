/* SPDX-License-Identifier: Apache-2.0
 *
 * A phase that is left before its end fails the command, which says where the phase stands; the
 * variable keeps its value. Compiled without optimisation.
 */
#include "tests/work_groups/leaving.kernels.h"

#include "tests/conformance/queues.h"

enum { ITEMS = 1000 };

static void check_leaving(reap_queue *queue, bool by_goto, size_t leaving)
{
    const bool fails = leaving < ITEMS;
    const reap_status expected = fails ? REAP_ERROR_DIVERGENT_BARRIER : REAP_OK;
    uint32_t sum = 42;
    char place[40];
    const struct reap_arguments_leave_by_return arguments = {
        reap_nd_range_1d(ITEMS, 20), .leaving = leaving, .sum = {.variable = &sum}};
    snprintf(place, sizeof place, "leaving.kernels.h:%d", by_goto ? LEFT_BY_GOTO : LEFT_BY_RETURN);
    CHECK_EQ(reap_launch(queue, by_goto ? &reap_kernel_leave_by_goto : &reap_kernel_leave_by_return,
                         &arguments),
             expected);
    CHECK_EQ(reap_queue_wait(queue), expected);
    CHECK_EQ(sum, (fails ? 42 : 42 + ITEMS));
    if (fails) {
        CHECK_HAS(reap_last_error(), place);
        CHECK_HAS(reap_last_error(), by_goto ? "'leave_by_goto'" : "'leave_by_return'");
    }
}

int main(void)
{
    reap_queue *queues[QUEUES];
    queues_open(queues);
    for (size_t q = 0; q < queue_count; q++)
        for (int by_goto = 0; by_goto < 2; by_goto++) {
            check_leaving(queues[q], by_goto != 0, 0);
            check_leaving(queues[q], by_goto != 0, ITEMS / 2);
            check_leaving(queues[q], by_goto != 0, ITEMS - 1);
            check_leaving(queues[q], by_goto != 0, ITEMS);
        }
    queues_close(queues);
    return check_finish();
}
