/* SPDX-License-Identifier: Apache-2.0
 *
 * Records. A figure that does not exist is an empty cell. In comma-separated values, cells with
 * commas or quotes are quoted (RFC 4180). Control characters are escaped.
 */
#include "tools/describe/print.h"

#include "tools/describe/figures.h"
#include "tools/escape.h"
#include "tools/read/element.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line being printed. */
struct line {
    char separator;
    unsigned digits;
    bool has_cells;
    bool has_groups; /* a cell with the group after the name */
    const struct cli_quantile_list *quantiles;
};

static void put_text(struct line *line, const char *text)
{
    if (line->has_cells)
        putchar(line->separator);
    line->has_cells = true;
    char *escaped = cli_escape(text);
    const bool is_quoted =
        line->separator == ',' && escaped != NULL && strpbrk(escaped, ",\"") != NULL;
    fputs(is_quoted ? "\"" : "", stdout);
    for (const char *at = escaped; at != NULL && *at != '\0'; at++) {
        putchar(*at);
        if (is_quoted && *at == '"')
            putchar('"');
    }
    fputs(is_quoted ? "\"" : "", stdout);
    free(escaped);
}

static void put_count(struct line *line, uint64_t count)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, count);
    put_text(line, text);
}

static void put_figure(struct line *line, const char *figure)
{
    cli_figure rounded;
    cli_figure_round(figure, line->digits, rounded);
    put_text(line, rounded);
}

static void put_position(struct line *line, const struct cli_description *description,
                         const struct cli_extreme *extreme)
{
    char text[CLI_POSITION_BYTES] = "";
    if (extreme->is_there && description->table != NULL)
        snprintf(text, sizeof text, "%" PRIu64, extreme->row + 1);
    else if (extreme->is_there && description->has_axis)
        snprintf(text, sizeof text, "%" PRIu64, extreme->row);
    else if (extreme->is_there)
        cli_layout_write_position(&description->layout, extreme->row, text);
    put_text(line, text);
}

static void print_header(struct line line)
{
    static const char *const names[] = {"file",
                                        "dataset",
                                        "name",
                                        "type",
                                        "count",
                                        "missing",
                                        "text",
                                        "nan",
                                        "infinite",
                                        "minimum",
                                        "minimum_at",
                                        "maximum",
                                        "maximum_at",
                                        "sum",
                                        "mean",
                                        "median",
                                        "standard_deviation",
                                        "skewness"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        put_text(&line, names[n]);
        if (line.has_groups && strcmp(names[n], "name") == 0)
            put_text(&line, "group");
    }
    for (size_t q = 0; q < line.quantiles->count; q++) {
        char name[sizeof "quantile_" + CLI_NUMBER_BYTES], number[CLI_NUMBER_BYTES];
        cli_double_write(line.quantiles->probabilities[q], number);
        snprintf(name, sizeof name, "quantile_%s", number);
        put_text(&line, name);
    }
    putchar('\n');
}

static void print_record(const struct cli_description *description, size_t s, struct line line)
{
    const struct cli_summary *summary = &description->series[s];
    const struct cli_distribution *distribution = summary->distribution;
    struct cli_figures figures;
    cli_figures_find(summary, &figures);
    put_text(&line, description->file);
    put_text(&line, description->name);
    put_text(&line, description->series_names != NULL ? description->series_names[s] : "");
    if (line.has_groups)
        put_text(&line, description->by != NULL
                            ? description->groups.keys[s % description->groups.count].text
                            : "");
    put_text(&line, cli_element_name(summary->type));
    put_count(&line, summary->rows);
    put_count(&line, summary->missing);
    put_count(&line, summary->odd.count);
    put_count(&line, summary->part.nans);
    put_count(&line, summary->part.infinities);
    for (int e = 0; e < CLI_EXTREME_COUNT; e++) {
        put_figure(&line, figures.extremes[e]);
        put_position(&line, description, &summary->extremes[e]);
    }
    put_figure(&line, figures.sum);
    put_figure(&line, figures.mean);
    put_figure(&line, distribution != NULL ? distribution->median.text : "");
    put_figure(&line, figures.deviation);
    put_figure(&line, figures.skewness);
    for (size_t q = 0; q < line.quantiles->count; q++) {
        const bool is_there = distribution != NULL && q < distribution->quantile_count &&
                              distribution->quantiles[q].is_there;
        put_figure(&line, is_there ? distribution->quantiles[q].text : "");
    }
    putchar('\n');
}

void cli_print_records(const struct cli_description *description,
                       const struct cli_record_options *options, bool has_header)
{
    const struct line line = {.separator = options->separator,
                              .digits = options->digits,
                              .has_groups = options->has_groups,
                              .quantiles = options->quantiles};
    if (has_header)
        print_header(line);
    for (size_t s = 0; s < description->series_count; s++)
        print_record(description, s, line);
}
