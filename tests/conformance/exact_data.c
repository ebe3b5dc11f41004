/* SPDX-License-Identifier: Apache-2.0
 *
 * See exact_data.h.
 */
#include "tests/conformance/exact_data.h"

#include "tests/support/check.h"

#include <math.h>

static double between(struct exact_source *source, double low, double high)
{
    return low + (high - low) * ldexp((double)(check_random(&source->state) >> 11), -53);
}

double exact_with_exponents(struct exact_source *source, int low, int high)
{
    const double fraction = between(source, -1, 1);
    const int exponent = low + (int)(check_random(&source->state) % (uint64_t)(high - low + 1));
    return ldexp(fraction, exponent);
}

/* The exponent of the largest number, and of the smallest. */
static int highest(const struct exact_source *source)
{
    return source->is_double ? 1023 : 127;
}
static int lowest(const struct exact_source *source)
{
    return source->is_double ? -1074 : -149;
}

static double special(struct exact_source *source)
{
    static const double values[] = {INFINITY, -INFINITY, NAN, 1.5, -0.0, 0.0, -2.5};
    const uint64_t drawn = check_random(&source->state);
    return drawn % 16 > 0 ? between(source, -1, 1) : values[drawn / 16 % 7];
}

/* The kind of value i among those that change: the first one decides which are next. */
static enum exact_data kind_of(size_t i, const double *before)
{
    static const enum exact_data kinds[] = {UNIFORM, SHORT,     LARGE_RANGE, ZEROS, UNIFORM,
                                            TIES,    SUBNORMAL, HUGE_RANGE,  EQUAL};
    enum { KINDS = sizeof kinds / sizeof *kinds, SECTION = 700 };
    const size_t start = i < SECTION ? 0 : (size_t)(fabs(before[0]) * 1000);
    return kinds[(start + i / SECTION) % KINDS];
}

double exact_draw(struct exact_source *source, enum exact_data data, size_t i, const double *before)
{
    const int last = source->is_double ? -52 : -23;
    switch (data == CHANGING ? kind_of(i, before) : data) {
    case UNIFORM:
        return between(source, -1, 1);
    case HUGE_RANGE:
        return exact_with_exponents(source, lowest(source), highest(source));
    case LARGE_RANGE:
        return exact_with_exponents(source, source->is_double ? -300 : -60,
                                    source->is_double ? 300 : 60);
    case CANCELLING:
        return i % 2 > 0 ? -before[i / 2 * 2] * (i % 7 > 0 ? 1 : 1 + ldexp(1, last + 2))
                         : exact_with_exponents(source, lowest(source) / 2, highest(source) / 2);
    case TIES:
        return i == 0       ? between(source, 1, 2)
               : i % 5 == 4 ? exact_with_exponents(source, lowest(source), lowest(source) / 2)
                            : ldexp((int)(check_random(&source->state) % 3) - 1, last - 1);
    case SUBNORMAL:
        return exact_with_exponents(source, lowest(source),
                                    lowest(source) + (source->is_double ? 60 : 30));
    case LARGEST:
        return ldexp(between(source, i % 2 > 0 ? -1 : 0.5, i % 2 > 0 ? -0.5 : 1),
                     highest(source) + 1);
    case SPECIAL:
        return special(source);
    case ZEROS:
        return check_random(&source->state) % 8 > 0 ? -0.0 : 0.0;
    case SHORT:
        return ldexp(rint(ldexp(between(source, -1, 1), 24)),
                     -24 - (int)(check_random(&source->state) % (i < 2000 ? 20 : 31)));
    case CHANGING:
    case EQUAL:
    case DATA:
        break;
    }
    return i == 0 ? exact_with_exponents(source, lowest(source), highest(source)) : before[0];
}

void exact_fill(struct exact_source *source, enum exact_data data, double *x, float *narrow,
                size_t count)
{
    const double only = check_random(&source->state) % 2 > 0 ? -0.0 : 0.0;
    for (size_t i = 0; i < count; i++) {
        x[i] = exact_draw(source, data, i, x);
        if (data == ZEROS && source->state % 4 > 0)
            x[i] = only;
        narrow[i] = (float)x[i];
        if (!source->is_double)
            x[i] = (double)narrow[i];
    }
}
