/* SPDX-License-Identifier: Apache-2.0
 *
 * The largest groups on a machine with many processors: the stacks of their items leave the process
 * room for other mappings.
 */
#define _XOPEN_SOURCE 700 /* setenv */
#include "tests/work_groups/many_stacks.kernels.h"

#include "tests/conformance/queues.h"

#ifdef REAP_TESTS_FEW_ITEMS
enum { GROUPS = 45 };
#else
enum { GROUPS = 200 };
#endif
enum { GROUP_ITEMS = 4096, LARGE_BYTES = 1 << 26 };

int main(void)
{
    reap_queue *queue;
    setenv("REAP_NUM_THREADS", "40", 1);
    CHECK_STATUS(reap_queue_create(NULL, NULL, &queue), REAP_OK);
    for (int launch = 0; launch < 3; launch++) {
        uint64_t items = 0;
        CHECK_LAUNCH(reap_parallel_for(queue, count_after_barrier,
                                       reap_nd_range_1d((size_t)GROUPS * GROUP_ITEMS, GROUP_ITEMS),
                                       .items = {.variable = &items}, .shared = GROUP_ITEMS),
                     queue);
        CHECK_EQ(items, (uint64_t)GROUPS * GROUP_ITEMS);
    }
    unsigned char *memory = malloc(LARGE_BYTES); /* a mapping of its own */
    CHECK(memory != NULL);
    free(memory);
    reap_queue_release(queue);
    return check_finish();
}
