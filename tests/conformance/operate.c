/* SPDX-License-Identifier: Apache-2.0
 *
 * reap_operate with built-in operators, against the reference and against reductions, to the bit:
 * NaNs, zeros with a sign, integers that wrap.
 */
#include "tests/conformance/operate.kernels.h"

#include "tests/conformance/inputs.h"
#include "tests/conformance/queues.h"
#include "tests/conformance/reference_builtin.h"
#include "tests/support/memory.h"

struct type {
    const char *name;
    enum input_type input;
    const struct reap_kernel *kernel;
    const struct reference_operator *ops;
    size_t op_count;
};

#define INTEGER(name, bits)                                                                        \
    {                                                                                              \
#name, INPUT_BITS_##bits, &reap_kernel_operate_##name, reference_##name,                   \
            REFERENCE_INTEGER_OPERATORS                                                            \
    }
static const struct type types[] = {
    INTEGER(char, 8),
    INTEGER(schar, 8),
    INTEGER(uchar, 8),
    INTEGER(short, 16),
    INTEGER(ushort, 16),
    INTEGER(int, 32),
    INTEGER(uint, 32),
    INTEGER(long, 64),
    INTEGER(ulong, 64),
    INTEGER(llong, 64),
    INTEGER(ullong, 64),
    {"float", INPUT_FLOAT, &reap_kernel_operate_float, reference_float,
     REFERENCE_FLOATING_OPERATORS},
    {"double", INPUT_DOUBLE, &reap_kernel_operate_double, reference_double,
     REFERENCE_FLOATING_OPERATORS},
    {"half", INPUT_HALF, &reap_kernel_operate_half, reference_half, REFERENCE_FLOATING_OPERATORS},
    {"bfloat16", INPUT_BFLOAT16, &reap_kernel_operate_bfloat16, reference_bfloat16,
     REFERENCE_FLOATING_OPERATORS},
    {"bool", INPUT_BOOL, &reap_kernel_operate_truth, reference_bool, REFERENCE_BOOL_OPERATORS},
};

static void expect(const struct type *type, const unsigned char *a, const unsigned char *b,
                   size_t items, unsigned char *y)
{
    for (size_t o = 0; o < type->op_count; o++) {
        const struct reference_operator *op = &type->ops[o];
        for (size_t i = 0; i < items; i++, y += op->bytes) {
            memcpy(y, a + i * op->bytes, op->bytes);
            op->combine(y, b + i * op->bytes, op->bytes);
            if (op->settle != NULL)
                op->settle(y);
        }
    }
}

static void check_operators(reap_queue *const *queues, const struct type *type, size_t items,
                            uint64_t *random)
{
    const size_t bytes = items * type->ops[0].bytes, all = bytes * type->op_count;
    unsigned char *a = test_allocate(2 * bytes), *b = a + bytes;
    unsigned char *y = test_allocate(all), *expected = test_allocate(all);
    const unsigned flavours = input_flavours(type->input);
    input_fill(type->input, (unsigned)(check_random(random) % flavours), items, random, a);
    input_fill(type->input, (unsigned)(check_random(random) % flavours), items, random, b);
    if (check_random(random) % 4 == 0) /* equal operands, too */
        memcpy(b, a, bytes / 2);
    expect(type, a, b, items, expected);
    const struct reap_arguments_operate_int arguments = {reap_range_1d(items), .a = (const void *)a,
                                                         .b = (const void *)b, .y = (void *)y};
    for (size_t q = 0; q < QUEUES && q < queue_count; q += 3) {
        memset(y, 0xee, all);
        CHECK_LAUNCH(reap_launch(queues[q], type->kernel, &arguments), queues[q]);
        CHECK_BITS(y, expected, all, type->name, items, queue_threads[q]);
    }
    free(a);
    free(y);
    free(expected);
}

/* NaNs, infinities and zeros of both signs in each place; on the device, and outside of a kernel.
 */
static void check_special_values(reap_queue *queue)
{
    static const float special[] = {NAN,   -NAN,  0.0f,     -0.0f,     1.0f,
                                    -1.0f, 3e38f, INFINITY, -INFINITY, 1e-45f};
    const size_t count = sizeof special / sizeof *special, pairs = count * count;
    const struct type type = {"float", INPUT_FLOAT, NULL, reference_float,
                              REFERENCE_FLOATING_OPERATORS};
    float *a = test_allocate(10 * pairs * sizeof *a);
    float *b = a + pairs, *y = b + pairs, *expected = y + 4 * pairs;
    for (size_t i = 0; i < pairs; i++) {
        a[i] = special[i / count];
        b[i] = special[i % count];
    }
    expect(&type, (void *)a, (void *)b, pairs, (void *)expected);
    CHECK_LAUNCH(
        reap_parallel_for(queue, operate_float, reap_range_1d(pairs), .a = a, .b = b, .y = y),
        queue);
    CHECK_BITS(y, expected, 4 * pairs * sizeof *y, "special values", pairs, 1);
    for (size_t i = 0; i < pairs; i++) {
        y[i] = reap_operate(plus, a[i], b[i]);
        y[pairs + i] = reap_operate(multiplies, a[i], b[i]);
        y[2 * pairs + i] = reap_operate(minimum, a[i], b[i]);
        y[3 * pairs + i] = reap_operate(maximum, a[i], b[i]);
    }
    CHECK_BITS(y, expected, 4 * pairs * sizeof *y, "outside of a kernel", pairs, 1);
    free(a);
}

/* Values in the order in which a reduction combines them. */
static void check_folds(reap_queue *queue, uint64_t *random)
{
    enum { COUNT = 200 };
    float *x = test_allocate(COUNT * sizeof *x), *y = test_allocate(4 * sizeof *y);
    float sum, product, least, most;
    for (unsigned flavour = 0; flavour < input_flavours(INPUT_FLOAT); flavour++) {
        input_fill(INPUT_FLOAT, flavour, COUNT, random, x);
        CHECK_LAUNCH(reap_parallel_for(queue, fold_floats, reap_range_1d(1), .x = x, .count = COUNT,
                                       .y = y, .sum = {.result = &sum},
                                       .product = {.result = &product}, .least = {.result = &least},
                                       .most = {.result = &most}),
                     queue);
        const float reduced[4] = {sum, product, least, most};
        CHECK_BITS(y, reduced, sizeof reduced, "a reduction's result", COUNT, 1);
    }
    free(x);
    free(y);
}

static bool is_near(int v)
{
    return v >= -50 && v <= 50;
}

static void check_nested(reap_queue *queue, uint64_t *random)
{
    enum { COUNT = 360, GROUP = 60 };
    int *x = test_allocate((size_t)2 * COUNT * sizeof *x), *y = x + COUNT, expected[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        x[i] = (int)(check_random(random) % 401) - 200;
    for (size_t i = 0; i < COUNT; i++) {
        const int other = x[i / GROUP * GROUP + GROUP - 1 - i % GROUP];
        expected[i] = (is_near(x[i]) && (other & 2) != 0 ? 1000 : 0) + ((x[i] + other) & 255);
    }
    CHECK_LAUNCH(reap_parallel_for(queue, nest_in_items, reap_nd_range_2d(36, 10, 6, 10), .x = x,
                                   .y = y, .tile = GROUP),
                 queue);
    CHECK_BITS(y, expected, sizeof expected, "in items", COUNT, 1);
    memset(y, 0, sizeof expected);
    CHECK_LAUNCH(reap_parallel_for(queue, nest_in_phases, reap_nd_range_2d(36, 10, 6, 10), .x = x,
                                   .y = y, .tile = GROUP),
                 queue);
    CHECK_BITS(y, expected, sizeof expected, "in phases", COUNT, 1);
    free(x);
}

int main(void)
{
    uint64_t random = check_seed();
    reap_queue *queues[QUEUES];
    queues_open(queues);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int repeat = 0; repeat < 20 && test_wants(types[t].name); repeat++)
            check_operators(queues, &types[t], check_random(&random) % 5000 + 1, &random);
    check_special_values(queues[0]);
    check_folds(queues[0], &random);
    check_nested(queues[0], &random);
    queues_close(queues);
    return check_finish();
}
