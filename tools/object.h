/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of an ELF object file, read from its symbols, data and relocations. The object is not
 * loaded, so its code does not run. An object may contain any bytes; it is rejected if they do not
 * describe kernels.
 */
#ifndef CLI_OBJECT_H
#define CLI_OBJECT_H

#include "tools/failure.h"

#include <stddef.h>

struct reap_kernel;

struct cli_object {
    const struct reap_kernel **kernels;
    size_t kernel_count;
    struct cli_object_memory *memory; /* which contains the kernels */
};

/* Reads the kernels of a relocatable object that REAP_LIST_KERNELS has listed (reap/compile.h). The
 * bytes are not used after the call. The library can compile these kernels for devices, but not run
 * them on the host, until the next object is read, since the functions that return texts are
 * shared. Returns false and the failure if the object is not for this machine, or its kernels are
 * not as Reap's headers define them. One thread at a time. */
bool cli_object_read(const unsigned char *bytes, size_t count, struct cli_object *object,
                     struct cli_failure *failure);

/* Frees the kernels. Only before one of them is passed to the library, which keeps kernels'
 * addresses. */
void cli_object_release(struct cli_object *object);

#endif
