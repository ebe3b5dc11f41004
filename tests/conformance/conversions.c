/* SPDX-License-Identifier: Apache-2.0
 *
 * The conversions of narrow types: every one to float, and floats with every sign, exponent and
 * upper bits of the fraction from float, with lower bits that decide how they are rounded. A NaN
 * has to remain one, whatever its bits; all else has the reference's bits. Numbers that become
 * integers and numbers again are +0 where the integer is 0, in every instruction set; functions
 * that round to integers keep the sign.
 */
#include "tests/conformance/conversions.kernels.h"

#include "tests/conformance/devices.h"
#include "tests/conformance/inputs.h"
#include "tests/conformance/instruction_sets.h"
#include "tests/conformance/queues.h"
#include "tests/conformance/reference_builtin.h"
#include "tests/support/check.h"
#include "tests/support/memory.h"

#include <math.h>

enum { PATTERNS = 1 << 16 };

struct narrow_type {
    const char *name;
    float (*to_float)(uint16_t bits);
    uint16_t (*from_float)(float value);
};

static const struct narrow_type half = {"half", reference_half_to_float, reference_half_from_float};
static const struct narrow_type bfloat16 = {"bfloat16", reference_bfloat16_to_float,
                                            reference_bfloat16_from_float};

static void check_wide(const struct narrow_type *type, const float *found)
{
    size_t wrong = 0;
    for (size_t i = 0; i < PATTERNS; i++) {
        const float expected = type->to_float((uint16_t)i);
        if (isnan(expected) ? !isnan(found[i]) : memcmp(&found[i], &expected, sizeof expected) != 0)
            wrong++;
    }
    if (!CHECK_EQ(wrong, 0))
        fprintf(stderr, "  %s to float\n", type->name);
}

static void check_narrow(const struct narrow_type *type, const float *x, const uint16_t *found)
{
    size_t wrong = 0;
    for (size_t i = 0; i < PATTERNS; i++)
        wrong +=
            isnan(x[i]) ? !isnan(type->to_float(found[i])) : type->from_float(x[i]) != found[i];
    if (!CHECK_EQ(wrong, 0))
        fprintf(stderr, "  %s from float, such as %a\n", type->name, (double)x[PATTERNS / 3]);
}

/* Floats with these bits at the end; `random`: with random ones. */
static void check_from(reap_queue *queue, uint32_t low, uint64_t *random)
{
    float *x = test_allocate(PATTERNS * sizeof *x);
    reap_half *halves = test_allocate(PATTERNS * sizeof *halves);
    reap_bfloat16 *bfloat16s = test_allocate(PATTERNS * sizeof *bfloat16s);
    for (size_t i = 0; i < PATTERNS; i++) {
        const uint32_t bits =
            random != NULL ? (uint32_t)check_random(random) : (uint32_t)i << 16 | low;
        memcpy(&x[i], &bits, sizeof bits);
    }
    CHECK_LAUNCH(reap_parallel_for(queue, narrow_all, reap_range_1d(PATTERNS), .x = x,
                                   .halves = halves, .bfloat16s = bfloat16s),
                 queue);
    check_narrow(&half, x, (const uint16_t *)(const void *)halves);
    check_narrow(&bfloat16, x, (const uint16_t *)(const void *)bfloat16s);
    free(x);
    free(halves);
    free(bfloat16s);
}

static void check_to(reap_queue *queue)
{
    float *halves = test_allocate(PATTERNS * sizeof *halves);
    float *bfloat16s = test_allocate(PATTERNS * sizeof *bfloat16s);
    CHECK_LAUNCH(reap_parallel_for(queue, widen_all, reap_range_1d(PATTERNS), .halves = halves,
                                   .bfloat16s = bfloat16s),
                 queue);
    check_wide(&half, halves);
    check_wide(&bfloat16, bfloat16s);
    free(halves);
    free(bfloat16s);
}

/* ---- Integers and back ------------------------------------------------------------------------*/

enum { NUMBERS = 4096, GROUP = 64 };

static void fill(float *x, uint64_t *random)
{
    static const float special[] = {0.0f,           0.5f,           0x1.fffffep-2f, 0.75f,
                                    0x1.fffffep-1f, 1.0f,           1.5f,           2.5f,
                                    0x1p-149f,      1e-3f,          4194303.5f,     0x1.fffffep22f,
                                    0x1.000002p23f, 0x1.000006p23f, 1e9f,           3.0f};
    enum { SPECIAL = sizeof special / sizeof *special };
    for (size_t i = 0; i < NUMBERS; i++) {
        const float any = (float)(check_random(random) % 4000001) / 0x1p16f;
        const float magnitude = i < 2 * SPECIAL ? special[i / 2] : i % 3 == 0 ? any / 64 : any;
        x[i] = i % 2 != 0 ? -magnitude : magnitude;
    }
}

/* The volatile integer is one: no compiler takes these conversions for a truncation. */
static double back(double x)
{
    const volatile long whole = (long)x;
    return (double)whole;
}

static double cut(double x)
{
    return copysign(back(x), x);
}

static double down(double x)
{
    const double whole = cut(x);
    return whole > x ? whole - 1 : whole;
}

static double nearest(double x)
{
    return copysign(down(fabs(x) + 0.5), x);
}

static size_t differing(double found, double expected)
{
    return memcmp(&found, &expected, sizeof found) != 0;
}

static void check_back(reap_queue *queue, uint64_t *random)
{
    float *x = test_allocate(NUMBERS * sizeof *x), least = INFINITY, expected = INFINITY;
    float *by_int = test_allocate(NUMBERS * sizeof *by_int);
    float *by_long = test_allocate(NUMBERS * sizeof *by_long);
    float *quotients = test_allocate(NUMBERS * sizeof *quotients);
    float *grouped = test_allocate(NUMBERS * sizeof *grouped);
    double *doubles = test_allocate(NUMBERS * sizeof *doubles);
    size_t wrong = 0, wrong_quotients = 0;
    fill(x, random);
    CHECK_LAUNCH(reap_parallel_for(queue, convert_back, reap_range_1d(NUMBERS), .x = x,
                                   .through_int = by_int, .through_long = by_long,
                                   .quotients = quotients, .doubles = doubles,
                                   .least = {.result = &least}),
                 queue);
    CHECK_LAUNCH(reap_parallel_for(queue, convert_in_groups, reap_nd_range_1d(NUMBERS, GROUP),
                                   .x = x, .quotients = grouped, .beside = GROUP),
                 queue);
    for (size_t i = 0; i < NUMBERS; i++) {
        const double whole = back((double)x[i]);
        const float quotient = 1.0f / (float)whole;
        expected = quotient < expected ? quotient : expected;
        wrong += differing((double)by_int[i], whole) + differing((double)by_long[i], whole) +
                 differing(doubles[i], whole);
        wrong_quotients += differing((double)quotients[i], (double)quotient) +
                           differing((double)grouped[i], (double)quotient);
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(wrong_quotients, 0);
    CHECK_EQ(differing((double)least, (double)expected), 0);
    free(x);
    free(by_int);
    free(by_long);
    free(quotients);
    free(grouped);
    free(doubles);
}

static void check_rounding(reap_queue *queue, uint64_t *random)
{
    float *x = test_allocate(NUMBERS * sizeof *x);
    float *found[4];
    double *wide[3];
    size_t wrong = 0;
    for (size_t f = 0; f < 4; f++)
        found[f] = test_allocate(NUMBERS * sizeof **found);
    for (size_t f = 0; f < 3; f++)
        wide[f] = test_allocate(NUMBERS * sizeof **wide);
    fill(x, random);
    CHECK_LAUNCH(reap_parallel_for(queue, round_all, reap_range_1d(NUMBERS), .x = x,
                                   .down = found[0], .up = found[1], .cut = found[2],
                                   .nearest = found[3], .double_down = wide[0],
                                   .double_cut = wide[1], .double_nearest = wide[2]),
                 queue);
    for (size_t i = 0; i < NUMBERS; i++) {
        const double v = (double)x[i];
        const double expected[] = {down(v), -down(-v), cut(v), nearest(v)};
        for (size_t f = 0; f < 4; f++)
            wrong += differing((double)found[f][i], expected[f]);
        wrong += differing(wide[0][i], expected[0]) + differing(wide[1][i], expected[2]) +
                 differing(wide[2][i], expected[3]);
    }
    CHECK_EQ(wrong, 0);
    for (size_t f = 0; f < 4; f++)
        free(found[f]);
    for (size_t f = 0; f < 3; f++)
        free(wide[f]);
    free(x);
}

static int body(unsigned set, const void *context)
{
    uint64_t random = *(const uint64_t *)context;
    reap_queue *queue;
    CHECK_STATUS(reap_queue_create(NULL, NULL, &queue), REAP_OK);
    printf("%s\n", instruction_sets[set]);
    for (size_t round = 0; round < 3; round++) {
        check_back(queue, &random);
        check_rounding(queue, &random);
    }
    reap_queue_release(queue);
    return check_finish();
}

int main(void)
{
    static const uint32_t lows[] = {0,      1,      0x0fff, 0x1000, 0x1001, 0x3000, 0x4000,
                                    0x6000, 0x7fff, 0x8000, 0x8001, 0xa000, 0xf000, 0xffff};
    uint64_t random = check_seed();
    reap_queue *queues[QUEUES];
    CHECK_EQ(in_each_instruction_set(body, &random), 0);
    queues_open(queues);
    for (size_t q = 0; q < queue_count; q++) {
        check_back(queues[q], &random);
        check_rounding(queues[q], &random);
        check_to(queues[q]);
        for (size_t l = 0; l < sizeof lows / sizeof *lows; l++)
            check_from(queues[q], lows[l], NULL);
        for (size_t round = 0; round < 10; round++)
            check_from(queues[q], 0, &random);
    }
    queues_close(queues);
    return check_finish();
}
