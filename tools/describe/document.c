/* SPDX-License-Identifier: Apache-2.0
 *
 * Descriptions in JSON, for `reap describe --json`.
 */
#include "tools/describe/print.h"

#include "tools/describe/distribution.h"
#include "tools/describe/figures.h"
#include "tools/json.h"

#include <ctype.h>
#include <string.h>

/* Puts a figure: a number as text, or null for a word such as nan. */
static void put_figure(struct cli_json *json, const char *key, const char *figure)
{
    const char *digits = figure[0] == '-' ? figure + 1 : figure;
    if (isdigit((unsigned char)digits[0]))
        cli_json_put_digits(json, key, figure);
    else
        cli_json_put_null(json, key);
}

static void put_position(struct cli_json *json, const char *key,
                         const struct cli_description *description, uint64_t row)
{
    uint64_t coordinates[CLI_MOST_DIMENSIONS];
    if (description->table != NULL) {
        cli_json_put_unsigned(json, key, row + 1);
        return;
    }
    if (description->has_axis) {
        cli_json_put_unsigned(json, key, row);
        return;
    }
    cli_layout_coordinates(&description->layout, row, coordinates);
    cli_json_open_array(json, key);
    for (unsigned d = 0; d < description->layout.dimensions; d++)
        cli_json_put_unsigned(json, NULL, coordinates[d]);
    cli_json_close(json);
}

static void put_extreme(struct cli_json *json, const struct cli_description *description,
                        const struct cli_summary *summary, const struct cli_figures *figures, int e)
{
    static const char *const keys[][2] = {{"minimum", "minimum_at"}, {"maximum", "maximum_at"}};
    put_figure(json, keys[e][0], figures->extremes[e]);
    if (summary->extremes[e].is_there)
        put_position(json, keys[e][1], description, summary->extremes[e].row);
    else
        cli_json_put_null(json, keys[e][1]);
}

static void put_quantiles(struct cli_json *json, const struct cli_distribution *distribution)
{
    cli_json_open_array(json, "quantiles");
    for (size_t q = 0; q < distribution->quantile_count; q++) {
        const struct cli_quantile *quantile = &distribution->quantiles[q];
        cli_json_open_object(json, NULL);
        cli_json_put_double(json, "probability", quantile->probability);
        put_figure(json, "value", quantile->is_there ? quantile->text : "");
        cli_json_put_double(json, "error", quantile->error);
        cli_json_close(json);
    }
    cli_json_close(json);
}

static void put_edge(struct cli_json *json, const struct cli_histogram *histogram, size_t edge)
{
    char text[CLI_EDGE_BYTES];
    if (!histogram->is_of_integers) {
        cli_json_put_double(json, NULL, histogram->edges[edge]);
        return;
    }
    cli_histogram_write_integer(histogram, edge, text);
    cli_json_put_digits(json, NULL, text);
}

static void put_histogram(struct cli_json *json, const struct cli_histogram *histogram)
{
    cli_json_open_object(json, "histogram");
    cli_json_put_bool(json, "exact", histogram->is_exact);
    cli_json_open_array(json, "edges");
    for (size_t e = 0; histogram->bins > 0 && e <= histogram->bins; e++)
        put_edge(json, histogram, e);
    cli_json_close(json);
    cli_json_open_array(json, "counts");
    for (size_t b = 0; b < histogram->bins; b++)
        cli_json_put_unsigned(json, NULL, histogram->counts[b]);
    cli_json_close(json);
    cli_json_close(json);
}

static void put_odd(struct cli_json *json, const struct cli_csv_odd *odd)
{
    cli_json_put_unsigned(json, "text", odd->count);
    if (odd->count == 0)
        return;
    cli_json_put_unsigned(json, "text_at", odd->row + 1);
    if (odd->text[0] != '\0')
        cli_json_put_text(json, "text_first", odd->text);
    else
        cli_json_put_null(json, "text_first"); /* unknown: group_source.c, add_odd */
    if (odd->other_decimal_count > 0)
        cli_json_put_unsigned(json, "text_other_decimal", odd->other_decimal_count);
}

static void put_sentinels(struct cli_json *json, const struct cli_edges *edges)
{
    if (!cli_edges_has_sentinel(edges, CLI_MINIMUM) && !cli_edges_has_sentinel(edges, CLI_MAXIMUM))
        return;
    cli_json_open_array(json, "sentinels");
    for (int e = 0; e < CLI_EXTREME_COUNT; e++) {
        if (!cli_edges_has_sentinel(edges, e))
            continue;
        cli_json_open_object(json, NULL);
        cli_json_put_double(json, "value", edges->edges[e].value);
        cli_json_put_unsigned(json, "count", edges->edges[e].count);
        cli_json_close(json);
    }
    cli_json_close(json);
}

static void put_left_out(struct cli_json *json, const struct cli_description *description)
{
    cli_json_open_array(json, "left_out");
    for (size_t l = 0; l < description->left_out_count; l++) {
        const struct cli_left_out *left_out = &description->left_out[l];
        cli_json_open_object(json, NULL);
        cli_json_put_text(json, "name", left_out->name);
        cli_json_put_unsigned(json, "numbers", left_out->count);
        put_odd(json, &left_out->odd);
        cli_json_close(json);
    }
    cli_json_close(json);
}

static void put_distinct(struct cli_json *json, const struct cli_description *description)
{
    cli_json_open_array(json, "distinct");
    for (size_t d = 0; d < description->distinct_count; d++) {
        const struct cli_distinct *distinct = &description->distinct[d];
        cli_json_open_object(json, NULL);
        cli_json_put_text(json, "name", distinct->name);
        cli_json_put_unsigned(json, "missing", distinct->missing);
        if (distinct->is_cut)
            cli_json_put_null(json, "values");
        else
            cli_json_put_unsigned(json, "values", distinct->count);
        cli_json_open_array(json, "frequent");
        for (size_t f = 0; f < distinct->frequent_count; f++) {
            cli_json_open_object(json, NULL);
            cli_json_put_text(json, "value", distinct->frequent[f].text);
            cli_json_put_unsigned(json, "count", distinct->frequent[f].count);
            cli_json_close(json);
        }
        cli_json_close(json);
        cli_json_close(json);
    }
    cli_json_close(json);
}

static void put_series(struct cli_json *json, const struct cli_description *description, size_t s)
{
    const struct cli_summary *summary = &description->series[s];
    struct cli_figures figures;
    cli_figures_find(summary, &figures);
    cli_json_open_object(json, NULL);
    if (description->series_names != NULL)
        cli_json_put_text(json, "name", description->series_names[s]);
    else
        cli_json_put_null(json, "name");
    if (description->by != NULL) {
        const struct cli_key *key = &description->groups.keys[s % description->groups.count];
        if (key->length > 0)
            cli_json_put_text(json, "group", key->text);
        else
            cli_json_put_null(json, "group");
    }
    cli_json_put_text(json, "type", cli_element_name(summary->type));
    if (summary->is_wide)
        cli_json_put_bool(json, "rounded", true);
    cli_json_put_unsigned(json, "count", summary->rows);
    cli_json_put_unsigned(json, "missing", summary->missing);
    if (description->table != NULL)
        put_odd(json, &summary->odd);
    cli_json_put_unsigned(json, "nan", summary->part.nans);
    cli_json_put_unsigned(json, "infinite", summary->part.infinities);
    for (int e = 0; e < CLI_EXTREME_COUNT; e++)
        put_extreme(json, description, summary, &figures, e);
    put_figure(json, "sum", figures.sum);
    put_figure(json, "mean", figures.mean);
    if (summary->distribution != NULL && summary->distribution->has_median)
        put_figure(json, "median", summary->distribution->median.text);
    put_figure(json, "standard_deviation", figures.deviation);
    put_figure(json, "skewness", figures.skewness);
    if (description->table != NULL)
        put_sentinels(json, &summary->edges);
    if (summary->distribution != NULL && summary->distribution->quantile_count > 0)
        put_quantiles(json, summary->distribution);
    if (summary->distribution != NULL && summary->distribution->has_histogram)
        put_histogram(json, &summary->distribution->histogram);
    cli_json_close(json);
}

static void put_layout(struct cli_json *json, const struct cli_description *description)
{
    const struct cli_layout *layout = &description->layout;
    cli_json_put_text(json, "type", cli_element_name(layout->element.type));
    cli_json_put_text(json, "byte_order", layout->element.is_big_endian ? "big" : "little");
    cli_json_put_text(json, "order", layout->is_fortran ? "Fortran" : "C");
    cli_json_open_array(json, "shape");
    for (unsigned d = 0; d < layout->dimensions; d++)
        cli_json_put_unsigned(json, NULL, layout->shape[d]);
    cli_json_close(json);
    cli_json_put_unsigned(json, "bytes", cli_layout_bytes(layout));
    if (description->has_axis)
        cli_json_put_unsigned(json, "axis", description->axis);
}

bool cli_print_document(const struct cli_description *description, const struct cli_rate *rate)
{
    struct cli_json json = {.depth = 0};
    cli_json_open_object(&json, NULL);
    cli_json_put_text(&json, "file", description->file);
    if (description->name[0] != '\0')
        cli_json_put_text(&json, "dataset", description->name);
    else
        cli_json_put_null(&json, "dataset");
    if (description->table != NULL) {
        cli_json_put_unsigned(&json, "rows", description->rows);
        cli_json_put_unsigned(&json, "columns", description->table->csv.columns);
        cli_json_put_unsigned(&json, "text_columns", description->text_count);
        cli_json_put_unsigned(&json, "comment_lines", description->comment_lines);
        if (description->by != NULL)
            cli_json_put_text(&json, "by", description->by);
        put_left_out(&json, description);
        if (description->has_distinct)
            put_distinct(&json, description);
        cli_json_put_unsigned(&json, "bytes", description->table_bytes);
    } else {
        put_layout(&json, description);
    }
    if (description->note[0] != '\0')
        cli_json_put_text(&json, "note", description->note);
    cli_json_put_bool(&json, "interrupted", description->is_interrupted);
    cli_json_open_array(&json, "series");
    for (size_t s = 0; s < description->series_count; s++)
        put_series(&json, description, s);
    cli_json_close(&json);
    if (rate != NULL) {
        cli_json_put_double(&json, "seconds", rate->seconds);
        cli_json_put_double(&json, "read_bandwidth", rate->bandwidth);
    }
    cli_json_close(&json);
    return cli_json_print(&json);
}
