/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel file as the host's C compiler takes it: compiled into a shared object, which is loaded,
 * so that the library has the file's kernels with their texts. None of its kernels is run.
 */
#ifndef CLI_UNIT_H
#define CLI_UNIT_H

#include <stddef.h>

struct reap_kernel;

struct cli_unit {
    const struct reap_kernel *const *kernels; /* for ever; an entry may be NULL */
    size_t kernel_count;
};

enum cli_unit_result {
    CLI_UNIT_FINE,
    CLI_UNIT_REFUSED, /* by the compiler, which has said why on standard error */
    CLI_UNIT_FAILED,  /* otherwise; it has been said, too */
};

/* Compiles a file with these options for the compiler (-I and -D), and loads it. */
enum cli_unit_result cli_unit_load(const char *file, const char *const *options,
                                   size_t option_count, struct cli_unit *unit);

#endif
