/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds a variable of a kernel file that lives longer than a work-item: outside of functions, or
 * static in one. Devices do not share such a variable with the program: they have a copy, or reject
 * it. CUDA's compiler accepts it without a message.
 */
#ifndef REAP_ACCELERATOR_PREPROCESS_VARIABLE_CHECK_H
#define REAP_ACCELERATOR_PREPROCESS_VARIABLE_CHECK_H

#include "src/accelerator/preprocess/macros.h"

#include <stdbool.h>
#include <stddef.h>

/* The first variable that was found, and the current declaration. All zero is the begin of a text.
 */
struct reap__variables {
    bool is_found;
    char name[64]; /* cut */
    const char *file;
    unsigned line;

    struct reap__declaration {
        unsigned words;   /* identifiers and keywords of its type and its name */
        bool is_constant; /* or not known to be a variable */
        bool is_static;   /* begins with that word */
        bool is_named;    /* its first declarator has been read */
        bool awaits_tag;  /* after struct, union or enum */
        bool has_tag;     /* such a keyword was read: a body may follow */
        bool is_function; /* it has parentheses, as a function has */
        bool is_skipped;  /* the parentheses that follow belong to REAP_KERNEL_MACRO */
        char name[64];
    } declaration;
    unsigned braces, groups; /* how many { are open, and how many ( and [ */
    bool is_in_function;
};

/* Reads a line, without comments, of a user's file that is certainly compiled and is not a
 * directive.
 */
void reap__variables_read(struct reap__variables *variables, const struct reap__macros *macros,
                          const char *line, const char *file, unsigned number);

#endif
