/* SPDX-License-Identifier: Apache-2.0
 *
 * The progress bar.
 */
#include "tools/describe/meter.h"

#include "tools/message.h"
#include "tools/rate.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BAR_CELLS = 30, NAME_CELLS = 24 };

static const double first_after = 1.0, again_after = 0.1; /* seconds */

void cli_meter_begin(struct cli_meter *meter, const char *name, const struct cli_source *source,
                     uint64_t all_rows)
{
    *meter = (struct cli_meter){.name = name,
                                .source = source,
                                .all_rows = all_rows,
                                .begin = cli_now(),
                                .is_terminal = isatty(STDERR_FILENO) != 0};
}

static void print_bar(double share)
{
    const int cells = (int)(share * BAR_CELLS);
    putc('[', stderr);
    for (int c = 0; c < BAR_CELLS; c++)
        putc(c < cells ? '#' : '-', stderr);
    fprintf(stderr, "] %3d %%", (int)(share * 100));
}

/* The last characters of a long name, which are more informative than the first ones. */
static const char *shorten(const char *name)
{
    const size_t length = strlen(name);
    return length > NAME_CELLS ? name + length - NAME_CELLS : name;
}

static void print(const struct cli_meter *meter, uint64_t rows)
{
    uint64_t taken = rows, all = meter->all_rows;
    if (all == 0 && meter->source != NULL)
        cli_source_progress(meter->source, &taken, &all);
    fputs("\r\033[K", stderr);
    cli_print_name(stderr, shorten(meter->name));
    fputs(": ", stderr);
    if (all > 0)
        print_bar(taken < all ? (double)taken / (double)all : 1.0);
    else
        fprintf(stderr, "%" PRIu64 " rows", rows);
    fflush(stderr);
}

void cli_meter_show(struct cli_meter *meter, uint64_t rows)
{
    if (!meter->is_terminal)
        return;
    const double now = cli_now();
    if (now - meter->begin < first_after || now - meter->shown < again_after)
        return;
    meter->shown = now;
    print(meter, rows);
}

void cli_meter_hide(struct cli_meter *meter)
{
    if (meter->shown > 0)
        fputs("\r\033[K", stderr);
    meter->shown = 0;
}
