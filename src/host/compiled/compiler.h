/* SPDX-License-Identifier: Apache-2.0
 *
 * The system's C compiler, which runs as a process of its own.
 */
#ifndef REAP_HOST_COMPILED_COMPILER_H
#define REAP_HOST_COMPILED_COMPILER_H

#include "src/accelerator/driver.h"
#include "src/accelerator/string_builder.h"

#include <stdbool.h>

/* Appends the output of the compiler's --version. Returns whether there is such a compiler. Any
 * thread; blocks, for some seconds at most. */
bool reap__compiler_version(const char *compiler, struct reap__string *into);

/* The options of a compilation, as one line. It is never freed. */
const char *reap__compiler_options(void);

/* Compiles a text to a shared object, whose bytes belong to the caller (reap__free). Returns NULL,
 * or as a phrase, never freed, why it failed. Any thread; blocks, for half a minute at most. */
const char *reap__compiler_run(const char *compiler, const struct reap__string *text,
                               struct reap__binary *binary);

/* Loads a shared object, until its handle is released (reap__object_release). Returns the address
 * of the symbol, or NULL: then nothing is loaded. Any thread. */
const void *reap__binary_load(const struct reap__binary *binary, const char *symbol, void **handle);

#endif
