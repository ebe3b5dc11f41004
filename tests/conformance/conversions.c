/* SPDX-License-Identifier: Apache-2.0
 *
 * The conversions of narrow types: every one to float, and floats with every sign, exponent and
 * upper bits of the fraction from float, with lower bits that decide how they are rounded. A NaN
 * has to remain one, whatever its bits; all else has the reference's bits.
 */
#include "tests/conformance/conversions.kernels.h"

#include "tests/conformance/devices.h"
#include "tests/conformance/inputs.h"
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

int main(void)
{
    static const uint32_t lows[] = {0,      1,      0x0fff, 0x1000, 0x1001, 0x3000, 0x4000,
                                    0x6000, 0x7fff, 0x8000, 0x8001, 0xa000, 0xf000, 0xffff};
    uint64_t random = check_seed();
    reap_queue *queues[QUEUES];
    queues_open(queues);
    for (size_t q = 0; q < queue_count; q++) {
        check_to(queues[q]);
        for (size_t l = 0; l < sizeof lows / sizeof *lows; l++)
            check_from(queues[q], lows[l], NULL);
        for (size_t round = 0; round < 10; round++)
            check_from(queues[q], 0, &random);
    }
    queues_close(queues);
    return check_finish();
}
