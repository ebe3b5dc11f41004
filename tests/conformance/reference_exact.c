/* SPDX-License-Identifier: Apache-2.0
 *
 * The exact sum of floating-point numbers: see reference_exact.h.
 */
#include "tests/conformance/reference_exact.h"

#include <math.h>
#include <string.h>

static void add_bits(struct reference_fixed *sum, uint64_t bits, unsigned place)
{
    unsigned w = place / 64;
    const uint64_t low = bits << place % 64, high = place % 64 > 0 ? bits >> (64 - place % 64) : 0;
    sum->word[w] += low;
    uint64_t carry = sum->word[w++] < low;
    sum->word[w] += carry;
    carry = sum->word[w] < carry;
    sum->word[w] += high;
    carry += sum->word[w++] < high;
    for (; w < REFERENCE_WORDS && carry > 0; w++) {
        sum->word[w] += carry;
        carry = sum->word[w] < carry;
    }
}

static void negate(struct reference_fixed *sum)
{
    uint64_t carry = 1;
    for (unsigned w = 0; w < REFERENCE_WORDS; w++) {
        sum->word[w] = ~sum->word[w] + carry;
        carry = carry > 0 && sum->word[w] == 0;
    }
}

/* A finite number. */
static struct reference_fixed fixed_of(double number)
{
    struct reference_fixed fixed = {{0}};
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

static void add(struct reference_fixed *sum, const struct reference_fixed *other)
{
    uint64_t carry = 0;
    for (unsigned w = 0; w < REFERENCE_WORDS; w++) {
        const uint64_t with = other->word[w] + carry;
        carry = with < carry;
        sum->word[w] += with;
        carry += sum->word[w] < with;
    }
}

/* A finite number is added where its bits are. */
static void add_number(struct reference_fixed *sum, double number)
{
    int exponent;
    const double fraction = frexp(number, &exponent);
    if (number > 0 && exponent >= -1021) {
        add_bits(sum, (uint64_t)ldexp(fraction, 53), (unsigned)(exponent - 53 + 1074));
    } else if (number != 0) {
        const struct reference_fixed other = fixed_of(number);
        add(sum, &other);
    }
}

static bool is_negative(const struct reference_fixed *a)
{
    return a->word[REFERENCE_WORDS - 1] >> 63 != 0;
}

static int compare(const struct reference_fixed *a, const struct reference_fixed *b)
{
    for (unsigned w = REFERENCE_WORDS; w-- > 0;)
        if (a->word[w] != b->word[w])
            return a->word[w] < b->word[w] ? -1 : 1;
    return 0;
}

/* The number with these bits, of a float or a double; that which follows the largest is a power of
 * two. */
static struct reference_fixed fixed_of_bits(uint64_t bits, bool is_double)
{
    struct reference_fixed fixed = {{0}};
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
static uint64_t round_fixed(struct reference_fixed sum, bool is_double)
{
    const bool negative = is_negative(&sum);
    uint64_t low = 0, high = is_double ? 0x7ff0000000000000u : 0x7f800000u;
    if (negative)
        negate(&sum);
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        const struct reference_fixed number = fixed_of_bits(middle, is_double);
        if (compare(&number, &sum) <= 0)
            low = middle;
        else
            high = middle;
    }
    struct reference_fixed both = fixed_of_bits(low, is_double),
                           next = fixed_of_bits(high, is_double);
    const struct reference_fixed once = sum;
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

void reference_sum_add(struct reference_sum *all, double value)
{
    all->has_nan |= isnan(value) != 0;
    all->has_plus |= isinf(value) && value > 0;
    all->has_minus |= isinf(value) && value < 0;
    all->has_others |= value != 0 || !signbit(value);
    if (isfinite(value))
        add_number(&all->sum, value);
}

uint64_t reference_sum_bits(const struct reference_sum *all, bool is_double)
{
    static const struct reference_fixed zero;
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
