/* SPDX-License-Identifier: Apache-2.0
 *
 * What stands between the phases of a REAP_GROUP_KERNEL. The host runs that once for a group, other
 * devices once for each work-item, and it must mean the same: it may compute with variables of its
 * own, but not write to memory, and a phase may not assign to its variables (docs/groups.md). No
 * compiler can be asked, since the names are the kernel's own, so the kernel's text is looked at.
 */
#ifndef REAP_ACCELERATOR_PREPROCESS_PHASE_CHECK_H
#define REAP_ACCELERATOR_PREPROCESS_PHASE_CHECK_H

#include <reap/detail/kernel_table.h>
#include <reap/status.h>
#include <stdbool.h>

/* Fails with COMPILATION_FAILED where a kernel in phases does what depends on the device; the
 * message has the line and the remedy. Other kernels, and those whose text is not there as a whole,
 * which devices refuse, pass. Looks once at a kernel that passes. Any thread. */
reap_status reap__phases_check(const struct reap_kernel *kernel);

/* Whether what stands between phases reads memory that phases write: then a phase must not begin
 * before the whole group has done so. */
bool reap__phases_read_between(const struct reap_kernel *kernel);

#endif
