/* SPDX-License-Identifier: Apache-2.0
 *
 * A naive reader of tables in text, one character after the other, cells as strings, numbers with
 * strtod: what tools/read/csv.h says, written once more.
 */
#ifndef TESTS_CLI_CSV_REFERENCE_H
#define TESTS_CLI_CSV_REFERENCE_H

#include "tools/read/csv.h"

struct reference_cell {
    enum cli_csv_type type;
    uint64_t integer;
    double real; /* also of an integer */
};

struct reference {
    bool is_right;
    size_t rows, columns, comment_lines;
    struct reference_cell *cells; /* of row r, column c: [r * columns + c] */
    size_t *ends;                 /* of the rows, blank ones too, in bytes */
    size_t end_count;
};

/* Only csv's separator, quote, decimal, comment and columns are looked at. */
void reference_read(const struct cli_csv *csv, const char *text, size_t bytes,
                    struct reference *reference);
void reference_release(struct reference *reference);

#endif
