/* SPDX-License-Identifier: Apache-2.0
 *
 * Where arrays are described: on the host, or on a device, and with how much of its memory.
 */
#ifndef CLI_PLACE_H
#define CLI_PLACE_H

#include "src/cli/message.h"

#include <reap/reap.h>
#include <stdbool.h>
#include <stdint.h>

struct cli_place {
    const reap_device *device; /* NULL: the host, which is the default device then */
    uint64_t memory_bytes;     /* of the device's, for elements and what is found in them */
};

/* As --device and --device-memory have them. */
struct cli_place_options {
    const char *device;    /* NULL: what REAP_DEVICE says, else the host */
    uint64_t memory_bytes; /* 0: what is sensible there */
};

/* Reads a number of bytes, with K, M or G behind it for 2^10, 2^20 or 2^30; complains and gives
 * false where it is none, or too few. */
bool cli_place_read_memory(const char *called, const char *text, uint64_t *bytes);

/* Finds the place, and makes the host the default device, on which the rest is done. Complains
 * where it is not there, and gives the exit status. To be called before any other use of the
 * library. */
enum cli_status cli_place_find(const char *called, const struct cli_place_options *options,
                               struct cli_place *place);

#endif
