/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints notes.
 */
#include "tools/describe/notes.h"

#include "tools/message.h"
#include "tools/read/element.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

/* The name at the beginning of a note; an empty line is before the first one. */
static void print_name(const char *name, bool *has_notes)
{
    fputs(*has_notes ? "  " : "\n  ", stdout);
    *has_notes = true;
    cli_print_name(stdout, name);
    fputs(": ", stdout);
}

/* "row 17 has 'n.a.'" */
static void print_first(const struct cli_csv_odd *odd)
{
    printf("row %" PRIu64 " has '", odd->row + 1);
    cli_print_name(stdout, odd->text);
    fputs("'", stdout);
}

static void print_odd(const char *name, const struct cli_column_total *total, bool *has_notes)
{
    const struct cli_csv_odd *odd = &total->odd;
    print_name(name, has_notes);
    printf("%" PRIu64 " cell%s %s%s, the first: ", odd->count,
           odd->count == 1 ? " is not a" : "s are not", total->is_boolean ? "boolean" : "number",
           odd->count == 1 ? "" : "s");
    print_first(odd);
    putchar('\n');
}

static void print_sentinel(const char *name, const struct cli_edge *edge, bool *has_notes)
{
    char value[CLI_NUMBER_BYTES], next[CLI_NUMBER_BYTES];
    cli_double_write(edge->value, value);
    cli_double_write(edge->next, next);
    print_name(name, has_notes);
    printf("%s (%" PRIu64 " cell%s) is far from the others, which %s %s;\n", value, edge->count,
           edge->count == 1 ? "" : "s", edge->value < edge->next ? "begin at" : "end at", next);
    fputs("    --missing ", stdout);
    cli_print_name(stdout, name);
    printf("=%s leaves it out\n", value);
}

static void print_left_out(const struct cli_left_out *left_out, bool *has_notes)
{
    const struct cli_csv_odd *odd = &left_out->odd;
    print_name(left_out->name, has_notes);
    printf("left out: %" PRIu64 " of %" PRIu64 " cells are numbers, ", left_out->count,
           left_out->count + odd->count);
    print_first(odd);
    putchar('\n');
}

void cli_print_notes(const struct cli_description *description)
{
    bool has_notes = false;
    if (description->table == NULL)
        return;
    for (size_t s = 0; s < description->series_count; s += cli_description_groups(description)) {
        struct cli_column_total total;
        const char *name = description->series_names[s];
        cli_description_total(description, s, &total);
        if (total.odd.count > 0)
            print_odd(name, &total, &has_notes);
        for (int e = 0; e < CLI_EXTREME_COUNT; e++)
            if (cli_edges_has_sentinel(&total.edges, e))
                print_sentinel(name, &total.edges.edges[e], &has_notes);
    }
    for (size_t l = 0; l < description->left_out_count; l++)
        print_left_out(&description->left_out[l], &has_notes);
}
