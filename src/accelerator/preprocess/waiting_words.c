/* SPDX-License-Identifier: Apache-2.0
 *
 * Keywords at which work-items wait for each other, and the functions of a text that contain them
 * or call a function that does. Calls are followed by the function's name: not through a pointer,
 * and not into a function that is defined elsewhere.
 */
#include "src/accelerator/preprocess/expand.h"
#include "src/accelerator/preprocess/preprocess.h"

#include <stdint.h>

/* A function that waits, as numbers of tokens. */
struct waiting {
    size_t name;
    size_t word; /* the first keyword in it, or in a function that it calls */
};

/* ---- Keywords ---------------------------------------------------------------------------------*/

bool reap__waiting_is_of_sub_groups(const struct reap__tokens *tokens, size_t t)
{
    static const char *const places[] = {"reap_sub_group_id",       "reap_sub_group_range",
                                         "reap_sub_group_local_id", "reap_sub_group_local_range",
                                         "reap_sub_group_leader",   NULL};
    return reap__token_begins_with(tokens, t, "reap_sub_group_") &&
           !reap__token_is_any(tokens, t, places) && !reap__token_is_member(tokens, t);
}

static bool is_of_groups(const struct reap__tokens *tokens, size_t t)
{
    static const char *const places[] = {"reap_group_id",           "reap_group_linear_id",
                                         "reap_group_range",        "reap_group_leader",
                                         "reap_group_linear_range", NULL};
    return reap__token_begins_with(tokens, t, "reap_group_") &&
           !reap__token_is_any(tokens, t, places) && !reap__token_is_member(tokens, t);
}

/* Whether the text defines a function of that name, although it has Reap's prefix. */
static bool is_defined(const struct reap__tokens *tokens, size_t name)
{
    struct reap__function function = {.end = 0};
    while (reap__token_next_function(tokens, function.end, &function))
        if (reap__tokens_are_same(tokens, function.name, name))
            return true;
    return false;
}

static bool is_waiting_word(const struct reap__tokens *tokens, size_t t)
{
    return reap__token_is(tokens, t, "reap_barrier") ||
           ((is_of_groups(tokens, t) || reap__waiting_is_of_sub_groups(tokens, t)) &&
            !is_defined(tokens, t));
}

/* ---- Functions --------------------------------------------------------------------------------*/

static const struct waiting *list_of(const struct reap__string *functions)
{
    return (const struct waiting *)(const void *)functions->bytes;
}

static size_t count_of(const struct reap__string *functions)
{
    return functions->length / sizeof(struct waiting);
}

/* The keyword at which a function of that name waits; SIZE_MAX: it does not. */
static size_t word_of(const struct reap__tokens *tokens, const struct reap__string *functions,
                      size_t name)
{
    for (size_t f = 0; f < count_of(functions); f++)
        if (reap__tokens_are_same(tokens, list_of(functions)[f].name, name))
            return list_of(functions)[f].word;
    return SIZE_MAX;
}

/* The first token between these at which work-items wait. */
static struct reap__wait find_wait(const struct reap__tokens *tokens,
                                   const struct reap__string *functions, size_t begin, size_t end)
{
    for (size_t t = begin; t < end; t++) {
        if (is_waiting_word(tokens, t))
            return (struct reap__wait){t, t};
        const size_t word =
            reap__token_is_call(tokens, t) ? word_of(tokens, functions, t) : SIZE_MAX;
        if (word != SIZE_MAX)
            return (struct reap__wait){t, word};
    }
    return (struct reap__wait){SIZE_MAX, SIZE_MAX};
}

/* Adds the functions, except kernels, that contain a keyword or call a function of the list. */
static void add_functions(const struct reap__tokens *tokens, struct reap__string *functions)
{
    struct reap__function function = {.end = 0};
    while (reap__token_next_function(tokens, function.end, &function)) {
        if (reap__token_begins_with(tokens, function.name, "REAP_") ||
            word_of(tokens, functions, function.name) != SIZE_MAX)
            continue;
        const size_t word = find_wait(tokens, functions, function.body, function.end).word;
        if (word != SIZE_MAX)
            reap__string_append(functions, &(const struct waiting){function.name, word},
                                sizeof(struct waiting));
    }
}

bool reap__wait_find(const struct reap__tokens *tokens, size_t begin, size_t end,
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
