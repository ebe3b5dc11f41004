/* SPDX-License-Identifier: Apache-2.0
 *
 * The output of C's preprocessor: its tokens, with macros expanded and conditions decided.
 * No file is included (flatten.c has done that), and no macro of a compiler's own is known. That
 * is enough to look at how a kernel is built, where compilers cannot be asked.
 */
#ifndef REAP_ACCELERATOR_PREPROCESS_EXPAND_H
#define REAP_ACCELERATOR_PREPROCESS_EXPAND_H

#include "src/accelerator/string_builder.h"

#include <stdbool.h>
#include <stddef.h>

struct reap__token {
    size_t begin; /* in `characters` */
    size_t length;
    size_t file; /* where its name begins there */
    unsigned line;
    bool is_word;
    bool is_painted; /* a macro's name that is not expanded any more */
};

/* All zero is empty. */
struct reap__tokens {
    struct reap__string characters;
    struct reap__string list;  /* of struct reap__token */
    bool is_incomplete;        /* an #error, or more than can be followed: the result is unknown */
    struct reap__string asked; /* the names that conditions asked for and no line had defined, which
                                  a compiler may define, each with a zero byte; include guards are
                                  not among them; "#pragma" */
};

/* Appends the tokens of a text. */
void reap__tokens_read(const char *text, struct reap__tokens *into);
void reap__tokens_release(struct reap__tokens *tokens);

static inline const struct reap__token *reap__tokens_list(const struct reap__tokens *tokens)
{
    return (const struct reap__token *)(const void *)tokens->list.bytes;
}

static inline size_t reap__tokens_count(const struct reap__tokens *tokens)
{
    return tokens->list.length / sizeof(struct reap__token);
}

/* ---- What tokens are (tokens.c) ---------------------------------------------------------------*/

/* Of token t: false after the last one. Lists of texts end with NULL. */
bool reap__token_is(const struct reap__tokens *tokens, size_t t, const char *text);
bool reap__token_is_any(const struct reap__tokens *tokens, size_t t, const char *const *texts);
bool reap__token_begins_with(const struct reap__tokens *tokens, size_t t, const char *prefix);
bool reap__token_is_word(const struct reap__tokens *tokens, size_t t);

/* Whether it is behind . or ->. */
bool reap__token_is_member(const struct reap__tokens *tokens, size_t t);

/* A word that begins or is part of the name of a type, and of nothing else. */
bool reap__token_is_type(const struct reap__tokens *tokens, size_t t);

/* Whether two tokens have the same text. */
bool reap__tokens_are_same(const struct reap__tokens *tokens, size_t a, size_t b);

/* After what ends the bracket that opens here. */
size_t reap__token_past_brackets(const struct reap__tokens *tokens, size_t t);

/* What opens the bracket that ends here; not before `begin`. */
size_t reap__token_opening(const struct reap__tokens *tokens, size_t t, size_t begin);

/* The first of these marks from t on that is not in brackets which open there; `end`: none. */
size_t reap__token_find(const struct reap__tokens *tokens, size_t t, size_t end,
                        const char *const *marks);

/* After the statement of C that begins here. */
size_t reap__token_past_statement(const struct reap__tokens *tokens, size_t t);

/* A function's definition: tokens. */
struct reap__function {
    size_t begin; /* of its declaration */
    size_t name;  /* of a kernel: REAP_ND_KERNEL and its like; of an operator: REAP_OPERATOR */
    size_t body;  /* its { */
    size_t end;   /* after its } */
};

/* The next one from t on, which is not in a function; false: there is none. */
bool reap__token_next_function(const struct reap__tokens *tokens, size_t t,
                               struct reap__function *found);

#endif
