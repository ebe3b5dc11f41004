/* SPDX-License-Identifier: Apache-2.0
 *
 * REAP_ND_KERNELs, and REAP_ANY_KERNELs for nd_ranges, that the library compiles at run time with
 * the system's C compiler, so that a group's work-items between two barriers are a loop that the
 * compiler makes vectors of, in place of fibers. The results are the same to the bit. It happens on
 * a thread of the library's own, once a kernel has used fibers for some time; whatever goes wrong,
 * the kernel stays with fibers.
 */
#ifndef REAP_HOST_COMPILED_COMPILED_H
#define REAP_HOST_COMPILED_COMPILED_H

#include <reap/detail/kernel_table.h>
#include <stdbool.h>
#include <stdint.h>

/* Before the first launch: the instruction set, and what the configuration says about the
 * compiler. */
struct reap__config;
void reap__compiled_configure(const struct reap__config *config, enum reap__isa isa);

/* The compiled kernel for ranges of that many dimensions; NULL: there is none yet. Compiles it
 * first where kernels are not to use fibers before. Any thread. */
const struct reap__compiled *reap__compiled_find(const struct reap_kernel *kernel,
                                                 unsigned dimensions);

/* A launch has taken so long on fibers: begins to compile where that is worth it. Any thread. */
void reap__compiled_note(const struct reap_kernel *kernel, unsigned dimensions,
                         uint64_t nanoseconds);

/* Compiles the kernel now, unless it has been tried already, and returns when this is done, whether
 * it has been possible or not. Any thread; blocks. */
void reap__compiled_make(const struct reap_kernel *kernel, unsigned dimensions);

/* Whether the kernel is compiled, and why not (reap_kernel_code). Any thread. */
const char *reap__compiled_describe(const struct reap_kernel *kernel, unsigned dimensions);

#endif
