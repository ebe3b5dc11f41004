/* SPDX-License-Identifier: Apache-2.0
 *
 * Decimal numbers in a table: what cli_csv_parse calls for every cell. Up to 19 digits are read
 * here, inline; csv_number.c has what comes then.
 *
 * Not strtod for every cell, nor Debian's libcsv: seconds of one processor for 10^6 rows of 10
 * numbers with 17 digits, with 6 digits, and integers (gcc 12, -O3; medians of interleaved runs):
 *
 *     this parser                                          0.44   0.28   0.20
 *     this parser, strtod for every cell                   1.80   1.15   0.77
 *     libcsv 3.0.3, strtod for every cell                  2.63   1.59   0.78
 *     pandas 1.5.3, read_csv(...).describe() on one core   2.97   1.81   1.69
 *
 * With two threads the others would not be five times as fast as pandas. strtod still decides the
 * few numbers that cli_csv_scale is not sure of.
 */
#ifndef CLI_CSV_NUMBER_H
#define CLI_CSV_NUMBER_H

#include "tools/read/csv.h"

#include <string.h>

/* Up to this many digits fit in 64 bits. */
enum { CLI_CSV_FEW_DIGITS = 19 };

struct cli_number {
    enum cli_csv_type type; /* from CLI_CSV_INTEGER to CLI_CSV_REAL */
    uint64_t integer;       /* if it is an integer of 64 bits; negative ones as int64_t */
    double real;            /* otherwise */
};

/* Must be called before any number is read. Any thread, any number of times. */
void cli_csv_prepare_numbers(void);

/* The double nearest to digits * 10^exponent; negative if the whole text is needed. */
double cli_csv_scale(uint64_t digits, int64_t exponent);

/* Reads a number of any length, as cli_csv_read_number does. */
char *cli_csv_read_any_number(char *text, char decimal, struct cli_number *number);

/* ---- Eight bytes at a time --------------------------------------------------------------------*/

/* The first byte becomes the least significant one. */
static inline uint64_t cli_csv_load(const char *text)
{
    uint64_t word;
    memcpy(&word, text, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* The number of leading bytes that are digits. After the exclusive or with '0', a digit is less
 * than 10; adding 0x76 then sets the highest bit of all other bytes. A carry out of a byte occurs
 * only above a byte that is not a digit. */
static inline unsigned cli_csv_count_digits(uint64_t word)
{
    const uint64_t digits = word ^ 0x3030303030303030u;
    const uint64_t others = (digits | (digits + 0x7676767676767676u)) & 0x8080808080808080u;
    return others == 0 ? 8 : (unsigned)__builtin_ctzll(others) / 8;
}

/* The value of the first `count` bytes, all digits. They are moved after zeros; then pairs of
 * digits, and pairs of these, are combined. */
static inline uint64_t cli_csv_value(uint64_t word, unsigned count)
{
    word = (word ^ 0x3030303030303030u) << (4 * (8 - count)) << (4 * (8 - count));
    word = word * 10 + (word >> 8);
    word = (word & 0x00ff00ff00ff00ffu) * 100 + ((word & 0x00ff00ff00ff00ffu) >> 16);
    word = (word & 0x0000ffff0000ffffu) * 10000 + ((word & 0x0000ffff0000ffffu) >> 32);
    return word & 0xffffffffu;
}

/* Reads digits, and returns the position after them. A single digit before the decimal point is
 * frequent, so a branch tests for it, which processors predict. */
static inline char *cli_csv_take_digits(char *text, char decimal, uint64_t *digits)
{
    static const uint32_t powers[] = {1,      10,      100,      1000,     10000,
                                      100000, 1000000, 10000000, 100000000};
    unsigned count;
    if (text[1] == decimal && text[0] >= '0' && text[0] <= '9') {
        *digits = *digits * 10 + (uint64_t)(text[0] - '0');
        return text + 1;
    }
    do {
        const uint64_t word = cli_csv_load(text);
        count = cli_csv_count_digits(word);
        *digits = *digits * powers[count] + cli_csv_value(word, count);
        text += count;
    } while (count == 8);
    return text;
}

/* ---- Numbers ----------------------------------------------------------------------------------*/

/* Reads an optional exponent: an 'e', perhaps a sign, digits. NULL: digits are missing. */
static inline char *cli_csv_take_exponent(char *text, int64_t *exponent)
{
    const int64_t most = 1 << 30;
    *exponent = 0;
    if ((*text | 0x20) != 'e')
        return text;
    const bool is_negative = *++text == '-';
    text += *text == '-' || *text == '+';
    char *begin = text;
    for (; *text >= '0' && *text <= '9'; text++)
        if (*exponent < most)
            *exponent = *exponent * 10 + (*text - '0');
    if (is_negative)
        *exponent = -*exponent;
    return text > begin ? text : NULL;
}

/* -value if is_negative, without a branch: signs are hard to predict. */
static inline double cli_csv_negate(double value, bool is_negative)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits ^= (uint64_t)is_negative << 63;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Reads the numbers that cli_csv_read_number does not. */
static inline char *cli_csv_read_rest(char *text, char decimal, struct cli_number *number)
{
    struct cli_number other = {.integer = 0}; /* so *number may stay in registers */
    char *end = cli_csv_read_any_number(text, decimal, &other);
    if (end != NULL)
        *number = other;
    return end;
}

/* Reads a number at the beginning of a text that does not end in a digit or within the next eight
 * bytes. Returns where it ends, or NULL if the text does not begin with a number. */
static inline char *cli_csv_read_number(char *text, char decimal, struct cli_number *number)
{
    const bool is_negative = *text == '-';
    uint64_t digits = 0;
    int64_t exponent = 0;
    char *begin = text + (is_negative | (*text == '+'));
    char *at = cli_csv_take_digits(begin, decimal, &digits);
    ptrdiff_t count = at - begin, decimals = 0;
    if (*at == decimal) {
        begin = at + 1;
        at = cli_csv_take_digits(begin, '\0', &digits);
        decimals = at - begin;
        count += decimals;
    } else if ((*at | 0x20) != 'e') {
        if (count >= CLI_CSV_FEW_DIGITS)
            return cli_csv_read_rest(text, decimal, number);
        number->integer = (digits ^ (0 - (uint64_t)is_negative)) + is_negative;
        number->type = number->integer >> 63 != 0 ? CLI_CSV_SIGNED : CLI_CSV_INTEGER;
        return count > 0 ? at : NULL;
    }
    if (count == 0 || (at = cli_csv_take_exponent(at, &exponent)) == NULL)
        return NULL;
    const double value =
        count > CLI_CSV_FEW_DIGITS ? -1 : cli_csv_scale(digits, exponent - decimals);
    if (value < 0)
        return cli_csv_read_rest(text, decimal, number);
    number->type = CLI_CSV_REAL;
    number->real = cli_csv_negate(value, is_negative);
    return at;
}

#endif
