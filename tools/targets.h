/* SPDX-License-Identifier: Apache-2.0
 *
 * The targets of `reap compile`: the host, devices of this machine, architectures of cards that
 * need not be present.
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
    bool is_left_out; /* it cannot be checked on this machine; a reason is recorded */
};

struct cli_targets {
    struct cli_target list[CLI_MOST_TARGETS];
    size_t count;
    bool are_given; /* named by --target: it is an error if one cannot be checked */

    /* Why targets cannot be checked, each reason once: "cuda: libnvrtc.so has no ...". */
    char reasons[CLI_MOST_TARGETS][CLI_REASON_BYTES];
    size_t reason_count;
};

/* Whether the text is a list of valid targets, separated by commas. */
bool cli_targets_are_right(const char *list);

/* Finds the targets of a list; NULL: all that are available. If a variable of the environment is
 * invalid, so that there is not any device, reports that and returns false. */
bool cli_targets_find(const char *list, struct cli_targets *targets);

/* Records why something cannot be checked. */
void cli_targets_note(struct cli_targets *targets, const char *reason);

#endif
