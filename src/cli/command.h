/* SPDX-License-Identifier: Apache-2.0
 *
 * The tool's subcommands. Each has a file of its own; main.c has the list.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

/* Each runs a subcommand: argv[0] is what to call it in messages ("reap describe"), the rest its
 * options and arguments. Gives the exit status (message.h). */
int cli_bench(int argc, char **argv);
int cli_compile(int argc, char **argv);
int cli_describe(int argc, char **argv);
int cli_devices(int argc, char **argv);

#endif
