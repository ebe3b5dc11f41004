/* SPDX-License-Identifier: Apache-2.0
 *
 * The device that describes arrays, and how much of its memory may be used.
 */
#ifndef CLI_CHOSEN_DEVICE_H
#define CLI_CHOSEN_DEVICE_H

#include "tools/message.h"

#include <reap/reap.h>
#include <stdbool.h>
#include <stdint.h>

struct cli_chosen_device {
    const reap_device *device; /* NULL: the host, which is then the default device */
    uint64_t memory_bytes;     /* of the device, for elements and results */
};

/* The values of --device and --device-memory. */
struct cli_device_options {
    const char *device;    /* NULL: the device that REAP_DEVICE names, otherwise the host */
    uint64_t memory_bytes; /* 0: a default */
};

/* Reads a number of bytes; K, M or G after it multiplies it by 2^10, 2^20 or 2^30. Complains and
 * returns false if it is not a number, or too small. */
bool cli_chosen_device_read_memory(const char *called, const char *text, uint64_t *bytes);

/* Finds the device, and makes the host the default device, for all other work. If it does not
 * exist, complains and returns the exit status. Call it before any other use of the library. */
enum cli_status cli_chosen_device_find(const char *called, const struct cli_device_options *options,
                                       struct cli_chosen_device *chosen);

#endif
