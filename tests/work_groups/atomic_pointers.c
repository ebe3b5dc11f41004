/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic operations on pointers, in memory where a pointer means the same to the device: on the
 * host and on CUDA cards. OpenCL devices refuse the kernels, with the word and the remedy.
 */
#include "tests/work_groups/atomic_pointers.kernels.h"

#include "tests/conformance/devices.h"
#include "tests/conformance/queues.h"
#include "tests/support/check_status.h"
#include "tests/support/memory.h"

#include <string.h>

enum { ITEMS = 3000, WORDS = 10, POOL = 100 };

static void *share(reap_queue *queue, size_t bytes)
{
    void *p = NULL;
    CHECK_STATUS(reap_malloc_shared(reap_queue_device(queue), bytes, &p), REAP_OK);
    if (p != NULL)
        memset(p, 0, bytes);
    return p;
}

/* Whether the device takes the kernels. */
static bool has_pointers(reap_queue *queue)
{
    long values[1] = {1};
    struct node *nodes = share(queue, 2 * sizeof *nodes);
    struct node **heads = share(queue, 4 * sizeof *heads);
    heads[0] = nodes;
    TEST_SHARE(values);
    reap_status status =
        reap_parallel_for(queue, push, reap_range_1d(1), .values = values, .heads = heads);
    if (status == REAP_OK)
        status = reap_queue_wait(queue);
    const bool is_refused = status == REAP_ERROR_COMPILATION_FAILED;
    if (is_refused) {
        CHECK(strstr(reap_last_error(), "takes numbers on OpenCL devices") != NULL ||
              strstr(reap_last_error(), "on this device, which lacks") != NULL);
        fprintf(stderr, "  %s\n", reap_last_error());
    } else {
        CHECK_STATUS(status, REAP_OK);
    }
    reap_free(heads);
    reap_free(nodes);
    return !is_refused;
}

/* Each list has every value once. */
static void check_list(const struct node *first, const long *values, long sign)
{
    unsigned char *seen = test_allocate(ITEMS);
    size_t count = 0;
    memset(seen, 0, ITEMS);
    for (const struct node *n = first; n != NULL && count <= ITEMS; n = n->next, count++) {
        const long at = sign * n->value - values[0];
        const bool is_one = at >= 0 && at < ITEMS;
        CHECK(is_one);
        if (is_one)
            seen[at]++;
    }
    CHECK_EQ(count, ITEMS);
    for (size_t i = 0; i < ITEMS; i++)
        CHECK_EQ(seen[i], 1);
    free(seen);
}

static void check_lists(reap_queue *queue)
{
    long *values = share(queue, ITEMS * sizeof *values);
    struct node *nodes = share(queue, (size_t)2 * ITEMS * sizeof *nodes);
    struct node **heads = share(queue, 4 * sizeof *heads);
    for (size_t i = 0; i < ITEMS; i++)
        values[i] = (long)i - 5;
    heads[0] = nodes;
    CHECK_LAUNCH(
        reap_parallel_for(queue, push, reap_range_1d(ITEMS), .values = values, .heads = heads),
        queue);
    CHECK_EQ(heads[0] - nodes, 2 * ITEMS);
    check_list(heads[1], values, 1);
    check_list(heads[2], values, -1);
    CHECK(heads[3] != NULL && heads[3]->value == 7);
    reap_free(heads);
    reap_free(nodes);
    reap_free(values);
}

static void check_local_lists(reap_queue *queue)
{
    enum { GROUPS = 20, GROUP = 48 };
    struct node *nodes = share(queue, (size_t)GROUPS * GROUP * sizeof *nodes);
    uint32_t *lengths = share(queue, GROUPS * sizeof *lengths);
    CHECK_LAUNCH(reap_parallel_for(queue, push_locally,
                                   reap_nd_range_1d((size_t)GROUPS * GROUP, GROUP), .nodes = nodes,
                                   .lengths = lengths, .head = 1),
                 queue);
    for (size_t g = 0; g < GROUPS; g++)
        CHECK_EQ(lengths[g], GROUP);
    reap_free(lengths);
    reap_free(nodes);
}

static void check_words(reap_queue *queue)
{
    long *pool = share(queue, POOL * sizeof *pool);
    long **cells = share(queue, WORDS * sizeof *cells);
    long **results = share(queue, WORDS * sizeof *results);
    uint32_t *is_set = share(queue, 2 * sizeof *is_set);
    for (size_t i = 0; i < WORDS; i++)
        cells[i] = &pool[i];
    pool[9] = 33;
    CHECK_LAUNCH(reap_parallel_for(queue, words, reap_range_1d(1), .pool = pool, .cells = cells,
                                   .results = results, .is_set = is_set),
                 queue);
    const long after[WORDS] = {0, 2, -1, 6, 2, 50, 6, 7, 80, 9};
    const long found[WORDS] = {0, 33, 2, 3, 4, 5, 6, 7, 8, 10};
    for (size_t i = 0; i < WORDS; i++) {
        CHECK_EQ(cells[i] != NULL ? cells[i] - pool : -1, after[i]);
        CHECK_EQ(results[i] - pool, found[i]);
    }
    CHECK_EQ(is_set[0], 0);
    CHECK_EQ(is_set[1], 1);
    reap_free(is_set);
    reap_free(results);
    reap_free(cells);
    reap_free(pool);
}

int main(void)
{
    reap_queue *queues[QUEUES];
    queues_open(queues);
    for (size_t q = 0; q < queue_count; q++) {
        if (!has_pointers(queues[q]))
            continue;
        check_lists(queues[q]);
        check_local_lists(queues[q]);
        check_words(queues[q]);
    }
    queues_close(queues);
    return check_finish();
}
