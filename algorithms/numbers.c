/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of all types of elements: exact comparisons, and conversions to and from keys
 * (keys.kernels.h).
 */
#include "algorithms/keys.h"

#include <math.h>
#include <string.h>

/* ---- Numbers ----------------------------------------------------------------------------------*/

/* Compares an integer with a double, exactly. */
static int compare_with_double(const reap_number *whole, double real)
{
    const bool is_signed = whole->type == REAP_TYPE_INT64;
    if (real >= (is_signed ? 0x1p63 : 0x1p64))
        return -1;
    if (real < (is_signed ? -0x1p63 : 0))
        return 1;
    const double floor_of_real = floor(real);
    const bool is_fraction = floor_of_real < real;
    if (is_signed) {
        const int64_t a = whole->of_int64, b = (int64_t)floor_of_real;
        return a < b ? -1 : a > b ? 1 : is_fraction ? -1 : 0;
    }
    const uint64_t a = whole->of_uint64, b = (uint64_t)floor_of_real;
    return a < b ? -1 : a > b ? 1 : is_fraction ? -1 : 0;
}

static int compare_integers(const reap_number *a, const reap_number *b)
{
    const bool a_is_negative = a->type == REAP_TYPE_INT64 && a->of_int64 < 0;
    const bool b_is_negative = b->type == REAP_TYPE_INT64 && b->of_int64 < 0;
    if (a_is_negative != b_is_negative)
        return a_is_negative ? -1 : 1;
    /* With the same sign, the bits have the order of the numbers. */
    const uint64_t left = a->type == REAP_TYPE_INT64 ? (uint64_t)a->of_int64 : a->of_uint64;
    const uint64_t right = b->type == REAP_TYPE_INT64 ? (uint64_t)b->of_int64 : b->of_uint64;
    return left < right ? -1 : left > right ? 1 : 0;
}

int reap__compare_numbers(const reap_number *a, const reap_number *b)
{
    if (a->type != REAP_TYPE_DOUBLE && b->type != REAP_TYPE_DOUBLE)
        return compare_integers(a, b);
    if (a->type != REAP_TYPE_DOUBLE)
        return compare_with_double(a, b->of_double);
    if (b->type != REAP_TYPE_DOUBLE)
        return -compare_with_double(b, a->of_double);
    return a->of_double < b->of_double ? -1 : a->of_double > b->of_double ? 1 : 0;
}

union element {
    uint8_t u8;
    int8_t i8;
    uint16_t u16;
    int16_t i16;
    uint32_t u32;
    int32_t i32;
    uint64_t u64;
    int64_t i64;
    reap_half half;
    reap_bfloat16 bfloat16;
    float single;
    double real;
};

reap_number reap__number_of(reap_type type, const void *element)
{
    union element raw = {.u64 = 0};
    memcpy(&raw, element, reap_type_size(type));
    switch (type) {
    case REAP_TYPE_INT8:
        return reap_number_of_int64(raw.i8);
    case REAP_TYPE_INT16:
        return reap_number_of_int64(raw.i16);
    case REAP_TYPE_INT32:
        return reap_number_of_int64(raw.i32);
    case REAP_TYPE_INT64:
        return reap_number_of_int64(raw.i64);
    case REAP_TYPE_UINT16:
        return reap_number_of_uint64(raw.u16);
    case REAP_TYPE_UINT32:
        return reap_number_of_uint64(raw.u32);
    case REAP_TYPE_UINT64:
        return reap_number_of_uint64(raw.u64);
    case REAP_TYPE_HALF:
        return reap_number_of_double((double)reap_half_to_float(raw.half));
    case REAP_TYPE_BFLOAT16:
        return reap_number_of_double((double)reap_bfloat16_to_float(raw.bfloat16));
    case REAP_TYPE_FLOAT:
        return reap_number_of_double((double)raw.single);
    case REAP_TYPE_DOUBLE:
        return reap_number_of_double(raw.real);
    default:
        return reap_number_of_uint64(raw.u8);
    }
}

/* ---- Keys -------------------------------------------------------------------------------------*/

static bool is_floating(reap_type type)
{
    return type >= REAP_TYPE_HALF;
}

static bool is_unsigned(reap_type type)
{
    return !is_floating(type) && type != REAP_TYPE_INT8 && type != REAP_TYPE_INT16 &&
           type != REAP_TYPE_INT32 && type != REAP_TYPE_INT64;
}

/* The largest signed integer of the type's size. */
static int64_t most_of(reap_type type)
{
    return INT64_MAX >> (64 - 8 * reap_type_size(type));
}

int64_t reap__key_largest(reap_type type)
{
    switch (type) {
    case REAP_TYPE_HALF:
        return 0x7c00;
    case REAP_TYPE_BFLOAT16:
        return 0x7f80;
    case REAP_TYPE_FLOAT:
        return 0x7f800000;
    case REAP_TYPE_DOUBLE:
        return 0x7ff0000000000000;
    default:
        return most_of(type);
    }
}

int64_t reap__key_least(reap_type type)
{
    return -reap__key_largest(type) - 1;
}

bool reap__key_is_nan(reap_type type, int64_t key)
{
    return key > reap__key_largest(type) || key < reap__key_least(type);
}

struct reap__interval reap__interval_of(int64_t first, int64_t last)
{
    return (struct reap__interval){first, (uint64_t)last - (uint64_t)first};
}

/* The keys after infinity, and on to those before -infinity. Not for integers. */
struct reap__interval reap__interval_of_nans(reap_type type)
{
    const uint64_t of_one_sign = (uint64_t)(most_of(type) - reap__key_largest(type));
    const int64_t first = (int64_t)((uint64_t)reap__key_largest(type) + 1);
    return (struct reap__interval){first, 2 * of_one_sign - 1};
}

static uint64_t bits_of(reap_type type, int64_t key)
{
    const uint64_t first = (uint64_t)most_of(type) + 1;
    uint64_t bits = (uint64_t)key;
    if (is_unsigned(type))
        bits ^= first;
    if (is_floating(type) && key < 0)
        bits ^= first - 1;
    return bits & (2 * first - 1);
}

void reap__key_store(reap_type type, int64_t key, void *element)
{
    union element raw;
    if (is_floating(type) && key == -1)
        key = 0;
    if (is_floating(type) && reap__key_is_nan(type, key))
        key = reap__key_largest(type) + (reap__key_largest(type) & -reap__key_largest(type)) / 2;
    const uint64_t bits = bits_of(type, key);
    switch (reap_type_size(type)) {
    case 1:
        raw.u8 = (uint8_t)bits;
        break;
    case 2:
        raw.u16 = (uint16_t)bits;
        break;
    case 4:
        raw.u32 = (uint32_t)bits;
        break;
    default:
        raw.u64 = bits;
    }
    memcpy(element, &raw, reap_type_size(type));
}

static reap_number number_of_key(reap_type type, int64_t key)
{
    unsigned char element[sizeof(uint64_t)];
    reap__key_store(type, key, element);
    /* the byte of a bool may have more values than two */
    return reap__number_of(type == REAP_TYPE_BOOL ? REAP_TYPE_UINT8 : type, element);
}

static int compare_with_key(reap_type type, int64_t key, const reap_number *number)
{
    const reap_number other = number_of_key(type, key);
    return reap__compare_numbers(&other, number);
}

static int64_t clamp_to_key(reap_type type, int64_t key)
{
    const int64_t least = reap__key_least(type), largest = reap__key_largest(type);
    return key < least ? least : key > largest ? largest : key;
}

/* The key, in a floating-point type, of the number after rounding, perhaps twice. */
static int64_t key_of_rounded(reap_type type, double real)
{
    union element raw = {.u64 = 0};
    if (type == REAP_TYPE_HALF)
        raw.half = reap_half_from_float((float)real);
    else if (type == REAP_TYPE_BFLOAT16)
        raw.bfloat16 = reap_bfloat16_from_float((float)real);
    else if (type == REAP_TYPE_FLOAT)
        raw.single = (float)real;
    else
        raw.real = real;
    const uint64_t bits = raw.u64, first = (uint64_t)most_of(type) + 1;
    return (bits & first) != 0 ? -(int64_t)(bits & (first - 1)) - 1 : (int64_t)bits;
}

/* A key near that of the number. */
static int64_t guess_key(reap_type type, const reap_number *number)
{
    const double real = number->type == REAP_TYPE_DOUBLE  ? number->of_double
                        : number->type == REAP_TYPE_INT64 ? (double)number->of_int64
                                                          : (double)number->of_uint64;
    if (is_floating(type))
        return clamp_to_key(type, key_of_rounded(type, real));
    int64_t whole = number->of_int64;
    if (number->type == REAP_TYPE_DOUBLE)
        whole = real >= 0x1p63 ? INT64_MAX : real < -0x1p63 ? INT64_MIN : (int64_t)real;
    else if (number->type == REAP_TYPE_UINT64 && whole < 0)
        whole = INT64_MAX;
    if (!is_unsigned(type))
        return clamp_to_key(type, whole);
    if (type != REAP_TYPE_UINT64)
        return clamp_to_key(type, whole < 0 ? INT64_MIN : whole - most_of(type) - 1);
    if (number->type == REAP_TYPE_UINT64 || whole < 0)
        return number->type == REAP_TYPE_UINT64 ? number->of_int64 ^ INT64_MIN : INT64_MIN;
    if (number->type == REAP_TYPE_DOUBLE && real >= 0x1p63)
        return real >= 0x1p64 ? INT64_MAX : (int64_t)(real - 0x1p63);
    return whole ^ INT64_MIN;
}

/* Bisection, of the keys near the guess if the key is among them. */
bool reap__key_from(reap_type type, const reap_number *number, bool more, int64_t *key)
{
    enum { NEAR = 2 };
    int64_t first = reap__key_least(type), last = reap__key_largest(type);
    const int wanted = more ? 1 : 0;
    const int64_t guess = guess_key(type, number);
    if (compare_with_key(type, last, number) < wanted)
        return false;
    if (guess > first + NEAR && compare_with_key(type, guess - NEAR, number) < wanted)
        first = guess - NEAR + 1;
    if (guess < last - NEAR && compare_with_key(type, guess + NEAR, number) >= wanted)
        last = guess + NEAR;
    while (first < last) {
        const int64_t middle = (int64_t)((uint64_t)first + ((uint64_t)last - (uint64_t)first) / 2);
        if (compare_with_key(type, middle, number) < wanted)
            first = middle + 1;
        else
            last = middle;
    }
    *key = first;
    return true;
}
