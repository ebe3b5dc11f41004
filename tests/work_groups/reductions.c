/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions in nd_ranges have the bits of docs/reduction-shape.md, with groups as blocks of the
 * first level: with barriers and in phases, for any number of threads, in each instruction set.
 */
#include "tests/work_groups/reductions.kernels.h"

#include "tests/conformance/inputs.h"
#include "tests/conformance/instruction_sets.h"
#include "tests/conformance/queues.h"
#include "tests/conformance/reference_builtin.h"
#include "tests/conformance/reference_user.h"
#include "tests/support/memory.h"
#include "tests/work_groups/shapes.h"

enum { SUM, WIDE, HALVES, BFLOAT16S, PRODUCT, PARITY, CHAINED, BLENDED, MIXED, REDUCTIONS };

enum { MOST_BYTES = sizeof(many_words) };

/* Of local memory, that an item takes: the largest value and its flag, and its own float. */
enum { LOCAL_BYTES = MOST_BYTES + 1 + sizeof(float) + 1 };

/* One value of each reduction, and what there is beside. */
struct results {
    _Alignas(16) unsigned char values[REDUCTIONS][MOST_BYTES];
    float peak;
    uint64_t peak_at;
};

/* What the items combine. */
struct source {
    const struct shape *shape;
    const float *x;
    const uint8_t *times;
    void (*make)(float v, uint32_t seed, void *value);
    size_t bytes;
    unsigned char values[2 * MOST_BYTES];
};

static void make_sum(float v, uint32_t seed, void *value)
{
    (void)seed;
    memcpy(value, &v, sizeof v);
}

static void make_wide(float v, uint32_t seed, void *value)
{
    const double wide = (double)v * 1.5;
    (void)seed;
    memcpy(value, &wide, sizeof wide);
}

static void make_half(float v, uint32_t seed, void *value)
{
    const uint16_t half = reference_half_from_float(v);
    (void)seed;
    memcpy(value, &half, sizeof half);
}

static void make_bfloat16(float v, uint32_t seed, void *value)
{
    const uint16_t bfloat16 = reference_bfloat16_from_float(v);
    (void)seed;
    memcpy(value, &bfloat16, sizeof bfloat16);
}

static void make_odd(float v, uint32_t seed, void *value)
{
    const uint32_t odd = seed | 1;
    (void)v;
    memcpy(value, &odd, sizeof odd);
}

static void make_seed(float v, uint32_t seed, void *value)
{
    (void)v;
    memcpy(value, &seed, sizeof seed);
}

static void make_few(float v, uint32_t seed, void *value)
{
    const few_words words = make_few_words(seed);
    (void)v;
    memcpy(value, &words, sizeof words);
}

static void make_many(float v, uint32_t seed, void *value)
{
    const many_words words = make_many_words(seed);
    (void)v;
    memcpy(value, &words, sizeof words);
}

static const few_words blend_identity = {{REFERENCE_BLEND_IDENTITY}};

static void chain(void *left, const void *right, size_t bytes)
{
    uint32_t *a = left;
    const uint32_t *b = right;
    (void)bytes;
    *a = 31 * *a + *b;
}

static const struct reference_operator chain_operator = {"chain", 4, chain, NULL, NULL, NULL};
static const struct reference_operator blend_operator = {
    "blend", sizeof(few_words), reference_blend_words, &blend_identity, NULL, NULL};
static const struct reference_operator mix_operator = {
    "mix", sizeof(many_words), reference_mix_words, NULL, NULL, NULL};

static const struct {
    const char *name;
    const struct reference_operator *op;
    void (*make)(float v, uint32_t seed, void *value);
} reductions[REDUCTIONS] = {
    [SUM] = {"sum", &reference_float[REFERENCE_PLUS], make_sum},
    [WIDE] = {"wide sum", &reference_double[REFERENCE_PLUS], make_wide},
    [HALVES] = {"sum of halves", &reference_half[REFERENCE_PLUS], make_half},
    [BFLOAT16S] = {"sum of bfloat16s", &reference_bfloat16[REFERENCE_PLUS], make_bfloat16},
    [PRODUCT] = {"product", &reference_int[REFERENCE_MULTIPLIES], make_odd},
    [PARITY] = {"parity", &reference_uchar[REFERENCE_BIT_XOR], make_seed},
    [CHAINED] = {"chain", &chain_operator, make_seed},
    [BLENDED] = {"blend", &blend_operator, make_few},
    [MIXED] = {"mix", &mix_operator, make_many},
};

/* The values of an item, which is numbered group by group. */
static size_t item_values(void *context, size_t item, const void **first)
{
    struct source *source = context;
    unsigned char value[MOST_BYTES];
    const size_t size = shape_group_items(source->shape), group = item / size;
    const size_t own = shape_item(source->shape, group, item % size);
    const size_t next = shape_item(source->shape, group, (item + 1) % size);
    *first = source->values;
    (source->make)(source->x[own], (uint32_t)own, value);
    memcpy(source->values, value, source->bytes);
    (source->make)(source->x[next], ~(uint32_t)own, value);
    memcpy(source->values + source->bytes, value, source->bytes);
    return source->times[own];
}

static void see_peak(struct results *results, float v, size_t at)
{
    if (v > results->peak || (v == results->peak && at < results->peak_at)) {
        results->peak = v;
        results->peak_at = at;
    }
}

static void expect_peak(const struct source *source, struct results *expected)
{
    const size_t size = shape_group_items(source->shape);
    for (size_t item = 0; item < shape_items(source->shape); item++) {
        const size_t at = shape_item(source->shape, item / size, item % size);
        const size_t next = shape_item(source->shape, item / size, (item + 1) % size);
        if (source->times[at] > 0)
            see_peak(expected, source->x[at], at);
        if (source->times[at] > 1)
            see_peak(expected, source->x[next], at);
    }
}

/* How the launch is made: from which values on, with identities of its own, without the values. */
struct variant {
    bool initialize, own_identity;
    struct results start, identity;
};

static void expect(struct source *source, const struct variant *variant, struct results *expected)
{
    *expected = variant->start;
    for (size_t r = 0; r < REDUCTIONS; r++) {
        const struct reference_launch launch = {
            variant->own_identity ? variant->identity.values[r] : NULL, variant->initialize};
        const struct reference_items items = {shape_items(source->shape), item_values, source};
        source->make = reductions[r].make;
        source->bytes = reductions[r].op->bytes;
        reference_reduce_groups(reductions[r].op, &items, shape_group_items(source->shape), &launch,
                                expected->values[r]);
    }
    expect_peak(source, expected);
}

#define VARIABLE(r, type)                                                                          \
    {                                                                                              \
        .variable = (type *)(void *)results->values[r],                                            \
        .identity = variant->own_identity                                                          \
                        ? (const type *)(const void *)variant->identity.values[r]                  \
                        : NULL,                                                                    \
        .properties = variant->initialize ? REAP_INITIALIZE_TO_IDENTITY : 0                        \
    }

/* Both kernels take the same arguments. */
static struct reap_arguments_reduce_by_items
arguments_of(const struct source *source, const struct variant *variant, struct results *results)
{
    const struct reap_arguments_reduce_by_items arguments = {
        shape_range(source->shape),
        .x = source->x,
        .times = source->times,
        .shared = shape_group_items(source->shape),
        .sum = VARIABLE(SUM, float),
        .wide = VARIABLE(WIDE, double),
        .halves = VARIABLE(HALVES, reap_half),
        .bfloat16s = VARIABLE(BFLOAT16S, reap_bfloat16),
        .product = VARIABLE(PRODUCT, int),
        .parity = VARIABLE(PARITY, uint8_t),
        .chained = VARIABLE(CHAINED, uint32_t),
        .blended = VARIABLE(BLENDED, few_words),
        .mixed = VARIABLE(MIXED, many_words),
        .peak = {.variable = &results->peak, .location = &results->peak_at},
    };
    return arguments;
}

static void compare(const struct results *results, const struct results *expected, size_t items,
                    size_t threads)
{
    for (size_t r = 0; r < REDUCTIONS; r++)
        CHECK_BITS(results->values[r], expected->values[r], reductions[r].op->bytes,
                   reductions[r].name, items, threads);
    CHECK_BITS(&results->peak, &expected->peak, sizeof(float), "peak", items, threads);
    CHECK_BITS(&results->peak_at, &expected->peak_at, sizeof(uint64_t), "location", items, threads);
}

static void check_variant(reap_queue *const *queues, struct source *source,
                          const struct variant *variant)
{
    static const struct reap_kernel *const kernels[] = {&reap_kernel_reduce_by_items,
                                                        &reap_kernel_reduce_in_phases};
    struct results expected;
    expect(source, variant, &expected);
    for (size_t q = 0; q < queue_count; q++)
        for (size_t k = 0; k < 2; k++) {
            const unsigned long failed = check_failures;
            struct results results = variant->start;
            const struct reap_arguments_reduce_by_items arguments =
                arguments_of(source, variant, &results);
            CHECK_LAUNCH(reap_launch(queues[q], kernels[k], &arguments), queues[q]);
            compare(&results, &expected, shape_items(source->shape), queue_threads[q]);
            if (check_failures > failed) {
                fprintf(stderr, "  %s, %s, %s\n", k == 0 ? "barriers" : "phases",
                        variant->initialize ? "initialised" : "from a value",
                        variant->own_identity ? "own identity" : "no identity given");
                shape_tell(source->shape);
            }
        }
}

/* Values other than NaN, of which the byte 0x3f makes small floats. */
static struct variant draw_variant(uint64_t *random)
{
    struct variant variant = {.own_identity = check_random(random) % 2 == 0};
    variant.initialize = variant.own_identity && check_random(random) % 2 == 0;
    for (size_t r = 0; r < REDUCTIONS; r++)
        for (size_t b = 0; b < MOST_BYTES; b++) {
            variant.start.values[r][b] = (unsigned char)(check_random(random) % 0x40);
            variant.identity.values[r][b] = (unsigned char)(check_random(random) % 0x40);
        }
    variant.start.peak = -INFINITY;
    variant.start.peak_at = UINT64_MAX;
    return variant;
}

/* How often the items combine: at random, once, never, and one item of the last group alone. */
static void draw_times(size_t items, uint64_t *random, uint8_t *times)
{
    const uint64_t kind = check_random(random) % 6;
    for (size_t i = 0; i < items; i++)
        times[i] = kind < 3 ? (uint8_t)(check_random(random) % 3) : kind == 3;
    if (kind == 4)
        times[items - 1] = 1;
}

static void check_shape(reap_queue *const *queues, const struct shape *shape, uint64_t *random)
{
    const size_t items = shape_items(shape);
    float *x = test_allocate(items * sizeof *x);
    uint8_t *times = test_allocate(items);
    struct source source = {.shape = shape, .x = x, .times = times};
    const unsigned flavours = input_flavours(INPUT_FLOAT);
    const struct variant variant = draw_variant(random);
    input_fill(INPUT_FLOAT, (unsigned)(check_random(random) % flavours), items, random, x);
    draw_times(items, random, times);
    check_variant(queues, &source, &variant);
    free(x);
    free(times);
}

/* No group: the variables become what they are without combined values. */
static void check_empty(reap_queue *const *queues, uint64_t *random)
{
    static const struct shape empty = SHAPE_1D(0, 7);
    const float x = 1;
    const uint8_t times = 1;
    struct source source = {.shape = &empty, .x = &x, .times = &times};
    const struct variant variant = draw_variant(random);
    check_variant(queues, &source, &variant);
}

static void check_sum(reap_queue *const *queues, const struct shape *shape, uint64_t *random)
{
    const size_t items = shape_items(shape);
    const struct reference_launch plain = {NULL, false};
    float *x = test_allocate(items * sizeof *x), expected = 0.5f;
    uint8_t *times = test_allocate(items);
    struct source source = {.shape = shape, .x = x, .times = times, .make = make_sum, .bytes = 4};
    const struct reference_items values = {items, item_values, &source};
    input_fill(INPUT_FLOAT, 0, items, random, x);
    memset(times, 1, items);
    reference_reduce_groups(&reference_float[REFERENCE_PLUS], &values, shape_group_items(shape),
                            &plain, &expected);
    for (size_t q = 0; q < queue_count; q++) {
        float sum = 0.5f;
        CHECK_LAUNCH(reap_parallel_for(queues[q], sum_in_phase, shape_range(shape), .x = x,
                                       .sum = {.variable = &sum}),
                     queues[q]);
        CHECK_BITS(&sum, &expected, sizeof sum, "sum in a phase", items, queue_threads[q]);
    }
    free(x);
    free(times);
}

static int body(unsigned set, const void *context)
{
    uint64_t random = *(const uint64_t *)context;
    reap_queue *queues[QUEUES];
    printf("%s\n", instruction_sets[set]);
    queues_open(queues);
    for (size_t s = 0; (s = shape_next_of(s, LOCAL_BYTES)) < SHAPES; s++) {
        for (int repeat = 0; repeat < (test_samples() ? 1 : 3); repeat++)
            check_shape(queues, &shapes[s], &random);
        check_sum(queues, &shapes[s], &random);
    }
    const size_t crowd = check_random(&random) % CROWDS;
    for (size_t s = 0; s < CROWDS; s++)
        if (s == crowd || !test_samples())
            check_shape(queues, &crowds[s], &random);
    for (int repeat = 0; repeat < 4; repeat++)
        check_empty(queues, &random);
    queues_close(queues);
    return check_finish();
}

int main(void)
{
    const uint64_t random = check_seed();
    CHECK_EQ(in_each_instruction_set(body, &random), 0);
    return check_finish();
}
