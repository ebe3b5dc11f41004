/* SPDX-License-Identifier: Apache-2.0
 *
 * A progress bar on standard error, where that is a terminal and it takes longer than a second.
 */
#ifndef CLI_METER_H
#define CLI_METER_H

#include "src/cli/read/source.h"

#include <stdbool.h>
#include <stdint.h>

struct cli_meter {
    const char *name;                /* of the file */
    const struct cli_source *source; /* of which it tells how much was taken; or NULL */
    uint64_t all_rows;               /* 0: not known */
    double begin, shown;             /* in seconds; shown is 0 until it is seen */
    bool is_terminal;
};

void cli_meter_begin(struct cli_meter *meter, const char *name, const struct cli_source *source,
                     uint64_t all_rows);

/* Shows how far it is, now and then. One thread at a time. */
void cli_meter_show(struct cli_meter *meter, uint64_t rows);

/* Takes it off the terminal. */
void cli_meter_hide(struct cli_meter *meter);

#endif
