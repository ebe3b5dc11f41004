/* SPDX-License-Identifier: Apache-2.0
 *
 * One pass over the tokens of the kernel's body, with the variables in scope: their kinds (pointer,
 * array, or neither), and whether each was declared between phases or in one. The object of an
 * assignment is found backwards from the operator. Code that is not understood is rejected between
 * phases, and accepted in a phase unless it may write a variable from outside of the phase.
 * Keywords that wait have a pass of their own.
 */
#include "src/accelerator/preprocess/preprocess.h"

#include "src/accelerator/preprocess/expand.h"
#include "src/core/allocate.h"
#include "src/core/stack.h"
#include "src/core/status.h"
#include "src/port/thread.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum variable_kind { OTHER, PLAIN, POINTER, ARRAY, READ_ONLY, MEMORY, READ_MEMORY };

struct variable {
    size_t name; /* token */
    enum variable_kind kind;
    bool is_of_phase;
    bool is_written_through; /* a pointer whose target is not const */
    unsigned depth;          /* of braces */
};

struct judge {
    const struct reap_kernel *kernel;
    struct reap__tokens tokens;
    const struct reap__token *list;
    size_t count;
    struct reap__string variables; /* of struct variable */
    unsigned depth;
    size_t body, end;
    size_t phase_end; /* of the current phase; 0: between phases */
    bool reads;
    reap_status status;
    char message[REAP__MESSAGE_BYTES]; /* of a status that is not OK */
};

/* ---- Tokens -----------------------------------------------------------------------------------*/

static bool is(const struct judge *judge, size_t t, const char *expected)
{
    return reap__token_is(&judge->tokens, t, expected);
}

static bool is_any(const struct judge *judge, size_t t, const char *const *words)
{
    return reap__token_is_any(&judge->tokens, t, words);
}

static bool begins_with(const struct judge *judge, size_t t, const char *prefix)
{
    return reap__token_begins_with(&judge->tokens, t, prefix);
}

static bool is_word(const struct judge *judge, size_t t)
{
    return reap__token_is_word(&judge->tokens, t);
}

static bool is_type(const struct judge *judge, size_t t)
{
    return reap__token_is_type(&judge->tokens, t);
}

static bool are_same(const struct judge *judge, size_t a, size_t b)
{
    return reap__tokens_are_same(&judge->tokens, a, b);
}

/* The token after the closing bracket. The opening bracket. */
static size_t past_brackets(const struct judge *judge, size_t t)
{
    return reap__token_past_brackets(&judge->tokens, t);
}

static size_t opening_of(const struct judge *judge, size_t t)
{
    return reap__token_opening(&judge->tokens, t, judge->body);
}

/* ---- Messages ---------------------------------------------------------------------------------
 */

__attribute__((format(printf, 3, 4))) static void complain(struct judge *judge, size_t t,
                                                           const char *format, ...)
{
    va_list arguments;
    if (judge->status != REAP_OK)
        return;
    const char *const file = judge->tokens.characters.bytes + judge->list[t].file;
    const int length =
        snprintf(judge->message, sizeof judge->message, "kernel '%s': %s:%u: ", judge->kernel->name,
                 file, judge->list[t].line);
    const size_t begin = (size_t)length < sizeof judge->message ? (size_t)length : 0;
    va_start(arguments, format);
    vsnprintf(judge->message + begin, sizeof judge->message - begin, format, arguments);
    va_end(arguments);
    judge->status = REAP_ERROR_COMPILATION_FAILED;
}

#define NAME(judge, t)                                                                             \
    (int)((judge)->list[t].length < 60 ? (judge)->list[t].length : 60),                            \
        (judge)->tokens.characters.bytes + (judge)->list[t].begin

static void complain_of_store(struct judge *judge, size_t t, size_t name)
{
    complain(
        judge, t,
        "between phases '%.*s' is written, by how many work-items depends on the device: write "
        "it in a phase, reap_for_first_items(1) { ... } (docs/groups.md)",
        NAME(judge, name));
}

static void complain_of_variable(struct judge *judge, size_t t, size_t name)
{
    complain(judge, t,
             "a phase changes '%.*s', a variable from outside of the phase: use reap_item_private, "
             "local memory or a reduction (docs/groups.md)",
             NAME(judge, name));
}

/* ---- Variables --------------------------------------------------------------------------------*/

static const struct variable *find(const struct judge *judge, size_t name)
{
    const struct variable *all = (const struct variable *)(const void *)judge->variables.bytes;
    for (size_t v = judge->variables.length / sizeof *all; v-- > 0;)
        if (are_same(judge, all[v].name, name))
            return &all[v];
    return NULL;
}

static void declare(struct judge *judge, const struct variable *variable)
{
    reap__string_append(&judge->variables, variable, sizeof *variable);
}

static void leave_scopes(struct judge *judge)
{
    struct variable *all = (struct variable *)(void *)judge->variables.bytes;
    size_t count = judge->variables.length / sizeof *all;
    while (count > 0 && all[count - 1].depth > judge->depth)
        count--;
    judge->variables.length = count * sizeof *all;
}

static void leave_phase(struct judge *judge)
{
    const struct variable *all = (const struct variable *)(const void *)judge->variables.bytes;
    size_t count = judge->variables.length / sizeof *all;
    while (count > 0 && all[count - 1].is_of_phase)
        count--;
    judge->variables.length = count * sizeof *all;
    judge->phase_end = 0;
}

static const char *const behind_name[] = {"=", ";", ",", "[", NULL};

/* Whether a member or a type of that name is declared before the kernel: if `what` is "*", as a
 * pointer; if "[", as an array. */
static bool is_declared_as(const struct judge *judge, size_t name, const char *what)
{
    for (size_t t = 1; t < judge->body; t++) {
        if (!are_same(judge, t, name) || !is_any(judge, t + 1, behind_name))
            continue;
        const bool is_pointer =
            is(judge, t - 1, "*") || (is(judge, t - 1, "const") && is(judge, t - 2, "*"));
        if (is(judge, t + 1, what) || (is_pointer && *what == '*'))
            return true;
    }
    return false;
}

/* ---- Parameters -------------------------------------------------------------------------------*/

/* Declares a parameter. Its name is the last identifier before the ). */
static void take_parameter(struct judge *judge, size_t t)
{
    static const char *const written[] = {"out", "inout", "local", "local_2d", "local_3d", NULL};
    const size_t end = past_brackets(judge, t + 1), name = end - 2;
    struct variable variable = {.name = name, .kind = OTHER};
    bool is_pointer = false, is_const = false;
    for (size_t i = t + 2; i < name; i++) {
        is_pointer |= is(judge, i, "*") || is_declared_as(judge, i, "*");
        is_const |= is(judge, i, "const");
    }
    if (is(judge, t, "in"))
        variable.kind = READ_MEMORY;
    else if (is_any(judge, t, written))
        variable.kind = MEMORY;
    else if (is(judge, t, "value"))
        variable.kind = is_pointer ? POINTER : is_const ? READ_ONLY : PLAIN;
    variable.is_written_through = variable.kind == MEMORY || (is_pointer && !is_const);
    declare(judge, &variable);
}

/* Finds the kernel's body, and declares its parameters. */
static bool find_kernel(struct judge *judge)
{
    for (size_t t = 0; t + 3 < judge->count; t++) {
        if (!is(judge, t, "REAP_GROUP_KERNEL") || !is(judge, t + 1, "(") ||
            !is(judge, t + 2, judge->kernel->name))
            continue;
        const size_t end = past_brackets(judge, t + 1);
        judge->body = t;
        for (size_t p = t + 3; p + 2 < end; p++)
            if (is(judge, p, ",") && is(judge, p + 2, "(")) {
                take_parameter(judge, p + 1);
                p = past_brackets(judge, p + 2) - 1;
            }
        judge->body = end;
        judge->end = past_brackets(judge, end);
        return is(judge, end, "{");
    }
    return false;
}

/* ---- Declarations -----------------------------------------------------------------------------*/

static const char *const other_words[] = {
    "return", "goto",  "break", "continue", "else",   "case",    "default",  "if",
    "for",    "while", "do",    "switch",   "sizeof", "typedef", "_Generic", NULL};
/* What precedes a declaration's first declarator. */
struct specifiers {
    size_t end;
    size_t type; /* the name of a type that is not a keyword; 0: none */
    bool is_const;
};

static bool take_specifiers(const struct judge *judge, size_t t, struct specifiers *specifiers)
{
    bool has_type = false, has_word = false;
    *specifiers = (struct specifiers){t, 0, false};
    while (is_word(judge, t) && !is_any(judge, t, other_words)) {
        const bool is_known = is_type(judge, t);
        if (!is_known && (has_type || find(judge, t) != NULL))
            break;
        if (is(judge, t, "typeof") || is(judge, t, "__typeof__") || is(judge, t, "_Alignas"))
            t = past_brackets(judge, t + 1) - 1;
        has_type |= !is_known;
        specifiers->type = is_known ? specifiers->type : t;
        if (is(judge, t, "struct") || is(judge, t, "union") || is(judge, t, "enum")) {
            has_type = true;
            t++;
        }
        has_word |= is_known;
        specifiers->is_const |= is(judge, t, "const");
        t++;
        if (is_known && !has_type && is_word(judge, t) && is_any(judge, t + 1, behind_name) &&
            !is_type(judge, t))
            break; /* int x */
    }
    specifiers->end = t;
    size_t name = t;
    while (is(judge, name, "*") || is(judge, name, "const") || is(judge, name, "restrict"))
        name++;
    return (has_type || has_word) && is_word(judge, name) && !is_any(judge, name, other_words) &&
           is_any(judge, name + 1, behind_name);
}

/* The token after an initialiser. */
static size_t past_initialiser(const struct judge *judge, size_t t)
{
    while (t < judge->end && !is(judge, t, ",") && !is(judge, t, ";"))
        t = is(judge, t, "(") || is(judge, t, "{") || is(judge, t, "[") ? past_brackets(judge, t)
                                                                        : t + 1;
    return t;
}

static void judge_expression(struct judge *judge, size_t begin, size_t end, bool may_point);

/* Declares the variables of a declaration, and checks their initialisers; returns its end, a ;. */
static size_t take_declarators(struct judge *judge, const struct specifiers *specifiers)
{
    size_t t = specifiers->end;
    for (;;) {
        const size_t type = specifiers->type;
        const bool is_pointer_type = type != 0 && is_declared_as(judge, type, "*");
        bool is_pointer = is_pointer_type, is_const = specifiers->is_const;
        bool is_array = type != 0 && is_declared_as(judge, type, "[");
        for (; is(judge, t, "*") || is(judge, t, "const") || is(judge, t, "restrict"); t++) {
            is_pointer |= is(judge, t, "*");
            is_const = !is(judge, t, "*") && is(judge, t, "const");
        }
        const size_t name = t++;
        for (; is(judge, t, "["); t = past_brackets(judge, t)) {
            is_array = true;
            judge_expression(judge, t + 1, past_brackets(judge, t) - 1, false);
        }
        const struct variable variable = {
            .name = name,
            .kind = is_const && !is_pointer ? READ_ONLY
                    : is_array              ? ARRAY
                    : is_pointer            ? POINTER
                                            : PLAIN,
            .is_of_phase = judge->phase_end > 0,
            .is_written_through = is_pointer && (is_pointer_type || !specifiers->is_const),
            .depth = judge->depth};
        if (is(judge, t, "=")) {
            const size_t end = past_initialiser(judge, t + 1);
            judge_expression(judge, t + 1, end, is_pointer && !variable.is_written_through);
            t = end;
        }
        declare(judge, &variable);
        if (!is(judge, t, ","))
            return t;
        t++;
    }
}

/* ---- Objects that are assigned to -------------------------------------------------------------
 */

/* The object that an lvalue designates: a variable, or memory to which it points. */
struct place {
    size_t begin;                    /* of the expression */
    size_t base;                     /* its first identifier; SIZE_MAX: it has another form */
    const struct variable *variable; /* NULL: `base` is not a known variable */
    bool is_beyond;                  /* the object is memory that the variable points to */
    bool is_unclear;                 /* perhaps that, perhaps the variable: its type is not known */
};

/* The object of an expression: `stars` times *, the identifier `base`, and suffixes up to `end`. */
static struct place place_from(const struct judge *judge, size_t base, size_t end, size_t stars)
{
    struct place place = {base - stars, base, is_word(judge, base) ? find(judge, base) : NULL,
                          false, false};
    const enum variable_kind kind = place.variable != NULL ? place.variable->kind : OTHER;
    bool is_array = kind == ARRAY || kind == READ_ONLY,
         is_clear = kind != PLAIN && kind != READ_ONLY;
    for (size_t t = base + 1; t < end; t = is(judge, t, "[") ? past_brackets(judge, t) : t + 1) {
        if (is(judge, t, ".")) {
            is_clear = is_array = !is_declared_as(judge, t + 1, "*");
        } else if (is(judge, t, "->")) {
            place.is_beyond = true;
        } else if (is(judge, t, "[")) {
            place.is_beyond |= is_clear && !is_array;
            place.is_unclear |= !is_clear;
        }
    }
    if (stars > 0) {
        place.is_beyond |= stars > 1 || (is_clear && !is_array);
        place.is_unclear |= !is_clear;
    }
    return place;
}

static struct place unknown_place(size_t begin)
{
    return (struct place){begin, SIZE_MAX, NULL, true, false};
}

/* The first token of the x, x[i], x.m or (...)[i] that ends before `end`. */
static size_t find_base(const struct judge *judge, size_t end)
{
    size_t t = end - 1;
    while (t > judge->body) {
        if (is(judge, t, "]"))
            t = opening_of(judge, t) - 1;
        else if (is_word(judge, t) && (is(judge, t - 1, ".") || is(judge, t - 1, "->")))
            t -= 2;
        else
            break;
    }
    return t;
}

/* The object of the expression that ends before `end`: x, x[i], x.m, (x).m; with has_stars also *x.
 * The result of a function, or of reap_private(), is unknown. */
static struct place place_before(const struct judge *judge, size_t end, bool has_stars)
{
    const size_t t = find_base(judge, end);
    if (is(judge, t, ")")) {
        const size_t open = opening_of(judge, t);
        if (open + 2 == t)
            return place_from(judge, open + 1, end, 0);
        if (is(judge, open - 1, "reap_at"))
            return place_from(judge, open + 1, open + 2, 1);
        const struct place within = place_before(judge, t, true);
        return within.begin == open + 1 ? within : unknown_place(open);
    }
    if (!is_word(judge, t))
        return unknown_place(t);
    size_t stars = 0;
    while (has_stars && is(judge, t - 1 - stars, "*"))
        stars++;
    return place_from(judge, t, end, stars);
}

/* The object of the expression that begins here, after ++, -- or &. */
static struct place place_behind(const struct judge *judge, size_t t)
{
    const size_t begin = t;
    size_t stars = 0, end;
    for (; is(judge, t, "*"); t++)
        stars++;
    if (is(judge, t, "(") && is_word(judge, t + 1) && is(judge, t + 2, ")"))
        t++;
    else if (is(judge, t, "(") && stars == 0)
        return place_before(judge, past_brackets(judge, t), false);
    if (!is_word(judge, t))
        return unknown_place(begin);
    if (is(judge, t, "reap_at"))
        return place_from(judge, t + 2, t + 3, 1);
    for (end = t + 1; is(judge, end, "[") || is(judge, end, ".") || is(judge, end, "->");)
        end = is(judge, end, "[") ? past_brackets(judge, end) : end + 2;
    return is(judge, end, "(") ? unknown_place(begin) : place_from(judge, t, end, stars);
}

static bool is_of_group(const struct place *place)
{
    return place->variable != NULL && !place->variable->is_of_phase &&
           (!place->is_beyond || place->is_unclear);
}

static bool can_change(const struct place *place)
{
    return place->variable->kind != READ_ONLY && place->variable->kind != OTHER;
}

static void judge_store(struct judge *judge, size_t t, const struct place *place)
{
    const size_t name = place->base != SIZE_MAX ? place->base : t;
    if (judge->phase_end > 0 && is_of_group(place) && can_change(place))
        complain_of_variable(judge, t, name);
    if (judge->phase_end == 0 && (place->variable == NULL || place->is_beyond || place->is_unclear))
        complain_of_store(judge, t, name);
}

/* ---- Calls ------------------------------------------------------------------------------------*/

/* Whether a function of the text has a pointer to const as its parameter `number`. */
static bool takes_const(const struct judge *judge, size_t function, size_t number)
{
    for (size_t t = 1; t + 1 < judge->body; t++) {
        if (!are_same(judge, t, function) || !is(judge, t + 1, "(") ||
            !(is_word(judge, t - 1) || is(judge, t - 1, "*")))
            continue;
        const size_t end = past_brackets(judge, t + 1);
        if (!is(judge, end, "{") && !is(judge, end, ";"))
            continue;
        bool is_const = false;
        size_t at = t + 2;
        for (size_t n = 0; at < end; at++) {
            n += is(judge, at, ",");
            if (n == number && (is(judge, at, "*") || is(judge, at, "[")))
                return is_const;
            is_const |= n == number && is(judge, at, "const");
        }
    }
    return false;
}

/* Finds the call that token t is an argument of: the function and the argument's number. False: t
 * is not an argument. */
static bool find_call(const struct judge *judge, size_t t, size_t begin, size_t *function,
                      size_t *number)
{
    *number = 0;
    for (size_t at = t; at > begin;) {
        at--;
        if (is(judge, at, ")") || is(judge, at, "]") || is(judge, at, "}")) {
            at = opening_of(judge, at);
        } else if (is(judge, at, ",")) {
            ++*number;
        } else if (is(judge, at, "(")) {
            *function = at - 1;
            if (is_word(judge, at - 1) && !is_any(judge, at - 1, other_words) &&
                !is_type(judge, at - 1))
                return true;
            *number = 0;
        } else if (is(judge, at, "[") || is(judge, at, "{")) {
            return false;
        }
    }
    return false;
}

/* ---- Expressions ------------------------------------------------------------------------------*/

/* Whether the ) here ends a cast. */
static bool is_cast(const struct judge *judge, size_t t)
{
    const size_t first = opening_of(judge, t) + 1;
    return !is_word(judge, first - 2) &&
           (is(judge, t - 1, "*") || is_type(judge, first) ||
            (first + 1 == t && is_word(judge, first) && find(judge, first) == NULL));
}

/* Whether the *, & or ++ here is a prefix operator. */
static bool is_unary(const struct judge *judge, size_t t)
{
    const char before = judge->tokens.characters.bytes[judge->list[t - 1].begin];
    if (is_word(judge, t - 1))
        return is_any(judge, t - 1, other_words);
    if (is(judge, t - 1, ")"))
        return is_cast(judge, t - 1);
    return !is(judge, t - 1, "]") && !(before >= '0' && before <= '9');
}

/* Checks an expression at token t whose value is a pointer: to a variable of the group, or to
 * memory. */
static void judge_pointer(struct judge *judge, size_t t, size_t begin, const struct place *place,
                          bool may_point)
{
    size_t function, number;
    const bool is_argument = find_call(judge, t, begin, &function, &number);
    const bool is_const = is_argument && takes_const(judge, function, number);
    const bool is_variable = is_of_group(place) && can_change(place);
    static const char *const readers[] = {"sizeof", "reap_at", "reap_extent", NULL};
    if (is_const || may_point || (is_argument && is_any(judge, function, readers)))
        return;
    if (judge->phase_end > 0) {
        if (is_variable)
            complain(judge, t,
                     "a phase takes a pointer to '%.*s', a variable from outside of the phase: "
                     "declare the variable const, or the function's parameter a pointer to const "
                     "(docs/groups.md)",
                     NAME(judge, place->base));
        return;
    }
    if (is_argument && place->is_beyond)
        complain(judge, t,
                 "between phases '%.*s' is passed to '%.*s', which may write to it: declare the "
                 "function's parameter a pointer to const, or call it in a phase (docs/groups.md)",
                 NAME(judge, place->base != SIZE_MAX ? place->base : t), NAME(judge, function));
    else if (!is_argument && is_variable)
        complain(judge, t,
                 "between phases a pointer to the variable '%.*s' is kept: make it a pointer to "
                 "const, or the variable local memory (docs/groups.md)",
                 NAME(judge, place->base));
}

/* Checks a name in an expression. */
static void judge_mention(struct judge *judge, size_t t, size_t begin, bool may_point)
{
    const struct variable *variable = find(judge, t);
    const bool is_followed = is(judge, t + 1, "[") || is(judge, t + 1, "->");
    if (variable == NULL || is(judge, t - 1, ".") || is(judge, t - 1, "->"))
        return;
    const bool is_pointer = variable->kind == MEMORY || variable->kind == POINTER;
    const bool is_void =
        (is(judge, t - 1, ")") && is(judge, t - 2, "void")) || is(judge, t - 1, "sizeof");
    if (judge->phase_end == 0 && is_pointer && !is_void)
        judge->reads = true;
    if (is_followed || is_void || (is(judge, t - 1, "*") && is_unary(judge, t - 1)) ||
        is(judge, t - 1, "&"))
        return;
    const struct place place = {t, t, variable, is_pointer, false};
    if (variable->kind == ARRAY && !variable->is_of_phase)
        judge_pointer(judge, t, begin, &place, may_point);
    else if (is_pointer && variable->is_written_through && judge->phase_end == 0) {
        size_t function, number;
        if (find_call(judge, t, begin, &function, &number))
            judge_pointer(judge, t, begin, &place, may_point);
    }
}

static const char *const assignments[] = {
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", NULL};

static void judge_operator(struct judge *judge, size_t t, size_t begin, bool may_point)
{
    struct place place;
    if (is_any(judge, t, assignments)) {
        const bool is_designator =
            is(judge, t - 1, "]")
                ? is(judge, opening_of(judge, t - 1) - 1, "{") ||
                      is(judge, opening_of(judge, t - 1) - 1, ",")
                : is(judge, t - 2, ".") && (is(judge, t - 3, "{") || is(judge, t - 3, ","));
        place = place_before(judge, t, true);
        if (!is_designator && !(place.base == SIZE_MAX && is(judge, t - 1, ")") &&
                                is(judge, opening_of(judge, t - 1) - 1, "reap_private")))
            judge_store(judge, t, &place);
    } else if (is(judge, t, "++") || is(judge, t, "--")) {
        place = is_unary(judge, t) ? place_behind(judge, t + 1) : place_before(judge, t, false);
        judge_store(judge, t, &place);
    } else if (is(judge, t, "&") && is_unary(judge, t)) {
        place = place_behind(judge, t + 1);
        if (place.variable != NULL && place.variable->kind != READ_MEMORY)
            judge_pointer(judge, t, begin, &place, may_point);
    }
}

static void judge_expression(struct judge *judge, size_t begin, size_t end, bool may_point)
{
    for (size_t t = begin; t < end && judge->status == REAP_OK; t++) {
        if (judge->phase_end == 0 && begins_with(judge, t, "reap_atomic_"))
            complain(judge, t,
                     "between phases '%.*s' is done by how many work-items depends on the device: "
                     "call it in a phase, reap_for_first_items(1) { ... } (docs/groups.md)",
                     NAME(judge, t));
        if (is_word(judge, t))
            judge_mention(judge, t, begin, may_point);
        else
            judge_operator(judge, t, begin, may_point);
    }
}

/* ---- Statements -------------------------------------------------------------------------------*/

/* Whether a statement, or the declaration of a for, may begin here. */
static bool begins_statement(const struct judge *judge, size_t t)
{
    static const char *const before[] = {";", "{", "}", NULL};
    return is_any(judge, t - 1, before) || (is(judge, t - 1, "(") && is(judge, t - 2, "for"));
}

static bool begins_phase(const struct judge *judge, size_t t)
{
    return is(judge, t, "reap_for_each_item") || is(judge, t, "reap_for_first_items");
}

/* Checks the statement or declaration at t, and returns the token after it. */
static size_t judge_next(struct judge *judge, size_t t)
{
    struct specifiers specifiers;
    if (begins_phase(judge, t)) {
        const bool has_count = is(judge, t, "reap_for_first_items") && is(judge, t + 1, "(");
        const size_t block = has_count ? past_brackets(judge, t + 1) : t + 1;
        if (has_count)
            judge_expression(judge, t + 2, block - 1, false);
        judge->phase_end = reap__token_past_statement(&judge->tokens, block);
        return block;
    }
    if (begins_with(judge, t, "reap_sub_groups_")) {
        const size_t end = judge->phase_end = past_brackets(judge, t + 1);
        judge_expression(judge, t + 2, end - 1, false);
        return end;
    }
    if (is(judge, t, "{") || is(judge, t, "}")) {
        judge->depth += is(judge, t, "{");
        judge->depth -= is(judge, t, "}");
        leave_scopes(judge);
        return t + 1;
    }
    if (is(judge, t, "reap_item_private") && is(judge, t + 1, "(")) {
        const size_t end = past_brackets(judge, t + 1);
        declare(judge,
                &(const struct variable){.name = end - 2, .kind = OTHER, .depth = judge->depth});
        return end;
    }
    if (begins_statement(judge, t) && take_specifiers(judge, t, &specifiers))
        return take_declarators(judge, &specifiers);
    size_t end = t;
    while (end < judge->end && !is(judge, end, ";") && !is(judge, end, "{") &&
           !is(judge, end, "}") && !begins_phase(judge, end) &&
           !(end > t && begins_with(judge, end, "reap_sub_groups_")) &&
           !(end > t && begins_statement(judge, end) && take_specifiers(judge, end, &specifiers)))
        end =
            is(judge, end, "(") && !is(judge, end - 1, "for") ? past_brackets(judge, end) : end + 1;
    judge_expression(judge, t, end, false);
    return end > t ? end : t + 1;
}

static void judge_body(struct judge *judge)
{
    size_t t = judge->body;
    while (t < judge->end && judge->status == REAP_OK) {
        if (judge->phase_end > 0 && t >= judge->phase_end)
            leave_phase(judge);
        t = judge_next(judge, t);
    }
}

/* ---- Keywords that wait -----------------------------------------------------------------------
 */

/* How to do the same in phases. */
static const char *remedy(const struct judge *judge, size_t word)
{
    if (is(judge, word, "reap_barrier") || is(judge, word, "reap_sub_group_barrier"))
        return "end the phase there, and begin another one";
    if (begins_with(judge, word, "reap_sub_group_"))
        return "end the phase there, and use a statement of sub-groups, reap_sub_groups_...";
    return "compute it in several phases with local memory";
}

/* Reports the first keyword that waits, in the whole body: between phases, the host's compiler
 * rejects it, too. False: memory ran out. */
static bool judge_waits(struct judge *judge)
{
    struct reap__wait wait;
    if (!reap__waiting_find(&judge->tokens, judge->body, judge->end, &wait))
        return false;
    if (wait.place == SIZE_MAX)
        return true;
    if (wait.place == wait.word)
        complain(judge, wait.place,
                 "a phase contains '%.*s', where work-items cannot wait for each other: %s, or "
                 "make the kernel a REAP_ND_KERNEL (docs/groups.md)",
                 NAME(judge, wait.word), remedy(judge, wait.word));
    else
        complain(judge, wait.place,
                 "a phase calls '%.*s', which contains '%.*s' (line %u), where work-items cannot "
                 "wait for each other: %s, or make the kernel a REAP_ND_KERNEL (docs/groups.md)",
                 NAME(judge, wait.place), NAME(judge, wait.word), judge->list[wait.word].line,
                 remedy(judge, wait.word));
    return true;
}

/* ---- All of it --------------------------------------------------------------------------------*/

static bool has_failed(const struct judge *judge, const struct reap__string *text)
{
    return text->failed || judge->variables.failed || judge->tokens.characters.failed ||
           judge->tokens.list.failed;
}

/* The whole check of data->kernel. Its result is in *data. */
static void *look(void *data)
{
    struct judge *judge = data;
    struct reap__string text = {0};
    bool has_memory = true;
    judge->reads = true;
    const reap_status status = reap__flatten_source(judge->kernel, REAP__DIALECT_NONE, &text);
    if (status == REAP_OK && !text.failed)
        reap__tokens_read(text.bytes, &judge->tokens);
    judge->list = reap__tokens_list(&judge->tokens);
    judge->count = reap__tokens_count(&judge->tokens);
    if (!judge->tokens.is_incomplete && judge->count > 0 && find_kernel(judge)) {
        judge->reads = false;
        has_memory = judge_waits(judge);
        judge_body(judge);
    }
    if (status == REAP_ERROR_OUT_OF_MEMORY || !has_memory || has_failed(judge, &text)) {
        judge->status = REAP_ERROR_OUT_OF_MEMORY;
        snprintf(judge->message, sizeof judge->message, "kernel '%s': no memory for its text",
                 judge->kernel->name);
    }
    reap__string_release(&text);
    reap__string_release(&judge->variables);
    reap__tokens_release(&judge->tokens);
    return NULL;
}

enum { STACK_BYTES = 256 << 10 };

/* On a new thread if the calling one has little stack. */
static bool look_with_stack(struct judge *judge)
{
    if (reap__stack_may_lack(REAP__STACK_FOR_DEVICE) && reap__stack_left() < REAP__STACK_FOR_DEVICE)
        return reap__thread_run(STACK_BYTES, look, judge);
    look(judge);
    return true;
}

static reap_status judge_kernel(const struct reap_kernel *kernel, bool *reads)
{
    struct judge *judge = reap__allocate(sizeof *judge);
    reap_status status = REAP_ERROR_OUT_OF_MEMORY;
    *reads = true;
    if (judge != NULL) {
        memset(judge, 0, sizeof *judge);
        judge->kernel = kernel;
        if (look_with_stack(judge)) {
            status = judge->status;
            *reads = judge->reads;
        }
    }
    if (status != REAP_OK)
        status = reap__fail(status, "%s",
                            judge != NULL && judge->message[0] != '\0'
                                ? judge->message
                                : "no memory to look at a kernel's phases");
    reap__free(judge);
    return status;
}

static bool has_phases(const struct reap_kernel *kernel)
{
    return kernel->phases[REAP__ISA_PLAIN] != NULL && kernel->text() != NULL;
}

/* A bit of a kernel's state: its phases passed the check. */
#define PASSED (1u << 31)

reap_status reap__phases_check(const struct reap_kernel *kernel)
{
    bool reads;
    if (kernel->phases[REAP__ISA_PLAIN] == NULL ||
        (atomic_load_explicit(&kernel->state->probed, memory_order_relaxed) & PASSED) != 0)
        return REAP_OK;
    if (has_phases(kernel))
        REAP_TRY(judge_kernel(kernel, &reads));
    atomic_fetch_or_explicit(&kernel->state->probed, PASSED, memory_order_relaxed);
    return REAP_OK;
}

bool reap__phases_read_between(const struct reap_kernel *kernel)
{
    bool reads = true;
    if (has_phases(kernel))
        (void)judge_kernel(kernel, &reads);
    return kernel->phases[REAP__ISA_PLAIN] != NULL && reads;
}
