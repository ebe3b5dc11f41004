/* SPDX-License-Identifier: Apache-2.0
 *
 * What reap_identity() reads: the operator's own identity, or the launch's; and the refusal of a
 * launch without one.
 */
#include "tests/conformance/identities.kernels.h"

#include "tests/conformance/queues.h"
#include "tests/support/memory.h"

#include <float.h>
#include <math.h>

enum { MOST_ITEMS = 5000, WORDS = 3, GROUP = 10 };

struct results {
    float sum, exact;
    int32_t least;
    uint32_t largest, words[WORDS];
    extent widened;
    double most;
    uint64_t at;
    reap_bfloat16 products[2];
};

/* What a launch gives: everything, or what operators lack. */
static const uint32_t of_larger = 1000;
static const float of_sum = -0.0f;
static const int32_t of_least = 77;
static const double of_most = -5.5;
static const extent of_widened = {1e20f, -1e20f, 0};
static const reap_bfloat16 of_products = {0x3f81};

static const struct results begin = {.products = {{0x3f80}, {0x3f80}}};

static reap_status launch(reap_queue *queue, size_t items, bool gives_all, const uint32_t *x,
                          identities *read, struct results *r)
{
    return reap_parallel_for(
        queue, read_identities, reap_range_1d(items), .x = x, .read = read,
        .sum = {.variable = &r->sum, .identity = gives_all ? &of_sum : NULL},
        .exact = {.variable = &r->exact},
        .least = {.variable = &r->least, .identity = gives_all ? &of_least : NULL},
        .largest = {.variable = &r->largest, .identity = &of_larger},
        .widened = {.variable = &r->widened, .identity = gives_all ? &of_widened : NULL},
        .most = {.variable = &r->most, .identity = gives_all ? &of_most : NULL, .location = &r->at},
        .products = {.variable = r->products,
                     .identity = gives_all ? &of_products : NULL,
                     .count = 2},
        .words = {.variable = r->words, .identity = &of_larger, .count = WORDS});
}

static void check_read(const identities *read, size_t items, bool gives_all)
{
    const extent own = {1e30f, -1e30f, 0};
    const extent *widened = gives_all ? &of_widened : &own;
    size_t right = 0;
    for (size_t i = 0; i < items; i++)
        right +=
            read[i].sum == 0 && !signbit(read[i].sum) == !gives_all && read[i].exact == 0 &&
            signbit(read[i].exact) && read[i].exact_float == 0 && signbit(read[i].exact_float) &&
            read[i].exact_double == 0 && signbit(read[i].exact_double) &&
            read[i].least == (gives_all ? of_least : INT32_MAX) && read[i].largest == of_larger &&
            read[i].words == of_larger && read[i].widened.low == widened->low &&
            read[i].widened.high == widened->high && read[i].widened.count == 0 &&
            read[i].most == (gives_all ? of_most : (double)-INFINITY) &&
            read[i].products.bits == (gives_all ? 0x3f81 : 0x3f80);
    CHECK_EQ(right, items);
}

/* The values of the operators that are combined with; the rest is of no interest here. */
static void check_results(const struct results *r, const uint32_t *x, size_t items)
{
    uint32_t largest = of_larger, words[WORDS] = {of_larger, of_larger, of_larger};
    uint32_t low = x[0], high = x[0];
    for (size_t i = 0; i < items; i++) {
        largest = x[i] > largest ? x[i] : largest;
        words[i % WORDS] = x[i] > words[i % WORDS] ? x[i] : words[i % WORDS];
        low = x[i] < low ? x[i] : low;
        high = x[i] > high ? x[i] : high;
    }
    CHECK_EQ(r->exact, (float)items);
    CHECK_EQ(r->largest, largest);
    for (size_t w = 0; w < WORDS && w < items; w++)
        CHECK_EQ(r->words[w], words[w]);
    CHECK_EQ(r->widened.count, items);
    CHECK_EQ(r->widened.high, (float)high);
    CHECK_EQ(r->widened.low, 0.0f < (float)low ? 0.0f : (float)low);
}

static void check_range(reap_queue *queue, size_t items, const uint32_t *x)
{
    identities *read = test_allocate(items * sizeof *read);
    for (unsigned gives_all = 0; gives_all < 2; gives_all++) {
        struct results results = begin;
        memset(read, 0xff, items * sizeof *read);
        CHECK_LAUNCH(launch(queue, items, gives_all != 0, x, read, &results), queue);
        check_read(read, items, gives_all != 0);
        check_results(&results, x, items);
    }
    free(read);
}

typedef reap_status launch_groups(reap_queue *queue, size_t items, const uint32_t *x,
                                  const uint32_t *identity, uint32_t *read, uint32_t *largest);

static reap_status launch_items(reap_queue *queue, size_t items, const uint32_t *x,
                                const uint32_t *identity, uint32_t *read, uint32_t *largest)
{
    return reap_parallel_for(queue, read_in_groups, reap_nd_range_1d(items, GROUP), .x = x,
                             .read = read, .shared = GROUP,
                             .largest = {.variable = largest, .identity = identity});
}

static reap_status launch_phases(reap_queue *queue, size_t items, const uint32_t *x,
                                 const uint32_t *identity, uint32_t *read, uint32_t *largest)
{
    return reap_parallel_for(queue, read_in_phases, reap_nd_range_1d(items, GROUP), .x = x,
                             .read = read, .shared = GROUP,
                             .largest = {.variable = largest, .identity = identity});
}

static void check_groups(reap_queue *queue, launch_groups *launches, size_t items,
                         const uint32_t *x)
{
    uint32_t *read = test_allocate(items * sizeof *read), largest = 0, expected = of_larger;
    size_t right = 0;
    CHECK_STATUS(launches(queue, items, x, NULL, read, &largest), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_HAS(reap_last_error(), "'largest' has no identity, which the kernel reads");
    CHECK_LAUNCH(launches(queue, items, x, &of_larger, read, &largest), queue);
    for (size_t i = 0; i < items; i++) {
        right += read[i] == of_larger;
        expected = x[i] > expected ? x[i] : expected;
    }
    CHECK_EQ(right, items);
    CHECK_EQ(largest, expected);
    free(read);
}

/* Refused before anything runs. */
static void check_refusal(reap_queue *queue, const uint32_t *x)
{
    struct results results = begin;
    identities *read = test_allocate(GROUP * sizeof *read);
    memset(read, 0x5a, GROUP * sizeof *read);
    identities before = read[0];
    CHECK_STATUS(
        reap_parallel_for(queue, read_identities, reap_range_1d(GROUP), .x = x, .read = read,
                          .sum = &results.sum, .exact = &results.exact, .least = &results.least,
                          .largest = {.variable = &results.largest, .identity = &of_larger},
                          .widened = &results.widened,
                          .most = {.variable = &results.most, .location = &results.at},
                          .products = {.variable = results.products, .count = 2},
                          .words = {.variable = results.words, .count = WORDS}),
        REAP_ERROR_INVALID_ARGUMENT);
    CHECK_HAS(reap_last_error(), "kernel 'read_identities': argument 'words' has no identity");
    CHECK_HAS(reap_last_error(), ".identity");
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK(memcmp(&results, &begin, sizeof begin) == 0);
    CHECK(memcmp(&read[0], &before, sizeof before) == 0);
    free(read);
}

/* The arguments and identities of a launch that runs later are the library's. */
static void check_asynchronous(const uint32_t *x)
{
    const reap_queue_options options = {.asynchronous = true};
    reap_queue *queue;
    uint32_t *read = test_allocate(MOST_ITEMS * sizeof *read), largest = 0;
    size_t right = 0;
    if (!CHECK_STATUS(reap_queue_create(NULL, &options, &queue), REAP_OK))
        exit(check_finish());
    for (unsigned n = 0; n < 20; n++) {
        uint32_t passing = of_larger + n;
        CHECK_STATUS(launch_items(queue, MOST_ITEMS, x, &passing, read, &largest), REAP_OK);
        passing = 0;
    }
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    for (size_t i = 0; i < MOST_ITEMS; i++)
        right += read[i] == of_larger + 19;
    CHECK_EQ(right, MOST_ITEMS);
    free(read);
    reap_queue_release(queue);
}

int main(void)
{
    static const size_t counts[] = {1, 10, 70, 1000, MOST_ITEMS};
    uint64_t random = check_seed();
    uint32_t *x = test_allocate(MOST_ITEMS * sizeof *x);
    reap_queue *queues[QUEUES];
    for (size_t i = 0; i < MOST_ITEMS; i++)
        x[i] = (uint32_t)check_random(&random) >> (check_random(&random) % 24);
    queues_open(queues);
    for (size_t q = 0; q < queue_count; q++) {
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            check_range(queues[q], counts[c], x);
            check_groups(queues[q], launch_items, counts[c] / GROUP * GROUP, x);
            check_groups(queues[q], launch_phases, counts[c] / GROUP * GROUP, x);
        }
        check_refusal(queues[q], x);
    }
    check_asynchronous(x);
    queues_close(queues);
    free(x);
    return check_finish();
}
