/* SPDX-License-Identifier: Apache-2.0
 *
 * Every id and range that a work-item of an nd_range can ask for, against serial loops; every item
 * runs once.
 */
#include "tests/work_groups/ids.kernels.h"

#include "tests/conformance/queues.h"
#include "tests/support/memory.h"
#include "tests/work_groups/shapes.h"

struct noted {
    uint64_t *notes;
    unsigned *runs;
};

static struct noted new_notes(size_t items)
{
    const struct noted noted = {test_allocate(items * NOTED * sizeof(uint64_t)),
                                test_allocate(items * sizeof(unsigned))};
    return noted;
}

static void free_notes(struct noted *noted)
{
    free(noted->notes);
    free(noted->runs);
}

static size_t product(const size_t range[3])
{
    return range[0] * range[1] * range[2];
}

static size_t row_major(const size_t id[3], const size_t range[3])
{
    return (id[0] * range[1] + id[1]) * range[2] + id[2];
}

/* What an item with that global id should note. */
static void expect(const struct shape *shape, const size_t id[3], uint64_t note[NOTED])
{
    size_t global[3], local_id[3], group_id[3];
    for (int d = 0; d < 3; d++) {
        global[d] = shape->groups[d] * shape->group[d];
        local_id[d] = id[d] % shape->group[d];
        group_id[d] = id[d] / shape->group[d];
        note[NOTED_GLOBAL_ID + d] = id[d];
        note[NOTED_GLOBAL_RANGE + d] = global[d];
        note[NOTED_LOCAL_ID + d] = local_id[d];
        note[NOTED_LOCAL_RANGE + d] = shape->group[d];
        note[NOTED_GROUP_ID + d] = group_id[d];
        note[NOTED_GROUP_RANGE + d] = shape->groups[d];
    }
    note[NOTED_LINEAR] = row_major(id, global);
    note[NOTED_LINEAR + 1] = row_major(local_id, shape->group);
    note[NOTED_LINEAR + 2] = row_major(group_id, shape->groups);
    note[NOTED_LINEAR_RANGE] = product(global);
    note[NOTED_LINEAR_RANGE + 1] = product(shape->group);
    note[NOTED_LINEAR_RANGE + 2] = product(shape->groups);
    note[NOTED_LEADER] = local_id[0] == 0 && local_id[1] == 0 && local_id[2] == 0;
}

static size_t count_wrong(const struct shape *shape, const struct noted *noted)
{
    size_t wrong = 0, at = 0, id[3];
    for (id[0] = 0; id[0] < shape->groups[0] * shape->group[0]; id[0]++)
        for (id[1] = 0; id[1] < shape->groups[1] * shape->group[1]; id[1]++)
            for (id[2] = 0; id[2] < shape->groups[2] * shape->group[2]; id[2]++, at++) {
                uint64_t note[NOTED];
                expect(shape, id, note);
                wrong += memcmp(note, noted->notes + NOTED * at, sizeof note) != 0 ||
                         noted->runs[at] != 1;
            }
    return wrong;
}

static reap_status launch(reap_queue *queue, int kernel, reap_range range,
                          const struct noted *noted)
{
    switch (kernel) {
    case 0:
        return reap_parallel_for(queue, note_items, range, .notes = noted->notes,
                                 .runs = noted->runs);
    case 1:
        return reap_parallel_for(queue, note_items_after_barrier, range, .notes = noted->notes,
                                 .runs = noted->runs);
    default:
        return reap_parallel_for(queue, note_items_in_phase, range, .notes = noted->notes,
                                 .runs = noted->runs);
    }
}

static void check_items(reap_queue *const *queues, const struct shape *shape)
{
    const size_t items = shape_items(shape);
    const unsigned long failed = check_failures;
    struct noted noted = new_notes(items);
    for (size_t q = 0; q < queue_count; q += 3)
        for (int kernel = 0; kernel < 3; kernel++) {
            memset(noted.notes, 0xff, items * NOTED * sizeof *noted.notes);
            memset(noted.runs, 0, items * sizeof *noted.runs);
            CHECK_LAUNCH(launch(queues[q], kernel, shape_range(shape), &noted), queues[q]);
            check_comparisons++;
            CHECK_EQ(count_wrong(shape, &noted), 0);
        }
    free_notes(&noted);
    if (check_failures > failed)
        shape_tell(shape);
}

/* Between phases, of what the first item of each group knows. */
static void check_groups(reap_queue *queue, const struct shape *shape)
{
    static const int known[] = {NOTED_GLOBAL_RANGE, NOTED_LOCAL_RANGE, NOTED_GROUP_ID,
                                NOTED_GROUP_RANGE, NOTED_LINEAR_RANGE};
    struct noted noted = new_notes(shape_groups(shape));
    size_t wrong = 0, at = 0, id[3];
    CHECK_LAUNCH(reap_parallel_for(queue, note_groups, shape_range(shape), .notes = noted.notes),
                 queue);
    for (id[0] = 0; id[0] < shape->groups[0] * shape->group[0]; id[0] += shape->group[0])
        for (id[1] = 0; id[1] < shape->groups[1] * shape->group[1]; id[1] += shape->group[1])
            for (id[2] = 0; id[2] < shape->groups[2] * shape->group[2]; id[2] += shape->group[2]) {
                const uint64_t *found = noted.notes + NOTED * at++;
                uint64_t note[NOTED];
                expect(shape, id, note);
                for (size_t k = 0; k < sizeof known / sizeof *known; k++)
                    wrong += memcmp(note + known[k], found + known[k], 3 * sizeof *note) != 0;
                wrong += found[NOTED_LINEAR + 2] != note[NOTED_LINEAR + 2];
            }
    check_comparisons++;
    CHECK_EQ(wrong, 0);
    free_notes(&noted);
}

/* Nothing runs, and nothing is written. */
static void check_empty(reap_queue *queue)
{
    const reap_range ranges[] = {reap_nd_range_1d(0, 1),
                                 reap_nd_range_1d(0, 100),
                                 reap_nd_range_2d(0, 6, 5, 3),
                                 reap_nd_range_2d(6, 0, 3, 5),
                                 reap_nd_range_3d(2, 0, 4, 2, 2, 2),
                                 reap_nd_range_3d(0, 0, 0, 1, 1, 1)};
    struct noted noted = new_notes(1);
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
        for (int kernel = 0; kernel < 3; kernel++) {
            CHECK_LAUNCH(launch(queue, kernel, ranges[r], &noted), queue);
            CHECK(noted.runs[0] == 0 && noted.notes[NOTED_GLOBAL_RANGE] == 0);
        }
    free_notes(&noted);
}

/* The item of a group in a range of more than 2^31 items. */
static void check_group_far_out(reap_queue *queue, const struct shape *shape, size_t group)
{
    const size_t items = shape_group_items(shape);
    struct noted noted = new_notes(items);
    size_t wrong = 0, global[3], id[3];
    CHECK_LAUNCH(reap_parallel_for(queue, note_one_group, shape_range(shape), .wanted = group,
                                   .notes = noted.notes, .runs = noted.runs),
                 queue);
    for (int d = 0; d < 3; d++)
        global[d] = shape->groups[d] * shape->group[d];
    for (size_t item = 0; item < items; item++) {
        const size_t linear = shape_item(shape, group, item);
        uint64_t note[NOTED];
        id[0] = linear / global[2] / global[1];
        id[1] = linear / global[2] % global[1];
        id[2] = linear % global[2];
        expect(shape, id, note);
        wrong +=
            memcmp(note, noted.notes + NOTED * item, sizeof note) != 0 || noted.runs[item] != 1;
    }
    check_comparisons++;
    CHECK_EQ(wrong, 0);
    free_notes(&noted);
}

/* A kernel in phases that leaves nearly all its groups alone has billions of items cheaply. Not
 * on cards: their groups have 1024 work-items at most. */
static void check_far_out(reap_queue *const *queues)
{
    if (test_few())
        return;
    static const struct shape far_out[] = {
        {1, {4096, 1, 1}, {(size_t)1 << 20, 1, 1}},
        {2, {1, 4096, 1}, {3, ((size_t)1 << 18) + 1, 1}},
        {2, {2048, 2, 1}, {((size_t)1 << 20) + 7, 1, 1}},
        {3, {1, 64, 64}, {1031, 29, 31}},
    };
    for (size_t s = 0; s < sizeof far_out / sizeof *far_out; s++) {
        if (!shape_fits(&far_out[s], 0))
            continue;
        const size_t groups = shape_groups(&far_out[s]);
        check_group_far_out(queues[s % QUEUES], &far_out[s], groups - 1);
        check_group_far_out(queues[(s + 1) % QUEUES], &far_out[s], groups / 2 + 1);
    }
}

/* The items of a REAP_ND_KERNEL are all started, so that billions take too long: here its own code
 * is called for one item of a group that lies far out. */
static void check_item_far_out(void)
{
    const struct shape shape = {3, {2, 3, 5}, {(size_t)1 << 34, 7, 11}};
    struct noted noted = new_notes(1);
    struct reap_arguments_note_one_item arguments = {.notes = noted.notes};
    struct reap__group group = {.dimensions_ = 3, .items_ = 30};
    const struct reap__work work = {.group_ = &group, .arguments_ = &arguments};
    const size_t id[3] = {((size_t)1 << 35) - 1, 4, 54};
    uint64_t note[NOTED];
    for (int d = 0; d < 3; d++) {
        group.id_[d] = id[d] / shape.group[d];
        group.range_[d] = shape.groups[d];
        group.local_range_[d] = shape.group[d];
        group.first_[d] = group.id_[d] * shape.group[d];
        group.global_range_[d] = shape.groups[d] * shape.group[d];
    }
    group.linear_id_ = row_major(group.id_, group.range_);
    expect(&shape, id, note);
    (reap_kernel_note_one_item.item)(&work, 1, 1, 4, 24);
    CHECK_BITS(noted.notes, note, sizeof note, "ids of an item far out", 1, 1);
    free_notes(&noted);
}

int main(void)
{
    reap_queue *queues[QUEUES];
    queues_open(queues);
    for (size_t s = 0; (s = shape_next(s)) < SHAPES; s++) {
        check_items(queues, &shapes[s]);
        check_groups(queues[s % QUEUES], &shapes[s]);
    }
    for (size_t s = 0; s < CROWDS; s++) {
        check_items(queues, &crowds[s]);
        check_groups(queues[s % QUEUES], &crowds[s]);
    }
    check_empty(queues[0]);
    check_empty(queues[3]);
    check_far_out(queues);
    check_item_far_out();
    queues_close(queues);
    return check_finish();
}
