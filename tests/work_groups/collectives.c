/* SPDX-License-Identifier: Apache-2.0
 *
 * What the kernels of collectives.kernels.h and collectives_once.kernels.h find, against serial
 * code; and broadcasts that ask for a work-item that is not there, or for different ones.
 */
#include "tests/work_groups/collectives.kernels.h"
#include "tests/work_groups/collectives_once.kernels.h"

#include "tests/conformance/inputs.h"
#include "tests/conformance/queues.h"
#include "tests/support/memory.h"
#include "tests/work_groups/shapes.h"

/* The items' inputs and results. */
struct data {
    const struct shape *shape;
    size_t items, size;
    int *x, *y, *expected;
};

static struct data new_data(const struct shape *shape)
{
    const size_t items = shape_items(shape), bytes = items * sizeof(int);
    const struct data data = {shape,
                              items,
                              shape_group_items(shape),
                              test_allocate(bytes),
                              test_allocate(bytes),
                              test_allocate(bytes)};
    return data;
}

static void free_data(struct data *data)
{
    free(data->x);
    free(data->y);
    free(data->expected);
}

static int input(const struct data *data, size_t group, size_t item)
{
    return data->x[shape_item(data->shape, group, item)];
}

/* The group's result becomes that of each of its items. */
static void expect_all(const struct data *data, size_t group, int result)
{
    for (size_t l = 0; l < data->size; l++)
        data->expected[shape_item(data->shape, group, l)] = result;
}

static void compare(const struct data *data, const char *what, size_t threads)
{
    const unsigned long failed = check_failures;
    CHECK_BITS(data->y, data->expected, data->items * sizeof(int), what, data->items, threads);
    if (check_failures > failed)
        shape_tell(data->shape);
}

static unsigned answer(const struct data *data, size_t group)
{
    bool seven = false, below = true, three = false, hundreds = false, truthful = true;
    bool zero = true;
    for (size_t l = 0; l < data->size; l++) {
        const int v = input(data, group, l);
        seven = seven || v == 7;
        below = below && v < 9;
        three = three || v == 3;
        hundreds = hundreds || ((unsigned)v >> 8 & 1) != 0;
        truthful = truthful && v != -1;
        zero = zero && v == 0;
    }
    return (seven ? 1u : 0) | (below ? 2u : 0) | (three ? 0 : 4u) | (hundreds ? 8u : 0) |
           (truthful ? 16u : 0) | (zero ? 32u : 0);
}

/* Mostly small numbers, and one now and then that changes an answer; or only zeros. */
static void draw_questions(const struct data *data, uint64_t *random)
{
    static const int rare[] = {7, 3, 9, 256, -1, 768};
    const bool zeros = check_random(random) % 4 == 0;
    for (size_t i = 0; i < data->items; i++) {
        const uint64_t drawn = check_random(random);
        data->x[i] = zeros || drawn % 4 != 0 ? 0 : (int)(drawn / 4 % 3);
        if (!zeros && drawn % (2 * data->size) == 1)
            data->x[i] = rare[drawn / 1024 / data->size % 6];
    }
}

static void check_questions(reap_queue *const *queues, const struct shape *shape, uint64_t *random)
{
    struct data data = new_data(shape);
    draw_questions(&data, random);
    for (size_t group = 0; group < shape_groups(shape); group++)
        expect_all(&data, group, (int)answer(&data, group));
    for (size_t q = 0; q < queue_count; q++) {
        CHECK_LAUNCH(reap_parallel_for(queues[q], ask_group, shape_range(shape), .x = data.x,
                                       .answers = (unsigned *)data.y),
                     queues[q]);
        compare(&data, "questions", queue_threads[q]);
    }
    free_data(&data);
}

static void check_nested(reap_queue *const *queues, const struct shape *shape, uint64_t *random)
{
    struct data data = new_data(shape);
    for (size_t i = 0; i < data.items; i++)
        data.x[i] = (int)(check_random(random) % 2001) - 1000;
    for (size_t group = 0; group < shape_groups(shape); group++) {
        int sum = 0, most = 0;
        for (size_t l = 0; l < data.size; l++) {
            most = sum > most ? sum : most;
            sum += input(&data, group, l);
        }
        expect_all(&data, group, sum - most);
    }
    for (size_t q = 0; q < queue_count; q++) {
        CHECK_LAUNCH(
            reap_parallel_for(queues[q], nested, shape_range(shape), .x = data.x, .y = data.y),
            queues[q]);
        compare(&data, "nested", queue_threads[q]);
    }
    free_data(&data);
}

/* Halving until all are below 2, counting the rounds by the group's size or by one. */
static void expect_agreement(const struct data *data, size_t group)
{
    int rounds = 0, halvings = 0, most = 0;
    for (size_t l = 0; l < data->size; l++)
        most = (input(data, group, l) & 1023) > most ? input(data, group, l) & 1023 : most;
    for (; most >= 2; halvings++) {
        most /= 2;
        rounds += most > 100 ? (int)data->size : 1;
    }
    for (size_t l = 0; l < data->size; l++)
        data->expected[shape_item(data->shape, group, l)] =
            rounds * 2 + ((input(data, group, l) & 1023) >> halvings);
}

static void check_agreement(reap_queue *const *queues, const struct shape *shape, uint64_t *random)
{
    struct data data = new_data(shape);
    input_fill(INPUT_BITS_32, 0, data.items, random, data.x);
    for (size_t group = 0; group < shape_groups(shape); group++)
        expect_agreement(&data, group);
    for (size_t q = 0; q < queue_count; q++) {
        CHECK_LAUNCH(reap_parallel_for(queues[q], until_all_agree, shape_range(shape), .x = data.x,
                                       .y = data.y, .shared = data.size),
                     queues[q]);
        compare(&data, "until all agree", queue_threads[q]);
    }
    free_data(&data);
}

struct copies {
    badge *badges, *copied;
    double *doubles;
};

static size_t count_wrong(const struct data *data, const struct copies *copies, size_t from)
{
    size_t wrong = 0;
    for (size_t i = 0, group = 0; group < shape_groups(data->shape); group++)
        for (size_t l = 0; l < data->size; l++, i++) {
            const size_t at = shape_item(data->shape, group, l);
            const size_t source = shape_item(data->shape, group, from);
            wrong += data->y[at] != data->x[source] ||
                     copies->doubles[at] != data->x[source] * 0.5 ||
                     memcmp(&copies->copied[at], &copies->badges[source], sizeof(badge)) != 0;
        }
    return wrong;
}

static void check_broadcast(reap_queue *const *queues, const struct shape *shape, uint64_t *random)
{
    struct data data = new_data(shape);
    const struct copies copies = {test_allocate(data.items * sizeof(badge)),
                                  test_allocate(data.items * sizeof(badge)),
                                  test_allocate(data.items * sizeof(double))};
    const size_t from[] = {0, data.size - 1, check_random(random) % data.size};
    input_fill(INPUT_BITS_32, 0, data.items, random, data.x);
    input_fill(INPUT_BITS_8, 0, data.items * sizeof(badge), random, copies.badges);
    for (size_t q = 0; q < queue_count; q += 3)
        for (size_t f = 0; f < 3; f++) {
            CHECK_LAUNCH(reap_parallel_for(queues[q], spread, shape_range(shape), .x = data.x,
                                           .badges = copies.badges, .from = from[f], .y = data.y,
                                           .copies = copies.copied, .doubles = copies.doubles),
                         queues[q]);
            check_comparisons++;
            CHECK_EQ(count_wrong(&data, &copies, from[f]), 0);
        }
    free(copies.badges);
    free(copies.copied);
    free(copies.doubles);
    free_data(&data);
}

static unsigned answer_array(const int *x, size_t count, int limit)
{
    unsigned found = 2 | 4 | 16 | 32;
    for (size_t i = 0; i < count; i++) {
        found |= x[i] == 7 ? 1u : 0;
        found &= ~(x[i] < limit ? 0 : 2u);
        found &= ~(x[i] == 3 ? 4u : 0);
        found |= ((unsigned)x[i] >> 8 & 1) != 0 ? 8u : 0;
        found &= ~(x[i] == -1 ? 16u : 0);
        found &= ~(x[i] > limit || x[i] < -limit ? 32u : 0);
    }
    return found;
}

/* Elements of which a rare one changes an answer, and whole groups of zeros. */
static void draw_elements(int *x, size_t groups, size_t count, uint64_t *random)
{
    static const int rare[] = {7, 3, 1000, 256, -1, -1001, 768};
    for (size_t group = 0; group < groups; group++)
        for (size_t i = 0; i < count; i++) {
            const uint64_t drawn = check_random(random);
            const bool is_rare = group % 3 != 0 && drawn % (2 * count) == 1;
            x[group * count + i] = is_rare ? rare[drawn / 4096 % 7] : 0;
        }
}

static void check_arrays(reap_queue *const *queues, const struct shape *shape, size_t count,
                         uint64_t *random)
{
    struct data data = new_data(shape);
    const size_t groups = shape_groups(shape);
    int *x = test_allocate(groups * count * sizeof *x + 1);
    draw_elements(x, groups, count, random);
    for (size_t group = 0; group < groups; group++)
        expect_all(&data, group, (int)answer_array(x + group * count, count, 1000));
    for (size_t q = 0; q < QUEUES && q < queue_count; q += 3) {
        CHECK_LAUNCH(reap_parallel_for(queues[q], ask_array, shape_range(shape), .x = x,
                                       .count = count, .limit = 1000,
                                       .answers = (unsigned *)data.y),
                     queues[q]);
        compare(&data, "questions about arrays", queue_threads[q]);
    }
    free(x);
    free_data(&data);
}

static unsigned answer_badges(const struct data *data, size_t group, const badge *badges)
{
    unsigned found = 2 | 4;
    for (size_t l = 0; l < data->size; l++) {
        const char *letters = badges[shape_item(data->shape, group, l)].letters;
        found |= letters[36] == 'x' ? 1u : 0;
        found &= ~(letters[0] != 'x' ? 0 : 2u);
        found &= ~(letters[1] == letters[2] ? 4u : 0);
    }
    return found;
}

static void check_badges(reap_queue *const *queues, const struct shape *shape, uint64_t *random)
{
    struct data data = new_data(shape);
    badge *badges = test_allocate(data.items * sizeof *badges);
    input_fill(INPUT_BITS_8, 0, data.items * sizeof(badge), random, badges);
    for (size_t group = 0; group < shape_groups(shape); group++)
        expect_all(&data, group, (int)answer_badges(&data, group, badges));
    for (size_t q = 0; q < QUEUES && q < queue_count; q += 3) {
        CHECK_LAUNCH(reap_parallel_for(queues[q], ask_badges, shape_range(shape), .badges = badges,
                                       .tile = data.size, .answers = (unsigned *)data.y),
                     queues[q]);
        compare(&data, "questions about badges", queue_threads[q]);
    }
    free(badges);
    free_data(&data);
}

/* By local ids, as many as the range has dimensions. */
static void check_broadcast_by_id(reap_queue *const *queues, const struct shape *shape,
                                  uint64_t *random)
{
    struct data data = new_data(shape);
    badge *badges = test_allocate(2 * data.items * sizeof(badge)), *copied = badges + data.items;
    const size_t *const size = shape->group;
    const size_t id[3] = {check_random(random) % size[0], check_random(random) % size[1],
                          check_random(random) % size[2]};
    const size_t from = (id[0] * size[1] + id[1]) * size[2] + id[2];
    input_fill(INPUT_BITS_32, 0, data.items, random, data.x);
    input_fill(INPUT_BITS_8, 0, data.items * sizeof(badge), random, badges);
    for (size_t group = 0; group < shape_groups(shape); group++)
        expect_all(&data, group, input(&data, group, from));
    CHECK_LAUNCH(reap_parallel_for(queues[0], spread_by_id, shape_range(shape), .x = data.x,
                                   .badges = badges, .dimensions = shape->dimensions,
                                   .first = id[0], .second = id[1], .third = id[2], .y = data.y,
                                   .copies = copied),
                 queues[0]);
    compare(&data, "broadcast by id", queue_threads[0]);
    size_t wrong = 0;
    for (size_t i = 0; i < data.items; i++) {
        const size_t group = i / data.size, at = shape_item(shape, group, i % data.size);
        wrong += memcmp(&copied[at], &badges[shape_item(shape, group, from)], sizeof(badge)) != 0;
    }
    CHECK_EQ(wrong, 0);
    free(badges);
    free_data(&data);
}

/* What evaluate_once makes of x, and of a group's part of y. */
static void expect_once(const uint32_t *x, size_t count, uint32_t sought, uint32_t found[3],
                        uint32_t *y)
{
    uint32_t before = 0;
    found[0] = found[1] = 0;
    for (size_t k = 0; k < count - 9; k++)
        found[0] += x[k];
    for (size_t k = 0; k < count - 8; k++)
        found[1] |= x[1 + k] == sought;
    found[2] = 3 * 1000 + 6;
    for (size_t k = 0, end = y[0]; k < end; k++) {
        const uint32_t v = y[k];
        y[k] = before;
        before += v;
    }
    y += count;
    before = (uint32_t)count;
    for (size_t k = 0; k < count - 7; k++)
        y[k] = before += x[2 + k];
}

static void check_once(reap_queue *queue, const struct shape *shape, uint64_t *random)
{
    const size_t items = shape_items(shape), groups = shape_groups(shape);
    const size_t count = check_random(random) % 200 + 20, all = groups * 2 * count;
    uint32_t *x = test_allocate(count * sizeof *x), *y = test_allocate(all * sizeof *y);
    uint32_t *expected = test_allocate(all * sizeof *y), expected_found[3];
    uint32_t *found = test_allocate(3 * items * sizeof *found);
    input_fill(INPUT_BITS_32, 0, count, random, x);
    input_fill(INPUT_BITS_32, 0, all, random, y);
    const uint32_t sought = x[check_random(random) % count];
    for (size_t part = 0; part < 2 * groups; part++)
        y[part * count] = (uint32_t)(check_random(random) % (count - 2)) + 2;
    memcpy(expected, y, all * sizeof *y);
    for (size_t group = 0; group < groups; group++)
        expect_once(x, count, sought, expected_found, expected + group * 2 * count);
    CHECK_LAUNCH(reap_parallel_for(queue, evaluate_once, shape_range(shape), .x = x, .y = y,
                                   .found = found, .count = count, .sought = sought),
                 queue);
    const unsigned long failed = check_failures;
    CHECK_BITS(y, expected, all * sizeof *y, "arguments of scans", items, 0);
    for (size_t i = 0; i < 3 * items && check_failures == failed; i++)
        CHECK_EQ(found[i], expected_found[i / items]);
    CHECK_LAUNCH(reap_parallel_for(queue, ask_pointers, shape_range(shape), .y = y, .found = found),
                 queue);
    for (size_t i = 0; i < items && check_failures == failed; i++)
        CHECK_EQ(found[i], 5);
    if (check_failures > failed)
        shape_tell(shape);
    free(x);
    free(y);
    free(expected);
    free(found);
}

/* The exclusive scan of each group, or of every `size` items of one, after an initial value. */
static void expect_steps(const struct shape *shape, size_t size, const step *x, step *y)
{
    for (size_t group = 0; group < shape_groups(shape); group++) {
        step before = {3, 6};
        for (size_t l = 0; l < shape_group_items(shape); l++) {
            const size_t at = shape_item(shape, group, l);
            if (l % size == 0)
                before = (step){3, 6};
            y[at] = before;
            before = reap_operator_follow(before, x[at]);
        }
    }
}

static void check_under_conditions(reap_queue *queue, const struct shape *shape, uint64_t *random)
{
    const struct {
        const struct reap_kernel *kernel;
        size_t size;
    } words[] = {
        {&reap_kernel_shifted_under_condition, SIZE_MAX},
        {&reap_kernel_shifted_lanes_under_condition, 32},
    };
    const size_t items = shape_items(shape), bytes = items * sizeof(step);
    step *x = test_allocate(bytes), *y = test_allocate(bytes), *expected = test_allocate(bytes);
    const unsigned long failed = check_failures;
    input_fill(INPUT_BITS_32, 0, 2 * items, random, x);
    for (size_t i = 0; i < items; i++)
        x[i].scale = check_random(random) % 50 == 0 ? 0 : x[i].scale | 1;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        const struct reap_arguments_shifted_under_condition arguments = {shape_range(shape), .x = x,
                                                                         .y = y, .turns = 2};
        expect_steps(shape, words[w].size, x, expected);
        CHECK_LAUNCH(reap_launch(queue, words[w].kernel, &arguments), queue);
        CHECK_BITS(y, expected, bytes, words[w].kernel->name, items, 0);
    }
    if (check_failures > failed)
        shape_tell(shape);
    free(x);
    free(y);
    free(expected);
}

static bool says(const char *word)
{
    return strstr(reap_last_error(), word) != NULL;
}

/* Asks for a work-item that the group lacks; then for different ones. */
static void check_bad_broadcast(reap_queue *queue, const struct shape *shape)
{
    struct data data = new_data(shape);
    const reap_range range = shape_range(shape);
    badge *badges = test_allocate(data.items * sizeof *badges);
    badge *copies = test_allocate(data.items * sizeof *copies);
    double *doubles = test_allocate(data.items * sizeof *doubles);
    const size_t beyond[] = {data.size, data.size + 1, SIZE_MAX};
    for (size_t b = 0; b < 3; b++) {
        CHECK_STATUS(reap_parallel_for(queue, spread, range, .x = data.x, .badges = badges,
                                       .from = beyond[b], .y = data.y, .copies = copies,
                                       .doubles = doubles),
                     REAP_ERROR_INDEX_OUT_OF_RANGE);
        CHECK_STATUS(reap_queue_wait(queue), REAP_ERROR_INDEX_OUT_OF_RANGE);
        CHECK(says("'spread'") && says("reap_group_broadcast") && says("collectives.kernels.h:"));
    }
    for (size_t wrong = 0; wrong < data.size && data.size > 1; wrong += data.size - 1) {
        int sum = 42;
        CHECK(reap_parallel_for(queue, spread_from_each, range, .x = data.x, .wrong = wrong,
                                .y = data.y,
                                .sum = {.variable = &sum}) == REAP_ERROR_INDEX_OUT_OF_RANGE);
        CHECK_STATUS(reap_queue_wait(queue), REAP_ERROR_INDEX_OUT_OF_RANGE);
        CHECK(sum == 42 && says("'spread_from_each'") && says("different"));
    }
    int sum = 42;
    CHECK_LAUNCH(reap_parallel_for(queue, spread_from_each, range, .x = data.x, .wrong = data.size,
                                   .y = data.y, .sum = {.variable = &sum}),
                 queue);
    CHECK_EQ((size_t)sum, 42 + data.items);
    free(badges);
    free(copies);
    free(doubles);
    free_data(&data);
}

/* One id beyond the group's, where another row would have the linear id. */
static void check_bad_ids(reap_queue *queue, const struct shape *shape)
{
    struct data data = new_data(shape);
    badge *badges = test_allocate(2 * data.items * sizeof *badges);
    for (unsigned d = 0; d < 3; d++) {
        size_t id[3] = {0, 0, 0};
        id[d] = shape->group[d];
        CHECK_STATUS(reap_parallel_for(queue, spread_by_id, shape_range(shape), .x = data.x,
                                       .badges = badges, .dimensions = 3, .first = id[0],
                                       .second = id[1], .third = id[2], .y = data.y,
                                       .copies = badges + data.items),
                     REAP_ERROR_INDEX_OUT_OF_RANGE);
        CHECK_STATUS(reap_queue_wait(queue), REAP_ERROR_INDEX_OUT_OF_RANGE);
        CHECK(says("'spread_by_id'") && says("reap_group_broadcast_id") && says("lacks"));
    }
    free(badges);
    free_data(&data);
}

static void check_places(reap_queue *const *queues, size_t s, uint64_t *random)
{
    for (int repeat = 0; repeat < 4; repeat++)
        check_questions(queues, &shapes[s], random);
    check_nested(queues, &shapes[s], random);
    check_agreement(queues, &shapes[s], random);
    check_broadcast(queues, &shapes[s], random);
    check_broadcast_by_id(queues, &shapes[s], random);
    check_arrays(queues, &shapes[s], check_random(random) % 2000 + 1, random);
    if (shape_fits(&shapes[s], sizeof(badge) + 16))
        check_badges(queues, &shapes[s], random);
    if (!test_on_device()) {
        check_bad_broadcast(queues[s % QUEUES], &shapes[s]);
        check_bad_ids(queues[s % QUEUES], &shapes[s]);
    }
}

int main(void)
{
    uint64_t random = check_seed();
    reap_queue *queues[QUEUES];
    queues_open(queues);
    test_skips("broadcasts from no work-item", "only the host finds them");
    for (size_t s = 0; (s = shape_next(s)) < SHAPES; s++) {
        if (test_wants("places"))
            check_places(queues, s, &random);
        if (test_wants("once"))
            check_once(queues[s % queue_count], &shapes[s], &random);
        if (test_wants("conditions"))
            check_under_conditions(queues[s % queue_count], &shapes[s], &random);
    }
    if (test_wants("places")) {
        check_arrays(queues, &shapes[1], 0, &random);
        check_nested(queues, &crowds[0], &random);
        check_agreement(queues, &crowds[1], &random);
    }
    queues_close(queues);
    return check_finish();
}
