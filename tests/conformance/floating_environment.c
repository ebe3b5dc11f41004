/* SPDX-License-Identifier: Apache-2.0
 *
 * The bits do not depend on the caller's floating-point control: this program links a library that
 * flushes denormals to zero, and calls with every rounding mode. What the caller had set is there
 * again after each launch, also a failed one, and after each call of reap/algorithms.h.
 */
#include "tests/conformance/agreement_work.h"
#include "tests/conformance/flush_to_zero.h"
#include "tests/conformance/instruction_sets.h"
#include "tests/conformance/queues.h"
#include "tests/conformance/spans.kernels.h"
#include "tests/support/memory.h"

#include <fenv.h>
#include <reap/algorithms.h>

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

/* ---- Algorithms -------------------------------------------------------------------------------*/

enum { ELEMENTS = 6, BINS = 4 };

static const double elements[ELEMENTS] = {0x1p-1070, 0, 1, -1, 0x1p-1060, -0x1p-1074};
static const float singles[ELEMENTS] = {0x1p-149f, 0, 1, -1, 0x1p-140f, -0x1p-149f};
static const double edges[BINS + 1] = {-2, 0, 0x1p-1072, 0x1p-1065, 2};
static const float single_edges[BINS + 1] = {-2, 0, 0x1p-149f, 0x1p-145f, 2};
static const double falling[BINS + 1] = {-2, 0x1p-1072, 0, 1, 2};

/* What the functions find for these elements. */
struct found {
    reap_status refusal;
    uint64_t more, equal, less, between, nonzero, single_more, single_less;
    uint64_t bins[BINS], single_bins[BINS];
    double smallest, largest, sum, exact, norm, product, scan[ELEMENTS], weights[BINS];
    float single_sum, single_norm, single_scan[ELEMENTS];
    reap_moments moments;
    reap_comoments pairs;
};

/* Returns how many calls fail. */
static unsigned find_order(reap_queue *queue, struct found *f)
{
    unsigned failed = 0;
    failed += reap_count(queue, elements, ELEMENTS, REAP_GREATER, 0, &f->more) != REAP_OK;
    failed += reap_count(queue, elements, ELEMENTS, REAP_EQUAL, 0.0, &f->equal) != REAP_OK;
    failed += reap_count(queue, elements, ELEMENTS, REAP_LESS, elements[0], &f->less) != REAP_OK;
    failed += reap_count_between(queue, elements, ELEMENTS, elements[5], elements[0],
                                 &f->between) != REAP_OK;
    failed += reap_reduce(queue, REAP_COUNT_NONZERO, elements, ELEMENTS, &f->nonzero) != REAP_OK;
    failed += reap_count(queue, singles, ELEMENTS, REAP_GREATER, 0, &f->single_more) != REAP_OK;
    failed += reap_count(queue, singles, ELEMENTS, REAP_LESS, 0x1p-149, &f->single_less) != REAP_OK;
    failed += reap_histogram(queue, elements, ELEMENTS, edges, BINS, f->bins) != REAP_OK;
    failed +=
        reap_histogram(queue, singles, ELEMENTS, single_edges, BINS, f->single_bins) != REAP_OK;
    f->refusal = reap_histogram(queue, elements, ELEMENTS, falling, BINS, f->bins);
    return failed;
}

static unsigned find_sums(reap_queue *queue, struct found *f)
{
    static const uint8_t keys[ELEMENTS] = {0, 1, 2, 2, 3, 0};
    unsigned failed = 0;
    failed += reap_minmax(queue, elements, ELEMENTS, &f->smallest, &f->largest) != REAP_OK;
    failed += reap_sum(queue, elements, 2, &f->sum) != REAP_OK;
    failed += reap_exact_sum(queue, elements, ELEMENTS, &f->exact) != REAP_OK;
    failed += reap_norm(queue, elements, 2, &f->norm) != REAP_OK;
    failed += reap_dot(queue, elements, elements, ELEMENTS, &f->product) != REAP_OK;
    failed += reap_exclusive_scan(queue, REAP_SCAN_SUM, elements, ELEMENTS, &elements[4],
                                  f->scan) != REAP_OK;
    failed += reap_sum_by_key(queue, keys, elements, ELEMENTS, BINS, f->weights) != REAP_OK;
    failed += reap_sum(queue, singles, 2, &f->single_sum) != REAP_OK;
    failed += reap_norm(queue, singles, 2, &f->single_norm) != REAP_OK;
    failed +=
        reap_inclusive_scan(queue, REAP_SCAN_SUM, singles, ELEMENTS, f->single_scan) != REAP_OK;
    failed += reap_statistics(queue, elements, 2, &f->moments) != REAP_OK;
    failed += reap_costatistics(queue, elements, elements, 2, &f->pairs) != REAP_OK;
    return failed;
}

static void check_found(const struct found *f)
{
    static const uint64_t bins[BINS] = {2, 1, 1, 2};
    CHECK(f->more == 3 && f->equal == 1 && f->less == 3 && f->between == 3);
    CHECK(f->nonzero == 5 && f->single_more == 3 && f->single_less == 3);
    CHECK(memcmp(f->bins, bins, sizeof bins) == 0);
    CHECK(memcmp(f->single_bins, bins, sizeof bins) == 0);
    CHECK_EQ(f->refusal, REAP_ERROR_INVALID_ARGUMENT);
    CHECK(f->sum == 0x1p-1070 && f->norm == 0x1p-1070 && f->single_norm == 0x1p-149f);
}

static void check_algorithms(reap_queue *queue)
{
    static struct found expected, found;
    memset(&expected, 0, sizeof expected);
    CHECK_EQ(find_order(queue, &expected) + find_sums(queue, &expected), 0);
    check_found(&expected);
    for (size_t c = 0; c < 8; c++) {
        const struct caller caller = {c < 4, roundings[c % 4]};
        memset(&found, 0, sizeof found);
        enter(&caller);
        const unsigned failed = find_order(queue, &found) + find_sums(queue, &found);
        leave(&caller);
        CHECK_EQ(failed, 0);
        check_found(&found);
        CHECK(check_same(&found, &expected, sizeof found));
    }
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
    check_algorithms(queues[0]);
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
