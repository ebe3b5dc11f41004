/* SPDX-License-Identifier: Apache-2.0
 *
 * The C file that is made of a REAP_ND_KERNEL at run time, for the system's compiler. Any thread.
 */
#ifndef REAP_HOST_COMPILED_TEXT_H
#define REAP_HOST_COMPILED_TEXT_H

#include "src/accelerator/string_builder.h"

#include <reap/detail/kernel_table.h>
#include <stdbool.h>

/* Appends the file, for ranges of that many dimensions and an instruction set. Returns NULL, or as
 * a phrase, never freed, why this kernel cannot be compiled; then a part of the text may have been
 * appended. */
const char *reap__compiled_text(const struct reap_kernel *kernel, unsigned dimensions,
                                enum reap__isa isa, struct reap__string *into);

/* Appends the headers of the dialect (headers.c). */
void reap__host_dialect_write(struct reap__string *into);

#endif
