/* SPDX-License-Identifier: Apache-2.0
 *
 * What is known of a text's macros, and of the conditions around each of its lines, without knowing
 * the macros of the compiler that will read it: each #if is taken, not taken, or perhaps taken.
 * This ends the inclusion of a file in itself, and finds names in #if lines that are not
 * defined. Values are not looked at.
 */
#ifndef REAP_ACCELERATOR_PREPROCESS_MACROS_H
#define REAP_ACCELERATOR_PREPROCESS_MACROS_H

#include "src/accelerator/string_builder.h"

#include <stdbool.h>
#include <stddef.h>

enum reap__tristate { REAP__NO, REAP__PERHAPS, REAP__YES };

struct reap__macros {
    struct reap__string names; /* strings, one after the other */
    struct reap__string table; /* of struct macro */
    struct reap__string
        groups; /* of struct group: the #ifs around the line at hand, outermost first */
    struct reap__string uses; /* of struct reap__macro_use */
    size_t last;              /* how many of them are from before the last directive */
    size_t base;              /* how many of the groups enclose the file at hand */
    size_t changes;           /* a clock: so many #define and #undef were seen */
};

/* A line of a file, for what reads a directive there. */
struct reap__source_line {
    const char *file;
    const char *text; /* the file's */
    unsigned line;
    bool is_users; /* else a dialect's header */
};

/* A macro in a condition of a user's file which the text has neither defined nor undefined before:
 * the program may have. */
struct reap__macro_use {
    size_t macro;
    const char *file;
    unsigned line;
};

void reap__macros_release(struct reap__macros *macros);
bool reap__macros_failed(const struct reap__macros *macros); /* memory ran out */

/* From here on a macro of this name is defined, perhaps, or not. */
void reap__macros_define(struct reap__macros *macros, const char *name, size_t length,
                         enum reap__tristate answer);

/* Whether one is, here. `text`: of the file that asks; a name that it defines later is taken for
 * one that no compiler defines by itself. May be NULL. */
enum reap__tristate reap__macros_has(const struct reap__macros *macros, const char *name,
                                     size_t length, const char *text);

/* A name that a condition asks for, or whose value it uses. */
void reap__macros_use(struct reap__macros *macros, const char *name, size_t length,
                      const struct reap__source_line *origin);

/* Notes each REAP_KERNEL_MACRO(NAME) in a line of a user's file, without its comments. */
void reap__macros_declare(struct reap__macros *macros, const char *line);

/* The first use of a macro that is not declared so anywhere; NULL: there is none. */
const struct reap__macro_use *reap__macros_unknown(const struct reap__macros *macros,
                                                   const char **name);

/* Whether a user's file has defined or declared a macro of this name, perhaps. */
bool reap__macros_is_users(const struct reap__macros *macros, const char *name, size_t length);

/* Takes notice of a directive, which begins after its #; any directive. */
void reap__macros_directive(struct reap__macros *macros, char *directive,
                            const struct reap__source_line *origin);

/* Whether the compiler will read the lines here. */
enum reap__tristate reap__macros_here(const struct reap__macros *macros);

/* Whether an #if of the file at hand encloses this line. */
bool reap__macros_in_group(const struct reap__macros *macros);

/* A file begins here, inside of the one at hand. What it gives is for the call at its end, which
 * closes the #ifs that the file left open. */
size_t reap__macros_enter(struct reap__macros *macros);
void reap__macros_leave(struct reap__macros *macros, size_t base);

#endif
