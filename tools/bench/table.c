/* SPDX-License-Identifier: Apache-2.0
 *
 * The table, at most 80 columns wide for any number of devices: each has its own row.
 */
#include "tools/bench/print.h"

#include "tools/bench/compare.h"
#include "tools/escape.h"
#include "tools/rate.h"
#include "tools/terminal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cli_bench_has_copies(const struct cli_bench *bench)
{
    for (size_t d = 0; d < bench->device_count; d++)
        if (!bench->devices[d].is_host)
            return true;
    return false;
}

void cli_bench_write_bytes(double bytes, char text[CLI_BENCH_BYTES_TEXT])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    size_t u = 0;
    for (; bytes >= 1024 && u + 1 < sizeof units / sizeof *units; u++)
        bytes /= 1024;
    snprintf(text, CLI_BENCH_BYTES_TEXT, "%.0f %s", bytes, units[u]);
}

/* Three digits, with zeros before or after them as needed. */
static void write_digits(double value, char text[CLI_BENCH_BYTES_TEXT])
{
    const int before = value > 0 ? (int)floor(log10(value * 1.0005)) + 1 : 1;
    snprintf(text, CLI_BENCH_BYTES_TEXT, "%.*f",
             before >= 3  ? 0
             : before < 0 ? 4
                          : 3 - before,
             value);
}

static void print_time(double seconds)
{
    static const char *const units[] = {"us", "ms", "s"};
    char digits[CLI_BENCH_BYTES_TEXT];
    double value = seconds * 1e6;
    size_t u = 0;
    for (; value >= 999.5 && u + 1 < sizeof units / sizeof *units; u++)
        value /= 1000;
    write_digits(value, digits);
    printf("  %5s %-2s", digits, units[u]);
}

/* ---- Rows -------------------------------------------------------------------------------------*/

static void print_timing(const struct cli_bench_size *size, const struct cli_bench_device *device,
                         const struct cli_timing *timing)
{
    const double speed = cli_bench_bytes(size) / timing->median;
    char digits[CLI_BENCH_BYTES_TEXT];
    if (timing->turns == 0) {
        printf("  %8s  %6s  %5s", "-", "-", "-");
        return;
    }
    print_time(timing->median);
    write_digits(speed / 1e9, digits);
    printf("  %6s  %5.2f", digits, speed / device->bandwidth);
}

static void print_row(const struct cli_bench *bench, const struct cli_bench_size *size, size_t d,
                      bool is_first, bool has_colours)
{
    const struct cli_bench_device *device = &bench->devices[d];
    const bool is_one = bench->device_count == 1;
    char bytes[CLI_BENCH_BYTES_TEXT], floats[CLI_BENCH_BYTES_TEXT];
    cli_bench_write_bytes(cli_bench_bytes(size), bytes);
    snprintf(floats, sizeof floats, "2^%d", size->power);
    printf("%6s  %7s  %-9s", is_first ? floats : "", is_first ? bytes : "", device->info.name);
    for (int way = 0; way < (cli_bench_has_copies(bench) ? CLI_BENCH_WAYS : 1); way++) {
        const bool is_fastest =
            !is_one && cli_bench_fastest(bench, size, (enum cli_bench_way)way) == (int)d;
        fputs(is_fastest && has_colours ? "\033[1m" : "", stdout);
        print_timing(size, device, &size->timings[d][way]);
        fputs(is_fastest ? "*" : way == 0 && !is_one ? " " : "", stdout);
        fputs(is_fastest && has_colours ? "\033[0m" : "", stdout);
    }
    putchar('\n');
}

static void print_heads(const struct cli_bench *bench)
{
    const bool has_copies = cli_bench_has_copies(bench);
    if (has_copies)
        printf("%26s  %-24s  %s\n", "", "the data is on the device", "the data is in host memory");
    printf("%6s  %7s  %-9s", "floats", "bytes", "device");
    for (int way = 0; way < (has_copies ? CLI_BENCH_WAYS : 1); way++)
        printf("%s  %8s  %6s  %5s", way > 0 ? " " : "", "time", "GB/s", "share");
    putchar('\n');
}

/* ---- All --------------------------------------------------------------------------------------*/

static void print_devices(const struct cli_bench *bench)
{
    puts("The sum and the maximum of floats, from the launch to the values in variables.\n");
    for (size_t d = 0; d < bench->device_count; d++) {
        const struct cli_bench_device *device = &bench->devices[d];
        char *description = cli_escape(device->info.description); /* the driver's text */
        if (device->bandwidth > 0)
            printf("%-9s  %.40s, reads memory at %.*f GB/s\n", device->info.name,
                   description != NULL ? description : "", device->bandwidth < 1e11 ? 1 : 0,
                   device->bandwidth / 1e9);
        free(description);
    }
    putchar('\n');
}

static bool has_host(const struct cli_bench *bench)
{
    for (size_t d = 0; d < bench->device_count; d++)
        if (bench->devices[d].is_host)
            return true;
    return false;
}

static void print_notes(const struct cli_bench *bench)
{
    const double cache = has_host(bench) ? (double)cli_last_caches_bytes() : 0;
    char bytes[CLI_BENCH_BYTES_TEXT];
    printf("\nshare: of the speed at which the device reads memory%s\n",
           bench->device_count > 1 ? "; *: the fastest" : "");
    cli_bench_write_bytes(cache, bytes);
    if (cache > 0)
        printf("Up to 2^%.0f floats the host may have in its last cache, of %s.\n",
               floor(log2(cache / sizeof(float))), bytes);
}

void cli_bench_print_table(const struct cli_bench *bench)
{
    const bool has_colours = cli_terminal_has_colours(stdout);
    print_devices(bench);
    print_heads(bench);
    for (size_t s = 0; s < bench->size_count; s++) {
        bool is_first = true;
        for (size_t d = 0; d < bench->device_count; d++) {
            if (bench->sizes[s].timings[d][CLI_BENCH_THERE].turns == 0)
                continue;
            print_row(bench, &bench->sizes[s], d, is_first, has_colours);
            is_first = false;
        }
    }
    print_notes(bench);
}

void cli_bench_print_sentence(const char *sentence)
{
    const size_t columns = 80;
    size_t column = 0;
    putchar('\n');
    while (*(sentence += strspn(sentence, " ")) != '\0') {
        const size_t length = strcspn(sentence, " ");
        const bool is_next = column > 0 && column + 1 + length <= columns;
        printf("%s%.*s", is_next ? " " : column > 0 ? "\n" : "", (int)length, sentence);
        column = is_next ? column + 1 + length : length;
        sentence += length;
    }
    putchar('\n');
}
