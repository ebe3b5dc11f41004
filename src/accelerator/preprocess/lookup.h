/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds files among the texts that are embedded in a program: the file that an #include means, and
 * the file that a kernel is compiled from. The folders in which the host's compiler found them need
 * not exist when the program runs, so files are found by the paths that the compiler recorded
 * (__FILE__).
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

/* Finds the file that #include "`spelled`" in the file `from` means, among the kernel's own file
 * and those of its program with REAP_KERNEL_FILE: the file with that path relative to the folder of
 * `from`; otherwise the file whose path agrees with it in the most last components, at least in all
 * of `spelled`. Equal texts count as one file. Paths are compared without . and .. in them. */
enum reap__files reap__find_file(const struct reap_kernel *kernel, const char *from,
                                 const char *spelled, struct reap__file *found);

/* ---- Roots ------------------------------------------------------------------------------------*/

/* Sets *root to the kernel's own file; if that is a template, which does not include
 * <reap/kernel.h>, to the file with REAP_KERNEL_FILE that includes it. Fails with
 * REAP_ERROR_COMPILATION_FAILED if several files include it, or if the program does not contain the
 * kernel's text; with REAP_ERROR_OUT_OF_MEMORY. */
reap_status reap__find_root(const struct reap_kernel *kernel, struct reap__file *root);

#endif
