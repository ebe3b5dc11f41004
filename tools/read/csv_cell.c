/* SPDX-License-Identifier: Apache-2.0
 *
 * Cells. Their ends are searched eight bytes at a time, a quote's with memchr. The value of a cell
 * is tried as a number, then as a word. (Most numbers are read by csv_parse.c.)
 */
#include "tools/read/csv_cell.h"

#include <math.h>
#include <strings.h>

/* ---- Where a cell ends ------------------------------------------------------------------------*/

/* Sets the highest bit of each zero byte; above the first one, perhaps of other bytes, too. */
static uint64_t mark_zeros(uint64_t word)
{
    return (word - 0x0101010101010101u) & ~word & 0x8080808080808080u;
}

/* Finds the next separator or newline, which exists. */
static char *find_separator(char *at, char separator)
{
    const uint64_t separators = (unsigned char)separator * 0x0101010101010101u;
    const uint64_t newlines = '\n' * 0x0101010101010101u;
    for (;;) {
        const uint64_t word = cli_csv_load(at);
        const uint64_t marks = mark_zeros(word ^ separators) | mark_zeros(word ^ newlines);
        if (marks != 0)
            return at + __builtin_ctzll(marks) / 8;
        at += 8;
    }
}

static char *find_blank(const struct cli_csv *csv, char *at)
{
    while (*at != '\n' && !cli_csv_is_blank(csv, *at))
        at++;
    return at;
}

const char *cli_csv_find_quote(char quote, const char *at, const char *end)
{
    while ((at = memchr(at, quote, (size_t)(end - at))) != NULL && at + 1 < end && at[1] == quote)
        at += 2;
    return at;
}

static char *take_quoted(const struct cli_csv *csv, char *at, char *end, struct cli_csv_cell *cell)
{
    cell->begin = at + 1;
    const char *quote = cli_csv_find_quote(csv->quote, cell->begin, end);
    cell->is_open = quote == NULL;
    if (cell->is_open) {
        cell->failure = "the quote is not closed";
        return NULL;
    }
    cell->end = at + (quote - at);
    char *behind = cell->end + 1;
    at = cli_csv_skip_blanks(csv, behind);
    if (at > behind)
        at = cli_csv_skip_rest(csv, at);
    if (*at == '\n' || (csv->separator == ' ' ? at > behind : *at == csv->separator))
        return at;
    cell->failure = "something follows the closing quote";
    return NULL;
}

/* Whether a cell ends here, after blanks; the separator is '\0' if it is not known. */
static bool is_end_of_cell(const char *at, char separator)
{
    const char known[] = {separator, '\n', '\0'};
    const char *ends = separator == '\0' ? ",;|:\t\n" : separator == ' ' ? " \r\t\n" : known;
    while (strchr(ends, *at) == NULL && (*at == ' ' || *at == '\r' || *at == '\t'))
        at++;
    return strchr(ends, *at) != NULL; /* so it is for the end of the text */
}

static bool is_missing_mark(const char *at, char separator)
{
    static const char *const words[] = {"#N/A N/A", "#N/A", "#NA"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        const size_t length = strlen(words[w]);
        if (strncmp(at, words[w], length) == 0 && is_end_of_cell(at + length, separator))
            return true;
    }
    return false;
}

bool cli_csv_is_missing_mark(const struct cli_csv *csv, const char *at)
{
    return is_missing_mark(at, csv->separator);
}

const char *cli_csv_find_mark(const char *line)
{
    static const char *const marks[] = {"#", "%", "//"};
    line += strspn(line, " \t");
    if (is_missing_mark(line, '\0'))
        return NULL;
    for (size_t m = 0; m < sizeof marks / sizeof *marks; m++)
        if (strncmp(line, marks[m], strlen(marks[m])) == 0)
            return marks[m];
    return NULL;
}

/* Returns where a comment begins in a cell, its mark after a blank, or the cell's end. (A cell at
 * the beginning of the text has no mark, unless it is missing.) */
static char *find_comment(const struct cli_csv *csv, const struct cli_csv_cell *cell)
{
    char *at = cell->begin;
    if (csv->comment[0] == '\0')
        return cell->end;
    if (cli_csv_is_mark(csv, at) && cli_csv_is_missing_mark(csv, at))
        at++;
    while ((at = memchr(at, csv->comment[0], (size_t)(cell->end - at))) != NULL &&
           !(cli_csv_is_mark(csv, at) && cli_csv_is_blank(csv, at[-1])))
        at++;
    return at != NULL ? at : cell->end;
}

char *cli_csv_take_cell(const struct cli_csv *csv, char *at, char *end, struct cli_csv_cell *cell)
{
    at = cli_csv_skip_blanks(csv, at);
    cell->is_quoted = csv->quote != '\0' && *at == csv->quote;
    if (cell->is_quoted)
        return take_quoted(csv, at, end, cell);
    cell->begin = at;
    if (csv->separator == ' ') {
        cell->end = find_blank(csv, at);
        return cli_csv_skip_rest(csv, cell->end);
    }
    at = cell->end = find_separator(at, csv->separator);
    cell->end = find_comment(csv, cell);
    if (cell->end < at)
        at = cli_csv_skip_rest(csv, cell->end);
    while (cell->end > cell->begin && cli_csv_is_blank(csv, cell->end[-1]))
        cell->end--;
    return at;
}

char *cli_csv_find_row(const struct cli_csv *csv, char *at, const char *end, size_t *comment_lines)
{
    while (at < end) {
        char *cell = cli_csv_skip_blanks(csv, at);
        const bool is_comment = cli_csv_is_comment(csv, cell);
        if (*cell != '\n' && !is_comment)
            return csv->separator == ' ' ? cell : at;
        *comment_lines += is_comment;
        while (*cell != '\n')
            cell++;
        at = cell + 1;
    }
    return at;
}

/* ---- The value of a cell ----------------------------------------------------------------------*/

/* pandas' words for a missing value, except those for a NaN. */
static const char *const missing_words[] = {"NA",   "N/A",  "n/a",  "#N/A", "#NA", "#N/A N/A",
                                            "<NA>", "null", "NULL", "None", NULL};
static const char *const true_words[] = {"true", "True", "TRUE", NULL};
static const char *const false_words[] = {"false", "False", "FALSE", NULL};

/* Compared without case. */
static const struct {
    const char *word;
    double value;
} real_words[] = {
    {"nan", NAN},      {"1.#qnan", NAN},       {"1.#ind", NAN},
    {"inf", INFINITY}, {"infinity", INFINITY}, {"1.#inf", INFINITY},
};

enum { LONGEST_WORD = 9 };

static bool is_among(const char *text, const char *const words[])
{
    for (; *words != NULL; words++)
        if (strcmp(text, *words) == 0)
            return true;
    return false;
}

static bool find_real(const char *word, double *value)
{
    const bool is_negative = *word == '-';
    word += *word == '-' || *word == '+';
    for (size_t w = 0; w < sizeof real_words / sizeof *real_words; w++)
        if (strcasecmp(word, real_words[w].word) == 0) {
            *value = is_negative ? -real_words[w].value : real_words[w].value;
            return true;
        }
    return false;
}

static enum cli_csv_type read_word(const char *text, size_t bytes, struct cli_number *number)
{
    char word[LONGEST_WORD + 1] = "";
    if (bytes > LONGEST_WORD || strchr("Nn#<TtFfIi1+-", *text) == NULL) /* how words begin */
        return CLI_CSV_TEXT;
    memcpy(word, text, bytes);
    if (is_among(word, missing_words))
        return CLI_CSV_MISSING;
    const bool is_true = is_among(word, true_words);
    if (is_true || is_among(word, false_words)) {
        number->type = CLI_CSV_INTEGER;
        number->integer = is_true;
        return CLI_CSV_BOOLEAN;
    }
    number->type = CLI_CSV_REAL;
    return find_real(word, &number->real) ? CLI_CSV_REAL : CLI_CSV_TEXT;
}

enum cli_csv_type cli_csv_read_cell(const struct cli_csv *csv, const struct cli_csv_cell *cell,
                                    struct cli_number *number)
{
    char *begin = cell->begin, *end = cell->end;
    while (begin < end && (*begin == '\n' || *begin == '\t' || cli_csv_is_blank(csv, *begin)))
        begin++;
    while (begin < end && (end[-1] == '\n' || end[-1] == '\t' || cli_csv_is_blank(csv, end[-1])))
        end--;
    if (begin == end)
        return CLI_CSV_MISSING;
    const char *after = cli_csv_read_number(begin, cli_csv_decimal(csv, cell->is_quoted), number);
    if (after != NULL && after == end)
        return number->type;
    return read_word(begin, (size_t)(end - begin), number);
}

/* ---- The other decimal mark -------------------------------------------------------------------*/

/* Up to three digits, groups of three after commas, perhaps decimals. */
bool cli_csv_is_thousands(const struct cli_csv_cell *cell)
{
    static const char digits[] = "0123456789";
    const char *at = cell->begin + (*cell->begin == '-' || *cell->begin == '+');
    size_t groups = 0, count = strspn(at, digits);
    if (count == 0 || count > 3)
        return false;
    for (at += count; *at == ',' && strspn(at + 1, digits) == 3; at += 4)
        groups++;
    const bool has_point = *at == '.';
    at += has_point ? 1 + strspn(at + 1, digits) : 0;
    return at == cell->end && groups + has_point > 1 && groups > 0;
}

bool cli_csv_has_other_decimal(const struct cli_csv *csv, const struct cli_csv_cell *cell)
{
    struct cli_csv other = *csv;
    struct cli_number number;
    other.decimal = csv->decimal == ',' ? '.' : ',';
    return cli_csv_read_cell(&other, cell, &number) != CLI_CSV_TEXT ||
           (csv->decimal == ',' && cli_csv_is_thousands(cell));
}

const char *cli_csv_decimal_hint(const struct cli_csv *csv, const struct cli_csv_odd *odd)
{
    if (csv->is_decimal_given || odd->count == 0 || odd->other_decimal_count < odd->count)
        return "";
    return csv->decimal == ',' ? " (decimal points? --decimal .)"
                               : " (decimal commas? --decimal ,)";
}
