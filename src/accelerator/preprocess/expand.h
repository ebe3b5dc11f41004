/* SPDX-License-Identifier: Apache-2.0
 *
 * The output of C's preprocessor: its tokens, with macros expanded and conditions evaluated. No
 * file is included (flatten.c has done that), and no macro is predefined, as compilers do, except
 * those of C's headers in conditions (conditions.c). The checks of a kernel's structure use these
 * tokens. Not thread-safe.
 */
#ifndef REAP_ACCELERATOR_PREPROCESS_EXPAND_H
#define REAP_ACCELERATOR_PREPROCESS_EXPAND_H

#include "src/accelerator/driver.h"
#include "src/accelerator/string_builder.h"

#include <stdbool.h>
#include <stddef.h>

struct reap__token {
    size_t begin; /* in `characters` */
    size_t length;
    size_t file; /* where the file's name begins in `characters` */
    unsigned line;
    bool is_word;
    bool is_painted; /* a macro's name that is never expanded again (C11 6.10.3.4) */
    bool is_certain; /* it does not depend on a condition whose value is not known */
};

/* All zero is empty. */
struct reap__tokens {
    struct reap__string characters;
    struct reap__string list;  /* of struct reap__token */
    bool has_error;            /* an #error: no compiler takes the text, read as it is */
    bool has_trigraph;         /* compilers may differ in how they read it; the list has none */
    bool is_incomplete;        /* a limit of expand.c, or no memory: the list is not reliable */
    struct reap__string asked; /* what has no known value in conditions: names that no line had
                                  defined, which a compiler may predefine, except include guards,
                                  and constants; "#pragma" if there is one; each with a zero byte */
};

/* How the conditions were decided whose values are not known. Zero except the dialect before the
 * first reading of a text. */
struct reap__choices {
    enum reap__dialect dialect; /* of which the names are known; NONE: of all devices */
    struct reap__string keys;   /* names and expressions, each with a zero byte, as they were met */
    struct reap__string made;   /* a byte for each: whether it is true */
    unsigned readings;          /* how many there were before the current one */
    bool are_too_many;          /* set by reap__choices_next */
};

/* Makes the choices of the next reading of the same text. Returns false if all were made, or if
 * they are too many. */
bool reap__choices_next(struct reap__choices *choices);
bool reap__choices_failed(const struct reap__choices *choices); /* whether memory ran out */
void reap__choices_release(struct reap__choices *choices);

/* Preprocesses a text and appends its tokens. If `choices` is NULL, a condition whose value is not
 * known is false. A failure sets into->is_incomplete. */
void reap__tokens_read(const char *text, struct reap__choices *choices, struct reap__tokens *into);
void reap__tokens_release(struct reap__tokens *tokens);

static inline const struct reap__token *reap__tokens_list(const struct reap__tokens *tokens)
{
    return (const struct reap__token *)(const void *)tokens->list.bytes;
}

static inline size_t reap__tokens_count(const struct reap__tokens *tokens)
{
    return tokens->list.length / sizeof(struct reap__token);
}

/* ---- Tokens and their nesting (tokens.c) ------------------------------------------------------*/

/* Whether token t is `text`, is one of `texts` (which end with NULL), begins with `prefix`, is an
 * identifier or keyword. False after the last token. */
bool reap__token_is(const struct reap__tokens *tokens, size_t t, const char *text);
bool reap__token_is_any(const struct reap__tokens *tokens, size_t t, const char *const *texts);
bool reap__token_begins_with(const struct reap__tokens *tokens, size_t t, const char *prefix);
bool reap__token_is_word(const struct reap__tokens *tokens, size_t t);

/* Whether it follows . or ->. */
bool reap__token_is_member(const struct reap__tokens *tokens, size_t t);

/* Whether it is called, as f(...) or (f)(...), and is not a member. */
bool reap__token_is_call(const struct reap__tokens *tokens, size_t t);

/* Whether it is a keyword, or a name of Reap, that occurs only in the name of a type. */
bool reap__token_is_type(const struct reap__tokens *tokens, size_t t);

/* Whether two tokens have the same text. */
bool reap__tokens_are_same(const struct reap__tokens *tokens, size_t a, size_t b);

/* The token after the bracket that closes the one at t. */
size_t reap__token_past_brackets(const struct reap__tokens *tokens, size_t t);

/* The bracket that opens the one that closes at t; at least `begin`. */
size_t reap__token_opening(const struct reap__tokens *tokens, size_t t, size_t begin);

/* The first of these punctuators from t on that is not in brackets opened from t on; `end` if there
 * is none. */
size_t reap__token_find(const struct reap__tokens *tokens, size_t t, size_t end,
                        const char *const *marks);

/* The token after the statement that begins at t. */
size_t reap__token_past_statement(const struct reap__tokens *tokens, size_t t);

/* A function's definition, as numbers of tokens. */
struct reap__function {
    size_t begin; /* of its declaration */
    size_t name; /* of a kernel, REAP_ND_KERNEL or a similar macro; of an operator, REAP_OPERATOR */
    size_t body; /* its { */
    size_t end;  /* after its } */
};

/* Finds the next one from token t, which is outside of functions. Returns false if there is none.
 */
bool reap__token_next_function(const struct reap__tokens *tokens, size_t t,
                               struct reap__function *found);

#endif
