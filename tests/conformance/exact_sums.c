/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact sums against a fixed-point number of 2304 bits, to which values are added one by one with
 * all carries, and which is rounded by bisection over the floating-point numbers. The data are made
 * to be hard: huge ranges of exponents, sums that cancel (Demmel and Hida, "Accurate and efficient
 * floating point summation", 2003), ties, subnormals, sums that overflow on the way, special
 * values.
 */
#include "tests/conformance/exact_sums.kernels.h"

#include "tests/conformance/queues.h"
#include "tests/support/memory.h"

#include <math.h>

/* ---- A sum ------------------------------------------------------------------------------------*/

/* Two's complement; bit 0 counts 2^-1074. */
enum { WORDS = 36, MOST_VALUES = 5000 };
struct fixed {
    uint64_t word[WORDS];
};

static void add_bits(struct fixed *sum, uint64_t bits, unsigned place)
{
    unsigned w = place / 64;
    const uint64_t low = bits << place % 64, high = place % 64 > 0 ? bits >> (64 - place % 64) : 0;
    sum->word[w] += low;
    uint64_t carry = sum->word[w++] < low;
    sum->word[w] += carry;
    carry = sum->word[w] < carry;
    sum->word[w] += high;
    carry += sum->word[w++] < high;
    for (; w < WORDS && carry > 0; w++) {
        sum->word[w] += carry;
        carry = sum->word[w] < carry;
    }
}

static void negate(struct fixed *sum)
{
    uint64_t carry = 1;
    for (unsigned w = 0; w < WORDS; w++) {
        sum->word[w] = ~sum->word[w] + carry;
        carry = carry > 0 && sum->word[w] == 0;
    }
}

/* A finite number. */
static struct fixed fixed_of(double number)
{
    struct fixed fixed = {{0}};
    int exponent;
    const double fraction = frexp(fabs(number), &exponent); /* below 1 */
    if (number == 0)
        return fixed;
    if (exponent >= -1021)
        add_bits(&fixed, (uint64_t)ldexp(fraction, 53), (unsigned)(exponent - 53 + 1074));
    else
        add_bits(&fixed, (uint64_t)ldexp(fabs(number), 1074), 0);
    if (number < 0)
        negate(&fixed);
    return fixed;
}

static void add(struct fixed *sum, const struct fixed *other)
{
    uint64_t carry = 0;
    for (unsigned w = 0; w < WORDS; w++) {
        const uint64_t with = other->word[w] + carry;
        carry = with < carry;
        sum->word[w] += with;
        carry += sum->word[w] < with;
    }
}

/* A finite number is added where its bits are. */
static void add_number(struct fixed *sum, double number)
{
    int exponent;
    const double fraction = frexp(number, &exponent);
    if (number > 0 && exponent >= -1021) {
        add_bits(sum, (uint64_t)ldexp(fraction, 53), (unsigned)(exponent - 53 + 1074));
    } else if (number != 0) {
        const struct fixed other = fixed_of(number);
        add(sum, &other);
    }
}

static bool is_negative(const struct fixed *a)
{
    return a->word[WORDS - 1] >> 63 != 0;
}

static int compare(const struct fixed *a, const struct fixed *b)
{
    for (unsigned w = WORDS; w-- > 0;)
        if (a->word[w] != b->word[w])
            return a->word[w] < b->word[w] ? -1 : 1;
    return 0;
}

/* The number with these bits, of a float or a double; that which follows the largest is a power of
 * two. */
static struct fixed fixed_of_bits(uint64_t bits, bool is_double)
{
    struct fixed fixed = {{0}};
    double wide;
    float narrow;
    const uint32_t half = (uint32_t)bits;
    if (bits == (is_double ? 0x7ff0000000000000u : 0x7f800000u)) {
        add_bits(&fixed, 1, is_double ? 1024 + 1074 : 128 + 1074);
        return fixed;
    }
    memcpy(&wide, &bits, sizeof wide);
    memcpy(&narrow, &half, sizeof narrow);
    return fixed_of(is_double ? wide : (double)narrow);
}

/* The bits of a sum that is not 0, rounded: of the two numbers next to it the nearer one, or the
 * one with even bits. */
static uint64_t round_fixed(struct fixed sum, bool is_double)
{
    const bool negative = is_negative(&sum);
    uint64_t low = 0, high = is_double ? 0x7ff0000000000000u : 0x7f800000u;
    if (negative)
        negate(&sum);
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        const struct fixed number = fixed_of_bits(middle, is_double);
        if (compare(&number, &sum) <= 0)
            low = middle;
        else
            high = middle;
    }
    struct fixed both = fixed_of_bits(low, is_double), next = fixed_of_bits(high, is_double);
    const struct fixed once = sum;
    if (compare(&next, &sum) <= 0) { /* beyond all numbers */
        low = high;
    } else {
        add(&both, &next);
        add(&sum, &once);
        const int order = compare(&sum, &both);
        low = order > 0 || (order == 0 && low % 2 > 0) ? high : low;
    }
    return low | (negative ? (is_double ? (uint64_t)1 << 63 : (uint64_t)1 << 31) : 0);
}

/* What a reduction has seen. */
struct tally {
    struct fixed sum;
    bool has_nan, has_plus, has_minus, has_others;
};

static void tally(struct tally *all, double value)
{
    all->has_nan |= isnan(value) != 0;
    all->has_plus |= isinf(value) && value > 0;
    all->has_minus |= isinf(value) && value < 0;
    all->has_others |= value != 0 || !signbit(value);
    if (isfinite(value))
        add_number(&all->sum, value);
}

static uint64_t tally_bits(const struct tally *all, bool is_double)
{
    static const struct fixed zero;
    const uint64_t sign = is_double ? (uint64_t)1 << 63 : (uint64_t)1 << 31;
    const uint64_t infinity = is_double ? 0x7ff0000000000000u : 0x7f800000u;
    if (all->has_nan || (all->has_plus && all->has_minus))
        return infinity | (is_double ? (uint64_t)1 << 51 : (uint64_t)1 << 22);
    if (all->has_plus || all->has_minus)
        return infinity | (all->has_minus ? sign : 0);
    if (compare(&all->sum, &zero) == 0)
        return all->has_others ? 0 : sign;
    return round_fixed(all->sum, is_double);
}

/* ---- Data -------------------------------------------------------------------------------------*/

enum data {
    UNIFORM,     /* from -1 to 1 */
    HUGE_RANGE,  /* exponents from -1074 to 1023 */
    LARGE_RANGE, /* from -300 to 300 */
    CANCELLING,  /* pairs of opposite numbers apart, and a few small ones */
    TIES,        /* a number and halves of its last bit, and hardly more */
    SUBNORMAL,   /* and the smallest normal numbers */
    LARGEST,     /* the sum overflows on the way */
    SPECIAL,     /* with infinities and NaN */
    ZEROS,       /* of both signs, or one */
    EQUAL,       /* one number */
    DATA
};

struct source {
    uint64_t state;
    bool is_double;
};

static double between(struct source *source, double low, double high)
{
    return low + (high - low) * ldexp((double)(check_random(&source->state) >> 11), -53);
}

static double with_exponents(struct source *source, int low, int high)
{
    const double fraction = between(source, -1, 1);
    const int exponent = low + (int)(check_random(&source->state) % (uint64_t)(high - low + 1));
    return ldexp(fraction, exponent);
}

/* The exponent of the largest number, and of the smallest. */
static int highest(const struct source *source)
{
    return source->is_double ? 1023 : 127;
}
static int lowest(const struct source *source)
{
    return source->is_double ? -1074 : -149;
}

static double special(struct source *source)
{
    static const double values[] = {INFINITY, -INFINITY, NAN, 1.5, -0.0, 0.0, -2.5};
    const uint64_t drawn = check_random(&source->state);
    return drawn % 16 > 0 ? between(source, -1, 1) : values[drawn / 16 % 7];
}

static double draw(struct source *source, enum data data, size_t i, const double *before)
{
    const int last = source->is_double ? -52 : -23;
    switch (data) {
    case UNIFORM:
        return between(source, -1, 1);
    case HUGE_RANGE:
        return with_exponents(source, lowest(source), highest(source));
    case LARGE_RANGE:
        return with_exponents(source, source->is_double ? -300 : -60, source->is_double ? 300 : 60);
    case CANCELLING:
        return i % 2 > 0 ? -before[i / 2 * 2] * (i % 7 > 0 ? 1 : 1 + ldexp(1, last + 2))
                         : with_exponents(source, lowest(source) / 2, highest(source) / 2);
    case TIES:
        return i == 0       ? between(source, 1, 2)
               : i % 5 == 4 ? with_exponents(source, lowest(source), lowest(source) / 2)
                            : ldexp((int)(check_random(&source->state) % 3) - 1, last - 1);
    case SUBNORMAL:
        return with_exponents(source, lowest(source),
                              lowest(source) + (source->is_double ? 60 : 30));
    case LARGEST:
        return ldexp(between(source, i % 2 > 0 ? -1 : 0.5, i % 2 > 0 ? -0.5 : 1),
                     highest(source) + 1);
    case SPECIAL:
        return special(source);
    case ZEROS:
        return check_random(&source->state) % 8 > 0 ? -0.0 : 0.0;
    case EQUAL:
    case DATA:
        break;
    }
    return i == 0 ? with_exponents(source, lowest(source), highest(source)) : before[0];
}

/* Numbers of the type at hand. */
static void fill(struct source *source, enum data data, double *x, float *narrow, size_t count)
{
    const double only = check_random(&source->state) % 2 > 0 ? -0.0 : 0.0;
    for (size_t i = 0; i < count; i++) {
        x[i] = draw(source, data, i, x);
        if (data == ZEROS && source->state % 4 > 0)
            x[i] = only;
        narrow[i] = (float)x[i];
        if (!source->is_double)
            x[i] = (double)narrow[i];
    }
}

/* ---- Checks -----------------------------------------------------------------------------------*/

struct arrays {
    double x[MOST_VALUES];
    float narrow[MOST_VALUES];
};
static struct arrays arrays;

static bool same(const void *value, uint64_t bits, size_t size)
{
    uint64_t found = 0;
    memcpy(&found, value, size);
    check_comparisons++;
    if (found != bits)
        fprintf(stderr, "  %016llx, expected %016llx\n", (unsigned long long)found,
                (unsigned long long)bits);
    return found == bits;
}

static double variable_of(struct source *source, enum data data)
{
    const double value =
        data == ZEROS ? -0.0 : draw(source, data == EQUAL ? UNIFORM : data, 0, NULL);
    return source->is_double ? value : (double)(float)value;
}

/* Sums of floats or doubles, of `count` values and a variable. */
static void check_plain(struct source *source, reap_queue *queue, enum data data, size_t count)
{
    const bool initialize = check_random(&source->state) % 4 == 0;
    const unsigned properties = initialize ? REAP_INITIALIZE_TO_IDENTITY : 0;
    struct tally all = {.has_others = false};
    double wide = variable_of(source, data);
    float narrow = (float)wide;
    fill(source, data, arrays.x, arrays.narrow, count);
    for (size_t i = 0; i < count; i++)
        tally(&all, arrays.x[i]);
    if (!initialize)
        tally(&all, wide);
    const reap_range range = reap_range_1d(count);
    bool is_right = true;
    if (!source->is_double) {
        CHECK_LAUNCH(reap_parallel_for(queue, exact_float, range, .x = arrays.narrow,
                                       .sum = {.variable = &narrow, .properties = properties}),
                     queue);
        CHECK_LAUNCH(reap_parallel_for(queue, exact_wide, range, .x = arrays.narrow,
                                       .sum = {.variable = &wide, .properties = properties}),
                     queue);
        is_right = same(&narrow, tally_bits(&all, false), sizeof narrow);
    } else {
        CHECK_LAUNCH(reap_parallel_for(queue, exact_double, range, .x = arrays.x,
                                       .sum = {.variable = &wide, .properties = properties}),
                     queue);
    }
    is_right &= same(&wide, tally_bits(&all, true), sizeof wide);
    if (!CHECK(is_right))
        fprintf(stderr, "  data %d, %zu values, %s\n", (int)data, count,
                source->is_double ? "doubles" : "floats");
}

static size_t some_count(struct source *source)
{
    const uint64_t drawn = check_random(&source->state);
    return drawn % 64 == 0  ? drawn / 64 % MOST_VALUES
           : drawn % 8 == 0 ? drawn / 64 % 600
                            : drawn / 64 % 40;
}

static void check_random_cases(struct source *source, reap_queue *const *queues, size_t cases)
{
    for (size_t c = 0; c < cases && check_failures < 5; c++) {
        const uint64_t drawn = check_random(&source->state);
        source->is_double = drawn % 2 > 0;
        check_plain(source, queues[drawn / 2 % queue_count], (enum data)(drawn / 32 % DATA),
                    some_count(source));
    }
}

/* A sum beside other reductions, and one of other lanes. */
static void check_beside(struct source *source, reap_queue *queue, size_t count)
{
    struct tally all = {.has_others = false}, small = {.has_others = false};
    double sum = 0, mixed = 0;
    float narrow = -0.0f;
    uint64_t bits = 0, at = 0;
    uint32_t least = UINT32_MAX;
    floats_32 ones;
    fill(source, LARGE_RANGE, arrays.x, arrays.narrow, count);
    for (size_t i = 0; i < count; i++) {
        tally(&all, arrays.x[i]);
        tally(&small, (double)((float)(i % 1000) * 0x1p-130f));
    }
    memset(&ones, 0, sizeof ones);
    CHECK_LAUNCH(reap_parallel_for(queue, exact_beside, reap_range_2d(count / 5, 5), .x = arrays.x,
                                   .bits = &bits, .sum = &sum,
                                   .least = {.variable = &least, .location = &at},
                                   .narrow = &narrow),
                 queue);
    CHECK_LAUNCH(reap_parallel_for(queue, exact_mixed, reap_range_1d(count), .x = arrays.x,
                                   .sum = &mixed, .count = &ones),
                 queue);
    tally(&all, 0);
    CHECK(same(&sum, tally_bits(&all, true), sizeof sum));
    CHECK(same(&mixed, tally_bits(&all, true), sizeof mixed));
    CHECK(same(&narrow, tally_bits(&small, false), sizeof narrow));
    CHECK_EQ(bits, (uint64_t)count * (count - 1) / 2);
    CHECK_EQ(least, (uint32_t)(at * 2654435761u));
    CHECK_EQ(ones.of[31], (float)count);
}

/* Items that add none or several values, in ranges and work-groups. */
static void check_several(struct source *source, reap_queue *queue, size_t groups)
{
    struct tally all = {.has_others = false}, twice = {.has_others = false};
    const size_t size = 50, count = groups * size;
    double several = -0.0, in_groups = 1, in_phases = 1;
    fill(source, HUGE_RANGE, arrays.x, arrays.narrow, count);
    for (size_t i = 0; i < count; i++) {
        const double x = arrays.x[i];
        for (size_t k = 1; k <= i % 4; k++)
            tally(&all, k == 2 ? fabs(x) : x);
        tally(&twice, x);
        tally(&twice, x);
    }
    tally(&twice, 1);
    CHECK_LAUNCH(reap_parallel_for(queue, exact_several, reap_range_1d(count), .x = arrays.x,
                                   .sum = &several),
                 queue);
    CHECK_LAUNCH(reap_parallel_for(queue, exact_in_groups, reap_nd_range_1d(count, size),
                                   .x = arrays.x, .sum = &in_groups, .m = size),
                 queue);
    CHECK_LAUNCH(reap_parallel_for(queue, exact_in_phases, reap_nd_range_1d(count, size),
                                   .x = arrays.x, .sum = &in_phases, .m = size),
                 queue);
    CHECK(same(&several, tally_bits(&all, true), sizeof several));
    CHECK(same(&in_groups, tally_bits(&twice, true), sizeof in_groups));
    CHECK(same(&in_phases, tally_bits(&twice, true), sizeof in_phases));
}

/* Large arrays, whose values many threads add; the sum is 2^-1074 or 2^-149, or it overflows. */
static void check_large(struct source *source, reap_queue *const *queues)
{
    const size_t count = (size_t)1 << 20;
    double *x = test_allocate(count * sizeof *x);
    for (size_t i = 0; i < count; i += 2) {
        x[i] = with_exponents(source, -1074, 1023);
        x[i + 1] = -x[i];
    }
    for (size_t i = count; i > 1; i--) { /* shuffled */
        const size_t other = check_random(&source->state) % i;
        const double kept = x[i - 1];
        x[i - 1] = x[other];
        x[other] = kept;
    }
    for (size_t q = 0; q < queue_count; q++) {
        double sum = 0x1p-1074;
        CHECK_LAUNCH(
            reap_parallel_for(queues[q], exact_double, reap_range_1d(count), .x = x, .sum = &sum),
            queues[q]);
        CHECK_EQ(sum, 0x1p-1074);
    }
    free(x);
}

static void check_refusals(reap_queue *queue)
{
    const double x[2] = {1, 2}, zero = 0;
    double sum = 5;
    CHECK_STATUS(reap_parallel_for(queue, exact_double, reap_range_1d(2), .x = x,
                                   .sum = {.variable = &sum, .identity = &zero}),
                 REAP_ERROR_INVALID_ARGUMENT);
    CHECK_HAS(reap_last_error(), "identity");
    CHECK_EQ(sum, 5);
}

int main(void)
{
    reap_queue *queues[QUEUES];
    struct source source = {.state = check_seed()};
    const bool is_few = test_on_device() || getenv("REAP_TESTS_FEW") != NULL;
    queues_open(queues);
    TEST_SHARE(arrays.x);
    TEST_SHARE(arrays.narrow);
    for (size_t count = 0; count <= 140; count++)
        check_plain(&source, queues[count % queue_count], LARGE_RANGE, count);
    for (size_t q = 0; q < queue_count; q++) {
        check_beside(&source, queues[q], 5);
        check_beside(&source, queues[q], 1000);
        check_beside(&source, queues[q], MOST_VALUES);
        check_several(&source, queues[q], 1);
        check_several(&source, queues[q], 90);
    }
    check_large(&source, queues);
    check_refusals(queues[0]);
    check_random_cases(&source, queues, is_few ? 3000 : 100000);
    queues_close(queues);
    return check_finish();
}
