/* SPDX-License-Identifier: Apache-2.0
 *
 * The tool's subcommands. Each has its own file; main.c lists them.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

/* Each runs a subcommand: argv[0] is its name in messages ("reap describe"), the rest its options
 * and arguments. Returns the exit status (message.h). */
int cli_bench(int argc, char **argv);
int cli_compile(int argc, char **argv);
int cli_describe(int argc, char **argv);
int cli_devices(int argc, char **argv);

#endif
