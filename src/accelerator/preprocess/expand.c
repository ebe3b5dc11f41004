/* SPDX-License-Identifier: Apache-2.0
 *
 * Macros are expanded as in section 6.10.3 of C11: tokens are taken from a stack of ranges, and a
 * macro is disabled while the range of its expansion is on the stack. All ranges are in one pool,
 * which only grows. Tokens refer to characters, and ranges to tokens, by index, since both arrays
 * may move when they grow.
 */
#include "src/accelerator/preprocess/expand.h"

#include "src/accelerator/preprocess/conditions.h"
#include "src/accelerator/preprocess/lexer.h"
#include "src/core/allocate.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARGUMENTS = 1024, MOST_RANGES = 512, MOST_DEPTH = 24, MOST_CONDITIONS = 128 };
enum { MOST_TOKENS = 1 << 20 };
#define NONE SIZE_MAX

struct range {
    size_t begin, end; /* in the pool */
    size_t macro;      /* the macro of which it is the expansion, or NONE */
};

struct macro {
    struct reap__token name;
    struct range parameters, body;
    bool is_defined, is_function, is_variadic, is_disabled;
    bool is_certain; /* what is not known has not decided which definition this is */
};

struct condition {
    bool is_live, was_live, is_outer_live;
    bool is_certain; /* what is not known has decided neither this branch nor those before it */
};

struct reader {
    struct reap__tokens *into;
    struct reap__string pool;   /* of struct reap__token */
    struct reap__string macros; /* of struct macro */
    size_t waiting;             /* the pool's tokens from here on are not yet expanded */
    struct condition conditions[MOST_CONDITIONS];
    size_t condition_count;
    struct range
        ranges[MOST_RANGES]; /* a stack: the top one, which is the last, has the next token */
    size_t range_count;
    struct range arguments[MOST_ARGUMENTS]; /* of the macros that are being expanded */
    size_t argument_count;
    size_t file;
    struct reap__choices *choices;
    bool is_certain;       /* of the last condition */
    bool is_at_file_begin; /* no line of the current file has been read */
    unsigned shift;        /* added to the number of a line, by #line */
    unsigned depth;
};

/* ---- Tokens -----------------------------------------------------------------------------------*/

static struct reap__token *pool_of(const struct reader *reader)
{
    return (struct reap__token *)(void *)reader->pool.bytes;
}

static size_t pool_count(const struct reader *reader)
{
    return reader->pool.length / sizeof(struct reap__token);
}

static void put(struct reader *reader, const struct reap__token *token)
{
    if (pool_count(reader) >= MOST_TOKENS)
        reader->into->is_incomplete = true;
    else
        reap__string_append(&reader->pool, token, sizeof *token);
}

static const char *characters(const struct reader *reader, const struct reap__token *token)
{
    return reader->into->characters.bytes + token->begin;
}

static bool is(const struct reader *reader, const struct reap__token *token, const char *expected)
{
    return strlen(expected) == token->length &&
           memcmp(characters(reader, token), expected, token->length) == 0;
}

static bool are_same(const struct reader *reader, const struct reap__token *a,
                     const struct reap__token *b)
{
    return a->length == b->length &&
           memcmp(characters(reader, a), characters(reader, b), a->length) == 0;
}

static size_t literal_length(const char *at)
{
    size_t length = 1;
    while (at[length] != '\0' && at[length] != at[0])
        length += at[length] == '\\' && at[length + 1] != '\0' ? 2 : 1;
    return length + (at[length] != '\0');
}

static size_t number_length(const char *at)
{
    size_t length = 0;
    for (;; length++) {
        const bool is_sign = (at[length] == '+' || at[length] == '-') && length > 0 &&
                             strchr("eEpP", at[length - 1]) != NULL;
        const bool is_digit = at[length] >= '0' && at[length] <= '9';
        if (!is_sign && !is_digit && at[length] != '.' && reap__identifier_length(at + length) == 0)
            return length;
    }
}

static size_t token_length(const char *at)
{
    static const char *const long_ones[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
                                            "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                            "*=",  "/=",  "%=",  "&=", "|=", "^=", "##"};
    if (*at == '"' || *at == '\'')
        return literal_length(at);
    if ((*at >= '0' && *at <= '9') || (*at == '.' && at[1] >= '0' && at[1] <= '9'))
        return number_length(at);
    if (reap__identifier_length(at) > 0)
        return reap__identifier_length(at);
    for (size_t i = 0; i < sizeof long_ones / sizeof *long_ones; i++)
        if (strncmp(at, long_ones[i], strlen(long_ones[i])) == 0)
            return strlen(long_ones[i]);
    return 1;
}

static bool is_live(const struct reader *reader)
{
    return reader->condition_count == 0 || reader->conditions[reader->condition_count - 1].is_live;
}

/* Whether the current line is compiled, or left out, whatever is not known. */
static bool is_certain_here(const struct reader *reader)
{
    return reader->condition_count == 0 ||
           reader->conditions[reader->condition_count - 1].is_certain;
}

/* Appends the tokens of a line, which must not be in `characters`, to the pool. */
static struct range read_line(struct reader *reader, char *line, unsigned number)
{
    struct reap__string *into = &reader->into->characters;
    const size_t base = into->length;
    struct range read = {pool_count(reader), 0, NONE};
    reap__string_add(into, line);
    reap__string_append(into, "", 1);
    for (char *at = reap__skip_blanks(line); *at != '\0' && !into->failed;) {
        const size_t length = token_length(at);
        put(reader, &(struct reap__token){.begin = base + (size_t)(at - line),
                                          .length = length,
                                          .file = reader->file,
                                          .line = number + reader->shift,
                                          .is_word = reap__identifier_length(at) > 0,
                                          .is_certain = is_certain_here(reader)});
        at = reap__skip_blanks(at + length);
    }
    read.end = pool_count(reader);
    return read;
}

/* ---- Macros -----------------------------------------------------------------------------------*/

static struct macro *macros_of(const struct reader *reader)
{
    return (struct macro *)(void *)reader->macros.bytes;
}

static size_t find_macro(const struct reader *reader, const struct reap__token *name)
{
    const size_t count = reader->macros.length / sizeof(struct macro);
    for (size_t i = 0; i < count && name->is_word; i++)
        if (are_same(reader, &macros_of(reader)[i].name, name))
            return i;
    return NONE;
}

static bool is_defined(const struct reader *reader, const struct reap__token *name)
{
    const size_t macro = find_macro(reader, name);
    return macro != NONE && macros_of(reader)[macro].is_defined;
}

/* Reads what follows `define`. A ( directly after the name begins parameters. */
static void define(struct reader *reader, struct range line)
{
    const struct reap__token *pool = pool_of(reader);
    if (line.begin == line.end)
        return;
    struct macro macro = {
        .name = pool[line.begin], .is_defined = true, .is_certain = is_certain_here(reader)};
    size_t at = line.begin + 1;
    macro.is_function = at < line.end && is(reader, &pool[at], "(") &&
                        pool[at].begin == macro.name.begin + macro.name.length;
    if (macro.is_function) {
        macro.parameters.begin = ++at;
        while (at < line.end && !is(reader, &pool[at], ")"))
            macro.is_variadic |= is(reader, &pool[at++], "...");
        macro.parameters.end = at++;
    }
    macro.body = (struct range){at < line.end ? at : line.end, line.end, NONE};
    const size_t old = find_macro(reader, &macro.name);
    if (old != NONE)
        macros_of(reader)[old] = macro;
    else
        reap__string_append(&reader->macros, &macro, sizeof macro);
}

static void undefine(struct reader *reader, const struct reap__token *name)
{
    const struct macro none = {.name = *name, .is_certain = is_certain_here(reader)};
    const size_t macro = find_macro(reader, name);
    if (macro != NONE)
        macros_of(reader)[macro] = none;
    else
        reap__string_append(&reader->macros, &none, sizeof none);
}

/* ---- Expansion --------------------------------------------------------------------------------*/

/* The number of the parameter that the token names, or NONE. */
static size_t find_parameter(const struct reader *reader, const struct macro *macro,
                             const struct reap__token *token)
{
    const struct reap__token *pool = pool_of(reader);
    size_t number = 0;
    for (size_t p = macro->parameters.begin; macro->is_function && p < macro->parameters.end; p++) {
        number += is(reader, &pool[p], ",");
        const bool is_rest = is(reader, &pool[p], "...") && is(reader, token, "__VA_ARGS__");
        if (token->is_word && (is_rest || are_same(reader, &pool[p], token)))
            return number;
    }
    return NONE;
}

static size_t count_parameters(const struct reader *reader, const struct macro *macro)
{
    size_t count = macro->parameters.begin < macro->parameters.end;
    for (size_t p = macro->parameters.begin; p < macro->parameters.end; p++)
        count += is(reader, &pool_of(reader)[p], ",");
    return count;
}

/* Removes exhausted ranges; returns whether the ranges from `base` on have a next token. */
static bool has_next(struct reader *reader, size_t base)
{
    while (reader->range_count > base) {
        const struct range *top = &reader->ranges[reader->range_count - 1];
        if (top->begin < top->end)
            return true;
        if (top->macro != NONE)
            macros_of(reader)[top->macro].is_disabled = false;
        reader->range_count--;
    }
    return false;
}

static struct reap__token next(struct reader *reader)
{
    return pool_of(reader)[reader->ranges[reader->range_count - 1].begin++];
}

static bool is_next(struct reader *reader, size_t base, const char *expected)
{
    return has_next(reader, base) &&
           is(reader, &pool_of(reader)[reader->ranges[reader->range_count - 1].begin], expected);
}

/* Begins a further argument at the pool's end; NULL: there are too many. */
static struct range *begin_argument(struct reader *reader)
{
    if (reader->argument_count == MOST_ARGUMENTS) {
        reader->into->is_incomplete = true;
        return NULL;
    }
    struct range *argument = &reader->arguments[reader->argument_count++];
    *argument = (struct range){pool_count(reader), pool_count(reader), NONE};
    return argument;
}

/* Reads a macro's arguments, from ( to ). */
static void take_arguments(struct reader *reader, size_t base, size_t parameters, bool is_variadic)
{
    const size_t first = reader->argument_count;
    size_t open = 0;
    next(reader);
    struct range *argument = begin_argument(reader);
    while (argument != NULL && has_next(reader, base)) {
        const struct reap__token token = next(reader);
        if (open == 0 && is(reader, &token, ")"))
            return;
        open += is(reader, &token, "(");
        open -= is(reader, &token, ")");
        const bool is_last = is_variadic && reader->argument_count - first >= parameters;
        if (open == 0 && !is_last && is(reader, &token, ",")) {
            argument = begin_argument(reader);
        } else {
            put(reader, &token);
            argument->end = pool_count(reader);
        }
    }
    reader->into->is_incomplete = true;
}

static void expand(struct reader *reader, struct range range, struct reap__string *into);

static void append(const struct reader *reader, struct range range, struct reap__string *into)
{
    for (size_t t = range.begin; t < range.end; t++)
        reap__string_append(into, &pool_of(reader)[t], sizeof(struct reap__token));
}

/* Joins the last token in `into` with the first of the range, and appends the others (##). */
static void paste(struct reader *reader, struct range range, struct reap__string *into)
{
    struct reap__string *all = &reader->into->characters;
    if (range.begin == range.end)
        return;
    if (into->length == 0) {
        append(reader, range, into);
        return;
    }
    struct reap__token *last =
        (struct reap__token *)(void *)(into->bytes + into->length - sizeof *last);
    const struct reap__token right = pool_of(reader)[range.begin], left = *last;
    const size_t begin = all->length;
    struct reap__string joined = {0};
    reap__string_append(&joined, all->bytes + left.begin, left.length);
    reap__string_append(&joined, all->bytes + right.begin, right.length);
    if (!joined.failed)
        reap__string_append(all, joined.bytes, joined.length + 1);
    all->failed |= joined.failed;
    reap__string_release(&joined);
    if (all->failed) {
        reader->into->is_incomplete = true;
        return;
    }
    last->begin = begin;
    last->length = left.length + right.length;
    last->is_painted = false;
    range.begin++;
    append(reader, range, into);
}

/* Appends a macro's body, with its arguments in place of its parameters, to the pool. #parameter is
 * left out, since no check reads strings. */
static struct range substitute(struct reader *reader, const struct macro *macro,
                               const struct range *arguments, const struct reap__token *at)
{
    struct reap__string made = {0};
    bool pastes = false;
    for (size_t t = macro->body.begin; t < macro->body.end; t++) {
        const struct reap__token token = pool_of(reader)[t];
        const bool is_before_paste =
            t + 1 < macro->body.end && is(reader, &pool_of(reader)[t + 1], "##");
        const size_t parameter = find_parameter(reader, macro, &token);
        if (is(reader, &token, "##")) {
            pastes = true;
            continue;
        }
        if (is(reader, &token, "#") && macro->is_function) {
            t++;
            continue;
        }
        const struct range alone = {t, t + 1, NONE};
        const struct range whole = parameter != NONE ? arguments[parameter] : alone;
        const bool is_rest = parameter != NONE && is(reader, &token, "__VA_ARGS__");
        if (pastes && is_rest && t >= 2 && is(reader, &pool_of(reader)[t - 2], ",")) {
            if (whole.begin == whole.end && made.length > 0) /* as GNU C has it */
                made.length -= sizeof(struct reap__token);
            append(reader, whole, &made);
        } else if (pastes) {
            paste(reader, whole, &made);
        } else if (parameter == NONE || is_before_paste) {
            append(reader, whole, &made);
        } else {
            expand(reader, whole, &made);
        }
        pastes = false;
    }
    struct range range = {pool_count(reader), 0, NONE};
    for (size_t i = 0; i < made.length / sizeof *at; i++) {
        struct reap__token token = ((const struct reap__token *)(const void *)made.bytes)[i];
        token.line = at->line;
        token.file = at->file;
        token.is_certain &= at->is_certain;
        put(reader, &token);
    }
    range.end = pool_count(reader);
    reader->into->list.failed |= made.failed;
    reap__string_release(&made);
    return range;
}

/* If the token is a macro to be expanded, pushes its expansion, and returns true. */
static bool expand_macro(struct reader *reader, size_t base, struct reap__token *token)
{
    const size_t number = find_macro(reader, token), first = reader->argument_count;
    if (number == NONE || token->is_painted || !macros_of(reader)[number].is_defined)
        return false;
    const struct macro macro = macros_of(reader)[number];
    token->is_certain &= macro.is_certain;
    reader->is_certain &= macro.is_certain;
    token->is_painted = macro.is_disabled;
    if (macro.is_disabled || (macro.is_function && !is_next(reader, base, "(")))
        return false;
    const size_t parameters = count_parameters(reader, &macro);
    if (macro.is_function)
        take_arguments(reader, base, parameters, macro.is_variadic);
    while (reader->argument_count < first + parameters && begin_argument(reader) != NULL)
        continue;
    if (!reader->into->is_incomplete && reader->range_count < MOST_RANGES) {
        struct range made = substitute(reader, &macro, &reader->arguments[first], token);
        made.macro = number;
        macros_of(reader)[number].is_disabled = true;
        reader->ranges[reader->range_count++] = made;
    } else {
        reader->into->is_incomplete = true;
    }
    reader->argument_count = first;
    return true;
}

static void expand(struct reader *reader, struct range range, struct reap__string *into)
{
    const size_t base = reader->range_count;
    if (++reader->depth > MOST_DEPTH || base == MOST_RANGES)
        reader->into->is_incomplete = true;
    else
        reader->ranges[reader->range_count++] = (struct range){range.begin, range.end, NONE};
    while (!reader->into->is_incomplete && has_next(reader, base)) {
        struct reap__token token = next(reader);
        if (!expand_macro(reader, base, &token))
            reap__string_append(into, &token, sizeof token);
    }
    reader->depth--;
}

/* ---- Conditions -------------------------------------------------------------------------------*/

/* Appends the token 0 or 1. */
static void append_digit(struct reader *reader, bool digit, struct reap__string *into)
{
    struct reap__string *all = &reader->into->characters;
    const struct reap__token token = {.begin = all->length, .length = 1};
    reap__string_append(all, digit ? "1" : "0", 2);
    reap__string_append(into, &token, sizeof token);
}

/* Whether a line of the text has defined or undefined the name. */
static bool is_of_text(struct reader *reader, const struct reap__token *name)
{
    const size_t macro = find_macro(reader, name);
    reader->is_certain &= macro == NONE || macros_of(reader)[macro].is_certain;
    return macro != NONE;
}

/* Reads NAME or (NAME) after `defined`. Appends 0 or 1, or else `defined` and the name. */
static void take_defined(struct reader *reader, size_t base, const struct reap__token *word,
                         struct reap__string *into)
{
    const bool is_open = is_next(reader, base, "(");
    if (is_open)
        next(reader);
    const struct reap__token name = has_next(reader, base) ? next(reader) : *word;
    if (is_open && is_next(reader, base, ")"))
        next(reader);
    if (is_of_text(reader, &name)) {
        append_digit(reader, is_defined(reader, &name), into);
        return;
    }
    reap__string_append(into, word, sizeof *word);
    reap__string_append(into, &name, sizeof name);
}

/* Copies (...) after __has_include and its like, where no macro is expanded. */
static void copy_parentheses(struct reader *reader, size_t base, struct reap__string *into)
{
    size_t open = 0;
    do {
        const struct reap__token token = next(reader);
        open += is(reader, &token, "(");
        open -= is(reader, &token, ")");
        reap__string_append(into, &token, sizeof token);
    } while (open > 0 && has_next(reader, base));
}

/* Appends the tokens of a condition, with macros expanded, and 0 for names that are not defined any
 * more. */
static void expand_condition(struct reader *reader, struct range range, struct reap__string *into)
{
    const size_t base = reader->range_count;
    if (base == MOST_RANGES)
        reader->into->is_incomplete = true;
    else
        reader->ranges[reader->range_count++] = (struct range){range.begin, range.end, NONE};
    while (!reader->into->is_incomplete && has_next(reader, base)) {
        struct reap__token token = next(reader);
        if (is(reader, &token, "defined")) {
            take_defined(reader, base, &token, into);
        } else if (strncmp(characters(reader, &token), "__has_", strlen("__has_")) == 0 &&
                   is_next(reader, base, "(")) {
            reap__string_append(into, &token, sizeof token);
            copy_parentheses(reader, base, into);
        } else if (!expand_macro(reader, base, &token)) {
            if (token.is_word && is_of_text(reader, &token))
                append_digit(reader, false, into);
            else
                reap__string_append(into, &token, sizeof token);
        }
    }
}

/* Evaluates a condition; sets reader->is_certain. */
static bool is_true(struct reader *reader, struct range range)
{
    struct reap__string expanded = {0};
    reader->is_certain = true;
    expand_condition(reader, range, &expanded);
    const struct reap__token *at = (const struct reap__token *)(const void *)expanded.bytes;
    struct reap__condition condition = {.characters = reader->into->characters.bytes,
                                        .at = at,
                                        .end =
                                            at != NULL ? at + expanded.length / sizeof *at : NULL,
                                        .choices = reader->choices,
                                        .asked = &reader->into->asked};
    const bool value = !expanded.failed && reap__condition_is_true(&condition);
    reader->is_certain &= condition.is_certain;
    reader->into->is_incomplete |= expanded.failed || reader->into->asked.failed;
    reap__string_release(&expanded);
    return value;
}

/* Evaluates #ifdef NAME. */
static bool has_definition(struct reader *reader, struct range name)
{
    const size_t begin = pool_count(reader);
    struct reap__string *all = &reader->into->characters;
    put(reader, &(struct reap__token){.begin = all->length, .length = strlen("defined")});
    reap__string_append(all, "defined", sizeof "defined");
    if (name.begin < name.end) {
        const struct reap__token token = pool_of(reader)[name.begin];
        put(reader, &token);
    }
    return is_true(reader, (struct range){begin, pool_count(reader), NONE});
}

static void open_condition(struct reader *reader, bool value)
{
    if (reader->condition_count == MOST_CONDITIONS) {
        reader->into->is_incomplete = true;
        return;
    }
    const bool outer = is_live(reader), is_certain = is_certain_here(reader) && reader->is_certain;
    reader->conditions[reader->condition_count++] =
        (struct condition){outer && value, value, outer, is_certain};
}

/* Whether the next branch of the current #if can be the one that is compiled. */
static bool may_take_branch(const struct reader *reader)
{
    if (reader->condition_count == 0)
        return false;
    const struct condition *condition = &reader->conditions[reader->condition_count - 1];
    return condition->is_outer_live && !condition->was_live;
}

static void next_branch(struct reader *reader, bool value)
{
    if (reader->condition_count == 0)
        return;
    struct condition *condition = &reader->conditions[reader->condition_count - 1];
    condition->is_live = condition->is_outer_live && !condition->was_live && value;
    condition->was_live |= value;
    condition->is_certain &= reader->is_certain;
}

/* ---- Lines ------------------------------------------------------------------------------------*/

static void flush(struct reader *reader)
{
    const struct range waiting = {reader->waiting, pool_count(reader), NONE};
    expand(reader, waiting, &reader->into->list);
    reader->waiting = pool_count(reader);
}

static void take_line_number(struct reader *reader, struct range rest, unsigned number)
{
    const struct reap__token *pool = pool_of(reader);
    struct reap__string *all = &reader->into->characters;
    if (rest.end - rest.begin < 2)
        return;
    reader->shift = (unsigned)strtoul(characters(reader, &pool[rest.begin]), NULL, 10) - number - 1;
    const struct reap__token name = pool[rest.begin + 1];
    struct reap__string copy = {0};
    reap__string_append(&copy, all->bytes + name.begin + 1, name.length > 1 ? name.length - 2 : 0);
    reader->file = all->length;
    if (copy.bytes != NULL)
        reap__string_append(all, copy.bytes, copy.length);
    reap__string_append(all, "", 1);
    all->failed |= copy.failed;
    reap__string_release(&copy);
}

/* Whether the rest of the text begins with lines of another file, or is empty. */
static bool is_file_end(struct reap__lexer *scanner, const char *file)
{
    struct reap__line line;
    const size_t length = strlen(file);
    while (reap__lexer_next_line(scanner, &line)) {
        const char *at = line.directive != NULL ? reap__skip_blanks(line.directive)
                                                : reap__skip_blanks(scanner->scratch->bytes);
        if (scanner->scratch->length == 0 || *at == '\0')
            continue;
        if (line.directive == NULL || strncmp(at, "line", strlen("line")) != 0)
            return false;
        const char *quote = strchr(at, '"');
        if (quote == NULL || strncmp(quote + 1, file, length) != 0 || quote[1 + length] != '"')
            return true;
    }
    return true;
}

/* Whether the #ifndef of this name before the position is an include guard: the next directive
 * defines it without a value, or defines it and the #if encloses the whole file. */
static bool is_guard(const struct reader *reader, const struct reap__lexer *position,
                     const struct reap__token *name)
{
    struct reap__string scratch = {0};
    struct reap__lexer scanner = *position;
    struct reap__line line = {.directive = NULL};
    size_t open = 1;
    bool is_first = true, is_found = false;
    scanner.scratch = &scratch;
    while (open > 0 && reap__lexer_next_line(&scanner, &line)) {
        if (line.directive == NULL)
            continue;
        char *word = reap__skip_blanks(line.directive);
        const char *rest = reap__skip_blanks(word + reap__identifier_length(word));
        if (is_first) {
            const size_t length = reap__identifier_length(rest);
            if (strncmp(word, "define", strlen("define")) != 0 || length != name->length ||
                memcmp(rest, characters(reader, name), length) != 0)
                break;
            is_found = rest[length + strspn(rest + length, " \t\r")] == '\0';
            if (is_found || !reader->is_at_file_begin)
                break;
        }
        is_first = false;
        open += strncmp(word, "if", 2) == 0;
        open -= strncmp(word, "endif", strlen("endif")) == 0;
    }
    if (!is_first && open == 0)
        is_found = is_file_end(&scanner, reader->into->characters.bytes + reader->file);
    reap__string_release(&scratch);
    return is_found;
}

/* The name in #ifndef NAME, #if !defined NAME or #if !defined(NAME), which the text has not
 * defined; NULL: it is another directive. */
static const struct reap__token *tested_name(const struct reader *reader, struct range line)
{
    static const char *const begins[] = {"if", "!", "defined"};
    const struct reap__token *at = pool_of(reader) + line.begin;
    const struct reap__token *end = pool_of(reader) + line.end;
    size_t count = (size_t)(end - at), name = 1;
    if (count >= 4 && !is(reader, at, "ifndef")) {
        for (size_t i = 0; i < 3; i++)
            if (!is(reader, at + i, begins[i]))
                return NULL;
        name = count == 6 && is(reader, at + 3, "(") && is(reader, at + 5, ")") ? 4 : 3;
        count = name == 4 ? count - 1 : count;
    } else if (count != 2 || !is(reader, at, "ifndef")) {
        return NULL;
    }
    return name + 1 == count && find_macro(reader, at + name) == NONE ? at + name : NULL;
}

/* The name of an include guard is not defined by anything else. */
static void take_guard(struct reader *reader, struct range line, const struct reap__lexer *position)
{
    const struct reap__token *tested = tested_name(reader, line);
    if (tested == NULL || !is_live(reader))
        return;
    const struct reap__token name = *tested;
    if (is_guard(reader, position, &name))
        undefine(reader, &name);
}

static void take_condition(struct reader *reader, struct range line)
{
    const struct reap__token word = pool_of(reader)[line.begin];
    const struct range rest = {line.begin + 1, line.end, NONE};
    const bool live = is_live(reader);
    reader->is_certain = true;
    if (is(reader, &word, "if"))
        open_condition(reader, live && is_true(reader, rest));
    else if (is(reader, &word, "ifdef") || is(reader, &word, "ifndef"))
        open_condition(reader, live && has_definition(reader, rest) == (word.length == 5));
    else if (is(reader, &word, "elif"))
        next_branch(reader, may_take_branch(reader) && is_true(reader, rest));
    else if (is(reader, &word, "elifdef") || is(reader, &word, "elifndef"))
        next_branch(reader,
                    may_take_branch(reader) && has_definition(reader, rest) == (word.length == 7));
    else if (is(reader, &word, "else"))
        next_branch(reader, true);
    else if (is(reader, &word, "endif"))
        reader->condition_count -= reader->condition_count > 0;
}

static void take_directive(struct reader *reader, struct range line, unsigned number)
{
    const struct reap__token word = pool_of(reader)[line.begin];
    const struct range rest = {line.begin + 1, line.end, NONE};
    const bool live = is_live(reader), has_rest = rest.begin < rest.end;
    const struct reap__token name = has_rest ? pool_of(reader)[rest.begin] : word;
    const char first = characters(reader, &word)[0];
    if (first == 'i' || (first == 'e' && !is(reader, &word, "error")))
        take_condition(reader, line);
    else if (live && is(reader, &word, "define"))
        define(reader, rest);
    else if (live && has_rest && is(reader, &word, "undef"))
        undefine(reader, &name);
    else if (is(reader, &word, "line"))
        take_line_number(reader, rest, number);
    else if (live && is(reader, &word, "error"))
        reader->into->has_error = true;
    else if (live && is(reader, &word, "pragma"))
        reap__string_append(&reader->into->asked, "#pragma", 8);
}

/* Reads a line with a directive; `scanner` is after it. */
static void read_directive(struct reader *reader, const struct reap__line *line,
                           const struct reap__lexer *scanner)
{
    flush(reader);
    const struct range tokens = read_line(reader, line->directive, line->number);
    if (tokens.begin < tokens.end) {
        const struct reap__token word = pool_of(reader)[tokens.begin];
        const bool is_line = is(reader, &word, "line") && tokens.end - tokens.begin > 1;
        take_guard(reader, tokens, scanner);
        take_directive(reader, tokens, line->number);
        reader->is_at_file_begin = is_line && is(reader, &pool_of(reader)[tokens.begin + 1], "1");
    }
    reader->waiting = pool_count(reader);
}

static void read_lines(struct reader *reader, const char *text, struct reap__string *scratch)
{
    struct reap__lexer scanner = reap__lexer_start(text, scratch);
    struct reap__line line;
    while (!reader->into->is_incomplete && reap__lexer_next_line(&scanner, &line)) {
        reader->into->has_trigraph |= reap__line_has_trigraph(&scanner, &line);
        if (line.directive != NULL) {
            read_directive(reader, &line, &scanner);
        } else if (scratch->length > 0 && is_live(reader)) {
            const struct range tokens = read_line(reader, scratch->bytes, line.number);
            reader->is_at_file_begin &= tokens.begin == tokens.end;
        }
    }
    flush(reader);
}

void reap__tokens_read(const char *text, struct reap__choices *choices, struct reap__tokens *into)
{
    struct reap__string scratch = {0};
    struct reader *reader = reap__allocate(sizeof *reader);
    reap__string_append(&into->characters, "", 1);
    if (reader != NULL) {
        memset(reader, 0, sizeof *reader);
        reader->into = into;
        reader->choices = choices;
        read_lines(reader, text, &scratch);
        into->list.failed |= reader->pool.failed || reader->macros.failed;
        reap__string_release(&reader->pool);
        reap__string_release(&reader->macros);
    }
    into->list.failed |= reader == NULL || scratch.failed;
    into->is_incomplete |= into->characters.failed || into->list.failed;
    reap__free(reader);
    reap__string_release(&scratch);
}

void reap__tokens_release(struct reap__tokens *tokens)
{
    reap__string_release(&tokens->characters);
    reap__string_release(&tokens->list);
    reap__string_release(&tokens->asked);
}
