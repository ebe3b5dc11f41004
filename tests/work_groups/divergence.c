/* SPDX-License-Identifier: Apache-2.0
 *
 * Work-items that do not come to the same barriers: the command fails and says where, nothing
 * hangs, reduction variables keep their values, and the queue goes on.
 */
#include "tests/work_groups/divergence.kernels.h"

#include "tests/conformance/queues.h"
#include "tests/support/memory.h"
#include "tests/work_groups/shapes.h"

#include <unistd.h>

enum { FIRST = 5, MOST_PLACES = 3 };

/* What the message has to say of a place: how many items are there, by which word, in which line.
 * The items: `each` times FIRST, and where it is 0, all others. */
struct standing {
    size_t each;
    const char *word;
    unsigned line;
};

/* Of the items that are done: as in struct standing, except 0, which means none. */
enum { NONE_IS_DONE = 0, FIRST_ARE_DONE = 1, OTHERS_ARE_DONE = 2 };

static const struct {
    const char *name;
    const struct reap_kernel *kernel;
    struct standing standing[MOST_PLACES];
    int done;
    bool elsewhere; /* the others, at more places than the message names */
} cases[] = {
    {"two_branches",
     &reap_kernel_two_branches,
     {{1, "reap_barrier", TWO_BRANCHES_FIRST}, {0, "reap_barrier", TWO_BRANCHES_SECOND}},
     NONE_IS_DONE,
     false},
    {"return_before_barrier",
     &reap_kernel_return_before_barrier,
     {{0, "reap_barrier", AFTER_RETURN}},
     FIRST_ARE_DONE,
     false},
    {"unequal_trips",
     &reap_kernel_unequal_trips,
     {{0, "reap_barrier", IN_LOOP}},
     FIRST_ARE_DONE,
     false},
    {"barrier_of_few",
     &reap_kernel_barrier_of_few,
     {{1, "reap_barrier", ONLY_FIRST}},
     NONE_IS_DONE,
     false},
    {"algorithm_or_barrier",
     &reap_kernel_algorithm_or_barrier,
     {{1, "reap_group_reduce", ALGORITHM}, {0, "reap_barrier", BARRIER_INSTEAD}},
     NONE_IS_DONE,
     false},
    {"two_algorithms",
     &reap_kernel_two_algorithms,
     {{1, "reap_group_inclusive_scan", ONE_ALGORITHM},
      {0, "reap_group_broadcast", OTHER_ALGORITHM}},
     NONE_IS_DONE,
     false},
    {"three_places",
     &reap_kernel_three_places,
     {{1, "reap_barrier", PLACE_1}, {1, "reap_barrier", PLACE_2}, {0, "reap_barrier", PLACE_3}},
     NONE_IS_DONE,
     false},
    {"many_places",
     &reap_kernel_many_places,
     {{1, "reap_barrier", MANY_1}, {1, "reap_barrier", MANY_2}, {1, "reap_barrier", MANY_3}},
     NONE_IS_DONE,
     true},
};
enum { CASES = sizeof cases / sizeof *cases };

static bool says(const char *text)
{
    return strstr(reap_last_error(), text) != NULL;
}

/* "5 are at reap_barrier (...divergence.kernels.h:37)" */
static bool says_standing(const struct standing *standing, size_t others)
{
    char text[80], place[80];
    const size_t count = standing->each > 0 ? standing->each * FIRST : others;
    snprintf(text, sizeof text, "%zu %s at %s (", count, count == 1 ? "is" : "are", standing->word);
    snprintf(place, sizeof place, "divergence.kernels.h:%u)", standing->line);
    const char *found = strstr(reap_last_error(), text);
    while (found != NULL) {
        const char *end = strchr(found, ')');
        const size_t length = end != NULL ? (size_t)(end + 1 - found) : 0;
        if (length > strlen(place) && strncmp(end + 1 - strlen(place), place, strlen(place)) == 0)
            return true;
        found = strstr(found + 1, text);
    }
    return false;
}

static void check_places(size_t c, size_t size)
{
    size_t others = size, done[3] = {0, FIRST, 0};
    for (size_t p = 0; p < MOST_PLACES; p++)
        others -= cases[c].standing[p].each * FIRST;
    others -= cases[c].done == FIRST_ARE_DONE ? FIRST : 0;
    for (size_t p = 0; p < MOST_PLACES && cases[c].standing[p].word != NULL; p++)
        CHECK(says_standing(&cases[c].standing[p], others));
    char text[40];
    snprintf(text, sizeof text, "%zu %s done", done[cases[c].done],
             done[cases[c].done] == 1 ? "is" : "are");
    if (cases[c].done != NONE_IS_DONE)
        CHECK(says(text));
    snprintf(text, sizeof text, ", %zu elsewhere", others);
    CHECK_EQ(says(cases[c].elsewhere ? text : " elsewhere"), cases[c].elsewhere);
}

static void check_message(size_t c, const struct shape *shape, size_t bad)
{
    char text[80];
    snprintf(text, sizeof text, "'%s'", cases[c].name);
    CHECK(says(text));
    snprintf(text, sizeof text, "group (%zu, %zu, %zu)",
             bad / shape->groups[2] / shape->groups[1] % shape->groups[0],
             bad / shape->groups[2] % shape->groups[1], bad % shape->groups[2]);
    CHECK(bad == EVERY_GROUP || says(text));
    CHECK(strchr(reap_last_error(), '\n') == NULL);
    check_places(c, shape_group_items(shape));
}

/* The same kernel on the same queue, with no bad group. */
static void check_good(reap_queue *queue, size_t c, const struct shape *shape,
                       struct reap_arguments_two_branches arguments)
{
    const size_t items = shape_items(shape);
    const bool every_time = cases[c].kernel != &reap_kernel_barrier_of_few &&
                            cases[c].kernel != &reap_kernel_many_places;
    uint64_t sum = 7;
    size_t wrong = 0;
    arguments.bad = shape_groups(shape);
    arguments.sum.variable = &sum;
    memset(arguments.y, 0, items * sizeof *arguments.y);
    CHECK_LAUNCH(reap_launch(queue, cases[c].kernel, &arguments), queue);
    for (size_t i = 0; i < items; i++)
        wrong += arguments.y[i] != 1;
    CHECK_EQ(wrong, 0);
    CHECK(cases[c].kernel == &reap_kernel_algorithm_or_barrier || !every_time ||
          sum == 7 + 2 * items);
    check_comparisons++;
}

static void check_case(reap_queue *queue, size_t c, const struct shape *shape, size_t bad)
{
    const unsigned long failed = check_failures;
    uint32_t *y = test_allocate(shape_items(shape) * sizeof *y);
    uint64_t sum = 42;
    reap_event *event = NULL;
    struct reap_arguments_two_branches arguments = {shape_range(shape),
                                                    .bad = bad,
                                                    .first = FIRST,
                                                    .y = y,
                                                    .sum = {.variable = &sum},
                                                    .shared = shape_group_items(shape),
                                                    .launch = {.event = &event}};
    CHECK_STATUS(reap_launch(queue, cases[c].kernel, &arguments), REAP_OK);
    CHECK_STATUS(reap_event_wait(event), REAP_ERROR_DIVERGENT_BARRIER);
    check_message(c, shape, bad);
    CHECK_STATUS(reap_queue_wait(queue), REAP_ERROR_DIVERGENT_BARRIER);
    check_message(c, shape, bad);
    CHECK_EQ(sum, 42);
    if (check_failures > failed) {
        fprintf(stderr, "  bad group %zu: \"%s\"\n", bad, reap_last_error());
        shape_tell(shape);
    }
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    reap_event_release(event);
    arguments.launch.event = NULL;
    check_good(queue, c, shape, arguments);
    free(y);
}

/* In the first, the middle and the last group, and in all of them. */
static void check_shape(reap_queue *queue, const struct shape *shape)
{
    const size_t groups = shape_groups(shape), bad[] = {0, groups / 2, groups - 1, EVERY_GROUP};
    for (size_t c = 0; c < CASES; c++)
        for (size_t b = 0; b < 4; b++)
            check_case(queue, c, shape, bad[b]);
}

int main(void)
{
    static const struct shape bad_shapes[] = {
        SHAPE_1D(1, 26),   {2, {6, 9, 1}, {3, 5, 1}},
#ifndef REAP_TESTS_FEW_ITEMS
        SHAPE_1D(7, 100),  SHAPE_1D(300, 32),         SHAPE_1D(3, 1000),
        SHAPE_1D(2, 4096), {3, {4, 5, 6}, {2, 3, 2}},
#endif
    };
    reap_queue *queues[QUEUES];
    alarm(100);
    queues_open(queues);
    for (size_t s = 0; s < sizeof bad_shapes / sizeof *bad_shapes; s++)
        for (size_t q = 0; q < queue_count; q++)
            if (q == s % queue_count || shape_items(&bad_shapes[s]) < 1000 || !test_samples())
                check_shape(queues[q], &bad_shapes[s]);
    queues_close(queues);
    return check_finish();
}
