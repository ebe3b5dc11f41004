/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the declarations outside of functions, and those with `static` or `extern` in them, without
 * types: an identifier is a type where no other specifier of the declaration is one. It ends where
 * something is not a declaration.
 */
#include "src/accelerator/preprocess/variable_check.h"

#include <stdint.h>

/* What a declarator declares. */
enum entity { UNDECIDED, FUNCTION, CONSTANT, VARIABLE };

struct reader {
    const struct reap__tokens *tokens;
    size_t count;
    size_t found; /* the name of the variable; SIZE_MAX: none yet */
    bool is_lost; /* something is not a declaration */
};

/* The specifiers of a declaration. */
struct specifiers {
    bool has_any, has_type, is_const, is_constant, is_typedef;
};

static bool is(const struct reader *reader, size_t t, const char *text)
{
    return reap__token_is(reader->tokens, t, text);
}

static bool is_any(const struct reader *reader, size_t t, const char *const *texts)
{
    return reap__token_is_any(reader->tokens, t, texts);
}

static bool is_word(const struct reader *reader, size_t t)
{
    return reap__token_is_word(reader->tokens, t);
}

static size_t past_brackets(const struct reader *reader, size_t t)
{
    return reap__token_past_brackets(reader->tokens, t);
}

/* The token after __attribute__((...)) and its like, if they begin here; else t. */
static size_t past_attributes(const struct reader *reader, size_t t)
{
    static const char *const words[] = {"__attribute__", "__attribute", "_Alignas", "__asm__",
                                        "__asm",         "asm",         "alignas",  NULL};
    while (is_any(reader, t, words) && is(reader, t + 1, "("))
        t = past_brackets(reader, t + 1);
    return t;
}

/* ---- Specifiers -------------------------------------------------------------------------------*/

/* The token after struct, union or enum, a tag and a body. */
static size_t past_tag(const struct reader *reader, size_t t)
{
    t = past_attributes(reader, t + 1);
    t += is_word(reader, t);
    return is(reader, t, "{") ? past_brackets(reader, t) : t;
}

/* Reads one specifier, and returns the token after it; t: none begins here. */
static size_t take_specifier(const struct reader *reader, size_t t, struct specifiers *specifiers)
{
    static const char *const constants[] = {"const", "__const", "__const__", NULL};
    static const char *const tags[] = {"struct", "union", "enum", NULL};
    static const char *const types_of[] = {"typeof", "__typeof__", "__typeof", "_Atomic", NULL};
    static const char *const others[] = {
        "static",        "extern",        "inline",   "__inline",
        "__inline__",    "volatile",      "register", "restrict",
        "_Noreturn",     "_Thread_local", "__thread", "REAP_GLOBAL",
        "__extension__", "REAP_LOCAL",    "auto",     NULL};
    static const char *const after_name[] = {"=", ";", ",", "[", ")", NULL};
    const size_t after = past_attributes(reader, t);
    if (after > t || !is_word(reader, t))
        return after;
    specifiers->is_const |= is_any(reader, t, constants);
    specifiers->is_constant |= is(reader, t, "REAP_CONSTANT");
    specifiers->is_typedef |= is(reader, t, "typedef");
    if (is_any(reader, t, constants) || is_any(reader, t, others) ||
        is(reader, t, "REAP_CONSTANT") || is(reader, t, "typedef"))
        return t + 1;
    if (is_any(reader, t, tags)) {
        specifiers->has_type = true;
        return past_tag(reader, t);
    }
    if (is_any(reader, t, types_of) && is(reader, t + 1, "(")) {
        specifiers->has_type = true;
        return past_brackets(reader, t + 1);
    }
    const bool is_name = !reap__token_is_type(reader->tokens, t) &&
                         (specifiers->has_type || is_any(reader, t + 1, after_name));
    specifiers->has_type |= !is_name;
    return is_name ? t : t + 1;
}

/* ---- Declarators ------------------------------------------------------------------------------*/

enum { MOST_DEPTH = 20 };

/* Reads a declarator from *t on, whose name is set; of *entity, what its nearest part says. */
static void take_declarator(struct reader *reader, size_t *t, size_t *name, unsigned depth,
                            enum entity *entity)
{
    static const char *const qualifiers[] = {"const",      "volatile",      "restrict",
                                             "__restrict", "__restrict__",  "REAP_GLOBAL",
                                             "REAP_LOCAL", "REAP_CONSTANT", NULL};
    enum entity pointer = UNDECIDED;
    for (;; ++*t) {
        *t = past_attributes(reader, *t);
        if (is(reader, *t, "*"))
            pointer = VARIABLE;
        else if (!is_any(reader, *t, qualifiers))
            break;
        else if (pointer == VARIABLE && is(reader, *t, "const"))
            pointer = CONSTANT;
    }
    if (is(reader, *t, "(") && depth < MOST_DEPTH) {
        ++*t;
        take_declarator(reader, t, name, depth + 1, entity);
        reader->is_lost |= !is(reader, *t, ")");
    } else {
        *name = *t;
        reader->is_lost |= !is_word(reader, *t);
    }
    for (++*t; is(reader, *t, "(") || is(reader, *t, "["); *t = past_brackets(reader, *t))
        if (*entity == UNDECIDED && is(reader, *t, "("))
            *entity = FUNCTION;
    *t = past_attributes(reader, *t);
    if (*entity == UNDECIDED)
        *entity = pointer;
}

/* Reads the declarators of a declaration; returns the ; at its end, or the { of a function. */
static size_t take_declarators(struct reader *reader, size_t t, const struct specifiers *specifiers)
{
    static const char *const marks[] = {",", ";", NULL}, *const ends[] = {"=", ",", ";", NULL};
    const bool is_variable =
        specifiers->has_any && !specifiers->is_typedef && !specifiers->is_constant;
    while (!reader->is_lost && !is(reader, t, ";")) {
        enum entity entity = UNDECIDED;
        size_t name = t;
        take_declarator(reader, &t, &name, 0, &entity);
        if (entity == UNDECIDED)
            entity = specifiers->is_const ? CONSTANT : VARIABLE;
        reader->is_lost |= !is_any(reader, t, ends) && !(entity == FUNCTION && is(reader, t, "{"));
        if (reader->is_lost || is(reader, t, "{"))
            return t;
        if (entity == VARIABLE && is_variable && reader->found == SIZE_MAX &&
            reap__tokens_list(reader->tokens)[name].is_certain)
            reader->found = name;
        if (is(reader, t, "="))
            t = reap__token_find(reader->tokens, t, reader->count, marks);
        t += is(reader, t, ",");
    }
    return t;
}

/* Reads a declaration; returns the ; at its end, or the { of a function. */
static size_t take_declaration(struct reader *reader, size_t t)
{
    struct specifiers specifiers = {.has_type = false};
    for (size_t next; (next = take_specifier(reader, t, &specifiers)) > t; t = next)
        specifiers.has_any = true;
    return take_declarators(reader, t, &specifiers);
}

/* ---- Functions --------------------------------------------------------------------------------*/

/* Reads the declarations with storage classes of a function's body. */
static void read_body(struct reader *reader, size_t begin, size_t end)
{
    static const char *const classes[] = {"static", "extern", NULL};
    static const char *const before[] = {";", "{", "}", "(", ")", ":", NULL};
    for (size_t t = begin + 1; t < end && reader->found == SIZE_MAX; t++) {
        if (!is_any(reader, t, classes) || is(reader, t - 1, "["))
            continue;
        size_t first = t;
        while (!is_any(reader, first - 1, before))
            first--;
        (void)take_declaration(reader, first);
        reader->is_lost = false;
    }
}

/* The token after a word and parentheses that declare no variable, such as REAP_KERNEL(...), and
 * after the body that may follow; t: something else is here. */
static size_t past_call(struct reader *reader, size_t t)
{
    if (!is_word(reader, t) || !is(reader, t + 1, "(") || past_attributes(reader, t) > t ||
        reap__token_is_type(reader->tokens, t) || is(reader, t, "typeof") ||
        is(reader, t, "__typeof__") || is(reader, t, "_Atomic"))
        return t;
    const size_t body = past_brackets(reader, t + 1);
    if (!is(reader, body, "{"))
        return body;
    read_body(reader, body, past_brackets(reader, body));
    return past_brackets(reader, body);
}

bool reap__variables_find(const struct reap__tokens *tokens, size_t *name)
{
    struct reader reader = {
        .tokens = tokens, .count = reap__tokens_count(tokens), .found = SIZE_MAX};
    for (size_t t = 0; t < reader.count && reader.found == SIZE_MAX && !reader.is_lost;) {
        const size_t after = past_call(&reader, t);
        if (after > t || is(&reader, t, ";") || is(&reader, t, "REAP_KERNEL_FILE")) {
            t = after > t ? after : t + 1;
            continue;
        }
        t = take_declaration(&reader, t);
        if (!reader.is_lost && is(&reader, t, "{")) {
            read_body(&reader, t, past_brackets(&reader, t));
            t = past_brackets(&reader, t);
        }
    }
    *name = reader.found;
    return reader.found != SIZE_MAX;
}
