/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a table in text, the first four of them as options: it is opened, from all of it and
 * from a part, and read whole and in two blocks, cut wherever a row ends. The values must be the
 * same, bit by bit.
 */
#include "tools/read/csv.h"
#include "tests/fuzz/input.h"

/* A block in memory of its own, so that the sanitizer sees its end. */
struct piece {
    struct cli_csv_scratch *scratch;
    char *text;
    struct cli_csv_block block;
    bool is_right;
};

static struct piece parse(const struct cli_csv *csv, const char *text, size_t bytes)
{
    struct cli_csv_error error = {0};
    struct piece piece = {.scratch = cli_csv_scratch_create(csv, NULL),
                          .text = malloc(bytes + CLI_CSV_PADDING)};
    require(piece.scratch != NULL && piece.text != NULL);
    if (bytes > 0)
        memcpy(piece.text, text, bytes);
    piece.is_right = cli_csv_parse(piece.scratch, piece.text, bytes, &piece.block, &error);
    require(piece.is_right || error.message[0] != '\0');
    require(bytes == 0 || memcmp(piece.text, text, bytes) == 0);
    return piece;
}

static void release(struct piece *piece)
{
    cli_csv_scratch_release(piece->scratch);
    free(piece->text);
}

static bool is_missing(const struct cli_csv_column *column, size_t row)
{
    return column->missing[row / 64] >> row % 64 & 1;
}

/* As a double where the whole column has doubles. */
static uint64_t value_bits(const struct cli_csv_column *column, size_t value, bool is_real)
{
    uint64_t bits;
    double real = 0;
    if (!is_real)
        return column->values.unsigneds[value];
    if (cli_csv_is_double(column->type))
        real = column->values.reals[value];
    else if (column->type == CLI_CSV_UNSIGNED)
        real = (double)column->values.unsigneds[value];
    else
        real = (double)column->values.integers[value];
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

/* The rows of a part of a column, from `row` and `value` of the whole one on. */
static void require_part(const struct cli_csv_column *whole, size_t row, size_t value,
                         const struct cli_csv_column *part)
{
    for (size_t r = 0; r < part->count + part->missing_count; r++)
        require(is_missing(whole, row + r) == is_missing(part, r));
    for (size_t v = 0; v < part->count; v++)
        require(value_bits(whole, value + v, cli_csv_is_double(whole->type)) ==
                value_bits(part, v, cli_csv_is_double(whole->type)));
}

static void require_same(const struct cli_csv *csv, const struct cli_csv_block *whole,
                         const struct cli_csv_block *first, const struct cli_csv_block *second)
{
    require(whole->rows == first->rows + second->rows);
    require(whole->lines == first->lines + second->lines);
    for (size_t c = 0; c < csv->columns; c++) {
        const struct cli_csv_column *all = &whole->columns[c], *a = &first->columns[c],
                                    *b = &second->columns[c];
        if (cli_csv_join(a->type, b->type) == CLI_CSV_TEXT)
            continue;
        require(all->type == cli_csv_join(a->type, b->type));
        require(all->odd.count == a->odd.count + b->odd.count);
        require(all->count + all->missing_count == whole->rows);
        require(all->count == a->count + b->count);
        require_part(all, 0, 0, a);
        require_part(all, first->rows, a->count, b);
    }
}

static void try_cuts(const struct cli_csv *csv, const char *text, size_t bytes)
{
    struct piece whole = parse(csv, text, bytes);
    size_t cut = bytes;
    for (int c = 0; c < 4 && cut > 0; c++) {
        cut = cli_csv_split(csv, text, cut - 1);
        struct piece first = parse(csv, text, cut);
        struct piece second = parse(csv, text + cut, bytes - cut);
        require(whole.is_right == (first.is_right && second.is_right));
        if (whole.is_right)
            require_same(csv, &whole.block, &first.block, &second.block);
        release(&first);
        release(&second);
    }
    release(&whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static const char quotes[] = {'\0', '"', '\''}, decimals[] = {'\0', '.', ','};
    struct cli_csv csv;
    struct cli_csv_error error = {0};
    if (count < 4 || count > 1 << 16)
        return 0;
    const struct cli_csv_options options = {.separator = (char)(bytes[0] == '?' ? 0 : bytes[0]),
                                            .quote = quotes[bytes[1] % 3],
                                            .has_no_quotes = bytes[1] % 4 == 3,
                                            .decimal = decimals[bytes[2] % 3],
                                            .header = (enum cli_csv_header)(bytes[3] % 3),
                                            .has_no_comments = bytes[3] % 4 == 3,
                                            .missing = bytes[3] % 8 < 4 ? NULL : "-999,n.d.,a=1"};
    const char *text = (const char *)bytes + 4;
    count -= 4;
    if (cli_csv_open(text, count / 2, CLI_CSV_MORE, &options, &csv, &error)) {
        require(csv.data_offset <= count / 2 && csv.columns > 0);
        cli_csv_close(&csv);
    }
    if (!cli_csv_open(text, count, CLI_CSV_NOTHING, &options, &csv, &error)) {
        require(error.message[0] != '\0');
        return 0;
    }
    require(csv.data_offset <= count && csv.columns > 0);
    for (size_t c = 0; c < csv.columns; c++)
        require(csv.names[c][0] != '\0');
    try_cuts(&csv, text + csv.data_offset, count - csv.data_offset);
    cli_csv_close(&csv);
    return 0;
}
