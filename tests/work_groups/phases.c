/* SPDX-License-Identifier: Apache-2.0
 *
 * What kernels in phases compute, against serial code for a group; for any number of threads, in
 * each instruction set.
 */
#include "tests/work_groups/phases.kernels.h"

#include "tests/conformance/inputs.h"
#include "tests/conformance/instruction_sets.h"
#include "tests/conformance/queues.h"
#include "tests/support/memory.h"
#include "tests/work_groups/shapes.h"

/* One group: its inputs and results, in the order of local linear ids, and room for as many. */
struct tile {
    size_t group, size, rounds;
    const uint32_t *x;
    uint32_t *y, *shared;
};

static void ends(const struct tile *tile)
{
    for (size_t l = 0; l < tile->size; l++) {
        const uint32_t v = tile->x[l], steps = v % 7;
        tile->shared[l] = v;
        if (v % 5 > 1)
            tile->shared[l] += 1 + (steps / 2) * (steps / 2); /* 1 + 3 + ... below v % 7 */
    }
    for (size_t l = 0; l < tile->size; l++)
        tile->y[l] = tile->shared[(l + 1) % tile->size];
}

static void in_loop(const struct tile *tile)
{
    uint32_t factor = 3;
    memcpy(tile->shared, tile->x, tile->size * sizeof *tile->x);
    for (size_t round = 0; round < tile->rounds; round++) {
        factor = 5 * factor + (uint32_t)round;
        for (size_t l = 0; l < tile->size; l++)
            tile->y[l] = tile->shared[(l + round + 1) % tile->size];
        for (size_t l = 0; l < tile->size && round % 3 != 2; l++)
            tile->shared[l] = factor * tile->y[l];
    }
    memcpy(tile->y, tile->shared, tile->size * sizeof *tile->y);
}

static void with_words(const struct tile *tile)
{
    for (size_t l = 0; l < tile->size; l++) {
        const uint32_t v = tile->x[l];
        tile->y[l] = v + (uint8_t)(v + tile->rounds) + v + (v >> 16);
        for (size_t round = 0; round < tile->rounds; round++)
            tile->y[l] += tile->x[(l + round) % tile->size];
    }
}

static void with_full_words(const struct tile *tile)
{
    for (size_t l = 0; l < tile->size; l++)
        tile->y[l] = tile->x[l] * (255 + (uint32_t)tile->rounds);
}

static void in_branch(const struct tile *tile)
{
    for (size_t l = 0; l < tile->size; l++) {
        tile->y[l] = tile->x[l];
        if (tile->group % 3 == 1)
            tile->y[l] += tile->x[tile->size - 1 - l];
        else if (tile->group % 3 == 2)
            tile->y[l] += (uint32_t)tile->rounds;
    }
}

static void of_little(const struct tile *tile)
{
    for (size_t l = 0; l < tile->size; l++)
        tile->y[l] = tile->x[l] + (uint32_t)tile->rounds;
}

static void of_first(const struct tile *tile)
{
    size_t count = tile->size;
    memcpy(tile->shared, tile->x, tile->size * sizeof *tile->x);
    for (uint32_t round = 1; count > 0; count /= 2, round++)
        for (size_t l = 0; l < count; l++)
            tile->shared[l] += tile->shared[l] % 3 == 0 ? round : 5 * round;
    count = tile->shared[0] % (tile->size + 2);
    for (size_t l = 0; l < tile->size && l < count; l++)
        tile->shared[l] ^= 77;
    for (size_t l = 0; l < tile->size; l++)
        tile->y[l] = tile->shared[l] + (l < tile->rounds ? 1000 : 0);
}

static void none(const struct tile *tile)
{
    (void)tile;
}

/* The kernels have the same parameters, and so structs of arguments of the same layout. */
static const struct {
    const char *name;
    const struct reap_kernel *kernel;
    void (*reference)(const struct tile *tile);
} cases[] = {
    {"ends", &reap_kernel_phase_ends, ends},
    {"in a loop", &reap_kernel_phases_in_loop, in_loop},
    {"with words", &reap_kernel_phases_with_words, with_words},
    {"with full words", &reap_kernel_phases_with_full_words, with_full_words},
    {"in a branch", &reap_kernel_phases_in_branch, in_branch},
    {"of little", &reap_kernel_phases_of_little, of_little},
    {"of the first items", &reap_kernel_phases_of_first_items, of_first},
    {"none", &reap_kernel_no_phases, none},
};

enum { UNTOUCHED = 0xee };

static void expect(size_t c, const struct shape *shape, size_t rounds, const uint32_t *x,
                   uint32_t *expected)
{
    const size_t size = shape_group_items(shape);
    uint32_t *inputs = test_allocate(3 * size * sizeof *inputs);
    struct tile tile = {0, size, rounds, inputs, inputs + size, inputs + 2 * size};
    for (; tile.group < shape_groups(shape); tile.group++) {
        memset(tile.y, UNTOUCHED, size * sizeof *tile.y);
        for (size_t l = 0; l < size; l++)
            inputs[l] = x[shape_item(shape, tile.group, l)];
        (cases[c].reference)(&tile);
        for (size_t l = 0; l < size; l++)
            expected[shape_item(shape, tile.group, l)] = tile.y[l];
    }
    free(inputs);
}

static void check_case(reap_queue *const *queues, const struct shape *shape, size_t c,
                       uint64_t *random)
{
    const size_t items = shape_items(shape), bytes = items * sizeof(uint32_t);
    uint32_t *x = test_allocate(bytes), *y = test_allocate(bytes), *expected = test_allocate(bytes);
    const size_t rounds = check_random(random) % 12;
    const struct reap_arguments_no_phases arguments = {
        shape_range(shape), .x = x, .y = y, .rounds = rounds, .shared = shape_group_items(shape)};
    const unsigned long failed = check_failures;
    input_fill(INPUT_BITS_32, 0, items, random, x);
    expect(c, shape, rounds, x, expected);
    for (size_t q = 0; q < queue_count; q++) {
        memset(y, UNTOUCHED, bytes);
        CHECK_LAUNCH(reap_launch(queues[q], cases[c].kernel, &arguments), queues[q]);
        CHECK_BITS(y, expected, bytes, cases[c].name, items, queue_threads[q]);
    }
    if (check_failures > failed)
        shape_tell(shape);
    free(x);
    free(y);
    free(expected);
}

static int body(unsigned set, const void *context)
{
    uint64_t random = *(const uint64_t *)context;
    reap_queue *queues[QUEUES];
    printf("%s\n", instruction_sets[set]);
    queues_open(queues);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (size_t s = 0; (s = shape_next(s)) < SHAPES; s++)
            check_case(queues, &shapes[s], c, &random);
        check_case(queues, &crowds[c % CROWDS], c, &random);
    }
    queues_close(queues);
    return check_finish();
}

int main(void)
{
    const uint64_t random = check_seed();
    CHECK_EQ(in_each_instruction_set(body, &random), 0);
    return check_finish();
}
