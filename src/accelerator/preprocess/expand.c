/* SPDX-License-Identifier: Apache-2.0
 *
 * Macros are expanded as in section 6.10.3 of C11: tokens are taken from a stack of ranges, and a
 * macro is disabled while the range of its expansion is on the stack. All ranges are in one pool,
 * which only grows. Tokens refer to characters, and ranges to tokens, by index, since both arrays
 * may move when they grow.
 */
#include "src/accelerator/preprocess/expand.h"

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
};

struct condition {
    bool is_live, was_live, is_outer_live;
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
    size_t asked_before; /* the length of `asked` before the last directive */
    unsigned shift;      /* added to the number of a line, by #line */
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
                                          .is_word = reap__identifier_length(at) > 0});
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
    struct macro macro = {.name = pool[line.begin], .is_defined = true};
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

static void undefine(const struct reader *reader, const struct reap__token *name)
{
    const size_t macro = find_macro(reader, name);
    if (macro != NONE)
        macros_of(reader)[macro].is_defined = false;
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

struct expression {
    const struct reader *reader;
    const struct reap__token *at, *end;
    unsigned depth;
};

static long long evaluate(struct expression *expression, int least);

static bool accept(struct expression *expression, const char *expected)
{
    const bool is_here =
        expression->at < expression->end && is(expression->reader, expression->at, expected);
    expression->at += is_here;
    return is_here;
}

static long long character(const char *literal)
{
    if (literal[1] != '\\')
        return literal[1];
    return literal[2] == 'n' ? '\n' : literal[2] == 't' ? '\t' : literal[2] == '0' ? 0 : literal[2];
}

static long long evaluate_operand(struct expression *expression)
{
    if (expression->at >= expression->end || expression->depth > MOST_DEPTH)
        return 0;
    expression->depth++;
    long long value = 0;
    if (accept(expression, "(")) {
        value = evaluate(expression, 0);
        accept(expression, ")");
    } else if (accept(expression, "!")) {
        value = !evaluate_operand(expression);
    } else if (accept(expression, "-")) {
        value = (long long)(0 - (unsigned long long)evaluate_operand(expression));
    } else if (accept(expression, "~")) {
        value = ~evaluate_operand(expression);
    } else if (accept(expression, "+")) {
        value = evaluate_operand(expression);
    } else {
        const char *text = characters(expression->reader, expression->at++);
        value = *text == '\''                  ? character(text)
                : *text >= '0' && *text <= '9' ? (long long)strtoull(text, NULL, 0)
                                               : 0;
    }
    expression->depth--;
    return value;
}

static const struct {
    const char *word;
    int level;
} operators[] = {{"?", 1},  {"||", 2}, {"&&", 3}, {"|", 4},  {"^", 5},  {"&", 6},  {"==", 7},
                 {"!=", 7}, {"<", 8},  {">", 8},  {"<=", 8}, {">=", 8}, {"<<", 9}, {">>", 9},
                 {"+", 10}, {"-", 10}, {"*", 11}, {"/", 11}, {"%", 11}};
enum { OPERATORS = sizeof operators / sizeof *operators };

static long long apply(const char *word, long long a, long long b)
{
    const unsigned long long x = (unsigned long long)a, y = (unsigned long long)b;
    switch (word[0]) {
    case '|':
        return word[1] == '|' ? a || b : a | b;
    case '&':
        return word[1] == '&' ? a && b : a & b;
    case '^':
        return a ^ b;
    case '=':
        return a == b;
    case '!':
        return a != b;
    case '<':
        return word[1] == '<' ? (long long)(x << (y & 63)) : word[1] == '=' ? a <= b : a < b;
    case '>':
        return word[1] == '>' ? a >> (y & 63) : word[1] == '=' ? a >= b : a > b;
    case '+':
        return (long long)(x + y);
    case '-':
        return (long long)(x - y);
    case '*':
        return (long long)(x * y);
    case '/':
        return b == 0 || b == -1 ? (long long)(0 - x) : a / b;
    default:
        return b == 0 || b == -1 ? 0 : a % b;
    }
}

static long long evaluate(struct expression *expression, int least)
{
    long long value = evaluate_operand(expression);
    for (;;) {
        size_t o = 0;
        while (o < OPERATORS && (expression->at >= expression->end || operators[o].level < least ||
                                 !is(expression->reader, expression->at, operators[o].word)))
            o++;
        if (o == OPERATORS)
            return value;
        expression->at++;
        if (operators[o].level == 1) {
            const long long yes = evaluate(expression, 0);
            accept(expression, ":");
            const long long no = evaluate(expression, 1);
            value = value ? yes : no;
        } else {
            value = apply(operators[o].word, value, evaluate(expression, operators[o].level + 1));
        }
    }
}

static void ask(struct reader *reader, const struct reap__token *name)
{
    struct reap__string *asked = &reader->into->asked;
    reap__string_append(asked, characters(reader, name), name->length);
    reap__string_append(asked, "", 1);
    reader->into->is_incomplete |= asked->failed;
}

/* If the directive before this definition tested this name only, it is an include guard, which is
 * not recorded. */
static void unask(struct reader *reader, const struct reap__token *name, size_t before)
{
    struct reap__string *asked = &reader->into->asked;
    if (asked->length - before == name->length + 1 &&
        memcmp(asked->bytes + before, characters(reader, name), name->length) == 0)
        asked->length = before;
}

/* Returns a copy of the range in which each `defined NAME` is 0 or 1. */
static struct range decide_defined(struct reader *reader, struct range range)
{
    const size_t base = reader->into->characters.length;
    struct range decided = {pool_count(reader), 0, NONE};
    reap__string_append(&reader->into->characters, "0\0001", 4);
    for (size_t t = range.begin; t < range.end; t++) {
        struct reap__token token = pool_of(reader)[t];
        if (is(reader, &token, "defined") && t + 1 < range.end) {
            const bool is_open = is(reader, &pool_of(reader)[t + 1], "(") && t + 3 < range.end;
            const struct reap__token name = pool_of(reader)[t + (is_open ? 2 : 1)];
            if (!is_defined(reader, &name))
                ask(reader, &name);
            token = (struct reap__token){.begin = base + (is_defined(reader, &name) ? 2 : 0),
                                         .length = 1};
            t += is_open ? 3 : 1;
        }
        put(reader, &token);
    }
    decided.end = pool_count(reader);
    return decided;
}

static bool is_true(struct reader *reader, struct range range)
{
    struct reap__string expanded = {0};
    expand(reader, decide_defined(reader, range), &expanded);
    const struct reap__token *at = (const struct reap__token *)(const void *)expanded.bytes;
    const struct reap__token *end = at != NULL ? at + expanded.length / sizeof *at : NULL;
    struct expression expression = {reader, at, end, 0};
    const bool value = at != NULL && !expanded.failed && evaluate(&expression, 0) != 0;
    for (; at != NULL && at < expression.end; at++)
        if (at->is_word)
            ask(reader, at);
    reap__string_release(&expanded);
    return value;
}

static bool is_live(const struct reader *reader)
{
    return reader->condition_count == 0 || reader->conditions[reader->condition_count - 1].is_live;
}

static void open_condition(struct reader *reader, bool value)
{
    if (reader->condition_count == MOST_CONDITIONS) {
        reader->into->is_incomplete = true;
        return;
    }
    const bool outer = is_live(reader);
    reader->conditions[reader->condition_count++] =
        (struct condition){outer && value, value, outer};
}

/* Whether the next branch of the current #if can be the one that is compiled. */
static bool may_take_branch(const struct reader *reader)
{
    if (reader->condition_count == 0)
        return false;
    const struct condition *condition = &reader->conditions[reader->condition_count - 1];
    return condition->is_outer_live && !condition->was_live;
}

static bool has_definition(struct reader *reader, const struct reap__token *name, bool is_asked)
{
    if (is_asked && !is_defined(reader, name))
        ask(reader, name);
    return is_defined(reader, name);
}

static void next_branch(struct reader *reader, bool value)
{
    if (reader->condition_count == 0)
        return;
    struct condition *condition = &reader->conditions[reader->condition_count - 1];
    condition->is_live = condition->is_outer_live && !condition->was_live && value;
    condition->was_live |= value;
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

static void define_name(struct reader *reader, struct range rest, size_t asked_before)
{
    if (rest.begin < rest.end) {
        const struct reap__token name = pool_of(reader)[rest.begin];
        unask(reader, &name, asked_before);
    }
    define(reader, rest);
}

static void take_directive(struct reader *reader, struct range line, unsigned number)
{
    if (line.begin == line.end)
        return;
    const struct reap__token word = pool_of(reader)[line.begin];
    const struct range rest = {line.begin + 1, line.end, NONE};
    const bool live = is_live(reader), has_rest = rest.begin < rest.end;
    const struct reap__token name = has_rest ? pool_of(reader)[rest.begin] : word;
    const size_t asked_before = reader->asked_before;
    reader->asked_before = reader->into->asked.length;
    if (is(reader, &word, "if"))
        open_condition(reader, live && is_true(reader, rest));
    else if (is(reader, &word, "ifdef") || is(reader, &word, "ifndef"))
        open_condition(reader, has_definition(reader, &name, live) == (word.length == 5));
    else if (is(reader, &word, "elif"))
        next_branch(reader, may_take_branch(reader) && is_true(reader, rest));
    else if (is(reader, &word, "elifdef") || is(reader, &word, "elifndef"))
        next_branch(reader,
                    has_definition(reader, &name, may_take_branch(reader)) == (word.length == 7));
    else if (is(reader, &word, "else"))
        next_branch(reader, true);
    else if (is(reader, &word, "endif"))
        reader->condition_count -= reader->condition_count > 0;
    else if (live && is(reader, &word, "define"))
        define_name(reader, rest, asked_before);
    else if (live && has_rest && is(reader, &word, "undef"))
        undefine(reader, &name);
    else if (is(reader, &word, "line"))
        take_line_number(reader, rest, number);
    else if (live && is(reader, &word, "error"))
        reader->into->is_incomplete = true;
    else if (live && is(reader, &word, "pragma"))
        reap__string_append(&reader->into->asked, "#pragma", 8);
}

static void read_lines(struct reader *reader, const char *text, struct reap__string *scratch)
{
    struct reap__lexer scanner = reap__lexer_start(text, scratch);
    struct reap__line line;
    while (!reader->into->is_incomplete && reap__lexer_next_line(&scanner, &line)) {
        if (line.directive != NULL) {
            flush(reader);
            take_directive(reader, read_line(reader, line.directive, line.number), line.number);
            reader->waiting = pool_count(reader);
        } else if (scratch->length > 0 && is_live(reader)) {
            read_line(reader, scratch->bytes, line.number);
        }
    }
    flush(reader);
}

void reap__tokens_read(const char *text, struct reap__tokens *into)
{
    struct reap__string scratch = {0};
    struct reader *reader = reap__allocate(sizeof *reader);
    reap__string_append(&into->characters, "", 1);
    if (reader != NULL) {
        memset(reader, 0, sizeof *reader);
        reader->into = into;
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
