/* SPDX-License-Identifier: Apache-2.0
 *
 * A file's block: a line about the array, and one for each figure.
 */
#include "src/cli/describe/report.h"

#include "src/cli/message.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void print_label(const char *label)
{
    printf("  %-20s", label);
}

static void print_count(const char *label, uint64_t count)
{
    print_label(label);
    printf("%" PRIu64 "\n", count);
}

/* ---- The array --------------------------------------------------------------------------------*/

/* Prints a value in the first unit in which it is less than `step`, or in the last; a unit is
 * `step` times the one before it. */
static void print_scaled(double value, double step, const char *const *units)
{
    for (; value >= step && units[1] != NULL; units++)
        value /= step;
    printf("%.2f %s", value, *units);
}

static void print_bytes(uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB", NULL};
    if (bytes < 1024)
        printf("%" PRIu64 " bytes", bytes);
    else
        print_scaled((double)bytes / 1024, 1024, units);
}

static void print_array(const struct cli_array *array)
{
    const struct cli_npy *layout = &array->layout;
    cli_print_name(stdout, array->name);
    printf(": %s, ", cli_element_name(layout->element.type));
    for (unsigned d = 0; d < layout->dimensions; d++)
        printf("%s%" PRIu64, d > 0 ? " x " : "", layout->shape[d]);
    printf("%s, ", layout->dimensions == 0 ? "no dimensions" : "");
    if (layout->element.is_big_endian)
        printf("big-endian, ");
    if (layout->is_fortran)
        printf("Fortran order, ");
    print_bytes(cli_array_bytes(array));
    putchar('\n');
}

/* ---- Extremes ---------------------------------------------------------------------------------*/

/* The coordinates of an element from its index in the file. */
static void find_coordinates(const struct cli_npy *layout, uint64_t index,
                             uint64_t coordinates[CLI_NPY_MOST_DIMENSIONS])
{
    const unsigned dimensions = layout->dimensions;
    for (unsigned i = 0; i < dimensions; i++) {
        const unsigned fastest = layout->is_fortran ? i : dimensions - 1 - i;
        coordinates[fastest] = index % layout->shape[fastest];
        index /= layout->shape[fastest];
    }
}

static void print_extreme(const struct cli_array *array, const char *label,
                          const struct cli_extreme *extreme)
{
    uint64_t coordinates[CLI_NPY_MOST_DIMENSIONS];
    char text[CLI_NUMBER_BYTES];
    cli_element_write(array->layout.element, extreme->bytes, text);
    find_coordinates(&array->layout, extreme->index, coordinates);
    print_label(label);
    printf("%s at [", text);
    for (unsigned d = 0; d < array->layout.dimensions; d++)
        printf("%s%" PRIu64, d > 0 ? ", " : "", coordinates[d]);
    puts("]");
}

/* ---- Sums -------------------------------------------------------------------------------------*/

/* An integer of 128 bits: its sign, and the words of its magnitude, the highest first. */
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

/* Divides by ten, and gives the rest. */
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

static void print_wide(const char *label, struct wide number)
{
    char digits[48];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do
        digits[--at] = (char)('0' + take_digit(&number));
    while ((number.words[0] | number.words[1] | number.words[2] | number.words[3]) != 0);
    print_label(label);
    printf("%s%s\n", number.is_negative ? "-" : "", digits + at);
}

static double wide_to_double(struct wide number)
{
    double value = 0;
    for (int w = 0; w < 4; w++)
        value = value * 0x1p32 + number.words[w];
    return number.is_negative ? -value : value;
}

static void print_double(const char *label, double value)
{
    char text[CLI_NUMBER_BYTES];
    cli_double_write(value, text);
    print_label(label);
    puts(text);
}

static void print_none(const char *label)
{
    print_label(label);
    puts("none");
}

/* The sum of integers is exact, and so a better mean; one that overflowed or has infinities in it
 * gives the mean that IEEE 754 has for them. */
static double find_mean(bool is_float, const describe_part *part)
{
    const double numbers = (double)part->numbers;
    if (!is_float)
        return wide_to_double(widen(part->sum_high, part->sum_low)) / numbers;
    return isfinite(part->sum) ? part->mean + part->mean_rest : part->sum / numbers;
}

static void print_moments(enum cli_element_type type, const describe_part *part)
{
    const bool is_float = cli_element_kind(type) == 'f';
    if (is_float)
        print_double("sum", part->sum);
    else
        print_wide("sum", widen(part->sum_high, part->sum_low));
    if (part->numbers > 0)
        print_double("mean", find_mean(is_float, part));
    else
        print_none("mean");
    if (part->numbers > 1)
        print_double("standard deviation", sqrt(part->squares / (double)(part->numbers - 1)));
    else
        print_none("standard deviation");
}

/* ---- The block --------------------------------------------------------------------------------*/

static void print_rate(uint64_t bytes, const struct cli_rate *rate)
{
    static const char *const speeds[] = {"kB/s", "MB/s", "GB/s", NULL};
    static const char *const times[] = {"us", "ms", "s", NULL};
    const double reached = (double)bytes / rate->seconds, share = reached / rate->bandwidth;
    print_label("rate");
    print_scaled(reached / 1e3, 1000, speeds);
    printf(" (");
    print_bytes(bytes);
    printf(" in ");
    print_scaled(rate->seconds * 1e6, 1000, times);
    printf(share < 0.1 ? "), %.2g of\n" : "), %.2f of\n", share);
    print_label("");
    printf("this machine's read bandwidth, ");
    print_scaled(rate->bandwidth / 1e3, 1000, speeds);
    putchar('\n');
}

void cli_report(const struct cli_array *array, const struct cli_summary *summary,
                const struct cli_rate *rate)
{
    const describe_part *part = &summary->part;
    print_array(array);
    print_count("count", array->layout.count);
    print_count("NaN", part->nans);
    print_count("infinite", part->infinities);
    if (part->numbers > 0) {
        print_extreme(array, "minimum", &summary->minimum);
        print_extreme(array, "maximum", &summary->maximum);
    } else {
        print_none("minimum");
        print_none("maximum");
    }
    print_moments(array->layout.element.type, part);
    if (rate != NULL)
        print_rate(cli_array_bytes(array), rate);
}
