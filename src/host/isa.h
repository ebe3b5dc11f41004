/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of a kernel's instruction sets the host uses.
 */
#ifndef REAP_SRC_HOST_ISA_H /* include/reap/host/isa.h has REAP_HOST_ISA_H */
#define REAP_SRC_HOST_ISA_H

#include <reap/host/code.h>
#include <reap/status.h>

/* The best set that the processor has, or the one that REAP_HOST_ISA names: "baseline" (what the
 * compiler's options say), "x86-64-v3" or "x86-64-v4". Fails with NO_DEVICE when the processor
 * lacks that one, or there is none of that name. */
reap_status reap__isa_choose(const char *wanted, enum reap__isa *isa);

const char *reap__isa_name(enum reap__isa isa);

/* The best set, not above `best`, that the kernel was compiled for and whose code computes what C
 * says. Looks into the code once. Fails with INEXACT_BUILD, naming the reason. */
reap_status reap__isa_of_kernel(const struct reap_kernel *kernel, enum reap__isa best,
                                enum reap__isa *isa);

#endif
