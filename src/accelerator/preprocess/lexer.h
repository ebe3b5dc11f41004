/* SPDX-License-Identifier: Apache-2.0
 *
 * The lines of a C file as a preprocessor sees them: one goes on after a backslash and within a
 * comment, so that a directive, or what only looks like one in a comment or a string, is
 * recognised. Nothing is expanded here.
 */
#ifndef REAP_ACCELERATOR_PREPROCESS_LEXER_H
#define REAP_ACCELERATOR_PREPROCESS_LEXER_H

#include "src/accelerator/string_builder.h"

#include <stdbool.h>
#include <stddef.h>

struct reap__lexer {
    const char *at; /* what is left of the text */
    unsigned line;  /* its first line's number */
    struct reap__string *scratch;
};

struct reap__line {
    const char *begin, *end; /* as it is in the text, with its newline where it has one */
    unsigned number;         /* of its first line in the file */
    unsigned count;          /* how many lines of the file it takes */
    char *directive;         /* NULL: it is none. Else what follows the #, without comments, in the
                                scratch text; it may be changed */
    unsigned directive_number; /* the line of the # */
};

/* A scanner at the begin of a text, whose lines' directives go into `scratch`, one at a time. */
struct reap__lexer reap__lexer_start(const char *text, struct reap__string *scratch);

/* The next line; false at the end. */
bool reap__lexer_next_line(struct reap__lexer *scanner, struct reap__line *line);

/* After the blanks here; how long the identifier here is, 0 where there is none. */
char *reap__skip_blanks(char *at);
size_t reap__identifier_length(const char *at);

#endif
