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

/* Whether token t is this text; false after the last one. */
bool reap__token_is(const struct reap__tokens *tokens, size_t t, const char *text);

/* After what ends the bracket that opens here. */
size_t reap__token_past_brackets(const struct reap__tokens *tokens, size_t t);

/* After the statement of C that begins here. */
size_t reap__token_past_statement(const struct reap__tokens *tokens, size_t t);

#endif
