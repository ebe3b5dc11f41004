/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact sums. A value is added to the two or three digits that it touches: Kulisch's accumulator,
 * whose digits have spare bits for carries, as in Neal, "Fast exact summation using small and large
 * superaccumulators", 2015. reap/detail/device/exact_tmpl.h has the arithmetic, which devices
 * compile, too; exact_tmpl.h adds many values at a time, exact_plane_tmpl.h adds them to spans, and
 * exact_store_tmpl.h stores many sums.
 */
#include "src/reduction/exact.h"

#include <string.h>

#define EXACT_FUNCTIONS reap__exact_functions_plain
#include "src/reduction/exact_plane_tmpl.h"
#include "src/reduction/exact_store_tmpl.h"
#include "src/reduction/exact_tmpl.h"

typedef uint64_t reap__ulong;
typedef int64_t reap__long;
typedef uint32_t reap__uint;

#define REAP__FUNCTION static inline
#define REAP__X_WORD uint64_t
#define REAP__X_FETCH_ADD(word, v) fetch_add(word, v)

static inline uint64_t fetch_add(uint64_t *word, uint64_t v)
{
    const uint64_t old = *word;
    *word = old + v;
    return old;
}

static inline uint64_t bits_of_float(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static inline float float_of_bits(uint64_t wide)
{
    const uint32_t bits = (uint32_t)wide;
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static inline uint64_t bits_of_double(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static inline double double_of_bits(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

#define REAP__X float
#define REAP__X_NAME float
#define REAP__X_FRACTION 23
#define REAP__X_EXPONENT 0xff
#define REAP__X_DIGITS REAP__EXACT_DIGITS(4)
#define REAP__X_BITS(number) bits_of_float(number)
#define REAP__X_NUMBER(bits) float_of_bits(bits)
#include <reap/detail/device/exact_tmpl.h>
#undef REAP__X
#undef REAP__X_NAME
#undef REAP__X_FRACTION
#undef REAP__X_EXPONENT
#undef REAP__X_DIGITS
#undef REAP__X_BITS
#undef REAP__X_NUMBER

#define REAP__X double
#define REAP__X_NAME double
#define REAP__X_FRACTION 52
#define REAP__X_EXPONENT 0x7ff
#define REAP__X_DIGITS REAP__EXACT_DIGITS(8)
#define REAP__X_BITS(number) bits_of_double(number)
#define REAP__X_NUMBER(bits) double_of_bits(bits)
#include <reap/detail/device/exact_tmpl.h>

/* ---- Values -----------------------------------------------------------------------------------*/

static bool is_double(const struct reap__reduction *reduction)
{
    return reduction->value_size == sizeof(double);
}

const void *reap__exact_start(const struct reap__reduction *reduction)
{
    static const float single = -0.0f;
    static const double wide = -0.0;
    return is_double(reduction) ? (const void *)&wide : &single;
}

/* The least subnormal double is the least subnormal float times 2^-925. */
enum { BETWEEN_SUBNORMALS = 1074 - 149 };

void reap__exact_add_window(size_t value_size, uint64_t *words, int64_t sum, int exponent)
{
    const bool is_negative = sum < 0;
    uint64_t fraction = is_negative ? 0 - (uint64_t)sum : (uint64_t)sum;
    if (value_size == sizeof(double)) {
        reap__exact_add_scaled_double(words, fraction, (unsigned)exponent, is_negative);
        return;
    }
    exponent -= BETWEEN_SUBNORMALS;
    if (exponent < 0) {
        fraction >>= -exponent; /* the lower bits are 0 */
        exponent = 0;
    }
    reap__exact_add_scaled_float(words, fraction, (unsigned)exponent, is_negative);
}

void reap__exact_add_each(size_t value_size, uint64_t *words, const void *values, size_t count)
{
    const float *floats = values;
    const double *doubles = values;
    for (size_t i = 0; i < count; i++)
        if (value_size == sizeof(double))
            reap__exact_add_double(words, doubles[i]);
        else
            reap__exact_add_float(words, floats[i]);
}

/* ---- Sums -------------------------------------------------------------------------------------*/

/* Written before the first launch, constant afterwards. */
static const struct reap__exact_functions *used = &reap__exact_functions_plain;

void reap__exact_functions_select(enum reap__isa isa)
{
    used = &reap__exact_functions_plain;
#if defined(__x86_64__)
    if (isa == REAP__ISA_V3)
        used = &reap__exact_functions_v3;
    else if (isa == REAP__ISA_V4)
        used = &reap__exact_functions_v4;
#else
    (void)isa;
#endif
}

void reap__exact_add_ahead(const struct reap__reduction *reduction, uint64_t *words, void *values,
                           size_t count, const struct reap__ahead *ahead,
                           struct reap__exact_guess *guess)
{
    if (is_double(reduction))
        (used->add_doubles)(words, values, count, ahead, guess);
    else
        (used->add_floats)(words, values, count, ahead, guess);
}

bool reap__exact_store_block(double scale, const int64_t *const *sources, size_t source_count,
                             float *variables)
{
    return (used->store_block)(scale, sources, source_count, variables);
}

size_t reap__exact_add_to_plane(bool is_wide, const struct reap__exact_plane *plane,
                                const struct reap__exact_values *values, const size_t *ahead)
{
    return (is_wide ? used->add_doubles_to_plane : used->add_floats_to_plane)(plane, values, ahead);
}

size_t reap__exact_add_groups(bool is_wide, const struct reap__exact_plane *plane,
                              const size_t *indices, const void *values, size_t count)
{
    return (is_wide ? used->add_groups_of_doubles : used->add_groups_of_floats)(plane, indices,
                                                                                values, count);
}

void reap__exact_add(const struct reap__reduction *reduction, uint64_t *words, void *values,
                     size_t count)
{
    const struct reap__ahead nothing = {.count = 0};
    struct reap__exact_guess guess = {.largest = 0};
    reap__exact_add_ahead(reduction, words, values, count, &nothing, &guess);
}

static void add_one(const struct reap__exact_sink *sink, double value)
{
    if (sink->is_double) {
        reap__exact_add_double(sink->words, value);
        reap__exact_note_double(sink->words, value);
    } else {
        reap__exact_add_float(sink->words, (float)value);
        reap__exact_note_float(sink->words, (float)value);
    }
}

struct reap__exact_sink reap__exact_sink_of(const struct reap__reduction *reduction,
                                            uint64_t *words)
{
    return (struct reap__exact_sink){add_one, words, is_double(reduction)};
}

void reap__exact_merge(const struct reap__reduction *reduction, uint64_t *into,
                       const uint64_t *from)
{
    const unsigned digits = REAP__EXACT_DIGITS((unsigned)reduction->value_size);
    for (unsigned i = 0; i < digits; i++)
        if (is_double(reduction))
            reap__exact_add_digit_double(into, i, from[i]);
        else
            reap__exact_add_digit_float(into, i, from[i]);
    for (unsigned i = digits; i < digits + 4; i++)
        into[i] += from[i];
}

void reap__exact_round(const struct reap__reduction *reduction, const uint64_t *words, void *value)
{
    uint64_t copy[REAP__EXACT_WORDS(8)];
    memcpy(copy, words, REAP__EXACT_WORDS(reduction->value_size) * sizeof *copy);
    if (is_double(reduction)) {
        const double sum = reap__exact_round_double(copy);
        memcpy(value, &sum, sizeof sum);
    } else {
        const float sum = reap__exact_round_float(copy);
        memcpy(value, &sum, sizeof sum);
    }
}
