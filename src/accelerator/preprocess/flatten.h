/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel's file and all that it includes as one text, for a compiler that has no files. Comments
 * and conditions stay; #line tells the compiler which user's file and line each line is from. What
 * cannot be included becomes an #error in its place, since the compiler may not come there.
 */
#ifndef REAP_ACCELERATOR_PREPROCESS_FLATTEN_H
#define REAP_ACCELERATOR_PREPROCESS_FLATTEN_H

#include "src/accelerator/driver.h"
#include "src/accelerator/string_builder.h"

#include <reap/detail/kernel_table.h>
#include <reap/status.h>

/* How deep files include each other, and how long the text may become. */
enum { REAP__MOST_INCLUDES = 64, REAP__MOST_SOURCE_BYTES = 16 << 20 };

/* Appends the #define of each REAP_KERNEL_MACRO of the kernel's program, then the text. Fails with
 * COMPILATION_FAILED where that cannot be right on a device, for instance where an #if asks for the
 * value of a macro that was not declared; some of the text may have been appended. Any thread. */
reap_status reap__flatten_source(const struct reap_kernel *kernel, enum reap__dialect dialect,
                                 struct reap__string *into);

/* Fails with COMPILATION_FAILED, as that does for every device, where the kernel's file has a
 * variable that lives longer than a work-item: for the host, which would take it. A kernel whose
 * text is not there as a whole passes, and, where the calling thread has little stack, any. Looks
 * once at a kernel that passes. Any thread. */
reap_status reap__sources_check_variables(const struct reap_kernel *kernel);

#endif
