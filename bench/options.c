/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the command line with getopt_long.
 */
#include "bench/options.h"

#include "bench/fail.h"
#include "bench/report.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const help =
    "Usage: reap-bench [OPTION]...\n"
    "Measures Reap on the host beside its peers, and prints tables.\n"
    "\n"
    "  --quick         fewer sizes and turns: under a minute\n"
    "  --case WORDS    only cases, and promises of them, with one of the words in their names;\n"
    "                  commas between them\n"
    "  --peer NAMES    only these peers, with commas between them\n"
    "  --json FILE     write what was measured there, too\n"
    "  --list          print the cases and the peers\n"
    "  --test          compare the results of all with naive loops, at small sizes\n"
    "  --seed NUMBER   of the test's data; by default another one each time\n"
    "  --help          print this\n";

static const struct option long_options[] = {{"quick", no_argument, NULL, 'q'},
                                             {"case", required_argument, NULL, 'c'},
                                             {"peer", required_argument, NULL, 'p'},
                                             {"json", required_argument, NULL, 'j'},
                                             {"list", no_argument, NULL, 'l'},
                                             {"test", no_argument, NULL, 't'},
                                             {"seed", required_argument, NULL, 's'},
                                             {"help", no_argument, NULL, 'h'},
                                             {NULL, 0, NULL, 0}};

/* The program's name and its arguments. */
static char *join(int argc, char **argv)
{
    size_t room = sizeof "reap-bench";
    for (int a = 1; a < argc; a++)
        room += 1 + strlen(argv[a]);
    static char *command;
    command = malloc(room);
    if (command == NULL)
        bench_fail("not enough memory");
    size_t length = (size_t)snprintf(command, room, "reap-bench");
    for (int a = 1; a < argc; a++)
        length += (size_t)snprintf(command + length, room - length, " %s", argv[a]);
    return command;
}

static uint64_t read_seed(const char *text)
{
    char *end;
    const uint64_t seed = strtoull(text, &end, 10);
    if (end == text || *end != '\0')
        bench_fail("--seed: no whole number");
    return seed;
}

static void set_quick(struct options *options)
{
    options->turns = (struct measure_settings){5, 3, 0.03, 0.001, 0.002};
    options->series.most = 24;
    options->series.step = 9;
    options->series.speedup = 24;
}

static void read_option(int letter, struct options *options)
{
    switch (letter) {
    case 'q':
        set_quick(options);
        break;
    case 'c':
        options->series.words = optarg;
        break;
    case 'p':
        options->peers = optarg;
        break;
    case 'j':
        options->json = optarg;
        break;
    case 'l':
        options->action = OPTIONS_LIST;
        break;
    case 't':
        options->action = OPTIONS_TEST;
        break;
    case 's':
        options->seed = read_seed(optarg);
        break;
    case 'h':
        fputs(help, stdout);
        exit(0);
    default:
        fputs("reap-bench --help lists the options\n", stderr);
        exit(2);
    }
}

void options_read(int argc, char **argv, struct options *options)
{
    *options = (struct options){.command = join(argc, argv),
                                .seed = (uint64_t)time(NULL),
                                .turns = {7, 4, 1.5, 0.003, 0.005},
                                .series = {.most = 28, .speedup = 26, .step = 2}};
    for (int letter; (letter = getopt_long(argc, argv, "", long_options, NULL)) != -1;)
        read_option(letter, options);
    if (optind < argc)
        read_option('?', options);
    if (options->json != NULL && !report_has_json())
        bench_fail("--json: built without json-c");
}
