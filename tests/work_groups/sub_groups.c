/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions and scans of sub-groups, on every kind of type, compared to the bit with those that
 * the reference makes of 32 items and of the group's last ones.
 */
#include "tests/work_groups/sub_groups.kernels.h"

#include "tests/conformance/inputs.h"
#include "tests/conformance/queues.h"
#include "tests/conformance/reference_builtin.h"
#include "tests/conformance/reference_user.h"
#include "tests/support/memory.h"
#include "tests/work_groups/reference_groups.h"
#include "tests/work_groups/sub_group_shapes.h"

/* A value is made of so many inputs of that type. The operators with an initial value are the
 * first ones. */
struct type {
    const char *name;
    enum input_type input;
    size_t inputs;
    const struct reap_kernel *kernel, *phases; /* in phases: without initial values */
    const struct reference_operator *ops;
    size_t op_count, from_count;
    bool has_identity;
};

#define BUILT_IN(name, input, count, from)                                                         \
    {                                                                                              \
#name, input, 1, &reap_kernel_combine_##name, &reap_kernel_phases_##name,                  \
            reference_##name, count, from, true                                                    \
    }
#define INTEGER(name, input) BUILT_IN(name, input, REFERENCE_INTEGER_OPERATORS, 1)

static const struct type types[] = {
    INTEGER(schar, INPUT_BITS_8),
    INTEGER(ushort, INPUT_BITS_16),
    INTEGER(int, INPUT_BITS_32),
    INTEGER(uint, INPUT_BITS_32),
    INTEGER(long, INPUT_BITS_64),
    INTEGER(ullong, INPUT_BITS_64),
    BUILT_IN(float, INPUT_FLOAT, REFERENCE_FLOATING_OPERATORS, REFERENCE_FLOATING_OPERATORS),
    BUILT_IN(double, INPUT_DOUBLE, REFERENCE_FLOATING_OPERATORS, REFERENCE_FLOATING_OPERATORS),
    BUILT_IN(half, INPUT_HALF, REFERENCE_FLOATING_OPERATORS, 1),
    BUILT_IN(bfloat16, INPUT_BFLOAT16, REFERENCE_FLOATING_OPERATORS, 1),
    {"bool", INPUT_BOOL, 1, &reap_kernel_combine_truth, &reap_kernel_phases_truth, reference_bool,
     REFERENCE_BOOL_OPERATORS, 1, true},
    {"rotation", INPUT_FLOAT, 2, &reap_kernel_combine_rotation, &reap_kernel_phases_rotation,
     &reference_user[REFERENCE_ROTATION], 1, 1, true},
    {"moments", INPUT_TAME_DOUBLE, 3, &reap_kernel_combine_moments, &reap_kernel_phases_moments,
     &reference_user[REFERENCE_MOMENTS], 1, 1, true},
    {"average", INPUT_FLOAT, 1, &reap_kernel_combine_average, &reap_kernel_phases_average,
     &reference_user[REFERENCE_AVERAGE], 1, 1, false},
};

/* Users' floating types have no canonical NaN, so they get inputs whose products are finite. */
static unsigned draw_flavour(const struct type *type, uint64_t *random)
{
    const unsigned near_one = 1;
    return type->op_count > 1 ? (unsigned)(check_random(random) % input_flavours(type->input))
                              : near_one;
}

/* op(initial, value), and of a NaN the canonical one. */
static void start(const struct reference_operator *op, const void *initial, void *value)
{
    unsigned char own[64];
    memcpy(own, initial, op->bytes);
    op->combine(own, value, op->bytes);
    memcpy(value, own, op->bytes);
    if (op->settle != NULL)
        op->settle(value);
}

enum word { REDUCE, INCLUSIVE, EXCLUSIVE };

/* What a sub-group of so many items makes of its values; `initial` may be NULL. */
static void expect_sub_group(const struct reference_operator *op, enum word word,
                             const unsigned char *own, size_t size, const void *initial,
                             unsigned char *made)
{
    const size_t bytes = op->bytes;
    if (word == REDUCE)
        reference_group_reduce(op, own, size, made);
    else
        reference_group_scan(op, own, size, word == EXCLUSIVE && initial == NULL, made);
    for (size_t l = 1; l < size && word == REDUCE; l++)
        memcpy(made + l * bytes, made, bytes);
    for (size_t l = 0; l < size && initial != NULL; l++)
        start(op, initial, made + l * bytes);
    if (word != EXCLUSIVE || initial == NULL)
        return;
    memmove(made + bytes, made, (size - 1) * bytes);
    memcpy(made, initial, bytes);
    if (op->settle != NULL)
        op->settle(made);
}

static void expect_part(const struct shape *shape, const struct reference_operator *op,
                        enum word word, const unsigned char *x, const void *initial,
                        unsigned char *y)
{
    const size_t size = shape_group_items(shape), bytes = op->bytes;
    unsigned char own[32 * 64], made[32 * 64];
    for (size_t group = 0; group < shape_groups(shape); group++)
        for (size_t first = 0; first < size; first += 32) {
            const size_t here = size - first < 32 ? size - first : 32;
            for (size_t l = 0; l < here; l++)
                memcpy(own + l * bytes, x + shape_item(shape, group, first + l) * bytes, bytes);
            expect_sub_group(op, word, own, here, initial, made);
            for (size_t l = 0; l < here; l++)
                memcpy(y + shape_item(shape, group, first + l) * bytes, made + l * bytes, bytes);
        }
}

/* All parts; returns how many. */
static size_t expect(const struct type *type, const struct shape *shape, const unsigned char *x,
                     const void *initial, unsigned char *y)
{
    const size_t bytes = shape_items(shape) * type->ops[0].bytes;
    size_t parts = 0;
    for (size_t o = 0; o < type->op_count; o++)
        for (unsigned word = REDUCE; word <= (type->has_identity ? EXCLUSIVE : INCLUSIVE); word++)
            expect_part(shape, &type->ops[o], word, x, NULL, y + bytes * parts++);
    for (size_t o = 0; o < type->from_count; o++)
        for (unsigned word = REDUCE; word <= EXCLUSIVE; word++)
            expect_part(shape, &type->ops[o], word, x, initial, y + bytes * parts++);
    return parts;
}

/* The launches of one kernel. */
struct attempt {
    const struct reap_kernel *kernel;
    const struct shape *shape;
    unsigned char *x, *y, *initial;
    const unsigned char *expected;
    size_t bytes; /* of the results */
};

static void check_attempt(reap_queue *const *queues, const struct type *type,
                          const struct attempt *attempt)
{
    const struct reap_arguments_combine_int arguments = {
        shape_range(attempt->shape), .x = (void *)attempt->x, .y = (void *)attempt->y,
        .initial = (void *)attempt->initial};
    for (size_t q = 0; q < QUEUES && q < queue_count; q += 3) {
        memset(attempt->y, 0xee, attempt->bytes);
        CHECK_LAUNCH(reap_launch(queues[q], attempt->kernel, &arguments), queues[q]);
        CHECK_BITS(attempt->y, attempt->expected, attempt->bytes, type->name,
                   shape_items(attempt->shape), queue_threads[q]);
    }
}

static void check_shape(reap_queue *const *queues, const struct type *type,
                        const struct shape *shape, uint64_t *random)
{
    const size_t items = shape_items(shape), bytes = type->ops[0].bytes;
    const size_t most = 3 * (type->op_count + type->from_count) * items * bytes;
    const unsigned flavour = draw_flavour(type, random);
    unsigned char *x = test_allocate((items + 1) * bytes), *y = test_allocate(most);
    unsigned char *expected = test_allocate(most), *initial = x + items * bytes;
    input_fill(type->input, flavour, (items + 1) * type->inputs, random, x);
    const size_t part = items * bytes, all = expect(type, shape, x, initial, expected) * part;
    const unsigned long failed = check_failures;
    struct attempt attempt = {type->kernel, shape, x, y, initial, expected, all};
    check_attempt(queues, type, &attempt);
    attempt.kernel = type->phases;
    attempt.bytes = type->from_count * (type->has_identity ? 3 : 2) * part;
    check_attempt(queues, type, &attempt);
    if (check_failures > failed) {
        fprintf(stderr, "  inputs: %s\n", input_flavour_name(type->input, flavour));
        shape_tell(shape);
    }
    free(x);
    free(y);
    free(expected);
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
