/* SPDX-License-Identifier: Apache-2.0
 *
 * Recognises the dialect of a table from its first bytes. For each possible separator all of their
 * rows are split into cells. Of the separators with which every row has the same number of cells,
 * and more than one, the one whose cells are most often numbers and least often text is chosen.
 * Then the rows are read as blocks are, which determines the types below the first row. If a row
 * does not fit and begins with a comment mark, all is done again with that mark.
 */
#include "tools/read/csv_cell.h"
#include "tools/read/csv_missing.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    NAME_BYTES = 32,          /* enough for "column 3" with any number */
    COMMAS_FOR_A_POINT = 1000 /* decimal commas for each number with a point */
};

static const char byte_order_mark[] = "\xef\xbb\xbf";

/* The first bytes, and what is recognised in them. */
struct sample {
    char *text, *end; /* a copy that may be written to; its last byte is a newline */
    const struct cli_csv_options *options;
    struct cli_csv *csv;
    struct cli_csv_error *error;
    bool is_all;    /* the bytes are the whole text */
    bool is_enough; /* more bytes are not available */
    bool is_even;   /* the rows have the same number of cells, more than one */
};

/* Records an error; returns false, for the caller to return. */
static bool fail(const struct sample *sample, size_t line, const char *message)
{
    sample->error->line = line;
    sample->error->column = 0;
    sample->error->within = CLI_CSV_NO_END;
    snprintf(sample->error->message, sizeof sample->error->message, "%s", message);
    return false;
}

/* The same if the bytes end within a row. */
static bool fail_within_row(const struct sample *sample)
{
    fail(sample, 1, "the first rows are longer than these bytes");
    sample->error->within = CLI_CSV_END_OF_ROW;
    return false;
}

static char *find_row(const struct sample *sample, char *at)
{
    size_t comment_lines = 0;
    return cli_csv_find_row(sample->csv, at, sample->end, &comment_lines);
}

static size_t count_lines(const char *from, const char *end)
{
    size_t count = 0;
    for (; (from = memchr(from, '\n', (size_t)(end - from))) != NULL; from++)
        count++;
    return count;
}

/* ---- Separators -------------------------------------------------------------------------------*/

/* The rows, split with a separator. */
struct trial {
    size_t columns; /* of the first row */
    size_t rows;    /* that have the same number, before one that has not */
    bool is_even;   /* every row has it, and it is more than one */
    int64_t score;  /* the count of numbers minus that of texts */
    /* Cells that are numbers with a decimal point, and with a decimal comma: */
    size_t with_point, with_comma, with_group; /* of which these could be thousands: 1,234 */
    size_t with_thousands; /* cells whose commas can only be those of thousands: 1,234,567 */
    size_t with_quotes;    /* numbers in quotes that have a decimal comma */
    const char *failure;   /* of a cell */
    bool is_open;          /* the error is an open quote */
};

static bool is_number(enum cli_csv_type type)
{
    return type != CLI_CSV_MISSING && type != CLI_CSV_TEXT;
}

/* 1,234: up to three digits that do not begin with zero, a comma, three digits. */
static bool is_group(const struct cli_csv_cell *cell)
{
    const char *comma = memchr(cell->begin, ',', (size_t)(cell->end - cell->begin));
    const char *begin = cell->begin + (*cell->begin == '-' || *cell->begin == '+');
    return comma != NULL && cell->end - comma == 4 && comma - begin <= 3 && *begin != '0';
}

static bool has(const struct cli_csv_cell *cell, char byte)
{
    return memchr(cell->begin, byte, (size_t)(cell->end - cell->begin)) != NULL;
}

static void try_cell(const struct cli_csv *csv, const struct cli_csv_cell *cell,
                     struct trial *trial)
{
    struct cli_number number;
    enum cli_csv_type type;
    if (csv->decimal == '.' && has(cell, ',')) { /* text, unless the comma is decimal */
        struct cli_csv other = *csv;
        other.decimal = ',';
        type = cli_csv_read_cell(&other, cell, &number);
        trial->with_comma += is_number(type);
        trial->with_group += is_number(type) && is_group(cell);
        trial->with_thousands += cli_csv_is_thousands(cell);
    } else {
        type = cli_csv_read_cell(csv, cell, &number);
        trial->with_point += type == CLI_CSV_REAL && has(cell, '.') && !has(cell, '#'); /* 1.#INF */
        trial->with_quotes += type == CLI_CSV_REAL && cell->is_quoted && has(cell, ',');
    }
    trial->score += is_number(type) ? 1 : type == CLI_CSV_TEXT ? -1 : 0;
}

/* Returns where the next row may begin, or NULL for an error. */
static char *try_row(const struct sample *sample, char *at, struct trial *trial, size_t *cells)
{
    struct cli_csv_cell cell;
    for (*cells = 1;; ++*cells) {
        at = cli_csv_take_cell(sample->csv, at, sample->end, &cell);
        if (at == NULL) {
            trial->failure = cell.failure;
            trial->is_open = cell.is_open;
            return NULL;
        }
        try_cell(sample->csv, &cell, trial);
        if (*at == '\n')
            return find_row(sample, at + 1);
        at = cli_csv_skip_separator(sample->csv, at);
    }
}

/* The first row may be a header, so only its number of cells counts, unless it is the only row. If
 * that is less than `least`, the other rows are not read. The last row may be truncated within
 * quotes. */
static struct trial try_separator(const struct sample *sample, char separator, size_t least)
{
    struct trial trial = {0};
    struct cli_csv *csv = sample->csv;
    csv->separator = separator;
    csv->decimal = sample->options->decimal != '\0' ? sample->options->decimal : '.';
    char *at = find_row(sample, sample->text);
    for (size_t cells; at < sample->end; trial.rows++) {
        at = try_row(sample, at, &trial, &cells);
        if (at == NULL) {
            trial.is_even = trial.is_even && trial.is_open;
            return trial;
        }
        if (trial.rows == 0 && at < sample->end)
            trial = (struct trial){.columns = cells};
        if (trial.rows == 0)
            trial.columns = cells;
        trial.is_even = cells > 1 && cells == trial.columns;
        if (cells != trial.columns || cells < least)
            return trial;
    }
    return trial;
}

/* Chooses a decimal comma if numbers have commas that cannot separate thousands, and hardly any
 * number has a point. If all commas could separate thousands, it is chosen with semicolons, which
 * programs write where commas are decimal. */
static void choose_decimal(const struct sample *sample, const struct trial *trial)
{
    struct cli_csv *csv = sample->csv;
    csv->is_unsure_of_decimal = false;
    if (sample->options->decimal != '\0')
        return;
    const size_t with_decimals = trial->with_comma - trial->with_group;
    const bool may_be_comma =
        trial->with_comma > 0 && trial->with_point <= trial->with_comma / COMMAS_FOR_A_POINT;
    const bool is_sure = with_decimals > 0 || trial->with_thousands > 0;
    csv->is_unsure_of_decimal = may_be_comma && !is_sure;
    const bool is_comma = is_sure ? with_decimals > trial->with_thousands : csv->separator == ';';
    csv->decimal = may_be_comma && is_comma ? ',' : '.';
}

/* Whether a separator is better than the best one before it. If none fits all rows, the one that
 * fits most rows from the first on is the best, so that the row that differs is reported. Texts
 * have blanks, too: these must then fit several rows, most of whose cells are numbers. */
static bool is_better(const struct trial *trial, const struct trial *best, char separator)
{
    if (trial->is_even || best->is_even)
        return trial->is_even && (!best->is_even || trial->score >= best->score);
    if (trial->columns < 2 || (separator == ' ' && (trial->rows < 2 || trial->score <= 0)))
        return false;
    return trial->rows > best->rows || (trial->rows == best->rows && trial->score > best->score);
}

/* The decimal mark of the options is a separator only if quoted cells have decimals. Of two that
 * fit equally, the later one in the list is chosen, since texts contain it less often. */
static bool choose_separator(struct sample *sample)
{
    static const char separators[] = {' ', ',', ';', '|', '\t'};
    const struct cli_csv_options *options = sample->options;
    struct trial best = {.columns = 1};
    char separator = '\0';
    for (size_t s = 0; s < sizeof separators && options->separator == '\0'; s++) {
        const struct trial trial = try_separator(sample, separators[s], 2);
        if (separators[s] == options->decimal && trial.with_quotes == 0)
            continue;
        if (is_better(&trial, &best, separators[s])) {
            best = trial;
            separator = separators[s];
        }
    }
    if (separator == '\0') {
        separator = options->decimal == ',' ? ';' : ',';
        separator = options->separator != '\0' ? options->separator : separator;
        best = try_separator(sample, separator, 0);
    }
    sample->csv->separator = separator;
    choose_decimal(sample, &best);
    sample->csv->columns = best.columns;
    sample->is_even = best.is_even;
    if (best.columns == 0) {
        fail(sample, 1, best.failure);
        sample->error->within = best.is_open ? CLI_CSV_END_OF_QUOTE : CLI_CSV_NO_END;
        return false;
    }
    _Static_assert(CLI_CSV_MOST_COLUMNS == 65536, "the message says it");
    return best.columns <= CLI_CSV_MOST_COLUMNS ||
           fail(sample, 0, "there are more than 65536 columns");
}

/* ---- The first row ----------------------------------------------------------------------------*/

/* Copies a cell without blanks around it; doubled quotes become single ones. */
static char *copy_name(const struct cli_csv *csv, const struct cli_csv_cell *cell, char *into)
{
    const char *begin = cell->begin, *end = cell->end;
    while (begin < end && cli_csv_is_blank(csv, *begin))
        begin++;
    while (begin < end && cli_csv_is_blank(csv, end[-1]))
        end--;
    for (; begin < end; begin++) {
        *into++ = *begin;
        begin += cell->is_quoted && *begin == csv->quote;
    }
    *into = '\0';
    return into;
}

/* Returns where the second row begins; stores names, and the types of the names. The dialect is
 * that of the row. */
static char *name_columns(const struct sample *sample, const struct cli_csv *dialect, char *at,
                          enum cli_csv_type *types)
{
    struct cli_csv *csv = sample->csv;
    struct cli_csv_cell cell;
    struct cli_number number;
    char *text = (char *)(csv->names + csv->columns);
    for (size_t c = 0; c < csv->columns; c++) {
        at = cli_csv_take_cell(dialect, at, sample->end, &cell);
        types[c] = cli_csv_read_cell(dialect, &cell, &number);
        if (cli_csv_is_missing(csv, c, &cell, types[c], &number))
            types[c] = CLI_CSV_MISSING;
        csv->names[c] = text;
        char *end = copy_name(dialect, &cell, text);
        if (end == text)
            snprintf(text, NAME_BYTES, "column %zu", c + 1);
        text = end - text < NAME_BYTES ? text + NAME_BYTES : end + 1;
        at = *at == '\n' ? at + 1 : cli_csv_skip_separator(dialect, at);
    }
    return at;
}

/* The last line of comments before the first row, after its mark, or NULL. */
static char *find_comment(const struct sample *sample, char *first)
{
    char *comment = NULL;
    for (char *line = sample->text; line < first; line = strchr(line, '\n') + 1) {
        char *mark = cli_csv_skip_blanks(sample->csv, line);
        if (cli_csv_is_comment(sample->csv, mark))
            comment = mark + strlen(sample->csv->comment);
        if (strchr(line, '\n') == NULL)
            break;
    }
    return comment;
}

/* Whether a line has as many cells as there are columns, and none is a number. The name of a single
 * column is one word. */
static bool has_names(const struct sample *sample, const struct cli_csv *dialect, char *at)
{
    struct cli_csv_cell cell;
    struct cli_number number;
    bool has_text = false;
    for (size_t cells = 1;; cells++) {
        at = cli_csv_take_cell(dialect, at, sample->end, &cell);
        if (at == NULL)
            return false;
        const enum cli_csv_type type = cli_csv_read_cell(dialect, &cell, &number);
        has_text |= type == CLI_CSV_TEXT;
        if (is_number(type))
            return false;
        if (*at == '\n')
            return has_text && cells == sample->csv->columns;
        at = cli_csv_skip_separator(dialect, at);
    }
}

/* Names the columns by a comment before the first row: "# time value" in a file of
 * numpy.savetxt. It may have another separator than the rows, or follow a mark that is a name
 * itself: "#,time,value". */
static void name_by_comment(const struct sample *sample, char *first, enum cli_csv_type *types)
{
    struct cli_csv dialect = *sample->csv;
    const char own = dialect.separator != ' ' ? dialect.separator : ',';
    const char separators[] = {own, ',', '\t', ' '};
    char *comment = find_comment(sample, first);
    if (comment == NULL)
        return;
    if (*comment == dialect.separator && dialect.separator != ' ' && dialect.separator != '\t')
        comment -= strlen(dialect.comment);
    dialect.comment[0] = '\0';
    comment = cli_csv_skip_blanks(&dialect, comment);
    for (size_t s = dialect.columns > 1 ? 0 : 3; s < sizeof separators; s++) {
        dialect.separator = separators[s];
        if (has_names(sample, &dialect, comment)) {
            name_columns(sample, &dialect, comment, types);
            return;
        }
    }
}

/* Whether the first row has names; `above` are the types of its cells. */
static bool guess_header(const struct cli_csv *csv, const enum cli_csv_type *above)
{
    bool has_numbers = false, is_all_text = true;
    for (size_t c = 0; c < csv->columns; c++) {
        if (above[c] == CLI_CSV_TEXT && is_number(csv->types[c]))
            return true;
        has_numbers |= is_number(csv->types[c]);
        is_all_text &= !is_number(above[c]);
    }
    return !has_numbers && is_all_text;
}

/* The type of a column, most of whose cells have `type`. */
static enum cli_csv_type choose_type(enum cli_csv_type type, const struct cli_csv_census *census,
                                     size_t other_count)
{
    const uint64_t count = census->count, odd = census->odd.count;
    if (count + odd == 0)
        return CLI_CSV_MISSING;
    if (odd == 0 || cli_csv_is_nearly_all(count, odd))
        return type;
    if (cli_csv_is_nearly_all(other_count, count + odd - other_count))
        return type == CLI_CSV_BOOLEAN ? CLI_CSV_INTEGER : CLI_CSV_BOOLEAN;
    return CLI_CSV_TEXT;
}

/* Determines the types of columns in the rows from a position on. */
static bool find_types(const struct sample *sample, char *below)
{
    struct cli_csv *csv = sample->csv;
    memset(csv->types, 0, csv->columns * sizeof *csv->types);
    struct cli_csv_block block;
    struct cli_csv_scratch *scratch = cli_csv_scratch_create(csv, NULL);
    if (scratch == NULL)
        return fail(sample, 0, CLI_CSV_NO_MEMORY);
    const bool is_fine =
        cli_csv_parse(scratch, below, (size_t)(sample->end - below), &block, sample->error);
    if (is_fine)
        for (size_t c = 0; c < csv->columns; c++) {
            const struct cli_csv_column *column = &block.columns[c];
            csv->census[c] = (struct cli_csv_census){.count = column->count,
                                                     .is_boolean = column->type == CLI_CSV_BOOLEAN,
                                                     .odd = column->odd};
            csv->types[c] = choose_type(column->type, &csv->census[c], column->other_count);
        }
    else if (sample->error->line > 0)
        sample->error->line += count_lines(sample->text, below);
    sample->error->within = CLI_CSV_NO_END; /* these are whole rows */
    cli_csv_scratch_release(scratch);
    return is_fine;
}

/* Decides about the header, names the columns, and returns where the rows begin. */
static char *decide_header(const struct sample *sample, char *first, char *below,
                           enum cli_csv_type *above)
{
    struct cli_csv *csv = sample->csv;
    csv->has_header = sample->options->header == CLI_CSV_GUESS_HEADER
                          ? guess_header(csv, above)
                          : sample->options->header == CLI_CSV_HEADER;
    if (csv->has_header)
        return below;
    for (size_t c = 0; c < csv->columns; c++)
        snprintf(csv->names[c], NAME_BYTES, "column %zu", c + 1);
    name_by_comment(sample, first, above);
    return first;
}

/* The names' memory is allocated with the pointers to them; each has space for a number. */
static bool allocate_columns(const struct sample *sample)
{
    struct cli_csv *csv = sample->csv;
    const char *missing = sample->options->missing;
    const size_t names = csv->columns * (sizeof *csv->names + NAME_BYTES);
    csv->names = malloc(names + (size_t)(sample->end - sample->text));
    csv->types = calloc(csv->columns, sizeof *csv->types);
    csv->census = calloc(csv->columns, sizeof *csv->census);
    return csv->names != NULL && csv->types != NULL && csv->census != NULL &&
           (missing == NULL || cli_csv_missing_read(csv, missing));
}

/* Finds types and names. The types determine whether there is a header. They are determined again
 * if the first row is not a header, or if missing values apply to columns by name. */
static bool find_names_and_types(const struct sample *sample, char *first, enum cli_csv_type *above)
{
    struct cli_csv *csv = sample->csv;
    char *below = name_columns(sample, csv, first, above);
    if (!sample->is_enough && find_row(sample, below) == sample->end)
        return fail_within_row(sample);
    if (!find_types(sample, below))
        return false;
    char *data = decide_header(sample, first, below, above);
    csv->data_offset = (size_t)(data - sample->text);
    csv->data_line = count_lines(sample->text, data);
    return (!cli_csv_missing_find_columns(csv) && csv->has_header) || find_types(sample, data);
}

static bool find_columns(const struct sample *sample)
{
    struct cli_csv *csv = sample->csv;
    csv->comment_lines = 0;
    char *first = cli_csv_find_row(csv, sample->text, sample->end, &csv->comment_lines);
    enum cli_csv_type *above = calloc(csv->columns, sizeof *above);
    bool is_fine = allocate_columns(sample) && above != NULL;
    if (!is_fine)
        fail(sample, 0, CLI_CSV_NO_MEMORY);
    is_fine = is_fine && find_names_and_types(sample, first, above);
    free(above);
    if (!is_fine)
        cli_csv_close(csv);
    return is_fine;
}

/* ---- The whole --------------------------------------------------------------------------------*/

/* Whether a byte may be a separator: not if numbers, quotes or ends of rows have it. */
static bool is_separator(char byte)
{
    const bool is_word =
        (byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
    return !is_word && strchr("\n\r.+-\"'", byte) == NULL;
}

static bool check_options(const struct sample *sample)
{
    const struct cli_csv_options *options = sample->options;
    const char separator = options->separator, quote = options->quote, decimal = options->decimal;
    if (separator != '\0' && !is_separator(separator))
        return fail(sample, 0, "this separator is not supported");
    if (decimal != '\0' && decimal != '.' && decimal != ',')
        return fail(sample, 0, "the decimal point must be '.' or ','");
    if (separator != '\0' && separator == decimal && sample->csv->quote == '\0')
        return fail(sample, 0, "the separator and the decimal point are the same character");
    if (options->comment[0] != '\0' &&
        (options->comment[0] == separator || options->comment[0] == sample->csv->quote))
        return fail(sample, 0, "the comment mark begins with the separator or the quote");
    if (quote != '\0' && quote != '"' && quote != '\'')
        return fail(sample, 0, "this quote is not supported");
    return true;
}

/* Without a newline the bytes are part of one row. An open quote is reported only once no more
 * bytes will come. */
static bool fail_without_newline(struct sample *sample, char *end)
{
    if (!sample->is_enough)
        return fail_within_row(sample);
    *end = '\n';
    sample->end = end + 1;
    return choose_separator(sample) && fail_within_row(sample);
}

/* Chooses the mark of the first line that is not blank, unless all lines are comments. */
static void choose_comment(const struct sample *sample)
{
    struct cli_csv *csv = sample->csv;
    const struct cli_csv_options *options = sample->options;
    csv->comment[0] = '\0';
    const char *mark = options->comment;
    if (*mark == '\0')
        mark = options->has_no_comments ? NULL : cli_csv_find_mark(find_row(sample, sample->text));
    if (mark == NULL)
        return;
    snprintf(csv->comment, sizeof csv->comment, "%s", mark);
    if (options->comment[0] == '\0' && find_row(sample, sample->text) == sample->end)
        csv->comment[0] = '\0';
}

/* The text's last row may be truncated. */
static bool find_table(struct sample *sample)
{
    if (!choose_separator(sample))
        return false;
    if (!sample->is_all)
        sample->end = sample->text + cli_csv_split(sample->csv, sample->text,
                                                   (size_t)(sample->end - sample->text));
    if (find_row(sample, sample->text) == sample->end)
        return fail_within_row(sample);
    return find_columns(sample);
}

/* The first comment mark at the beginning of a line, or NULL. */
static const char *find_any_mark(const struct sample *sample)
{
    const char *mark = NULL;
    for (const char *line = sample->text; line < sample->end && mark == NULL;
         line = strchr(line, '\n') + 1)
        mark = cli_csv_find_mark(line);
    return mark;
}

/* Whether lines with a mark have as many cells as rows, although the first column has numbers. */
static bool has_marks_among_numbers(const struct cli_csv *csv)
{
    return csv->types[0] != CLI_CSV_TEXT && csv->census[0].odd.count > 0 &&
           cli_csv_find_mark(csv->census[0].odd.text) != NULL;
}

/* Finds the table. Lines that begin with a mark are comments only if that is necessary: without
 * comments no separator fits all rows, a row has an error, or the marks are odd cells in the first
 * column. */
static bool find_any_table(struct sample *sample)
{
    struct cli_csv *csv = sample->csv;
    struct cli_csv_error error;
    char *const end = sample->end;
    bool is_fine = find_table(sample);
    const bool is_sure =
        is_fine ? sample->is_even && !has_marks_among_numbers(csv) : sample->error->line == 0;
    const char *mark = is_sure || sample->options->has_no_comments || csv->comment[0] != '\0'
                           ? NULL
                           : find_any_mark(sample);
    if (mark == NULL)
        return is_fine;
    error = *sample->error;
    cli_csv_close(csv);
    snprintf(csv->comment, sizeof csv->comment, "%s", mark);
    sample->end = end;
    if (find_table(sample) && sample->is_even)
        return true;
    cli_csv_close(csv);
    csv->comment[0] = '\0';
    sample->end = end;
    if (is_fine)
        return find_table(sample);
    *sample->error = error;
    return false;
}

/* Reads the sample as whole rows: first the bytes after the last newline are left out; then, once
 * the separator and quotes are known, a truncated row. */
static bool read_sample(struct sample *sample)
{
    const size_t bytes = (size_t)(sample->end - sample->text);
    char *const end = sample->end;
    const char *zero = memchr(sample->text, '\0', bytes);
    if (zero != NULL)
        return fail(sample, count_lines(sample->text, zero) + 1, CLI_CSV_ZERO_BYTE);
    if (sample->is_all && memchr(sample->text, '\n', bytes) == NULL &&
        memchr(sample->text, '\r', bytes) != NULL)
        return fail(sample, 0, "rows end with carriage returns alone");
    if (sample->is_all && (bytes == 0 || end[-1] != '\n'))
        *sample->end++ = '\n';
    while (sample->end > sample->text && sample->end[-1] != '\n')
        sample->end--;
    if (sample->end == sample->text)
        return fail_without_newline(sample, end);
    choose_comment(sample);
    if (find_row(sample, sample->text) == sample->end)
        return sample->is_enough ? fail(sample, 0,
                                        sample->is_all ? "the table has no rows"
                                                       : "the table has only blank rows")
                                 : fail_within_row(sample);
    return find_any_table(sample);
}

bool cli_csv_open(const char *text, size_t bytes, enum cli_csv_rest rest,
                  const struct cli_csv_options *options, struct cli_csv *csv,
                  struct cli_csv_error *error)
{
    const size_t mark = bytes >= 3 && memcmp(text, byte_order_mark, 3) == 0 ? 3 : 0;
    struct sample sample = {
        .options = options, .csv = csv, .error = error, .is_all = rest == CLI_CSV_NOTHING};
    sample.is_enough = rest != CLI_CSV_MORE || bytes >= CLI_CSV_MOST_ROW_BYTES;
    char *copy = calloc(bytes + 1 + CLI_CSV_PADDING, 1);
    *csv = (struct cli_csv){.quote = options->quote != '\0' ? options->quote : '"',
                            .is_decimal_given = options->decimal != '\0'};
    if (options->has_no_quotes)
        csv->quote = '\0';
    if (copy == NULL)
        return fail(&sample, 0, CLI_CSV_NO_MEMORY);
    cli_csv_prepare_numbers();
    memcpy(copy, text, bytes);
    sample.text = copy + mark;
    sample.end = copy + bytes;
    const bool is_fine = check_options(&sample) && read_sample(&sample);
    csv->data_offset += mark;
    if (csv->data_offset > bytes) /* a header without a newline */
        csv->data_offset = bytes;
    free(copy);
    return is_fine;
}

void cli_csv_refuse_length(struct cli_csv_error *error)
{
    _Static_assert(CLI_CSV_MOST_ROW_BYTES == 64 << 20, "the messages say it");
    if (error->within == CLI_CSV_END_OF_ROW)
        snprintf(error->message, sizeof error->message, "the row is longer than 64 MiB");
    else if (error->within == CLI_CSV_END_OF_QUOTE)
        snprintf(error->message, sizeof error->message, "the quote is not closed within 64 MiB");
}

void cli_csv_close(struct cli_csv *csv)
{
    free(csv->names);
    free(csv->types);
    free(csv->census);
    free(csv->missing);
    csv->names = NULL;
    csv->types = NULL;
    csv->census = NULL;
    csv->missing = NULL;
    csv->missing_count = 0;
}
