/* SPDX-License-Identifier: Apache-2.0
 *
 * Array reductions against the reference: lengths from one element to ten million, uniform, skewed,
 * with one hot element, and sparse; in one, two and three dimensions; elements that no item
 * combines into keep their bits.
 */
#include "tests/conformance/spans.kernels.h"

#include "tests/conformance/inputs.h"
#include "tests/conformance/instruction_sets.h"
#include "tests/conformance/queues.h"
#include "tests/conformance/reference_builtin.h"
#include "tests/conformance/reference_user.h"
#include "tests/support/memory.h"

/* ---- Inputs -----------------------------------------------------------------------------------*/

enum distribution { UNIFORM, ONE_HOT, SKEWED, SPARSE, DISTRIBUTIONS };
static const char *const distribution_names[] = {"uniform", "one hot", "skewed", "sparse"};

/* Two of each for an item. */
struct inputs {
    size_t items, length;
    reap_range range; /* the items in one, two or three dimensions */
    enum distribution distribution;
    uint32_t *at, *x;
    float *values;
};

static uint32_t draw_index(enum distribution distribution, size_t length, uint64_t random)
{
    const uint64_t any = random >> 8, share = random % 256;
    const double unit = (double)(random >> 11) * 0x1p-53;
    if (distribution == ONE_HOT)
        return (uint32_t)(share < 250 ? length / 2 : any % length);
    if (distribution == SKEWED)
        return (uint32_t)((double)length * unit * unit * unit);
    if (distribution == SPARSE && share != 0)
        return NOWHERE;
    return share == 1 ? NOWHERE : (uint32_t)(any % length);
}

static size_t draw_divisor(size_t items, uint64_t *random)
{
    for (unsigned tries = 0; tries < 100; tries++) {
        const size_t divisor = 1 + check_random(random) % 2000;
        if (items % divisor == 0)
            return divisor;
    }
    return 1;
}

/* Rows of any length that fits. */
static reap_range draw_range(size_t items, uint64_t *random)
{
    const unsigned dimensions = 1 + check_random(random) % 3;
    if (dimensions == 1 || items == 0)
        return reap_range_1d(items);
    const size_t row = draw_divisor(items, random), rows = items / row;
    if (dimensions == 2)
        return reap_range_2d(rows, row);
    const size_t layer = draw_divisor(rows, random);
    return reap_range_3d(rows / layer, layer, row);
}

static struct inputs draw_inputs(size_t items, size_t length, enum distribution distribution,
                                 uint64_t *random)
{
    struct inputs inputs = {items,
                            length,
                            draw_range(items, random),
                            distribution,
                            test_allocate(2 * items * sizeof(uint32_t)),
                            test_allocate(2 * items * sizeof(uint32_t)),
                            test_allocate(2 * items * sizeof(float))};
    input_fill(INPUT_BITS_32, 0, 2 * items, random, inputs.x);
    input_fill(INPUT_FLOAT, 0, 2 * items, random, inputs.values);
    for (size_t k = 0; k < 2 * items; k++)
        inputs.at[k] = draw_index(distribution, length, check_random(random));
    return inputs;
}

static void free_inputs(struct inputs *inputs)
{
    free(inputs->at);
    free(inputs->x);
    free(inputs->values);
}

/* ---- The spans, once more for the reference ---------------------------------------------------*/

static void make_half(const struct inputs *inputs, size_t k, void *value)
{
    *(uint16_t *)value = reference_half_from_float(inputs->values[k]);
}

static void make_bfloat16(const struct inputs *inputs, size_t k, void *value)
{
    *(uint16_t *)value = reference_bfloat16_from_float(inputs->values[k]);
}

static void make_float(const struct inputs *inputs, size_t k, void *value)
{
    *(float *)value = inputs->values[k];
}

static void make_double(const struct inputs *inputs, size_t k, void *value)
{
    *(double *)value = (double)inputs->values[k];
}

static void make_one(const struct inputs *inputs, size_t k, void *value)
{
    (void)inputs, (void)k;
    *(uint32_t *)value = 1;
}

static void make_byte(const struct inputs *inputs, size_t k, void *value)
{
    *(unsigned char *)value = (unsigned char)inputs->x[k];
}

static void make_less_seven(const struct inputs *inputs, size_t k, void *value)
{
    *(int64_t *)value = (int64_t)inputs->x[k] - 7;
}

static void make_short(const struct inputs *inputs, size_t k, void *value)
{
    *(unsigned short *)value = (unsigned short)inputs->x[k];
}

static void make_truth(const struct inputs *inputs, size_t k, void *value)
{
    *(bool *)value = inputs->x[k] % 2 != 0;
}

static void make_triple(const struct inputs *inputs, size_t k, void *value)
{
    const uint32_t x = inputs->x[k];
    *(triple *)value = (triple){x, x + 1, x * 3};
}

static void make_fraction(const struct inputs *inputs, size_t k, void *value)
{
    *(float *)value = (float)(int32_t)inputs->x[k] * 0x1p-20f;
}

static void mix_reference(void *left, const void *right, size_t bytes)
{
    triple *a = left;
    const triple *b = right;
    (void)bytes;
    a->low = 31 * a->low + b->middle;
    a->middle = 33 * a->middle + b->high;
    a->high = 37 * a->high + b->low;
}

static const struct reference_operator mix_operator = {
    "mix of triples", sizeof(triple), mix_reference, NULL, NULL, NULL};

/* A reduction: of the whole span's length, of the three elements of `few`, or of one, a scalar. */
enum extent { WHOLE, THREE, SCALAR };
struct reduction {
    const struct reference_operator *op;
    void (*make)(const struct inputs *inputs, size_t k, void *value);
    enum extent extent;
};

enum { MOST_REDUCTIONS = 7 };
struct kernel {
    const char *name, *name_of_large;
    size_t count;
    struct reduction reductions[MOST_REDUCTIONS]; /* in the order of the kernel's parameters */
    reap_status (*launch)(reap_queue *queue, const struct inputs *inputs, void *const *variables);
};

static reap_status launch_floating(reap_queue *queue, const struct inputs *in,
                                   void *const *variables)
{
    const size_t length = in->length;
    return reap_parallel_for(queue, floating_spans, in->range, .at = in->at, .x = in->values,
                             .sums = {.variable = variables[0], .count = length},
                             .wides = {.variable = variables[1], .count = length},
                             .halves = {.variable = variables[2], .count = length},
                             .products = {.variable = variables[3], .count = length},
                             .least = {.variable = variables[4], .count = length},
                             .bfloat16s = {.variable = variables[5], .count = length},
                             .total = {.variable = variables[6]});
}

static reap_status launch_exact(reap_queue *queue, const struct inputs *in, void *const *variables)
{
    const size_t length = in->length;
    return reap_parallel_for(queue, exact_spans, in->range, .at = in->at, .x = in->x,
                             .counts = {.variable = variables[0], .count = length},
                             .bytes = {.variable = variables[1], .count = length},
                             .most = {.variable = variables[2], .count = length},
                             .parities = {.variable = variables[3], .count = length},
                             .some = {.variable = variables[4], .count = length});
}

static reap_status launch_without(reap_queue *queue, const struct inputs *in,
                                  void *const *variables)
{
    return reap_parallel_for(queue, spans_without_identity, in->range, .at = in->at, .x = in->x,
                             .mixed = {.variable = variables[0], .count = in->length},
                             .middles = {.variable = variables[1], .count = in->length},
                             .middle = {.variable = variables[2]},
                             .total = {.variable = variables[3]},
                             .few = {.variable = variables[4], .count = 3});
}

static const struct kernel kernels[] = {
    {"floating_spans",
     "large_floating_spans",
     7,
     {{&reference_float[REFERENCE_PLUS], make_float, WHOLE},
      {&reference_double[REFERENCE_PLUS], make_double, WHOLE},
      {&reference_half[REFERENCE_PLUS], make_half, WHOLE},
      {&reference_float[REFERENCE_MULTIPLIES], make_float, WHOLE},
      {&reference_double[REFERENCE_MINIMUM], make_double, WHOLE},
      {&reference_bfloat16[REFERENCE_PLUS], make_bfloat16, WHOLE},
      {&reference_float[REFERENCE_PLUS], make_float, SCALAR}},
     launch_floating},
    {"exact_spans",
     "large_exact_spans",
     5,
     {{&reference_uint[REFERENCE_PLUS], make_one, WHOLE},
      {&reference_uchar[REFERENCE_PLUS], make_byte, WHOLE},
      {&reference_long[REFERENCE_MAXIMUM], make_less_seven, WHOLE},
      {&reference_ushort[REFERENCE_BIT_XOR], make_short, WHOLE},
      {&reference_bool[REFERENCE_BOOL_LOGICAL_OR], make_truth, WHOLE}},
     launch_exact},
    {"spans_without_identity",
     "large_spans_without_identity",
     5,
     {{&mix_operator, make_triple, WHOLE},
      {&reference_user[REFERENCE_AVERAGE], make_fraction, WHOLE},
      {&reference_user[REFERENCE_AVERAGE], make_fraction, SCALAR},
      {&reference_float[REFERENCE_PLUS], make_fraction, SCALAR},
      {&reference_float[REFERENCE_PLUS], make_fraction, THREE}},
     launch_without},
};

/* ---- What the reference makes of them ---------------------------------------------------------*/

struct item_source {
    const struct inputs *inputs;
    const struct reduction *reduction;
    size_t index[2];
    uint64_t values[4];
};

static size_t item_hits(void *context, size_t item, const size_t **index, const void **first)
{
    struct item_source *source = context;
    unsigned char *value = (unsigned char *)source->values;
    size_t hits = 0;
    for (size_t k = 2 * item; k < 2 * item + 2; k++) {
        const uint32_t at = source->inputs->at[k];
        if (at == NOWHERE)
            continue;
        source->index[hits] = source->reduction->extent == THREE ? at % 3 : at;
        source->reduction->make(source->inputs, k, value + hits * source->reduction->op->bytes);
        hits++;
    }
    *index = source->index;
    *first = value;
    return hits;
}

static size_t item_values(void *context, size_t item, const void **first)
{
    const size_t *index;
    return item_hits(context, item, &index, first);
}

static size_t elements(const struct reduction *reduction, const struct inputs *inputs)
{
    return reduction->extent == WHOLE ? inputs->length : reduction->extent == THREE ? 3 : 1;
}

static void expect(const struct reduction *reduction, const struct inputs *inputs, void *variable)
{
    const struct reference_launch plain = {NULL, false};
    struct item_source source = {inputs, reduction, {0}, {0}};
    if (reduction->extent == SCALAR) {
        const struct reference_items items = {inputs->items, item_values, &source};
        reference_reduce(reduction->op, &items, &plain, variable);
    } else {
        const struct reference_hits hits = {inputs->items, item_hits, &source};
        const size_t longest =
            inputs->length > 3 || reduction->extent == WHOLE ? inputs->length : 3;
        reference_reduce_span(reduction->op, &hits, &plain, longest, variable,
                              elements(reduction, inputs));
    }
}

/* What the variables hold before: for floating-point types also zeros of either sign. */
static void fill_start(const struct reduction *reduction, size_t count, uint64_t *random,
                       unsigned char *start)
{
    const size_t bytes = reduction->op->bytes;
    const bool floating = reduction->op->settle != NULL;
    for (size_t i = 0; i < count; i++) {
        const uint64_t draw = check_random(random);
        unsigned char *element = start + i * bytes;
        memset(element, 0, bytes);
        if (floating)
            element[bytes - 1] = (unsigned char)(draw % 4 == 0 ? 0x80 : draw % 64);
        else
            element[0] = (unsigned char)(bytes == 1 ? draw & 1 : draw);
    }
}

/* ---- Comparing --------------------------------------------------------------------------------*/

struct variables {
    size_t bytes[MOST_REDUCTIONS];
    void *start[MOST_REDUCTIONS], *expected[MOST_REDUCTIONS], *result[MOST_REDUCTIONS];
};

static void prepare(const struct kernel *kernel, const struct inputs *inputs,
                    struct variables *variables, uint64_t *random)
{
    for (size_t r = 0; r < kernel->count; r++) {
        const struct reduction *reduction = &kernel->reductions[r];
        const size_t count = elements(reduction, inputs), bytes = count * reduction->op->bytes;
        variables->bytes[r] = bytes;
        variables->start[r] = test_allocate(bytes);
        variables->expected[r] = test_allocate(bytes);
        variables->result[r] = test_allocate(bytes);
        fill_start(reduction, count, random, variables->start[r]);
        memcpy(variables->expected[r], variables->start[r], bytes);
        expect(reduction, inputs, variables->expected[r]);
    }
}

static void check_kernel(const struct kernel *kernel, const struct inputs *inputs,
                         reap_queue *const *queues, uint64_t *random)
{
    const unsigned long failed = check_failures;
    struct variables variables;
    prepare(kernel, inputs, &variables, random);
    for (size_t q = 0; q < queue_count; q++) {
        for (size_t r = 0; r < kernel->count; r++)
            memcpy(variables.result[r], variables.start[r], variables.bytes[r]);
        CHECK_LAUNCH(kernel->launch(queues[q], inputs, variables.result), queues[q]);
        for (size_t r = 0; r < kernel->count; r++)
            CHECK_BITS(variables.result[r], variables.expected[r], variables.bytes[r],
                       kernel->reductions[r].op->name, inputs->items, queue_threads[q]);
    }
    if (check_failures > failed && check_failures < 20)
        fprintf(stderr, "  %s of %zu elements, %s\n", kernel->name, inputs->length,
                distribution_names[inputs->distribution]);
    for (size_t r = 0; r < kernel->count; r++) {
        free(variables.start[r]);
        free(variables.expected[r]);
        free(variables.result[r]);
    }
}

/* By which a test's parts are chosen. */
static const char *part_of(const struct kernel *kernel, size_t length)
{
    return length > 70000 ? kernel->name_of_large : kernel->name;
}

/* Kernels with spans have one code for all instruction sets (detail/host/loops.h): in the first
 * that is tried, everything; in the others, that they run. */
#ifdef REAP_TESTS_SMALL /* which tries one */
static const bool tries_others = false;
#else
static const bool tries_others = true;
#endif

static int body(unsigned set, const void *context)
{
    /* Lengths at which the numbers of replicas and of chunk items change, and others. */
    static const struct {
        size_t length, items;
    } cases[] = {
        {1, 1},         {2, 40000},        {256, 150000},      {16384, 20000},
#ifndef REAP_TESTS_FEW_ITEMS
        {1, 0},         {1, 100000},       {256, 1000},        {512, 70000},
        {513, 70000},   {1000, 100000},    {2048, 140000},     {2049, 10000},
        {4096, 10000},  {4097, 600000},    {8192, 10000},      {8193, 10000},
#endif
#ifndef REAP_TESTS_SMALL
        {65537, 30000}, {100000, 1500000}, {1000000, 1100000}, {10000000, 100000},
#endif
    };
    enum { LARGE_CASES = 3 };
    const size_t count = tries_others && set > 0 ? 4 : sizeof cases / sizeof *cases;
    uint64_t random = *(const uint64_t *)context;
    const bool takes_all = getenv("REAP_TESTS_MANY") != NULL || test_on_device();
    reap_queue *queues[QUEUES];
    printf("%s\n", instruction_sets[set]);
    queues_open(queues);
    /* Unless all are asked for: one distribution of each length, and one large length. */
    const size_t large = count - 1 - check_random(&random) % LARGE_CASES;
    const size_t every =
        test_samples() && !test_on_device() ? 2 : 1; /* in `make check` one of two */
    for (size_t c = check_random(&random) % every; c < count; c += every) {
        const size_t drawn = check_random(&random) % DISTRIBUTIONS;
        for (enum distribution d = 0; d < DISTRIBUTIONS; d++) {
            const bool is_large = cases[c].length > 70000; /* these once, or, of few, not at all */
            if (is_large && (d != c % DISTRIBUTIONS || test_few()))
                continue;
            if (!takes_all && (is_large ? c != large : d != drawn))
                continue;
            struct inputs inputs = draw_inputs(cases[c].items, cases[c].length, d, &random);
            for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
                if (test_wants(part_of(&kernels[k], cases[c].length)))
                    check_kernel(&kernels[k], &inputs, queues, &random);
            free_inputs(&inputs);
        }
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
