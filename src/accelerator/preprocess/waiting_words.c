/* SPDX-License-Identifier: Apache-2.0
 *
 * Words at which work-items wait for each other, and the functions of a text that contain them, by
 * themselves or in what they call. A function is known by its name, so a call through a pointer is
 * not followed, nor one of a function that is defined elsewhere.
 */
#include "src/accelerator/preprocess/expand.h"
#include "src/accelerator/preprocess/preprocess.h"

#include <stdint.h>
#include <string.h>

/* A function that waits: tokens. */
struct waiting {
    size_t name;
    size_t word; /* the first one in it, or in what it calls */
};

static const struct reap__token *token_at(const struct reap__tokens *tokens, size_t t)
{
    return &reap__tokens_list(tokens)[t];
}

static bool begins_with(const struct reap__tokens *tokens, size_t t, const char *prefix)
{
    return token_at(tokens, t)->length >= strlen(prefix) &&
           memcmp(tokens->characters.bytes + token_at(tokens, t)->begin, prefix, strlen(prefix)) ==
               0;
}

static bool are_same(const struct reap__tokens *tokens, size_t a, size_t b)
{
    const struct reap__token *first = token_at(tokens, a), *second = token_at(tokens, b);
    return first->length == second->length &&
           memcmp(tokens->characters.bytes + first->begin, tokens->characters.bytes + second->begin,
                  first->length) == 0;
}

static bool is_waiting_word(const struct reap__tokens *tokens, size_t t)
{
    static const char *const places[] = {
        "reap_group_id",         "reap_group_linear_id",    "reap_group_range",
        "reap_group_leader",     "reap_group_linear_range", "reap_sub_group_id",
        "reap_sub_group_range",  "reap_sub_group_local_id", "reap_sub_group_local_range",
        "reap_sub_group_leader",
    };
    if (reap__token_is(tokens, t, "reap_barrier"))
        return true;
    if (!begins_with(tokens, t, "reap_group_") && !begins_with(tokens, t, "reap_sub_group_"))
        return false;
    for (size_t p = 0; p < sizeof places / sizeof *places; p++)
        if (reap__token_is(tokens, t, places[p]))
            return false;
    return true;
}

/* f(...) or (f)(...), and not a member. */
static bool is_call(const struct reap__tokens *tokens, size_t t)
{
    if (!token_at(tokens, t)->is_word || t == 0 || reap__token_is(tokens, t - 1, ".") ||
        reap__token_is(tokens, t - 1, "->"))
        return false;
    return reap__token_is(tokens, t + 1, "(") ||
           (reap__token_is(tokens, t - 1, "(") && reap__token_is(tokens, t + 1, ")") &&
            reap__token_is(tokens, t + 2, "("));
}

static const struct waiting *list_of(const struct reap__string *functions)
{
    return (const struct waiting *)(const void *)functions->bytes;
}

static size_t count_of(const struct reap__string *functions)
{
    return functions->length / sizeof(struct waiting);
}

/* The word at which a function of that name waits; SIZE_MAX: there is none. */
static size_t word_of(const struct reap__tokens *tokens, const struct reap__string *functions,
                      size_t name)
{
    for (size_t f = 0; f < count_of(functions); f++)
        if (are_same(tokens, list_of(functions)[f].name, name))
            return list_of(functions)[f].word;
    return SIZE_MAX;
}

/* The first place between these tokens where work-items wait. */
static struct reap__wait find_wait(const struct reap__tokens *tokens,
                                   const struct reap__string *functions, size_t begin, size_t end)
{
    for (size_t t = begin; t < end; t++) {
        if (is_waiting_word(tokens, t))
            return (struct reap__wait){t, t};
        const size_t word = is_call(tokens, t) ? word_of(tokens, functions, t) : SIZE_MAX;
        if (word != SIZE_MAX)
            return (struct reap__wait){t, word};
    }
    return (struct reap__wait){SIZE_MAX, SIZE_MAX};
}

/* Adds the functions that wait by those that are known: NAME ( ... ) { ... } outside of functions.
 * Kernels do not count. */
static void add_functions(const struct reap__tokens *tokens, struct reap__string *functions)
{
    const size_t count = reap__tokens_count(tokens);
    for (size_t t = 0; t + 1 < count; t++) {
        if (reap__token_is(tokens, t, "{")) {
            t = reap__token_past_brackets(tokens, t) - 1;
            continue;
        }
        if (!token_at(tokens, t)->is_word || !reap__token_is(tokens, t + 1, "("))
            continue;
        const size_t body = reap__token_past_brackets(tokens, t + 1);
        if (!reap__token_is(tokens, body, "{"))
            continue;
        const size_t end = reap__token_past_brackets(tokens, body);
        const size_t word = find_wait(tokens, functions, body, end).word;
        if (word != SIZE_MAX && !begins_with(tokens, t, "REAP_") &&
            word_of(tokens, functions, t) == SIZE_MAX)
            reap__string_append(functions, &(const struct waiting){t, word},
                                sizeof(struct waiting));
        t = end - 1;
    }
}

bool reap__waiting_find(const struct reap__tokens *tokens, size_t begin, size_t end,
                        struct reap__wait *found)
{
    struct reap__string functions = {0};
    size_t before;
    do {
        before = functions.length;
        add_functions(tokens, &functions);
    } while (functions.length > before);
    const bool has_failed = functions.failed;
    *found = find_wait(tokens, &functions, begin, end);
    reap__string_release(&functions);
    return !has_failed;
}
