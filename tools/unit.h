/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel file compiled by the host's C compiler into an object, from which the file's kernels and
 * their texts are read. The object is not loaded, so its code does not run.
 */
#ifndef CLI_UNIT_H
#define CLI_UNIT_H

#include <stddef.h>

struct reap_kernel;

struct cli_unit {
    const struct reap_kernel *const *kernels; /* until the process ends */
    size_t kernel_count;
};

enum cli_unit_result {
    CLI_UNIT_FINE,
    CLI_UNIT_REFUSED, /* by the compiler, which has printed the reason on standard error */
    CLI_UNIT_FAILED,  /* otherwise; it has been reported, too */
};

/* Compiles a file with these options for the compiler (-I and -D), in a folder for temporary files,
 * and reads its kernels. The library can compile them until the next file is read (object.h). */
enum cli_unit_result cli_unit_read(const char *file, const char *const *options,
                                   size_t option_count, const char *folder, struct cli_unit *unit);

#endif
