/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of an ELF object file, read from its symbols, data and relocations. The object is not
 * loaded, so its code does not run. An object may contain any bytes; what does not describe a
 * kernel is refused.
 */
#ifndef CLI_OBJECT_H
#define CLI_OBJECT_H

#include "tools/failure.h"

#include <stddef.h>

struct reap_kernel;

struct cli_object {
    const struct reap_kernel **kernels;
    size_t kernel_count;
    struct cli_object_memory *memory; /* that contains the kernels */
};

/* Reads the kernels of a relocatable object, which REAP_LIST_KERNELS has listed (reap/compile.h);
 * the bytes need not stay. The library can compile these kernels for devices until the next object
 * is read: their functions for the host are missing, and there is one set of functions that give
 * the kernels' texts. Gives false and the failure where the object is not one of this machine, or
 * its kernels are not as Reap's headers write them. One thread at a time. */
bool cli_object_read(const unsigned char *bytes, size_t count, struct cli_object *object,
                     struct cli_failure *failure);

/* The library keeps kernels' addresses, so call this only before it has received one of these. */
void cli_object_release(struct cli_object *object);

#endif
