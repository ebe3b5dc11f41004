/* SPDX-License-Identifier: Apache-2.0
 *
 * The instruction set whose code the host runs.
 */
#ifndef REAP_SRC_HOST_ISA_H /* include/reap/detail/host/isa.h has REAP_DETAIL_HOST_ISA_H */
#define REAP_SRC_HOST_ISA_H

#include "src/port/compiler.h"

#include <reap/detail/kernel_table.h>
#include <reap/status.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Chooses the best set that the processor has, or the one that `wanted` (REAP_HOST_ISA) names:
 * "baseline" (the compiler's options), "x86-64-v3" or "x86-64-v4". NULL: the best. Fails with
 * REAP_ERROR_NO_DEVICE if the processor lacks the named set, or the name is unknown. */
reap_status reap__isa_choose(const char *wanted, enum reap__isa *isa);

const char *reap__isa_name(enum reap__isa isa);

/* Finds the best set, at most `best`, that the kernel was compiled for and whose code computes what
 * C specifies. Checks each code once. Fails with REAP_ERROR_INEXACT_BUILD, with the reason. */
static inline reap_status reap__isa_of_kernel(const struct reap_kernel *kernel, enum reap__isa best,
                                              enum reap__isa *isa);

/* The same if `best` has not been checked yet, or is not usable. */
REAP__RARE reap_status reap__isa_find(const struct reap_kernel *kernel, enum reap__isa best,
                                      enum reap__isa *isa);

/* Whether the baseline's code of a kernel computes what C specifies. */
bool reap__isa_is_exact(const struct reap_kernel *kernel);

/* The number of checks so far. A kernel in the memory of another one, whose library was unloaded,
 * is checked again: a thread that reads the kernel's bit (acquire) reads another number here. */
extern atomic_uint reap__isa_checks;

static inline bool reap__isa_has_bit(const atomic_uint *bits, enum reap__isa isa)
{
    return (atomic_load_explicit(bits, memory_order_acquire) & 1u << isa) != 0;
}

static inline reap_status reap__isa_of_kernel(const struct reap_kernel *kernel, enum reap__isa best,
                                              enum reap__isa *isa)
{
    *isa = best;
    return reap__isa_has_bit(&kernel->state->probed, best) ? REAP_OK
                                                           : reap__isa_find(kernel, best, isa);
}

#endif
