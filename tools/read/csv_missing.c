/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of missing values.
 */
#include "tools/read/csv_missing.h"

#include <stdlib.h>

/* ---- The list ---------------------------------------------------------------------------------*/

/* Determines whether the value is a number, in a copy that a newline and padding follow. */
static bool read_value(struct cli_csv_missing *missing)
{
    char *copy = calloc(missing->length + 1 + CLI_CSV_PADDING, 1);
    if (copy == NULL)
        return false;
    memcpy(copy, missing->text, missing->length);
    copy[missing->length] = '\n';
    const struct cli_csv point = {.separator = ',', .decimal = '.'};
    const struct cli_csv_cell cell = {.begin = copy, .end = copy + missing->length};
    const enum cli_csv_type type = cli_csv_read_cell(&point, &cell, &missing->number);
    missing->is_number = type != CLI_CSV_MISSING && type != CLI_CSV_BOOLEAN && type != CLI_CSV_TEXT;
    free(copy);
    return true;
}

bool cli_csv_missing_read(struct cli_csv *csv, const char *list)
{
    size_t count = 1;
    for (const char *comma = list; (comma = strchr(comma, ',')) != NULL; comma++)
        count++;
    csv->missing_count = 0;
    csv->missing = calloc(count, sizeof *csv->missing);
    if (csv->missing == NULL)
        return false;
    for (const char *text = list; csv->missing_count < count; csv->missing_count++) {
        struct cli_csv_missing *missing = &csv->missing[csv->missing_count];
        const char *end = text + strcspn(text, ","), *comma = end;
        text += strspn(text, " ");
        while (end > text && end[-1] == ' ')
            end--;
        *missing = (struct cli_csv_missing){
            .column = SIZE_MAX, .text = text, .length = (size_t)(end - text)};
        if (!read_value(missing))
            return false;
        text = comma + 1;
    }
    return true;
}

bool cli_csv_is_numbered(const char *word, size_t length)
{
    size_t at = 1;
    while (at < length && word[at] >= '0' && word[at] <= '9')
        at++;
    return length > 1 && *word == '@' && at == length;
}

size_t cli_csv_find_numbered(const struct cli_csv *csv, const char *digits, size_t length)
{
    size_t number = 0, at = 0;
    if (length == 0 || digits[0] == '0')
        return SIZE_MAX;
    for (; at < length && digits[at] >= '0' && digits[at] <= '9' && number <= csv->columns; at++)
        number = number * 10 + (size_t)(digits[at] - '0');
    return at == length && number <= csv->columns ? number - 1 : SIZE_MAX;
}

/* The column whose number after an @, or else name, is before an equals sign, or SIZE_MAX. */
static size_t find_column(const struct cli_csv *csv, const char *name, size_t length)
{
    if (cli_csv_is_numbered(name, length))
        return cli_csv_find_numbered(csv, name + 1, length - 1);
    for (size_t c = 0; c < csv->columns; c++)
        if (strlen(csv->names[c]) == length && memcmp(csv->names[c], name, length) == 0)
            return c;
    return SIZE_MAX;
}

bool cli_csv_missing_find_columns(struct cli_csv *csv)
{
    bool has_found = false;
    for (size_t m = 0; m < csv->missing_count; m++) {
        struct cli_csv_missing *missing = &csv->missing[m];
        const char *sign = memchr(missing->text, '=', missing->length);
        if (sign == NULL || missing->column != SIZE_MAX)
            continue;
        missing->column = find_column(csv, missing->text, (size_t)(sign - missing->text));
        if (missing->column == SIZE_MAX)
            continue;
        has_found = true;
        missing->length -= (size_t)(sign + 1 - missing->text);
        missing->text = sign + 1;
        if (!read_value(missing))
            missing->is_number = false;
    }
    return has_found;
}

/* ---- Cells ------------------------------------------------------------------------------------*/

/* Two NaNs are the same. */
static bool is_same(const struct cli_number *a, const struct cli_number *b)
{
    if (!cli_csv_is_double(a->type) && !cli_csv_is_double(b->type))
        return a->integer == b->integer &&
               (a->type == CLI_CSV_UNSIGNED) == (b->type == CLI_CSV_UNSIGNED);
    const double x = cli_csv_to_double(a), y = cli_csv_to_double(b);
    return x == y || (x != x && y != y);
}

/* Without blanks around them, as numbers are read, in quotes, too. */
static bool is_word(const struct cli_csv *csv, const struct cli_csv_cell *cell,
                    const struct cli_csv_missing *missing)
{
    const char *begin = cell->begin, *end = cell->end;
    while (begin < end && cli_csv_is_blank(csv, *begin))
        begin++;
    while (begin < end && cli_csv_is_blank(csv, end[-1]))
        end--;
    return (size_t)(end - begin) == missing->length &&
           memcmp(begin, missing->text, missing->length) == 0;
}

bool cli_csv_is_missing(const struct cli_csv *csv, size_t c, const struct cli_csv_cell *cell,
                        enum cli_csv_type type, const struct cli_number *number)
{
    const bool has_word = type == CLI_CSV_TEXT || type == CLI_CSV_BOOLEAN;
    for (size_t m = 0; m < csv->missing_count; m++) {
        const struct cli_csv_missing *missing = &csv->missing[m];
        if ((missing->column != SIZE_MAX && missing->column != c) || missing->is_number == has_word)
            continue;
        if (!has_word && type != CLI_CSV_MISSING && is_same(&missing->number, number))
            return true;
        if (has_word && is_word(csv, cell, missing))
            return true;
    }
    return false;
}
