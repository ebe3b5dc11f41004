/* SPDX-License-Identifier: Apache-2.0
 *
 * What identifies a kernel. Its address does not: a plugin may be loaded where another one was.
 */
#ifndef REAP_CORE_KERNEL_H
#define REAP_CORE_KERNEL_H

#include <reap/detail/kernel_table.h>
#include <stdint.h>

/* Returns the kernel's number, which no other kernel that the process loads has, before or later.
 * The objects of one kernel, for ranges of one and of two dimensions, have the same. Any thread. */
uint64_t reap__kernel_number(const struct reap_kernel *kernel);

#endif
