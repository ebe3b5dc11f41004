/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of any length, and the conversion of decimal digits to the nearest double. If the digits
 * and the power of ten are doubles themselves, it is one multiplication or division, rounded once
 * (Clinger, "How to read floating point numbers accurately", 1990). Otherwise the digits are
 * multiplied with the first 128 bits of the power of five; usually the product's high bits do not
 * depend on the rest of the power (Lemire, "Number parsing at a gigabyte per second", 2021,
 * algorithm 1). If they do, and for results that are subnormal or infinite, strtod decides.
 */
#include "tools/read/csv_number.h"

#include <float.h>
#include <pthread.h>
#include <stdlib.h>

__extension__ typedef unsigned __int128 wide;

/* ---- Powers of five ---------------------------------------------------------------------------*/

enum {
    LEAST_POWER = -342, /* of ten: with a lower one every product with a uint64_t rounds to zero */
    MOST_POWER = 308,   /* with a higher one every product is infinite */
    WORDS = 32,         /* of a number of 1024 bits: 5^342 has 795, and 128 more */
};

/* The first 128 bits of 5^p, truncated for p >= 0, rounded up for p < 0: the highest bit is 1. */
static struct power {
    uint64_t high, low;
} powers[MOST_POWER - LEAST_POWER + 1];

/* The first 128 bits of a number whose lowest word comes first. */
static struct power first_bits(const uint32_t words[WORDS])
{
    int top = WORDS - 1;
    wide bits = 0;
    while (words[top] == 0)
        top--;
    for (int w = top; w > top - 4; w--)
        bits = bits << 32 | (w >= 0 ? words[w] : 0);
    const int shift = __builtin_clz(words[top]);
    if (shift > 0)
        bits = bits << shift | (top >= 4 ? words[top - 4] >> (32 - shift) : 0);
    return (struct power){(uint64_t)(bits >> 64), (uint64_t)bits};
}

static void multiply_by_5(uint32_t words[WORDS])
{
    uint64_t carry = 0;
    for (int w = 0; w < WORDS; w++) {
        carry += (uint64_t)words[w] * 5;
        words[w] = (uint32_t)carry;
        carry >>= 32;
    }
}

static void divide_by_5(uint32_t words[WORDS])
{
    uint64_t rest = 0;
    for (int w = WORDS; w-- > 0;) {
        rest = rest << 32 | words[w];
        words[w] = (uint32_t)(rest / 5);
        rest %= 5;
    }
}

/* For p < 0 the number is 2^1023 / 5^-p, truncated. Truncating twice equals truncating once, so
 * every bit is right; such a quotient is never an integer, so rounding up adds one. */
static void compute_powers(void)
{
    uint32_t positive[WORDS] = {1}, negative[WORDS] = {0};
    negative[WORDS - 1] = 1u << 31;
    for (int p = 0; p <= MOST_POWER; p++) {
        powers[p - LEAST_POWER] = first_bits(positive);
        multiply_by_5(positive);
    }
    for (int p = -1; p >= LEAST_POWER; p--) {
        divide_by_5(negative);
        struct power *power = &powers[p - LEAST_POWER];
        *power = first_bits(negative);
        power->high += ++power->low == 0;
    }
}

void cli_csv_prepare_numbers(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, compute_powers);
}

/* ---- Scaling ----------------------------------------------------------------------------------*/

enum { UNSURE = -1 };

/* For digits and powers that doubles represent exactly. */
static double scale_exactly(uint64_t digits, int exponent)
{
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    return exponent < 0 ? (double)digits / tens[-exponent] : (double)digits * tens[exponent];
}

/* The high and the low word of the product. Of the lowest word only the carry matters. */
static struct power multiply(uint64_t digits, struct power power)
{
    const uint64_t below_rounding = 0x1ff; /* in the high word: the bits below the first 55 */
    wide product = (wide)digits * power.high;
    if (((uint64_t)(product >> 64) & below_rounding) == below_rounding)
        product += (uint64_t)((wide)digits * power.low >> 64);
    return (struct power){(uint64_t)(product >> 64), (uint64_t)product};
}

/* For an exponent in the table, and digits that are not 0. The result is positive, or UNSURE. */
static double scale_by_power(uint64_t digits, int exponent)
{
    const int zeros = __builtin_clzll(digits);
    const struct power product = multiply(digits << zeros, powers[exponent - LEAST_POWER]);
    if (product.low == UINT64_MAX && (exponent < -27 || exponent > 55))
        return UNSURE; /* further bits of the power might carry */
    const int top = (int)(product.high >> 63);
    uint64_t mantissa = product.high >> (top + 9); /* 54 bits: one more than a double's */
    /* floor(log2(10^exponent)) is exponent * 217706 / 2^16. */
    int64_t binary = (exponent * INT64_C(217706) >> 16) + 63 - zeros + top + 1023;
    /* Half-way between two doubles: round to even. */
    if (product.low <= 1 && exponent >= -4 && exponent <= 23 && (mantissa & 3) == 1 &&
        product.high == mantissa << (top + 9))
        mantissa &= ~(uint64_t)1;
    mantissa = (mantissa + (mantissa & 1)) >> 1;
    if (mantissa == (uint64_t)1 << 53) {
        mantissa >>= 1;
        binary++;
    }
    if (binary <= 1 || binary >= 2047)
        return UNSURE; /* subnormal or infinite */
    double value;
    const uint64_t bits = (mantissa & ~((uint64_t)1 << 52)) | (uint64_t)binary << 52;
    memcpy(&value, &bits, sizeof bits);
    return value;
}

double cli_csv_scale(uint64_t digits, int64_t exponent)
{
    /* If doubles are computed with more bits, one operation may round twice. */
    const bool rounds_once = FLT_EVAL_METHOD == 0;
    if (rounds_once && digits <= (uint64_t)1 << 53 && exponent >= -22 && exponent <= 22)
        return scale_exactly(digits, (int)exponent);
    if (digits == 0)
        return 0;
    if (exponent < LEAST_POWER || exponent > MOST_POWER)
        return UNSURE;
    return scale_by_power(digits, (int)exponent);
}

/* ---- Numbers of any length --------------------------------------------------------------------*/

/* The digits of a number: the value of the first ones, without leading zeros, and how many follow.
 */
struct digits {
    uint64_t first;
    size_t count, left_out, all;
    bool is_cut; /* a digit that is left out is not 0 */
};

static char *take_digits(char *text, struct digits *digits)
{
    for (; *text >= '0' && *text <= '9'; text++) {
        digits->all++;
        if (digits->count < CLI_CSV_FEW_DIGITS) {
            digits->first = digits->first * 10 + (uint64_t)(*text - '0');
            digits->count += digits->first > 0;
        } else {
            digits->left_out++;
            digits->is_cut |= *text != '0';
        }
    }
    return text;
}

/* If digits are left out, the number is between two values. If these round to the same double, the
 * number does so, too; otherwise returns false. */
static bool scale_digits(const struct digits *digits, int64_t exponent, double *value)
{
    exponent += (int64_t)digits->left_out;
    *value = cli_csv_scale(digits->first, exponent);
    return *value >= 0 && (!digits->is_cut || cli_csv_scale(digits->first + 1, exponent) == *value);
}

/* strtod of the number that ends at `end`. The tool sets no locale, so strtod expects a point.
 * Bytes that are overwritten for it are restored. */
static double ask_library(char *text, char *point, char *end)
{
    const char at_point = *point, at_end = *end;
    *point = *point == ',' ? '.' : *point;
    *end = '\0';
    const double value = strtod(text, NULL);
    *end = at_end;
    *point = at_point;
    return value;
}

/* The type of an integer. At most one of the digits that take_digits has left out fits in 64 bits.
 */
static enum cli_csv_type find_integer(struct digits digits, const char *end, bool is_negative,
                                      uint64_t *integer)
{
    const uint64_t last = (uint64_t)(end[-1] - '0');
    if (digits.left_out == 1 && digits.first <= (UINT64_MAX - last) / 10) {
        digits.first = digits.first * 10 + last;
        digits.left_out = 0;
    }
    *integer = is_negative ? 0 - digits.first : digits.first;
    if (digits.left_out > 0 || (is_negative && digits.first > (uint64_t)1 << 63))
        return CLI_CSV_WIDE;
    if (*integer >> 63 == 0)
        return CLI_CSV_INTEGER;
    return is_negative ? CLI_CSV_SIGNED : CLI_CSV_UNSIGNED;
}

char *cli_csv_read_any_number(char *text, char decimal, struct cli_number *number)
{
    struct digits digits = {0};
    int64_t exponent;
    const bool is_negative = *text == '-';
    char *begin = text + (*text == '-' || *text == '+');
    char *point = take_digits(begin, &digits), *at = point;
    const size_t whole = digits.all;
    if (*point == decimal)
        at = take_digits(point + 1, &digits);
    char *end = digits.all > 0 ? cli_csv_take_exponent(at, &exponent) : NULL;
    if (end == NULL)
        return NULL;
    number->type = CLI_CSV_REAL;
    if (end == point)
        number->type = find_integer(digits, end, is_negative, &number->integer);
    if (!cli_csv_is_double(number->type))
        return end;
    exponent -= (int64_t)(digits.all - whole);
    if (!scale_digits(&digits, exponent, &number->real))
        number->real = ask_library(begin, point, end);
    if (is_negative)
        number->real = -number->real;
    return end;
}
