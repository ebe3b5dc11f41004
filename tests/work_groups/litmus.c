/* SPDX-License-Identifier: Apache-2.0
 *
 * Litmus tests of the memory model between work-groups and in them: each runs many times, fails if
 * an outcome is seen that the orders forbid, and prints how often those were seen that are allowed
 * and show that roles ran at the same time. LITMUS=10000000 of the environment: how often each
 * runs.
 */
#include "tests/work_groups/litmus.kernels.h"

#include "tests/conformance/queues.h"
#include "tests/support/memory.h"
#include "tests/work_groups/atomic_orders.h"

#include <inttypes.h>

/* On the host the time of an item is known to microseconds only, so the items of groups are many:
 * otherwise a launch seems to be too short for a second thread. */
#ifdef REAP_TESTS_FEW_ITEMS
enum { INSTANCES = 64, SETS = 16, GROUP = 8, TIMES = 5000 };
#else
enum { INSTANCES = 512, SETS = 64, GROUP = 128, TIMES = 100000 };
#endif
enum { COUNT = INSTANCES * SETS };

/* One instance, when all roles have ended. */
struct outcome {
    uint32_t x, y, r[MOST_ROLES];
};

static bool was_passed_without_data(const struct outcome *o)
{
    return o->r[0] == 1 && o->r[1] == 0;
}

static bool were_both_0(const struct outcome *o)
{
    return o->r[0] == 0 && o->r[1] == 0;
}

static bool were_both_1(const struct outcome *o)
{
    return o->r[0] == 1 && o->r[1] == 1;
}

static bool went_back(const struct outcome *o)
{
    return o->r[0] > o->r[1];
}

static bool are_no_exchanges(const struct outcome *o)
{
    return !(o->r[0] == 0 && o->r[1] == 1 && o->x == 2) &&
           !(o->r[1] == 0 && o->r[0] == 2 && o->x == 1);
}

static bool are_no_comparisons(const struct outcome *o)
{
    return o->r[0] + o->r[1] != 1 || o->x != (o->r[0] == 1 ? 1u : 2u);
}

static bool are_first_writes(const struct outcome *o)
{
    return o->x == 1 && o->y == 1;
}

static bool saw_different_orders(const struct outcome *o)
{
    return o->r[0] == 1 && o->r[1] == 0 && o->r[2] == 1 && o->r[3] == 0;
}

static const struct litmus {
    const char *name;
    const struct reap_kernel *kernel;
    size_t roles;
    bool is_in_group, is_allowed;
    bool (*is_strange)(const struct outcome *outcome);
} tests[] = {
    {"mp", &reap_kernel_mp, 2, false, false, was_passed_without_data},
    {"mp_seq_cst", &reap_kernel_mp_seq_cst, 2, false, false, was_passed_without_data},
    {"mp_relaxed", &reap_kernel_mp_relaxed, 2, false, true, was_passed_without_data},
    {"mp_in_group", &reap_kernel_mp_in_group, 2, true, false, was_passed_without_data},
    {"mp_fences", &reap_kernel_mp_fences, 2, false, false, was_passed_without_data},
    {"mp_data", &reap_kernel_mp_data, 2, false, false, was_passed_without_data},
    {"sb", &reap_kernel_sb, 2, false, false, were_both_0},
    {"sb_acquire", &reap_kernel_sb_acquire, 2, false, true, were_both_0},
    {"sb_fences", &reap_kernel_sb_fences, 2, false, false, were_both_0},
    {"lb", &reap_kernel_lb, 2, false, false, were_both_1},
    {"lb_relaxed", &reap_kernel_lb_relaxed, 2, false, true, were_both_1},
    {"coherence", &reap_kernel_coherence, 2, false, false, went_back},
    {"exchanges", &reap_kernel_exchanges, 2, false, false, are_no_exchanges},
    {"comparisons", &reap_kernel_comparisons, 2, false, false, are_no_comparisons},
    {"writes", &reap_kernel_writes, 2, false, false, are_first_writes},
    {"iriw", &reap_kernel_iriw, 4, false, false, saw_different_orders},
    {"iriw_acquire", &reap_kernel_iriw_acquire, 4, false, true, saw_different_orders},
};

struct memory {
    uint32_t *words, *r, *progress;
};

static struct memory make_memory(void)
{
    return (struct memory){
        .words = test_allocate((size_t)COUNT * 2 * sizeof(uint32_t)),
        .r = test_allocate((size_t)COUNT * MOST_ROLES * sizeof(uint32_t)),
        .progress = test_allocate((size_t)SETS * MOST_ROLES * sizeof(uint32_t)),
    };
}

static void free_memory(const struct memory *memory)
{
    free(memory->words);
    free(memory->r);
    free(memory->progress);
}

/* All kernels have the parameters of this one. */
static reap_status launch(reap_queue *queue, const struct litmus *test, const struct memory *memory)
{
    const size_t size = test->is_in_group ? (size_t)SUB_GROUP * test->roles : GROUP;
    const size_t groups = test->is_in_group ? SETS : (size_t)SETS * test->roles;
    memset(memory->words, 0, (size_t)COUNT * 2 * sizeof(uint32_t));
    memset(memory->progress, 0, (size_t)SETS * MOST_ROLES * sizeof(uint32_t));
    const struct reap_arguments_mp arguments = {
        reap_nd_range_1d(groups * size, size), .words = memory->words, .r = memory->r,
        .progress = memory->progress,          .roles = test->roles,   .instances = INSTANCES,
    };
    return reap_launch(queue, test->kernel, &arguments);
}

static void count(const struct litmus *test, const struct memory *memory, uint64_t *strange)
{
    for (size_t i = 0; i < COUNT; i++) {
        struct outcome outcome = {.x = memory->words[2 * i], .y = memory->words[2 * i + 1]};
        memcpy(outcome.r, memory->r + MOST_ROLES * i, sizeof outcome.r);
        *strange += test->is_strange(&outcome);
    }
}

static void run(reap_queue *queue, const struct litmus *test, uint64_t times)
{
    const struct memory memory = make_memory();
    uint64_t strange = 0, runs = 0;
    for (; runs < times; runs += COUNT) {
        CHECK_LAUNCH(launch(queue, test, &memory), queue);
        count(test, &memory, &strange);
    }
    printf("%-12s %9" PRIu64 " times, %" PRIu64 " %s\n", test->name, runs, strange,
           test->is_allowed ? "weak outcomes, which are allowed" : "forbidden outcomes");
    if (!test->is_allowed)
        CHECK_EQ(strange, 0);
    free_memory(&memory);
}

int main(void)
{
    const char *given = getenv("LITMUS");
    const uint64_t most = test_draws_large() ? COUNT : TIMES;
    const uint64_t times = given != NULL ? strtoull(given, NULL, 10) : most;
    reap_queue *queues[QUEUES];
    check_seed();
    queues_open(queues);
    if (!atomic_orders_are_there(queues[0])) {
        queues_close(queues);
        return check_finish();
    }
    for (size_t q = test_on_device() ? 0 : 1; q < queue_count; q++) /* not one thread */
        for (size_t t = 0; t < sizeof tests / sizeof *tests; t++)
            if (test_wants(tests[t].name))
                run(queues[q], &tests[t], times);
    queues_close(queues);
    return check_finish();
}
