/* SPDX-License-Identifier: Apache-2.0
 *
 * One pass over the tokens of the kernel's body, with the variables in scope: their kinds (pointer,
 * array, or neither), and whether each was declared between phases or in one. The object of an
 * assignment is found backwards from the operator. Code that is not understood is rejected between
 * phases, and accepted in a phase unless it may write a variable from outside of the phase.
 * Keywords that wait have a pass of their own. Where the value of an #if is not known, the text is
 * read with both, so every branch is checked.
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
    unsigned dimensions;     /* an element has so many [ ] and * */
    size_t end;              /* of the statement, if a for declares it; else SIZE_MAX */
};

struct checker {
    const struct reap_kernel *kernel;
    struct reap__tokens tokens;
    const struct reap__token *list;
    size_t count;
    struct reap__string variables; /* of struct variable */
    unsigned depth;
    size_t body, end;
    size_t phase_end; /* of the current phase; 0: between phases */
    bool reads;
    bool is_found; /* the kernel, in a reading of the text that has no #error */
    bool lacks_memory;
    reap_status status;
    char message[REAP__MESSAGE_BYTES]; /* of a status that is not OK */
};

/* ---- Tokens -----------------------------------------------------------------------------------*/

static bool is(const struct checker *checker, size_t t, const char *expected)
{
    return reap__token_is(&checker->tokens, t, expected);
}

static bool is_any(const struct checker *checker, size_t t, const char *const *words)
{
    return reap__token_is_any(&checker->tokens, t, words);
}

static bool begins_with(const struct checker *checker, size_t t, const char *prefix)
{
    return reap__token_begins_with(&checker->tokens, t, prefix);
}

static bool is_word(const struct checker *checker, size_t t)
{
    return reap__token_is_word(&checker->tokens, t);
}

static bool is_type(const struct checker *checker, size_t t)
{
    return reap__token_is_type(&checker->tokens, t);
}

static bool are_same(const struct checker *checker, size_t a, size_t b)
{
    return reap__tokens_are_same(&checker->tokens, a, b);
}

/* The token after the closing bracket. The opening bracket. */
static size_t past_brackets(const struct checker *checker, size_t t)
{
    return reap__token_past_brackets(&checker->tokens, t);
}

static size_t opening_of(const struct checker *checker, size_t t)
{
    return reap__token_opening(&checker->tokens, t, checker->body);
}

/* ---- Messages ---------------------------------------------------------------------------------*/

__attribute__((format(printf, 3, 4))) static void report(struct checker *checker, size_t t,
                                                         const char *format, ...)
{
    va_list arguments;
    if (checker->status != REAP_OK)
        return;
    const char *const file = checker->tokens.characters.bytes + checker->list[t].file;
    const int length =
        snprintf(checker->message, sizeof checker->message,
                 "kernel '%s': %s:%u: ", checker->kernel->name, file, checker->list[t].line);
    const size_t begin = (size_t)length < sizeof checker->message ? (size_t)length : 0;
    va_start(arguments, format);
    vsnprintf(checker->message + begin, sizeof checker->message - begin, format, arguments);
    va_end(arguments);
    checker->status = REAP_ERROR_COMPILATION_FAILED;
}

#define NAME(checker, t)                                                                           \
    (int)((checker)->list[t].length < 60 ? (checker)->list[t].length : 60),                        \
        (checker)->tokens.characters.bytes + (checker)->list[t].begin

static void report_store(struct checker *checker, size_t t, size_t name)
{
    report(checker, t,
           "'%.*s' is written between phases, where the number of work-items that run the code "
           "depends on the device: write it in a phase, reap_for_first_items(1) { ... } "
           "(docs/groups.md)",
           NAME(checker, name));
}

static void report_variable(struct checker *checker, size_t t, size_t name)
{
    report(checker, t,
           "a phase changes '%.*s', which is declared outside of the phase: use reap_item_private, "
           "local memory or a reduction (docs/groups.md)",
           NAME(checker, name));
}

static void report_conditions(struct checker *checker)
{
    checker->status = REAP_ERROR_COMPILATION_FAILED;
    snprintf(checker->message, sizeof checker->message,
             "kernel '%s': the #ifs of its file use too many names that its text does not define "
             "to check its phases: move the kernel to a file with fewer (docs/groups.md)",
             checker->kernel->name);
}

/* ---- Variables --------------------------------------------------------------------------------*/

static const struct variable *find(const struct checker *checker, size_t name)
{
    const struct variable *all = (const struct variable *)(const void *)checker->variables.bytes;
    for (size_t v = checker->variables.length / sizeof *all; v-- > 0;)
        if (name < all[v].end && are_same(checker, all[v].name, name))
            return &all[v];
    return NULL;
}

static void declare(struct checker *checker, const struct variable *variable)
{
    reap__string_append(&checker->variables, variable, sizeof *variable);
}

static void leave_scopes(struct checker *checker)
{
    struct variable *all = (struct variable *)(void *)checker->variables.bytes;
    size_t count = checker->variables.length / sizeof *all;
    while (count > 0 && all[count - 1].depth > checker->depth)
        count--;
    checker->variables.length = count * sizeof *all;
}

static void leave_phase(struct checker *checker)
{
    const struct variable *all = (const struct variable *)(const void *)checker->variables.bytes;
    size_t count = checker->variables.length / sizeof *all;
    while (count > 0 && all[count - 1].is_of_phase)
        count--;
    checker->variables.length = count * sizeof *all;
    checker->phase_end = 0;
}

static const char *const behind_name[] = {"=", ";", ",", "[", NULL};

/* Whether a member or a type of that name is declared before the kernel: if `what` is "*", as a
 * pointer; if "[", as an array. */
static bool is_declared_as(const struct checker *checker, size_t name, const char *what)
{
    for (size_t t = 1; t < checker->body; t++) {
        if (!are_same(checker, t, name) || !is_any(checker, t + 1, behind_name))
            continue;
        const bool is_pointer =
            is(checker, t - 1, "*") || (is(checker, t - 1, "const") && is(checker, t - 2, "*"));
        if (is(checker, t + 1, what) || (is_pointer && *what == '*'))
            return true;
    }
    return false;
}

/* How many [ ] follow the name. */
static unsigned count_subscripts(const struct checker *checker, size_t name)
{
    unsigned count = 0;
    for (size_t t = name + 1; is(checker, t, "["); t = past_brackets(checker, t))
        count++;
    return count;
}

/* The dimensions that a type of this name has, if its declaration precedes the kernel. */
static unsigned count_dimensions(const struct checker *checker, size_t type)
{
    unsigned most = is_declared_as(checker, type, "*");
    for (size_t t = 1; t < checker->body; t++)
        if (are_same(checker, t, type) && count_subscripts(checker, t) > most)
            most = count_subscripts(checker, t);
    return most;
}

/* ---- Parameters -------------------------------------------------------------------------------*/

/* Declares a parameter. Its name is the last identifier before the ). */
static void take_parameter(struct checker *checker, size_t t)
{
    static const char *const written[] = {"out", "inout", "local", "local_2d", "local_3d", NULL};
    const size_t end = past_brackets(checker, t + 1), name = end - 2;
    struct variable variable = {.name = name, .kind = OTHER, .end = SIZE_MAX};
    bool is_pointer = false, is_const = false;
    for (size_t i = t + 2; i < name; i++) {
        is_pointer |= is(checker, i, "*") || is_declared_as(checker, i, "*");
        is_const |= is(checker, i, "const");
        variable.dimensions += is_word(checker, i) ? count_dimensions(checker, i) : 0;
        variable.dimensions += is(checker, i, "*");
    }
    if (is(checker, t, "in"))
        variable.kind = READ_MEMORY;
    else if (is_any(checker, t, written))
        variable.kind = MEMORY;
    else if (is(checker, t, "value"))
        variable.kind = is_pointer ? POINTER : is_const ? READ_ONLY : PLAIN;
    variable.dimensions += variable.kind == MEMORY;
    variable.is_written_through = variable.kind == MEMORY || (is_pointer && !is_const);
    declare(checker, &variable);
}

/* Finds the kernel's body, and declares its parameters. */
static bool find_kernel(struct checker *checker)
{
    for (size_t t = 0; t + 3 < checker->count; t++) {
        if (!is(checker, t, "REAP_GROUP_KERNEL") || !is(checker, t + 1, "(") ||
            !is(checker, t + 2, checker->kernel->name))
            continue;
        const size_t end = past_brackets(checker, t + 1);
        checker->body = t;
        for (size_t p = t + 3; p + 2 < end; p++)
            if (is(checker, p, ",") && is(checker, p + 2, "(")) {
                take_parameter(checker, p + 1);
                p = past_brackets(checker, p + 2) - 1;
            }
        checker->body = end;
        checker->end = past_brackets(checker, end);
        return is(checker, end, "{");
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

static bool take_specifiers(const struct checker *checker, size_t t, struct specifiers *specifiers)
{
    bool has_type = false, has_word = false;
    *specifiers = (struct specifiers){t, 0, false};
    while (is_word(checker, t) && !is_any(checker, t, other_words)) {
        const bool is_known = is_type(checker, t);
        if (!is_known && (has_type || find(checker, t) != NULL))
            break;
        if (is(checker, t, "typeof") || is(checker, t, "__typeof__") || is(checker, t, "_Alignas"))
            t = past_brackets(checker, t + 1) - 1;
        has_type |= !is_known;
        specifiers->type = is_known ? specifiers->type : t;
        if (is(checker, t, "struct") || is(checker, t, "union") || is(checker, t, "enum")) {
            has_type = true;
            t++;
        }
        has_word |= is_known;
        specifiers->is_const |= is(checker, t, "const");
        t++;
        if (is_known && !has_type && is_word(checker, t) && is_any(checker, t + 1, behind_name) &&
            !is_type(checker, t))
            break; /* int x */
    }
    specifiers->end = t;
    size_t name = t;
    while (is(checker, name, "*") || is(checker, name, "const") || is(checker, name, "restrict"))
        name++;
    return (has_type || has_word) && is_word(checker, name) &&
           !is_any(checker, name, other_words) && is_any(checker, name + 1, behind_name);
}

/* The token after an initialiser. */
static size_t past_initialiser(const struct checker *checker, size_t t)
{
    while (t < checker->end && !is(checker, t, ",") && !is(checker, t, ";"))
        t = is(checker, t, "(") || is(checker, t, "{") || is(checker, t, "[")
                ? past_brackets(checker, t)
                : t + 1;
    return t;
}

static void check_expression(struct checker *checker, size_t begin, size_t end, bool may_point);

/* Declares the variables of the declaration that begins at `begin`, and checks their initialisers;
 * returns its end, a ;. */
static size_t take_declarators(struct checker *checker, size_t begin,
                               const struct specifiers *specifiers)
{
    size_t t = specifiers->end;
    const bool is_in_for = is(checker, begin - 1, "(") && is(checker, begin - 2, "for");
    const size_t scope_end =
        is_in_for ? reap__token_past_statement(&checker->tokens, begin - 2) : SIZE_MAX;
    for (;;) {
        const size_t type = specifiers->type;
        unsigned dimensions = type != 0 ? count_dimensions(checker, type) : 0;
        const bool is_pointer_type = type != 0 && is_declared_as(checker, type, "*");
        bool is_pointer = is_pointer_type, is_const = specifiers->is_const;
        bool is_array = type != 0 && is_declared_as(checker, type, "[");
        for (; is(checker, t, "*") || is(checker, t, "const") || is(checker, t, "restrict"); t++) {
            is_pointer |= is(checker, t, "*");
            dimensions += is(checker, t, "*");
            is_const = !is(checker, t, "*") && is(checker, t, "const");
        }
        const size_t name = t++;
        for (; is(checker, t, "["); t = past_brackets(checker, t)) {
            is_array = true;
            dimensions++;
            check_expression(checker, t + 1, past_brackets(checker, t) - 1, false);
        }
        const struct variable variable = {
            .name = name,
            .kind = is_const && !is_pointer ? READ_ONLY
                    : is_array              ? ARRAY
                    : is_pointer            ? POINTER
                                            : PLAIN,
            .is_of_phase = checker->phase_end > 0,
            .is_written_through = is_pointer && (is_pointer_type || !specifiers->is_const),
            .depth = checker->depth,
            .dimensions = dimensions,
            .end = scope_end};
        if (is(checker, t, "=")) {
            const size_t end = past_initialiser(checker, t + 1);
            check_expression(checker, t + 1, end, is_pointer && !variable.is_written_through);
            t = end;
        }
        declare(checker, &variable);
        if (!is(checker, t, ","))
            return t;
        t++;
    }
}

/* ---- Objects that are assigned to -------------------------------------------------------------*/

/* The object that an lvalue designates: a variable, or memory to which it points. */
struct place {
    size_t begin;                    /* of the expression */
    size_t base;                     /* its first identifier; SIZE_MAX: it has another form */
    const struct variable *variable; /* NULL: `base` is not a known variable */
    bool is_beyond;                  /* the object is memory that the variable points to */
    bool is_unclear;                 /* perhaps that, perhaps the variable: its type is not known */
};

/* The object of an expression: `stars` times *, the identifier `base`, and suffixes up to `end`. */
static struct place place_from(const struct checker *checker, size_t base, size_t end, size_t stars)
{
    struct place place = {base - stars, base, is_word(checker, base) ? find(checker, base) : NULL,
                          false, false};
    const enum variable_kind kind = place.variable != NULL ? place.variable->kind : OTHER;
    bool is_array = kind == ARRAY || kind == READ_ONLY,
         is_clear = kind != PLAIN && kind != READ_ONLY;
    for (size_t t = base + 1; t < end;
         t = is(checker, t, "[") ? past_brackets(checker, t) : t + 1) {
        if (is(checker, t, ".")) {
            is_clear = is_array = !is_declared_as(checker, t + 1, "*");
        } else if (is(checker, t, "->")) {
            place.is_beyond = true;
        } else if (is(checker, t, "[")) {
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
static size_t find_base(const struct checker *checker, size_t end)
{
    size_t t = end - 1;
    while (t > checker->body) {
        if (is(checker, t, "]"))
            t = opening_of(checker, t) - 1;
        else if (is_word(checker, t) && (is(checker, t - 1, ".") || is(checker, t - 1, "->")))
            t -= 2;
        else
            break;
    }
    return t;
}

/* The object of the expression that ends before `end`: x, x[i], x.m, (x).m; with has_stars also *x.
 * The result of a function, or of reap_private(), is unknown. */
static struct place place_before(const struct checker *checker, size_t end, bool has_stars)
{
    const size_t t = find_base(checker, end);
    if (is(checker, t, ")")) {
        const size_t open = opening_of(checker, t);
        if (open + 2 == t)
            return place_from(checker, open + 1, end, 0);
        if (is(checker, open - 1, "reap_at"))
            return place_from(checker, open + 1, open + 2, 1);
        const struct place within = place_before(checker, t, true);
        return within.begin == open + 1 ? within : unknown_place(open);
    }
    if (!is_word(checker, t))
        return unknown_place(t);
    size_t stars = 0;
    while (has_stars && is(checker, t - 1 - stars, "*"))
        stars++;
    return place_from(checker, t, end, stars);
}

/* The object of the expression that begins here, after ++, -- or &. */
static struct place place_behind(const struct checker *checker, size_t t)
{
    const size_t begin = t;
    size_t stars = 0, end;
    for (; is(checker, t, "*"); t++)
        stars++;
    if (is(checker, t, "(") && is_word(checker, t + 1) && is(checker, t + 2, ")"))
        t++;
    else if (is(checker, t, "(") && stars == 0)
        return place_before(checker, past_brackets(checker, t), false);
    if (!is_word(checker, t))
        return unknown_place(begin);
    if (is(checker, t, "reap_at"))
        return place_from(checker, t + 2, t + 3, 1);
    for (end = t + 1; is(checker, end, "[") || is(checker, end, ".") || is(checker, end, "->");)
        end = is(checker, end, "[") ? past_brackets(checker, end) : end + 2;
    return is(checker, end, "(") ? unknown_place(begin) : place_from(checker, t, end, stars);
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

static void check_store(struct checker *checker, size_t t, const struct place *place)
{
    const size_t name = place->base != SIZE_MAX ? place->base : t;
    if (checker->phase_end > 0 && is_of_group(place) && can_change(place))
        report_variable(checker, t, name);
    if (checker->phase_end == 0 &&
        (place->variable == NULL || place->is_beyond || place->is_unclear))
        report_store(checker, t, name);
}

/* ---- Calls ------------------------------------------------------------------------------------*/

/* Whether a function of the text has a pointer to const as its parameter `number`. */
static bool takes_const(const struct checker *checker, size_t function, size_t number)
{
    for (size_t t = 1; t + 1 < checker->body; t++) {
        if (!are_same(checker, t, function) || !is(checker, t + 1, "(") ||
            !(is_word(checker, t - 1) || is(checker, t - 1, "*")))
            continue;
        const size_t end = past_brackets(checker, t + 1);
        if (!is(checker, end, "{") && !is(checker, end, ";"))
            continue;
        bool is_const = false;
        size_t at = t + 2;
        for (size_t n = 0; at < end; at++) {
            n += is(checker, at, ",");
            if (n == number && (is(checker, at, "*") || is(checker, at, "[")))
                return is_const;
            is_const |= n == number && is(checker, at, "const");
        }
    }
    return false;
}

/* Finds the call that token t is an argument of: the function and the argument's number. False: t
 * is not an argument. */
static bool find_call(const struct checker *checker, size_t t, size_t begin, size_t *function,
                      size_t *number)
{
    *number = 0;
    for (size_t at = t; at > begin;) {
        at--;
        if (is(checker, at, ")") || is(checker, at, "]") || is(checker, at, "}")) {
            at = opening_of(checker, at);
        } else if (is(checker, at, ",")) {
            ++*number;
        } else if (is(checker, at, "(")) {
            *function = at - 1;
            if (is_word(checker, at - 1) && !is_any(checker, at - 1, other_words) &&
                !is_type(checker, at - 1))
                return true;
            *number = 0;
        } else if (is(checker, at, "[") || is(checker, at, "{")) {
            return false;
        }
    }
    return false;
}

/* ---- Expressions ------------------------------------------------------------------------------*/

/* Whether the ) here ends a cast. */
static bool is_cast(const struct checker *checker, size_t t)
{
    const size_t first = opening_of(checker, t) + 1;
    return !is_word(checker, first - 2) &&
           (is(checker, t - 1, "*") || is_type(checker, first) ||
            (first + 1 == t && is_word(checker, first) && find(checker, first) == NULL));
}

/* Whether the *, & or ++ here is a prefix operator. */
static bool is_unary(const struct checker *checker, size_t t)
{
    const char before = checker->tokens.characters.bytes[checker->list[t - 1].begin];
    if (is_word(checker, t - 1))
        return is_any(checker, t - 1, other_words);
    if (is(checker, t - 1, ")"))
        return is_cast(checker, t - 1);
    return !is(checker, t - 1, "]") && !(before >= '0' && before <= '9');
}

/* Checks an expression at token t whose value is a pointer: to a variable of the group, or to
 * memory. */
static void check_pointer(struct checker *checker, size_t t, size_t begin,
                          const struct place *place, bool may_point)
{
    size_t function, number;
    const bool is_argument = find_call(checker, t, begin, &function, &number);
    const bool is_const = is_argument && takes_const(checker, function, number);
    const bool is_variable = is_of_group(place) && can_change(place);
    static const char *const readers[] = {"sizeof", "reap_at", "reap_extent", NULL};
    if (is_const || may_point || (is_argument && is_any(checker, function, readers)))
        return;
    if (checker->phase_end > 0) {
        if (is_variable)
            report(checker, t,
                   "a phase takes a pointer to '%.*s', which is declared outside of the phase: "
                   "declare the variable const, or the function's parameter a pointer to const "
                   "(docs/groups.md)",
                   NAME(checker, place->base));
        return;
    }
    if (is_argument && place->is_beyond)
        report(checker, t,
               "'%.*s' is passed between phases to '%.*s', which may write to it: declare the "
               "function's parameter a pointer to const, or call it in a phase (docs/groups.md)",
               NAME(checker, place->base != SIZE_MAX ? place->base : t), NAME(checker, function));
    else if (!is_argument && is_variable)
        report(checker, t,
               "a pointer to the variable '%.*s' is stored between phases: make it a pointer to "
               "const, or the variable local memory (docs/groups.md)",
               NAME(checker, place->base));
}

/* Whether the name at t, with the *s before it and the [ ] after it, is an element or a member,
 * not a pointer or an array. */
static bool is_element(const struct checker *checker, size_t t, const struct variable *variable)
{
    size_t depth = count_subscripts(checker, t), end = t + 1;
    while (is(checker, end, "["))
        end = past_brackets(checker, end);
    for (; is(checker, t - 1, "*") && is_unary(checker, t - 1); t--)
        depth++;
    return depth >= variable->dimensions || is(checker, end, ".") || is(checker, end, "->");
}

/* Checks a name in an expression. */
static void check_mention(struct checker *checker, size_t t, size_t begin, bool may_point)
{
    const struct variable *variable = find(checker, t);
    if (variable == NULL || is(checker, t - 1, ".") || is(checker, t - 1, "->"))
        return;
    const bool is_pointer = variable->kind == MEMORY || variable->kind == POINTER;
    const bool is_void = (is(checker, t - 1, ")") && is(checker, t - 2, "void")) ||
                         is(checker, t - 1, "sizeof") ||
                         (is(checker, t - 1, "(") && is(checker, t - 2, "sizeof"));
    if (checker->phase_end == 0 && is_pointer && !is_void)
        checker->reads = true;
    if (is_void || is_element(checker, t, variable) || is(checker, t - 1, "&"))
        return;
    const struct place place = {t, t, variable, is_pointer, false};
    if (variable->kind == ARRAY && !variable->is_of_phase)
        check_pointer(checker, t, begin, &place, may_point);
    else if (is_pointer && variable->is_written_through && checker->phase_end == 0) {
        size_t function, number;
        if (find_call(checker, t, begin, &function, &number))
            check_pointer(checker, t, begin, &place, may_point);
    }
}

static const char *const assignments[] = {
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", NULL};

static void check_operator(struct checker *checker, size_t t, size_t begin, bool may_point)
{
    struct place place;
    if (is_any(checker, t, assignments)) {
        const bool is_designator =
            is(checker, t - 1, "]")
                ? is(checker, opening_of(checker, t - 1) - 1, "{") ||
                      is(checker, opening_of(checker, t - 1) - 1, ",")
                : is(checker, t - 2, ".") && (is(checker, t - 3, "{") || is(checker, t - 3, ","));
        place = place_before(checker, t, true);
        if (!is_designator && !(place.base == SIZE_MAX && is(checker, t - 1, ")") &&
                                is(checker, opening_of(checker, t - 1) - 1, "reap_private")))
            check_store(checker, t, &place);
    } else if (is(checker, t, "++") || is(checker, t, "--")) {
        place =
            is_unary(checker, t) ? place_behind(checker, t + 1) : place_before(checker, t, false);
        check_store(checker, t, &place);
    } else if (is(checker, t, "&") && is_unary(checker, t)) {
        place = place_behind(checker, t + 1);
        if (place.variable != NULL && place.variable->kind != READ_MEMORY)
            check_pointer(checker, t, begin, &place, may_point);
    }
}

static void check_expression(struct checker *checker, size_t begin, size_t end, bool may_point)
{
    for (size_t t = begin; t < end && checker->status == REAP_OK; t++) {
        if (checker->phase_end == 0 && begins_with(checker, t, "reap_atomic_"))
            report(checker, t,
                   "'%.*s' is called between phases, where the number of work-items that run the "
                   "code depends on the device: call it in a phase, reap_for_first_items(1) { ... "
                   "} (docs/groups.md)",
                   NAME(checker, t));
        if (is_word(checker, t))
            check_mention(checker, t, begin, may_point);
        else
            check_operator(checker, t, begin, may_point);
    }
}

/* ---- Statements -------------------------------------------------------------------------------*/

/* Whether a statement, or the declaration of a for, may begin here. */
static bool begins_statement(const struct checker *checker, size_t t)
{
    static const char *const before[] = {";", "{", "}", NULL};
    return is_any(checker, t - 1, before) || (is(checker, t - 1, "(") && is(checker, t - 2, "for"));
}

static bool begins_phase(const struct checker *checker, size_t t)
{
    return is(checker, t, "reap_for_each_item") || is(checker, t, "reap_for_first_items");
}

/* Checks the statement or declaration at t, and returns the token after it. */
static size_t check_next(struct checker *checker, size_t t)
{
    struct specifiers specifiers;
    if (begins_phase(checker, t)) {
        const bool has_count = is(checker, t, "reap_for_first_items") && is(checker, t + 1, "(");
        const size_t block = has_count ? past_brackets(checker, t + 1) : t + 1;
        if (has_count)
            check_expression(checker, t + 2, block - 1, false);
        checker->phase_end = reap__token_past_statement(&checker->tokens, block);
        return block;
    }
    if (begins_with(checker, t, "reap_sub_groups_")) {
        const size_t end = checker->phase_end = past_brackets(checker, t + 1);
        check_expression(checker, t + 2, end - 1, false);
        return end;
    }
    if (is(checker, t, "{") || is(checker, t, "}")) {
        checker->depth += is(checker, t, "{");
        checker->depth -= is(checker, t, "}");
        leave_scopes(checker);
        return t + 1;
    }
    if (is(checker, t, "reap_item_private") && is(checker, t + 1, "(")) {
        const size_t end = past_brackets(checker, t + 1);
        declare(checker,
                &(const struct variable){
                    .name = end - 2, .kind = OTHER, .depth = checker->depth, .end = SIZE_MAX});
        return end;
    }
    if (begins_statement(checker, t) && take_specifiers(checker, t, &specifiers))
        return take_declarators(checker, t, &specifiers);
    size_t end = t;
    while (
        end < checker->end && !is(checker, end, ";") && !is(checker, end, "{") &&
        !is(checker, end, "}") && !begins_phase(checker, end) &&
        !(end > t && begins_with(checker, end, "reap_sub_groups_")) &&
        !(end > t && begins_statement(checker, end) && take_specifiers(checker, end, &specifiers)))
        end = is(checker, end, "(") && !is(checker, end - 1, "for") ? past_brackets(checker, end)
                                                                    : end + 1;
    check_expression(checker, t, end, false);
    return end > t ? end : t + 1;
}

static void check_body(struct checker *checker)
{
    size_t t = checker->body;
    while (t < checker->end && checker->status == REAP_OK) {
        if (checker->phase_end > 0 && t >= checker->phase_end)
            leave_phase(checker);
        t = check_next(checker, t);
    }
}

/* ---- Keywords that wait -----------------------------------------------------------------------*/

/* How to do the same in phases. */
static const char *remedy(const struct checker *checker, size_t word)
{
    if (is(checker, word, "reap_barrier") || is(checker, word, "reap_sub_group_barrier"))
        return "end the phase there, and begin another one";
    if (begins_with(checker, word, "reap_sub_group_"))
        return "end the phase there, and use a statement of sub-groups, reap_sub_groups_...";
    return "compute it in several phases with local memory";
}

/* Reports the first keyword that waits, in the whole body: between phases, the host's compiler
 * rejects it, too. False: memory ran out. */
static bool check_waits(struct checker *checker)
{
    struct reap__wait wait;
    if (!reap__wait_find(&checker->tokens, checker->body, checker->end, &wait))
        return false;
    if (wait.place == SIZE_MAX)
        return true;
    if (wait.place == wait.word)
        report(checker, wait.place,
               "a phase contains '%.*s', where work-items cannot wait for each other: %s, or "
               "make the kernel a REAP_ND_KERNEL (docs/groups.md)",
               NAME(checker, wait.word), remedy(checker, wait.word));
    else
        report(checker, wait.place,
               "a phase calls '%.*s', which contains '%.*s' (line %u), where work-items cannot "
               "wait for each other: %s, or make the kernel a REAP_ND_KERNEL (docs/groups.md)",
               NAME(checker, wait.place), NAME(checker, wait.word), checker->list[wait.word].line,
               remedy(checker, wait.word));
    return true;
}

/* ---- All of it --------------------------------------------------------------------------------*/

static bool has_failed(const struct checker *checker, const struct reap__string *text)
{
    return text->failed || checker->variables.failed || checker->tokens.characters.failed ||
           checker->tokens.list.failed;
}

/* One reading of the text. Without the kernel, or with an #error, it is nothing that a device
 * compiles. */
static void check_reading(struct checker *checker, const char *text, struct reap__choices *choices)
{
    reap__tokens_release(&checker->tokens);
    checker->tokens = (struct reap__tokens){.is_incomplete = false};
    checker->variables.length = 0;
    checker->depth = 0;
    checker->phase_end = 0;
    reap__tokens_read(text, choices, &checker->tokens);
    checker->list = reap__tokens_list(&checker->tokens);
    checker->count = reap__tokens_count(&checker->tokens);
    if (checker->tokens.is_incomplete || checker->tokens.has_error || !find_kernel(checker))
        return;
    checker->is_found = true;
    checker->lacks_memory |= !check_waits(checker);
    check_body(checker);
}

/* The whole check of data->kernel. Its result is in *data. */
static void *look(void *data)
{
    struct checker *checker = data;
    struct reap__string text = {0};
    struct reap__choices choices = {.dialect = REAP__DIALECT_NONE};
    const reap_status status = reap__flatten_source(checker->kernel, REAP__DIALECT_NONE, &text);
    bool has_next = status == REAP_OK && !text.failed;
    while (has_next) {
        check_reading(checker, text.bytes, &choices);
        has_next = checker->status == REAP_OK && !has_failed(checker, &text) &&
                   reap__choices_next(&choices);
    }
    if (choices.are_too_many)
        report_conditions(checker);
    checker->reads |= !checker->is_found;
    if (status == REAP_ERROR_OUT_OF_MEMORY || checker->lacks_memory ||
        reap__choices_failed(&choices) || has_failed(checker, &text)) {
        checker->status = REAP_ERROR_OUT_OF_MEMORY;
        snprintf(checker->message, sizeof checker->message, "kernel '%s': no memory for its text",
                 checker->kernel->name);
    }
    reap__choices_release(&choices);
    reap__string_release(&text);
    reap__string_release(&checker->variables);
    reap__tokens_release(&checker->tokens);
    return NULL;
}

enum { STACK_BYTES = 256 << 10 };

/* On a new thread if the calling one has little stack. */
static bool look_with_stack(struct checker *checker)
{
    if (reap__stack_may_lack(REAP__STACK_FOR_DEVICE) && reap__stack_left() < REAP__STACK_FOR_DEVICE)
        return reap__thread_run(STACK_BYTES, look, checker);
    look(checker);
    return true;
}

static reap_status check_kernel(const struct reap_kernel *kernel, bool *reads)
{
    struct checker *checker = reap__allocate(sizeof *checker);
    reap_status status = REAP_ERROR_OUT_OF_MEMORY;
    *reads = true;
    if (checker != NULL) {
        memset(checker, 0, sizeof *checker);
        checker->kernel = kernel;
        if (look_with_stack(checker)) {
            status = checker->status;
            *reads = checker->reads;
        }
    }
    if (status != REAP_OK)
        status = reap__fail(status, "%s",
                            checker != NULL && checker->message[0] != '\0'
                                ? checker->message
                                : "no memory to check a kernel's phases");
    reap__free(checker);
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
        REAP_TRY(check_kernel(kernel, &reads));
    atomic_fetch_or_explicit(&kernel->state->probed, PASSED, memory_order_relaxed);
    return REAP_OK;
}

bool reap__phases_read_between(const struct reap_kernel *kernel)
{
    bool reads = true;
    if (has_phases(kernel))
        (void)check_kernel(kernel, &reads);
    return kernel->phases[REAP__ISA_PLAIN] != NULL && reads;
}
