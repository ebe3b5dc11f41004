/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of a group's work-items combine into a reduction: all, none, all except the last, only the
 * last, every other, ... With operators that have no identity each device keeps a flag for each
 * item, which compilers have taken for one that all items share. All operators here are commutative
 * and associative, so that a serial loop says what must come out.
 */
#include "tests/work_groups/skips.kernels.h"

#include "tests/conformance/queues.h"
#include "tests/support/memory.h"

enum { START = 5 };

struct data {
    size_t size, items;
    uint8_t *when;
    uint32_t *x;
};

struct results {
    uint32_t largest, sum;
    extremes ends;
    bool any;
};

static const struct results start = {START, START, {START, START, START, START}, false};

static void add(struct results *results, uint32_t v)
{
    results->largest = v > results->largest ? v : results->largest;
    results->ends.least = v < results->ends.least ? v : results->ends.least;
    results->ends.most = v > results->ends.most ? v : results->ends.most;
    results->ends.count++;
    results->ends.parity = (uint16_t)(results->ends.parity ^ v);
    results->sum += v;
    results->any = true;
}

/* With is_once, an item combines its x once, however often it is asked to. */
static struct results expect(const struct data *data, bool is_once)
{
    struct results expected = start;
    for (size_t i = 0; i < data->items; i++) {
        if (is_once ? data->when[i] != 0 : data->when[i] & 1)
            add(&expected, data->x[i]);
        if (!is_once && (data->when[i] & 2))
            add(&expected, ~data->x[i]);
    }
    return expected;
}

static bool all(size_t item, size_t size, size_t group, uint64_t *random)
{
    (void)item, (void)size, (void)group, (void)random;
    return true;
}

static bool none(size_t item, size_t size, size_t group, uint64_t *random)
{
    (void)item, (void)size, (void)group, (void)random;
    return false;
}

static bool all_but_last(size_t item, size_t size, size_t group, uint64_t *random)
{
    (void)group, (void)random;
    return item + 1 < size;
}

static bool last(size_t item, size_t size, size_t group, uint64_t *random)
{
    return !all_but_last(item, size, group, random);
}

static bool first(size_t item, size_t size, size_t group, uint64_t *random)
{
    (void)size, (void)group, (void)random;
    return item == 0;
}

static bool even(size_t item, size_t size, size_t group, uint64_t *random)
{
    (void)size, (void)group, (void)random;
    return item % 2 == 0;
}

static bool odd(size_t item, size_t size, size_t group, uint64_t *random)
{
    return !even(item, size, group, random);
}

static bool every_other_group(size_t item, size_t size, size_t group, uint64_t *random)
{
    (void)item, (void)size, (void)random;
    return group % 2 == 0;
}

static bool at_random(size_t item, size_t size, size_t group, uint64_t *random)
{
    (void)item, (void)size, (void)group;
    return check_random(random) % 2 == 0;
}

/* Which items of a group combine. */
static const struct {
    const char *name;
    bool (*combines)(size_t item, size_t size, size_t group, uint64_t *random);
} patterns[] = {
    {"all", all},
    {"none", none},
    {"all except the last", all_but_last},
    {"last", last},
    {"first", first},
    {"even", even},
    {"odd", odd},
    {"every other group", every_other_group},
    {"at random", at_random},
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

static void draw(struct data *data, size_t pattern, uint8_t bits, uint64_t *random)
{
    for (size_t i = 0; i < data->items; i++) {
        const size_t group = i / data->size, item = i % data->size;
        const bool combines = patterns[pattern].combines(item, data->size, group, random);
        data->when[i] = combines ? bits : 0;
        data->x[i] = (uint32_t)check_random(random);
    }
}

static void compare(const char *kernel, const struct results *results,
                    const struct results *expected)
{
    const unsigned long failed = check_failures;
    CHECK_EQ(results->largest, expected->largest);
    CHECK_EQ(results->sum, expected->sum);
    CHECK_EQ(results->any, expected->any);
    CHECK_EQ(results->ends.least, expected->ends.least);
    CHECK_EQ(results->ends.most, expected->ends.most);
    CHECK_EQ(results->ends.count, expected->ends.count);
    CHECK_EQ(results->ends.parity, expected->ends.parity);
    if (check_failures > failed)
        fprintf(stderr, "  kernel %s\n", kernel);
}

static void check_all(reap_queue *queue, const struct data *data)
{
    static const struct reap_kernel *const kernels[] = {&reap_kernel_skip_without_barrier,
                                                        &reap_kernel_skip_around_barrier,
                                                        &reap_kernel_skip_in_phases};
    const struct results expected = expect(data, false);
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        struct results results = start;
        const struct reap_arguments_skip_in_phases arguments = {
            reap_nd_range_1d(data->items, data->size),
            .when = data->when,
            .x = data->x,
            .largest = {.variable = &results.largest},
            .ends = {.variable = &results.ends},
            .any = {.variable = &results.any},
            .sum = {.variable = &results.sum},
            .shared = data->size};
        CHECK_LAUNCH(reap_launch(queue, kernels[k], &arguments), queue);
        compare(kernels[k]->name, &results, &expected);
    }
}

static void check_single(reap_queue *queue, const struct data *data)
{
    const reap_range range = reap_nd_range_1d(data->items, data->size);
    const struct results expected = expect(data, true);
    uint32_t largest = START;
    CHECK_LAUNCH(reap_parallel_for(queue, skip_one, range, .when = data->when, .x = data->x,
                                   .largest = {.variable = &largest}),
                 queue);
    CHECK_EQ(largest, expected.largest);
    largest = START;
    CHECK_LAUNCH(reap_parallel_for(queue, skip_one_in_a_phase, range, .when = data->when,
                                   .x = data->x, .largest = {.variable = &largest}),
                 queue);
    CHECK_EQ(largest, expected.largest);
    extremes ends = start.ends;
    CHECK_LAUNCH(reap_parallel_for(queue, skip_struct, range, .when = data->when, .x = data->x,
                                   .ends = {.variable = &ends}),
                 queue);
    CHECK(ends.least == expected.ends.least && ends.most == expected.ends.most);
    CHECK(ends.count == expected.ends.count && ends.parity == expected.ends.parity);
    bool in_phase = false, with_barrier = false;
    CHECK_LAUNCH(reap_parallel_for(queue, skip_or, range, .when = data->when,
                                   .any = {.variable = &in_phase}),
                 queue);
    CHECK_LAUNCH(reap_parallel_for(queue, skip_or_with_barrier, range, .when = data->when,
                                   .any = {.variable = &with_barrier}),
                 queue);
    CHECK_EQ(in_phase, expected.any);
    CHECK_EQ(with_barrier, expected.any);
}

static void check_size(reap_queue *const *queues, size_t size, size_t groups, uint64_t *random)
{
    struct data data = {.size = size, .items = size * groups};
    data.when = test_allocate(data.items);
    data.x = test_allocate(data.items * sizeof *data.x);
    for (size_t pattern = 0; pattern < PATTERNS; pattern++)
        for (uint8_t bits = 1; bits < 4; bits++) {
            const unsigned long failed = check_failures;
            draw(&data, pattern, bits, random);
            for (size_t q = 0; q < queue_count; q++) {
                check_all(queues[q], &data);
                check_single(queues[q], &data);
            }
            if (check_failures > failed)
                fprintf(stderr, "  %s, %zu groups of %zu, times %u\n", patterns[pattern].name,
                        groups, size, bits);
        }
    free(data.when);
    free(data.x);
}

int main(void)
{
    static const size_t sizes[] = {4, 1, 2, 7, 3, 64};
    uint64_t random = check_seed();
    reap_queue *queues[QUEUES];
    queues_open(queues);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s += test_on_device() ? 3 : 1) {
        check_size(queues, sizes[s], 1, &random);
        check_size(queues, sizes[s], 5, &random);
    }
    queues_close(queues);
    return check_finish();
}
