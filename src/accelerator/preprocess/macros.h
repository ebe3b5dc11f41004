/* SPDX-License-Identifier: Apache-2.0
 *
 * Which macros of a text are defined, and whether each of its lines is compiled, without the
 * predefined macros of the compiler that will read it: so an answer is yes, no or perhaps. This
 * ends the inclusion of a file in itself, and finds names in #if lines that are not defined. Values
 * of macros are not evaluated.
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
        groups; /* of struct group: the #ifs around the current line, outermost first */
    struct reap__string uses; /* of struct reap__macro_use */
    size_t last;              /* the length of `uses` before the last directive */
    size_t base;              /* how many of the groups enclose the current file */
    size_t changes;           /* how many #define and #undef were read, as a clock */
};

/* The position of a directive. */
struct reap__source_line {
    const char *file;
    const char *text; /* the file's */
    unsigned line;
    bool is_users; /* else a dialect's header */
};

/* A macro in a condition of a user's file that the text has neither defined nor undefined before:
 * the program may define it, or <reap/kernel.h> does, which comes later. */
struct reap__macro_use {
    size_t macro;
    const char *file;
    unsigned line;
};

void reap__macros_release(struct reap__macros *macros);
bool reap__macros_failed(const struct reap__macros *macros); /* whether memory ran out */

/* From here on a macro of this name is defined (YES), not defined (NO), or perhaps. */
void reap__macros_define(struct reap__macros *macros, const char *name, size_t length,
                         enum reap__tristate answer);

/* Whether a macro of this name is defined here. `text` is the text of the current file, or NULL: a
 * name that it defines later is assumed not to be predefined by compilers. */
enum reap__tristate reap__macros_has(const struct reap__macros *macros, const char *name,
                                     size_t length, const char *text);

/* Notes a name that a condition tests or whose value it uses. */
void reap__macros_use(struct reap__macros *macros, const char *name, size_t length,
                      const struct reap__source_line *origin);

/* Notes each REAP_KERNEL_MACRO(NAME) in a line of a user's file, without its comments. */
void reap__macros_declare(struct reap__macros *macros, const char *line);

/* The first use of a macro that no REAP_KERNEL_MACRO declares, with its name; NULL: all are
 * declared. */
const struct reap__macro_use *reap__macros_unknown(const struct reap__macros *macros,
                                                   const char **name);

/* Whether it is a macro that <reap/kernel.h> defines on every device. */
bool reap__macros_are_of_dialect(const char *name, size_t length);

/* Reads a directive of any kind, which begins after its #. */
void reap__macros_directive(struct reap__macros *macros, char *directive,
                            const struct reap__source_line *origin);

/* Whether the compiler compiles the current line. */
enum reap__tristate reap__macros_here(const struct reap__macros *macros);

/* Whether an #if of the current file encloses the current line. */
bool reap__macros_in_group(const struct reap__macros *macros);

/* `enter` begins a file inside the current one; its result is for `leave` at the file's end, which
 * closes the #ifs that the file left open. */
size_t reap__macros_enter(struct reap__macros *macros);
void reap__macros_leave(struct reap__macros *macros, size_t base);

#endif
