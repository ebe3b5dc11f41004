/* SPDX-License-Identifier: Apache-2.0
 *
 * Minimum and maximum with location against a search from the first item to the last: ties within
 * and across blocks, NaNs, zeros of both signs, no item that combines, and the variable's own pair.
 */
#include "tests/conformance/locations.kernels.h"

#include "tests/conformance/group.h"
#include "tests/conformance/instruction_sets.h"
#include "tests/conformance/queues.h"
#include "tests/support/memory.h"

#include <limits.h>
#include <math.h>

/* Two inputs for each item, of which it combines as many as times says, at most most_times. */
struct location_inputs {
    unsigned most_times;
    reap_range range;
    size_t count;
    unsigned char *times;
    void *x;
    uint64_t combined;
};

enum { LOCATION_FLAVOURS = 10 };

/* Flavours: 0 and 1 as in inputs.c, 2 one value everywhere, 3 few values, 4 NaNs among zeros of
 * both signs (in integers -1 and the lowest among zeros), 5 items that combine any number of times,
 * 6 none that does, 7 values in ascending order, 8 few items that do, 9 identities late. */
static void location_fill(enum input_type type, unsigned flavour, struct location_inputs *inputs,
                          uint64_t *random)
{
    const size_t bytes = input_bytes(type), values = 2 * inputs->count;
    unsigned char *x = inputs->x;
    input_fill(type, flavour == 1 ? 4 % input_flavours(type) : 0, values, random, x);
    for (size_t i = 0; i < values && flavour >= 2 && flavour < 5; i++) {
        const uint64_t sign = check_random(random) % 2, draw = check_random(random) % 5;
        if (flavour == 2 && i > 0)
            memcpy(x + i * bytes, x, bytes);
        else if (flavour == 3 && i >= 5)
            memcpy(x + i * bytes, x + draw * bytes, bytes);
        else if (flavour == 4)
            memset(x + i * bytes, draw == 0 ? 0xff : 0, bytes);
        if (flavour == 4 && draw > 0)
            x[(i + 1) * bytes - 1] = (unsigned char)(sign << 7);
    }
    const uint64_t most = bytes == 1 ? 100 : bytes == 2 ? 0x7000 : SIZE_MAX;
    for (size_t i = 0; i < values && flavour == 7; i++) {
        const uint64_t bits = i % most;
        memcpy(x + i * bytes, &bits, bytes);
    }
    inputs->combined = 0;
    for (size_t i = 0; i < inputs->count; i++) {
        const unsigned any = (unsigned)(check_random(random) % 3);
        const bool is_seldom = flavour == 8 && check_random(random) % 512 > 0;
        inputs->times[i] = (unsigned char)(flavour == 5 ? any : flavour == 6 || is_seldom ? 0 : 1);
        inputs->combined += inputs->times[i];
    }
}

/* One launch's result and what it should have been. */
struct location_result {
    const char *type;
    size_t bytes;
    const void *value, *expected;
    uint64_t at, expected_at;
};

static void check_location(const struct location_result *result,
                           const struct location_inputs *inputs, size_t threads)
{
    const unsigned long failed = check_failures;
    CHECK_BITS(result->value, result->expected, result->bytes, result->type, inputs->count,
               threads);
    CHECK_BITS(&result->at, &result->expected_at, sizeof result->at, result->type, inputs->count,
               threads);
    if (check_failures > failed && check_failures < 20)
        fprintf(stderr, "  at %llu instead of %llu\n", (unsigned long long)result->at,
                (unsigned long long)result->expected_at);
}

#define FOUND NAMED(found)
#define LOCATED(found, none)                                                                       \
    {                                                                                              \
        .variable = &(found).value, .location = &(found).at,                                       \
        .identity = given ? &(none).value : NULL, .properties = properties                         \
    }
#define LESS_HALF(a, b) (reap_half_to_float(a) < reap_half_to_float(b))

#define NAME schar
#define TYPE signed char
#define INPUT INPUT_BITS_8
#define LOWEST SCHAR_MIN
#define LARGEST SCHAR_MAX
#define LESS(a, b) ((a) < (b))
#define IS_NUMBER(a) true
#define ORDINARY 3
#include "tests/conformance/locations_tmpl.h"

#define NAME ushort
#define TYPE unsigned short
#define INPUT INPUT_BITS_16
#define LOWEST 0
#define LARGEST USHRT_MAX
#define LESS(a, b) ((a) < (b))
#define IS_NUMBER(a) true
#define ORDINARY 300
#include "tests/conformance/locations_tmpl.h"

#define NAME int
#define TYPE int
#define INPUT INPUT_BITS_32
#define LOWEST INT_MIN
#define LARGEST INT_MAX
#define LESS(a, b) ((a) < (b))
#define IS_NUMBER(a) true
#define ORDINARY (-5)
#include "tests/conformance/locations_tmpl.h"

#define NAME ullong
#define TYPE unsigned long long
#define INPUT INPUT_BITS_64
#define LOWEST 0
#define LARGEST ULLONG_MAX
#define LESS(a, b) ((a) < (b))
#define IS_NUMBER(a) true
#define ORDINARY 7
#include "tests/conformance/locations_tmpl.h"

#define NAME half
#define TYPE reap_half
#define INPUT INPUT_HALF
#define LOWEST reap_half_from_float(-INFINITY)
#define LARGEST reap_half_from_float(INFINITY)
#define LESS(a, b) LESS_HALF(a, b)
#define IS_NUMBER(a) (!isnan(reap_half_to_float(a)))
#define ORDINARY reap_half_from_float(1.5f)
#include "tests/conformance/locations_tmpl.h"

#define NAME bfloat16
#define TYPE reap_bfloat16
#define INPUT INPUT_BFLOAT16
#define LOWEST reap_bfloat16_from_float(-INFINITY)
#define LARGEST reap_bfloat16_from_float(INFINITY)
#define LESS(a, b) (reap_bfloat16_to_float(a) < reap_bfloat16_to_float(b))
#define IS_NUMBER(a) (!isnan(reap_bfloat16_to_float(a)))
#define ORDINARY reap_bfloat16_from_float(1.5f)
#include "tests/conformance/locations_tmpl.h"

#define NAME float
#define TYPE float
#define INPUT INPUT_FLOAT
#define LOWEST (-INFINITY)
#define LARGEST INFINITY
#define LESS(a, b) ((a) < (b))
#define IS_NUMBER(a) (!isnan(a))
#define ORDINARY 1.5f
#include "tests/conformance/locations_tmpl.h"

#define NAME double
#define TYPE double
#define INPUT INPUT_DOUBLE
#define LOWEST (-INFINITY)
#define LARGEST INFINITY
#define LESS(a, b) ((a) < (b))
#define IS_NUMBER(a) (!isnan(a))
#define ORDINARY 1.5
#include "tests/conformance/locations_tmpl.h"

static void check_range(reap_queue *const *queues, reap_range range, uint64_t *random)
{
    const size_t count = range.size[0] * range.size[1] * range.size[2];
    struct location_inputs inputs = {
        2, range, count, test_allocate(count), test_allocate(16 * count), 0};
    if (test_wants("schar"))
        check_schar(queues, &inputs, random);
    if (test_wants("ushort"))
        check_ushort(queues, &inputs, random);
    if (test_wants("int"))
        check_int(queues, &inputs, random);
    if (test_wants("ullong"))
        check_ullong(queues, &inputs, random);
    if (test_wants("half"))
        check_half(queues, &inputs, random);
    if (test_wants("bfloat16"))
        check_bfloat16(queues, &inputs, random);
    if (test_wants("float"))
        check_float(queues, &inputs, random);
    if (test_wants("double"))
        check_double(queues, &inputs, random);
    free(inputs.times);
    free(inputs.x);
}

static int body(unsigned set, const void *context)
{
    static const size_t counts[] = {0,     1, 2, 3, 5, 64, 65, 1000, 2047, 2048, 2049, 32769, 70000,
#ifndef REAP_TESTS_SMALL
                                    300000
#endif
    };
    uint64_t random = *(const uint64_t *)context;
    reap_queue *queues[QUEUES];
    printf("%s\n", instruction_sets[set]);
    queues_open(queues);
    const size_t most = getenv("REAP_TESTS_MANY") != NULL ? SIZE_MAX
                        : test_samples()                  ? 40000
                                                          : 100000;
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        if (counts[c] <= most)
            check_range(queues, reap_range_1d(counts[c]), &random);
    check_range(queues, reap_range_2d(23, 3001), &random);
    check_range(queues, reap_range_3d(40, 50, 24), &random);
    queues_close(queues);
    return check_finish();
}

int main(void)
{
    const uint64_t random = check_seed();
    CHECK_EQ(in_each_instruction_set(body, &random), 0);
    return check_finish();
}
