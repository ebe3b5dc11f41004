/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of a kernel's instruction sets the host uses.
 */
#ifndef REAP_SRC_HOST_ISA_H /* include/reap/detail/host/isa.h has REAP_DETAIL_HOST_ISA_H */
#define REAP_SRC_HOST_ISA_H

#include "src/port/compiler.h"

#include <reap/detail/kernel_table.h>
#include <reap/status.h>
#include <stdatomic.h>
#include <stdbool.h>

/* The best set that the processor has, or the one that REAP_HOST_ISA names: "baseline" (what the
 * compiler's options say), "x86-64-v3" or "x86-64-v4". Fails with REAP_ERROR_NO_DEVICE when the
 * processor lacks that one, or there is none of that name. */
reap_status reap__isa_choose(const char *wanted, enum reap__isa *isa);

const char *reap__isa_name(enum reap__isa isa);

/* The best set, not above `best`, that the kernel was compiled for and whose code computes what C
 * says. Looks into the code once. Fails with REAP_ERROR_INEXACT_BUILD, naming the reason. */
static inline reap_status reap__isa_of_kernel(const struct reap_kernel *kernel, enum reap__isa best,
                                              enum reap__isa *isa);

/* The same, where that is not known to be the best one. */
REAP__RARE reap_status reap__isa_find(const struct reap_kernel *kernel, enum reap__isa best,
                                      enum reap__isa *isa);

/* Whether the one code of a kernel's table computes what C says. */
bool reap__isa_is_exact(const struct reap_kernel *kernel);

static inline bool reap__isa_has_bit(const atomic_uint *bits, enum reap__isa isa)
{
    return (atomic_load_explicit(bits, memory_order_relaxed) & 1u << isa) != 0;
}

static inline reap_status reap__isa_of_kernel(const struct reap_kernel *kernel, enum reap__isa best,
                                              enum reap__isa *isa)
{
    *isa = best;
    return reap__isa_has_bit(&kernel->state->probed, best) ? REAP_OK
                                                           : reap__isa_find(kernel, best, isa);
}

#endif
