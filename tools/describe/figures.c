/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes the figures of a summary.
 */
#include "tools/describe/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Integers of 128 bits ---------------------------------------------------------------------*/

/* The sign, and the words of the magnitude, the highest one first. */
struct wide {
    bool is_negative;
    uint32_t words[4];
};

static struct wide widen(uint64_t high, uint64_t low)
{
    const bool is_negative = high >> 63 != 0;
    if (is_negative) {
        low = ~low + 1;
        high = ~high + (low == 0);
    }
    return (struct wide){
        is_negative,
        {(uint32_t)(high >> 32), (uint32_t)high, (uint32_t)(low >> 32), (uint32_t)low}};
}

/* Divides by ten, and returns the remainder. */
static unsigned take_digit(struct wide *number)
{
    uint64_t rest = 0;
    for (int w = 0; w < 4; w++) {
        const uint64_t part = rest << 32 | number->words[w];
        number->words[w] = (uint32_t)(part / 10);
        rest = part % 10;
    }
    return (unsigned)rest;
}

static void write_wide(struct wide number, cli_figure text)
{
    char digits[48];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do
        digits[--at] = (char)('0' + take_digit(&number));
    while ((number.words[0] | number.words[1] | number.words[2] | number.words[3]) != 0);
    snprintf(text, CLI_FIGURE_BYTES, "%s%s", number.is_negative ? "-" : "", digits + at);
}

static double wide_to_double(struct wide number)
{
    double value = 0;
    for (int w = 0; w < 4; w++)
        value = value * 0x1p32 + number.words[w];
    return number.is_negative ? -value : value;
}

/* ---- Figures ----------------------------------------------------------------------------------*/

/* The sum of integers is exact, so the mean is computed from it; if a sum is infinite or NaN, the
 * mean is that sum divided by the count, as in IEEE 754. */
static double find_mean(bool is_float, const describe_part *part)
{
    const double numbers = (double)part->numbers;
    if (!is_float)
        return wide_to_double(widen(part->sum_high, part->sum_low)) / numbers;
    return isfinite(part->sum) ? part->mean + part->mean_rest : part->sum / numbers;
}

/* The adjusted Fisher-Pearson coefficient, as in pandas; NaN if the squares overflowed. */
static double find_skewness(const describe_part *part, double deviation)
{
    const double numbers = (double)part->numbers;
    return isfinite(deviation) ? numbers / (numbers - 2) * (part->skew_ratio / deviation)
                               : (double)NAN;
}

void cli_figures_find(const struct cli_summary *summary, struct cli_figures *figures)
{
    const describe_part *part = &summary->part;
    const struct cli_element element = cli_element_native(summary->type);
    const bool is_float = cli_element_kind(summary->type) == 'f';
    memset(figures, 0, sizeof *figures);
    for (int e = 0; e < CLI_EXTREME_COUNT; e++)
        if (summary->extremes[e].is_there)
            cli_element_write(element, summary->extremes[e].bytes, figures->extremes[e]);
    if (is_float)
        cli_double_write(part->sum, figures->sum);
    else
        write_wide(widen(part->sum_high, part->sum_low), figures->sum);
    if (part->numbers > 0)
        cli_double_write(find_mean(is_float, part), figures->mean);
    const double deviation = sqrt(part->squares / ((double)part->numbers - 1));
    if (part->numbers > 1)
        cli_double_write(deviation, figures->deviation);
    if (part->numbers > 2 && part->squares != 0)
        cli_double_write(find_skewness(part, deviation), figures->skewness);
}

/* ---- Fewer digits -----------------------------------------------------------------------------*/

void cli_figure_round(const char *figure, unsigned digits, cli_figure rounded)
{
    enum { WHOLE_DIGITS = 15 };
    const char *magnitude = figure + (*figure == '-');
    const size_t whole = strspn(magnitude, "0123456789");
    const bool is_whole = magnitude[whole] == '\0' && whole <= WHOLE_DIGITS;
    if (digits == 0 || is_whole || whole == 0)
        snprintf(rounded, CLI_FIGURE_BYTES, "%s", figure);
    else
        snprintf(rounded, CLI_FIGURE_BYTES, "%.*g", (int)digits, strtod(figure, NULL));
}

void cli_figures_round_all(struct cli_figures *figures, unsigned digits)
{
    cli_figure *const all[] = {&figures->extremes[CLI_MINIMUM],
                               &figures->extremes[CLI_MAXIMUM],
                               &figures->sum,
                               &figures->mean,
                               &figures->deviation,
                               &figures->skewness};
    cli_figure rounded;
    for (size_t f = 0; f < sizeof all / sizeof *all; f++) {
        cli_figure_round(*all[f], digits, rounded);
        memcpy(*all[f], rounded, sizeof rounded);
    }
}
