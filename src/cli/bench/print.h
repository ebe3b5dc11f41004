/* SPDX-License-Identifier: Apache-2.0
 *
 * What was measured, in forms that people read.
 */
#ifndef CLI_BENCH_PRINT_H
#define CLI_BENCH_PRINT_H

#include "src/cli/bench/bench.h"
#include "src/cli/message.h"

/* Prints the devices, and a row for each size and device. */
void cli_bench_print_table(const struct cli_bench *bench);

/* Prints a plot of speeds over sizes for each way that there is. Needs a size at least. */
void cli_bench_print_charts(const struct cli_bench *bench);

/* Prints a sentence after an empty line, broken between words at 80 columns. */
void cli_bench_print_sentence(const char *sentence);

/* Prints everything as JSON; false: it has complained. */
bool cli_bench_print_json(const struct cli_bench *bench);

/* Looks whether the file can be written, and gnuplot is there; complains otherwise. */
bool cli_bench_check_svg(const char *file);

/* Draws a plot into the file, which is complete then or as it was; false: it has complained. */
bool cli_bench_write_svg(const struct cli_bench *bench, const char *file);

/* Whether copying is measured: where a device has memory of its own. */
bool cli_bench_has_copies(const struct cli_bench *bench);

/* "64 B", "256 KiB", of a power of two. */
enum { CLI_BENCH_BYTES_TEXT = 16 };
void cli_bench_write_bytes(double bytes, char text[CLI_BENCH_BYTES_TEXT]);

#endif
