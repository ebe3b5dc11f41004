/* SPDX-License-Identifier: Apache-2.0
 *
 * Describes a data set: makes a block source, runs a pass, and summarises.
 */
#include "tools/describe/description.h"

#include "tools/describe/dataset_source.h"
#include "tools/describe/meter.h"
#include "tools/describe/pass.h"
#include "tools/describe/text_pass.h"
#include "tools/interrupt.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Summarises the results of a pass. */
static bool summarize(struct cli_description *description, const struct cli_pass *pass,
                      struct cli_failure *failure)
{
    assert(description->series_count == 0 || description->series != NULL);
    for (size_t s = 0; s < description->series_count; s++) {
        struct cli_summary *summary = &description->series[s];
        if (!cli_series_summarize(&pass->series[s], pass->source->is_named, summary, failure))
            return false;
        summary->is_text &= !pass->source->is_grouped; /* only columns may be text */
        summary->rows = description->rows;
    }
    return true;
}

/* Runs a pass over the block source, and further ones if needed; stores the series' summaries. */
static bool run_passes(struct cli_block_source *source, const struct cli_subject *subject,
                       const struct cli_describe_options *options,
                       struct cli_description *description, struct cli_failure *failure)
{
    struct cli_distributing distributing = {.options = &options->distribution, .subject = *subject};
    distributing.subject.block_tasks = 0; /* further passes are on the host */
    struct cli_meter meter;
    struct cli_pass pass = {.source = source,
                            .chosen = &options->chosen,
                            .meter = cli_job_own(subject->job) == 0 ? &meter : NULL,
                            .job = subject->job};
    const uint64_t count = subject->dataset->array.layout.count; /* of a table: 0 */
    cli_meter_begin(&meter, subject->file->called, subject->file->source,
                    count == CLI_COUNT_UNKNOWN ? 0 : count);
    description->series_count = source->series_count;
    description->series = calloc(source->series_count, sizeof *description->series);
    pass.series = calloc(source->series_count, sizeof *pass.series);
    bool is_fine = pass.series != NULL && description->series != NULL &&
                   cli_distributing_begin(&distributing, source->series_count, &pass.counting);
    if (!is_fine)
        cli_fail(failure, "%s", strerror(ENOMEM));
    is_fine = cli_job_agree(subject->job, is_fine, failure);
    if (is_fine && !(is_fine = cli_pass_run(&pass)))
        *failure = pass.failure;
    description->rows = pass.rows;
    description->comment_lines = pass.comment_lines;
    description->is_interrupted = cli_is_interrupted();
    is_fine = is_fine &&
              cli_job_agree(subject->job, summarize(description, &pass, failure), failure) &&
              cli_distributing_finish(&distributing, description->series, failure);
    description->is_cut_short = distributing.is_cut_short;
    for (size_t s = 0; s < source->series_count && pass.series != NULL; s++)
        cli_series_free(&pass.series[s]);
    free(pass.series);
    cli_distributing_free(&distributing);
    return is_fine;
}

static bool name_parts(struct cli_description *description, struct cli_failure *failure)
{
    description->series_names = calloc(2, sizeof *description->series_names);
    if (description->series_names == NULL)
        return cli_fail(failure, "%s", strerror(ENOMEM));
    description->series_names[0] = strdup("real");
    description->series_names[1] = strdup("imaginary");
    return (description->series_names[0] != NULL && description->series_names[1] != NULL) ||
           cli_fail(failure, "%s", strerror(ENOMEM));
}

static bool describe_axis(struct cli_axis_source *source, const struct cli_subject *subject,
                          const struct cli_describe_options *options,
                          struct cli_description *description, struct cli_failure *failure)
{
    const struct cli_array *array = source->array;
    char name[CLI_AXIS_NAME_BYTES];
    bool is_fine = true;
    description->layout = array->layout;
    description->has_axis = true;
    description->axis = source->axis;
    if (!run_passes(&source->base, subject, options, description, failure))
        return false;
    description->series_names =
        calloc(description->series_count, sizeof *description->series_names);
    is_fine = description->series_names != NULL;
    for (size_t s = 0; s < description->series_count && is_fine; s++) {
        struct cli_summary *summary = &description->series[s];
        summary->type = array->layout.element.type;
        summary->rows = summary->part.numbers + summary->part.nans + summary->missing;
        cli_axis_name(source, s, name);
        is_fine = (description->series_names[s] = strdup(name)) != NULL;
    }
    return is_fine || cli_fail(failure, "%s", strerror(ENOMEM));
}

static bool describe_array(struct cli_array_source *source, const struct cli_subject *subject,
                           const struct cli_describe_options *options,
                           struct cli_description *description, struct cli_failure *failure)
{
    const struct cli_array *array = source->array;
    const enum cli_element_type type = array->layout.element.type;
    const bool is_complex = cli_element_kind(type) == 'c';
    description->layout = array->layout;
    if (!run_passes(&source->base, subject, options, description, failure) ||
        (is_complex && !name_parts(description, failure)))
        return false;
    if (array->layout.count == CLI_COUNT_UNKNOWN)
        description->layout.count = description->layout.shape[0] = description->rows;
    for (size_t s = 0; s < description->series_count; s++)
        description->series[s].type = cli_element_part(type);
    return true;
}

size_t cli_description_groups(const struct cli_description *description)
{
    return description->by != NULL ? description->groups.count : 1;
}

void cli_description_total(const struct cli_description *description, size_t first,
                           struct cli_column_total *total)
{
    *total = (struct cli_column_total){.count = 0};
    for (size_t s = first; s < first + cli_description_groups(description); s++) {
        const struct cli_summary *summary = &description->series[s];
        const uint64_t odd = total->odd.count, other_decimals = total->odd.other_decimal_count;
        total->count += summary->part.numbers + summary->part.nans;
        total->is_boolean |= summary->is_boolean;
        cli_edges_add(&total->edges, &summary->edges);
        if (summary->odd.count > 0 && (odd == 0 || summary->odd.row < total->odd.row))
            total->odd = summary->odd;
        total->odd.count = odd + summary->odd.count;
        total->odd.other_decimal_count = other_decimals + summary->odd.other_decimal_count;
    }
}

/* Whether a column, by its first series, is text. */
static bool is_text(const struct cli_description *description, size_t first)
{
    struct cli_column_total total;
    if (description->by == NULL)
        return description->series[first].is_text;
    cli_description_total(description, first, &total);
    return total.odd.count > 0 &&
           (description->table->is_named ? total.count == 0
                                         : !cli_csv_is_nearly_all(total.count, total.odd.count));
}

/* Removes columns that turned out to be text. */
static void drop_text(struct cli_description *description)
{
    const size_t groups = cli_description_groups(description), all = description->series_count;
    size_t kept = 0;
    for (size_t first = 0; first < all; first += groups) {
        const bool is_dropped = is_text(description, first);
        description->text_count += is_dropped;
        for (size_t s = first; s < first + groups; s++)
            if (is_dropped) {
                free(description->series_names[s]);
                cli_distribution_free(description->series[s].distribution);
            } else {
                description->series[kept] = description->series[s];
                description->series_columns[kept] = description->series_columns[s];
                description->series_names[kept++] = description->series_names[s];
            }
    }
    description->series_count = kept;
}

static void note_left_out(struct cli_description *description, struct cli_left_out column)
{
    const bool has_hint = cli_csv_decimal_hint(&description->table->csv, &column.odd)[0] != '\0';
    if (column.odd.count > 0 && (column.is_unseen || column.count >= column.odd.count || has_hint))
        description->left_out[description->left_out_count++] = column;
}

/* Lists columns that were left out because of their first rows, and those that turned out to be
 * text. */
static bool find_left_out(struct cli_description *description)
{
    const struct cli_table *table = description->table;
    struct cli_column_total total;
    size_t first = 0;
    description->left_out = calloc(table->csv.columns, sizeof *description->left_out);
    if (description->left_out == NULL)
        return false;
    for (size_t c = 0; c < table->csv.columns && !table->is_named; c++) {
        const struct cli_csv_census *census = &table->csv.census[c];
        if (table->is_wanted[c]) {
            cli_description_total(description, first, &total);
            if (is_text(description, first))
                note_left_out(description, (struct cli_left_out){.name = table->csv.names[c],
                                                                 .count = total.count,
                                                                 .is_boolean = total.is_boolean,
                                                                 .odd = total.odd});
            first += cli_description_groups(description);
        } else if (!table->has_key || c != table->key) {
            note_left_out(description, (struct cli_left_out){.is_unseen = !table->is_all_seen,
                                                             .name = table->csv.names[c],
                                                             .count = census->count,
                                                             .is_boolean = census->is_boolean,
                                                             .odd = census->odd});
        }
    }
    return true;
}

/* Fails if a column that the user has named has no numbers. */
static bool check_named(const struct cli_description *description, struct cli_failure *failure)
{
    const size_t groups = cli_description_groups(description);
    struct cli_column_total total;
    for (size_t s = 0; s < description->series_count && description->table->is_named; s += groups) {
        cli_description_total(description, s, &total);
        if (is_text(description, s))
            return cli_fail(failure, "column '%s' is text: row %" PRIu64 " has '%s'%s",
                            description->series_names[s], total.odd.row + 1, total.odd.text,
                            cli_csv_decimal_hint(&description->table->csv, &total.odd));
    }
    return true;
}

/* Fails because all columns turned out to be text. */
static bool fail_without_numbers(const struct cli_description *description,
                                 struct cli_failure *failure)
{
    const char *hint = "";
    for (size_t l = 0; l < description->left_out_count && hint[0] == '\0'; l++)
        hint = cli_csv_decimal_hint(&description->table->csv, &description->left_out[l].odd);
    return cli_fail(failure, "has no numbers%s", hint);
}

static bool name_series(struct cli_description *description)
{
    const struct cli_table *table = description->table;
    const size_t groups = cli_description_groups(description);
    bool is_fine = true;
    description->series_names =
        calloc(description->series_count + 1, sizeof *description->series_names);
    description->series_columns =
        calloc(description->series_count + 1, sizeof *description->series_columns);
    if (description->series_names == NULL || description->series_columns == NULL)
        return false;
    for (size_t s = 0; s < description->series_count; s++) {
        const size_t column = table->columns[s / groups];
        description->series_columns[s] = column;
        description->series_names[s] = strdup(table->csv.names[column]);
        is_fine = is_fine && description->series_names[s] != NULL;
    }
    return is_fine;
}

/* A series without numbers gets the type f64. With groups, a series has the rows of its group only.
 */
static void complete_series(struct cli_description *description)
{
    for (size_t s = 0; s < description->series_count; s++) {
        struct cli_summary *summary = &description->series[s];
        const uint64_t count = summary->part.numbers + summary->part.nans;
        if (count == 0)
            summary->type = CLI_ELEMENT_f64;
        if (description->by != NULL)
            summary->rows = count + summary->missing + summary->odd.count;
    }
}

/* Determines which columns of the table, except the key, are text, according to the first rows or
 * to all; returns their number. */
static size_t find_text(const struct cli_description *description, bool *text)
{
    const struct cli_table *table = description->table;
    size_t count = 0, first = 0;
    for (size_t c = 0; c < table->csv.columns; c++) {
        text[c] = !table->is_named && !(table->has_key && c == table->key);
        if (table->is_wanted[c]) {
            text[c] = is_text(description, first);
            first += cli_description_groups(description);
        }
        count += text[c];
    }
    return count;
}

/* Counts the distinct values of columns of text. */
static bool find_distinct(struct cli_description *description, const struct cli_subject *subject,
                          struct cli_failure *failure)
{
    bool *text = calloc(description->table->csv.columns, sizeof *text);
    bool is_fine = text != NULL;
    if (is_fine)
        description->distinct_count = find_text(description, text);
    if (is_fine && description->distinct_count > 0)
        is_fine = (description->distinct =
                       calloc(description->distinct_count, sizeof *description->distinct)) != NULL;
    if (!is_fine)
        cli_fail(failure, "%s", strerror(ENOMEM));
    else if (description->distinct_count > 0)
        is_fine = cli_distinct_find(
            subject, text, description->distinct,
            description->table->column_count == 0 ? &description->rows : NULL, failure);
    description->has_distinct = is_fine;
    description->is_interrupted = cli_is_interrupted();
    if (!is_fine && description->is_interrupted) {
        cli_distinct_free(description->distinct, description->distinct_count);
        description->distinct = NULL;
        description->distinct_count = 0;
        is_fine = true;
    }
    free(text);
    return is_fine;
}

static bool describe_table(struct cli_block_source *source, const struct cli_subject *subject,
                           const struct cli_describe_options *options,
                           struct cli_description *description, struct cli_failure *failure)
{
    const struct cli_table *table = subject->dataset->table;
    uint64_t file_bytes;
    description->table = table;
    description->text_count = table->text_count;
    if (table->column_count > 0 && !run_passes(source, subject, options, description, failure))
        return false;
    cli_source_progress(subject->file->source, &description->table_bytes, &file_bytes);
    description->comment_lines += table->csv.comment_lines;
    if (!name_series(description) || !find_left_out(description))
        return cli_fail(failure, "%s", strerror(ENOMEM));
    if (!options->has_distinct && !check_named(description, failure))
        return false;
    if (options->has_distinct && cli_job_own(subject->job) == 0 &&
        !find_distinct(description, subject, failure))
        return false;
    complete_series(description);
    drop_text(description);
    return description->series_count > 0 || options->has_distinct ||
           fail_without_numbers(description, failure);
}

bool cli_describe_dataset(struct cli_file *file, const struct cli_dataset *dataset,
                          const struct cli_describe_options *options,
                          struct cli_description *description, struct cli_failure *failure)
{
    const enum cli_element_type type = dataset->array.layout.element.type;
    struct cli_subject subject = {file,         dataset, options->has_axis ? &options->axis : NULL,
                                  options->job, NULL,    0};
    struct cli_dataset_source source;
    size_t threads;
    *description =
        (struct cli_description){.file = file->name, .name = dataset->name, .note = dataset->note};
    bool is_fine = true;
    if (dataset->table != NULL && dataset->table->has_key) {
        is_fine = cli_groups_find(&subject, &description->groups, failure);
        subject.groups = &description->groups;
        description->by = dataset->table->csv.names[dataset->table->key];
    }
    if (options->job == NULL && dataset->table == NULL)
        cli_pass_measure(&options->chosen, type, &threads, &subject.block_tasks);
    is_fine =
        is_fine &&
        cli_job_agree(options->job, cli_dataset_source_open(&source, &subject, failure), failure);
    if (is_fine && dataset->table != NULL)
        is_fine = describe_table(source.blocks, &subject, options, description, failure);
    else if (is_fine && source.blocks == &source.axis.base)
        is_fine = describe_axis(&source.axis, &subject, options, description, failure);
    else if (is_fine)
        is_fine = describe_array(&source.array, &subject, options, description, failure);
    if (!is_fine)
        cli_description_free(description);
    return is_fine;
}

void cli_description_free(struct cli_description *description)
{
    for (size_t s = 0; s < description->series_count && description->series_names != NULL; s++)
        free(description->series_names[s]);
    for (size_t s = 0; s < description->series_count && description->series != NULL; s++)
        cli_distribution_free(description->series[s].distribution);
    free(description->series_names);
    free(description->series_columns);
    free(description->left_out);
    cli_keys_free(&description->groups);
    cli_distinct_free(description->distinct, description->distinct_count);
    free(description->series);
    *description = (struct cli_description){.rows = 0};
}
