/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions about the tokens of a text: the kind of one, how they are nested, and where functions
 * are defined. Without types: a function's definition is a name, parentheses and braces.
 */
#include "src/accelerator/preprocess/expand.h"

#include <stdint.h>
#include <string.h>

static const char *const opening[] = {"(", "[", "{", NULL};
static const char *const closing[] = {")", "]", "}", NULL};

/* ---- One token --------------------------------------------------------------------------------*/

static const char *characters(const struct reap__tokens *tokens, size_t t)
{
    return tokens->characters.bytes + reap__tokens_list(tokens)[t].begin;
}

bool reap__token_begins_with(const struct reap__tokens *tokens, size_t t, const char *prefix)
{
    return t < reap__tokens_count(tokens) &&
           reap__tokens_list(tokens)[t].length >= strlen(prefix) &&
           memcmp(characters(tokens, t), prefix, strlen(prefix)) == 0;
}

bool reap__token_is(const struct reap__tokens *tokens, size_t t, const char *text)
{
    return reap__token_begins_with(tokens, t, text) &&
           reap__tokens_list(tokens)[t].length == strlen(text);
}

bool reap__token_is_any(const struct reap__tokens *tokens, size_t t, const char *const *texts)
{
    for (; *texts != NULL; texts++)
        if (reap__token_is(tokens, t, *texts))
            return true;
    return false;
}

bool reap__token_is_word(const struct reap__tokens *tokens, size_t t)
{
    return t < reap__tokens_count(tokens) && reap__tokens_list(tokens)[t].is_word;
}

bool reap__token_is_member(const struct reap__tokens *tokens, size_t t)
{
    return t > 0 && (reap__token_is(tokens, t - 1, ".") || reap__token_is(tokens, t - 1, "->"));
}

bool reap__token_is_call(const struct reap__tokens *tokens, size_t t)
{
    if (!reap__token_is_word(tokens, t) || t == 0 || reap__token_is_member(tokens, t))
        return false;
    return reap__token_is(tokens, t + 1, "(") ||
           (reap__token_is(tokens, t - 1, "(") && reap__token_is(tokens, t + 1, ")") &&
            reap__token_is(tokens, t + 2, "("));
}

bool reap__token_is_type(const struct reap__tokens *tokens, size_t t)
{
    static const char *const words[] = {
        "void",       "char",        "short",         "int",        "long",
        "float",      "double",      "bool",          "_Bool",      "signed",
        "unsigned",   "size_t",      "ptrdiff_t",     "uintptr_t",  "const",
        "volatile",   "static",      "register",      "auto",       "restrict",
        "REAP_LOCAL", "REAP_GLOBAL", "REAP_CONSTANT", "__restrict", "__restrict__",
        "struct",     "union",       "enum",          NULL};
    return reap__token_is_any(tokens, t, words);
}

bool reap__tokens_are_same(const struct reap__tokens *tokens, size_t a, size_t b)
{
    const size_t length = reap__tokens_list(tokens)[a].length;
    return length == reap__tokens_list(tokens)[b].length &&
           memcmp(characters(tokens, a), characters(tokens, b), length) == 0;
}

/* ---- How tokens are nested --------------------------------------------------------------------*/

size_t reap__token_past_brackets(const struct reap__tokens *tokens, size_t t)
{
    size_t open = 0;
    for (; t < reap__tokens_count(tokens); t++) {
        open += reap__token_is_any(tokens, t, opening);
        open -= reap__token_is_any(tokens, t, closing);
        if (open == 0)
            return t + 1;
    }
    return reap__tokens_count(tokens);
}

size_t reap__token_opening(const struct reap__tokens *tokens, size_t t, size_t begin)
{
    size_t open = 0;
    for (; t > begin; t--) {
        open += reap__token_is_any(tokens, t, closing);
        open -= reap__token_is_any(tokens, t, opening);
        if (open == 0)
            return t;
    }
    return begin;
}

size_t reap__token_find(const struct reap__tokens *tokens, size_t t, size_t end,
                        const char *const *marks)
{
    while (t < end && !reap__token_is_any(tokens, t, marks))
        t = reap__token_is_any(tokens, t, opening) ? reap__token_past_brackets(tokens, t) : t + 1;
    return t < end ? t : end;
}

size_t reap__token_past_statement(const struct reap__tokens *tokens, size_t t)
{
    static const char *const heads[] = {"if", "for", "while", "switch", NULL};
    static const char *const semicolon[] = {";", NULL};
    for (;;) {
        if (reap__token_is(tokens, t, "{"))
            return reap__token_past_brackets(tokens, t);
        if (reap__token_is_any(tokens, t, heads)) {
            const bool is_if = reap__token_is(tokens, t, "if");
            t = reap__token_past_brackets(tokens, t + 1);
            if (!is_if)
                continue;
            t = reap__token_past_statement(tokens, t);
            if (!reap__token_is(tokens, t, "else"))
                return t;
            t++;
            continue;
        }
        if (reap__token_is(tokens, t, "do")) {
            t = reap__token_past_statement(tokens, t + 1);
            continue; /* while (...); */
        }
        return reap__token_find(tokens, t, reap__tokens_count(tokens), semicolon) + 1;
    }
}

/* ---- Functions --------------------------------------------------------------------------------*/

/* The name before the ( at t, in f(...) or (f)(...); SIZE_MAX: there is none. */
static size_t name_before(const struct reap__tokens *tokens, size_t t)
{
    if (t >= 3 && reap__token_is(tokens, t - 1, ")") && reap__token_is(tokens, t - 3, "("))
        t--;
    return t > 0 && reap__token_is_word(tokens, t - 1) ? t - 1 : SIZE_MAX;
}

bool reap__token_next_function(const struct reap__tokens *tokens, size_t t,
                               struct reap__function *found)
{
    size_t name = SIZE_MAX;
    bool is_value = false; /* after =, where braces are an initialiser */
    found->begin = t;
    while (t < reap__tokens_count(tokens)) {
        const size_t next =
            reap__token_is_any(tokens, t, opening) ? reap__token_past_brackets(tokens, t) : t + 1;
        if (reap__token_is(tokens, t, "{") && name != SIZE_MAX && !is_value) {
            found->name = name;
            found->body = t;
            found->end = next;
            return true;
        }
        is_value |= reap__token_is(tokens, t, "=");
        if (reap__token_is(tokens, t, "(")) {
            const size_t before = name_before(tokens, t);
            if (before != SIZE_MAX && !reap__token_is(tokens, before, "__attribute__"))
                name = before;
        } else if (reap__token_is(tokens, t, ";")) {
            name = SIZE_MAX;
            is_value = false;
            found->begin = next;
        }
        t = next;
    }
    return false;
}
