/* SPDX-License-Identifier: Apache-2.0
 *
 * Names that a dialect's header makes other ones of (opencl/names.h, cuda/names.h), and that a
 * kernel file defines as macros of its own: #undef lines behind the header give them back, so that
 * the file's #ifndef is taken.
 */
#ifndef REAP_ACCELERATOR_PREPROCESS_UNDEFINE_H
#define REAP_ACCELERATOR_PREPROCESS_UNDEFINE_H

#include "src/accelerator/string_builder.h"

/* All zero: the header has not come yet. */
struct reap__undefines {
    struct reap__string lines;
    size_t header, header_end; /* where the header stands in the text */
};

/* A header stands there; the first one counts. */
void reap__undefines_set_header(struct reap__undefines *renames, size_t begin, size_t end);

/* A file behind it has a #define: `name` is what follows that word. */
void reap__undefines_add(struct reap__undefines *renames, const struct reap__string *text,
                         const char *name);

/* At last puts the lines behind the header. */
void reap__undefines_insert(struct reap__undefines *renames, struct reap__string *text);

#endif
