/* SPDX-License-Identifier: Apache-2.0
 *
 * The reader of tables in text against the naive one (csv_reference.h): tables drawn at random,
 * with every separator, whole, cut into two blocks at the end of each row, and with characters
 * replaced at random; and tables of numbers that are hard to round. What is recognised, and what is
 * complained of, is in csv_cases.c.
 */
#include "tests/support/check.h"
#include "tests/tool/csv_reference.h"

#ifdef REAP_TESTS_SMALL
enum { TABLES = 300, HARD_NUMBERS = 20000 };
#else
enum { TABLES = 1000, HARD_NUMBERS = 200000 };
#endif

enum { MOST_BYTES = 1 << 16 };

static uint64_t state;

static uint64_t draw(uint64_t count)
{
    return check_random(&state) % count;
}

/* ---- Tables -----------------------------------------------------------------------------------*/

struct table {
    struct cli_csv csv;
    size_t bytes;
    char text[MOST_BYTES];
};

static void add(struct table *table, const char *text)
{
    const size_t length = strlen(text);
    if (table->bytes + length < MOST_BYTES) {
        memcpy(table->text + table->bytes, text, length);
        table->bytes += length;
    }
}

static void draw_digits(char *into, size_t most)
{
    const size_t count = draw(most + 1);
    for (size_t d = 0; d < count; d++)
        *into++ = (char)('0' + (draw(3) == 0 ? 0 : draw(10)));
    *into = '\0';
}

static void draw_number(char decimal, char into[256])
{
    static const char *const limits[] = {
        "9223372036854775807",   "9223372036854775808",  "-9223372036854775808",
        "9999999999999999999",   "-9223372036854775809", "+09223372036854775807",
        "18446744073709551616",  "18446744073709551615", "0018446744073709551615",
        "-18446744073709551615", "18446744073709551620"};
    char whole[64], part[64];
    double value;
    const uint64_t bits = check_random(&state);
    switch (draw(6)) {
    case 3:
        snprintf(into, 256, "%s", limits[draw(sizeof limits / sizeof *limits)]);
        break;
    case 0:
        snprintf(into, 256, "%lld", (long long)((int64_t)bits >> draw(64)));
        break;
    case 1:
        memcpy(&value, &bits, sizeof value);
        snprintf(into, 256, "%.*g", (int)draw(20) + 1, value);
        break;
    case 2:
        snprintf(into, 256, "%.*f", (int)draw(20), (double)(int64_t)bits / 1e18);
        break;
    default:
        draw_digits(whole, draw(4) == 0 ? 40 : 9);
        draw_digits(part, draw(4) == 0 ? 40 : 9);
        snprintf(into, 256, "%s%s%s%s", &"-\0+\0\0"[draw(3) * 2 % 5], whole,
                 draw(3) == 0 ? "" : ".", part);
        if (draw(4) == 0)
            snprintf(into + strlen(into), 128, "%c%s%d", "eE"[draw(2)],
                     &"-\0+\0\0"[draw(3) * 2 % 5], (int)draw(400));
    }
    for (; *into != '\0'; into++)
        if (*into == '.')
            *into = decimal;
}

static void draw_cell(struct table *table, unsigned kind)
{
    static const char *const words[] = {
        "",       "NA",      "N/A",  "n/a",   "null", "NULL",      "None",    "#N/A",
        "<NA>",   "nan",     "NaN",  "-nan",  "inf",  "-Infinity", "+INF",    "-",
        "true",   "True",    "TRUE", "FALSE", "tru",  "#N/A N/A",  "0x10",    "1_000",
        "1e",     ".",       "a\"b", "--1",   "word", "#NA",       "1.#QNAN", "-1.#INF",
        "1.#ind", "infinit", "e5",   "+",     "1-2",  "a b"};
    const char quote[] = {table->csv.quote, '\0'};
    char text[256] = "";
    if (draw(8) == 0)
        kind = (unsigned)draw(6);
    if (kind == 5)
        snprintf(text, sizeof text, "%s%llu", draw(60) == 0 ? "-" : "",
                 (unsigned long long)(check_random(&state) >> draw(4)));
    else if (kind == 0)
        snprintf(text, sizeof text, "%d", (int)draw(2000) - 1000);
    else if (kind <= 2)
        draw_number(table->csv.decimal, text);
    else if (kind == 3)
        snprintf(text, sizeof text, "%s", draw(2) == 0 ? "true" : "False");
    else
        snprintf(text, sizeof text, "%s", words[draw(sizeof words / sizeof *words)]);
    const bool needs_quotes = table->csv.decimal == table->csv.separator && draw(20) > 0;
    const bool is_quoted = (needs_quotes || draw(4) == 0) && quote[0] != '\0';
    add(table, draw(6) == 0 ? " " : "");
    add(table, is_quoted ? quote : "");
    if (is_quoted && draw(4) == 0) {
        add(table, &"\n\0,\0;\0 \0\r\n"[draw(5) * 2]);
        add(table, quote);
        add(table, quote);
    }
    add(table, text);
    add(table, is_quoted ? quote : "");
    add(table, draw(6) == 0 ? " " : "");
}

/* Rarely draws a comment that ends where the line does; returns whether it did. */
static bool draw_comment(struct table *table, uint64_t most)
{
    static const char *const texts[] = {"", " a \"quoted\" word", " \"open", "1, 2; 3",
                                        " it's // #"};
    if (table->csv.comment[0] == '\0' || draw(most) > 0)
        return false;
    add(table, draw(2) == 0 ? "" : " ");
    add(table, table->csv.comment);
    add(table, texts[draw(sizeof texts / sizeof *texts)]);
    return true;
}

static void draw_table(struct table *table)
{
    static const char separators[] = ",;\t| ";
    const char separator = separators[draw(5)];
    const char *newline = draw(2) == 0 ? "\n" : "\r\n";
    unsigned kinds[8];
    *table = (struct table){.csv = {.separator = separator,
                                    .quote = "\"'"[draw(8) == 0],
                                    .decimal = draw(separator == ',' ? 5 : 2) == 0 ? ',' : '.',
                                    .columns = draw(8) + 1}};
    for (size_t c = 0; c < table->csv.columns; c++)
        kinds[c] = (unsigned)draw(8) % 6;
    if (draw(3) == 0)
        strcpy(table->csv.comment, draw(2) == 0 ? "#" : "//");
    const size_t rows = draw(100);
    for (size_t r = 0; r < rows; r++) {
        if (table->bytes > 0 && table->text[table->bytes - 1] == '\n' && draw_comment(table, 10))
            add(table, newline);
        for (size_t c = 0; c < table->csv.columns; c++) {
            draw_cell(table, kinds[c]);
            const char between[] = {separator, '\0'};
            add(table, c + 1 < table->csv.columns ? between : "");
        }
        draw_comment(table, 10);
        add(table, r + 1 < rows || draw(2) == 0 ? newline : "");
        add(table, draw(20) == 0 ? newline : "");
    }
}

static void spoil(struct table *table)
{
    static const char bytes[] = "0123456789..,,;;--++eE\"\"\"''\n\n\n\r\t  |NAnatruef";
    for (uint64_t count = draw(4) + 1; count > 0 && table->bytes > 0; count--)
        table->text[draw(table->bytes)] = bytes[draw(sizeof bytes)];
}

/* ---- Comparisons ------------------------------------------------------------------------------*/

/* A block in memory of its own, so that the sanitizers see its end. */
static bool parse(struct cli_csv_scratch *scratch, const char *text, size_t bytes,
                  struct cli_csv_block *block, char **copy)
{
    struct cli_csv_error error = {0};
    *copy = malloc(bytes + CLI_CSV_PADDING);
    memcpy(*copy, text, bytes);
    memset(*copy + bytes, '7', CLI_CSV_PADDING);
    const bool is_right = cli_csv_parse(scratch, *copy, bytes, block, &error);
    CHECK(memcmp(*copy, text, bytes) == 0);
    CHECK(is_right || (error.message[0] != '\0' && error.line > 0));
    return is_right;
}

static bool is_missing(const struct cli_csv_column *column, size_t row)
{
    return column->missing[row / 64] >> row % 64 & 1;
}

static void check_value(const struct cli_csv_column *column, size_t value,
                        const struct reference_cell *cell)
{
    if (cli_csv_is_double(column->type)) {
        const double real = column->values.reals[value];
        CHECK(real != real ? cell->real != cell->real
                           : check_same(&real, &cell->real, 8) ||
                                 (real == 0 && cell->real == 0 && cell->type == CLI_CSV_INTEGER));
    } else {
        CHECK(check_same(&column->values.integers[value], &cell->integer, 8));
    }
}

/* Whether a cell is a boolean among numbers, or a number among booleans. */
static bool is_other_kind(enum cli_csv_type column, enum cli_csv_type cell)
{
    return column != CLI_CSV_MISSING && cell != CLI_CSV_MISSING && cell != CLI_CSV_TEXT &&
           (column == CLI_CSV_BOOLEAN) != (cell == CLI_CSV_BOOLEAN);
}

/* A column of a block against rows of the reference, from `first` on. */
static void check_column(const struct cli_csv_column *column, size_t c, size_t first, size_t rows,
                         const struct reference *reference)
{
    enum cli_csv_type type = CLI_CSV_MISSING;
    size_t value = 0, odd = 0, first_odd = 0, others = 0;
    CHECK(column->count + column->missing_count == rows);
    for (size_t r = 0; r < rows && column->count + column->missing_count == rows; r++) {
        const struct reference_cell *cell = &reference->cells[(first + r) * reference->columns + c];
        const bool is_other = is_other_kind(type, cell->type);
        const bool is_odd = is_other || cell->type == CLI_CSV_TEXT;
        CHECK(is_missing(column, r) == (is_odd || cell->type == CLI_CSV_MISSING));
        type = is_odd ? type : cli_csv_join(type, cell->type);
        others += is_other;
        first_odd = is_odd && odd == 0 ? r : first_odd;
        odd += is_odd;
        if (!is_odd && cell->type != CLI_CSV_MISSING && value < column->count)
            check_value(column, value++, cell);
    }
    CHECK(column->type == type);
    CHECK(column->odd.count == odd && column->odd.row == first_odd);
    CHECK(column->other_count == others);
}

/* Returns the number of its rows. */
static size_t check_block(struct cli_csv_scratch *scratch, const char *text, size_t bytes,
                          size_t first, const struct reference *reference)
{
    struct cli_csv_block block = {0};
    char *copy;
    const bool is_right = parse(scratch, text, bytes, &block, &copy);
    CHECK(is_right);
    CHECK(first + block.rows <= reference->rows);
    CHECK(first > 0 || block.rows < reference->rows ||
          block.comment_lines <= reference->comment_lines);
    for (size_t c = 0; is_right && c < reference->columns; c++)
        check_column(&block.columns[c], c, first, block.rows, reference);
    free(copy);
    return block.rows;
}

static void check_splits(const struct table *table, const struct reference *reference)
{
    size_t end = 0, last = 0;
    for (size_t bytes = 0; bytes <= table->bytes; bytes++) {
        while (end < reference->end_count && reference->ends[end] <= bytes)
            last = reference->ends[end++];
        CHECK(cli_csv_split(&table->csv, table->text, bytes) == last);
    }
}

static void check_table(const struct table *table)
{
    struct reference reference;
    struct cli_csv_scratch *scratch = cli_csv_scratch_create(&table->csv, NULL);
    reference_read(&table->csv, table->text, table->bytes, &reference);
    if (!reference.is_right) {
        struct cli_csv_block block;
        char *copy;
        CHECK(!parse(scratch, table->text, table->bytes, &block, &copy));
        free(copy);
    } else {
        CHECK(check_block(scratch, table->text, table->bytes, 0, &reference) == reference.rows);
        for (size_t e = 0; e < reference.end_count; e += 1 + draw(10)) {
            const size_t cut = reference.ends[e];
            const size_t rows = check_block(scratch, table->text, cut, 0, &reference);
            CHECK(rows + check_block(scratch, table->text + cut, table->bytes - cut, rows,
                                     &reference) ==
                  reference.rows);
        }
        if (table->bytes < 2000)
            check_splits(table, &reference);
    }
    cli_csv_scratch_release(scratch);
    reference_release(&reference);
}

/* ---- Numbers that are hard to round -----------------------------------------------------------*/

/* The number half-way between a double and the next one, exactly, and its neighbours. */
static void add_half_way(struct table *table)
{
    char text[1200];
    double value;
    const uint64_t bits = check_random(&state) >> 12 | (1023 - 60 + draw(120)) << 52;
    memcpy(&value, &bits, sizeof value);
    int exponent = (int)(bits >> 52) - 1075;
    long double half = (long double)value;
    half += (long double)(exponent < 0
                              ? 1.0 / (double)((uint64_t)1 << (-exponent > 63 ? 63 : -exponent))
                              : (double)((uint64_t)1 << (exponent > 62 ? 62 : exponent))) /
            2;
    snprintf(text, sizeof text, "%.*Lf", (int)draw(3) == 0 ? 20 : 120, half);
    if (draw(2) == 0 && strchr(text, '.') != NULL)
        snprintf(text + strlen(text), 8, "%s", draw(2) == 0 ? "1" : "0");
    add(table, text);
    add(table, "\n");
}

static void add_hard(struct table *table)
{
    char text[256];
    double value;
    const uint64_t bits = check_random(&state);
    switch (draw(4)) {
    case 0:
        memcpy(&value, &bits, sizeof value);
        snprintf(text, sizeof text, "%.*g", 15 + (int)draw(8), value);
        break;
    case 1:
        snprintf(text, sizeof text, "%llue%d", (unsigned long long)(bits >> draw(64)),
                 (int)draw(700) - 360);
        break;
    case 2:
        snprintf(text, sizeof text, "%llu.%llu", (unsigned long long)(bits >> draw(64)),
                 (unsigned long long)draw(1000000));
        break;
    default:
        /* near the least double, and subnormal */
        value = (double)draw(1000) * 4.9406564584124654e-324 +
                (draw(2) == 0 ? 2.2250738585072014e-308 : 0);
        snprintf(text, sizeof text, "%.*e", 10 + (int)draw(30), value);
    }
    add(table, text);
    add(table, "\n");
}

static void check_hard_numbers(void)
{
    static struct table table;
    for (size_t made = 0; made < HARD_NUMBERS;) {
        table =
            (struct table){.csv = {.separator = ',', .quote = '"', .decimal = '.', .columns = 1}};
        for (; table.bytes < MOST_BYTES / 2; made++)
            if (draw(2) == 0)
                add_half_way(&table);
            else
                add_hard(&table);
        struct reference reference;
        struct cli_csv_scratch *scratch = cli_csv_scratch_create(&table.csv, NULL);
        reference_read(&table.csv, table.text, table.bytes, &reference);
        CHECK(reference.is_right);
        check_block(scratch, table.text, table.bytes, 0, &reference);
        cli_csv_scratch_release(scratch);
        reference_release(&reference);
    }
}

int main(void)
{
    static struct table table;
    state = check_seed();
    for (int t = 0; t < TABLES; t++) {
        draw_table(&table);
        check_table(&table);
        spoil(&table);
        check_table(&table);
    }
    check_hard_numbers();
    return check_finish();
}
