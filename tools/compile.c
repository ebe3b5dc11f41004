/* SPDX-License-Identifier: Apache-2.0
 *
 * `reap compile FILE...`: compiles kernel files for the host and for devices. It prints the
 * compilers' messages on standard error, and a line for each file on standard output. A file is
 * compiled for devices only if the host's compiler accepts it, since only then its kernels are
 * known. Each kernel is compiled with its whole file, so after one error the other kernels are not
 * tried for that target.
 */
#include "tools/command.h"
#include "tools/escape.h"
#include "tools/guard.h"
#include "tools/message.h"
#include "tools/number.h"
#include "tools/targets.h"
#include "tools/unit.h"

#include <getopt.h>
#include <reap/reap.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: reap compile [OPTION]... FILE...\n"
    "\n"
    "Checks whether kernel files compile: for the host, by the C compiler (cc, or\n"
    "what CC names), for each OpenCL device here, and for NVIDIA's cards, which need\n"
    "not be here. Errors are printed with file and line. No code of a file is run.\n"
    "\n"
    "  -I DIR           a folder where the compiler looks for headers, too\n"
    "  -D NAME[=VALUE]  a macro for the compiler; devices get it by REAP_KERNEL_MACRO\n"
    "  --target LIST    what to compile for, with commas: host, opencl (each device),\n"
    "                   opencl:0, cuda (sm_80 and sm_90), cuda:sm_75, cuda:0; it is\n"
    "                   an error then where one of them cannot be checked here\n"
    "  --timeout SECONDS\n"
    "                   end a compiler that takes longer; the default is 300\n"
    "  --help           print this\n";

struct settings {
    const char **options; /* for the compiler: "-I" and DIR are separate elements */
    size_t option_count;
    const char *target; /* the LIST; NULL: all available targets */
    struct cli_targets targets;
    bool has_kernels; /* whether a file had one, so that something could be checked */
    uint64_t seconds; /* for each compiler */
    struct cli_progress *progress;
    int file; /* the index of the current one */
};

enum result { NOT_CHECKED, FINE, FAILED };

/* ---- Errors -----------------------------------------------------------------------------------*/

/* Returns the begin of "FILE:LINE: " in a line of the library, after "kernel 'NAME': ". Sets
 * *message to the text that follows. NULL: the line has no such part. */
static const char *find_position(const char *line, const char **message)
{
    static const char behind_name[] = "': ";
    const char *position = strstr(line, behind_name);
    if (strncmp(line, "kernel '", 8) != 0 || position == NULL)
        return NULL;
    position += sizeof behind_name - 1;
    for (const char *at = strchr(position, ':'); at != NULL; at = strchr(at + 1, ':')) {
        const size_t digits = strspn(at + 1, "0123456789");
        if (digits > 0 && strncmp(at + 1 + digits, ": ", 2) == 0) {
            *message = at + 1 + digits + 2;
            return position;
        }
        if (at[1] == ' ')
            return NULL;
    }
    return NULL;
}

/* Prints an error that the library found without a compiler. */
static void print_line(const char *file, const char *line)
{
    const char *message = line, *position = find_position(line, &message);
    const int position_bytes = position != NULL ? (int)(message - position) : 0;
    char named[CLI_REASON_BYTES];
    snprintf(named, sizeof named, "%.*s", position_bytes, position != NULL ? position : "");
    cli_print_name(stderr, position != NULL ? named : file);
    fputs(position != NULL ? "error: " : ": error: ", stderr);
    cli_print_name(stderr, message);
    putc('\n', stderr);
}

/* Prints the errors of a kernel for a target, unless they were printed before. */
static void print_errors(const char *file, const struct cli_target *target, char **printed)
{
    const char *log = reap_last_log();
    const char *words = log[0] != '\0' ? log : reap_last_error();
    if (*printed != NULL && strcmp(*printed, words) == 0)
        return;
    free(*printed);
    *printed = strdup(words);
    cli_print_name(stderr, file);
    fprintf(stderr, ": for %s:\n", target->name);
    if (log[0] != '\0')
        cli_print_escaped(stderr, log, "\n\t");
    else
        print_line(file, words);
}

/* ---- A file -----------------------------------------------------------------------------------*/

static reap_status compile(const struct cli_target *target, const struct reap_kernel *kernel)
{
    return target->device != NULL ? reap_kernel_compile(target->device, kernel, 1)
                                  : reap_kernel_check(kernel, target->name);
}

/* Compiles all kernels of a file, which the host's compiler has accepted, for a target. */
static enum result compile_kernels(const char *file, struct settings *settings,
                                   struct cli_target *target, const struct cli_unit *unit,
                                   char **printed)
{
    enum result result = NOT_CHECKED;
    for (size_t k = 0; k < unit->kernel_count; k++) {
        cli_progress_note(settings->progress, settings->file, target->name);
        const reap_status status = compile(target, unit->kernels[k]);
        if (status == REAP_ERROR_COMPILATION_FAILED || status == REAP_ERROR_INVALID_ARGUMENT ||
            status == REAP_ERROR_INEXACT_BUILD) {
            print_errors(file, target, printed);
            return FAILED;
        }
        if (status == REAP_ERROR_NO_DEVICE) {
            cli_targets_note(&settings->targets, reap_last_error());
            target->is_left_out = true;
            return NOT_CHECKED;
        }
        if (status != REAP_OK) {
            cli_complain(file, "%s", reap_last_error());
            return FAILED;
        }
        result = FINE;
    }
    return result;
}

static const char *describe(enum result result)
{
    return result == FINE ? "ok" : "failed";
}

/* Of an architecture that is newer than the compiler, the one that was compiled. */
static void print_checked(const struct cli_target *target)
{
    char checked[REAP_TARGET_BYTES];
    if (target->device == NULL && !target->is_host &&
        reap_kernel_check_target(target->name, checked) == REAP_OK &&
        strcmp(checked, target->name) != 0)
        printf(" (compiled for %s, the newest that the compiler knows)", checked);
}

static void print_results(const char *file, const struct settings *settings,
                          const enum result *results)
{
    const char *separator = ": ";
    cli_print_name(stdout, file);
    for (size_t t = 0; t < settings->targets.count; t++)
        if (results[t] != NOT_CHECKED) {
            printf("%s%s %s", separator, settings->targets.list[t].name, describe(results[t]));
            print_checked(&settings->targets.list[t]);
            separator = ", ";
        }
    puts("");
}

static bool compile_targets(const char *file, struct settings *settings,
                            const struct cli_unit *unit)
{
    struct cli_targets *targets = &settings->targets;
    enum result results[CLI_MOST_TARGETS] = {NOT_CHECKED};
    char *printed = NULL;
    bool is_fine = true, is_checked = false;
    for (size_t t = 0; t < targets->count; t++) {
        struct cli_target *target = &targets->list[t];
        if (target->is_host && target->device == NULL)
            results[t] = FINE;
        else if (!target->is_left_out)
            results[t] = compile_kernels(file, settings, target, unit, &printed);
        is_fine = is_fine && results[t] != FAILED;
        is_checked = is_checked || results[t] != NOT_CHECKED;
    }
    free(printed);
    if (is_checked)
        print_results(file, settings, results);
    return is_fine;
}

static bool compile_file(const char *file, struct settings *settings)
{
    struct cli_unit unit;
    cli_progress_note(settings->progress, settings->file, "");
    const enum cli_unit_result result = cli_unit_read(
        file, settings->options, settings->option_count, settings->progress->folder, &unit);
    if (result == CLI_UNIT_REFUSED) {
        cli_print_name(stdout, file);
        puts(": host failed, so nothing else was tried");
        cli_complain(file,
                     "a kernel file is compiled by itself here: variables of the program must "
                     "be parameters, and its macros be given by -D (docs/kernels.md)");
    }
    if (result != CLI_UNIT_FINE)
        return false;
    if (unit.kernel_count == 0) {
        cli_complain(file, "has no kernel");
        return false;
    }
    settings->has_kernels = true;
    return compile_targets(file, settings, &unit);
}

/* Reports what could not be checked; returns whether that is allowed. */
static bool print_reasons(const struct cli_targets *targets)
{
    for (size_t r = 0; r < targets->reason_count; r++)
        if (targets->are_given)
            cli_complain(NULL, "%s", targets->reasons[r]);
        else
            printf("not checked: %s\n", targets->reasons[r]);
    return targets->reason_count == 0 || !targets->are_given;
}

static int compile_files(int first, int count, char **files, void *data,
                         struct cli_progress *progress)
{
    struct settings *settings = data;
    int status = CLI_FINE;
    settings->progress = progress;
    if (!cli_targets_find(settings->target, &settings->targets))
        return CLI_BAD_INPUT;
    for (int f = first; f < count; f++) {
        settings->file = f;
        if (!compile_file(files[f], settings))
            status = CLI_BAD_INPUT;
        if (!cli_flush())
            return CLI_BAD_INPUT;
    }
    if (settings->has_kernels && !print_reasons(&settings->targets))
        status = CLI_BAD_INPUT;
    return cli_flush() ? status : CLI_BAD_INPUT;
}

/* ---- Options ----------------------------------------------------------------------------------*/

enum choice { TARGET = 1, TIMEOUT, HELP };

static const struct option options[] = {{"target", required_argument, NULL, TARGET},
                                        {"timeout", required_argument, NULL, TIMEOUT},
                                        {"help", no_argument, NULL, HELP},
                                        {NULL, 0, NULL, 0}};

/* Adds "-I" and its argument for the compiler. */
static void add_option(struct settings *settings, const char *option, const char *argument)
{
    settings->options[settings->option_count++] = option;
    settings->options[settings->option_count++] = argument;
}

static int compile_with(int argc, char **argv, struct settings *settings)
{
    for (int choice; (choice = getopt_long(argc, argv, "I:D:", options, NULL)) != -1;)
        switch (choice) {
        case 'I':
            add_option(settings, "-I", optarg);
            break;
        case 'D':
            add_option(settings, "-D", optarg);
            break;
        case TARGET:
            settings->target = optarg;
            if (cli_targets_are_right(optarg))
                break;
            cli_complain_usage(argv[0], "--target: '%s' is not a list of targets; --help has them",
                               optarg);
            return CLI_USAGE;
        case TIMEOUT:
            if (cli_number_read_seconds(argv[0], optarg, &settings->seconds))
                break;
            return CLI_USAGE;
        case HELP:
            return cli_print_help(help);
        default:
            return CLI_USAGE; /* getopt_long has reported it */
        }
    if (optind < argc)
        return cli_guard(compile_files, argc - optind, argv + optind, settings, settings->seconds);
    cli_complain_usage(argv[0], "FILE is missing; --help says more");
    return CLI_USAGE;
}

int cli_compile(int argc, char **argv)
{
    static struct settings settings = {.seconds = 300};
    settings.options = malloc(2 * (size_t)argc * sizeof *settings.options);
    if (settings.options == NULL) {
        cli_complain(NULL, "out of memory");
        return CLI_BAD_INPUT;
    }
    const int status = compile_with(argc, argv, &settings);
    free(settings.options);
    return status;
}
