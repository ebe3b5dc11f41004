/* SPDX-License-Identifier: Apache-2.0
 *
 * What `reap compile` compiles for: the host, devices that are here, architectures of cards that
 * need not be here.
 */
#ifndef CLI_TARGETS_H
#define CLI_TARGETS_H

#include <reap/reap.h>
#include <stdbool.h>
#include <stddef.h>

enum { CLI_MOST_TARGETS = 96, CLI_TARGET_BYTES = 24, CLI_REASON_BYTES = 512 };

struct cli_target {
    char name[CLI_TARGET_BYTES];
    const reap_device *device; /* NULL: the host, or an architecture */
    bool is_host;
    bool is_left_out; /* it cannot be checked here */
};

struct cli_targets {
    struct cli_target list[CLI_MOST_TARGETS];
    size_t count;
    bool are_given; /* by --target: what cannot be checked is a failure then */

    /* Why something cannot be checked, each said once: "cuda: there is no ...". */
    char reasons[CLI_MOST_TARGETS][CLI_REASON_BYTES];
    size_t reason_count;
};

/* Whether it is a list, with commas, of what may be a target. */
bool cli_targets_are_right(const char *list);

/* Finds the targets of a list; NULL: all that there are. False: there are no devices at all, since
 * the environment is wrong, and it has been said. */
bool cli_targets_find(const char *list, struct cli_targets *targets);

/* Notes why something cannot be checked. */
void cli_targets_note(struct cli_targets *targets, const char *reason);

#endif
