/* SPDX-License-Identifier: Apache-2.0
 *
 * The reap tool: finds the subcommand and runs it. It uses Reap's public interface only.
 */
#include "tools/command.h"
#include "tools/escape.h"
#include "tools/message.h"

#include <fcntl.h>
#include <reap/reap.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"bench", "which device is faster, for which size", cli_bench},
    {"compile", "checks whether kernel files compile, for every device", cli_compile},
    {"describe", "statistics of the numbers in files", cli_describe},
    {"devices", "the devices that kernels can run on", cli_devices},
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static void print_help(FILE *stream)
{
    fputs("usage: reap COMMAND [OPTION]... [ARGUMENT]...\n\n", stream);
    for (int c = 0; c < COMMAND_COUNT; c++)
        fprintf(stream, "  %-10s %s\n", commands[c].name, commands[c].summary);
    fputs("\n"
          "  --help     print this; after a command's name, how to use the command\n"
          "  --version  print the version\n",
          stream);
}

/* getopt prints an unknown option unchanged. An option with characters that control a terminal is
 * unknown, so it can be escaped before. The text after "=" is an option's argument. */
static void escape_options(int argc, char **argv)
{
    for (int a = 1; a < argc && strcmp(argv[a], "--") != 0; a++) {
        if (argv[a][0] != '-')
            continue;
        const size_t length = argv[a][1] == '-' ? strcspn(argv[a], "=") : 2;
        char *escaped = cli_escape(argv[a]);
        if (escaped != NULL && strncmp(escaped, argv[a], length) != 0)
            argv[a] = escaped; /* until the program ends */
        else
            free(escaped);
    }
}

static int run_command(const char *name, int argc, char **argv)
{
    for (int c = 0; c < COMMAND_COUNT; c++)
        if (strcmp(name, commands[c].name) == 0) {
            char called[32];
            snprintf(called, sizeof called, "reap %s", name);
            argv[0] = called;
            escape_options(argc, argv);
            return commands[c].run(argc, argv);
        }
    cli_complain(NULL, "'%s' is not a command; 'reap --help' lists them", name);
    return CLI_USAGE;
}

/* The first file that is opened would get the number of a closed standard stream. So /dev/null is
 * opened in the wrong direction in its place: using the stream then fails. */
static void fill_closed_streams(void)
{
    for (int file = 0; file <= 2; file++)
        if (fcntl(file, F_GETFD) < 0 && open("/dev/null", file == 0 ? O_WRONLY : O_RDONLY) != file)
            _exit(CLI_BAD_INPUT); /* /dev/null cannot be opened */
}

int main(int argc, char **argv)
{
    fill_closed_streams();
    signal(SIGCHLD,
           SIG_DFL); /* the parent process may have ignored it, and the tool waits for children */
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is then an error of the write; see cli_flush */
    if (argc < 2) {
        print_help(stderr);
        return CLI_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0)
        print_help(stdout);
    else if (strcmp(argv[1], "--version") == 0)
        printf("reap %s\n", reap_version());
    else
        return run_command(argv[1], argc - 1, argv + 1);
    return cli_flush() ? CLI_FINE : CLI_BAD_INPUT;
}
