/* SPDX-License-Identifier: Apache-2.0
 *
 * The plots for a terminal, speed over size, both on logarithmic scales: a symbol for each device
 * and size, dots between them, and a dashed line for the speed at which the device reads memory. If
 * several symbols have one position, the first device's is shown.
 */
#include "tools/bench/print.h"

#include "tools/terminal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ROWS = 24, MOST_COLUMNS = 68, USUAL_ROWS = 18, LABEL_COLUMNS = 7, MOST_STEP = 6 };

/* The content of a position; a greater value hides a smaller one. */
enum sign { NOTHING, LIMIT, DOT, MARK };

struct chart {
    enum sign signs[MOST_ROWS][MOST_COLUMNS];
    size_t devices[MOST_ROWS][MOST_COLUMNS];
    int rows, columns;
    int step;       /* columns between two sizes */
    int decades;    /* of speed */
    double lowest;  /* speed, as a power of ten */
    int per_decade; /* rows */
    bool is_utf8, has_colours;
};

static void print_sign(const struct chart *chart, enum sign sign, size_t device)
{
    static const char *const round[] = {"●", "▲", "■", "◆", "○", "△", "□", "◇"};
    static const char plain[] = "ox+#%@&$";
    static const int colours[] = {36, 35, 32, 34, 31, 33};
    if (sign == NOTHING) {
        putchar(' ');
        return;
    }
    if (chart->has_colours)
        printf("\033[%dm", colours[device % (sizeof colours / sizeof *colours)]);
    if (sign == MARK && device >= sizeof plain - 1)
        putchar('A' + (int)((device - sizeof plain + 1) % 26));
    else if (sign == MARK && !chart->is_utf8)
        putchar(plain[device]);
    else if (sign == MARK)
        fputs(round[device], stdout);
    else if (sign == DOT)
        fputs(chart->is_utf8 ? "·" : ".", stdout);
    else
        fputs(chart->is_utf8 ? "╌" : "-", stdout);
    if (chart->has_colours)
        fputs("\033[0m", stdout);
}

/* ---- Scales and signs -------------------------------------------------------------------------*/

static double speed_of(const struct cli_bench_size *size, size_t device, int way)
{
    const struct cli_timing *timing = &size->timings[device][way];
    return timing->turns > 0 ? cli_bench_bytes(size) / timing->median / 1e9 : 0;
}

/* Chooses scales that fit both ways, so that the charts can be compared. */
static void scale(const struct cli_bench *bench, struct chart *chart)
{
    double least = INFINITY, most = 0;
    for (size_t d = 0; d < bench->device_count; d++)
        for (size_t s = 0; s < bench->size_count; s++)
            for (int way = 0; way < CLI_BENCH_WAYS; way++) {
                const double speed = speed_of(&bench->sizes[s], d, way);
                least = speed > 0 && speed < least ? speed : least;
                most = speed > most ? speed : most;
                most = speed > 0 ? fmax(most, bench->devices[d].bandwidth / 1e9) : most;
            }
    chart->lowest = floor(log10(least));
    chart->decades = (int)(ceil(log10(most)) - chart->lowest);
    chart->decades = chart->decades > 0 ? chart->decades : 1;
    chart->per_decade = USUAL_ROWS / chart->decades;
    chart->per_decade = chart->per_decade < 1 ? 1 : chart->per_decade > 6 ? 6 : chart->per_decade;
    chart->rows = chart->decades * chart->per_decade + 1;
    chart->rows = chart->rows < MOST_ROWS ? chart->rows : MOST_ROWS;
    chart->step = bench->size_count > 1 ? (MOST_COLUMNS - 3) / (int)(bench->size_count - 1) : 1;
    chart->step = chart->step < MOST_STEP ? chart->step : MOST_STEP;
    chart->columns = chart->step * (int)(bench->size_count - 1) + 3;
}

static void put(struct chart *chart, double speed, int column, enum sign sign, size_t device)
{
    const double height = (log10(speed) - chart->lowest) * chart->per_decade;
    const int row = (int)floor(height + 0.5);
    if (row < 0 || row >= chart->rows || chart->signs[row][column] >= sign)
        return;
    chart->signs[row][column] = sign;
    chart->devices[row][column] = device;
}

static void put_device(const struct cli_bench *bench, struct chart *chart, size_t d, int way)
{
    double before = 0;
    for (size_t s = 0; s < bench->size_count; s++) {
        const double speed = speed_of(&bench->sizes[s], d, way);
        const int column = (int)s * chart->step + 1;
        if (speed > 0)
            put(chart, speed, column, MARK, d);
        for (int c = 1; c < chart->step && speed > 0 && before > 0; c++)
            put(chart, before * pow(speed / before, (double)c / chart->step),
                column - chart->step + c, DOT, d);
        before = speed;
    }
    for (int c = 0; c < chart->columns && bench->devices[d].bandwidth > 0; c++)
        put(chart, bench->devices[d].bandwidth / 1e9, c, LIMIT, d);
}

/* ---- Print ------------------------------------------------------------------------------------*/

static void print_legend(const struct cli_bench *bench, const struct chart *chart)
{
    size_t column = LABEL_COLUMNS;
    printf("%*s", LABEL_COLUMNS, "");
    for (size_t d = 0; d < bench->device_count; d++) {
        const size_t length = strlen(bench->devices[d].info.name) + 4;
        if (column + length > 78) {
            printf("\n%*s", LABEL_COLUMNS, "");
            column = LABEL_COLUMNS;
        }
        fputs("  ", stdout);
        print_sign(chart, MARK, d);
        printf(" %s", bench->devices[d].info.name);
        column += length;
    }
    fputs(column + 14 > 78 ? "\n         " : "  ", stdout);
    fputs(chart->is_utf8 ? "╌ its limit\n" : "- its limit\n", stdout);
}

static void print_row(const struct chart *chart, int row)
{
    const char *edge = chart->is_utf8 ? "│" : "|", *tick = chart->is_utf8 ? "┤" : "+";
    const int decade = row / chart->per_decade;
    int columns = chart->columns;
    if (row % chart->per_decade == 0)
        printf("%*g %s", LABEL_COLUMNS - 1, pow(10, chart->lowest + decade), tick);
    else
        printf("%*s %s", LABEL_COLUMNS - 1, "", edge);
    while (columns > 0 && chart->signs[row][columns - 1] == NOTHING)
        columns--;
    for (int c = 0; c < columns; c++)
        print_sign(chart, chart->signs[row][c], chart->devices[row][c]);
    putchar('\n');
}

/* Prints the axis, and as many sizes below their symbols as fit. */
static void print_sizes(const struct cli_bench *bench, const struct chart *chart)
{
    const size_t every = chart->step >= 5 ? 1 : chart->step >= 3 ? 2 : 4;
    int column = 0;
    printf("%*s %s", LABEL_COLUMNS - 1, "", chart->is_utf8 ? "└" : "+");
    for (int c = 0; c < chart->columns; c++)
        fputs(!chart->is_utf8 ? "-" : (c - 1) % chart->step == 0 && c > 0 ? "┴" : "─", stdout);
    printf("\n%*s", LABEL_COLUMNS, "");
    for (size_t s = 0; s < bench->size_count; s += every) {
        const int wanted = (int)s * chart->step + 1;
        column += printf("%*s2^%d", wanted - column, "", bench->sizes[s].power);
    }
    puts(" floats");
}

void cli_bench_print_charts(const struct cli_bench *bench)
{
    const int ways = cli_bench_has_copies(bench) ? CLI_BENCH_WAYS : 1;
    for (int way = 0; way < ways; way++) {
        struct chart chart = {.is_utf8 = cli_terminal_is_utf8(),
                              .has_colours = cli_terminal_has_colours(stdout)};
        scale(bench, &chart);
        for (size_t d = 0; d < bench->device_count; d++)
            put_device(bench, &chart, d, way);
        printf("\n%*s%s\n", LABEL_COLUMNS - 1, "GB/s",
               ways == 1                ? ""
               : way == CLI_BENCH_THERE ? "  the data is on the device"
                                        : "  the data is in host memory, and copied each time");
        print_legend(bench, &chart);
        for (int row = chart.rows - 1; row >= 0; row--)
            print_row(&chart, row);
        print_sizes(bench, &chart);
    }
}
