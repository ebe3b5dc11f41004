/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds files among the texts that a program carries: which file an #include means, and which file
 * a kernel is compiled from. The host's compiler found them by folders that need not exist when
 * the program runs; what is left are the paths as that compiler wrote them (__FILE__).
 */
#ifndef REAP_ACCELERATOR_PREPROCESS_LOOKUP_H
#define REAP_ACCELERATOR_PREPROCESS_LOOKUP_H

#include <reap/detail/kernel_table.h>
#include <reap/status.h>

/* ---- Files ------------------------------------------------------------------------------------*/

struct reap__file {
    const char *name; /* its path */
    const char *text;
};

enum reap__files { REAP__NO_FILE, REAP__ONE_FILE, REAP__SEVERAL_FILES };

/* Among the kernel's own file and those of its program that say REAP_KERNEL_FILE: the one whose
 * path is `spelled`, seen from the folder of the file `from`; else the one whose path agrees with
 * that in the most last components, all of `spelled` at least. Equal texts are one file. Both paths
 * are compared without . and .. in them. */
enum reap__files reap__find_file(const struct reap_kernel *kernel, const char *from,
                                 const char *spelled, struct reap__file *found);

/* ---- Roots ------------------------------------------------------------------------------------*/

/* The kernel's own file; where that is a template, which does not include <reap/kernel.h>, the file
 * that includes it, and says REAP_KERNEL_FILE. Fails with REAP_ERROR_COMPILATION_FAILED where
 * several do, or the program has no text of the kernel's; with REAP_ERROR_OUT_OF_MEMORY. */
reap_status reap__find_root(const struct reap_kernel *kernel, struct reap__file *root);

#endif
