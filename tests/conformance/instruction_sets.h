/* SPDX-License-Identifier: Apache-2.0
 *
 * The instruction sets that REAP_HOST_ISA may name: a test's body runs once in each, in a child
 * process, since the library reads its environment once; and the proof of which one kernels ran in.
 */
#ifndef TESTS_CONFORMANCE_INSTRUCTION_SETS_H
#define TESTS_CONFORMANCE_INSTRUCTION_SETS_H

enum { INSTRUCTION_SETS = 3 };

extern const char *const instruction_sets[INSTRUCTION_SETS];

/* Calls the body in a child process for each instruction set, with that one forced and 17 threads
 * allowed; says which ones are skipped, and why. Before, the parent may not have called the library
 * in any way. Returns how many children failed: the body's status, as check_finish returns it, was
 * not 0, or they died. */
unsigned in_each_instruction_set(int (*body)(unsigned set, const void *context),
                                 const void *context);

/* How many commands of this process ran in it, as the kernels' own code says. */
unsigned long instruction_set_commands(unsigned set);

#endif
