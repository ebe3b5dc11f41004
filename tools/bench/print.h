/* SPDX-License-Identifier: Apache-2.0
 *
 * Output of the results for people.
 */
#ifndef CLI_BENCH_PRINT_H
#define CLI_BENCH_PRINT_H

#include "tools/bench/bench.h"
#include "tools/message.h"

/* Prints the devices, and a row for each size and device. */
void cli_bench_print_table(const struct cli_bench *bench);

/* Prints a plot of speeds over sizes for each way that was measured. Needs at least one size. */
void cli_bench_print_charts(const struct cli_bench *bench);

/* Prints a sentence after an empty line, broken between words at 80 columns. */
void cli_bench_print_sentence(const char *sentence);

/* Prints the results as JSON. Returns false after a complaint. */
bool cli_bench_print_json(const struct cli_bench *bench);

/* Checks that the file can be written, and that gnuplot is installed; complains otherwise. */
bool cli_bench_check_svg(const char *file);

/* Draws a plot in the file, which is then complete or unchanged. Returns false after a complaint.
 */
bool cli_bench_write_svg(const struct cli_bench *bench, const char *file);

/* Whether copying is measured, that is, whether a device has its own memory. */
bool cli_bench_has_copies(const struct cli_bench *bench);

/* "64 B", "256 KiB", of a power of two. */
enum { CLI_BENCH_BYTES_TEXT = 16 };
void cli_bench_write_bytes(double bytes, char text[CLI_BENCH_BYTES_TEXT]);

#endif
