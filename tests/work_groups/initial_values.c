/* SPDX-License-Identifier: Apache-2.0
 *
 * Group algorithms after an initial value, on several kinds of types, compared to the bit with
 * those of the reference: op(initial, result), where an exclusive scan's first result is the
 * initial value.
 */
#include "tests/work_groups/initial_values.kernels.h"

#include "tests/conformance/inputs.h"
#include "tests/conformance/queues.h"
#include "tests/conformance/reference_builtin.h"
#include "tests/conformance/reference_user.h"
#include "tests/support/memory.h"
#include "tests/work_groups/reference_groups.h"
#include "tests/work_groups/shapes.h"

/* A value is made of so many inputs of that type. */
struct type {
    const char *name;
    enum input_type input;
    size_t inputs;
    const struct reap_kernel *from, *joint; /* joint is NULL without an identity */
    const struct reference_operator *ops;
    size_t op_count;
};

#define BUILT_IN(name, input, count)                                                               \
    {                                                                                              \
#name, input, 1, &reap_kernel_from_##name, &reap_kernel_joint_from_##name,                 \
            reference_##name, count                                                                \
    }

static const struct type types[] = {
    BUILT_IN(int, INPUT_BITS_32, 2),
    BUILT_IN(float, INPUT_FLOAT, REFERENCE_FLOATING_OPERATORS),
    BUILT_IN(half, INPUT_HALF, 2),
    BUILT_IN(bfloat16, INPUT_BFLOAT16, 2),
    {"moments", INPUT_TAME_DOUBLE, 3, &reap_kernel_from_moments, &reap_kernel_joint_from_moments,
     &reference_user[REFERENCE_MOMENTS], 1},
    {"affine", INPUT_TAME_DOUBLE, 2, &reap_kernel_from_affine, NULL,
     &reference_user[REFERENCE_AFFINE], 1},
};

/* Users' floating types have no canonical NaN, so that they get finite inputs. */
static unsigned draw_flavour(const struct type *type, uint64_t *random)
{
    return (unsigned)(check_random(random) %
                      (type->op_count > 1 ? input_flavours(type->input) : 2));
}

/* `values` become op(initial, value); a NaN the canonical one. */
static void start(const struct reference_operator *op, const void *initial, size_t count,
                  unsigned char *values)
{
    unsigned char *own = test_allocate(op->bytes);
    for (size_t i = 0; i < count; i++, values += op->bytes) {
        memcpy(own, initial, op->bytes);
        op->combine(own, values, op->bytes);
        memcpy(values, own, op->bytes);
        if (op->settle != NULL)
            op->settle(values);
    }
    free(own);
}

static void scan_from(const struct reference_operator *op, const unsigned char *own, size_t size,
                      const void *initial, unsigned char *made)
{
    unsigned char *scanned = test_allocate(size * op->bytes);
    reference_group_scan(op, own, size, false, scanned);
    start(op, initial, size, scanned);
    memcpy(made, initial, op->bytes);
    memcpy(made + op->bytes, scanned, (size - 1) * op->bytes);
    if (op->settle != NULL)
        op->settle(made);
    free(scanned);
}

/* What the first kernel makes of all items, in three parts for each operator. */
static void expect(const struct type *type, const struct shape *shape, const unsigned char *x,
                   const void *initial, unsigned char *y)
{
    const size_t items = shape_items(shape), size = shape_group_items(shape);
    const size_t bytes = type->ops[0].bytes;
    unsigned char *own = test_allocate(size * bytes), *made = test_allocate(size * bytes);
    for (size_t group = 0; group < shape_groups(shape); group++) {
        for (size_t l = 0; l < size; l++)
            memcpy(own + l * bytes, x + shape_item(shape, group, l) * bytes, bytes);
        for (size_t part = 0; part < type->op_count * 3; part++) {
            const struct reference_operator *op = &type->ops[part / 3];
            if (part % 3 == 0)
                reference_group_reduce(op, own, size, made);
            else if (part % 3 == 1)
                reference_group_scan(op, own, size, false, made);
            if (part % 3 == 2)
                scan_from(op, own, size, initial, made);
            else
                start(op, initial, part % 3 == 0 ? 1 : size, made);
            for (size_t l = 0; l < size; l++)
                memcpy(y + (part * items + shape_item(shape, group, l)) * bytes,
                       made + (part % 3 == 0 ? 0 : l) * bytes, bytes);
        }
    }
    free(own);
    free(made);
}

/* A group's elements, and the size of the group. */
struct elements {
    const unsigned char *x;
    size_t count, size;
    const void *initial;
};

/* As reference_joint_scan, with `before` beginning as the initial value. */
static void joint_scan_from(const struct reference_operator *op, const struct elements *of,
                            bool is_exclusive, unsigned char *y)
{
    const unsigned char *const x = of->x;
    const size_t count = of->count, size = of->size;
    const size_t bytes = op->bytes;
    unsigned char *before = test_allocate(bytes), *row = test_allocate(size * bytes);
    unsigned char *scanned = test_allocate(size * bytes);
    memcpy(before, of->initial, bytes);
    for (size_t first = 0; first < count; first += size) {
        for (size_t l = 0; l < size; l++)
            memcpy(row + l * bytes, first + l < count ? x + (first + l) * bytes : op->identity,
                   bytes);
        reference_group_scan(op, row, size, is_exclusive, scanned);
        const size_t here = count - first < size ? count - first : size;
        memcpy(y + first * bytes, scanned, here * bytes);
        start(op, before, here, y + first * bytes);
        reference_group_scan(op, row, size, false, scanned);
        op->combine(before, scanned + (size - 1) * bytes, bytes);
    }
    free(before);
    free(row);
    free(scanned);
}

/* What the second makes of one group's elements. */
static void expect_joint(const struct type *type, size_t size, const unsigned char *x, size_t count,
                         const void *initial, unsigned char *y)
{
    const size_t bytes = type->ops[0].bytes;
    const struct elements of = {x, count, size, initial};
    for (size_t o = 0; o < type->op_count; o++, y += (2 * count + 1) * bytes) {
        const struct reference_operator *op = &type->ops[o];
        reference_joint_reduce(op, x, count, size, y);
        start(op, initial, 1, y);
        joint_scan_from(op, &of, false, y + bytes);
        joint_scan_from(op, &of, true, y + (1 + count) * bytes);
    }
}

/* Both kernels' launches. */
struct attempt {
    const struct reap_kernel *kernel;
    const struct shape *shape;
    const void *x, *initial;
    unsigned char *y, *expected;
    size_t bytes, count; /* of the results; elements of a group */
};

static void check_attempt(reap_queue *const *queues, const struct type *type,
                          const struct attempt *attempt)
{
    const struct reap_arguments_from_int arguments = {
        shape_range(attempt->shape), .x = attempt->x, .y = (void *)attempt->y,
        .initial = attempt->initial, .count = attempt->count};
    const unsigned long failed = check_failures;
    for (size_t q = 0; q < QUEUES && q < queue_count; q += 3) {
        memset(attempt->y, 0xee, attempt->bytes);
        CHECK_LAUNCH(reap_launch(queues[q], attempt->kernel, &arguments), queues[q]);
        CHECK_BITS(attempt->y, attempt->expected, attempt->bytes, type->name,
                   shape_items(attempt->shape), queue_threads[q]);
    }
    if (check_failures > failed)
        shape_tell(attempt->shape);
}

static void check_groups(reap_queue *const *queues, const struct type *type,
                         const struct shape *shape, uint64_t *random)
{
    const size_t items = shape_items(shape), bytes = (items + 1) * type->ops[0].bytes;
    const size_t all = items * type->ops[0].bytes * 3 * type->op_count;
    unsigned char *x = test_allocate(bytes), *y = test_allocate(all);
    unsigned char *expected = test_allocate(all), *initial = x + items * type->ops[0].bytes;
    input_fill(type->input, draw_flavour(type, random), (items + 1) * type->inputs, random, x);
    expect(type, shape, x, initial, expected);
    const struct attempt attempt = {type->from, shape, x, initial, y, expected, all, 0};
    check_attempt(queues, type, &attempt);
    free(x);
    free(y);
    free(expected);
}

static void check_joint(reap_queue *const *queues, const struct type *type,
                        const struct shape *shape, size_t count, uint64_t *random)
{
    const size_t groups = shape_groups(shape), size = shape_group_items(shape);
    const size_t bytes = count * type->ops[0].bytes;
    const size_t own = (2 * count + 1) * type->op_count * type->ops[0].bytes;
    unsigned char *x = test_allocate(groups * bytes + type->ops[0].bytes);
    unsigned char *y = test_allocate(groups * own), *expected = test_allocate(groups * own);
    unsigned char *initial = x + groups * bytes;
    input_fill(type->input, draw_flavour(type, random), (groups * count + 1) * type->inputs, random,
               x);
    for (size_t group = 0; group < groups; group++)
        expect_joint(type, size, x + group * bytes, count, initial, expected + group * own);
    const struct attempt attempt = {type->joint, shape,        x,    initial, y,
                                    expected,    groups * own, count};
    check_attempt(queues, type, &attempt);
    free(x);
    free(y);
    free(expected);
}

static void check_type(reap_queue *const *queues, const struct type *type, uint64_t *random)
{
    static const struct shape some[] = {
        SHAPE_1D(3, 1),
        SHAPE_1D(4, 2),
        SHAPE_1D(3, 7),
        SHAPE_1D(3, 100),
        {2, {3, 7, 1}, {2, 1, 1}},
        {3, {3, 4, 5}, {1, 2, 1}},
    };
    for (size_t s = 0; (s = shape_next(s)) < SHAPES; s++)
        check_groups(queues, type, &shapes[s], random);
    for (size_t s = 0; s < sizeof some / sizeof *some && type->joint != NULL; s++) {
        const size_t size = shape_group_items(&some[s]);
        const size_t counts[] = {0, 1, size, 3 * size + 1, 300};
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            check_joint(queues, type, &some[s], counts[c], random);
    }
}

int main(void)
{
    uint64_t random = check_seed();
    reap_queue *queues[QUEUES];
    queues_open(queues);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        if (test_wants(types[t].name))
            check_type(queues, &types[t], &random);
    queues_close(queues);
    return check_finish();
}
