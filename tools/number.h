/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers on the command line.
 */
#ifndef CLI_NUMBER_H
#define CLI_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Reads a whole number; K, M or G after it multiplies it by 2^10, 2^20 or 2^30. Returns false if it
 * is not a number, or too large for 64 bits. */
bool cli_number_read(const char *text, uint64_t *number);

/* Reads the argument of --timeout, a number of seconds from 1 to 1000000; otherwise complains with
 * the command's name and returns false. */
bool cli_number_read_seconds(const char *called, const char *text, uint64_t *seconds);

#endif
