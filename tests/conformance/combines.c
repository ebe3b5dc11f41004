/* SPDX-License-Identifier: Apache-2.0
 *
 * Items that combine never, once or twice, in patterns that leave lanes, blocks or everything
 * empty; with the variable's value, an identity of the launch's, or neither.
 */
#include "tests/conformance/combines.kernels.h"

#include "tests/conformance/inputs.h"
#include "tests/conformance/instruction_sets.h"
#include "tests/conformance/queues.h"
#include "tests/conformance/reference_builtin.h"
#include "tests/conformance/reference_user.h"
#include "tests/support/memory.h"

/* ---- The reductions, once more for the reference ---------------------------------------------*/

static void chain_reference(void *left, const void *right, size_t bytes)
{
    uint32_t *a = left;
    const uint32_t *b = right;
    (void)bytes;
    *a = 31 * *a + *b;
}

static void word_value(uint32_t x, void *value)
{
    *(uint32_t *)value = x;
}

static void float_value(uint32_t x, void *value)
{
    *(float *)value = (float)(int32_t)x * 0x1p-20f;
}

static void long_value(uint32_t x, void *value)
{
    *(int64_t *)value = (int64_t)x * 3;
}

static void byte_value(uint32_t x, void *value)
{
    *(unsigned char *)value = (unsigned char)(x | 1);
}

static void half_value(uint32_t x, void *value)
{
    const uint32_t bits = x % 64 == 0 ? 0x8000 : (x >> 16 & 0x8000) | 0x3800 | (x >> 8 & 0x7ff);
    *(uint16_t *)value = (uint16_t)bits;
}

static void bfloat16_value(uint32_t x, void *value)
{
    const uint32_t bits = x % 64 == 0 ? 0x8000 : (x >> 16 & 0x8000) | 0x3f00 | (x >> 8 & 0xff);
    *(uint16_t *)value = (uint16_t)bits;
}

static void large_value(uint32_t x, void *value)
{
    uint16_t *word = value;
    for (uint32_t k = 0; k < 256; k++)
        word[k] = (uint16_t)(x * (2 * k + 1) >> 7);
}

static const uint32_t chain_identity_value = 7;
static const struct reference_operator chain_operator = {
    "chain", sizeof(uint32_t), chain_reference, &chain_identity_value, NULL, NULL};
static const struct reference_operator large_operator = {
    "mix of 512 bytes", sizeof(large), reference_mix_words, NULL, NULL, NULL};

/* In the order of the kernel's parameters; the last one is sometimes_large's. */
enum { SMALL_REDUCTIONS = 14, REDUCTIONS };
static const struct {
    const struct reference_operator *op;
    void (*value)(uint32_t x, void *value);
} reductions[REDUCTIONS] = {
    {&chain_operator, word_value},
    {&reference_user[REFERENCE_LAST], word_value},
    {&reference_float[REFERENCE_PLUS], float_value},
    {&reference_user[REFERENCE_AVERAGE], float_value},
    {&reference_long[REFERENCE_MINIMUM], long_value},
    {&reference_uchar[REFERENCE_MULTIPLIES], byte_value},
    {&reference_half[REFERENCE_PLUS], half_value},
    {&reference_half[REFERENCE_MULTIPLIES], half_value},
    {&reference_half[REFERENCE_MINIMUM], half_value},
    {&reference_half[REFERENCE_MAXIMUM], half_value},
    {&reference_bfloat16[REFERENCE_PLUS], bfloat16_value},
    {&reference_bfloat16[REFERENCE_MULTIPLIES], bfloat16_value},
    {&reference_bfloat16[REFERENCE_MINIMUM], bfloat16_value},
    {&reference_bfloat16[REFERENCE_MAXIMUM], bfloat16_value},
    {&large_operator, large_value},
};

/* ---- Patterns ---------------------------------------------------------------------------------*/

/* Of the types of up to 64 bytes (docs/reduction-shape.md). */
enum { LANES = 64, LEAF = 2048 };

/* How often an item combines. */
struct pattern {
    const char *name;
    unsigned (*times)(size_t item, size_t count, uint64_t random);
};

static unsigned never(size_t item, size_t count, uint64_t random)
{
    (void)item, (void)count, (void)random;
    return 0;
}

static unsigned twice(size_t item, size_t count, uint64_t random)
{
    (void)item, (void)count, (void)random;
    return 2;
}

static unsigned any(size_t item, size_t count, uint64_t random)
{
    (void)item, (void)count;
    return random % 3;
}

static unsigned rarely(size_t item, size_t count, uint64_t random)
{
    (void)item, (void)count;
    return random % 1000 == 0 ? 1 + random / 1000 % 2 : 0;
}

static unsigned only_first(size_t item, size_t count, uint64_t random)
{
    (void)count, (void)random;
    return item == 0;
}

static unsigned only_last(size_t item, size_t count, uint64_t random)
{
    (void)random;
    return item + 1 == count;
}

/* One item, in the middle of the last leaf. */
static unsigned one_of_last_leaf(size_t item, size_t count, uint64_t random)
{
    const size_t begin = (count - 1) / LEAF * LEAF;
    (void)random;
    return item == begin + (count - begin) / 2;
}

static unsigned odd_leaves(size_t item, size_t count, uint64_t random)
{
    (void)count, (void)random;
    return item / LEAF % 2;
}

static unsigned upper_lanes(size_t item, size_t count, uint64_t random)
{
    (void)count, (void)random;
    return item % LANES >= LANES / 2 ? 2 : 0;
}

static const struct pattern patterns[] = {
    {"never", never},
    {"twice", twice},
    {"never, once or twice", any},
    {"rarely", rarely},
    {"only the first item", only_first},
    {"only the last item", only_last},
    {"one item of the last leaf", one_of_last_leaf},
    {"in odd leaves", odd_leaves},
    {"in the upper lanes", upper_lanes},
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

/* ---- Launches ---------------------------------------------------------------------------------*/

struct inputs {
    const char *pattern;
    size_t count;
    unsigned char *times;
    uint32_t *x; /* two for each item */
};

/* What the launch says about all reductions. */
struct variation {
    bool identity_given, initialize;
};

static const struct variation variations[] = {
    {false, false}, {false, true}, {true, false}, {true, true}};

/* The value of a reduction's variable before, and the launch's identity. */
static void start_value(size_t r, void *value)
{
    reductions[r].value(0x9e3779b9, value);
}

static void identity_value(size_t r, void *value)
{
    reductions[r].value(0x00345678, value);
}

static bool may_initialize(size_t r, const struct variation *variation)
{
    return variation->initialize &&
           (variation->identity_given || reductions[r].op->identity != NULL);
}

/* A result or an identity of each reduction. */
struct row {
    uint32_t chained, last;
    float sum, middle;
    int64_t least;
    unsigned char product;
    reap_half half_sum, half_product, half_least, half_most;
    reap_bfloat16 bfloat16_sum, bfloat16_product, bfloat16_least, bfloat16_most;
    large mixed;
};

static void row_members(struct row *row, void *members[REDUCTIONS])
{
    void *all[] = {&row->chained,        &row->last,          &row->sum,
                   &row->middle,         &row->least,         &row->product,
                   &row->half_sum,       &row->half_product,  &row->half_least,
                   &row->half_most,      &row->bfloat16_sum,  &row->bfloat16_product,
                   &row->bfloat16_least, &row->bfloat16_most, &row->mixed};
    memcpy(members, all, sizeof all);
}

struct item_source {
    const struct inputs *inputs;
    size_t reduction;
    uint64_t values[2][sizeof(large) / 8];
};

static size_t item_values(void *context, size_t item, const void **first)
{
    struct item_source *source = context;
    unsigned char *value = (unsigned char *)source->values;
    const unsigned times = source->inputs->times[item];
    for (unsigned k = 0; k < times; k++)
        reductions[source->reduction].value(source->inputs->x[2 * item + k],
                                            value + k * reductions[source->reduction].op->bytes);
    *first = value;
    return times;
}

static void expect(const struct inputs *inputs, size_t r, const struct variation *variation,
                   const void *identity, void *variable)
{
    struct item_source source = {inputs, r, {{0}}};
    const struct reference_items items = {inputs->count, item_values, &source};
    const struct reference_launch launch = {variation->identity_given ? identity : NULL,
                                            may_initialize(r, variation)};
    reference_reduce(reductions[r].op, &items, &launch, variable);
}

#define ARGUMENT(r, member)                                                                        \
    {                                                                                              \
        .variable = &result->member,                                                               \
        .identity = variation->identity_given ? &identity->member : NULL,                          \
        .properties = may_initialize(r, variation) ? REAP_INITIALIZE_TO_IDENTITY : 0               \
    }

static void launch(reap_queue *queue, const struct inputs *inputs, bool with_large,
                   const struct variation *variation, const struct row *identity,
                   struct row *result)
{
    CHECK_LAUNCH(reap_parallel_for(queue, sometimes, reap_range_1d(inputs->count),
                                   .times = inputs->times, .x = inputs->x,
                                   .chained = ARGUMENT(0, chained), .last = ARGUMENT(1, last),
                                   .sum = ARGUMENT(2, sum), .middle = ARGUMENT(3, middle),
                                   .least = ARGUMENT(4, least), .product = ARGUMENT(5, product)),
                 queue);
    CHECK_LAUNCH(
        reap_parallel_for(queue, sometimes_halves, reap_range_1d(inputs->count),
                          .times = inputs->times, .x = inputs->x, .sum = ARGUMENT(6, half_sum),
                          .product = ARGUMENT(7, half_product), .least = ARGUMENT(8, half_least),
                          .most = ARGUMENT(9, half_most)),
        queue);
    CHECK_LAUNCH(reap_parallel_for(
                     queue, sometimes_bfloat16s, reap_range_1d(inputs->count),
                     .times = inputs->times, .x = inputs->x, .sum = ARGUMENT(10, bfloat16_sum),
                     .product = ARGUMENT(11, bfloat16_product),
                     .least = ARGUMENT(12, bfloat16_least), .most = ARGUMENT(13, bfloat16_most)),
                 queue);
    if (with_large)
        CHECK_LAUNCH(reap_parallel_for(queue, sometimes_large, reap_range_1d(inputs->count),
                                       .times = inputs->times, .x = inputs->x,
                                       .mixed = ARGUMENT(14, mixed)),
                     queue);
}

static void check_variation(reap_queue *const *queues, const struct inputs *inputs,
                            const struct variation *variation)
{
    const bool with_large = inputs->count <= 20000;
    const size_t count = with_large ? REDUCTIONS : SMALL_REDUCTIONS;
    struct row start, identity, expected, result;
    void *starts[REDUCTIONS], *identities[REDUCTIONS], *rights[REDUCTIONS], *results[REDUCTIONS];
    row_members(&start, starts);
    row_members(&identity, identities);
    row_members(&expected, rights);
    row_members(&result, results);
    for (size_t r = 0; r < REDUCTIONS; r++) {
        start_value(r, starts[r]);
        identity_value(r, identities[r]);
        memcpy(rights[r], starts[r], reductions[r].op->bytes);
    }
    for (size_t r = 0; r < count; r++)
        expect(inputs, r, variation, identities[r], rights[r]);
    for (size_t q = 0; q < queue_count; q++) {
        for (size_t r = 0; r < REDUCTIONS; r++)
            memcpy(results[r], starts[r], reductions[r].op->bytes);
        launch(queues[q], inputs, with_large, variation, &identity, &result);
        for (size_t r = 0; r < count; r++)
            CHECK_BITS(results[r], rights[r], reductions[r].op->bytes, reductions[r].op->name,
                       inputs->count, queue_threads[q]);
    }
}

static void check_items(reap_queue *const *queues, size_t count, uint64_t *random)
{
    struct inputs inputs = {NULL, count, test_allocate(count), test_allocate(2 * count * 4)};
    for (size_t p = 0; p < PATTERNS; p++) {
        const unsigned long failed = check_failures;
        inputs.pattern = patterns[p].name;
        input_fill(INPUT_BITS_32, 0, 2 * count, random, inputs.x);
        for (size_t i = 0; i < count; i++)
            inputs.times[i] = (unsigned char)patterns[p].times(i, count, check_random(random));
        for (size_t v = 0; v < sizeof variations / sizeof *variations; v++)
            check_variation(queues, &inputs, &variations[v]);
        if (check_failures > failed && check_failures < 20)
            fprintf(stderr, "  combining %s\n", patterns[p].name);
    }
    free(inputs.times);
    free(inputs.x);
}

/* ---- Structs of odd sizes ---------------------------------------------------------------------*/

enum { ODD_ITEMS = 5000 };
static three_bytes x3[ODD_ITEMS];
static six_bytes x6[ODD_ITEMS];
static fourteen_bytes x14[ODD_ITEMS];

/* clang passed a struct of three bytes as a number of four where kernels asked for Swift's calling
 * convention. */
static void check_odd_sizes(reap_queue *queue, size_t count, uint64_t *random)
{
    three_bytes most3 = {{0}}, thirds[3] = {{{0}}}, expected3 = {{0}};
    six_bytes most6 = {{0}}, expected6 = {{0}};
    fourteen_bytes most14 = {{0}}, expected14 = {{0}};
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < 3; k++) {
            x3[i].byte[k] = (unsigned char)check_random(random);
            x6[i].word[k] = (uint16_t)check_random(random);
            if (x3[i].byte[k] > expected3.byte[k])
                expected3.byte[k] = x3[i].byte[k];
            if (x6[i].word[k] > expected6.word[k])
                expected6.word[k] = x6[i].word[k];
        }
        for (size_t k = 0; k < 7; k++) {
            x14[i].word[k] = (uint16_t)check_random(random);
            if (x14[i].word[k] > expected14.word[k])
                expected14.word[k] = x14[i].word[k];
        }
    }
    CHECK_LAUNCH(reap_parallel_for(queue, odd_sizes, reap_range_1d(count), .x3 = x3, .x6 = x6,
                                   .x14 = x14, .most3 = {.variable = &most3},
                                   .most6 = {.variable = &most6}, .most14 = {.variable = &most14},
                                   .thirds = {.variable = thirds, .count = 3}),
                 queue);
    const three_bytes two = reap_operate(most_of_3, thirds[0], thirds[1]);
    const three_bytes all = reap_operate(most_of_3, two, thirds[2]);
    CHECK(memcmp(&most3, &expected3, sizeof most3) == 0);
    CHECK(memcmp(&all, &expected3, sizeof all) == 0);
    CHECK(memcmp(&most6, &expected6, sizeof most6) == 0);
    CHECK(memcmp(&most14, &expected14, sizeof most14) == 0);
}

static int body(unsigned set, const void *context)
{
    static const size_t counts[] = {0,     1,    2,     3,     5,     31,     32,   33,
                                    63,    64,   65,    127,   2047,  2048,   2049, 4096,
                                    6145,  8191, 20000, 32769, 65536, 100001,
#ifndef REAP_TESTS_SMALL
                                    300007
#endif
    };
    uint64_t random = *(const uint64_t *)context;
    reap_queue *queues[QUEUES];
    printf("%s\n", instruction_sets[set]);
    queues_open(queues);
    const bool many = getenv("REAP_TESTS_MANY") != NULL;
    const size_t most = many ? SIZE_MAX : 40000;
    const size_t every = many || !test_samples() ? 1 : 2; /* in `make check` one of two */
    const size_t first = (size_t)(check_random(&random) % every);
    for (size_t c = first; c < sizeof counts / sizeof *counts; c += every)
        if (counts[c] <= most)
            check_items(queues, counts[c], &random);
    TEST_SHARE(x3);
    TEST_SHARE(x6);
    TEST_SHARE(x14);
    for (size_t q = 0; q < queue_count; q++)
        for (size_t odd = 1; odd <= ODD_ITEMS; odd *= 17)
            check_odd_sizes(queues[q], odd, &random);
    queues_close(queues);
    return check_finish();
}

int main(void)
{
    const uint64_t random = check_seed();
    CHECK_EQ(in_each_instruction_set(body, &random), 0);
    return check_finish();
}
