/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of the files in a program an #include means. The host's compiler found it by its folders,
 * which are gone when the program runs; what is left are the files' paths as that compiler said
 * them (__FILE__).
 */
#ifndef REAP_ACCELERATOR_PREPROCESS_FILES_H
#define REAP_ACCELERATOR_PREPROCESS_FILES_H

#include <reap/host/code.h>

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

#endif
