/* SPDX-License-Identifier: Apache-2.0
 *
 * The compiled programs of a device, by kernel and layout.
 */
#ifndef REAP_ACCELERATOR_PROGRAM_PROGRAM_H
#define REAP_ACCELERATOR_PROGRAM_PROGRAM_H

#include "src/accelerator/codegen/layout.h"
#include "src/accelerator/string_builder.h"

/* The whole text that a device's compiler gets. Any thread. Fails with COMPILATION_FAILED or
 * OUT_OF_MEMORY. */
reap_status reap__program_text(const struct reap__accelerator *accelerator,
                               const struct reap__layout *layout, struct reap__string *text);

/* The program for a kernel in this layout, compiled at its first use; it lives for ever. With the
 * accelerator's lock held. Fails with COMPILATION_FAILED, with the user's file and line,
 * OUT_OF_MEMORY or DEVICE_FAILED. */
reap_status reap__program_get(struct reap__accelerator *accelerator,
                              const struct reap__layout *layout,
                              const struct reap__program **program);

/* Compiles the text for that layout and forgets what came out; the driver's `compile` is all that
 * is called. Fails with COMPILATION_FAILED, likewise, OUT_OF_MEMORY or as the driver does. */
reap_status reap__program_check(struct reap__accelerator *accelerator,
                                const struct reap__layout *layout);

#endif
