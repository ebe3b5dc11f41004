/* SPDX-License-Identifier: Apache-2.0
 *
 * The system's C compiler, as a process of its own.
 */
#ifndef REAP_HOST_COMPILED_COMPILER_H
#define REAP_HOST_COMPILED_COMPILER_H

#include "src/accelerator/driver.h"
#include "src/accelerator/string_builder.h"

#include <stdbool.h>

/* Appends what the compiler says about its version. Returns whether there is such a compiler. Any
 * thread; blocks, at most for some seconds. */
bool reap__compiler_version(const char *compiler, struct reap__string *into);

/* The options of a compilation, as one line; lives for ever. */
const char *reap__compiler_options(void);

/* Makes a shared object of a text, which is the caller's (reap__free). Returns NULL, or why there
 * is none, a phrase that lives for ever. Any thread; blocks, at most for half a minute. */
const char *reap__compiler_run(const char *compiler, const struct reap__string *text,
                               struct reap__binary *binary);

/* Loads a shared object, which stays loaded until its handle is released (reap__object_release).
 * Returns the object of that name, or NULL: then nothing stays. Any thread. */
const void *reap__binary_load(const struct reap__binary *binary, const char *symbol, void **handle);

#endif
