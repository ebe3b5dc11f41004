/* SPDX-License-Identifier: Apache-2.0
 *
 * nd_ranges that a launch refuses, with the figures in the message, and nothing has run; and
 * commands that fail, since a kernel waits without other items, asks for an id where
 * a group is missing, or takes too many private variables. Variables keep their values, and the
 * queue goes on.
 */
#include "tests/work_groups/refusals.kernels.h"

#include "tests/conformance/queues.h"

#include <unistd.h>

static bool says(const char *text)
{
    return strstr(reap_last_error(), text) != NULL;
}

/* What the message must say of the range, beside the kernel's name; NULL: nothing more. */
static const struct {
    reap_range range;
    const char *figures[2];
} ranges[] = {
    {{{10, 1, 1}, {3, 1, 1}, 1}, {"10", "3"}},
    {{{5, 1, 1}, {7, 1, 1}, 1}, {"5", "7"}},
    {{{12, 10, 1}, {4, 3, 1}, 2}, {"10 work-items in dimension 1", "3"}},
    {{{2, 3, 9}, {1, 3, 2}, 3}, {"9 work-items in dimension 2", "2"}},
    {{{12, 1, 1}, {0, 1, 1}, 1}, {"dimension 0", NULL}},
    {{{12, 12, 1}, {4, 0, 1}, 2}, {"dimension 1", NULL}},
    {{{4, 4, 4}, {1, 2, 0}, 3}, {"dimension 2", NULL}},
    {{{12, 1, 1}, {0, 0, 0}, 1}, {"reap_nd_range_1d", NULL}},
    {{{12, 3, 1}, {0, 0, 0}, 2}, {"reap_nd_range_2d", NULL}},
    {{{8194, 1, 1}, {4097, 1, 1}, 1}, {"4097", "4096"}},
    {{{128, 66, 1}, {64, 66, 1}, 2}, {"4224", "4096"}},
    {{{17, 17, 17}, {17, 17, 17}, 3}, {"4913", "4096"}},
    {{{(size_t)1 << 40, (size_t)1 << 20, 1}, {(size_t)1 << 40, (size_t)1 << 20, 1}, 2},
     {"4096", NULL}},
};

static void check_range(reap_queue *queue, size_t r)
{
    const struct reap_kernel *const kernels[] = {&reap_kernel_in_groups, &reap_kernel_in_phases};
    const unsigned long failed = check_failures;
    for (size_t k = 0; k < 2; k++) {
        uint64_t sum = 42;
        const struct reap_arguments_in_groups arguments = {
            ranges[r].range, .sum = {.variable = &sum}, .few = 1, .many = 1};
        CHECK_STATUS(reap_launch(queue, kernels[k], &arguments), REAP_ERROR_INVALID_ARGUMENT);
        CHECK(says(k == 0 ? "'in_groups'" : "'in_phases'"));
        CHECK(says(ranges[r].figures[0]));
        CHECK(ranges[r].figures[1] == NULL || says(ranges[r].figures[1]));
        CHECK(sum == 42 && reap_queue_wait(queue) == REAP_OK);
    }
    if (check_failures > failed)
        fprintf(stderr, "  range %zu: \"%s\"\n", r, reap_last_error());
}

/* Each kind of kernel with the other's kind of range. */
static void check_kinds(reap_queue *queue)
{
    uint64_t sum = 42;
    CHECK(reap_parallel_for(queue, in_range, reap_nd_range_1d(12, 4), .sum = {.variable = &sum}) ==
          REAP_ERROR_INVALID_ARGUMENT);
    CHECK(says("'in_range'") && says("REAP_ND_KERNEL"));
    CHECK(reap_parallel_for(queue, in_range, reap_nd_range_3d(4, 4, 4, 1, 2, 4),
                            .sum = {.variable = &sum}) == REAP_ERROR_INVALID_ARGUMENT);
    CHECK(reap_parallel_for(queue, without_local, reap_range_1d(12), .sum = {.variable = &sum}) ==
          REAP_ERROR_INVALID_ARGUMENT);
    CHECK(says("'without_local'") && says("reap_nd_range_1d"));
    CHECK(reap_parallel_for(queue, without_local, reap_range_3d(2, 2, 2),
                            .sum = {.variable = &sum}) == REAP_ERROR_INVALID_ARGUMENT);
    CHECK(says("reap_nd_range_3d"));
    CHECK_EQ(sum, 42);
}

/* The largest group, all local memory of the device, and one byte more. */
static void check_limits(reap_queue *queue)
{
    reap_device_info info;
    uint64_t sum = 0;
    char figure[40];
    CHECK_STATUS(reap_device_get_info(reap_queue_device(queue), &info), REAP_OK);
    CHECK_EQ(info.max_work_group_size, 4096);
    const size_t bytes = info.local_memory_bytes, most = info.max_work_group_size;
    const reap_range range = reap_nd_range_1d(2 * most, most);
    CHECK_LAUNCH(reap_parallel_for(queue, in_groups, range, .sum = {.variable = &sum},
                                   .few = bytes / 8, .many = bytes / 16),
                 queue);
    CHECK_EQ(sum, 2 * most);
    const size_t too_many[][2] = {
        {bytes / 4, 1}, {bytes / 4 + 1, 1}, {1, bytes / 8},       {bytes / 8 + 1, bytes / 16},
        {SIZE_MAX, 1},  {1, SIZE_MAX},      {SIZE_MAX / 4 + 2, 1}};
    for (size_t i = 0; i < sizeof too_many / sizeof *too_many; i++) {
        CHECK(reap_parallel_for(queue, in_groups, range, .sum = {.variable = &sum},
                                .few = too_many[i][0],
                                .many = too_many[i][1]) == REAP_ERROR_INVALID_ARGUMENT);
        snprintf(figure, sizeof figure, "%zu bytes", bytes);
        CHECK(says("'in_groups'") && says(figure) && (says("'few'") || says("'many'")));
    }
    CHECK(reap_parallel_for(queue, in_phases, range, .sum = {.variable = &sum}, .few = 1) ==
          REAP_ERROR_INVALID_ARGUMENT);
    CHECK(says("'in_phases'") && says("'many'"));
    CHECK_EQ(sum, 2 * most);
}

/* Nothing runs in an empty range, so that local memory may be empty, too. */
static void check_empty(reap_queue *queue)
{
    uint64_t sum = 42;
    CHECK_LAUNCH(
        reap_parallel_for(queue, in_groups, reap_nd_range_1d(0, 8), .sum = {.variable = &sum}),
        queue);
    CHECK_EQ(sum, 42);
}

enum { ITEMS = 100000 };

static const struct {
    const struct reap_kernel *kernel;
    const char *name, *word;
    unsigned line; /* 0: none is named */
    reap_status status;
    bool has_groups;
} failures[] = {
    {&reap_kernel_barrier_in_range, "'barrier_in_range'", "reap_barrier", BARRIER_IN_RANGE,
     REAP_ERROR_DIVERGENT_BARRIER, false},
    {&reap_kernel_algorithm_in_range, "'algorithm_in_range'", "reap_group_reduce",
     ALGORITHM_IN_RANGE, REAP_ERROR_DIVERGENT_BARRIER, false},
    {&reap_kernel_barrier_in_phase, "'barrier_in_phase'", "reap_barrier", BARRIER_IN_RANGE,
     REAP_ERROR_DIVERGENT_BARRIER, true},
    {&reap_kernel_algorithm_in_phase, "'algorithm_in_phase'", "reap_group_reduce",
     ALGORITHM_IN_RANGE, REAP_ERROR_DIVERGENT_BARRIER, true},
    {&reap_kernel_too_many_words, "'too_many_words'", "reap_item_private", 0,
     REAP_ERROR_OUT_OF_MEMORY, true},
};

/* The item that waits, or all the range's items where it is none of them. */
static void check_failure(reap_queue *queue, size_t f, size_t waiting)
{
    const unsigned long failed = check_failures;
    const bool fails = waiting < ITEMS;
    uint64_t sum = 42;
    uint32_t bins[2] = {1, 2};
    reap_event *event = NULL;
    char place[40];
    const struct reap_arguments_barrier_in_range arguments = {
        failures[f].has_groups ? reap_nd_range_1d(ITEMS, 50) : reap_range_1d(ITEMS),
        .waiting = waiting, .sum = {.variable = &sum}, .bins = {.variable = bins, .count = 2},
        .launch = {.event = &event}};
    snprintf(place, sizeof place, "refusals.kernels.h:%u", failures[f].line);
    CHECK_STATUS(reap_launch(queue, failures[f].kernel, &arguments), REAP_OK);
    CHECK_EQ(reap_event_wait(event), (fails ? failures[f].status : REAP_OK));
    CHECK(!fails || (says(failures[f].name) && says(failures[f].word)));
    CHECK(!fails || failures[f].line == 0 || says(place));
    CHECK_EQ(reap_queue_wait(queue), (fails ? failures[f].status : REAP_OK));
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK_EQ(sum, (fails ? 42 : 42 + ITEMS));
    CHECK(bins[0] == (fails ? 1 : 1 + ITEMS) && bins[1] == 2);
    reap_event_release(event);
    if (check_failures > failed)
        fprintf(stderr, "  %s, item %zu: \"%s\"\n", failures[f].name, waiting, reap_last_error());
}

/* The words that need a group, as choose_id numbers them, and each word's sum over the items of
 * three groups of four. The last one needs none. */
static const struct {
    const char *name;
    uint64_t sum;
} words[] = {
    {"reap_local_id", 18},      {"reap_local_linear_id", 18}, {"reap_local_range", 48},
    {"reap_group_id", 12},      {"reap_group_linear_id", 12}, {"reap_group_range", 36},
    {"reap_global_range", 144},
};

/* In helpers, which know the item's kind as the program runs: a range's items fail. */
static void check_word_in_range(reap_queue *queue, const struct reap_kernel *kernel, size_t word)
{
    const bool fails = word < 6;
    uint64_t sum = 42;
    char place[60];
    const struct reap_arguments_id_in_range arguments = {reap_range_1d(12), .word = word,
                                                         .sum = {.variable = &sum}};
    snprintf(place, sizeof place, "refusals.kernels.h:%u) needs a work-group",
             ID_IN_RANGE + 2 * (unsigned)word);
    reap_status status = reap_launch(queue, kernel, &arguments);
    if (status == REAP_OK)
        status = reap_queue_wait(queue);
    CHECK_EQ(status, (fails ? REAP_ERROR_DIVERGENT_BARRIER : REAP_OK));
    CHECK(!fails || (says("'id_in_range") && says(words[word].name) && says(place)));
    CHECK(!fails || says("make the kernel a REAP_ND_KERNEL"));
    CHECK_EQ(sum, (fails ? 42 : 42 + words[word].sum));
    CHECK_EQ(reap_queue_wait(queue), (fails ? status : REAP_OK));
}

static void check_word_in_groups(reap_queue *queue, const struct reap_kernel *kernel, size_t word)
{
    uint64_t sum = 42;
    const struct reap_arguments_id_in_range arguments = {reap_nd_range_1d(12, 4), .word = word,
                                                         .sum = {.variable = &sum}};
    CHECK_LAUNCH(reap_launch(queue, kernel, &arguments), queue);
    CHECK_EQ(sum, 42 + 2 * words[word].sum);
}

static void check_words(reap_queue *queue)
{
    for (size_t word = 0; word < sizeof words / sizeof *words; word++) {
        const unsigned long failed = check_failures;
        check_word_in_range(queue, &reap_kernel_id_in_range, word);
        check_word_in_range(queue, &reap_kernel_id_in_range_apart, word);
        check_word_in_groups(queue, &reap_kernel_id_in_groups, word);
        check_word_in_groups(queue, &reap_kernel_id_in_phases, word);
        if (check_failures > failed)
            fprintf(stderr, "  %s: \"%s\"\n", words[word].name, reap_last_error());
    }
}

int main(void)
{
    reap_queue *queues[QUEUES];
    alarm(100);
    queues_open(queues);
    if (test_skips("limits of the host and its divergent barriers", "they are the host's")) {
        check_kinds(queues[0]);
        check_empty(queues[0]);
        queues_close(queues);
        return check_finish();
    }
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
        check_range(queues[r % QUEUES], r);
    for (size_t q = 0; q < queue_count; q++) {
        check_kinds(queues[q]);
        check_limits(queues[q]);
        check_empty(queues[q]);
        check_words(queues[q]);
        for (size_t f = 0; f < sizeof failures / sizeof *failures; f++) {
            check_failure(queues[q], f, 0);
            check_failure(queues[q], f, ITEMS / 2 + 3);
            check_failure(queues[q], f, ITEMS - 1);
            check_failure(queues[q], f, ITEMS);
        }
    }
    queues_close(queues);
    return check_finish();
}
