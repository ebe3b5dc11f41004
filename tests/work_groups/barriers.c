/* SPDX-License-Identifier: Apache-2.0
 *
 * What kernels with barriers compute, against serial code that does for the whole group what stands
 * before a barrier, and then what follows it.
 */
#include "tests/work_groups/barriers.kernels.h"

#include "tests/conformance/inputs.h"
#include "tests/conformance/queues.h"
#include "tests/support/memory.h"
#include "tests/work_groups/shapes.h"

/* One group: its inputs and results, in the order of local linear ids, and room for as many. */
struct tile {
    const struct shape *shape;
    size_t group, size, rounds;
    const uint32_t *x;
    uint32_t *y, *before;
};

/* Each item gets the value of the item that many places further on. */
static void rotate(const struct tile *tile, size_t places)
{
    memcpy(tile->before, tile->y, tile->size * sizeof *tile->y);
    for (size_t l = 0; l < tile->size; l++)
        tile->y[l] = tile->before[(l + places) % tile->size];
}

static void in_loop(const struct tile *tile)
{
    for (size_t round = 0; round < tile->rounds; round++) {
        rotate(tile, round + 1);
        for (size_t l = 0; l < tile->size; l++)
            tile->y[l] = 31 * tile->y[l] + (uint32_t)round;
    }
}

static void in_branch(const struct tile *tile)
{
    const bool is_even = tile->group % 2 == 0;
    if (!is_even && tile->rounds <= 1)
        return;
    rotate(tile, is_even ? 1 : 2);
    for (size_t l = 0; l < tile->size; l++)
        tile->y[l] = is_even ? 3 * tile->y[l] : 5 * (tile->y[l] + 1);
}

static void before_return(const struct tile *tile)
{
    rotate(tile, 1);
    if (tile->group % 3 != 1)
        for (size_t l = 0; l < tile->size; l++)
            tile->y[l] += tile->x[(l + 2) % tile->size];
}

static void in_helper(const struct tile *tile)
{
    for (size_t swap = 0; swap < tile->rounds + 1; swap++) {
        rotate(tile, swap == 0 ? 1 : swap - 1);
        for (size_t l = 0; l < tile->size; l++)
            tile->y[l] = swap == 0 ? 7 * tile->y[l] + 1 : 9 * tile->y[l] + 2;
    }
}

static void without(const struct tile *tile)
{
    for (size_t l = 0; l < tile->size; l++)
        tile->y[l] += (uint32_t)tile->rounds;
}

static void of_global_memory(const struct tile *tile)
{
    rotate(tile, 1);
    for (size_t l = 0; l < tile->size; l++)
        tile->before[l] = tile->x[l] + 11 * tile->y[l];
    for (size_t l = 0; l < tile->size; l++)
        tile->y[l] = tile->before[l] + tile->before[(l + tile->rounds) % tile->size];
}

static void in_every_statement(const struct tile *tile)
{
    const size_t last = tile->rounds < 6 ? tile->rounds : 6;
    for (size_t round = 0; round <= last; round++) {
        for (size_t k = 0; k < 3; k++) {
            memcpy(tile->before, tile->y, tile->size * sizeof *tile->y);
            for (size_t l = 0; l < tile->size && (round + k) % 3 != 2; l++)
                tile->y[l] += 3 * tile->before[(l + k + 1) % tile->size];
        }
        for (size_t l = 0; l < tile->size && round % 4 != 0; l++)
            tile->y[l] ^= l == 0 ? 5 : 6;
    }
}

/* What one item's variables come to; `next` is its neighbour's input. */
static uint32_t add_variables(uint32_t a, uint32_t next, size_t rounds)
{
    const uint32_t b = a * 3, c = a ^ 0x55, d = a + 7;
    uint64_t pair[2] = {a, b};
    uint32_t sum = a + b + c + d + (a >> 3) + (a << 5) + ~a;
    sum += (uint32_t)(((uint64_t)a << 32 | b) >> 31) + (a & 0x7fff);
    sum += a + b + c + d + (a & 0xffff) + a; /* p, q, r, s, single, longest */
    for (size_t round = 0; round < rounds; round++)
        pair[round % 2] += next + (uint32_t)round;
    sum += (uint32_t)(((uint64_t)a * 8 + rounds) / 8) + (uint32_t)(pair[0] ^ pair[1]);
    for (uint32_t k = 0; k < 200; k++)
        sum = 5 * sum + ((a * (k + 1)) ^ (k < rounds ? next + k : 0));
    return sum;
}

static void among_variables(const struct tile *tile)
{
    for (size_t l = 0; l < tile->size; l++)
        tile->y[l] = add_variables(tile->x[l], tile->x[(l + 1) % tile->size], tile->rounds);
}

static void at_one_place(const struct tile *tile)
{
    const uint32_t first = tile->x[0];
    uint32_t place = first + 7, sum = 0;
    for (size_t round = 0; round < tile->rounds; round++) {
        sum = 3 * sum + place;
        place += (uint32_t)round;
    }
    for (size_t l = 0; l < tile->size; l++)
        tile->y[l] = sum + place + first;
}

static void at_one_global_place(const struct tile *tile)
{
    const uint32_t first = tile->x[0];
    for (size_t l = 0; l < tile->size; l++)
        tile->y[l] = first ^ (first + 7 + (uint32_t)tile->rounds);
}

static void transpose(const struct tile *tile)
{
    const size_t *n = tile->shape->group;
    size_t at = 0;
    for (size_t i = 0; i < n[0]; i++)
        for (size_t j = 0; j < n[1]; j++)
            for (size_t k = 0; k < n[2]; k++)
                tile->y[tile->size - 1 - ((k * n[1] + j) * n[0] + i)] =
                    tile->x[at++] + (uint32_t)tile->rounds;
}

/* The kernels have the same parameters, and so structs of arguments of the same layout. */
static const struct {
    const char *name;
    const struct reap_kernel *kernel;
    void (*reference)(const struct tile *tile);
} cases[] = {
    {"in a loop", &reap_kernel_barrier_in_loop, in_loop},
    {"in a branch", &reap_kernel_barrier_in_branch, in_branch},
    {"before return", &reap_kernel_barrier_before_return, before_return},
    {"in a helper", &reap_kernel_barrier_in_helper, in_helper},
    {"none", &reap_kernel_no_barrier, without},
    {"of global memory", &reap_kernel_barrier_of_global_memory, of_global_memory},
    {"in every statement", &reap_kernel_barrier_in_every_statement, in_every_statement},
    {"among variables", &reap_kernel_barrier_among_variables, among_variables},
    {"at one place", &reap_kernel_barrier_at_one_place, at_one_place},
    {"at one global place", &reap_kernel_barrier_at_one_global_place, at_one_global_place},
    {"a tile transposed", &reap_kernel_transpose_group, transpose},
};

static void expect(size_t c, const struct shape *shape, size_t rounds, const uint32_t *x,
                   uint32_t *expected)
{
    const size_t size = shape_group_items(shape);
    uint32_t *inputs = test_allocate(3 * size * sizeof *inputs);
    struct tile tile = {shape, 0, size, rounds, inputs, inputs + size, inputs + 2 * size};
    for (; tile.group < shape_groups(shape); tile.group++) {
        for (size_t l = 0; l < size; l++)
            inputs[l] = tile.y[l] = x[shape_item(shape, tile.group, l)];
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
    const struct reap_arguments_no_barrier arguments = {
        shape_range(shape), .x = x, .y = y, .rounds = rounds, .shared = shape_group_items(shape)};
    const unsigned long failed = check_failures;
    input_fill(INPUT_BITS_32, 0, items, random, x);
    expect(c, shape, rounds, x, expected);
    for (size_t q = 0; q < queue_count; q++) {
        memset(y, 0xee, bytes);
        CHECK_LAUNCH(reap_launch(queues[q], cases[c].kernel, &arguments), queues[q]);
        CHECK_BITS(y, expected, bytes, cases[c].name, items, queue_threads[q]);
    }
    if (check_failures > failed)
        shape_tell(shape);
    free(x);
    free(y);
    free(expected);
}

int main(void)
{
    uint64_t random = check_seed();
    reap_queue *queues[QUEUES];
    queues_open(queues);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (size_t s = 0; (s = shape_next(s)) < SHAPES; s++)
            check_case(queues, &shapes[s], c, &random);
        check_case(queues, &crowds[c % CROWDS], c, &random);
    }
    queues_close(queues);
    return check_finish();
}
