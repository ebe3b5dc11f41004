/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions and scans of groups, and of arrays by groups, on every kind of type, compared to the
 * bit with those of the reference.
 */
#include "tests/work_groups/algorithms.kernels.h"

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
    const struct reap_kernel *algorithms, *joint; /* joint is NULL without an identity */
    const struct reference_operator *ops;
    size_t op_count;
};

#define BUILT_IN(name, input, count)                                                               \
    {                                                                                              \
#name, input, 1, &reap_kernel_algorithms_##name, &reap_kernel_joint_##name,                \
            reference_##name, count                                                                \
    }

static const struct type types[] = {
    BUILT_IN(int, INPUT_BITS_32, REFERENCE_INTEGER_OPERATORS),
    BUILT_IN(ulong, INPUT_BITS_64, REFERENCE_INTEGER_OPERATORS),
    BUILT_IN(schar, INPUT_BITS_8, REFERENCE_INTEGER_OPERATORS),
    BUILT_IN(float, INPUT_FLOAT, REFERENCE_FLOATING_OPERATORS),
    BUILT_IN(double, INPUT_DOUBLE, REFERENCE_FLOATING_OPERATORS),
    BUILT_IN(half, INPUT_HALF, REFERENCE_FLOATING_OPERATORS),
    BUILT_IN(bfloat16, INPUT_BFLOAT16, REFERENCE_FLOATING_OPERATORS),
    {"bool", INPUT_BOOL, 1, &reap_kernel_algorithms_truth, &reap_kernel_joint_truth, reference_bool,
     REFERENCE_BOOL_OPERATORS},
    {"compensated", INPUT_TAME_DOUBLE, 2, &reap_kernel_algorithms_compensated,
     &reap_kernel_joint_compensated, &reference_user[REFERENCE_COMPENSATED], 1},
    {"moments", INPUT_TAME_DOUBLE, 3, &reap_kernel_algorithms_moments, &reap_kernel_joint_moments,
     &reference_user[REFERENCE_MOMENTS], 1},
    {"affine", INPUT_TAME_DOUBLE, 2, &reap_kernel_algorithms_affine, NULL,
     &reference_user[REFERENCE_AFFINE], 1},
    {"average", INPUT_FLOAT, 1, &reap_kernel_algorithms_average, NULL,
     &reference_user[REFERENCE_AVERAGE], 1},
    {"last", INPUT_BITS_32, 1, &reap_kernel_algorithms_last, NULL, &reference_user[REFERENCE_LAST],
     1},
};

/* Users' floating types have no canonical NaN, so that they get finite inputs. */
static unsigned draw_flavour(const struct type *type, uint64_t *random)
{
    const unsigned flavours =
        type->ops[0].settle != NULL || type->op_count > 1 ? input_flavours(type->input) : 2;
    return (unsigned)(check_random(random) % flavours);
}

/* What the first kernel makes of all items, in as many parts of `items` values as it has results.
 */
static void expect(const struct type *type, const struct shape *shape, const unsigned char *x,
                   unsigned char *y)
{
    const size_t items = shape_items(shape), size = shape_group_items(shape);
    const size_t bytes = type->ops[0].bytes;
    unsigned char *own = test_allocate(size * bytes), *made = test_allocate(size * bytes);
    for (size_t group = 0; group < shape_groups(shape); group++) {
        for (size_t l = 0; l < size; l++)
            memcpy(own + l * bytes, x + shape_item(shape, group, l) * bytes, bytes);
        for (size_t part = 0; part < type->op_count * (type->joint != NULL ? 3 : 2); part++) {
            const struct reference_operator *op = &type->ops[part / 3];
            if (part % 3 == 0)
                reference_group_reduce(op, own, size, made);
            else
                reference_group_scan(op, own, size, part % 3 == 2, made);
            for (size_t l = 0; l < size; l++)
                memcpy(y + (part * items + shape_item(shape, group, l)) * bytes,
                       made + (part % 3 == 0 ? 0 : l) * bytes, bytes);
        }
    }
    free(own);
    free(made);
}

/* What the second makes of one group's elements. */
static void expect_joint(const struct type *type, size_t size, const unsigned char *x, size_t count,
                         unsigned char *y)
{
    const size_t bytes = type->ops[0].bytes;
    for (size_t o = 0; o < type->op_count; o++, y += (2 * count + 1) * bytes) {
        const struct reference_operator *op = &type->ops[o];
        reference_joint_reduce(op, x, count, size, y);
        reference_joint_scan(op, x, count, size, false, y + bytes);
        reference_joint_scan(op, x, count, size, true, y + (1 + count) * bytes);
    }
}

/* Both kernels' launches: the inputs, and what is expected of them. */
struct attempt {
    const struct reap_kernel *kernel;
    const struct shape *shape;
    const void *x;
    unsigned char *y, *expected;
    size_t bytes, count; /* of the results; elements of a group */
};

static void check_attempt(reap_queue *const *queues, const struct type *type,
                          const struct attempt *attempt, unsigned flavour)
{
    const struct reap_arguments_algorithms_int arguments = {
        shape_range(attempt->shape), .x = attempt->x, .y = (void *)attempt->y,
        .count = attempt->count};
    const unsigned long failed = check_failures;
    for (size_t q = 0; q < QUEUES && q < queue_count; q += 3) {
        memset(attempt->y, 0xee, attempt->bytes);
        CHECK_LAUNCH(reap_launch(queues[q], attempt->kernel, &arguments), queues[q]);
        CHECK_BITS(attempt->y, attempt->expected, attempt->bytes, type->name,
                   shape_items(attempt->shape), queue_threads[q]);
    }
    if (check_failures > failed) {
        fprintf(stderr, "  inputs: %s, %zu elements\n", input_flavour_name(type->input, flavour),
                attempt->count);
        shape_tell(attempt->shape);
    }
}

static void check_algorithms(reap_queue *const *queues, const struct type *type,
                             const struct shape *shape, uint64_t *random)
{
    const size_t items = shape_items(shape), parts = type->joint != NULL ? 3 : 2;
    const unsigned flavour = draw_flavour(type, random);
    const size_t bytes = items * type->ops[0].bytes, all = bytes * parts * type->op_count;
    unsigned char *x = test_allocate(bytes), *y = test_allocate(all);
    unsigned char *expected = test_allocate(all);
    input_fill(type->input, flavour, items * type->inputs, random, x);
    expect(type, shape, x, expected);
    const struct attempt attempt = {type->algorithms, shape, x, y, expected, all, 0};
    check_attempt(queues, type, &attempt, flavour);
    free(x);
    free(y);
    free(expected);
}

static void check_joint(reap_queue *const *queues, const struct type *type,
                        const struct shape *shape, size_t count, uint64_t *random)
{
    const size_t groups = shape_groups(shape), size = shape_group_items(shape);
    const unsigned flavour = draw_flavour(type, random);
    const size_t bytes = count * type->ops[0].bytes;
    const size_t own = (2 * count + 1) * type->op_count * type->ops[0].bytes;
    unsigned char *x = test_allocate(groups * bytes + 1), *y = test_allocate(groups * own);
    unsigned char *expected = test_allocate(groups * own);
    input_fill(type->input, flavour, groups * count * type->inputs, random, x);
    for (size_t group = 0; group < groups; group++)
        expect_joint(type, size, x + group * bytes, count, expected + group * own);
    const struct attempt attempt = {type->joint, shape, x, y, expected, groups * own, count};
    check_attempt(queues, type, &attempt, flavour);
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
        SHAPE_1D(2, 64),
        SHAPE_1D(3, 100),
        {2, {3, 7, 1}, {2, 1, 1}},
        {3, {3, 4, 5}, {1, 2, 1}},
    };
    for (size_t s = 0; (s = shape_next(s)) < SHAPES; s++)
        for (int repeat = 0; repeat < 2; repeat++)
            check_algorithms(queues, type, &shapes[s], random);
    for (size_t s = 0; s < sizeof some / sizeof *some && type->joint != NULL; s++) {
        const size_t size = shape_group_items(&some[s]);
        const size_t counts[] = {0, 1, size - 1, size, size + 1, 3 * size + 1, 300};
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
