/* SPDX-License-Identifier: Apache-2.0
 *
 * The naive reader: csv_reference.h.
 */
#include "tests/tool/csv_reference.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- What a cell says -------------------------------------------------------------------------*/

static bool is_in(const char *word, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strcmp(word, *words) == 0)
            return true;
    return false;
}

/* A number's text with a point: gives false where it is none. */
static bool is_number(const char *word, char decimal, char *copy, bool *is_whole)
{
    size_t digits = 0, exponent_digits = 0;
    *is_whole = true;
    strcpy(copy, word);
    if (*word == '+' || *word == '-')
        word++, copy++;
    for (; isdigit((unsigned char)*word); word++, copy++)
        digits++;
    if (*word == decimal) {
        *is_whole = false;
        *copy++ = '.';
        for (word++; isdigit((unsigned char)*word); word++, copy++)
            digits++;
    }
    if (digits == 0)
        return false;
    if (*word == '\0')
        return true;
    *is_whole = false;
    if (*word != 'e' && *word != 'E')
        return false;
    word++;
    if (*word == '+' || *word == '-')
        word++;
    for (; isdigit((unsigned char)*word); word++)
        exponent_digits++;
    return exponent_digits > 0 && *word == '\0';
}

static bool is_real_word(const char *word, double *value)
{
    char lower[16] = "";
    const bool is_negative = *word == '-';
    word += *word == '-' || *word == '+';
    for (size_t i = 0; word[i] != '\0' && i < sizeof lower - 1; i++)
        lower[i] = (char)tolower((unsigned char)word[i]);
    *value = is_negative ? -INFINITY : INFINITY;
    if (strcmp(lower, "inf") == 0 || strcmp(lower, "infinity") == 0 || strcmp(lower, "1.#inf") == 0)
        return true;
    *value = NAN;
    return strcmp(lower, "nan") == 0 || strcmp(lower, "1.#ind") == 0 ||
           strcmp(lower, "1.#qnan") == 0;
}

/* The type of a number that is whole; its value has the bits of its type. */
static enum cli_csv_type read_integer(const char *digits, uint64_t *integer)
{
    errno = 0;
    const long long with_sign = strtoll(digits, NULL, 10);
    memcpy(integer, &with_sign, sizeof *integer);
    if (errno == 0)
        return with_sign < 0 ? CLI_CSV_SIGNED : CLI_CSV_INTEGER;
    errno = 0;
    *integer = strtoull(digits, NULL, 10);
    return errno == 0 && *digits != '-' ? CLI_CSV_UNSIGNED : CLI_CSV_WIDE;
}

static struct reference_cell read_word(const char *word, char decimal)
{
    static const char *const missing[] = {"",     "NA",  "N/A",      "n/a",  "null", "NULL",
                                          "None", "#NA", "#N/A N/A", "#N/A", "<NA>", NULL};
    static const char *const yes[] = {"true", "True", "TRUE", NULL};
    static const char *const no[] = {"false", "False", "FALSE", NULL};
    struct reference_cell cell = {.type = CLI_CSV_TEXT};
    char *copy = malloc(strlen(word) + 1);
    bool is_whole;
    if (is_in(word, missing)) {
        cell.type = CLI_CSV_MISSING;
    } else if (is_in(word, yes) || is_in(word, no)) {
        cell.type = CLI_CSV_BOOLEAN;
        cell.integer = is_in(word, yes);
    } else if (is_number(word, decimal, copy, &is_whole)) {
        cell.real = strtod(copy, NULL);
        cell.type = is_whole ? read_integer(copy, &cell.integer) : CLI_CSV_REAL;
    } else if (is_real_word(word, &cell.real)) {
        cell.type = CLI_CSV_REAL;
    }
    free(copy);
    return cell;
}

/* ---- Rows and cells ---------------------------------------------------------------------------*/

struct text {
    const struct cli_csv *csv;
    const char *text;
    size_t at, bytes;
    char *word; /* the cell */
    size_t length;
    bool is_quoted;
};

/* As if there were a newline at the end. */
static char look(const struct text *text)
{
    return text->at < text->bytes ? text->text[text->at] : '\n';
}

static bool is_blank(const struct text *text)
{
    const char byte = look(text);
    return byte == ' ' || byte == '\r' || (byte == '\t' && text->csv->separator != '\t');
}

static bool is_end(const struct text *text)
{
    return look(text) == '\n' ||
           (text->csv->separator == ' ' ? is_blank(text) : look(text) == text->csv->separator);
}

static bool is_mark(const struct text *text)
{
    const size_t length = strlen(text->csv->comment);
    return length > 0 && text->at + length <= text->bytes &&
           memcmp(text->text + text->at, text->csv->comment, length) == 0;
}

/* Whether the whole cell that begins here is a missing value with a mark. */
static bool is_missing(const struct text *text)
{
    static const char *const words[] = {"#N/A N/A", "#N/A", "#NA"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        const size_t length = strlen(words[w]);
        struct text behind = *text;
        if (text->at + length > text->bytes || memcmp(text->text + text->at, words[w], length) != 0)
            continue;
        behind.at += length;
        if (is_end(&behind))
            return true;
        while (is_blank(&behind))
            behind.at++;
        if (is_end(&behind))
            return true;
    }
    return false;
}

/* A comment that is not at the beginning of a line follows a blank. */
static bool is_comment(const struct text *text, bool begins_cell)
{
    struct text before = *text;
    before.at--;
    return text->at > 0 && is_mark(text) && is_blank(&before) && !(begins_cell && is_missing(text));
}

static void skip_comment(struct text *text)
{
    while (look(text) != '\n')
        text->at++;
}

static void trim(struct text *text)
{
    size_t first = 0;
    const char *blanks = text->csv->separator == '\t' ? " \r\n\t" : " \r\n\t";
    while (text->length > 0 && strchr(blanks, text->word[text->length - 1]) != NULL)
        text->length--;
    while (first < text->length && strchr(blanks, text->word[first]) != NULL)
        first++;
    memmove(text->word, text->word + first, text->length - first);
    text->word[text->length - first] = '\0';
}

/* Gives false where something is wrong. */
static bool take_cell(struct text *text)
{
    const char quote = text->csv->quote;
    text->length = 0;
    text->is_quoted = false;
    while (is_blank(text))
        text->at++;
    if (quote != '\0' && look(text) == quote) {
        text->is_quoted = true;
        for (text->at++;; text->at++) {
            if (text->at >= text->bytes)
                return false;
            if (look(text) == quote) {
                text->at++;
                if (text->at >= text->bytes || look(text) != quote)
                    break;
            }
            text->word[text->length++] = look(text);
        }
        if (!is_end(text) && !is_blank(text))
            return false;
    } else {
        const size_t begin = text->at;
        while (!is_end(text) && !is_comment(text, text->at == begin))
            text->word[text->length++] = text->text[text->at++];
    }
    while (is_blank(text))
        text->at++;
    if (is_comment(text, text->csv->separator == ' '))
        skip_comment(text);
    trim(text);
    return text->csv->separator == ' ' || is_end(text);
}

/* Takes a row that is not blank. */
static bool take_row(struct text *text, struct reference *reference)
{
    reference->cells = realloc(reference->cells, (reference->rows + 1) * reference->columns *
                                                     sizeof *reference->cells);
    for (size_t c = 0;; c++) {
        if (c == reference->columns || !take_cell(text))
            return false;
        /* No text has the byte 1. */
        const bool has_decimals = text->is_quoted || text->csv->decimal != text->csv->separator;
        reference->cells[reference->rows * reference->columns + c] =
            read_word(text->word, has_decimals ? text->csv->decimal : '\1');
        if (look(text) == '\n')
            return c + 1 == reference->columns;
        text->at += text->csv->separator != ' ';
    }
}

void reference_read(const struct cli_csv *csv, const char *text, size_t bytes,
                    struct reference *reference)
{
    struct text state = {csv, text, 0, bytes, malloc(bytes + 1), 0, false};
    *reference = (struct reference){.columns = csv->columns};
    reference->ends = malloc((bytes + 1) * sizeof *reference->ends);
    reference->is_right = bytes == 0 || memchr(text, '\0', bytes) == NULL;
    while (reference->is_right && state.at < bytes) {
        const size_t begin = state.at;
        while (is_blank(&state))
            state.at++;
        if (is_mark(&state) && !is_missing(&state)) {
            skip_comment(&state);
            reference->comment_lines++;
        } else if (look(&state) != '\n') {
            state.at = begin;
            if (csv->separator == ' ')
                while (is_blank(&state))
                    state.at++;
            reference->is_right = take_row(&state, reference);
            reference->rows += reference->is_right;
        }
        state.at++;
        if (state.at <= bytes)
            reference->ends[reference->end_count++] = state.at;
    }
    free(state.word);
}

void reference_release(struct reference *reference)
{
    free(reference->cells);
    free(reference->ends);
}
