/* SPDX-License-Identifier: Apache-2.0
 *
 * Draws histograms.
 */
#include "tools/describe/plot.h"

#include "tools/terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { INDENT = 2, GAP = 2, MOST_BAR = 40, LEAST_BAR = 8, SHARE_WIDTH = 8 };

static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
static const char *const levels[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
static const char ascii_levels[] = " .:-=+*#%@";

static uint64_t find_most(const struct cli_histogram *histogram)
{
    uint64_t most = 1;
    for (size_t b = 0; b < histogram->bins; b++)
        most = histogram->counts[b] > most ? histogram->counts[b] : most;
    return most;
}

/* The length of a bar of at most `steps` steps; at least one step unless the count is 0. */
static unsigned scale(uint64_t count, uint64_t most, unsigned steps)
{
    const unsigned scaled = (unsigned)((double)count / (double)most * steps + 0.5);
    return count > 0 && scaled == 0 ? 1 : scaled;
}

/* ---- Cells ------------------------------------------------------------------------------------*/

void cli_plot_cells(const struct cli_histogram *histogram, char text[CLI_PLOT_CELL_BYTES])
{
    const bool is_plain = !cli_terminal_is_utf8();
    const uint64_t most = find_most(histogram);
    size_t length = 0;
    for (size_t b = 0; b < histogram->bins; b++)
        if (is_plain)
            text[length++] = ascii_levels[scale(histogram->counts[b], most, 9)];
        else {
            const char *level = levels[scale(histogram->counts[b], most, 8)];
            memcpy(text + length, level, strlen(level));
            length += strlen(level);
        }
    text[length] = '\0';
}

/* ---- Bars -------------------------------------------------------------------------------------*/

/* The format of the edges: with this many decimals, or this many digits and an exponent. */
struct notation {
    bool is_fixed;
    int digits;
};

/* Chooses a format that shows two digits of the bins' width. */
static struct notation choose_notation(const struct cli_histogram *histogram)
{
    const double least = histogram->edges[0], greatest = histogram->edges[histogram->bins];
    const double most = fmax(fabs(least), fabs(greatest));
    const double step = greatest / (double)histogram->bins - least / (double)histogram->bins;
    if (!(step > 0))
        return (struct notation){false, 9};
    const int place = (int)floor(log10(step)) - 1, size = (int)floor(log10(most));
    if (size < 12 && place > -10)
        return (struct notation){true, place < 0 ? -place : 0};
    return (struct notation){false, size - place + 1 < 17 ? size - place + 1 : 17};
}

static void write_label(const struct cli_histogram *histogram, struct notation notation,
                        size_t edge, char label[CLI_EDGE_BYTES])
{
    const double value = histogram->edges[edge];
    if (histogram->is_of_integers)
        cli_histogram_write_integer(histogram, edge, label);
    else if (notation.is_fixed)
        snprintf(label, CLI_EDGE_BYTES, "%.*f", notation.digits, value);
    else
        snprintf(label, CLI_EDGE_BYTES, "%.*g", notation.digits, value);
}

static void print_bar(uint64_t count, uint64_t most, unsigned cells, bool has_eighths)
{
    const unsigned steps = scale(count, most, has_eighths ? 8 * cells : cells);
    const unsigned whole = has_eighths ? steps / 8 : steps;
    const char *rest = has_eighths ? eighths[steps % 8] : "";
    for (unsigned c = 0; c < whole; c++)
        fputs(has_eighths ? eighths[8] : "#", stdout);
    fputs(rest, stdout);
    for (unsigned c = whole + (rest[0] != '\0'); c < cells; c++)
        putchar(' ');
}

void cli_plot_bars(const struct cli_histogram *histogram, size_t width)
{
    const bool has_eighths = cli_terminal_is_utf8();
    const struct notation notation = choose_notation(histogram);
    const uint64_t most = find_most(histogram);
    const size_t last = histogram->bins - (histogram->has_bin_of_each ? 1 : 0);
    const size_t count_width = (size_t)snprintf(NULL, 0, "%" PRIu64, most);
    size_t label_width = 0;
    double all = 0;
    char label[CLI_EDGE_BYTES];
    for (size_t b = 0; b <= last; b++) {
        write_label(histogram, notation, b, label);
        label_width = strlen(label) > label_width ? strlen(label) : label_width;
        all += b < histogram->bins ? (double)histogram->counts[b] : 0;
    }
    const size_t taken = INDENT + label_width + GAP + GAP + count_width + SHARE_WIDTH;
    const size_t left = width > taken + LEAST_BAR ? width - taken : LEAST_BAR;
    for (size_t b = 0; b <= last; b++) {
        write_label(histogram, notation, b, label);
        printf("%*s%*s", INDENT, "", (int)label_width, label);
        if (b < histogram->bins) {
            printf("%*s", GAP, "");
            print_bar(histogram->counts[b], most, left < MOST_BAR ? (unsigned)left : MOST_BAR,
                      has_eighths);
            printf("%*s%*" PRIu64 " %5.1f %%", GAP, "", (int)count_width, histogram->counts[b],
                   (double)histogram->counts[b] / all * 100);
        }
        putchar('\n');
    }
}
