/* SPDX-License-Identifier: Apache-2.0
 *
 * REAP_ND_KERNELs, and REAP_ANY_KERNELs for nd_ranges, that the library compiles at run time with
 * the system's C compiler. The work-items of a group between two barriers become a loop, which the
 * compiler vectorises, instead of fibers. The results have the same bits. A kernel is compiled on a
 * thread of the library, once it has used fibers for some time; if that fails for any reason, its
 * work-items stay on fibers.
 */
#ifndef REAP_HOST_COMPILED_COMPILED_H
#define REAP_HOST_COMPILED_COMPILED_H

#include <reap/detail/kernel_table.h>
#include <stdbool.h>
#include <stdint.h>

/* Sets the instruction set, and reads the compiler from the configuration. Call it before the first
 * launch. */
struct reap__config;
void reap__compiled_configure(const struct reap__config *config, enum reap__isa isa);

/* Returns the compiled kernel for ranges of that many dimensions; NULL: not compiled yet, or not
 * possible. If the configuration has kernels compiled before their first launch, compiles it first
 * and blocks. Any thread. */
const struct reap__compiled *reap__compiled_find(const struct reap_kernel *kernel,
                                                 unsigned dimensions);

/* Records the time of a launch on fibers, and begins to compile the kernel when it has taken long
 * enough in all. Does not block. Any thread. */
void reap__compiled_note(const struct reap_kernel *kernel, unsigned dimensions,
                         uint64_t nanoseconds);

/* Compiles the kernel now, unless that has been tried already. Returns when it is compiled or
 * cannot be. Any thread; blocks. */
void reap__compiled_make(const struct reap_kernel *kernel, unsigned dimensions);

/* Returns whether the kernel is compiled, or why not, as a phrase (reap_kernel_code). Any
 * thread. */
const char *reap__compiled_describe(const struct reap_kernel *kernel, unsigned dimensions);

#endif
