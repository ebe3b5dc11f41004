/* SPDX-License-Identifier: Apache-2.0
 *
 * `reap describe FILE...`: a block of statistics for each file. For a file that cannot be read,
 * standard error has a line, and the others are described.
 */
#include "tools/command.h"
#include "tools/chosen_device.h"
#include "tools/describe/description.h"
#include "tools/describe/print.h"
#include "tools/describe/shared_file.h"
#include "tools/interrupt.h"
#include "tools/json.h"
#include "tools/message.h"
#include "tools/number.h"
#include "tools/read/file.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char help[] =
    "usage: reap describe [OPTION]... [FILE]...\n\nPrints statistics of the numbers in files: "
    ".npy, .npz, HDF5, NetCDF, tables in\ntext, or raw numbers, compressed ones too; FILE:NAME is "
    "a data set in a file;\n- or no FILE is standard input. They are the count, missing values, "
    "NaNs,\ninfinities, minimum and maximum with their positions, sum, mean, median,\nstandard "
    "deviation and skewness.\n\n  --type TYPE      the files are raw numbers of this type: bool, "
    "i8, i16, i32,\n                   i64, u8, u16, u32, u64, f16, f32, f64, c64, c128\n  "
    "--big-endian     their most significant byte comes first\n  --offset BYTES   skip so many "
    "bytes at the beginning\n  --shape SHAPE    raw numbers are an array of this shape, such as "
    "61x12\n  --list           print what is in the files: arrays, and columns of tables\n  "
    "--columns LIST   of a table: these columns, by name or number from 1 (@1 is\n                 "
    "  never a name), with commas\n  --by COLUMN      of a table: the rows with each value of this "
    "column\n  --distinct       count the different values of columns of text\n  --separator C, "
    "--quote C, --decimal C\n                   how a table is written: , ; | : tab, a blank; \" ' "
    "none; . ,\n  --comment MARK   how a table's comments begin, or none; # % // are recognised\n  "
    "--missing LIST   values of cells that mean there is none, such as -999,n.d.;\n                "
    "   column=value is one of that column only\n  --header, --no-header\n                   "
    "whether a table's first row has the columns' names\n  --allow-outside  read also what an HDF5 "
    "file has in files outside its folder\n  --timeout SECONDS\n                   how long the "
    "libraries of HDF5 and NetCDF may take for a\n                   block of a file; the default "
    "is 300\n  --axis N         an array: along axis N, from 0, or from -1 backwards\n  "
    "--quantiles LIST quantiles, as 0.05,0.5,0.95 or 5%,50%,95%\n  --histogram, --no-histogram\n   "
    "                whether to draw histograms; on a terminal they are drawn\n  --transpose, "
    "--no-transpose\n                   a row for each column of a table, with fewer digits, or "
    "a\n                   column for each; the default is rows for more than 4\n  --digits N      "
    " round figures to so many digits, 1 to 17\n  --json           print a line of JSON for each "
    "data set\n  --csv, --tsv     print a record for each column of a table, or array, with\n      "
    "             commas or tabs, after a header\n  --device DEVICE  where they are described: "
    "host, opencl:0, cuda:0; the same is\n                   printed; the default is what "
    "REAP_DEVICE says, else host\n  --device-memory SIZE\n                   how much of the "
    "device's memory may be used, at least 4M; K,\n                   M or G after a number: times "
    "2^10, 2^20, 2^30 bytes\n  --no-mpi         if mpirun started it: describe the files in each "
    "process, not\n                   in all of them together\n  --rate           also print how "
    "fast a file was read, and how fast this\n                   machine reads memory\n  --help    "
    "       print this\n";

struct settings {
    struct cli_file_options file;
    struct cli_device_options device_options;
    struct cli_describe_options describe;
    bool prints_list;
    bool prints_json;
    char separator; /* of records; 0: none */
    struct cli_report_options report;
    const char *table_option; /* the first given option that is for tables; NULL: none */
    int histogram;            /* HISTOGRAM, NO_HISTOGRAM; 0: on a terminal */
    bool shows_rate;
    bool is_alone;                /* --no-mpi */
    struct cli_job *job;          /* NULL: not started by mpirun, or with one rank */
    struct cli_failure complaint; /* of a rank that does not print */
    double
        bandwidth; /* 0 until it is measured: at the beginning with a job, otherwise after a file */
    bool has_printed;          /* a description was printed */
    bool has_said_interrupted; /* so has the line about an interrupt */
};

/* Reports, once, that an interrupt came. */
static void say_interrupted(struct settings *settings, const char *name, const char *what)
{
    if (!settings->has_said_interrupted)
        cli_complain(name, "interrupted%s", what);
    settings->has_said_interrupted = true;
}

static void say_undescribed(struct settings *settings, const char *name)
{
    say_interrupted(settings, name, " before it was described");
}

/* Reports a failure and returns false. After an interrupt it may not be an error of the file. */
static bool complain(const struct cli_file *file, const struct cli_dataset *dataset,
                     struct settings *settings, const struct cli_failure *failure)
{
    if (cli_is_interrupted()) {
        say_undescribed(settings, file->name);
        return false;
    }
    char name[CLI_DATASET_NAME_BYTES + 512];
    snprintf(name, sizeof name, "%s%s%s", file->name, dataset->name[0] != '\0' ? ":" : "",
             dataset->name);
    cli_complain(name, "%s", failure->text);
    return false;
}

/* Prints a line of JSON, records, or a block of text, which an empty line separates from the
 * previous one. */
static bool print_description(const struct cli_description *description, struct settings *settings,
                              const struct cli_rate *rate)
{
    const bool is_first = !settings->has_printed;
    settings->has_printed = true;
    if (settings->prints_json)
        return cli_print_document(description, rate);
    if (settings->separator != '\0') {
        const struct cli_record_options options = {.separator = settings->separator,
                                                   .digits = settings->report.digits,
                                                   .has_groups = settings->file.table.by != NULL,
                                                   .quantiles =
                                                       &settings->describe.distribution.quantiles};
        cli_print_records(description, &options, is_first);
        return true;
    }
    if (!is_first)
        putchar('\n');
    if (cli_report(description, &settings->report, rate))
        return true;
    cli_complain(description->file, "%s", strerror(ENOMEM));
    return false;
}

/* Fails for an option that does not apply to this kind of data set. */
static bool check_options(const struct settings *settings, const struct cli_dataset *dataset,
                          struct cli_failure *failure)
{
    if (dataset->table == NULL && settings->table_option != NULL)
        return cli_fail(failure, "--%s is for tables, and this is an array",
                        settings->table_option);
    return dataset->table == NULL || !settings->describe.has_axis ||
           cli_fail(failure, "--axis is for arrays, and this is a table");
}

static bool describe_dataset(struct cli_file *file, const struct cli_dataset *dataset,
                             struct settings *settings, double begin)
{
    struct cli_description description;
    struct cli_failure failure = {""};
    if (!check_options(settings, dataset, &failure))
        return complain(file, dataset, settings, &failure);
    if (settings->prints_list) {
        if (cli_job_own(settings->job) == 0)
            cli_print_list(file, dataset);
        if (cli_is_interrupted())
            say_interrupted(settings, file->name, ": only the data read so far are listed");
        return true;
    }
    if (!cli_describe_dataset(file, dataset, &settings->describe, &description, &failure))
        return complain(file, dataset, settings, &failure);
    if (cli_job_own(settings->job) > 0) {
        cli_description_free(&description);
        return true;
    }
    struct cli_rate rate = {.seconds = cli_now() - begin};
    bool is_fine = true;
    if (description.is_interrupted && description.rows == 0) {
        say_undescribed(settings, file->name);
        cli_description_free(&description);
        return true;
    }
    if (settings->shows_rate && settings->bandwidth == 0)
        is_fine = cli_measure_bandwidth(&settings->bandwidth);
    rate.bandwidth = settings->bandwidth;
    if (is_fine)
        is_fine = print_description(&description, settings, settings->shows_rate ? &rate : NULL);
    if (description.is_interrupted)
        say_interrupted(settings, file->name, ": only the data read so far are described");
    else if (description.is_cut_short)
        say_interrupted(settings, file->name,
                        ": quantiles and histograms are estimates, or missing");
    cli_description_free(&description);
    return is_fine;
}

/* Describes the file's data sets; after an interrupt the first one, as far as it was read. Returns
 * the exit status. */
static int describe_file(const char *name, struct settings *settings)
{
    struct cli_failure failure = {""};
    struct cli_file file;
    struct cli_dataset dataset;
    enum cli_sharing sharing, dataset_sharing;
    enum cli_next next;
    int status = CLI_FINE;
    double begin = cli_now();
    if (!cli_shared_file_open(settings->job, &file, name, &settings->file, &sharing, &failure)) {
        if (cli_is_interrupted())
            say_undescribed(settings, name);
        else
            cli_complain(name, "%s", failure.text);
        return CLI_BAD_INPUT;
    }
    if (sharing == CLI_NOT_WANTED)
        return CLI_FINE;
    for (bool is_first = true; is_first || !cli_is_interrupted(); is_first = false) {
        dataset_sharing = sharing;
        next = cli_shared_file_next(settings->job, &file, &dataset, &dataset_sharing, &failure);
        if (next == CLI_NO_MORE)
            break;
        settings->describe.job = dataset_sharing == CLI_SHARED ? settings->job : NULL;
        const bool is_fine = dataset_sharing == CLI_NOT_WANTED ||
                             (next == CLI_NEXT ? describe_dataset(&file, &dataset, settings, begin)
                                               : complain(&file, &dataset, settings, &failure));
        status = is_fine ? status : CLI_BAD_INPUT;
        failure.text[0] = '\0';
        begin = cli_now();
    }
    if (cli_is_interrupted() && file.format->single == NULL)
        say_interrupted(settings, name, " before all of it was described");
    cli_file_close(&file);
    return status;
}

static int describe_files(int count, char **names, struct settings *settings)
{
    int status = CLI_FINE, f = 0;
    for (; f < count && !cli_is_interrupted(); f++) {
        if (describe_file(names[f], settings) != CLI_FINE)
            status = CLI_BAD_INPUT;
        struct cli_failure failure = {""};
        const bool is_written = cli_job_own(settings->job) > 0 || cli_flush();
        if (!cli_job_agree(settings->job, is_written, &failure))
            return CLI_BAD_INPUT;
    }
    if (f < count)
        say_undescribed(settings, names[f]);
    return cli_is_interrupted() ? CLI_INTERRUPTED : status;
}

/* ---- Options ----------------------------------------------------------------------------------*/

static bool read_type(const char *called, const char *text, struct cli_file_options *file)
{
    file->is_raw = cli_element_find(text, &file->element.type);
    if (!file->is_raw)
        cli_complain_usage(called, "--type: '%s' is not a type; --help lists them", text);
    return file->is_raw;
}

static bool read_offset(const char *called, const char *text, struct cli_file_options *file)
{
    char *end;
    errno = 0;
    const unsigned long long offset = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || offset > INT64_MAX) {
        cli_complain_usage(called, "--offset: '%s' is not a number of bytes", text);
        return false;
    }
    file->offset = offset;
    return true;
}

/* Reads a shape: numbers separated by x or a comma. Elements of at most 16 bytes must fit in a
 * file, even if a length were not 0. */
static bool read_shape(const char *called, const char *text, struct cli_file_options *file)
{
    const uint64_t most = INT64_MAX / 16;
    uint64_t count = 1;
    const char *at = text;
    for (file->dimensions = 0; file->dimensions < CLI_MOST_DIMENSIONS; at++) {
        char *end;
        errno = 0;
        const unsigned long long length = strtoull(at, &end, 10);
        if (*at < '0' || *at > '9' || errno != 0 || length > most / count)
            break;
        count *= length > 0 ? length : 1;
        file->shape[file->dimensions++] = length;
        at = end;
        if (*at == '\0')
            return true;
        if (*at != 'x' && *at != ',')
            break;
    }
    cli_complain_usage(called, "--shape: '%s' is not a shape, such as 61x12", text);
    return false;
}

/* Checks the options together, once each is valid. */
static bool check_settings(const char *called, const struct settings *settings, int file_count)
{
    const struct cli_file_options *file = &settings->file;
    if (!file->is_raw &&
        (file->element.is_big_endian || file->offset > 0 || file->dimensions > 0)) {
        cli_complain_usage(called,
                           "--big-endian, --offset and --shape are for raw numbers; add --type");
        return false;
    }
    if (settings->prints_list && (settings->prints_json || settings->separator != '\0')) {
        cli_complain_usage(called, "--list is text; it excludes --json, --csv and --tsv");
        return false;
    }
    if (settings->prints_json && settings->separator != '\0') {
        cli_complain_usage(called, "--json, --csv and --tsv exclude each other");
        return false;
    }
    if (settings->prints_json && !cli_json_is_here())
        return false;
    if (file_count == 0)
        cli_complain_usage(called, "FILE is missing; --help says more");
    return file_count > 0;
}

enum choice {
    TYPE = 1,
    BIG_ENDIAN_ORDER,
    OFFSET,
    SHAPE,
    LIST,
    COLUMNS,
    BY,
    DISTINCT,
    SEPARATOR,
    QUOTE,
    DECIMAL,
    COMMENT,
    MISSING,
    HEADER,
    NO_HEADER,
    ALLOW_OUTSIDE,
    TIMEOUT,
    AXIS,
    QUANTILES,
    HISTOGRAM,
    NO_HISTOGRAM,
    TRANSPOSE,
    NO_TRANSPOSE,
    DIGITS,
    JSON,
    CSV,
    TSV,
    DEVICE,
    DEVICE_MEMORY,
    NO_MPI,
    RATE,
    HELP
};

static const struct option options[] = {{"type", required_argument, NULL, TYPE},
                                        {"big-endian", no_argument, NULL, BIG_ENDIAN_ORDER},
                                        {"offset", required_argument, NULL, OFFSET},
                                        {"shape", required_argument, NULL, SHAPE},
                                        {"list", no_argument, NULL, LIST},
                                        {"columns", required_argument, NULL, COLUMNS},
                                        {"by", required_argument, NULL, BY},
                                        {"distinct", no_argument, NULL, DISTINCT},
                                        {"separator", required_argument, NULL, SEPARATOR},
                                        {"quote", required_argument, NULL, QUOTE},
                                        {"decimal", required_argument, NULL, DECIMAL},
                                        {"comment", required_argument, NULL, COMMENT},
                                        {"missing", required_argument, NULL, MISSING},
                                        {"header", no_argument, NULL, HEADER},
                                        {"no-header", no_argument, NULL, NO_HEADER},
                                        {"allow-outside", no_argument, NULL, ALLOW_OUTSIDE},
                                        {"timeout", required_argument, NULL, TIMEOUT},
                                        {"axis", required_argument, NULL, AXIS},
                                        {"quantiles", required_argument, NULL, QUANTILES},
                                        {"histogram", no_argument, NULL, HISTOGRAM},
                                        {"no-histogram", no_argument, NULL, NO_HISTOGRAM},
                                        {"transpose", no_argument, NULL, TRANSPOSE},
                                        {"no-transpose", no_argument, NULL, NO_TRANSPOSE},
                                        {"digits", required_argument, NULL, DIGITS},
                                        {"json", no_argument, NULL, JSON},
                                        {"csv", no_argument, NULL, CSV},
                                        {"tsv", no_argument, NULL, TSV},
                                        {"device", required_argument, NULL, DEVICE},
                                        {"device-memory", required_argument, NULL, DEVICE_MEMORY},
                                        {"no-mpi", no_argument, NULL, NO_MPI},
                                        {"rate", no_argument, NULL, RATE},
                                        {"help", no_argument, NULL, HELP},
                                        {NULL, 0, NULL, 0}};

static bool read_axis(const char *called, const char *text, struct cli_describe_options *describe)
{
    char *end;
    errno = 0;
    describe->axis = strtol(text, &end, 10);
    describe->has_axis = true;
    if (*text != '\0' && *end == '\0' && errno == 0)
        return true;
    cli_complain_usage(called, "--axis: '%s' is not a number", text);
    return false;
}

/* Reads one of the allowed characters, or "tab". `said` lists them for messages. */
static bool read_character(const char *called, const char *option, const char *allowed,
                           const char *said, char *character)
{
    const char *text = strcmp(optarg, "tab") == 0 || strcmp(optarg, "\\t") == 0 ? "\t" : optarg;
    *character = text[0];
    if (text[0] != '\0' && text[1] == '\0' && strchr(allowed, text[0]) != NULL)
        return true;
    cli_complain_usage(called, "--%s: '%s' is none of these: %s", option, optarg, said);
    return false;
}

/* Reads one to three characters that begin neither a number nor a word; or "none". */
static bool read_comment(const char *called, struct cli_csv_options *csv)
{
    const size_t length = strlen(optarg);
    csv->has_no_comments = strcmp(optarg, "none") == 0;
    snprintf(csv->comment, sizeof csv->comment, "%s", csv->has_no_comments ? "" : optarg);
    if (csv->has_no_comments || (length > 0 && length < CLI_CSV_COMMENT_BYTES &&
                                 strspn(optarg, "#%/;!$&*@<=>?\\^_`|~-") == length))
        return true;
    cli_complain_usage(called,
                       "--comment: '%s' is none of these: # %% // ; ! --, other marks of "
                       "one to three characters, none",
                       optarg);
    return false;
}

static bool take_table_option(const char *called, int choice, struct cli_table_options *table)
{
    switch (choice) {
    case COLUMNS:
        table->columns = optarg;
        return true;
    case BY:
        table->by = optarg;
        return true;
    case SEPARATOR:
        return read_character(called, "separator", ",;|: \t", ", ; | : tab, a blank",
                              &table->csv.separator);
    case QUOTE:
        table->csv.has_no_quotes = strcmp(optarg, "none") == 0;
        return table->csv.has_no_quotes ||
               read_character(called, "quote", "\"'", "\" ' none", &table->csv.quote);
    case DECIMAL:
        return read_character(called, "decimal", ".,", ". ,", &table->csv.decimal);
    case COMMENT:
        return read_comment(called, &table->csv);
    case MISSING:
        table->csv.missing = optarg;
        return true;
    default:
        table->csv.header = choice == HEADER ? CLI_CSV_HEADER : CLI_CSV_NO_HEADER;
        return true;
    }
}

static bool read_digits(const char *called, const char *text, unsigned *digits)
{
    const size_t length = strlen(text);
    *digits = (unsigned)strtoul(text, NULL, 10);
    if (length > 0 && length < 3 && strspn(text, "0123456789") == length && *digits >= 1 &&
        *digits <= 17)
        return true;
    cli_complain_usage(called, "--digits: '%s' is not a number from 1 to 17", text);
    return false;
}

static bool take_separator(const char *called, char separator, struct settings *settings)
{
    if (settings->separator != '\0' && settings->separator != separator) {
        cli_complain_usage(called, "--json, --csv and --tsv exclude each other");
        return false;
    }
    settings->separator = separator;
    return true;
}

static bool take_output_option(const char *called, int choice, struct settings *settings)
{
    if (choice == DIGITS)
        return read_digits(called, optarg, &settings->report.digits);
    if (choice == TRANSPOSE || choice == NO_TRANSPOSE)
        settings->report.rows = choice == TRANSPOSE ? CLI_ROWS : CLI_NO_ROWS;
    else if (choice == LIST)
        settings->prints_list = settings->file.table.accepts_text = true;
    else if (choice == JSON)
        settings->prints_json = true;
    else
        return take_separator(called, choice == CSV ? ',' : '\t', settings);
    return true;
}

static void note_table_option(int choice, struct settings *settings)
{
    if (settings->table_option == NULL)
        settings->table_option = options[choice - TYPE].name;
}

/* Options for the device and the ranks. */
static bool take_place_option(const char *called, int choice, struct settings *settings)
{
    switch (choice) {
    case DEVICE:
        settings->device_options.device = optarg;
        return true;
    case DEVICE_MEMORY:
        return cli_chosen_device_read_memory(called, optarg,
                                             &settings->device_options.memory_bytes);
    case NO_MPI:
        settings->is_alone = true;
        return true;
    default: /* RATE */
        settings->shows_rate = true;
        return true;
    }
}

/* Handles an option other than --help; returns false if its argument is wrong. */
static bool take_option(const char *called, int choice, struct settings *settings)
{
    switch (choice) {
    case TYPE:
        return read_type(called, optarg, &settings->file);
    case BIG_ENDIAN_ORDER:
        settings->file.element.is_big_endian = true;
        return true;
    case OFFSET:
        return read_offset(called, optarg, &settings->file);
    case SHAPE:
        return read_shape(called, optarg, &settings->file);
    case COLUMNS:
    case BY:
    case SEPARATOR:
    case QUOTE:
    case DECIMAL:
    case COMMENT:
    case MISSING:
    case HEADER:
    case NO_HEADER:
        note_table_option(choice, settings);
        return take_table_option(called, choice, &settings->file.table);
    case DISTINCT:
        note_table_option(choice, settings);
        settings->describe.has_distinct = settings->file.table.accepts_text = true;
        return true;
    case ALLOW_OUTSIDE:
        settings->file.allows_outside = true;
        return true;
    case TIMEOUT:
        return cli_number_read_seconds(called, optarg, &settings->file.seconds);
    case AXIS:
        return read_axis(called, optarg, &settings->describe);
    case QUANTILES:
        return cli_quantiles_read(called, optarg, &settings->describe.distribution.quantiles);
    case HISTOGRAM:
    case NO_HISTOGRAM:
        settings->histogram = choice;
        return true;
    case LIST:
    case TRANSPOSE:
    case NO_TRANSPOSE:
    case DIGITS:
    case JSON:
    case CSV:
    case TSV:
        return take_output_option(called, choice, settings);
    case DEVICE:
    case DEVICE_MEMORY:
    case NO_MPI:
    case RATE:
        return take_place_option(called, choice, settings);
    default:
        return false; /* getopt_long has reported it */
    }
}

/* ---- Ranks ------------------------------------------------------------------------------------*/

/* Checks that all ranks run the same build, and have the same command line. */
static bool agree_on_command(struct cli_job *job, int argc, char **argv,
                             struct cli_failure *failure)
{
    struct cli_packet packet = {.bytes = NULL};
    cli_packet_put(&packet, reap_version(), strlen(reap_version()));
    for (int a = 0; a < argc; a++)
        cli_packet_put(&packet, argv[a], strlen(argv[a]) + 1);
    const bool is_fine =
        cli_job_agree_on(job, &packet,
                         "its command line is not that of rank 0; with --no-mpi each process "
                         "describes its files alone",
                         failure);
    cli_packet_free(&packet);
    return is_fine;
}

/* Only rank 0 prints. */
static void be_rank(struct settings *settings, int rank)
{
    opterr = rank == 0;
    cli_record_complaints(rank == 0 ? NULL : &settings->complaint);
}

/* Joins the other ranks; returns the exit status, which matters on rank 0 only. */
static enum cli_status open_job(struct settings *settings, int argc, char **argv)
{
    struct cli_failure failure = {""};
    settings->job = cli_job_open(&failure);
    if (settings->job == NULL) {
        cli_complain(NULL, "%s", failure.text);
        return CLI_BAD_INPUT;
    }
    be_rank(settings, cli_job_own(settings->job));
    if (agree_on_command(settings->job, argc, argv, &failure))
        return CLI_FINE;
    cli_complain(NULL, "%s", failure.text);
    return CLI_BAD_INPUT;
}

/* Finds the device; with a job every rank needs one. */
static enum cli_status find_place(const char *called, struct settings *settings)
{
    struct cli_failure failure = {""};
    const enum cli_status status =
        cli_chosen_device_find(called, &settings->device_options, &settings->describe.chosen);
    cli_fail(&failure, "%s", settings->complaint.text);
    if (cli_job_agree(settings->job, status == CLI_FINE, &failure))
        return CLI_FINE;
    if (status == CLI_FINE)
        cli_complain(NULL, "%s", failure.text);
    return status == CLI_FINE ? CLI_BAD_INPUT : status;
}

/* Measures the bandwidth of all ranks together. */
static bool measure_bandwidth(struct settings *settings)
{
    struct cli_failure failure = {""};
    bool is_fine = true;
    if (settings->job == NULL || !settings->shows_rate)
        return true;
    is_fine = cli_measure_bandwidth(&settings->bandwidth);
    cli_fail(&failure, "%s", settings->complaint.text);
    if (!cli_job_agree(settings->job, is_fine, &failure)) {
        if (is_fine)
            cli_complain(NULL, "%s", failure.text);
        return false;
    }
    settings->bandwidth = cli_job_add(settings->job, settings->bandwidth);
    return true;
}

/* Whether standard input has a file or a pipe that is described if no FILE is named. */
static bool has_input(void)
{
    struct stat status;
    return fstat(STDIN_FILENO, &status) == 0 &&
           (S_ISREG(status.st_mode) || S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

static int describe_all(int argc, char **argv, struct settings *settings)
{
    static char *standard_input[] = {"-"};
    const enum cli_status status = find_place(argv[0], settings);
    if (status != CLI_FINE)
        return status;
    if (!measure_bandwidth(settings))
        return CLI_BAD_INPUT;
    if (optind == argc)
        return describe_files(1, standard_input, settings);
    return describe_files(argc - optind, argv + optind, settings);
}

/* An interrupt ends all ranks at once. mpirun reports the exit status of rank 0. */
static int describe_in_job(int argc, char **argv, struct settings *settings)
{
    int status = open_job(settings, argc, argv);
    if (settings->job == NULL)
        return status;
    const bool is_root = cli_job_own(settings->job) == 0;
    if (status == CLI_FINE)
        status = describe_all(argc, argv, settings);
    cli_job_close(settings->job);
    return is_root ? status : CLI_FINE;
}

int cli_describe(int argc, char **argv)
{
    struct settings settings = {.file = {.seconds = 300}};
    int rank = 0, rank_count = 1;
    const bool is_in_job = cli_job_is_started(&rank, &rank_count);
    be_rank(&settings, rank_count == 1 ? 0 : rank);
    for (int choice; (choice = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (choice == HELP)
            return cli_print_help(help);
        if (!take_option(argv[0], choice, &settings))
            return CLI_USAGE;
    }
    const bool has_job = is_in_job && rank_count != 1 && !settings.is_alone;
    if (!check_settings(argv[0], &settings, argc - optind + (!has_job && has_input())))
        return CLI_USAGE;
    settings.describe.distribution.has_histogram =
        settings.histogram == HISTOGRAM ||
        (settings.histogram == 0 && !settings.prints_json && settings.separator == '\0' &&
         !is_in_job &&
         isatty(STDOUT_FILENO) != 0); /* a rank's standard output may be a terminal of mpirun */
    settings.describe.distribution.has_median = settings.describe.distribution.quantiles.count == 0;
    if (has_job)
        return describe_in_job(argc, argv, &settings);
    be_rank(&settings, 0);
    cli_catch_interrupt();
    return describe_all(argc, argv, &settings);
}
