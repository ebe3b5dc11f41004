/* SPDX-License-Identifier: Apache-2.0
 *
 * `reap devices`: three or four lines for each device, and one for each backend without devices.
 */
#include "tools/command.h"
#include "tools/escape.h"
#include "tools/message.h"

#include <getopt.h>
#include <reap/reap.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 80, INDENT = 13 };

static const char help[] =
    "usage: reap devices [--names]\n"
    "\n"
    "Prints the devices that kernels can run on: the name that REAP_DEVICE takes and\n"
    "the hardware; its compute units, which is how many threads a launch may use, and\n"
    "the memory; how large a work-group may be, and its local memory; where there is\n"
    "something, what it lacks or computes otherwise. The default device has a star.\n"
    "Then, for each kind of device of which there is none, the reason.\n"
    "\n"
    "  --names    print the names only, one a line\n"
    "  --help     print this\n";

/* Prints the rest of a line whose first INDENT columns are printed or empty, broken between words.
 */
static void print_words(const char *text)
{
    char *escaped = cli_escape(text);
    const char *words = escaped != NULL ? escaped : "";
    size_t column = INDENT;
    while (*(words += strspn(words, " ")) != '\0') {
        const size_t length = strcspn(words, " ");
        const bool is_first = column == INDENT;
        if (!is_first && column + 1 + length > COLUMNS) {
            printf("\n%*s", INDENT, "");
            column = INDENT;
        } else if (!is_first) {
            putchar(' ');
            column++;
        }
        printf("%.*s", (int)length, words);
        column += length;
        words += length;
    }
    putchar('\n');
    free(escaped);
}

static void print_device(const reap_device_info *info, bool is_default)
{
    printf("%c %-10s ", is_default ? '*' : ' ', info->name);
    cli_print_name(stdout, info->description); /* the driver's text */
    if (info->instruction_set[0] != '\0')
        printf(", %s", info->instruction_set);
    printf("\n%*s%zu %s, %.1f GiB of memory\n", INDENT, "", info->compute_units,
           info->compute_units == 1 ? "compute unit" : "compute units",
           (double)info->global_memory_bytes / (1u << 30));
    printf("%*swork-groups of up to %zu work-items, %.0f KiB of local memory\n", INDENT, "",
           info->max_work_group_size, (double)info->local_memory_bytes / 1024);
    if (info->limits[0] != '\0') {
        printf("%*s", INDENT, "");
        print_words(info->limits);
    }
}

/* The sentences begin with the backend's name, "opencl: ". */
static void print_missing(const char *sentence)
{
    const size_t kind = strcspn(sentence, ":");
    printf("  %-10.*s ", (int)kind, sentence);
    print_words(sentence + kind + (sentence[kind] == ':'));
}

static reap_status print_missing_kinds(void)
{
    const char *const *sentences;
    size_t count;
    const reap_status status = reap_device_missing(&sentences, &count);
    for (size_t s = 0; status == REAP_OK && s < count; s++)
        print_missing(sentences[s]);
    return status;
}

static reap_status print_devices(bool names_only)
{
    const reap_device *const *devices, *chosen = NULL;
    reap_device_info info;
    size_t count, stars = 0;
    reap_status status = reap_device_list(&devices, &count);
    if (status == REAP_OK && !names_only)
        status = reap_device_default(&chosen);
    for (size_t d = 0; status == REAP_OK && d < count; d++) {
        status = reap_device_get_info(devices[d], &info);
        if (status != REAP_OK)
            break;
        stars += devices[d] == chosen;
        if (names_only)
            puts(info.name);
        else
            print_device(&info, devices[d] == chosen);
    }
    if (status == REAP_OK && !names_only && stars == 0) { /* a combined device */
        status = reap_device_get_info(chosen, &info);
        if (status == REAP_OK)
            print_device(&info, true);
    }
    return status == REAP_OK && !names_only ? print_missing_kinds() : status;
}

int cli_devices(int argc, char **argv)
{
    static const struct option options[] = {
        {"names", no_argument, NULL, 'n'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    bool names_only = false;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (option) {
        case 'n':
            names_only = true;
            break;
        case 'h':
            return cli_print_help(help);
        default:
            return CLI_USAGE;
        }
    if (optind < argc) {
        cli_complain_usage(argv[0], "'%s' is one argument too many", argv[optind]);
        return CLI_USAGE;
    }
    if (print_devices(names_only) != REAP_OK) {
        cli_complain(NULL, "%s", reap_last_error());
        return CLI_BAD_INPUT;
    }
    return cli_flush() ? CLI_FINE : CLI_BAD_INPUT;
}
