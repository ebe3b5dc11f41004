/* SPDX-License-Identifier: Apache-2.0
 *
 * Shuffles and broadcasts in sub-groups, of every kind of type, with items that the sub-group has
 * and has not, compared to the bit with copies made one by one.
 */
#include "tests/work_groups/sub_group_moves.kernels.h"

#include "tests/conformance/queues.h"
#include "tests/support/memory.h"
#include "tests/work_groups/sub_group_shapes.h"

#define TYPE(name, T, padding, phases)                                                             \
    {                                                                                              \
#name, sizeof(T), padding, &reap_kernel_move_##name, phases                                \
    }

/* A type whose members do not fill it is compared without its last bytes. */
static const struct type {
    const char *name;
    size_t bytes, padding;
    const struct reap_kernel *kernel, *phases; /* the latter may be NULL, and has no broadcast */
} types[] = {
    TYPE(char_, char, 0, NULL),
    TYPE(schar_, signed char, 0, NULL),
    TYPE(uchar_, unsigned char, 0, &reap_kernel_phases_uchar_),
    TYPE(short_, short, 0, NULL),
    TYPE(ushort_, unsigned short, 0, NULL),
    TYPE(int_, int, 0, NULL),
    TYPE(uint_, unsigned, 0, NULL),
    TYPE(long_, long, 0, NULL),
    TYPE(ulong_, unsigned long, 0, NULL),
    TYPE(llong_, long long, 0, &reap_kernel_phases_llong_),
    TYPE(ullong_, unsigned long long, 0, NULL),
    TYPE(float_, float, 0, &reap_kernel_phases_float_),
    TYPE(double_, double, 0, NULL),
    TYPE(half_, reap_half, 0, NULL),
    TYPE(bfloat16_, reap_bfloat16, 0, NULL),
    TYPE(bool_, bool, 0, NULL),
    TYPE(three_bytes, three_bytes, 0, &reap_kernel_phases_three_bytes),
    TYPE(ten_bytes, ten_bytes, 0, NULL),
    TYPE(extent, extent, 0, NULL),
    TYPE(moments, moments, 0, &reap_kernel_phases_moments),
    TYPE(forty_bytes, forty_bytes, 3, &reap_kernel_phases_forty_bytes),
    TYPE(many_bytes, many_bytes, 0, NULL),
};

enum { WAYS = 5 };

/* The item of a sub-group of `size` that item l gets its value from. */
static size_t source(unsigned way, size_t l, size_t size, uint64_t by, uint64_t first)
{
    switch (way) {
    case 0:
        return by < size ? by : l;
    case 1:
        return by <= l ? l - by : l;
    case 2:
        return l + by < size ? l + by : l;
    case 3:
        return (l ^ by) < size ? l ^ by : l;
    default:
        return first % size;
    }
}

/* What each item gets, one way after the other. */
static void expect(const struct type *type, const struct shape *shape, const unsigned char *x,
                   const uint32_t *by, unsigned char *y)
{
    const size_t size = shape_group_items(shape), items = shape_items(shape);
    for (size_t group = 0; group < shape_groups(shape); group++)
        for (size_t item = 0; item < size; item++) {
            const size_t first = item / 32 * 32, here = size - first < 32 ? size - first : 32;
            const size_t at = shape_item(shape, group, item);
            for (unsigned way = 0; way < WAYS; way++) {
                const size_t from =
                    source(way, item - first, here, by[at], by[shape_item(shape, group, first)]);
                memcpy(y + (way * items + at) * type->bytes,
                       x + shape_item(shape, group, first + from) * type->bytes, type->bytes);
            }
        }
}

/* Mostly items that there may be. */
static uint32_t draw_by(uint64_t *random)
{
    const uint64_t kind = check_random(random) % 16;
    if (kind == 0)
        return UINT32_MAX - (uint32_t)(check_random(random) % 40);
    return (uint32_t)(check_random(random) % (kind == 1 ? 70 : 32));
}

static void fill(const struct type *type, size_t items, uint64_t *random, unsigned char *x,
                 uint32_t *by)
{
    for (size_t i = 0; i < items * type->bytes; i++)
        x[i] = (unsigned char)check_random(random);
    for (size_t i = 0; i < items; i++) {
        by[i] = draw_by(random);
        if (type->kernel == &reap_kernel_move_bool_)
            x[i] &= 1;
        memset(x + (i + 1) * type->bytes - type->padding, 0, type->padding);
    }
}

static void clear_padding(const struct type *type, size_t count, unsigned char *y)
{
    for (size_t i = 1; i <= count; i++)
        memset(y + i * type->bytes - type->padding, 0, type->padding);
}

static void check_shape(reap_queue *const *queues, const struct type *type,
                        const struct shape *shape, uint64_t *random)
{
    const size_t items = shape_items(shape), all = WAYS * items * type->bytes;
    unsigned char *x = test_allocate(items * type->bytes), *y = test_allocate(all);
    unsigned char *expected = test_allocate(all);
    uint32_t *by = test_allocate(items * sizeof *by);
    fill(type, items, random, x, by);
    expect(type, shape, x, by, expected);
    const struct reap_arguments_move_uchar_ arguments = {shape_range(shape), .x = x, .by = by,
                                                         .y = y};
    const unsigned long failed = check_failures;
    for (size_t q = 0; q < QUEUES && q < queue_count; q += 3) {
        memset(y, 0xee, all);
        CHECK_LAUNCH(reap_launch(queues[q], type->kernel, &arguments), queues[q]);
        clear_padding(type, WAYS * items, y);
        CHECK_BITS(y, expected, all, type->name, items, queue_threads[q]);
        if (type->phases == NULL)
            continue;
        memset(y, 0xee, all);
        CHECK_LAUNCH(reap_launch(queues[q], type->phases, &arguments), queues[q]);
        clear_padding(type, (WAYS - 1) * items, y);
        CHECK_BITS(y, expected, all / WAYS * (WAYS - 1), type->name, items, queue_threads[q]);
    }
    if (check_failures > failed)
        shape_tell(shape);
    free(x);
    free(y);
    free(expected);
    free(by);
}

int main(void)
{
    uint64_t random = check_seed();
    reap_queue *queues[QUEUES];
    queues_open(queues);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (size_t s = 0; test_wants(types[t].name) && (s = sub_group_next(s)) < SUB_GROUP_SHAPES;
             s++)
            check_shape(queues, &types[t], &sub_group_shapes[s], &random);
    queues_close(queues);
    return check_finish();
}
