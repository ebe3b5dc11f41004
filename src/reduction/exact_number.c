/* SPDX-License-Identifier: Apache-2.0
 *
 * Most elements have one integer, of a plane to which the variable belongs, too: these are added
 * and rounded as integers. Others are added in the words of an exact sum.
 */
#include "src/reduction/exact_number.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The least subnormal double is 2^-1074. */
enum { FRACTION_BITS = 52, LEAST_DOUBLE = 1074 };

/* An integer of a plane is a multiple of 2 to the power of this. */
static int exponent_of(unsigned plane, bool is_double)
{
    return is_double ? (int)(plane << REAP__PLANE_LOG2) - (REAP__PLANE_BIAS + 1076)
                     : (int)(plane << REAP__FLOAT_PLANE_LOG2) - (REAP__FLOAT_PLANE_BIAS + 151);
}

/* Returns 2^exponent, for exponents of normal doubles. */
static double power_of_two(int exponent)
{
    const uint64_t bits = (uint64_t)(exponent + DBL_MAX_EXP - 1) << FRACTION_BITS;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static struct reap__exact_number negate(struct reap__exact_number number)
{
    return (struct reap__exact_number){
        .low = 0 - number.low,
        .high = (int64_t)(~(uint64_t)number.high + (number.low == 0 ? 1 : 0))};
}

static struct reap__exact_number number_of_double(double value, unsigned *plane)
{
    const uint64_t bits = bits_of(value);
    const unsigned field = (unsigned)(bits >> FRACTION_BITS) & 0x7ff;
    uint64_t fraction = bits & (((uint64_t)1 << FRACTION_BITS) - 1);
    if (field > 0)
        fraction |= (uint64_t)1 << FRACTION_BITS;
    const unsigned exponent = (field > 0 ? field : 1) + REAP__PLANE_BIAS;
    const unsigned shift = exponent & ((1u << REAP__PLANE_LOG2) - 1);
    const uint64_t twice = fraction << 1; /* 54 bits */
    const struct reap__exact_number magnitude = {
        .low = twice << shift, .high = (int64_t)(shift == 0 ? 0 : twice >> (64 - shift))};
    *plane = exponent >> REAP__PLANE_LOG2;
    return bits >> 63 != 0 ? negate(magnitude) : magnitude;
}

static struct reap__exact_number number_of_float(float value, unsigned *plane)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const unsigned field = bits >> 23 & 0xff;
    uint64_t fraction = bits & 0x7fffff;
    if (field > 0)
        fraction |= 0x800000;
    const unsigned exponent = (field > 0 ? field : 1) + REAP__FLOAT_PLANE_BIAS;
    const unsigned shift = exponent & ((1u << REAP__FLOAT_PLANE_LOG2) - 1);
    const struct reap__exact_number magnitude = {.low = fraction << 1 << shift}; /* 57 bits */
    *plane = exponent >> REAP__FLOAT_PLANE_LOG2;
    return bits >> 31 != 0 ? negate(magnitude) : magnitude;
}

double reap__exact_float_scale(unsigned plane)
{
    return power_of_two(-exponent_of(plane, false));
}

struct reap__exact_number reap__exact_number_of(double value, bool is_double, unsigned *plane)
{
    return is_double ? number_of_double(value, plane) : number_of_float((float)value, plane);
}

static bool add_double(struct reap__exact_number *into, struct reap__exact_number number,
                       struct reap__exact_number *carry)
{
    const uint64_t flag = (into->low | number.low) & 1;
    const uint64_t a = into->low & ~(uint64_t)1, b = number.low & ~(uint64_t)1;
    const uint64_t low = a + b, one = low < a ? 1 : 0;
    const uint64_t old = (uint64_t)into->high, high = old + (uint64_t)number.high + one;
    const bool overflows = ((old ^ high) & ((uint64_t)number.high ^ high)) >> 63 != 0;
    into->low = low | flag;
    if (!overflows) {
        into->high = (int64_t)high;
        return false;
    }
    /* The carry has the bits from 65 on; its sign is the opposite of bit 127, which overflowed. */
    const uint64_t sign = high >> 63 != 0 ? 0 : ~(uint64_t)0;
    *carry = (struct reap__exact_number){.low = high & ~(uint64_t)1, .high = (int64_t)sign};
    into->high = (int64_t)(high & 1);
    return true;
}

static bool add_float(uint64_t *into, struct reap__exact_number number,
                      struct reap__exact_number *carry)
{
    const uint64_t flag = (*into | number.low) & 1;
    const uint64_t a = *into & ~(uint64_t)1, b = number.low & ~(uint64_t)1, sum = a + b;
    if (((a ^ sum) & (b ^ sum)) >> 63 == 0) {
        *into = sum | flag;
        return false;
    }
    /* The carry has the bits from 33 on; its sign is the opposite of bit 63, which overflowed. */
    const uint64_t above = sum >> 32 & ~(uint64_t)1;
    *carry = sum >> 63 != 0
                 ? (struct reap__exact_number){.low = above}
                 : (struct reap__exact_number){.low = above - ((uint64_t)1 << 32), .high = -1};
    *into = (sum & (((uint64_t)1 << 33) - 1)) | flag;
    return true;
}

/* The lowest bits are flags, and are not added. */
bool reap__exact_number_add(void *into, bool is_double, struct reap__exact_number number,
                            struct reap__exact_number *carry)
{
    return is_double ? add_double(into, number, carry) : add_float(into, number, carry);
}

/* ---- From an element to its variable ----------------------------------------------------------*/

/* Adds digit * 2^exponent times the least subnormal double, or subtracts it. */
static void add_digit(size_t value_size, uint64_t *words, uint64_t digit, int exponent,
                      bool negative)
{
    if (digit != 0)
        reap__exact_add_window(value_size, words, negative ? -(int64_t)digit : (int64_t)digit,
                               exponent);
}

static void add_number(size_t value_size, uint64_t *words, struct reap__exact_number number,
                       int unit)
{
    const bool negative = number.high < 0;
    number.low &= ~(uint64_t)1;
    const struct reap__exact_number magnitude = negative ? negate(number) : number;
    const uint64_t low = magnitude.low >> 1, high = (uint64_t)magnitude.high;
    const int exponent = unit + 1 + LEAST_DOUBLE;
    if (exponent < 0) { /* the first plane, where the lower bits are 0 */
        add_digit(value_size, words, (high << 63 | low) >> -exponent, 0, negative);
        add_digit(value_size, words, high >> 1, 64 + exponent, negative);
        return;
    }
    add_digit(value_size, words, low & UINT32_MAX, exponent, negative);
    add_digit(value_size, words, low >> 32 | (high & 1) << 31, exponent + 32, negative);
    add_digit(value_size, words, high >> 1 & UINT32_MAX, exponent + 64, negative);
    add_digit(value_size, words, high >> 33, exponent + 96, negative);
}

static void add_special(size_t value_size, uint64_t *words, struct reap__exact_number number)
{
    uint64_t *const counts = words + REAP__EXACT_DIGITS(value_size);
    for (unsigned i = 0; i < 3; i++)
        counts[i] += number.low >> (1 + REAP__SPECIAL_BITS * i) & ((1u << REAP__SPECIAL_BITS) - 1);
}

void reap__exact_element_add(const struct reap__reduction *reduction,
                             const struct reap__exact_part *parts, size_t count, uint64_t *words)
{
    const size_t size = reduction->value_size;
    words[REAP__EXACT_DIGITS(size) + 3]++; /* values other than -0 */
    for (size_t i = 0; i < count; i++)
        if (parts[i].plane == REAP__SPECIAL_PLANE)
            add_special(size, words, parts[i].number);
        else
            add_number(size, words, parts[i].number,
                       exponent_of(parts[i].plane, size == sizeof(double)));
}

static void store_by_words(const struct reap__reduction *reduction,
                           const struct reap__exact_part *parts, size_t count, const void *start,
                           void *variable)
{
    uint64_t words[REAP__EXACT_WORDS(8)] = {0};
    const size_t size = reduction->value_size;
    reap__exact_element_add(reduction, parts, count, words);
    reap__exact_add_each(size, words, variable, 1);
    reap__exact_add_each(size, words, start, 1);
    reap__exact_round(reduction, words, variable);
}

#ifdef __SIZEOF_INT128__
static double number_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static unsigned highest_bit(reap__uint128 magnitude)
{
    const uint64_t high = (uint64_t)(magnitude >> 64);
    return high != 0 ? 127 - (unsigned)__builtin_clzll(high)
                     : 63 - (unsigned)__builtin_clzll((uint64_t)magnitude);
}

/* Returns the upper `fraction_bits` + 1 bits of a magnitude, rounded to nearest, ties to even. */
static uint64_t nearest(reap__uint128 magnitude, unsigned highest, unsigned fraction_bits)
{
    if (highest <= fraction_bits)
        return (uint64_t)magnitude << (fraction_bits - highest);
    const unsigned below = highest - fraction_bits;
    const reap__uint128 half = (reap__uint128)1 << (below - 1);
    const uint64_t odd = (uint64_t)(magnitude >> below) & 1;
    return (uint64_t)((magnitude + (half - 1) + odd) >> below);
}

/* Rounds total * 2^unit, which is not 0, to a value with `fraction_bits` bits in its fraction.
 * Returns false if that may not be a normal number of its type. */
static bool round_number(reap__int128 total, int unit, unsigned fraction_bits, double *value)
{
    const reap__uint128 magnitude =
        total < 0 ? -(reap__uint128)total : (reap__uint128)total; /* below 2^127 */
    const unsigned highest = highest_bit(magnitude);
    const int exponent = (int)highest + unit;
    const int most = fraction_bits == FRACTION_BITS ? 1021 : 125;
    if (exponent < -most || exponent > most)
        return false;
    const uint64_t fraction = nearest(magnitude, highest, fraction_bits)
                              << (FRACTION_BITS - fraction_bits);
    const uint64_t sign = total < 0 ? (uint64_t)1 << 63 : 0;
    *value = number_of(sign | (((uint64_t)(exponent + 1022) << FRACTION_BITS) + fraction));
    return true;
}

/* Adds a value to total * 2^unit. Returns false if it is not a multiple of the unit, or too
 * large. */
static bool add_value(reap__int128 *total, int unit, double value)
{
    const uint64_t bits = bits_of(value), hidden = (uint64_t)1 << FRACTION_BITS;
    const int field = (int)(bits >> FRACTION_BITS & 0x7ff), shift = field - 1075 - unit;
    const uint64_t fraction = (bits & (hidden - 1)) | hidden;
    if (value == 0)
        return true;
    if (field == 0 || field == 0x7ff || shift > 72 || shift <= -FRACTION_BITS ||
        (shift < 0 && (fraction & (((uint64_t)1 << -shift) - 1)) != 0))
        return false;
    const reap__int128 magnitude =
        shift < 0 ? (reap__int128)(fraction >> -shift) : (reap__int128)fraction << shift;
    return !__builtin_add_overflow(*total, bits >> 63 != 0 ? -magnitude : magnitude, total);
}

/* variable += total * 2^unit, if the variable and the sum are such integers; else returns false. */
static inline bool store_total(reap__int128 total, int unit, bool is_double, void *variable)
{
    float single;
    double value;
    memcpy(&single, variable, sizeof single);
    if (is_double)
        memcpy(&value, variable, sizeof value);
    else
        value = single;
    if (!add_value(&total, unit, value))
        return false;
    if (total == 0)
        value = 0;
    else if (!round_number(total, unit, is_double ? FRACTION_BITS : 23, &value))
        return false;
    single = (float)value;
    memcpy(variable, is_double ? (const void *)&value : &single,
           is_double ? sizeof value : sizeof single);
    return true;
}

/* The integer without its lowest bit, which is a flag. */
static inline reap__int128 integer_of(struct reap__exact_number number)
{
    reap__int128 integer;
    memcpy(&integer, &number, sizeof integer);
    return integer & ~(reap__int128)1;
}

static inline bool store_by_number(struct reap__exact_number number, int unit, bool is_double,
                                   void *variable)
{
    return store_total(integer_of(number), unit, is_double, variable);
}

/* The same for the integers of several planes, in their order. Returns false if their sum is too
 * large. */
static bool store_by_parts(const struct reap__exact_part *parts, size_t count, bool is_double,
                           void *variable)
{
    const int unit = exponent_of(parts[0].plane, is_double);
    reap__int128 total = 0;
    for (size_t i = 0; i < count; i++) {
        const int shift = exponent_of(parts[i].plane, is_double) - unit;
        const reap__int128 integer = integer_of(parts[i].number);
        const reap__int128 shifted =
            (reap__int128)((reap__uint128)integer << (shift < 127 ? shift : 127));
        if (parts[i].plane >= REAP__CARRY_PLANE || shift >= 127 || shifted >> shift != integer ||
            __builtin_add_overflow(total, shifted, &total))
            return false;
    }
    return store_total(total, unit, is_double, variable);
}
#else
static inline bool store_by_number(struct reap__exact_number number, int unit, bool is_double,
                                   void *variable)
{
    (void)number, (void)unit, (void)is_double, (void)variable;
    return false;
}

static bool store_by_parts(const struct reap__exact_part *parts, size_t count, bool is_double,
                           void *variable)
{
    (void)parts, (void)count, (void)is_double, (void)variable;
    return false;
}
#endif

/* ---- Floats -----------------------------------------------------------------------------------*/

/* Planes whose integers of 64 bits are all normal floats or 0 when they are rounded. */
enum { FIRST_NORMAL_PLANE = 2, LAST_NORMAL_PLANE = 7 };

/* variable += number * scale, if the processor rounds that once; else returns false. */
static inline bool store_float(struct reap__exact_number number, double scale, float *variable)
{
    const int64_t total = (int64_t)(number.low & ~(uint64_t)1), most = (int64_t)1 << 62;
    const double value = *variable, rounded = (double)total;
    if (number.high != total >> 63)
        return false;
    if (value == 0) {
        *variable = (float)((double)(float)total * scale);
        return true;
    }
    /* The error of the sum of two doubles: Knuth, TAOCP volume 2, 4.2.2, theorem B. */
    const double addend = rounded * scale, sum = addend + value, back = sum - addend;
    const double error = (addend - (sum - back)) + (value - back);
    if (total < -most || total > most || (int64_t)rounded != total || error != 0 ||
        (sum != 0 && fabs(sum) < FLT_MIN))
        return false;
    *variable = (float)sum;
    return true;
}

/* Stores the integers of a plane, up to the first one for which store_float fails. Returns how
 * many. */
static size_t store_floats(const struct reap__exact_number *numbers, size_t count, unsigned plane,
                           float *variables)
{
    const double scale = power_of_two(exponent_of(plane, false));
    size_t i = 0;
    while (i < count && ((numbers[i].low == 0 && numbers[i].high == 0) ||
                         store_float(numbers[i], scale, &variables[i])))
        i++;
    return i;
}

/* ---- Elements ---------------------------------------------------------------------------------*/

/* Whether the start is 0 or -0. */
static bool changes_nothing(const struct reap__reduction *reduction, const void *start)
{
    float single;
    double value = 0;
    memcpy(&single, start, sizeof single);
    if (reduction->value_size == sizeof value)
        memcpy(&value, start, sizeof value);
    else
        value = single;
    return value == 0;
}

static bool changes_nothing_in_floats(const void *start)
{
    float single;
    memcpy(&single, start, sizeof single);
    return single == 0;
}

void reap__exact_element_store(const struct reap__reduction *reduction,
                               const struct reap__exact_part *parts, size_t count,
                               const void *start, void *variable)
{
    if (!changes_nothing(reduction, start) ||
        !store_by_parts(parts, count, reduction->value_size == sizeof(double), variable))
        store_by_words(reduction, parts, count, start, variable);
}

bool reap__exact_floats_store(unsigned plane, const int64_t *const *sources, size_t source_count,
                              const void *start, float *variables)
{
    return plane >= FIRST_NORMAL_PLANE && plane <= LAST_NORMAL_PLANE &&
           changes_nothing_in_floats(start) &&
           reap__exact_store_block(power_of_two(exponent_of(plane, false)), sources, source_count,
                                   variables);
}

/* The same as store_floats for doubles, and for floats of all planes and sizes. */
static inline size_t store_numbers(const struct reap__exact_number *numbers, size_t count, int unit,
                                   bool is_double, char *variables)
{
    const size_t size = is_double ? sizeof(double) : sizeof(float);
    size_t i = 0;
    while (i < count && ((numbers[i].low == 0 && numbers[i].high == 0) ||
                         store_by_number(numbers[i], unit, is_double, variables + i * size)))
        i++;
    return i;
}

void reap__exact_numbers_store(const struct reap__reduction *reduction, unsigned plane,
                               const struct reap__exact_number *numbers, size_t count,
                               const void *start, void *variables)
{
    const bool is_double = reduction->value_size == sizeof(double);
    const bool is_usual = plane < REAP__CARRY_PLANE && changes_nothing(reduction, start);
    const bool is_normal = !is_double && plane >= FIRST_NORMAL_PLANE && plane <= LAST_NORMAL_PLANE;
    const int unit = exponent_of(plane, is_double);
    for (size_t i = 0; i < count; i++) {
        char *const at = (char *)variables + i * reduction->value_size;
        if (is_usual && is_normal)
            i += store_floats(numbers + i, count - i, plane, (float *)(void *)at);
        else if (is_usual)
            i += is_double ? store_numbers(numbers + i, count - i, unit, true, at)
                           : store_numbers(numbers + i, count - i, unit, false, at);
        if (i < count && (numbers[i].low != 0 || numbers[i].high != 0) &&
            !(is_usual && is_normal &&
              store_by_number(numbers[i], unit, false,
                              (char *)variables + i * reduction->value_size)))
            store_by_words(reduction, &(struct reap__exact_part){numbers[i], plane}, 1, start,
                           (char *)variables + i * reduction->value_size);
    }
}
