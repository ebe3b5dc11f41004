/* SPDX-License-Identifier: Apache-2.0
 *
 * What is recognised in the first bytes of a table, and what is complained of, case by case.
 */
#include "tests/support/check.h"
#include "tools/read/csv.h"

enum { MOST_COLUMNS = 8 };

/* ---- What is recognised -----------------------------------------------------------------------*/

/* types: a letter for each column, of missing, boolean, integer, real and text. */
static const struct recognised {
    const char *text;
    struct cli_csv_options options;
    char separator, decimal;
    size_t data_offset;
    const char *types;
    const char *names[MOST_COLUMNS];
} recognised[] = {
    {"a,b\n1,2.5\n3,4\n", {0}, ',', '.', 4, "ir", {"a", "b"}},
    {"a;b\r\n1;x\r\n3;y", {0}, ';', '.', 5, "it", {"a", "b"}},
    {"a\tb\n1\t\n3\tNA\n", {0}, '\t', '.', 4, "im", {"a", "b"}},
    {"a|b\n1|true\n", {0}, '|', '.', 4, "ib", {"a", "b"}},
    {"  a   b\n  1 2.5\n 10   3  \n", {0}, ' ', '.', 8, "ir", {"a", "b"}},
    {"\xef\xbb\xbf\"a\",b\n1,2\n", {0}, ',', '.', 9, "ii", {"a", "b"}},
    {"\n \r\na,b\n1,2\n", {0}, ',', '.', 8, "ii", {"a", "b"}},

    /* Integers. */
    {"a,b\n9223372036854775807,-9223372036854775808\n0,1\n", {0}, ',', '.', 4, "is", {"a", "b"}},
    {"a,b\n9223372036854775808,1\n0,18446744073709551615\n", {0}, ',', '.', 4, "uu", {"a", "b"}},
    {"a,b\n18446744073709551616,-9223372036854775809\n1,1\n", {0}, ',', '.', 4, "ww", {"a", "b"}},
    {"a,b\n9223372036854775808,-1\n-1,9223372036854775808\n", {0}, ',', '.', 4, "ww", {"a", "b"}},
    {"a,b\n9223372036854775808,0.5\n0.5,18446744073709551616\n",
     {0},
     ',',
     '.',
     4,
     "rr",
     {"a", "b"}},

    /* One column. */
    {"a\n1\n2\n", {0}, ',', '.', 2, "i", {"a"}},
    {"1\n2\n", {0}, ',', '.', 0, "i", {"column 1"}},
    {"1", {0}, ',', '.', 0, "i", {"column 1"}},
    {"a", {0}, ',', '.', 1, "m", {"a"}},
    {"two words\n1\n", {0}, ',', '.', 10, "i", {"two words"}},

    /* Headers. */
    {"1,2\n3,4\n", {0}, ',', '.', 0, "ii", {"column 1", "column 2"}},
    {"1,x\n3,y\n", {0}, ',', '.', 0, "it", {"column 1", "column 2"}},
    {"country,2019,2020\nA,1,2\n", {0}, ',', '.', 0, "tii", {"column 1", "column 2", "column 3"}},
    {"country,2019,2020\nA,1,2\n",
     {.header = CLI_CSV_HEADER},
     ',',
     '.',
     18,
     "tii",
     {"country", "2019", "2020"}},
    {"x,y\nz,w\n", {0}, ',', '.', 4, "tt", {"x", "y"}},
    {"a,b\n1,2\n", {.header = CLI_CSV_NO_HEADER}, ',', '.', 0, "tt", {"column 1", "column 2"}},
    {"\"\",\"a \"\"b\"\"\", c ,a\n1,2,3,4\n",
     {0},
     ',',
     '.',
     19,
     "iiii",
     {"column 1", "a \"b\"", "c", "a"}},
    {"\"a\nb\",c\n1,2\n", {0}, ',', '.', 8, "ii", {"a\nb", "c"}},
    {"'a,b',c\n1,2\n", {.quote = '\''}, ',', '.', 8, "ii", {"a,b", "c"}},
    {"5\"\",b\n1,2\n", {.has_no_quotes = true}, ',', '.', 6, "ii", {"5\"\"", "b"}},

    /* Separators. */
    {"a,b;c,d\n1,2;3,4\n5,6;7,8\n", {0}, ';', ',', 8, "rr", {"a,b", "c,d"}},
    {"x;y\n3,14;2,71\n1,5;2\n", {0}, ';', ',', 4, "rr", {"x", "y"}},
    {"x;y\n1,234;2\n5,678;3\n", {0}, ';', ',', 4, "ri", {"x", "y"}},
    {"x;y\n1,234;2\n5,678,901;3\n", {0}, ';', '.', 4, "ti", {"x", "y"}},
    {"x;y\n1,234;2\n5,678.50;3\n", {0}, ';', '.', 4, "ti", {"x", "y"}},
    {"x;y\n1,234;2\n5,678;3\n", {.decimal = '.'}, ';', '.', 4, "ti", {"x", "y"}},
    {"x\ty\n1,234\t2\n5,678\t3\n", {0}, '\t', '.', 4, "ti", {"x", "y"}},
    {"x\n\"4,5\"\n\"2,3\"\n", {0}, ',', ',', 2, "r", {"x"}},
    {"x,y\n\"1,5\",2\n\"3,5\",\"4\"\n", {0}, ',', ',', 4, "ri", {"x", "y"}},
    {"x,y\n\"1,500\",2\n\"3,500\",4\n", {0}, ',', '.', 4, "ti", {"x", "y"}},
    {"x,y\n\"1,5\",2\n\"3,5\",\"4\"\n", {.decimal = ','}, ',', ',', 4, "ri", {"x", "y"}},
    {"x,y\n\"1,5\",2\n\"3,5\",\"4\"\n",
     {.separator = ',', .decimal = ','},
     ',',
     ',',
     4,
     "ri",
     {"x", "y"}},
    {"x\n4,5\n2,3\n", {.decimal = ','}, ';', ',', 2, "r", {"x"}},
    {"4,5\n2,3\n", {.decimal = ','}, ';', ',', 0, "r", {"column 1"}},
    {"x;y\n1,234;2\n5,678;3\n", {.decimal = ','}, ';', ',', 4, "ri", {"x", "y"}},
    {"x;y\n1,234;2\n0,678;3\n", {0}, ';', ',', 4, "ri", {"x", "y"}},
    {"x;y\n1,25;2.5\n", {0}, ';', '.', 4, "tr", {"x", "y"}},
    {"x y\n1,25 2,5\n", {0}, ' ', ',', 4, "rr", {"x", "y"}},
    {"t,v\n2020-01-01 12:00,5\n2020-01-02 12:00,6\n", {0}, ',', '.', 4, "ti", {"t", "v"}},
    {"a;b,c,d\na;b,1,2\n", {0}, ',', '.', 8, "tii", {"a;b", "c", "d"}},
    {"a, b\n1, 2\n", {0}, ',', '.', 5, "ii", {"a", "b"}},
    {"a:b\n1:2\n", {.separator = ':'}, ':', '.', 4, "ii", {"a", "b"}},
    {"a;b\n1;2\n", {.separator = ','}, ',', '.', 4, "t", {"a;b"}},
};

/* Comments, and whether the first row has the names. */
static const struct {
    struct recognised row;
    const char *comment;
    bool has_header;
} commented[] = {
    {{"# by x\n# time value\n1 2.5\n2 3\n", {0}, ' ', '.', 20, "ir", {"time", "value"}},
     "#",
     false},
    {{"# time, value\n1 2.5\n2 3\n", {0}, ' ', '.', 14, "ir", {"time", "value"}}, "#", false},
    {{"# one two three\n1,2.5\n", {0}, ',', '.', 16, "ir", {"column 1", "column 2"}}, "#", false},
    {{"# 5,6\n1,2.5\n", {0}, ',', '.', 6, "ir", {"column 1", "column 2"}}, "#", false},
    {{"# by x\na,b\n1,2\n", {0}, ',', '.', 11, "ii", {"a", "b"}}, "#", true},
    {{"#,b\n1,2\n", {0}, ',', '.', 4, "ii", {"#", "b"}}, "#", false},
    {{"%a\tb\n1\t2\n% x\n", {0}, '\t', '.', 5, "ii", {"a", "b"}}, "%", false},
    {{"// x\n1.5\n", {0}, ',', '.', 5, "r", {"x"}}, "//", false},
    {{"// x y\n1.5\n", {0}, ',', '.', 7, "r", {"column 1"}}, "//", false},
    {{"\n # x\n\n1,2 # a \"b, c\n3,4\n", {0}, ',', '.', 7, "ii", {"column 1", "column 2"}},
     "#",
     false},
    {{"a,b\n1,2\n# \"c\n3,4\n", {0}, ',', '.', 4, "ii", {"a", "b"}}, "#", true},
    {{"a b\n1 2\n% c\n% c d e\n3 4\n", {0}, ' ', '.', 4, "ii", {"a", "b"}}, "%", true},
    {{"#a,b\n#c,4\n", {0}, ',', '.', 5, "ti", {"#a", "b"}}, "", true},
    {{"a,b\n1,#2\n3,# 4\n", {0}, ',', '.', 4, "it", {"a", "b"}}, "", true},
    {{"# a,b\nc,d\n", {.has_no_comments = true}, ',', '.', 6, "tt", {"# a", "b"}}, "", true},
    {{"#N/A,1\n2,3\n4,5\n", {0}, ',', '.', 0, "ii", {"column 1", "column 2"}}, "", false},
    {{" #NA ;1\n2;3\n", {0}, ';', '.', 0, "ii", {"column 1", "column 2"}}, "", false},
    {{"#N/A N/A\t1\n2\t3\n", {0}, '\t', '.', 0, "ii", {"column 1", "column 2"}}, "", false},
    {{"#N/A 1\n2 3\n", {.comment = "#"}, ' ', '.', 0, "ii", {"column 1", "column 2"}}, "#", false},
    {{"# x\na, b\n1, #N/A\n2, 3 # c\n#NA,4\n", {0}, ',', '.', 9, "ii", {"a", "b"}}, "#", true},
    {{"#NA is missing\n1,2\n", {0}, ',', '.', 15, "ii", {"column 1", "column 2"}}, "#", false},
    {{"; x\n1,2\n", {.comment = ";"}, ',', '.', 4, "ii", {"column 1", "column 2"}}, ";", false},
};

static void check_recognised(const struct recognised *row, const char *comment, bool has_header)
{
    struct cli_csv csv;
    struct cli_csv_error error = {0};
    const bool is_right =
        cli_csv_open(row->text, strlen(row->text), CLI_CSV_NOTHING, &row->options, &csv, &error);
    bool is_same = is_right && csv.separator == row->separator && csv.decimal == row->decimal &&
                   strcmp(csv.comment, comment) == 0 && csv.data_offset == row->data_offset &&
                   csv.columns == strlen(row->types) && csv.has_header == has_header;
    for (size_t c = 0; is_same && c < csv.columns; c++)
        is_same =
            strcmp(csv.names[c], row->names[c]) == 0 && "mbisuwrt"[csv.types[c]] == row->types[c];
    CHECK(is_same);
    if (!is_same)
        fprintf(stderr, "\"%s\": %s; separator '%c', decimal '%c', %zu columns, data at %zu\n",
                row->text, error.message, csv.separator, csv.decimal, csv.columns, csv.data_offset);
    if (is_right)
        cli_csv_close(&csv);
}

/* ---- What is complained of --------------------------------------------------------------------*/

static const struct refused {
    const char *text;
    struct cli_csv_options options;
    size_t line, column;
    const char *message;
} refused[] = {
    {"", {0}, 0, 0, "the table has no rows"},
    {"\n \r\n", {0}, 0, 0, "the table has no rows"},
    {"a,b\r1,2\r", {0}, 0, 0, "rows end with carriage returns alone"},
    {"a,b\n1,2\n3,4,5\n", {0}, 3, 0, "the row has more than 2 cells"},
    {"a,b\n1,2\n\n3\n", {0}, 4, 0, "the row has 1 cell, not 2"},
    {"a\n1,2\n", {0}, 2, 0, "the row has more than 1 cell (decimal commas? --decimal ,)"},
    {"a\n1,2,3\n", {0}, 2, 0, "the row has more than 1 cell"},
    {"a\n1, 2\n", {0}, 2, 0, "the row has more than 1 cell"},
    {"a,b,c\n1,2,3\n\"x\ny\",2\n", {0}, 3, 0, "the row has 2 cells, not 3"},
    {"a,b\n1,\"2\n3,4\n", {0}, 2, 2, "the quote is not closed"},
    {"a,b\n1,2\n\"3\" x,4\n", {0}, 3, 1, "something follows the closing quote"},
    {"\"a,b\n1,2\n", {0}, 1, 0, "the quote is not closed"},
    {"a,b\n", {.separator = '5'}, 0, 0, "this separator is not supported"},
    {"a,b\n",
     {.separator = ',', .decimal = ',', .has_no_quotes = true},
     0,
     0,
     "the separator and the decimal point are the same character"},
    {"a,b\n", {.decimal = ';'}, 0, 0, "the decimal point must be '.' or ','"},
    {"a,b\n", {.quote = 'q'}, 0, 0, "this quote is not supported"},
    {"a,b\n# x\n",
     {.has_no_comments = true},
     2,
     0,
     "the row has 1 cell, not 2 (a comment? --comment '#')"},
    {"a;b\n",
     {.separator = ';', .comment = ";"},
     0,
     0,
     "the comment mark begins with the separator or the quote"},
};

static void check_refused(const struct refused *row)
{
    struct cli_csv csv;
    struct cli_csv_error error = {0};
    CHECK(
        !cli_csv_open(row->text, strlen(row->text), CLI_CSV_NOTHING, &row->options, &csv, &error));
    const bool is_same = error.line == row->line && error.column == row->column &&
                         strcmp(error.message, row->message) == 0;
    CHECK(is_same);
    if (!is_same)
        fprintf(stderr, "\"%s\": line %zu, column %zu: %s\n", row->text, error.line, error.column,
                error.message);
}

/* What only late rows show. */
static void check_late(void)
{
    static const struct {
        const char *header, *row, *late; /* `count` rows, and `late_count` of the other kind */
        size_t count, late_count;
        char separator, decimal;
        const char *types, *message;      /* of the error, which is in the first late row */
        size_t odd_count, other_decimals; /* in the last column */
    } cases[] = {
        {"h;r", "1;0", "1;0,2", 70, 7, ';', ',', "ir", NULL, 0, 0},
        {"t;x", "1;NA", "1;20,0", 80, 1920, ';', ',', "ir", NULL, 0, 0},
        {"y;x", "1;1,000", "1;1,234,567", 70, 3, ';', '.', "it", NULL, 73, 70},
        {"y;x", "1;1,000", "1;1,25", 70, 3, ';', ',', "ir", NULL, 0, 0},
        {"y;x", "1;1,25", "1;1,234,567", 70, 3, ';', ',', "ir", NULL, 3, 3},
        {"y;x", "1;1,25", "1;2.5", 70, 3, ';', '.', "it", NULL, 70, 70},
        {"y;x", "1;1,25", "1;2.5", 5000, 5, ';', ',', "ir", NULL, 5, 5},
        {"y;x", "1;1,25", "1;no", 3000, 1, ';', ',', "ir", NULL, 1, 0},
        {"0 0,x", "0 0,x", "0,x", 64, 200, ',', '.', "tt", NULL, 264, 0},
        {"1,5;2,5", "1,5;2,5", "1", 70, 1, ';', ',', "", "the row has 1 cell, not 2", 0, 0},
        {"a b", "1 2", "1", 70, 1, ' ', '.', "", "the row has 1 cell, not 2", 0, 0},
        {"a b", "a b", "a", 70, 1, ',', '.', "t", NULL, 71, 0},
        {"two words", "1", "1 2", 70, 1, ',', '.', "i", NULL, 1, 0},
    };
    for (size_t r = 0; r < sizeof cases / sizeof *cases; r++) {
        static char text[1 << 17];
        struct cli_csv csv;
        struct cli_csv_error error = {0};
        const struct cli_csv_options options = {0};
        size_t bytes = (size_t)snprintf(text, sizeof text, "%s\n", cases[r].header);
        for (size_t n = 0; n < cases[r].count + cases[r].late_count; n++)
            bytes += (size_t)snprintf(text + bytes, sizeof text - bytes, "%s\n",
                                      n < cases[r].count ? cases[r].row : cases[r].late);
        const bool is_right = cli_csv_open(text, bytes, CLI_CSV_NOTHING, &options, &csv, &error);
        CHECK_EQ(is_right, cases[r].message == NULL);
        CHECK_EQ(csv.separator, cases[r].separator);
        CHECK_EQ(csv.decimal, cases[r].decimal);
        CHECK(is_right || strcmp(error.message, cases[r].message) == 0);
        CHECK_EQ(error.line, is_right ? 0 : cases[r].count + 2);
        if (!is_right)
            continue;
        CHECK_EQ(csv.columns, strlen(cases[r].types));
        for (size_t c = 0; c < csv.columns; c++)
            CHECK_EQ("mbisuwrt"[csv.types[c]], cases[r].types[c]);
        const struct cli_csv_odd *odd = &csv.census[csv.columns - 1].odd;
        CHECK_EQ(odd->count, cases[r].odd_count);
        CHECK_EQ(odd->other_decimal_count, cases[r].other_decimals);
        const bool has_hint = odd->count > 0 && odd->other_decimal_count == odd->count;
        CHECK_EQ(cli_csv_decimal_hint(&csv, odd)[0] != '\0', has_hint);
        cli_csv_close(&csv);
    }
}

/* Where the first bytes are not all, a row that is cut off is left out. */
static void check_prefixes(void)
{
    static const char text[] = "a,\"b\nc\"\n1,\"2\n\"\n3,4\n5,6";
    const struct cli_csv_options options = {0};
    const size_t header = 8, second = 15;
    struct cli_csv csv;
    struct cli_csv_error error;
    for (size_t bytes = 0; bytes < sizeof text; bytes++) {
        const bool is_right = cli_csv_open(text, bytes, CLI_CSV_MORE, &options, &csv, &error);
        CHECK(is_right == (bytes >= second));
        CHECK(is_right || error.within != CLI_CSV_NO_END);
        struct cli_csv cut;
        const bool has_row = cli_csv_open(text, bytes, CLI_CSV_UNREAD, &options, &cut, &error);
        CHECK(has_row == (bytes >= header) && (!has_row || cut.columns == 2));
        if (has_row)
            cli_csv_close(&cut);
        if (!is_right)
            continue;
        CHECK(csv.columns == 2 && strcmp(csv.names[1], "b\nc") == 0);
        CHECK(csv.has_header && csv.data_offset == header && csv.data_line == 2);
        cli_csv_close(&csv);
    }
    CHECK(!cli_csv_open("a\0b\n", 4, CLI_CSV_NOTHING, &options, &csv, &error) && error.line == 1);
}

/* Columns that are not wanted are passed over, whatever they say. */
static void check_wanted(void)
{
    char text[64] = "1,x,3\n4,\"y,\n\",6\n7,,9";
    const struct cli_csv csv = {.separator = ',', .quote = '"', .decimal = '.', .columns = 3};
    const bool is_wanted[] = {false, false, true};
    struct cli_csv_block block;
    struct cli_csv_error error;
    struct cli_csv_scratch *scratch = cli_csv_scratch_create(&csv, is_wanted);
    CHECK(cli_csv_parse(scratch, text, strlen(text), &block, &error));
    CHECK(block.rows == 3 && block.lines == 3 && block.columns[0].count == 3);
    CHECK(block.columns[0].type == CLI_CSV_INTEGER && block.columns[0].values.integers[2] == 9);
    cli_csv_scratch_release(scratch);
    cli_csv_scratch_release(NULL);
}

/* Columns of which nearly all cells have values of a kind. */
static void check_nearly_all(void)
{
    static const struct {
        const char *rows; /* of a column under a header */
        const char *missing;
        char type;
        size_t count, odd_count, odd_row;
        const char *odd_text;
    } cases[] = {
        {"1\n2\n3\n4\n5\n6\n7\n8\n9\nx y\n", NULL, 'i', 9, 1, 9, "x y"},
        {"1\n\" say \"\"x\"\"\"\n", NULL, 't', 1, 1, 1, " say \"x\""},
        {"1\n1.#INF\n-1.#IND\n1.#QNAN\n", NULL, 'r', 4, 0, 0, ""},
        {"1\n\"0123456789012345678901234567890123\"\"\xc3\xa4\xc3\xa4\"\"\"\n", NULL, 't', 1, 1, 1,
         "0123456789012345678901234567890123\"\xc3\xa4\xc3\xa4"},
        {"1\n\"012345678901234567890123456789012345\"\"\xc3\xa4\xc3\xa4\"\n", NULL, 't', 1, 1, 1,
         "012345678901234567890123456789012345\"\xc3\xa4"},
        {"1\n\"0123456789012345678901234567890123456\"\"\xc3\xa4\"\n", NULL, 't', 1, 1, 1,
         "0123456789012345678901234567890123456\""},
        {"?\n1\n2\n3\n4\n5\n6\n7\n8\n", NULL, 't', 8, 1, 0, "?"},
        {"1\n2\n3\ntrue\n5\n6\n7\n8\n9\n.5\n", NULL, 'r', 9, 1, 3, "true"},
        {"true\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", NULL, 'i', 1, 9, 1, "2"},
        {"1\nno\ntrue\ntrue\ntrue\nfalse\n", NULL, 't', 1, 5, 1, "no"},
        {"1\nn.d.\n-999\n-999.0\n", "-999,n.d.", 'i', 1, 0, 0, ""},
        {"1\n\" n.d. \"\n\"n.d.\"\n n.d. \n-9\n", "-9, n.d. ", 'i', 1, 0, 0, ""},
        {"1\nn.d.\n-999\n-998\n", "a=-999,b=-998,n.d.", 's', 2, 0, 0, ""},
        {"1e3\n1000\ntrue\n2\n", "1e3,true", 'i', 1, 0, 0, ""},
        {"18446744073709551615\n-1\n2\n", "18446744073709551615", 's', 2, 0, 0, ""},
    };
    for (size_t r = 0; r < sizeof cases / sizeof *cases; r++) {
        char text[128];
        struct cli_csv csv;
        struct cli_csv_error error;
        const struct cli_csv_options options = {.header = CLI_CSV_HEADER,
                                                .missing = cases[r].missing};
        snprintf(text, sizeof text, "a\n%s", cases[r].rows);
        CHECK(cli_csv_open(text, strlen(text), CLI_CSV_NOTHING, &options, &csv, &error));
        CHECK_EQ("mbisuwrt"[csv.types[0]], cases[r].type);
        CHECK_EQ(csv.census[0].count, cases[r].count);
        CHECK_EQ(csv.census[0].odd.count, cases[r].odd_count);
        CHECK_EQ(csv.census[0].odd.row, cases[r].odd_row);
        CHECK(strcmp(csv.census[0].odd.text, cases[r].odd_text) == 0);
        cli_csv_close(&csv);
    }
}

int main(void)
{
    for (size_t r = 0; r < sizeof recognised / sizeof *recognised; r++)
        check_recognised(&recognised[r], "", recognised[r].data_offset > 0);
    for (size_t r = 0; r < sizeof commented / sizeof *commented; r++)
        check_recognised(&commented[r].row, commented[r].comment, commented[r].has_header);
    for (size_t r = 0; r < sizeof refused / sizeof *refused; r++)
        check_refused(&refused[r]);
    check_late();
    check_prefixes();
    check_wanted();
    check_nearly_all();
    return check_finish();
}
