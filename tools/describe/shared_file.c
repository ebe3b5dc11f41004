/* SPDX-License-Identifier: Apache-2.0
 *
 * Rank 0 opens a file first, and decides whether it is shared.
 */
#include "tools/describe/shared_file.h"

#include <string.h>
#include <sys/stat.h>

/* Whether other processes can open the file, too, and it is not compressed. */
static bool can_share(const struct cli_file *file)
{
    struct stat status;
    return strcmp(file->name, "-") != 0 && stat(file->name, &status) == 0 &&
           S_ISREG(status.st_mode) && cli_source_is_file(file->source);
}

/* Sends rank 0's number to all ranks. */
static uint64_t share_number(struct cli_job *job, uint64_t number)
{
    struct cli_packet packet = {.bytes = NULL};
    if (cli_job_own(job) == 0)
        cli_packet_put_number(&packet, number);
    cli_job_broadcast(job, &packet);
    number = cli_packet_get_number(&packet);
    cli_packet_free(&packet);
    return number;
}

bool cli_shared_file_open(struct cli_job *job, struct cli_file *file, const char *called,
                          const struct cli_file_options *options, enum cli_sharing *sharing,
                          struct cli_failure *failure)
{
    const bool is_root = cli_job_own(job) == 0;
    bool is_open = is_root && cli_file_open(file, called, options, failure);
    *sharing = is_root ? CLI_UNSHARED : CLI_NOT_WANTED;
    if (job == NULL)
        return is_open;
    if (share_number(job, is_open && can_share(file)) == 0)
        return is_open || !is_root;
    *sharing = CLI_SHARED;
    if (!is_root)
        is_open = cli_file_open(file, called, options, failure);
    const bool is_fine = cli_job_agree(job, is_open, failure);
    if (is_open && !is_fine)
        cli_file_close(file);
    return is_fine;
}

/* ---- Data sets --------------------------------------------------------------------------------*/

static void put_text(struct cli_packet *packet, const char *text)
{
    cli_packet_put(packet, text, strlen(text) + 1);
}

static void put_layout(struct cli_packet *packet, const struct cli_array *array)
{
    const struct cli_layout *layout = &array->layout;
    cli_packet_put_number(packet, layout->element.type);
    cli_packet_put_number(packet, layout->element.is_big_endian);
    cli_packet_put_number(packet, layout->is_fortran);
    cli_packet_put_number(packet, layout->dimensions);
    cli_packet_put(packet, layout->shape, layout->dimensions * sizeof *layout->shape);
    cli_packet_put_number(packet, layout->count);
    cli_packet_put_number(packet, array->is_random);
    cli_packet_put_number(packet, array->has_missing_value);
    if (array->has_missing_value)
        cli_packet_put(packet, array->missing_value, sizeof array->missing_value);
}

static void put_table(struct cli_packet *packet, const struct cli_table *table)
{
    const struct cli_csv *csv = &table->csv;
    cli_packet_put(packet, &csv->separator, 1);
    cli_packet_put(packet, &csv->quote, 1);
    cli_packet_put(packet, &csv->decimal, 1);
    cli_packet_put_number(packet, csv->data_offset);
    cli_packet_put_number(packet, csv->columns);
    for (size_t c = 0; c < csv->columns; c++) {
        cli_packet_put_number(packet, csv->types[c]);
        put_text(packet, csv->names[c]);
    }
}

/* Puts the properties that must be equal on all ranks. */
static void put_dataset(struct cli_packet *packet, const struct cli_file *file,
                        const struct cli_dataset *dataset)
{
    put_text(packet, file->format->name);
    cli_packet_put_number(packet, cli_source_bytes(file->source));
    put_text(packet, dataset->name);
    put_text(packet, dataset->note);
    if (dataset->table != NULL)
        put_table(packet, dataset->table);
    else
        put_layout(packet, &dataset->array);
}

/* Whether ranks can divide a data set. Of a compressed array nothing can be skipped. */
static bool can_divide(const struct cli_dataset *dataset)
{
    const struct cli_array *array = &dataset->array;
    return dataset->table != NULL || array->is_random || array->skip != NULL;
}

/* Whether all ranks have found rank 0's data set. */
static bool agree(struct cli_job *job, const struct cli_file *file,
                  const struct cli_dataset *dataset, bool is_there, struct cli_failure *failure)
{
    struct cli_packet packet = {.bytes = NULL};
    if (is_there)
        put_dataset(&packet, file, dataset);
    const bool is_fine = cli_job_agree_on(job, is_there ? &packet : NULL,
                                          "it is not the file that rank 0 reads", failure);
    cli_packet_free(&packet);
    return is_fine;
}

enum cli_next cli_shared_file_next(struct cli_job *job, struct cli_file *file,
                                   struct cli_dataset *dataset, enum cli_sharing *sharing,
                                   struct cli_failure *failure)
{
    const enum cli_next own = cli_file_next(file, dataset, failure);
    if (*sharing == CLI_UNSHARED)
        return own;
    const enum cli_next next = (enum cli_next)share_number(job, own);
    if (next != CLI_NEXT)
        return next;
    if (share_number(job, own == CLI_NEXT && can_divide(dataset)) == 0)
        *sharing = cli_job_own(job) == 0 ? CLI_UNSHARED : CLI_NOT_WANTED;
    else if (!agree(job, file, dataset, own == CLI_NEXT, failure))
        return CLI_NEXT_FAILED;
    return next;
}
