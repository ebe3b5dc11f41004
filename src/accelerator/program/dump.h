/* SPDX-License-Identifier: Apache-2.0
 *
 * REAP_DUMP_KERNELS: what a device's compiler got and gave, as files for people to read.
 */
#ifndef REAP_ACCELERATOR_PROGRAM_DUMP_H
#define REAP_ACCELERATOR_PROGRAM_DUMP_H

#include "src/accelerator/driver.h"

/* One compilation. */
struct reap__dump {
    const struct reap__accelerator *accelerator;
    const char *kernel_name;
    const char *text;
    const char *log;                   /* NULL: none */
    const struct reap__binary *binary; /* NULL: none */
};

/* Writes KERNEL.DEVICE.HASH.cl (or .cu), .log and .bin (or .ptx) into the folder that the
 * configuration names, where there is one; HASH is the text's. Any thread. Fails with
 * INVALID_ARGUMENT, naming the file and the system's reason, or OUT_OF_MEMORY. */
reap_status reap__dump(const struct reap__dump *dump);

#endif
