/* SPDX-License-Identifier: Apache-2.0
 *
 * Which text a kernel is compiled from.
 */
#ifndef REAP_ACCELERATOR_PREPROCESS_ROOTS_H
#define REAP_ACCELERATOR_PREPROCESS_ROOTS_H

#include "src/accelerator/preprocess/files.h"

#include <reap/status.h>

/* The kernel's own file; where that is a template, which does not include <reap/kernel.h>, the file
 * that includes it, and says REAP_KERNEL_FILE. Fails with COMPILATION_FAILED where several do, or
 * the program has no text of the kernel's; with OUT_OF_MEMORY. */
reap_status reap__find_root(const struct reap_kernel *kernel, struct reap__file *root);

#endif
