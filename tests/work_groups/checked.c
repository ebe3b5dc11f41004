/* SPDX-License-Identifier: Apache-2.0
 *
 * Checked execution (REAP_CHECK=1): items run from the last to the first, groups in another order,
 * local memory holds a pattern at first, and what is written just before or after it is reported.
 */
#define _XOPEN_SOURCE 700 /* setenv */
#include "src/port/sanitizer.h"
#include "tests/work_groups/checked.kernels.h"

#include "tests/conformance/queues.h"
#include "tests/support/memory.h"
#include "tests/work_groups/shapes.h"

/* Items of one thread: each group is done before the next, and its last item comes first. */
static void check_orders(reap_queue *queue, const struct shape *shape, bool in_phase)
{
    const size_t items = shape_items(shape), size = shape_group_items(shape);
    uint32_t *turns = test_allocate(items * sizeof *turns), next = 0;
    size_t wrong = 0, in_order = 0;
    const reap_range range = shape_range(shape);
    CHECK_LAUNCH(
        in_phase
            ? reap_parallel_for(queue, number_items_in_phase, range, .next = &next, .turns = turns)
            : reap_parallel_for(queue, number_items, range, .next = &next, .turns = turns),
        queue);
    for (size_t group = 0; group < shape_groups(shape); group++) {
        const uint32_t last = turns[shape_item(shape, group, size - 1)];
        in_order += last == group * size;
        wrong += last % size != 0;
        for (size_t l = 0; l < size; l++)
            wrong += turns[shape_item(shape, group, l)] != last + size - 1 - l;
    }
    CHECK(next == items && wrong == 0);
    CHECK(shape_groups(shape) < 3 || in_order < shape_groups(shape));
    check_comparisons++;
    if (wrong > 0)
        shape_tell(shape);
    free(turns);
}

/* Groups in any order count what they count in theirs. */
static void check_counts(reap_queue *queue, const struct shape *shape, bool in_phase)
{
    enum { BINS = 23 };
    const size_t items = shape_items(shape);
    uint32_t bins[BINS] = {0}, expected[BINS] = {0}, last = 0;
    const reap_range range = shape_range(shape);
    for (size_t i = 0; i < items; i++)
        expected[i * 7 % BINS]++;
    CHECK_LAUNCH(in_phase ? reap_parallel_for(queue, count_in_phase, range, .count = BINS,
                                              .bins = {.variable = bins, .count = BINS},
                                              .last = {.variable = &last})
                          : reap_parallel_for(queue, count_by_item, range, .count = BINS,
                                              .bins = {.variable = bins, .count = BINS},
                                              .last = {.variable = &last}),
                 queue);
    CHECK(memcmp(bins, expected, sizeof bins) == 0);
    CHECK_EQ(last, items - 1);
    check_comparisons++;
}

/* No group finds what another has left there, or zeros. */
static void check_pattern(reap_queue *queue)
{
    enum { GROUPS = 40, BYTES = 19 };
    uint32_t found[GROUPS * BYTES];
    size_t wrong = 0;
    CHECK_LAUNCH(reap_parallel_for(queue, look_at_local, reap_nd_range_1d((size_t)GROUPS * 20, 20),
                                   .bytes = BYTES, .count = BYTES, .found = found),
                 queue);
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        wrong += found[i] != found[0] || found[i] < GROUPS;
    CHECK_EQ(wrong, 0);
}

static bool says(const char *text)
{
    return strstr(reap_last_error(), text) != NULL;
}

enum { WORDS = 5, NUMBERS = 3 };

static void check_overrun(reap_queue *queue, bool in_phase, bool second, ptrdiff_t at)
{
    const size_t count = second ? NUMBERS : WORDS;
    const bool fits = at >= 0 && (size_t)at < count;
    const reap_status expected = fits ? REAP_OK : REAP_ERROR_INDEX_OUT_OF_RANGE;
    const unsigned long failed = check_failures;
    uint32_t sum = 42;
    const struct reap_arguments_overrun_by_item arguments = {
        reap_nd_range_2d(6, 20, 2, 4), .group = 7,     .at = at,          .second = second,
        .sum = {.variable = &sum},     .words = WORDS, .numbers = NUMBERS};
    CHECK_EQ(reap_launch(queue,
                         in_phase ? &reap_kernel_overrun_in_phase : &reap_kernel_overrun_by_item,
                         &arguments),
             expected);
    CHECK_EQ(reap_queue_wait(queue), expected);
    CHECK_EQ(sum, (fits ? 42 + 120 : 42));
    if (!fits) {
        CHECK(says(in_phase ? "'overrun_in_phase'" : "'overrun_by_item'"));
        CHECK(says("group (1, 2, 0)"));
        CHECK(says(second ? "3 elements" : "5 elements"));
        CHECK(says(second ? "'numbers'" : "'words'"));
        CHECK(says(at < 0 ? "before" : "after"));
    }
    if (check_failures > failed)
        fprintf(stderr, "  element %td: \"%s\"\n", at, reap_last_error());
}

static void check_overruns(reap_queue *queue)
{
    for (int in_phase = 0; in_phase < 2; in_phase++)
        for (int second = 0; second < 2; second++) {
            const ptrdiff_t count = second ? NUMBERS : WORDS;
            const ptrdiff_t at[] = {0, count - 1, -1, count, count + 3, -4};
            for (size_t a = 0; a < sizeof at / sizeof *at; a++)
                check_overrun(queue, in_phase != 0, second != 0, at[a]);
        }
}

int main(void)
{
    reap_queue *queues[QUEUES];
    setenv("REAP_CHECK", "1", 1);
    queues_open(queues);
    for (size_t s = 0; s < SHAPES; s++) {
        check_orders(queues[0], &shapes[s], false);
        check_orders(queues[0], &shapes[s], true);
    }
    check_orders(queues[0], &crowds[1], false);
    check_orders(queues[0], &crowds[2], true);
    for (size_t q = 0; q < queue_count; q++) {
        check_pattern(queues[q]);
        for (size_t s = 0; s < SHAPES; s++) {
            check_counts(queues[q], &shapes[s], false);
            check_counts(queues[q], &shapes[s], true);
        }
        if (!reap__can_forbid()) /* else a tool ends the program there: tests/sanitizers */
            check_overruns(queues[q]);
    }
    queues_close(queues);
    return check_finish();
}
