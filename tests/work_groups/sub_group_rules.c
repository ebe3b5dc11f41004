/* SPDX-License-Identifier: Apache-2.0
 *
 * Where work-items are in sub-groups; votes and barriers; sub-groups of one group that do different
 * things; and what is refused: on the host work-items that part within a sub-group, with a message
 * that says where they are; on devices without sub-groups of their own a kernel in which a group's
 * work-items might not all reach the same words.
 */
#include "tests/work_groups/sub_group_refusals.kernels.h"
#include "tests/work_groups/sub_group_rules.kernels.h"
#include "tests/work_groups/sub_group_spans.kernels.h"

#include "tests/conformance/queues.h"
#include "tests/support/memory.h"
#include "tests/work_groups/sub_group_shapes.h"

#include <unistd.h>

static uint32_t *draw(size_t count, uint64_t *random)
{
    uint32_t *x = test_allocate(count * sizeof *x);
    for (size_t i = 0; i < count; i++)
        x[i] = (uint32_t)(check_random(random) % 1000);
    return x;
}

/* One sub-group: its items' places in the range, and their values. */
struct sub_group {
    size_t group, id, range, size, at[32];
    uint32_t x[32];
};

static struct sub_group sub_group_of(const struct shape *shape, size_t group, size_t id,
                                     const uint32_t *x)
{
    const size_t items = shape_group_items(shape), left = items - id * 32;
    struct sub_group own = {
        .group = group, .id = id, .range = (items + 31) / 32, .size = left < 32 ? left : 32};
    for (size_t l = 0; l < own.size; l++) {
        own.at[l] = shape_item(shape, group, id * 32 + l);
        own.x[l] = x[own.at[l]];
    }
    return own;
}

/* What is expected of a sub-group; `y` is of all items. */
typedef void (*expect_function)(const struct sub_group *own, size_t items, uint32_t argument,
                                uint32_t *y);

static void expect_where(const struct sub_group *own, size_t items, uint32_t argument, uint32_t *y)
{
    (void)argument;
    for (size_t l = 0; l < own->size; l++) {
        const size_t values[] = {own->id, own->range, l, own->size, l == 0, 32};
        for (size_t v = 0; v < 6; v++)
            y[v * items + own->at[l]] = (uint32_t)values[v];
    }
}

static void expect_vote(const struct sub_group *own, size_t items, uint32_t limit, uint32_t *y)
{
    uint32_t ballot = 0, set = 0;
    size_t below = 0;
    for (size_t l = 0; l < own->size; l++) {
        ballot |= own->x[l] < limit ? 1u << l : 0;
        set |= own->x[l] != 0 ? 1u << l : 0;
        below += own->x[l] < limit;
    }
    for (size_t l = 0; l < own->size; l++) {
        const uint32_t values[] = {below > 0, below == own->size, below == 0, ballot,
                                   set + (set != 0)};
        for (size_t v = 0; v < 5; v++)
            y[v * items + own->at[l]] = values[v];
    }
}

static void expect_hand_on(const struct sub_group *own, size_t items, uint32_t rounds, uint32_t *y)
{
    const size_t size = own->size;
    uint32_t v[32], made[32];
    (void)items;
    memcpy(v, own->x, sizeof v);
    for (uint32_t round = 0; round < rounds; round++) {
        for (size_t l = 0; l < size; l++)
            made[l] = v[(l + 1) % size] * 3 + round;
        for (size_t l = 0; l < size; l++)
            v[l] = made[l] + made[(l + size - 1) % size];
    }
    for (size_t l = 0; l < size; l++)
        y[own->at[l]] = v[l];
}

static void expect_nest(const struct sub_group *own, size_t items, uint32_t argument, uint32_t *y)
{
    uint32_t sum = 0, scan = 0, v[32];
    (void)items, (void)argument;
    for (size_t l = 0; l < own->size; l++) {
        scan ^= own->x[(l ^ 3) < own->size ? l ^ 3 : l];
        sum += scan;
    }
    for (size_t l = 0; l < own->size; l++)
        v[l] = sum + own->x[l];
    for (size_t l = 0; l < own->size; l++)
        y[own->at[l]] = v[l > 0 ? l - 1 : l] + v[l + 1 < own->size ? l + 1 : l];
}

static void expect_end_early(const struct sub_group *own, size_t items, uint32_t limit, uint32_t *y)
{
    uint32_t sum = 0;
    (void)items;
    for (size_t l = 0; l < own->size; l++)
        sum += own->x[l];
    for (size_t l = 0; l < own->size; l++)
        y[own->at[l]] = own->id < limit    ? 1
                        : own->id % 2 == 0 ? sum
                                           : sum + own->x[(l ^ 1) < own->size ? l ^ 1 : l];
}

/* What go_apart's sub-groups have before their barrier. */
static void go_apart_before(const struct sub_group *own, uint32_t v[32])
{
    uint32_t most = 0, odd = 0, before[32];
    for (size_t l = 0; l < own->size; l++) {
        most = own->x[l] > most ? own->x[l] : most;
        odd |= own->x[l] % 2 << l;
    }
    for (size_t l = 0; l < own->size; l++)
        v[l] = own->id % 3 == 1 ? most : own->x[l] + (own->id % 3 == 2 ? odd : 0);
    for (size_t turn = 0; turn < own->id; turn++) {
        memcpy(before, v, sizeof before);
        for (size_t l = 0; l < own->size; l++)
            v[l] += before[turn < own->size ? turn : l];
    }
}

static void check_launch_of(reap_queue *queue, const struct shape *shape, reap_status launched,
                            const uint32_t *y, const uint32_t *expected, size_t values)
{
    const unsigned long failed = check_failures;
    CHECK_LAUNCH(launched, queue);
    CHECK_BITS(y, expected, values * shape_items(shape) * sizeof *y, "sub-groups",
               shape_items(shape), 0);
    if (check_failures > failed)
        shape_tell(shape);
}

static void expect_all(const struct shape *shape, const uint32_t *x, expect_function function,
                       uint32_t argument, uint32_t *y)
{
    for (size_t group = 0; group < shape_groups(shape); group++)
        for (size_t id = 0; id * 32 < shape_group_items(shape); id++) {
            const struct sub_group own = sub_group_of(shape, group, id, x);
            function(&own, shape_items(shape), argument, y);
        }
}

/* The arrays of a launch: inputs, results, and what is expected of them. */
struct trial {
    reap_queue *queue;
    const struct shape *shape;
    uint32_t *x, *y, *expected;
};

static void check_ids_and_votes(const struct trial *of, uint64_t *random)
{
    const reap_range range = shape_range(of->shape);
    const uint32_t limits[] = {0, 1, 2, 100, 500, 990, 1000};
    if (test_wants("where")) {
        expect_all(of->shape, of->x, expect_where, 0, of->expected);
        check_launch_of(of->queue, of->shape,
                        reap_parallel_for(of->queue, where, range, .y = of->y), of->y, of->expected,
                        6);
    }
    for (size_t i = 0; i < sizeof limits / sizeof *limits && test_wants("vote"); i++) {
        const uint32_t limit = limits[i] + (uint32_t)(check_random(random) % 3);
        expect_all(of->shape, of->x, expect_vote, limit, of->expected);
        check_launch_of(
            of->queue, of->shape,
            reap_parallel_for(of->queue, vote, range, .x = of->x, .y = of->y, .limit = limit),
            of->y, of->expected, 5);
        check_launch_of(of->queue, of->shape,
                        reap_parallel_for(of->queue, vote_in_phases, range, .x = of->x, .y = of->y,
                                          .limit = limit),
                        of->y, of->expected, 4);
    }
}

static void check_memory(const struct trial *of)
{
    const reap_range range = shape_range(of->shape);
    const size_t items = shape_items(of->shape);
    uint32_t *z = test_allocate(items * sizeof *z);
    if (test_wants("hand_on")) {
        memset(z, 0, items * sizeof *z);
        expect_all(of->shape, of->x, expect_hand_on, 5, of->expected);
        check_launch_of(of->queue, of->shape,
                        reap_parallel_for(of->queue, hand_on, range, .x = of->x, .z = z, .y = of->y,
                                          .tile = shape_group_items(of->shape), .rounds = 5),
                        of->y, of->expected, 1);
    }
    if (test_wants("nest")) {
        expect_all(of->shape, of->x, expect_nest, 0, of->expected);
        check_launch_of(of->queue, of->shape,
                        reap_parallel_for(of->queue, nest, range, .x = of->x, .y = of->y), of->y,
                        of->expected, 1);
    }
    free(z);
}

static void expect_go_apart(const struct shape *shape, const uint32_t *x, uint32_t *y)
{
    for (size_t group = 0; group < shape_groups(shape); group++)
        for (size_t id = 0; id * 32 < shape_group_items(shape); id++) {
            const struct sub_group own = sub_group_of(shape, group, id, x);
            const struct sub_group next = sub_group_of(shape, group, (id + 1) % own.range, x);
            uint32_t v[32], other[32], all = 0;
            go_apart_before(&own, v);
            go_apart_before(&next, other);
            for (size_t l = 0; l < own.size; l++)
                all ^= v[l] += other[0];
            for (size_t l = 0; l < own.size; l++)
                y[own.at[l]] = id % 2 == 0 ? all : v[l];
        }
}

/* Whether the device's sub-groups need the whole group; then the launch is refused. */
static bool is_refused(reap_status launched, const char *kernel, const char *word)
{
    if (launched != REAP_ERROR_COMPILATION_FAILED || !test_on_device())
        return false;
    CHECK(strstr(reap_last_error(), kernel) != NULL && strstr(reap_last_error(), word) != NULL);
    CHECK(strstr(reap_last_error(), "sub_group_rules.kernels.h:") != NULL);
    return true;
}

static void check_apart(const struct trial *of)
{
    const reap_range range = shape_range(of->shape);
    const size_t sub_groups = (shape_group_items(of->shape) + 31) / 32;
    reap_status launched;
    if (test_wants("go_apart")) {
        expect_go_apart(of->shape, of->x, of->expected);
        launched = reap_parallel_for(of->queue, go_apart, range, .x = of->x, .y = of->y,
                                     .sums = sub_groups);
        if (!is_refused(launched, "'go_apart'", "reap_sub_group_reduce"))
            check_launch_of(of->queue, of->shape, launched, of->y, of->expected, 1);
    }
    for (uint32_t limit = 0; limit < 3 && test_wants("end_early"); limit++) {
        expect_all(of->shape, of->x, expect_end_early, limit, of->expected);
        launched =
            reap_parallel_for(of->queue, end_early, range, .x = of->x, .y = of->y, .limit = limit);
        if (!is_refused(launched, "'end_early'", "reap_sub_group_reduce"))
            check_launch_of(of->queue, of->shape, launched, of->y, of->expected, 1);
    }
}

static void check_shape(reap_queue *queue, const struct shape *shape, uint64_t *random)
{
    const size_t items = shape_items(shape);
    const struct trial of = {queue, shape, draw(items, random),
                             test_allocate(6 * items * sizeof(uint32_t)),
                             test_allocate(6 * items * sizeof(uint32_t))};
    check_ids_and_votes(&of, random);
    check_memory(&of);
    check_apart(&of);
    free(of.x);
    free(of.y);
    free(of.expected);
}

/* ---- What the host refuses --------------------------------------------------------------------*/

/* How many items are at a word, and in which line; or elsewhere, with word NULL. */
struct standing {
    size_t count;
    const char *word;
    unsigned line;
};

enum { SIZE = 100, BAD = 1, LEAST = 3, OTHERS = 32 - LEAST };

static const struct {
    const struct reap_kernel *kernel;
    const char *of; /* sub-group, or group */
    struct standing standing[2];
} cases[] = {
    {&reap_kernel_lane_ends,
     "sub-group 1 of group",
     {{OTHERS, "reap_sub_group_shuffle_up", AT_SHUFFLE}, {LEAST, NULL, 0}}},
    {&reap_kernel_two_words,
     "sub-group 1 of group",
     {{LEAST, "reap_sub_group_reduce", AT_REDUCE}, {OTHERS, "reap_sub_group_ballot", AT_BALLOT}}},
    {&reap_kernel_word_or_barrier,
     "of group",
     {{LEAST, "reap_barrier", AT_BARRIER}, {OTHERS, "reap_sub_group_exclusive_scan", AT_SCAN}}},
    {&reap_kernel_unequal_turns,
     "sub-group 1 of group",
     {{OTHERS, "reap_sub_group_barrier", AT_TURN}, {LEAST, NULL, 0}}},
    {&reap_kernel_sub_groups_part,
     "of group",
     {{32, "reap_barrier", AT_OWN_BARRIER}, {SIZE - 32, "reap_barrier", AT_LAST_BARRIER}}},
};

static bool says(const char *text)
{
    return strstr(reap_last_error(), text) != NULL;
}

static bool says_standing(const struct standing *standing)
{
    char text[200], place[80];
    snprintf(text, sizeof text, "%zu %s %s", standing->count, standing->count == 1 ? "is" : "are",
             standing->word != NULL ? "at " : "done");
    if (standing->word != NULL)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s (", standing->word);
    snprintf(place, sizeof place, "sub_group_rules.kernels.h:%u)", standing->line);
    return says(text) && (standing->word == NULL || says(place));
}

static reap_status launch(reap_queue *queue, const struct reap_kernel *kernel, reap_range range,
                          size_t bad, uint64_t *sum)
{
    uint32_t *x = test_allocate(3 * SIZE * sizeof *x), *y = test_allocate(3 * SIZE * sizeof *y);
    memset(x, 0, 3 * SIZE * sizeof *x);
    const struct reap_arguments_lane_ends arguments = {range, .x = x, .y = y, .bad = bad,
                                                       .sum = {.variable = sum}};
    reap_status status = reap_launch(queue, kernel, &arguments);
    const reap_status waited = reap_queue_wait(queue);
    status = status == REAP_OK ? waited : status;
    free(x);
    free(y);
    return status;
}

static void check_parting(reap_queue *queue)
{
    const reap_range range = reap_nd_range_1d(3 * SIZE, SIZE);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const unsigned long failed = check_failures;
        uint64_t sum = 42;
        CHECK_STATUS(launch(queue, cases[c].kernel, range, BAD, &sum),
                     REAP_ERROR_DIVERGENT_BARRIER);
        CHECK(says(cases[c].of) && says_standing(&cases[c].standing[0]) &&
              says_standing(&cases[c].standing[1]));
        CHECK_EQ(sum, 42);
        if (check_failures > failed)
            fprintf(stderr, "  case %zu: \"%s\"\n", c, reap_last_error());
        CHECK_STATUS(launch(queue, cases[c].kernel, range, 77, &sum), REAP_OK);
        CHECK_EQ(sum, 42 + 3 * SIZE);
    }
}

static void check_failure(reap_queue *queue, const struct reap_kernel *kernel, reap_range range,
                          reap_status expected, const char *const words[2])
{
    uint64_t sum = 42;
    CHECK_STATUS(launch(queue, kernel, range, BAD, &sum), expected);
    if (!CHECK(says(words[0]) && says(words[1])))
        fprintf(stderr, "  \"%s\"\n", reap_last_error());
    CHECK_EQ(sum, 42);
}

static void check_refusals(reap_queue *queue)
{
    const reap_range range = reap_nd_range_1d(3 * SIZE, SIZE);
    check_failure(queue, &reap_kernel_no_such_lane, range, REAP_ERROR_INDEX_OUT_OF_RANGE,
                  (const char *const[]){"reap_sub_group_broadcast", "its sub-group lacks"});
    check_failure(queue, &reap_kernel_two_lanes, range, REAP_ERROR_INDEX_OUT_OF_RANGE,
                  (const char *const[]){"reap_sub_group_broadcast", "different work-items"});
    check_failure(queue, &reap_kernel_without_groups, reap_range_1d(3 * SIZE),
                  REAP_ERROR_DIVERGENT_BARRIER,
                  (const char *const[]){"reap_sub_group_reduce", "needs a work-group"});
}

/* A helper of a kernel without groups, for which devices' compilers find it. */
static void check_helper(reap_queue *queue)
{
    uint64_t sum = 42;
    const reap_status status =
        launch(queue, &reap_kernel_without_groups, reap_range_1d(3 * SIZE), BAD, &sum);
    CHECK_STATUS(status, REAP_ERROR_COMPILATION_FAILED);
    CHECK(says("reap_sub_group_reduce") && says("REAP_ND_KERNEL"));
    CHECK_EQ(sum, 42);
}

/* Spans with an operator of the user's, which combine in order. (This one's does not matter.) */
static void check_spans(reap_queue *queue, uint64_t *random)
{
    enum { ITEMS = 200, GROUP = 50 };
    uint32_t *x = draw(ITEMS, random), bins[4] = {5, 5, 5, 5}, expected[4] = {1, 1, 1, 1};
    for (size_t i = 0; i < ITEMS; i++) {
        const size_t lane = i % GROUP % 32, size = i % GROUP < 32 ? 32 : GROUP - 32;
        const size_t other = (lane ^ 1) < size ? i - lane + (lane ^ 1) : i;
        expected[x[i] % 4] *= x[i] | 1;
        expected[3] *= x[other] | 1;
    }
    reap_status status = reap_parallel_for(
        queue, into_span, reap_nd_range_1d(ITEMS, GROUP), .x = x,
        .bins = {.variable = bins, .count = 4, .properties = REAP_INITIALIZE_TO_IDENTITY});
    if (test_on_device()) {
        CHECK_STATUS(status, REAP_ERROR_COMPILATION_FAILED);
        CHECK(says("'into_span'") && says("span whose order matters"));
    } else {
        CHECK_LAUNCH(status, queue);
        CHECK_BITS(bins, expected, sizeof bins, "spans", ITEMS, 1);
    }
    free(x);
}

int main(void)
{
    uint64_t random = check_seed();
    reap_queue *queues[QUEUES];
    alarm(100);
    queues_open(queues);
    for (size_t q = 0; q < queue_count; q++) {
        for (size_t s = 0; (s = sub_group_next(s)) < SUB_GROUP_SHAPES; s++)
            check_shape(queues[q], &sub_group_shapes[s], &random);
        if (test_wants("spans"))
            check_spans(queues[q], &random);
        if (!test_on_device()) {
            check_parting(queues[q]);
            check_refusals(queues[q]);
        } else if (test_wants("helper")) {
            check_helper(queues[q]);
        }
    }
    queues_close(queues);
    return check_finish();
}
