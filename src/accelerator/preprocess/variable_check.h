/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables of a kernel file that live longer than a work-item: outside of functions, or static in
 * one. A device has its own of them, or none, and what the program or other work-items write to
 * them would not be seen there. CUDA's compiler takes them.
 */
#ifndef REAP_ACCELERATOR_PREPROCESS_VARIABLE_CHECK_H
#define REAP_ACCELERATOR_PREPROCESS_VARIABLE_CHECK_H

#include "src/accelerator/preprocess/macros.h"

#include <stdbool.h>
#include <stddef.h>

/* The first one that was found, and the declaration at hand. Zeroed, it is at the begin of a text.
 */
struct reap__variables {
    bool is_found;
    char name[64]; /* cut */
    const char *file;
    unsigned line;

    struct reap__declaration {
        unsigned words;   /* of its type and its name */
        bool is_constant; /* or nothing that is known to be a variable */
        bool is_static;   /* begins with that word */
        bool is_named;    /* its name has been read: an initialiser follows */
        bool awaits_tag;  /* after struct, union or enum */
        bool has_tag;     /* ... was seen, whose body may follow */
        bool is_function; /* it has parentheses */
        bool is_skipped;  /* the parentheses that follow belong to REAP_KERNEL_MACRO */
        char name[64];
    } declaration;
    unsigned braces, groups; /* how many { are open, and how many ( and [ */
    bool is_in_function;
};

/* Reads a line of a user's file, without comments, that compilers read, and that is not a
 * directive.
 */
void reap__variables_read(struct reap__variables *variables, const struct reap__macros *macros,
                          const char *line, const char *file, unsigned number);

#endif
