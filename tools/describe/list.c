/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of what is in files, for `reap describe --list`.
 */
#include "tools/describe/print.h"

#include "tools/message.h"

#include <stdio.h>
#include <string.h>

static const char *name_separator(char separator)
{
    return separator == ' '    ? "blanks"
           : separator == '\t' ? "tabs"
           : separator == ','  ? "commas"
           : separator == ';'  ? "semicolons"
           : separator == '|'  ? "bars"
                               : "colons";
}

static const char *name_type(enum cli_csv_type type)
{
    static const char *const names[] = {"missing", "bool", "i64", "i64",
                                        "u64",     "f64",  "f64", "text"};
    return names[type];
}

/* Prints the columns of a table, with the types of the first rows. */
static void print_columns(const struct cli_csv *csv)
{
    for (size_t c = 0; c < csv->columns; c++) {
        printf("  %6zu  %-7s  ", c + 1, name_type(csv->types[c]));
        cli_print_name(stdout, csv->names[c]);
        putchar('\n');
    }
}

void cli_print_list(const struct cli_file *file, const struct cli_dataset *dataset)
{
    const struct cli_description description = {.file = file->name,
                                                .name = dataset->name,
                                                .note = dataset->note,
                                                .layout = dataset->array.layout};
    if (dataset->table == NULL) {
        cli_print_heading(&description);
        return;
    }
    const struct cli_csv *csv = &dataset->table->csv;
    cli_print_name(stdout, file->name);
    printf(": table, %zu column%s, separated by %s", csv->columns, csv->columns == 1 ? "" : "s",
           name_separator(csv->separator));
    printf("%s%s%s%s%s%s\n", csv->has_header ? ", header" : "",
           csv->decimal == ',' ? ", decimal commas" : "",
           csv->comment[0] != '\0' ? ", comments after " : "", csv->comment,
           dataset->note[0] != '\0' ? ", " : "", dataset->note);
    print_columns(csv);
}
