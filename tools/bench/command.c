/* SPDX-License-Identifier: Apache-2.0
 *
 * `reap bench`: which device is faster for which size on this machine.
 */
#include "tools/command.h"
#include "tools/bench/compare.h"
#include "tools/bench/measure.h"
#include "tools/bench/prepare.h"
#include "tools/bench/print.h"
#include "tools/interrupt.h"
#include "tools/json.h"
#include "tools/message.h"
#include "tools/number.h"
#include "tools/rate.h"
#include "tools/terminal.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: reap bench [OPTION]...\n"
    "\n"
    "Measures which device is faster for which size on this machine: how long a\n"
    "launch takes that finds the sum and the maximum of floats, where these are on\n"
    "the device already, and where they are copied there from the host's memory; and\n"
    "how close that comes to what the device can read.\n"
    "\n"
    "  --device LIST    the devices, with commas: host,opencl:0; the default is all\n"
    "                   that 'reap devices' lists; the others are compared with the\n"
    "                   first one\n"
    "  --largest COUNT  the most floats, at least 64; K, M or G after a number:\n"
    "                   times 2^10, 2^20, 2^30; the default is 256M, on CUDA's\n"
    "                   devices 1G; a quarter of a device's memory is the most\n"
    "  --seconds TIME   how long it may take, more or less; the default is 10\n"
    "  --json           print JSON instead of a table and charts\n"
    "  --svg FILE       also draw a chart into this file; that takes gnuplot\n"
    "  --help           print this\n";

struct settings {
    const char *devices; /* NULL: all */
    const char *svg;     /* NULL: none */
    int most_power;      /* 0: a default */
    double seconds;
    bool is_json;
};

/* ---- Options ----------------------------------------------------------------------------------*/

static bool read_largest(const char *called, const char *text, int *power)
{
    uint64_t count;
    if (!cli_number_read(text, &count) || count < (uint64_t)1 << CLI_BENCH_FIRST_POWER) {
        cli_complain_usage(called,
                           "--largest: '%s' is not a number of floats, at least %d, such as 16M",
                           text, 1 << CLI_BENCH_FIRST_POWER);
        return false;
    }
    *power = CLI_BENCH_FIRST_POWER;
    while (*power < CLI_BENCH_LAST_POWER && count >> (*power + 1) != 0)
        ++*power;
    return true;
}

static bool read_seconds(const char *called, const char *text, double *seconds)
{
    const double most = 86400;
    char *end;
    *seconds = strtod(text, &end);
    if (end != text && strspn(text, "0123456789.") == strlen(text) && *seconds > 0 &&
        *seconds <= most)
        return true;
    cli_complain_usage(called, "--seconds: '%s' is not a time above 0 s, up to %.0f s", text, most);
    return false;
}

enum choice { DEVICE = 1, LARGEST, SECONDS, JSON, SVG, HELP };

static const struct option options[] = {{"device", required_argument, NULL, DEVICE},
                                        {"largest", required_argument, NULL, LARGEST},
                                        {"seconds", required_argument, NULL, SECONDS},
                                        {"json", no_argument, NULL, JSON},
                                        {"svg", required_argument, NULL, SVG},
                                        {"help", no_argument, NULL, HELP},
                                        {NULL, 0, NULL, 0}};

/* Handles an option other than --help; returns false if its argument is wrong. */
static bool take_option(const char *called, int choice, struct settings *settings)
{
    switch (choice) {
    case DEVICE:
        settings->devices = optarg;
        return true;
    case LARGEST:
        return read_largest(called, optarg, &settings->most_power);
    case SECONDS:
        return read_seconds(called, optarg, &settings->seconds);
    case JSON:
        settings->is_json = true;
        return true;
    case SVG:
        settings->svg = optarg;
        return true;
    default:
        return false; /* getopt_long has reported it */
    }
}

/* ---- The work ---------------------------------------------------------------------------------*/

static void print_conclusions(const struct cli_bench *bench)
{
    char sentence[CLI_BENCH_SENTENCE_BYTES];
    for (size_t d = 1; d < bench->device_count; d++) {
        cli_bench_conclude(bench, d, sentence);
        if (sentence[0] != '\0')
            cli_bench_print_sentence(sentence);
    }
}

/* Prints the results, complete or not; returns the exit status. */
static int report(const struct settings *settings, const struct cli_bench *bench)
{
    bool is_fine = true;
    if (settings->is_json) {
        is_fine = cli_bench_print_json(bench);
    } else if (bench->size_count > 0) {
        cli_bench_print_table(bench);
        cli_bench_print_charts(bench);
        print_conclusions(bench);
    }
    if (!cli_flush())
        return CLI_BAD_INPUT;
    if (settings->svg != NULL && bench->size_count > 0)
        is_fine = cli_bench_write_svg(bench, settings->svg) && is_fine;
    for (size_t d = 0; d < bench->device_count; d++)
        is_fine = is_fine && !bench->devices[d].has_failed;
    return !is_fine ? CLI_BAD_INPUT : bench->is_interrupted ? CLI_INTERRUPTED : CLI_FINE;
}

static int measure_and_report(const char *called, const struct settings *settings)
{
    static struct cli_bench bench; /* too large for a stack */
    bench.begin = cli_now();
    bench.seconds = settings->seconds;
    const enum cli_status status = cli_bench_choose(called, settings->devices, &bench);
    if (status != CLI_FINE)
        return status;
    if ((settings->is_json && !cli_json_is_here()) ||
        (settings->svg != NULL && !cli_bench_check_svg(settings->svg)))
        return CLI_BAD_INPUT;
    cli_catch_interrupt();
    float *data = cli_bench_prepare(&bench, settings->most_power);
    if (data != NULL)
        cli_bench_measure(&bench, data);
    cli_terminal_clear();
    cli_bench_release(&bench, data);
    if (data == NULL && !bench.is_interrupted)
        return CLI_BAD_INPUT;
    return report(settings, &bench);
}

int cli_bench(int argc, char **argv)
{
    struct settings settings = {.seconds = 10};
    for (int choice; (choice = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (choice == HELP)
            return cli_print_help(help);
        if (!take_option(argv[0], choice, &settings))
            return CLI_USAGE;
    }
    if (optind < argc) {
        cli_complain_usage(argv[0], "'%s' is one argument too many", argv[optind]);
        return CLI_USAGE;
    }
    return measure_and_report(argv[0], &settings);
}
