/* SPDX-License-Identifier: Apache-2.0
 *
 * Speeds in the names of combined devices: digits, perhaps with a point, perhaps with an exponent
 * without a plus, which separates devices: 20, 0.75, 2e-3. They do not depend on the locale, as
 * strtod and printf do, which have its point.
 */
#include "src/combined/combined.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIGITS = 40 };

static bool is_digit(char character)
{
    return character >= '0' && character <= '9';
}

/* Appends the digits at *text to the others, of which there are *count, and moves *text past them.
 * False: there are too many. */
static bool take_digits(const char **text, char *digits, size_t *count)
{
    for (; is_digit(**text); ++*text) {
        if (*count == MOST_DIGITS)
            return false;
        digits[(*count)++] = **text;
    }
    return true;
}

bool reap__speed_read(const char *text, double *speed)
{
    char number[MOST_DIGITS + 16];
    size_t count = 0;
    long exponent = 0;
    if (!take_digits(&text, number, &count))
        return false;
    if (*text == '.') {
        const size_t whole = count;
        text++;
        if (!take_digits(&text, number, &count))
            return false;
        exponent = (long)whole - (long)count;
    }
    if (*text == 'e') {
        const size_t digits = strspn(text + 1 + (text[1] == '-'), "0123456789");
        if (digits == 0 || digits > 4)
            return false;
        char *end;
        exponent += strtol(text + 1, &end, 10);
        text = end;
    }
    if (count == 0 || *text != '\0')
        return false;
    snprintf(number + count, sizeof number - count, "e%ld", exponent);
    *speed = strtod(number, NULL);
    return true;
}

/* Writes digits, of which `before` are before the point; fewer than 1: zeros precede them. Returns
 * the length. */
static size_t write_plain(const char *digits, size_t count, long before, char *text)
{
    size_t length = 0;
    for (long at = before < 1 ? before - 1 : 0; at < (long)count || at < before; at++) {
        const bool is_given = at >= 0 && at < (long)count;
        if (length > 0 && at == before)
            text[length++] = '.';
        text[length++] = is_given ? digits[at] : '0';
    }
    text[length] = '\0';
    return length;
}

void reap__speed_write(double speed, char text[REAP__SPEED_BYTES])
{
    double read;
    for (int precision = 0; precision < 17; precision++) {
        char written[REAP__SPEED_BYTES], digits[MOST_DIGITS];
        const char *at = written;
        size_t count = 0;
        snprintf(written, sizeof written, "%.*e", precision, speed);
        for (; *at != 'e'; at++) /* the locale's point may be several characters */
            if (is_digit(*at))
                digits[count++] = *at;
        const long exponent = strtol(at + 1, NULL, 10);
        const bool is_plain = exponent >= -5 && exponent < 15;
        const size_t length = write_plain(digits, count, is_plain ? exponent + 1 : 1, text);
        if (!is_plain)
            snprintf(text + length, REAP__SPEED_BYTES - length, "e%ld", exponent);
        if (reap__speed_read(text, &read) && read == speed)
            return;
    }
}
