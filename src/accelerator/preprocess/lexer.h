/* SPDX-License-Identifier: Apache-2.0
 *
 * The logical lines of a C file: a backslash or a comment may continue one on the next line, so a
 * directive is distinguished from text that looks like one in a comment or a string. Macros are not
 * expanded.
 */
#ifndef REAP_ACCELERATOR_PREPROCESS_LEXER_H
#define REAP_ACCELERATOR_PREPROCESS_LEXER_H

#include "src/accelerator/string_builder.h"

#include <stdbool.h>
#include <stddef.h>

/* What the text of a program's file ends in (reap/detail/host/embed.h): without it a zero byte in
 * the file ends the text early. The lexer skips it. The second newline is there for a file that
 * ends in a backslash. */
#define REAP__TEXT_END "\n\n\4"

struct reap__lexer {
    const char *at; /* the rest of the text */
    unsigned line;  /* the number of its first line */
    struct reap__string *scratch;
};

struct reap__line {
    const char *begin, *end; /* in the text, with the newline, if it has one */
    unsigned number;         /* of its first line in the file */
    unsigned count;          /* how many lines of the file it takes */
    char *directive; /* the text after the #, without comments, in the scratch text, which the
                        caller may change; NULL: not a directive */
    unsigned directive_number; /* the line of the # */
};

/* A lexer at the begin of a text. `scratch` holds the current line without comments; both outlive
 * the lexer. */
struct reap__lexer reap__lexer_start(const char *text, struct reap__string *scratch);

/* Reads the next line, and overwrites `scratch`. Returns false at the end of the text. */
bool reap__lexer_next_line(struct reap__lexer *scanner, struct reap__line *line);

/* Whether the line's meaning depends on trigraphs (C11 5.2.1.1), which some compilers replace and
 * others do not: it has one outside of comments, or the one for a backslash at its end. */
bool reap__line_has_trigraph(const struct reap__lexer *scanner, const struct reap__line *line);

/* The first character that is not a blank. The length of the identifier at `at`; 0 if there is
 * none. */
char *reap__skip_blanks(char *at);
size_t reap__identifier_length(const char *at);

#endif
