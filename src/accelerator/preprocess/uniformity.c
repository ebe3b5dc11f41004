/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks that all work-items of a group reach the same keywords of sub-groups, for devices on which
 * these are barriers of the group (detail/opencl/sub_groups.h). There, a sub-group at a keyword
 * that others do not reach would wait forever, or until they are at another keyword.
 *
 * The analysis follows the control flow of the functions that contain such keywords, over the
 * tokens of the text. A variable, a statement or a loop is varying if it may differ between
 * work-items of a group. Varying ones make others varying, until nothing changes. Uniform are only
 * constants, values of the launch, sizes of ranges, results of group algorithms, functions of
 * <math.h> with uniform arguments, and variables that are computed from these only and whose
 * address is not taken. Types are not known: what might be an array or a pointer varies, variables
 * of one name in a function count as one, and the parameters of a helper function vary, whatever
 * its arguments are. Text that cannot be followed (goto, assembly, a function that is used without
 * a call) is rejected.
 */
#include "src/accelerator/preprocess/expand.h"
#include "src/accelerator/preprocess/preprocess.h"
#include "src/core/allocate.h"
#include "src/core/status.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A function of the text. */
struct function {
    struct reap__function at;
    size_t name;    /* a kernel's: the first argument of the macro */
    bool is_kernel; /* of any kind */
    bool waits;     /* contains a keyword of sub-groups, or mentions a function that does */
    bool is_called; /* by the kernel, or by a function that it calls; or it is the kernel */
};

struct walk {
    const struct reap_kernel *kernel;
    const char *device;
    struct reap__tokens tokens;
    size_t count;
    bool has_unions;               /* so a member may be changed through another one */
    struct reap__string functions; /* of struct function */
    const struct function *at;     /* the current one */
    unsigned char
        *is_varying; /* of each token that is a variable's name, or the keyword of a loop */
    size_t left;     /* after this token some work-items may have returned */
    bool has_changed;
    bool reports;
    bool has_failed; /* the message is set */
    bool is_found;   /* the kernel, in text without an #error */
    char message[REAP__MESSAGE_BYTES];
};

/* The control flow around a statement. */
struct context {
    bool is_varying;
    size_t nested; /* the number of loops and switches that enclose it */
    size_t loops[16];
};

/* ---- Tokens -----------------------------------------------------------------------------------*/

static bool is(const struct walk *walk, size_t t, const char *expected)
{
    return reap__token_is(&walk->tokens, t, expected);
}

static bool is_any(const struct walk *walk, size_t t, const char *const *words)
{
    return reap__token_is_any(&walk->tokens, t, words);
}

static bool is_word(const struct walk *walk, size_t t)
{
    return reap__token_is_word(&walk->tokens, t);
}

static bool is_member(const struct walk *walk, size_t t)
{
    return reap__token_is_member(&walk->tokens, t);
}

static bool begins_with(const struct walk *walk, size_t t, const char *prefix)
{
    return reap__token_begins_with(&walk->tokens, t, prefix);
}

static bool are_same(const struct walk *walk, size_t a, size_t b)
{
    return reap__tokens_are_same(&walk->tokens, a, b);
}

static size_t past_brackets(const struct walk *walk, size_t t)
{
    return reap__token_past_brackets(&walk->tokens, t);
}

static size_t opening_of(const struct walk *walk, size_t t)
{
    return reap__token_opening(&walk->tokens, t, walk->at->at.begin);
}

static bool is_number(const struct walk *walk, size_t t)
{
    const char first = walk->tokens.characters.bytes[reap__tokens_list(&walk->tokens)[t].begin];
    return first >= '0' && first <= '9';
}

/* ---- Functions --------------------------------------------------------------------------------*/

static struct function *functions(const struct walk *walk)
{
    return (struct function *)(void *)walk->functions.bytes;
}

static size_t function_count(const struct walk *walk)
{
    return walk->functions.length / sizeof(struct function);
}

/* The first helper function with that name, from number f on; function_count if there is none. */
static size_t find_function(const struct walk *walk, size_t f, size_t name)
{
    if (!is_word(walk, name) || is_member(walk, name))
        return function_count(walk);
    while (f < function_count(walk) &&
           (functions(walk)[f].is_kernel || !are_same(walk, functions(walk)[f].name, name)))
        f++;
    return f;
}

/* Whether the token names a function that contains keywords of sub-groups. */
static bool names_waiting(const struct walk *walk, size_t t)
{
    for (size_t f = find_function(walk, 0, t); f < function_count(walk);
         f = find_function(walk, f + 1, t))
        if (functions(walk)[f].waits)
            return true;
    return false;
}

/* Whether it is a keyword that all work-items must reach, or a function that contains one. */
static bool is_waiting(const struct walk *walk, size_t t)
{
    if (reap__waiting_is_of_sub_groups(&walk->tokens, t) &&
        find_function(walk, 0, t) == function_count(walk))
        return true;
    return names_waiting(walk, t);
}

static void find_functions(struct walk *walk)
{
    static const char *const kernels[] = {"REAP_KERNEL", "REAP_ND_KERNEL", "REAP_ANY_KERNEL",
                                          "REAP_GROUP_KERNEL", NULL};
    struct reap__function at = {.end = 0};
    while (reap__token_next_function(&walk->tokens, at.end, &at)) {
        const bool is_kernel = is_any(walk, at.name, kernels);
        const struct function found = {
            .at = at, .name = at.name + (is_kernel ? 2 : 0), .is_kernel = is_kernel};
        reap__string_append(&walk->functions, &found, sizeof found);
    }
}

static bool has_waiting(const struct walk *walk, const struct function *function)
{
    for (size_t t = function->at.body; t < function->at.end; t++)
        if (is_waiting(walk, t))
            return true;
    return false;
}

/* Finds the functions that contain keywords of sub-groups, or mention functions that do. */
static void find_waiting(const struct walk *walk)
{
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (size_t f = 0; f < function_count(walk); f++) {
            struct function *function = &functions(walk)[f];
            if (function->waits || !has_waiting(walk, function))
                continue;
            function->waits = has_changed = true;
        }
    }
}

static void find_called(const struct walk *walk, struct function *function)
{
    function->is_called = true;
    for (size_t t = function->at.body; t < function->at.end; t++)
        for (size_t f = find_function(walk, 0, t); f < function_count(walk);
             f = find_function(walk, f + 1, t))
            if (functions(walk)[f].waits && !functions(walk)[f].is_called)
                find_called(walk, &functions(walk)[f]);
}

/* ---- Operands ---------------------------------------------------------------------------------*/

/* Whether the name is in a typedef: as the type, or elsewhere in its declaration. */
static bool is_in_typedef(const struct walk *walk, size_t name)
{
    static const char *const semicolon[] = {";", NULL};
    for (size_t t = 0; t < walk->count; t++) {
        if (!is(walk, t, "typedef"))
            continue;
        for (const size_t end = reap__token_find(&walk->tokens, t, walk->count, semicolon); t < end;
             t++)
            if (are_same(walk, t, name))
                return true;
    }
    return false;
}

/* Whether the name is known to be a variable, not a type: the function assigns to it, or it is the
 * kernel's parameter. */
static bool is_variable(const struct walk *walk, size_t name)
{
    const struct reap__function *const at = &walk->at->at;
    for (size_t t = at->begin; t < at->end; t++) {
        const bool is_known = t < at->body ? walk->at->is_kernel && is(walk, t + 1, ")")
                                           : is(walk, t + 1, "=") && !is_member(walk, t);
        if (is_known && is_word(walk, name) && are_same(walk, t, name))
            return !is_in_typedef(walk, name);
    }
    return false;
}

/* Whether the brackets contain, outside of inner ones, a token that a type's name has not: an
 * operator or a number. */
static bool has_operator(const struct walk *walk, size_t open, size_t close)
{
    static const char *const of_types[] = {"*", "^", ",", "...", NULL};
    static const char *const opening[] = {"(", "[", "{", NULL};
    for (size_t t = open + 1; t < close;) {
        const bool is_opening = is_any(walk, t, opening);
        if (!is_opening && !is_word(walk, t) && !is_any(walk, t, of_types))
            return true;
        t = is_opening ? past_brackets(walk, t) : t + 1;
    }
    return false;
}

/* Whether the parentheses that end here are known to end an operand: not a type, nor the head of a
 * statement. In brackets, f(...) might be a type: int (*). */
static bool ends_operand(const struct walk *walk, size_t close, bool is_in_brackets)
{
    static const char *const before[] = {"return", "case", "else", "do", "__extension__", NULL};
    static const char *const others[] = {"if",       "for",     "while",         "switch",
                                         "typeof",   "_Atomic", "__attribute__", "__typeof__",
                                         "__typeof", "_BitInt", "_Alignas",      NULL};
    const size_t open = opening_of(walk, close);
    if (is_any(walk, open - 1, others))
        return false;
    if (is(walk, open - 1, "sizeof") ||
        (!is_in_brackets && is_word(walk, open - 1) && !is_any(walk, open - 1, before)))
        return true;
    return has_operator(walk, open, close) ||
           (is(walk, close - 1, ")") ? ends_operand(walk, close - 1, true)
                                     : is_variable(walk, close - 1));
}

/* Whether an operand is known to end before this token, so a * or & here is a binary operator. */
static bool is_after_operand(const struct walk *walk, size_t t)
{
    static const char *const words[] = {"return", "case",   "else",          "do",
                                        "goto",   "sizeof", "__extension__", NULL};
    if (is(walk, t - 1, ")"))
        return ends_operand(walk, t - 1, false);
    return is(walk, t - 1, "]") || is_number(walk, t - 1) ||
           (is_word(walk, t - 1) && !is_any(walk, t - 1, words));
}

/* ---- Variables --------------------------------------------------------------------------------*/

static void mark(struct walk *walk, size_t t)
{
    walk->has_changed |= walk->is_varying[t] == 0;
    walk->is_varying[t] = 1;
}

/* Marks a name wherever it is in the function. */
static void mark_variable(struct walk *walk, size_t name)
{
    if (walk->is_varying[name] != 0 || reap__token_is_type(&walk->tokens, name))
        return;
    for (size_t t = walk->at->at.begin; t < walk->at->at.end; t++)
        if (is_word(walk, t) && are_same(walk, t, name))
            mark(walk, t);
}

/* Marks all names between two tokens, except in [ ]. */
static void mark_variables(struct walk *walk, size_t begin, size_t end)
{
    for (size_t t = begin; t < end; t++) {
        if (is(walk, t, "["))
            t = past_brackets(walk, t) - 1;
        else if (is_word(walk, t) && !is_member(walk, t))
            mark_variable(walk, t);
    }
}

/* Marks a helper's parameters, and those of a kernel that are not values of the launch. */
static void mark_parameters(struct walk *walk)
{
    const struct reap__function *const at = &walk->at->at;
    if (!walk->at->is_kernel)
        mark_variables(walk, at->begin, at->body);
    for (size_t t = at->name + 2; t < at->body && walk->at->is_kernel; t++) {
        if (is(walk, t, "value"))
            t = past_brackets(walk, t + 1) - 1;
        else if (is_word(walk, t) && is(walk, t + 1, ")"))
            mark_variable(walk, t);
    }
}

/* Marks arrays, whose elements may be changed through a pointer. */
static void mark_arrays(struct walk *walk)
{
    for (size_t t = walk->at->at.body; t < walk->at->at.end; t++)
        if (is_word(walk, t) && is(walk, t + 1, "[") && !is_member(walk, t))
            mark_variable(walk, t);
}

/* Marks the variable of the operand that ends with this token: x, x.m, x[i], (x), or a declarator.
 * An object that is reached through a pointer need not be marked: it is memory, or a variable whose
 * & has marked it. */
static void mark_operand_before(struct walk *walk, size_t t)
{
    static const char *const begins[] = {";", "{", "}", NULL};
    while (t > walk->at->at.body) {
        if (is(walk, t, "]")) {
            t = opening_of(walk, t) - 1;
        } else if (is(walk, t, ")")) {
            const size_t open = opening_of(walk, t);
            const bool is_attribute = is(walk, open - 1, "__attribute__");
            if ((is(walk, open - 1, "*") && is_any(walk, open - 2, begins)) ||
                is(walk, open - 1, "reap_at"))
                return;
            if (!is_attribute)
                mark_variables(walk, open + 1, t);
            t = open - 1 - is_attribute;
        } else if (is(walk, t - 1, ".")) {
            t -= 2;
        } else {
            if (is_word(walk, t) && !is_member(walk, t))
                mark_variable(walk, t);
            return;
        }
    }
}

/* Marks the variable of the operand that begins with this token. */
static void mark_operand_after(struct walk *walk, size_t t)
{
    while (is_word(walk, t) || is(walk, t, "(")) {
        if (is_word(walk, t)) {
            mark_variable(walk, t++);
            continue;
        }
        const size_t end = past_brackets(walk, t);
        if (!is(walk, t - 1, "reap_at"))
            mark_variables(walk, t + 1, end - 1);
        t = end;
    }
}

/* ---- Varying expressions ----------------------------------------------------------------------*/

/* Keywords of the dialect, and common functions of <math.h>, with the same value for all work-items
 * of a group if their arguments are uniform. */
static const char *const uniform_words[] = {"reap_global_range",
                                            "reap_global_linear_range",
                                            "reap_local_range",
                                            "reap_local_linear_range",
                                            "reap_group_range",
                                            "reap_group_linear_range",
                                            "reap_group_id",
                                            "reap_group_linear_id",
                                            "reap_sub_group_range",
                                            "reap_extent",
                                            "reap_identity",
                                            "reap_value",
                                            "reap_operate",
                                            "reap_known_identity",
                                            "REAP_SUB_GROUP_SIZE",
                                            "abs",
                                            "fabs",
                                            "fabsf",
                                            "fmin",
                                            "fminf",
                                            "fmax",
                                            "fmaxf",
                                            "floor",
                                            "floorf",
                                            "ceil",
                                            "ceilf",
                                            "sqrt",
                                            "sqrtf",
                                            "log2",
                                            "log2f",
                                            NULL};
static const char *const uniform_algorithms[] = {"reap_group_reduce",
                                                 "reap_group_any",
                                                 "reap_group_all",
                                                 "reap_group_none",
                                                 "reap_group_broadcast",
                                                 "reap_group_broadcast_id",
                                                 "reap_group_joint_any",
                                                 "reap_group_joint_all",
                                                 "reap_group_joint_none",
                                                 "reap_group_joint_reduce",
                                                 NULL};
/* The same, except that the result is combined with the last argument of each work-item. */
static const char *const algorithms_from[] = {"reap_group_reduce_from",
                                              "reap_group_joint_reduce_from", NULL};

/* The token after arguments that do not matter: those of an algorithm, the operand of sizeof, the
 * parameter of reap_extent and reap_identity. Returns t if all arguments matter. */
static size_t past_uniform(const struct walk *walk, size_t t)
{
    static const char *const comma[] = {",", NULL};
    if (!is(walk, t + 1, "("))
        return is(walk, t, "sizeof") ? t + 2 : t;
    const size_t end = past_brackets(walk, t + 1);
    if (is_any(walk, t, uniform_algorithms) || is(walk, t, "sizeof"))
        return end;
    if (is(walk, t, "reap_extent") || is(walk, t, "reap_identity"))
        return t + 3;
    if (!is_any(walk, t, algorithms_from))
        return t;
    size_t last = t + 1;
    for (size_t c = last; c < end; c = reap__token_find(&walk->tokens, c + 1, end, comma))
        last = c;
    return last;
}

static bool is_unknown(const struct walk *walk, size_t t)
{
    const bool is_of_dialect = begins_with(walk, t, "reap_") || begins_with(walk, t, "REAP_");
    return (is_of_dialect || is(walk, t + 1, "(")) && !is_any(walk, t, uniform_words);
}

/* Whether an expression may differ between work-items: if it reads through a pointer or from an
 * array, or contains a varying or unknown name. */
static bool varies(const struct walk *walk, size_t begin, size_t end)
{
    static const char *const marks[] = {"[", "{", "->", NULL};
    for (size_t t = begin; t < end; t++) {
        if (is_any(walk, t, marks) || (is(walk, t, "*") && !is_after_operand(walk, t)))
            return true;
        if (!is_word(walk, t))
            continue;
        const size_t rest = past_uniform(walk, t);
        if (is_member(walk, t) ? walk->has_unions
                               : rest == t && (walk->is_varying[t] != 0 || is_unknown(walk, t)))
            return true;
        t = rest > t ? rest - 1 : t;
    }
    return false;
}

/* ---- Expressions ------------------------------------------------------------------------------*/

static void report(struct walk *walk, size_t t)
{
    const struct reap__token *token = &reap__tokens_list(&walk->tokens)[t];
    const char *all = walk->tokens.characters.bytes;
    if (!walk->reports || walk->has_failed)
        return;
    walk->has_failed = true;
    snprintf(walk->message, sizeof walk->message,
             "kernel '%s': %s:%u: all work-items of a group must reach %.*s on device '%s', which "
             "has no sub-groups of 32 work-items in hardware: move it out of conditions that may "
             "differ between work-items (docs/groups.md)",
             walk->kernel->name, all + token->file, token->line,
             (int)(token->length < 60 ? token->length : 60), all + token->begin, walk->device);
}

static bool is_varying_at(const struct walk *walk, const struct context *context, size_t t)
{
    return context->is_varying || t > walk->left;
}

/* Whether a ?, && or || before this token, in the same expression, may skip it. Operators in the
 * left operand of a comma cannot. */
static bool is_left_out(const struct walk *walk, size_t begin, size_t t)
{
    static const char *const closing[] = {")", "]", "}", NULL};
    static const char *const opening[] = {"(", "[", "{", NULL};
    bool is_after_comma = false;
    size_t choices = 0; /* conditional operators that end before the comma */
    while (t-- > begin) {
        if (is_any(walk, t, closing)) {
            t = opening_of(walk, t);
        } else if (is_any(walk, t, opening)) {
            is_after_comma = false;
            choices = 0;
        } else if (is(walk, t, ",")) {
            is_after_comma = true;
        } else if (is(walk, t, ":")) {
            choices += is_after_comma;
        } else if (is(walk, t, "?")) {
            if (choices == 0)
                return true;
            choices--;
        } else if (!is_after_comma && (is(walk, t, "&&") || is(walk, t, "||"))) {
            return true;
        }
    }
    return false;
}

/* Whether the token is in an argument of reap_group_joint_..., which each work-item evaluates for
 * its own elements. */
static bool is_in_joint(const struct walk *walk, size_t begin, size_t t)
{
    static const char *const closing[] = {")", "]", "}", NULL};
    while (t-- > begin) {
        if (is_any(walk, t, closing))
            t = opening_of(walk, t);
        else if (is(walk, t, "(") && begins_with(walk, t - 1, "reap_group_joint_"))
            return true;
    }
    return false;
}

/* Whether only some work-items may execute an assignment, or with different values. */
static bool makes_varying(const struct walk *walk, const struct context *context, size_t begin,
                          size_t t)
{
    static const char *const marks[] = {",", ";", ")", "]", "}", NULL};
    static const char *const steps[] = {"++", "--", NULL};
    const size_t end = reap__token_find(&walk->tokens, t + 1, walk->at->at.end, marks);
    return is_varying_at(walk, context, t) || is_in_joint(walk, begin, t) ||
           (!is_any(walk, t, steps) && varies(walk, t + 1, end)) ||
           (is_left_out(walk, begin, t) && varies(walk, begin, t));
}

/* Marks variables by assignments, and by &, since they may be assigned to through a pointer. */
static void follow_assignments(struct walk *walk, const struct context *context, size_t begin,
                               size_t end)
{
    static const char *const assignments[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", NULL};
    static const char *const steps[] = {"++", "--", NULL};
    for (size_t t = begin; t < end; t++) {
        const bool is_step = is_any(walk, t, steps);
        const bool is_address = is(walk, t, "&") && !is_after_operand(walk, t);
        if ((is_step || is_any(walk, t, assignments)) && makes_varying(walk, context, begin, t)) {
            mark_operand_before(walk, t - 1);
            if (is_step)
                mark_operand_after(walk, t + 1);
        }
        if (is_address)
            mark_operand_after(walk, t + 1);
    }
}

/* Follows return, break and continue: a loop that only some work-items leave becomes varying. A
 * continue in a switch belongs to the loop around it. */
static void follow_jump(struct walk *walk, const struct context *context, size_t t)
{
    if (!is_varying_at(walk, context, t))
        return;
    const bool is_return = is(walk, t, "return");
    walk->has_changed |= is_return && t < walk->left;
    walk->left = is_return && t < walk->left ? t : walk->left;
    for (size_t l = context->nested; l-- > 0;) {
        mark(walk, context->loops[l]);
        if (!is_return && !is(walk, context->loops[l], "switch"))
            break;
    }
}

static const char *const jumps[] = {"return", "break", "continue", NULL};

/* Whether an expression contains statements (GNU C), each of which may be skipped. */
static bool has_statements(const struct walk *walk, size_t begin, size_t end)
{
    static const char *const heads[] = {"if",     "else", "for",     "while", "do",
                                        "switch", "case", "default", NULL};
    for (size_t t = begin; t < end; t++)
        if (is_any(walk, t, heads) || is_any(walk, t, jumps))
            return true;
    return false;
}

static void follow_expression(struct walk *walk, const struct context *context, size_t begin,
                              size_t end)
{
    struct context inner = *context;
    inner.is_varying |= has_statements(walk, begin, end);
    follow_assignments(walk, &inner, begin, end);
    for (size_t t = begin; t < end; t++) {
        if (is_any(walk, t, jumps))
            follow_jump(walk, &inner, t);
        if (is_waiting(walk, t) && (!is(walk, t + 1, "(") || is_varying_at(walk, &inner, t) ||
                                    is_left_out(walk, begin, t) || is_in_joint(walk, begin, t)))
            report(walk, t);
    }
}

/* ---- Statements -------------------------------------------------------------------------------*/

/* Follows the statement that begins here; returns the token after it. */
static size_t follow_statement(struct walk *walk, const struct context *context, size_t t);

static size_t end_of_expression(const struct walk *walk, size_t t, size_t end, const char *mark)
{
    return reap__token_find(&walk->tokens, t, end, (const char *const[]){mark, NULL});
}

/* Skips attributes before a statement. */
static size_t past_attributes(const struct walk *walk, size_t t)
{
    for (;;) {
        if (is(walk, t, "__extension__"))
            t++;
        else if (is(walk, t, "__attribute__") && is(walk, t + 1, "("))
            t = past_brackets(walk, t + 1);
        else if (is(walk, t, "[") && is(walk, t + 1, "["))
            t = past_brackets(walk, t);
        else
            return t;
    }
}

static struct context within_loop(const struct context *context, size_t loop)
{
    struct context inner = *context;
    const size_t most = sizeof inner.loops / sizeof *inner.loops;
    inner.is_varying |= inner.nested == most; /* nested deeper than `loops` holds */
    if (inner.nested < most)
        inner.loops[inner.nested++] = loop;
    return inner;
}

static size_t follow_if(struct walk *walk, const struct context *context, size_t t)
{
    const size_t end = past_brackets(walk, t + 1);
    struct context inner = *context;
    follow_expression(walk, context, t + 2, end - 1);
    inner.is_varying |= varies(walk, t + 2, end - 1);
    t = follow_statement(walk, &inner, end);
    return is(walk, t, "else") ? follow_statement(walk, &inner, t + 1) : t;
}

/* Follows for, while and switch. */
static size_t follow_loop(struct walk *walk, const struct context *context, size_t t)
{
    const size_t end = past_brackets(walk, t + 1);
    size_t first = t + 2, last = end - 1;
    struct context inner = within_loop(context, t);
    if (is(walk, t, "for")) {
        first = end_of_expression(walk, t + 2, end - 1, ";");
        last = end_of_expression(walk, first + 1, end - 1, ";");
        follow_expression(walk, context, t + 2, first);
        first++;
    }
    inner.is_varying |= walk->is_varying[t] != 0 || varies(walk, first, last);
    follow_expression(walk, &inner, first, last);
    t = follow_statement(walk, &inner, end);
    if (last + 1 < end)
        follow_expression(walk, &inner, last + 1, end - 1);
    return t;
}

static size_t follow_do(struct walk *walk, const struct context *context, size_t t)
{
    struct context inner = within_loop(context, t);
    const size_t head = reap__token_past_statement(&walk->tokens, t + 1);
    const size_t end = past_brackets(walk, head + 1);
    inner.is_varying |= walk->is_varying[t] != 0 || varies(walk, head + 2, end - 1);
    follow_statement(walk, &inner, t + 1);
    follow_expression(walk, &inner, head + 2, end - 1);
    return end + 1;
}

static size_t follow_statement(struct walk *walk, const struct context *context, size_t t)
{
    static const char *const loops[] = {"for", "while", "switch", NULL};
    t = past_attributes(walk, t);
    if (is(walk, t, "{")) {
        const size_t end = past_brackets(walk, t);
        for (t++; t + 1 < end;)
            t = follow_statement(walk, context, t);
        return end;
    }
    if (is(walk, t, "if"))
        return follow_if(walk, context, t);
    if (is_any(walk, t, loops))
        return follow_loop(walk, context, t);
    if (is(walk, t, "do"))
        return follow_do(walk, context, t);
    if (is(walk, t, "case") || is(walk, t, "default") || (is_word(walk, t) && is(walk, t + 1, ":")))
        return follow_statement(walk, context,
                                end_of_expression(walk, t, walk->at->at.end, ":") + 1);
    const size_t end = end_of_expression(walk, t, walk->at->at.end, ";");
    const bool is_jump = is_any(walk, t, jumps);
    follow_expression(walk, context, t + is_jump, end);
    if (is_jump)
        follow_jump(walk, context, t);
    return end + 1;
}

/* ---- All of it --------------------------------------------------------------------------------*/

/* Whether a function has neither goto nor assembly. */
static bool is_followed(const struct walk *walk, const struct function *function)
{
    static const char *const others[] = {"goto", "asm", "__asm__", "__asm", NULL};
    for (size_t t = function->at.body; t < function->at.end; t++)
        if (is_any(walk, t, others))
            return false;
    return true;
}

static void follow_function(struct walk *walk, const struct function *function)
{
    const struct context context = {.is_varying = !is_followed(walk, function)};
    walk->at = function;
    walk->left = SIZE_MAX;
    walk->reports = false;
    mark_parameters(walk);
    mark_arrays(walk);
    do {
        walk->has_changed = false;
        follow_statement(walk, &context, function->at.body);
    } while (walk->has_changed);
    walk->reports = true;
    follow_statement(walk, &context, function->at.body);
}

/* Reports keywords outside of all functions that were found, and functions with keywords that are
 * used there without a call. */
static void follow_outside(struct walk *walk)
{
    size_t t = 0;
    walk->reports = true;
    for (size_t f = 0; f <= function_count(walk); f++) {
        const bool is_last = f == function_count(walk);
        for (; t < (is_last ? walk->count : functions(walk)[f].at.body); t++)
            if (reap__waiting_is_of_sub_groups(&walk->tokens, t)
                    ? find_function(walk, 0, t) == function_count(walk)
                    : names_waiting(walk, t) && !is(walk, t + 1, "("))
                report(walk, t);
        t = is_last ? t : functions(walk)[f].at.end;
    }
}

/* Finds the kernel, and the functions with keywords of sub-groups that it calls. False: no kernel
 * has that name. */
static bool find_kernel(const struct walk *walk)
{
    static const char *const kinds[] = {"REAP_ND_KERNEL", "REAP_ANY_KERNEL", NULL};
    bool is_found = false;
    for (size_t f = 0; f < function_count(walk); f++) {
        struct function *function = &functions(walk)[f];
        if (!function->is_kernel || !is(walk, function->name, walk->kernel->name))
            continue;
        is_found = true;
        if (function->waits && is_any(walk, function->at.name, kinds))
            find_called(walk, function);
    }
    return is_found;
}

static void follow_called(struct walk *walk)
{
    follow_outside(walk);
    for (size_t f = 0; f < function_count(walk); f++)
        if (functions(walk)[f].is_called)
            follow_function(walk, &functions(walk)[f]);
}

/* Whether the text has spellings that this reader does not read as compilers do: letters that are
 * not ASCII, \u, digraphs and trigraphs. */
static bool has_spellings(const struct walk *walk)
{
    static const char *const pairs[][2] = {{"<", ":"}, {"<", "%"}, {"%", ":"}, {"?", "?"}};
    for (size_t t = 0; t < walk->count; t++) {
        const struct reap__token *token = &reap__tokens_list(&walk->tokens)[t];
        const unsigned char first = (unsigned char)walk->tokens.characters.bytes[token->begin];
        if (first == '\\' || first == '$' || first >= 0x7f)
            return true;
        for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
            if (is(walk, t, pairs[p][0]) && is(walk, t + 1, pairs[p][1]))
                return true;
    }
    return false;
}

static reap_status lack_memory(const struct reap_kernel *kernel)
{
    return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for its text",
                      kernel->name);
}

static reap_status fail_to_follow(const struct walk *walk)
{
    return reap__fail(REAP_ERROR_COMPILATION_FAILED,
                      "kernel '%s': its control flow is too complex to check that all work-items "
                      "of a group reach its sub-group operations, which device '%s' requires, "
                      "since it has no sub-groups of 32 work-items in hardware (docs/groups.md)",
                      walk->kernel->name, walk->device);
}

/* Follows one reading of the text. Without the kernel, or with an #error, it is nothing that the
 * device compiles. */
static reap_status follow_reading(struct walk *walk)
{
    walk->count = reap__tokens_count(&walk->tokens);
    walk->is_varying = reap__allocate(walk->count + 1);
    if (walk->is_varying == NULL || walk->tokens.list.failed || walk->tokens.characters.failed)
        return lack_memory(walk->kernel);
    memset(walk->is_varying, 0, walk->count + 1);
    for (size_t t = 0; t < walk->count; t++)
        walk->has_unions |= is(walk, t, "union");
    find_functions(walk);
    if (walk->functions.failed)
        return lack_memory(walk->kernel);
    find_waiting(walk);
    if (walk->tokens.is_incomplete || has_spellings(walk))
        return fail_to_follow(walk);
    if (walk->tokens.has_error || !find_kernel(walk))
        return REAP_OK;
    walk->is_found = true;
    follow_called(walk);
    return walk->has_failed ? reap__fail(REAP_ERROR_COMPILATION_FAILED, "%s", walk->message)
                            : REAP_OK;
}

static void release_reading(struct walk *walk)
{
    reap__string_release(&walk->functions);
    reap__tokens_release(&walk->tokens);
    reap__free(walk->is_varying);
}

/* Follows the text once for each combination of the values that its conditions may have. */
static reap_status follow_text(struct walk *walk, const char *text)
{
    struct reap__choices choices = {.dialect = REAP__DIALECT_OPENCL};
    const struct walk initial = *walk;
    reap_status status = REAP_OK;
    bool is_found = false;
    do {
        *walk = initial;
        reap__tokens_read(text, &choices, &walk->tokens);
        status = follow_reading(walk);
        is_found |= walk->is_found;
        release_reading(walk);
    } while (status == REAP_OK && reap__choices_next(&choices));
    if (status == REAP_OK && reap__choices_failed(&choices))
        status = lack_memory(walk->kernel);
    else if (status == REAP_OK && (choices.are_too_many || !is_found))
        status = fail_to_follow(walk);
    reap__choices_release(&choices);
    return status;
}

reap_status reap__uniformity_check(const struct reap_kernel *kernel, const char *device)
{
    struct reap__string text = {0};
    struct walk *walk = reap__allocate(sizeof *walk);
    if (walk == NULL)
        return lack_memory(kernel);
    memset(walk, 0, sizeof *walk);
    walk->kernel = kernel;
    walk->device = device;
    reap_status status = reap__flatten_source(kernel, REAP__DIALECT_NONE, &text);
    if (status == REAP_OK && text.failed)
        status = lack_memory(kernel);
    if (status == REAP_OK)
        status = follow_text(walk, text.bytes);
    reap__string_release(&text);
    reap__free(walk);
    return status;
}
