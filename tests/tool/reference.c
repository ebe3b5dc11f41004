/* SPDX-License-Identifier: Apache-2.0
 *
 * The reference: a loop for each statistic.
 */
#include "tests/tool/reference.h"

#include <math.h>
#include <stdbool.h>

static void find_extremes(const long double *values, size_t count, struct reference *found)
{
    found->minimum = INFINITY;
    found->maximum = -INFINITY;
    found->minimum_at = found->maximum_at = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        if (isnan(values[i]))
            continue;
        if (found->minimum_at == SIZE_MAX || values[i] < found->minimum) {
            found->minimum = values[i];
            found->minimum_at = i;
        }
        if (found->maximum_at == SIZE_MAX || values[i] > found->maximum) {
            found->maximum = values[i];
            found->maximum_at = i;
        }
    }
}

/* Of integers; each is split with a low half that is not negative. */
static void add_exactly(const long double *values, size_t count, struct reference *found)
{
    int64_t low = 0;
    found->sum_high = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i]))
            continue;
        const long double high = floorl(values[i] / 0x1p32L);
        found->sum_high += (int64_t)fmaxl(fminl(high, 0x1p40L), -0x1p40L);
        low += (int64_t)fmodl(values[i] - high * 0x1p32L, 0x1p32L);
    }
    found->sum_high += low >> 32;
    found->sum_low = (uint32_t)low;
}

/* Of all values except NaNs; so that rounding does not add up, parts are summed first. */
static long double add(const long double *values, size_t count, bool absolute)
{
    long double sum = 0;
    if (count > 64)
        return add(values, count / 2, absolute) +
               add(values + count / 2, count - count / 2, absolute);
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i]))
            sum += absolute ? fabsl(values[i]) : values[i];
    return sum;
}

void reference_describe(const long double *values, size_t count, struct reference *found)
{
    long double squares = 0, rest = 0, cubes = 0, absolute = 0;
    *found = (struct reference){.count = count};
    find_extremes(values, count, found);
    add_exactly(values, count, found);
    found->sum = add(values, count, false);
    found->absolute = add(values, count, true);
    for (size_t i = 0; i < count; i++) {
        found->nans += isnan(values[i]) != 0;
        found->infinities += isinf(values[i]) != 0;
    }
    const long double numbers = (long double)(count - found->nans);
    found->mean = found->sum / numbers;
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i])) {
            const long double off = values[i] - found->mean;
            squares += off * off;
            rest += off; /* nothing, but that the mean is rounded */
            cubes += off * off * off;
            absolute += fabsl(off * off * off);
        }
    cubes -= rest / numbers * (3 * squares - 2 * rest * rest / numbers);
    squares -= rest * rest / numbers;
    found->deviation = sqrtl((squares < 0 ? 0 : squares) / (numbers - 1));
    const long double by = powl(found->deviation, 3) * (numbers - 1) * (numbers - 2) / numbers;
    found->skewness = cubes / by;
    found->absolute_skewness = absolute / by;
}
