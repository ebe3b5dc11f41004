/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the end of the last whole row of a text. Without quotes that is the last newline. With
 * quotes the text is read from its beginning, from quote to quote, since the text before a quote
 * determines whether it opens a cell.
 */
#include "tools/read/csv_cell.h"

/* The position after the last newline from `from` on, or `from`. */
static const char *find_last_end(const char *from, const char *end)
{
    while (end > from && end[-1] != '\n')
        end--;
    return end;
}

/* Whether a cell begins at a position, after blanks. The text from `from` on begins with a cell. */
static bool begins_cell(const struct cli_csv *csv, const char *from, const char *at)
{
    const char *before = at;
    while (before > from && cli_csv_is_blank(csv, before[-1]))
        before--;
    return before == from || before[-1] == '\n' || before[-1] == csv->separator ||
           (csv->separator == ' ' && before < at);
}

/* Whether a position is in a comment. The text from `from` on begins with a cell, or after a quoted
 * one, and has no quoted cells. */
static bool is_in_comment(const struct cli_csv *csv, const char *from, const char *at,
                          bool is_after_quote)
{
    if (csv->comment[0] == '\0')
        return false;
    const char *line = find_last_end(from, at);
    for (const char *mark = line; mark < at; mark++) {
        if (!cli_csv_is_mark(csv, mark) || (mark > line && !cli_csv_is_blank(csv, mark[-1])))
            continue;
        const char *before = mark;
        while (before > from && cli_csv_is_blank(csv, before[-1]))
            before--;
        const bool is_behind = is_after_quote && before == from && csv->separator != ' ';
        if (is_behind || !begins_cell(csv, from, mark) || !cli_csv_is_missing_mark(csv, mark))
            return true;
    }
    return false;
}

size_t cli_csv_split(const struct cli_csv *csv, const char *text, size_t bytes)
{
    const char *end = text + bytes, *at = text, *quote = NULL;
    const char *row = text; /* the begin of the last row that was found */
    const char *from = text;
    bool is_after_quote = false; /* what `from` is */
    while (csv->quote != '\0' && at < end &&
           (quote = memchr(at, csv->quote, (size_t)(end - at))) != NULL) {
        const char *newline = find_last_end(from, quote);
        at = quote + 1;
        if (is_in_comment(csv, from, quote, is_after_quote)) {
            at = memchr(at, '\n', (size_t)(end - at));
            if (at == NULL)
                return (size_t)((newline > from ? newline : row) - text);
            row = from = ++at;
            is_after_quote = false;
            continue;
        }
        if (!begins_cell(csv, from, quote))
            continue;
        row = newline > from ? newline : row;
        at = cli_csv_find_quote(csv->quote, at, end);
        if (at == NULL || at + 1 == end)
            return (size_t)(row - text);
        from = ++at;
        is_after_quote = true;
    }
    const char *newline = find_last_end(from, end);
    row = newline > from ? newline : row;
    return (size_t)(row - text);
}
