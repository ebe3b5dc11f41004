/* SPDX-License-Identifier: Apache-2.0
 *
 * The bits do not depend on the caller's floating-point control: this program links a library that
 * flushes denormals to zero, and calls with every rounding mode. What the caller had set is there
 * again after each launch, also a failed one.
 */
#include "tests/conformance/agreement_work.h"
#include "tests/conformance/flush_to_zero.h"
#include "tests/conformance/instruction_sets.h"
#include "tests/conformance/queues.h"
#include "tests/conformance/spans.kernels.h"
#include "tests/support/memory.h"

#include <fenv.h>

static const int roundings[] = {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO, FE_TONEAREST};

/* An environment of the caller's. */
struct caller {
    bool flush;
    int rounding;
};

static const fenv_t *flushing; /* the one that the library set */

static void enter(const struct caller *caller)
{
    fesetenv(caller->flush ? flushing : FE_DFL_ENV);
    fesetround(caller->rounding);
}

static void leave(const struct caller *caller)
{
    const int rounding = fegetround();
    const bool flush = flush_to_zero_happens();
    fesetenv(FE_DFL_ENV);
    CHECK_EQ(rounding, caller->rounding);
    CHECK_EQ(flush, caller->flush);
}

static void check_trial(struct workspace *work, const struct trial *trial,
                        reap_queue *const *queues)
{
    unsigned char *expected = test_allocate(workspace_row_bytes(work));
    workspace_prepare(work, trial);
    workspace_expect(work, expected);
    for (size_t c = 0; c < 8; c++)
        for (size_t q = 0; q < QUEUES && q < queue_count; q += 2) {
            const struct caller caller = {c < 4, roundings[c % 4]};
            enter(&caller);
            const reap_status status = workspace_launch(work, queues[q]);
            leave(&caller);
            CHECK_LAUNCH(status, queues[q]);
            const unsigned wrong = workspace_compare(work, expected);
            check_comparisons += (unsigned long)work->group->reduction_count;
            CHECK_EQ(wrong, 0);
            if (wrong > 0)
                fprintf(stderr, "  %s, %zu items, flavour %u, rounding mode %zu%s, %zu threads\n",
                        work->group->name, trial->count, trial->flavour, c % 4,
                        caller.flush ? ", flushing" : "", queue_threads[q]);
        }
    free(expected);
}

static void check_group(const struct group *group, reap_queue *const *queues, uint64_t *random)
{
    static const size_t counts[] = {1, 5, 1000, 33000, 100003};
    const struct trial largest = {100003, 0, 0};
    struct workspace work;
    workspace_open(group, &largest, 1, &work);
    for (unsigned flavour = 0; flavour < input_flavours(group->input); flavour++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            const struct trial trial = {counts[c], flavour, check_random(random)};
            check_trial(&work, &trial, queues);
        }
    workspace_close(&work);
}

/* A launch that is refused, and one that fails; the kernel's first ones. */
static void check_failures_too(reap_queue *queue)
{
    static const uint32_t at[] = {0};
    uint32_t counts[1] = {0};
    float middle = 0, middles[1] = {0};
    uint64_t total = 0;
    const struct caller caller = {true, FE_DOWNWARD};
    enter(&caller);
    const reap_status refused = reap_parallel_for(queue, outside, reap_range_1d(1), .at = at);
    leave(&caller);
    CHECK_STATUS(refused, REAP_ERROR_INVALID_ARGUMENT);
    enter(&caller);
    const reap_status launched = reap_parallel_for(
        queue, outside, reap_range_1d(1), .at = at, .faulty_item = 0, .faulty_index = 1,
        .counts = {.variable = counts, .count = 1}, .total = {.variable = &total},
        .middle = {.variable = &middle}, .middles = {.variable = middles, .count = 1});
    leave(&caller);
    CHECK_STATUS(launched, REAP_ERROR_INDEX_OUT_OF_RANGE);
    CHECK_STATUS(reap_queue_wait(queue), REAP_ERROR_INDEX_OUT_OF_RANGE);
}

static int body(unsigned set, const void *context)
{
    uint64_t random = *(const uint64_t *)context;
    reap_queue *queues[QUEUES];
    printf("%s\n", instruction_sets[set]);
    queues_open(queues);
    for (size_t g = 0; g < group_count; g++)
        if (groups[g]->input >= INPUT_HALF)
            check_group(groups[g], queues, &random);
    check_failures_too(queues[0]);
    queues_close(queues);
    return check_finish();
}

int main(void)
{
    const bool flushed = flush_to_zero_happens();
    const uint64_t random = check_seed();
    fenv_t environment;
#if !defined(__x86_64__) && !defined(__aarch64__)
    printf("skipped: the library that flushes denormals is not written for this processor\n");
    return 0;
#endif
    fegetenv(&environment);
    flushing = &environment;
    CHECK(flushed);
    fesetenv(FE_DFL_ENV);
    CHECK(!flush_to_zero_happens());
    CHECK_EQ(in_each_instruction_set(body, &random), 0);
    return check_finish();
}
