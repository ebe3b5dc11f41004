/* SPDX-License-Identifier: Apache-2.0
 *
 * A progress bar on standard error, if that is a terminal and the work takes longer than a second.
 */
#ifndef CLI_METER_H
#define CLI_METER_H

#include "tools/read/source.h"

#include <stdbool.h>
#include <stdint.h>

struct cli_meter {
    const char *name;                /* of the file */
    const struct cli_source *source; /* which returns how much was read; or NULL */
    uint64_t all_rows;               /* 0: unknown */
    double begin, shown;             /* in seconds; shown is 0 until it is visible */
    bool is_terminal;
};

void cli_meter_begin(struct cli_meter *meter, const char *name, const struct cli_source *source,
                     uint64_t all_rows);

/* Updates the bar at intervals. One thread at a time. */
void cli_meter_show(struct cli_meter *meter, uint64_t rows);

/* Removes it from the terminal. */
void cli_meter_hide(struct cli_meter *meter);

#endif
